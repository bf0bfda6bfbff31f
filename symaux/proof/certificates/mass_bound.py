r"""Enclose the integral of a density over its support: Taylor expansions on cells, majorants in the tails.

>>> z = sp.Symbol("z", positive=True)
>>> from symaux.laws.families import gamma
>>> total = enclose_mass(gamma(z, sp.Rational(1, 2), 3))
>>> bool(total.contains(1)), bool(total.rad() < 1e-13)
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp
from flint import arb, ctx

from symaux.formulas.numeric.balls.cells import Cell, Part, end_balls, precision_for, rigorous_precision, split_interval
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided, constant_term, require_finite
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.proof.certificates.tail_bound import Tail

CLOSE, TINY = 1e-17, 1e-16  # radius of the integral over a cell; mass of a tail that ends the work
SHELLS, CELLS, DEPTH = 1000, 6000, 60  # most shells towards an end, cells in all, halvings of a cell


def enclose_mass(law: Law) -> arb:
    """Return a ball that holds the integral of the density over the support; raise Undecided if none was found."""
    with rigorous_precision():
        return require_finite(Integration(law).total())


def enclose_cdf(law: Law, z: float) -> arb:
    """Return a ball that holds the distribution function at a floating-point number.

    >>> from symaux.laws.families import logistic
    >>> enclose_cdf(logistic(sp.Symbol("z", real=True), 0, 1), 0.0).contains(arb(0.5))
    True
    """
    if not isinstance(law.support, Interval):
        raise Undecided("no distribution function")
    return enclose_mass(replace(law, support=Interval(law.support.lower, sp.Rational(*float(z).as_integer_ratio()))))


@dataclass
class Integration:
    """The integral of one density without parameters, with its cells counted."""

    law: Law
    constants: dict[int, dict[Any, Any]] = field(default_factory=dict)  # by precision
    cells: int = 0

    def total(self) -> arb:
        """Return a ball that holds the integral over the whole support."""
        support = self.law.support
        if not isinstance(support, Interval) or self.law.log_density.free_symbols - {self.law.value}:
            raise Undecided("no one integral for a law with parameters")
        found = split_interval(*end_balls(support))
        total = sum((self._part(part) for part in found), arb(0))
        if len(found) == 2 and found[0].sign != found[1].sign:
            total += self._gap(*found)
        return total

    def density(self, x: Any) -> Any:
        """Return the density at a ball or a series."""
        settled = self.constants.setdefault(ctx.prec, {})
        return BallEvaluator({self.law.value: x}, settled).of(self.log_density).exp()

    @cached_property
    def log_density(self) -> Formula:
        return as_stable_form(self.law.log_density)

    def _gap(self, left: Part, right: Part) -> arb:
        """Return the integral over what rounding leaves between two halves of a bounded interval."""
        low, high = left.origin + left.start, right.origin - right.start
        return self._between(low.union(high), high - low)

    def _between(self, where: arb, length: arb) -> arb:
        """Return the integral over a short ball, from the range of the density or only from above."""
        try:
            return self.density(where) * length
        except Undecided:
            return Z_TO_ONE * self._highest(where) * length

    def _highest(self, where: arb) -> arb:
        r"""Return an upper bound of $f_1^{c_1}\cdots$ on a ball, which may contain a zero of an f with c > 0."""
        total, reading = arb(0), BallEvaluator({self.law.value: where}, self.constants.setdefault(ctx.prec, {}))
        for term in sp.Add.make_args(self.log_density):
            factor, logarithm = term.as_coeff_Mul()
            if isinstance(logarithm, sp.log) and factor.is_positive:
                total += reading.of(factor) * require_finite(reading.of(logarithm.args[0])).upper().log()
            else:
                total += require_finite(reading.of(term))
        return require_finite(total).exp().upper()

    def _part(self, part: Part) -> arb:
        total = arb(0)
        tail = _tail(self.law, part) if part.end != "inner" else None
        for cell in part.shells(SHELLS):
            with precision_for(cell):
                total += self.over(cell)
                rest = None if tail is None else self._rest(tail, cell)
            if rest is not None and rest < TINY:
                return total + Z_TO_ONE * rest
        if tail is None:
            return total
        raise Undecided("no bound for a tail")

    def _rest(self, tail: Tail, cell: Cell) -> arb | None:
        """Return a bound of the mass beyond a cell: by the largest density there, or by a majorant."""
        try:
            if tail.end == "near":
                return self._between(cell.at(0.0).union(cell.at(cell.low)), arb(cell.low)).upper()
        except Undecided:
            pass
        y = cell.low if tail.end == "near" else cell.high
        height = constant_term(self.density(cell.at(y)))
        if not height * y < 1e-14:
            return None  # too early to look for a majorant
        try:
            return tail.mass(y, height)
        except Undecided:
            return None

    def over(self, cell: Cell, depth: int = 0) -> arb:
        """Return the integral over a cell, halved until it is known to 17 digits."""
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
        """Return the integral over a cell about a corner, so short that the range of the density is enough."""
        try:
            made = require_finite(self._between(cell.hull, arb(cell.high) - arb(cell.low)))
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
    return Tail(as_stable_form(law.log_density.xreplace({law.value: where})), y, part.end, given)
