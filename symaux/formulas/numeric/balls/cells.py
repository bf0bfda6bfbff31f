r"""Bound and integrate functions on whole cells by Taylor's theorem: $f(m + t) = \sum_{k<n} c_k t^k + C_n t^n$ for $|t| \le h$.

The $c_k$ are thin balls about the middle; $C_n$ encloses $f^{(n)}/n!$ over the whole cell. Bounds and integrals of f on
the cell follow, with every rounding error counted. No complex numbers occur, so no branch cut can be crossed unnoticed.

>>> with rigorous_precision():
...     total = Cell(arb(0), 1, 1.0, 2.0).integral(lambda x: 1 / x)
>>> total.overlaps(arb(2).log()), bool(total.rad() < 1e-6)
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import arb, arb_series, ctx

from symaux.formulas.numeric.balls.evaluate import BallEvaluator, coefficients
from symaux.formulas.numeric.balls.signs import Undecided, abs_bound, require_finite
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval, Support, bounds

ORDER = 24  # of the Taylor expansions
BITS, STEP = 128, 64  # working precision, and the steps in which it grows near an end
MANY_BITS, MOST = 640, 1280  # precision near finite ends of a support, and of the ends themselves
Jet = Callable[[arb_series], Any]


@contextmanager
def rigorous_precision() -> Iterator[None]:
    """Set the precision and the order of series for the computations on cells."""
    before = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = BITS, ORDER + 2
    try:
        yield
    finally:
        ctx.prec, ctx.cap = before


@contextmanager
def precision_for(cell: Cell) -> Iterator[int]:
    """Set more bits the nearer a cell is to the end it is measured from: $a + y - a$ loses bits of a small $y$."""
    lost = max(0, -math.frexp(cell.low)[1]) if cell.low > 0 else 0
    with ctx.workprec(BITS + STEP * -(-lost // STEP)):
        yield ctx.prec


@contextmanager
def precision_near_ends(support: Support) -> Iterator[None]:
    """Set more bits where the distance of a value to an end of the support is a difference of nearly equal numbers."""
    finite_ends = isinstance(support, Interval) and any(bound.is_finite and bound != 0 for bound in bounds(support))
    with ctx.workprec(MANY_BITS if finite_ends else ctx.prec):
        yield


@dataclass(frozen=True)
class Cell:
    """The points origin + sign*y for y between two floating-point numbers."""

    origin: arb
    sign: int
    low: float
    high: float

    @property
    def middle(self) -> float:
        """Return the middle as a float."""
        return self.low + (self.high - self.low) / 2

    @property
    def reach(self) -> arb:
        """Return half the length, rounded up so that it covers both ends from the middle, which is a float."""
        middle = arb(self.middle)
        return (arb(self.high) - middle).max(middle - arb(self.low)).upper()

    def at(self, y: float) -> arb:
        """Return the point origin + sign*y."""
        return self.origin + self.sign * arb(y)

    @property
    def hull(self) -> arb:
        """Return the ball that holds the whole cell."""
        return self.at(self.low).union(self.at(self.high))

    def halves(self) -> tuple[Cell, Cell]:
        """Return the two halves; raise Undecided where no float lies between the ends."""
        middle = self.middle
        if not self.low < middle < self.high:
            raise Undecided("a cell that cannot be halved")
        return Cell(self.origin, self.sign, self.low, middle), Cell(self.origin, self.sign, middle, self.high)

    def thin(self) -> arb_series:
        """Return the series of the variable about the middle."""
        return arb_series([self.at(self.middle), arb(self.sign)], prec=ORDER + 2)

    def wide(self) -> arb_series:
        """Return the series of the variable about the ball of the whole cell."""
        return arb_series([self.hull, arb(self.sign)], prec=ORDER + 2)

    def bound(self, thin: Any, wide: Any) -> arb:
        """Return an upper bound of |f| on the cell, from its series about the middle and about the whole cell."""
        h = self.reach
        total = abs_bound(coefficients(wide, ORDER + 1)[ORDER]) * h**ORDER
        for k, c in enumerate(coefficients(thin, ORDER)):
            total += abs_bound(c) * h**k
        return require_finite(total).upper()

    def range(self, thin: Any, wide: Any) -> arb:
        """Return a ball that holds all values of f on the cell, from its two series."""
        first, *rest = coefficients(thin, ORDER)
        spread = abs_bound(coefficients(wide, ORDER + 1)[ORDER]) * self.reach**ORDER
        for k, c in enumerate(rest, 1):
            spread += abs_bound(c) * self.reach**k
        return require_finite(first + arb(0, 1) * spread)

    def area(self, thin: Any, wide: Any) -> arb:
        """Return the integral of f over the cell, from its two series."""
        low, high = arb(self.low) - arb(self.middle), arb(self.high) - arb(self.middle)
        total = arb(0)
        for k, c in enumerate(coefficients(thin, ORDER)):
            total += c * (high ** (k + 1) - low ** (k + 1)) / (k + 1)
        rest = abs_bound(coefficients(wide, ORDER + 1)[ORDER]) * self.reach**ORDER * (high - low)
        return require_finite(total + arb(0, 1) * rest)

    def integral(self, jet: Jet) -> arb:
        """Return the integral over the cell of a function of series."""
        return self.area(jet(self.thin()), jet(self.wide()))


@dataclass(frozen=True)
class Part:
    """A part of an interval: the points origin + sign*y, with y towards an end at 0 or at infinity, or with no end."""

    origin: arb
    sign: int
    start: float
    end: str  # "near": y falls to 0; "far": y grows; "inner": from start down to -start

    def shells(self, count: int) -> Iterator[Cell]:
        """Yield cells whose lengths double towards infinity, or halve towards a finite end."""
        if self.end == "inner":
            yield Cell(self.origin, self.sign, -self.start, 0.0)
            yield Cell(self.origin, self.sign, 0.0, self.start)
            return
        y = self.start
        for _ in range(count):
            low, high = (y / 2, y) if self.end == "near" else (y, 2 * y)
            yield Cell(self.origin, self.sign, low, high)
            y = low if self.end == "near" else high


def split_interval(lower: arb | None, upper: arb | None) -> list[Part]:
    """Split an interval into parts from left to right; None means infinity."""
    if lower is not None and upper is not None:
        half = float(((upper - lower) / 2).mid())
        rest = upper - lower - half
        first = Part(lower, 1, half, "near")
        # the gap that floating point leaves between the two halves belongs to neither, and counts as not covered
        second = Part(upper, -1, float(rest.lower().mid()) * (1 - 2.0**-50), "near")
        return [first, second]
    if lower is not None:
        return [Part(lower, 1, 1.0, "near"), Part(lower, 1, 1.0, "far")]
    if upper is not None:
        return [Part(upper, -1, 1.0, "far"), Part(upper, -1, 1.0, "near")]
    zero = arb(0)
    return [Part(zero, -1, 1.0, "far"), Part(zero, 1, 1.0, "inner"), Part(zero, 1, 1.0, "far")]


def end_balls(support: Interval) -> tuple[arb | None, arb | None]:
    """Return the ends of an interval without symbols as balls, None if infinite, with all bits that any cell may need."""
    with ctx.workprec(MOST):
        return _end(support.lower), _end(support.upper)


def _end(bound: Formula) -> arb | None:
    return None if bound in (sp.oo, -sp.oo) else require_finite(BallEvaluator({}).of(bound))


__all__ = [
    "BITS",
    "ORDER",
    "Cell",
    "Jet",
    "Part",
    "end_balls",
    "precision_for",
    "precision_near_ends",
    "rigorous_precision",
    "split_interval",
]
