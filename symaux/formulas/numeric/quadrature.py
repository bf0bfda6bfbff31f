r"""Numerical integrals with a word on their own doubt: two subdivisions of one interval, and how far they are apart.

Nothing is proved by them. They refuse what is no density and find witnesses, where a difference far beyond the doubt counts.
The second has more digits: next to an end x, where a density like $(z - x)^{-9/10}$ is worked out from z, the last digit of
z hides a mass that no subdivision shows.

>>> total, doubt = twice(lambda x: mp.exp(-x), lambda: [mp.mpf(0), mp.inf], (1, 8), (2, 5, 20))
>>> abs(total - 1) < 1e-12, doubt < 1e-9
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.numeric.ball_evaluate import quick
from symaux.formulas.numeric.evaluate import FAILURES, number, real
from symaux.formulas.numeric.points import Point

Height = Callable[[Any], Any]
Total = tuple[Any, Any]  # an integral, and how far it may be off
MORE = 8  # digits


def end(bound: sp.Expr, point: Point) -> Any:
    """Return an end of an interval as a number, infinite ones included; None if it has no value."""
    if bound in (sp.oo, -sp.oo):
        return mp.inf if bound == sp.oo else -mp.inf
    return real(bound, point)


def height(density: sp.Expr, value: Any, point: Point) -> Height:
    """Return a density as a function of numbers."""

    def at(x: Any) -> Any:
        here = {**point, value: x}
        at_once = quick(density, here)
        return mp.re(number(density, here)) if at_once is None else at_once

    return at


def once(here: Height, ends: list[Any], cuts: Iterable[Any]) -> Total | None:
    """Return the integral in parts, and what the quadrature itself says of its error; None if it has no value."""
    inner = sorted({c for c in map(mp.mpf, cuts) if ends[0] < c < ends[1]})
    try:
        total, error = mp.quad(here, [ends[0], *inner, ends[1]], error=True)
    except FAILURES:
        return None
    return (total, error) if mp.isfinite(total) else None


def twice(here: Height, ends: Callable[[], list[Any]], cuts: Iterable[Any], others: Iterable[Any]) -> Total | None:
    """Return the integral over two subdivisions, the second with more digits, and their distance with both errors."""
    found = once(here, ends(), cuts)
    with mp.extradps(MORE):
        again = None if found is None else once(here, ends(), others)
    if found is None or again is None:
        return None
    return found[0], abs(found[0] - again[0]) + found[1] + again[1]
