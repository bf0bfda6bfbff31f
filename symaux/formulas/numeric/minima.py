r"""Search for points where a formula is negative, near the minima that a grid brackets.

A density $(e^{-z} - \tfrac12)^2 - 10^{-10}$ is positive at any thirty points chosen in advance. The search only finds
witnesses; it proves nothing.

>>> x = sp.Symbol("x", positive=True)
>>> [place] = negative_points(sp.log((x - sp.pi)**2 - sp.Rational(1, 10**10)), x, Interval(sp.S.Zero, sp.oo), {})
>>> abs(place - mp.pi) < 1e-5
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point, inside
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import known_sign
from symaux.formulas.symbols.support import Interval

FRACTIONS = [sp.Rational(2 * n + 1, 96) for n in range(48)]
STEPS, MINIMA, DIGITS = 60, 3, 25  # of one golden section search; searches per formula; working precision
GOLDEN = (mp.sqrt(5) - 1) / 2


def negative_points(formula: Formula, variable: Any, support: Any, point: Point) -> Iterator[Any]:
    """Yield points at which a part of a density, or of its logarithm, that must be positive is negative."""
    if not isinstance(support, Interval):
        return
    for part in sorted(_must_be_positive(formula, variable), key=str):
        with mp.workdps(DIGITS):
            place = _lowest(part, variable, support, point)
        if place is not None:
            yield place


def _must_be_positive(formula: Formula, variable: Any) -> set[Formula]:
    """Return the sums with the variable and of unknown sign that are factors of the formula or arguments of logarithms."""
    factors = {f for f in sp.Mul.make_args(formula) if f.is_Add}
    arguments = {part for e in formula.atoms(sp.log) for part in sp.Mul.make_args(e.args[0])}
    return {e for e in factors | arguments if e.is_Add and e.has(variable) and known_sign(e) is None}


def _lowest(formula: Formula, variable: Any, support: Interval, point: Point) -> Any:
    """Return a point where the formula is negative, on the grid or near a minimum that the grid brackets; else None."""

    def height(x: Any) -> Any:
        found = real(formula, {**point, variable: x})
        return mp.inf if found is None else found

    grid = [mp.mpmathify(sp.N(x, DIGITS)) for f in FRACTIONS if (x := inside(support, point, f)) is not None]
    heights = [height(x) for x in grid]
    if any(h < 0 for h in heights):
        return grid[heights.index(min(heights))]
    lows = [n for n in range(1, len(grid) - 1) if heights[n] <= min(heights[n - 1], heights[n + 1]) < mp.inf]
    for n in sorted(lows, key=lambda n: heights[n])[:MINIMA]:
        place = _minimum(height, grid[n - 1], grid[n + 1])
        if height(place) < 0:
            return place
    return None


def _minimum(height: Any, low: Any, high: Any) -> Any:
    """Return a minimum by golden section search, or the first point below zero on the way."""
    for _ in range(STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        below = next((x for x in (left, right) if height(x) < 0), None)
        if below is not None:
            return below
        low, high = (low, right) if height(left) < height(right) else (left, high)
    return (low + high) / 2
