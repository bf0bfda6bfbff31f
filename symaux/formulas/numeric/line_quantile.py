r"""Compute the quantile of a law on the real line by quadrature: $\int_{-\infty}^{q} e^{\ell(t)}\,dt = u$, to any precision.

>>> import sympy as sp
>>> t = sp.Symbol("t", real=True)
>>> mp.nstr(line_quantile(sp.Rational(3, 4), t, -t - 2*sp.log(1 + sp.exp(-t)), 100), 25)  # logistic: log 3
'1.098612288668109691395245'
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import combinations
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.evaluate import FAILURES, number
from symaux.formulas.symbols.formula import Formula

FARTHEST = 100  # corners are looked for from minus this to the quantile
MOST_CORNERS = 300  # between two ends; quadrature does without the others


def line_quantile(u: Formula, variable: Any, log_density: Formula, prec: int) -> Any:
    """Return the quantile by quadrature and safeguarded Newton steps: slow, and independent of the generated code."""
    with mp.workprec(prec + 20):
        level = mp.mpmathify(u)

        def height(t: Any) -> Any:
            try:
                return exponential(number(log_density, {variable: t}))
            except OverflowError:
                return mp.mpf(0)  # so far out that a part of the formula overflows

        steps = _steps(log_density, variable)

        def between(low: Any, high: Any) -> Any:
            if high < low:
                return -between(high, low)
            return mp.quad(height, [low, *(_corners(steps, low, high) or [(low + high) / 2]), high])

        start = mp.mpf(0)
        places = {mp.mpf(-8), mp.mpf(-1), *_corners(steps, mp.mpf(-FARTHEST), start)}
        reached = mp.quad(height, [-mp.inf, *sorted(places), start])
        low, high = start, start
        step = mp.mpf(1)
        while reached > level:
            low, high, step = low - step, low, 2 * step
            reached -= between(low, high)
        if high == start and reached <= level:
            while (more := between(low, low + step)) + reached < level:
                low, reached, step = low + step, reached + more, 2 * step
            high = low + step
        return _root(height, between, reached - level, low, high)


def _steps(log_density: Formula, variable: Any) -> list[Callable[[Any], Any]]:
    """Return step functions that change where the density has a corner: floors, and signs of what chooses a branch."""
    floors = [e.args[0] for e in log_density.atoms(sp.floor, sp.ceiling)]
    switches = [e.args[0] for e in log_density.atoms(sp.Abs, sp.sign, sp.Heaviside)]
    switches += [a - b for e in log_density.atoms(sp.Max, sp.Min) for a, b in combinations(e.args, 2)]
    switches += [r.lhs - r.rhs for e in log_density.atoms(sp.Piecewise) for r in e.atoms(Relational)]
    listed = ((mp.floor, floors), (mp.sign, switches))
    return [
        lambda t, step=step, inner=inner: step(number(inner, {variable: t}))
        for step, inside in listed
        for inner in dict.fromkeys(inside)
        if inner.free_symbols == {variable}
    ]


def _corners(steps: list[Callable[[Any], Any]], low: Any, high: Any) -> list[Any]:
    """Return the places between two ends at which one of the step functions changes, in order, to the working precision."""
    found: list[Any] = []

    def search(step: Callable[[Any], Any], low: Any, high: Any, below: Any, above: Any) -> None:
        middle = (low + high) / 2
        if below == above:
            return
        if not low < middle < high or high - low <= mp.eps * (1 + abs(middle)):
            found.append(middle)
            if len(found) > MOST_CORNERS:
                raise ArithmeticError("too many corners")
            return
        between = step(middle)
        search(step, low, middle, below, between)
        search(step, middle, high, between, above)

    for step in steps:
        with contextlib.suppress(*FAILURES):
            search(step, low, high, step(low), step(high))
    return sorted(c for c in found if low < c < high)


def _root(height: Any, between: Any, excess: Any, low: Any, high: Any) -> Any:
    """Return x at which ``excess`` plus the integral of ``height`` from ``low`` to x is zero, by Newton steps and bisection."""
    at, width = low, high - low
    for _ in range(100):
        slope = height(at)
        new = at - excess / slope if slope else low
        if not low < new < high:
            new = (low + high) / 2
        moved, at, excess = abs(new - at), new, excess + between(at, new)
        low, high = (at, high) if excess < 0 else (low, at)
        if not excess or moved < mp.sqrt(mp.eps) * min(
            width, max(1, abs(at))
        ):  # Newton's error is squared in the last step
            return at - (excess / slope if (slope := height(at)) else 0)
    return at
