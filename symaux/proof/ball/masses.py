r"""The integral of a density over its support, enclosed: Taylor expansions on cells, majorants in the tails.

>>> z = sp.Symbol("z", positive=True)
>>> from symaux.families import gamma
>>> total = enclosed_mass(gamma(z, sp.Rational(1, 2), 3))
>>> bool(total.contains(1)), bool(total.rad() < 1e-13)
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp
from flint import arb

from symaux.laws import Law
from symaux.proof.ball.balls import Undecided, at, finite
from symaux.proof.ball.cells import Cell, Part, ends, parts, rigorous
from symaux.proof.ball.reading import Reading
from symaux.proof.ball.stable import stable
from symaux.proof.ball.tails import Tail
from symaux.support import Interval

CLOSE, TINY, SHELLS, CELLS, DEPTH = 1e-17, 1e-16, 1000, 6000, 60


def enclosed_mass(law: Law) -> arb:
    """A ball that holds the integral of the density over the support; raises where none was found."""
    with rigorous():
        return finite(Integration(law).total())


def enclosed_level(law: Law, z: float) -> arb:
    """A ball that holds the distribution function at a floating-point number.

    >>> from symaux.families import logistic
    >>> enclosed_level(logistic(sp.Symbol("z", real=True), 0, 1), 0.0).contains(arb(0.5))
    True
    """
    if not isinstance(law.support, Interval):
        raise Undecided("no distribution function")
    return enclosed_mass(replace(law, support=Interval(law.support.lower, sp.Rational(*float(z).as_integer_ratio()))))


@dataclass
class Integration:
    """The integral of one density without parameters, with its work counted."""

    law: Law
    settled: dict[Any, Any] = field(default_factory=dict)
    cells: int = 0

    def total(self) -> arb:
        support = self.law.support
        if not isinstance(support, Interval) or self.law.log_density.free_symbols - {self.law.value}:
            raise Undecided("no one integral for a law with parameters")
        found = parts(*ends(support))
        total = sum((self._part(part) for part in found), arb(0))
        if len(found) == 2 and found[0].sign != found[1].sign:
            total += self._gap(*found)
        return total

    def density(self, x: Any) -> Any:
        return Reading({self.law.value: x}, self.settled).of(self.log_density).exp()

    @cached_property
    def log_density(self) -> sp.Expr:
        return stable(self.law.log_density)

    def _gap(self, left: Part, right: Part) -> arb:
        """What rounding leaves between two halves of a bounded interval."""
        low, high = left.origin + left.start, right.origin - right.start
        return self.density(low.union(high)) * (high - low)

    def _part(self, part: Part) -> arb:
        total = arb(0)
        tail = _tail(self.law, part) if part.end != "inner" else None
        for cell in part.shells(SHELLS):
            total += self.over(cell)
            rest = None if tail is None else self._rest(tail, cell)
            if rest is not None and rest < TINY:
                return total + Z_TO_ONE * rest
        if tail is None:
            return total
        raise Undecided("no bound for a tail")

    def _rest(self, tail: Tail, cell: Cell) -> arb | None:
        """A bound of what lies beyond a cell: by the largest density there, or by a majorant."""
        try:
            if tail.end == "near":
                return (self.density(cell.at(0.0).union(cell.at(cell.low))) * cell.low).upper()
        except Undecided:
            pass
        y = cell.low if tail.end == "near" else cell.high
        height = at(self.density(cell.at(y)))
        if not height * y < 1e-14:
            return None  # too early to look for a majorant
        try:
            return tail.mass(y, height)
        except Undecided:
            return None

    def over(self, cell: Cell, depth: int = 0) -> arb:
        """The integral over a cell, halved until it is known to 17 digits."""
        self.cells += 1
        if self.cells > CELLS:
            raise Undecided("too many cells")
        try:
            found = cell.integral(self.density)
            if found.rad() < CLOSE:
                return found
        except (Undecided, ValueError):
            found = None
        if found is None and depth > 20 and (rough := self._rough(cell)) is not None:
            return rough
        if depth >= DEPTH:
            raise Undecided("a cell that is not settled")
        return sum((self.over(half, depth + 1) for half in cell.halves()), arb(0))

    def _rough(self, cell: Cell) -> arb | None:
        """A cell about a corner: so short that its length times the range of the density is enough."""
        try:
            made = finite(self.density(cell.hull) * (arb(cell.high) - arb(cell.low)))
        except Undecided:
            return None
        return made if made.rad() < CLOSE else None


Z_TO_ONE = arb(0.5, 0.5)
MANY_DIGITS = 10**6


def _tail(law: Law, part: Part) -> Tail:
    y = sp.Symbol("y_", positive=True)
    origin = sp.S.Zero
    if isinstance(law.support, Interval):
        origin = law.support.lower if part.sign > 0 else law.support.upper
    given: tuple[tuple[sp.Symbol, sp.Rational], ...] = ()
    if isinstance(origin, sp.Rational) and origin.is_finite and origin.q > MANY_DIGITS:
        given, origin = ((sp.Symbol("origin_", real=True), origin),), sp.Symbol("origin_", real=True)
    where = part.sign * y + (0 if origin.is_infinite else origin)
    return Tail(stable(law.log_density.xreplace({law.value: where})), y, part.end, given)
