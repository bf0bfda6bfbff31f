r"""Functions on whole cells by Taylor's theorem: $f(m + t) = \sum_{k<n} c_k t^k + C_n t^n$ for $|t| \le h$.

The $c_k$ are balls about the middle, thin; $C_n$ encloses $f^{(n)}/n!$ over the whole cell. Bounds and integrals of f on
the cell follow, with every rounding counted and without any complex number: no branch can be crossed unseen.

>>> with rigorous():
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

from symaux.formulas.numeric.balls.evaluate import Reading, coefficients, exact
from symaux.formulas.numeric.balls.signs import Undecided, finite, largest
from symaux.formulas.symbols.support import Interval, Support, bounds

ORDER, BITS, STEP, MANY_BITS, MOST = 24, 128, 64, 640, 1280
Jet = Callable[[arb_series], Any]


@contextmanager
def rigorous() -> Iterator[None]:
    """The precision and the order of series that everything here is worked out with."""
    before = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = BITS, ORDER + 2
    try:
        yield
    finally:
        ctx.prec, ctx.cap = before


@contextmanager
def digits_for(cell: Cell) -> Iterator[int]:
    """More bits the nearer a cell is to the end it is measured from: $a + y - a$ has lost those of $y$ against $a$."""
    lost = max(0, -math.frexp(cell.low)[1]) if cell.low > 0 else 0
    with ctx.workprec(BITS + STEP * -(-lost // STEP)):
        yield ctx.prec


@contextmanager
def digits_near_the_ends(support: Support) -> Iterator[None]:
    """More bits where the distance of a value to an end of the support is a difference of numbers that are close."""
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
        return self.low + (self.high - self.low) / 2

    @property
    def reach(self) -> arb:
        """Half the length, rounded up so that the middle, a float, reaches both ends."""
        middle = arb(self.middle)
        return (arb(self.high) - middle).max(middle - arb(self.low)).upper()

    def at(self, y: float) -> arb:
        return self.origin + self.sign * arb(y)

    @property
    def hull(self) -> arb:
        return self.at(self.low).union(self.at(self.high))

    def halves(self) -> tuple[Cell, Cell]:
        """Return two cells; raises where floating-point numbers end."""
        middle = self.middle
        if not self.low < middle < self.high:
            raise Undecided("a cell that cannot be halved")
        return Cell(self.origin, self.sign, self.low, middle), Cell(self.origin, self.sign, middle, self.high)

    def thin(self) -> arb_series:
        return arb_series([self.at(self.middle), arb(self.sign)], prec=ORDER + 2)

    def wide(self) -> arb_series:
        return arb_series([self.hull, arb(self.sign)], prec=ORDER + 2)

    def bound(self, thin: Any, wide: Any) -> arb:
        """Return an upper bound of |f| on the cell, from its series about the middle and about the whole."""
        h = self.reach
        total = largest(coefficients(wide, ORDER + 1)[ORDER]) * h**ORDER
        for k, c in enumerate(coefficients(thin, ORDER)):
            total += largest(c) * h**k
        return finite(total).upper()

    def area(self, thin: Any, wide: Any) -> arb:
        """Return the integral of f over the cell, from its two series."""
        low, high = arb(self.low) - arb(self.middle), arb(self.high) - arb(self.middle)
        total = arb(0)
        for k, c in enumerate(coefficients(thin, ORDER)):
            total += c * (high ** (k + 1) - low ** (k + 1)) / (k + 1)
        rest = largest(coefficients(wide, ORDER + 1)[ORDER]) * self.reach**ORDER * (high - low)
        return finite(total + arb(0, 1) * rest)

    def integral(self, jet: Jet) -> arb:
        return self.area(jet(self.thin()), jet(self.wide()))


@dataclass(frozen=True)
class Part:
    """A stretch of an interval: cells y in [low, high], towards an end at y = 0 or at infinity, or with none."""

    origin: arb
    sign: int
    start: float
    end: str  # "near": y falls to 0; "far": y grows; "inner": from start down to -start

    def shells(self, count: int) -> Iterator[Cell]:
        """Cells that double or halve towards the end."""
        if self.end == "inner":
            yield Cell(self.origin, self.sign, -self.start, 0.0)
            yield Cell(self.origin, self.sign, 0.0, self.start)
            return
        y = self.start
        for _ in range(count):
            low, high = (y / 2, y) if self.end == "near" else (y, 2 * y)
            yield Cell(self.origin, self.sign, low, high)
            y = low if self.end == "near" else high


def parts(lower: arb | None, upper: arb | None) -> list[Part]:
    """Return an interval as parts from left to right; None stands for infinity."""
    if lower is not None and upper is not None:
        half = float(((upper - lower) / 2).mid())
        rest = upper - lower - half
        first = Part(lower, 1, half, "near")
        # what floating point leaves between the two halves is no part of either, and counts as not covered
        second = Part(upper, -1, float(rest.lower().mid()) * (1 - 2.0**-50), "near")
        return [first, second]
    if lower is not None:
        return [Part(lower, 1, 1.0, "near"), Part(lower, 1, 1.0, "far")]
    if upper is not None:
        return [Part(upper, -1, 1.0, "far"), Part(upper, -1, 1.0, "near")]
    zero = arb(0)
    return [Part(zero, -1, 1.0, "far"), Part(zero, 1, 1.0, "inner"), Part(zero, 1, 1.0, "far")]


def ends(support: Interval) -> tuple[arb | None, arb | None]:
    """Return the ends of an interval without symbols, as balls, with all digits that any cell may need."""
    with ctx.workprec(MOST):
        return _end(support.lower), _end(support.upper)


def _end(bound: sp.Expr) -> arb | None:
    return None if bound in (sp.oo, -sp.oo) else finite(Reading({}).of(bound))


__all__ = [
    "BITS",
    "ORDER",
    "Cell",
    "Jet",
    "Part",
    "digits_for",
    "digits_near_the_ends",
    "ends",
    "exact",
    "parts",
    "rigorous",
]
