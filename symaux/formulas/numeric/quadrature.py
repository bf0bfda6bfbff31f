r"""Integrate numerically with an error estimate: over two subdivisions of one interval, and their difference.

This proves nothing. It rejects functions that are not densities and finds witnesses, where a difference must be far beyond
the error estimate. The second subdivision has more digits: near an end x, where a density like $(z - x)^{-9/10}$ is computed
from z, the last digit of z hides a mass that no subdivision shows.

>>> total, error = integrate_twice(lambda x: mp.exp(-x), lambda: [mp.mpf(0), mp.inf], (1, 8), (2, 5, 20))
>>> abs(total - 1) < 1e-12, error < 1e-9
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.numeric.ball_evaluate import evaluate_by_balls
from symaux.formulas.numeric.evaluate import FAILURES, number, real
from symaux.formulas.numeric.points import Point
from symaux.formulas.symbols.formula import Formula

Height = Callable[[Any], Any]
Total = tuple[Any, Any]  # an integral and its error estimate
MORE = 8  # more digits for the second subdivision


def end_value(bound: Formula, point: Point) -> Any:
    """Return an end of an interval as a number, which may be infinite; None if it has no value."""
    if bound in (sp.oo, -sp.oo):
        return mp.inf if bound == sp.oo else -mp.inf
    return real(bound, point)


def density_function(density: Formula, value: Any, point: Point) -> Height:
    """Return a density as a function of numbers."""

    def at(x: Any) -> Any:
        here = {**point, value: x}
        by_balls = evaluate_by_balls(density, here)
        return mp.re(number(density, here)) if by_balls is None else by_balls

    return at


def integrate(here: Height, ends: list[Any], cuts: Iterable[Any]) -> Total | None:
    """Return the integral over the parts between cuts, and the error estimate of the quadrature; None if it has no value."""
    inner = sorted({c for c in map(mp.mpf, cuts) if ends[0] < c < ends[1]})
    try:
        total, error = mp.quad(here, [ends[0], *inner, ends[1]], error=True)
    except FAILURES:
        return None
    return (total, error) if mp.isfinite(total) else None


def integrate_twice(
    here: Height, ends: Callable[[], list[Any]], cuts: Iterable[Any], others: Iterable[Any]
) -> Total | None:
    """Return the integral, and as its error the difference between two subdivisions plus the errors of both."""
    first = integrate(here, ends(), cuts)
    with mp.extradps(MORE):
        second = None if first is None else integrate(here, ends(), others)
    if first is None or second is None:
        return None
    return first[0], abs(first[0] - second[0]) + first[1] + second[1]
