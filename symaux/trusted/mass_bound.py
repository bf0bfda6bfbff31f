r"""Enclose the integral of a density over its support: Taylor expansions on cells, majorants in the tails.

>>> z = sp.Symbol("z", positive=True)
>>> log_density = -3*z - sp.log(z)/2 + sp.log(3/sp.pi)/2  # gamma(1/2, 3)
>>> total = enclose_mass(Density(z, log_density, Interval(sp.S.Zero, sp.oo)))
>>> bool(total.contains(1)), bool(total.rad() < 1e-13)
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
from symaux.trusted.density import Density, HasDensity
from symaux.trusted.scales import about_peak
from symaux.trusted.tail_bound import Tail

SHELLS, DEPTH = 1000, 60  # most shells towards an end, halvings of a cell
EARLY = 100.0  # a majorant of a tail is looked for once the tail is about this many times what may be left of it


@dataclass(frozen=True)
class Accuracy:
    """How well an integral is enclosed, and how many cells that may take."""

    close: float  # the radius of the integral over a cell
    tiny: float  # the mass of a tail that ends the work
    cells: int


STRICT = Accuracy(1e-17, 1e-16, 6000)  # for certificates
LOOSE = Accuracy(1e-10, 2e-7, 3000)  # for the shadow of a proof


def enclose_mass(law: HasDensity, accuracy: Accuracy = STRICT, *, by_factors: bool = False) -> arb:
    """Return a ball that holds the integral of the density over the support; raise Undecided if none was found.

    ``by_factors`` integrates $f e^{\\cdots}$ instead of $e^{\\log f + \\cdots}$: an f that comes close to zero has balls of its
    own that are narrow, but those of its logarithm are not. Then nothing is said of the sign of f.
    """
    with rigorous_precision():
        return require_finite(Integration(about_peak(law), accuracy, by_factors).total())


def bound_tails(law: HasDensity, low: arb, high: arb) -> arb:
    """Return an upper bound of the mass outside of an interval inside of the support; raise Undecided if there is none."""
    with rigorous_precision():
        work = Integration(law, LOOSE)
        if not isinstance(law.support, Interval):
            raise Undecided("no interval")
        total = arb(0)
        for part in split_interval(*end_balls(law.support)):
            if part.end == "inner":
                continue
            edge = high if (part.end == "far") == (part.sign > 0) else low
            distance = part.sign * (edge - part.origin)
            y = float(distance.lower()) if part.end == "far" else float(distance.upper())
            if not y > 0:
                raise Undecided("an interval that does not reach into the tail")
            cell = (
                Cell(part.origin, part.sign, y, 2 * y) if part.end == "near" else Cell(part.origin, part.sign, y / 2, y)
            )
            with precision_for(cell):
                rest = work.rest(_tail(law, part), cell, early=True)
            if rest is None:
                raise Undecided("no bound for a tail")
            total += rest
        return require_finite(total).upper()


def bound_between(law: HasDensity, low: arb, high: arb) -> arb:
    """Return an upper bound of the mass between two points that are close to each other."""
    with rigorous_precision():
        reading = BallEvaluator({law.value: low.union(high)})
        return require_finite(density_upper(as_stable_form(law.log_density), reading) * (high - low)).upper()


def enclose_cdf(law: HasDensity, z: float) -> arb:
    """Return a ball that holds the distribution function at a floating-point number.

    >>> z = sp.Symbol("z", real=True)
    >>> enclose_cdf(Density(z, -z - 2*sp.log(1 + sp.exp(-z)), Interval(-sp.oo, sp.oo)), 0.0).contains(arb(0.5))
    True
    """
    if not isinstance(law.support, Interval):
        raise Undecided("no distribution function")
    below = Interval(law.support.lower, sp.Rational(*float(z).as_integer_ratio()))
    return enclose_mass(Density(law.value, law.log_density, below))


def density_from_log(log_density: Formula) -> Formula:
    """Return the density as a formula, with whole powers of factors instead of exponentials of logarithms.

    >>> z = sp.Symbol("z", real=True)
    >>> density_from_log(2*sp.log(z - 1) - z)
    (z - 1)**2*exp(-z)
    """
    factors, rest = [], []
    for term in sp.Add.make_args(log_density):
        power, logarithm = term.as_coeff_Mul()
        whole = isinstance(logarithm, sp.log) and power.is_Integer and power > 0
        (factors if whole else rest).append(logarithm.args[0] ** power if whole else term)
    return sp.Mul(*factors, sp.exp(sp.Add(*rest)))


def density_upper(log_density: Formula, reading: BallEvaluator) -> arb:
    r"""Return an upper bound of $f_1^{c_1}\cdots$ on a ball, which may contain a zero of an f with c > 0."""
    total = arb(0)
    for term in sp.Add.make_args(log_density):
        factor, logarithm = term.as_coeff_Mul()
        if isinstance(logarithm, sp.log) and factor.is_positive:
            total += reading.of(factor) * require_finite(reading.of(logarithm.args[0])).upper().log()
        else:
            total += require_finite(reading.of(term))
    return require_finite(total).exp().upper()


@dataclass
class Integration:
    """The integral of one density without parameters, with its cells counted."""

    law: HasDensity
    accuracy: Accuracy = STRICT
    by_factors: bool = False
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
        reading = BallEvaluator({self.law.value: x}, settled)
        if self.by_factors:
            return reading.of(self.factors)
        return reading.of(self.log_density).exp()

    @cached_property
    def factors(self) -> Formula:
        return density_from_log(self.log_density)

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
            reading = BallEvaluator({self.law.value: where}, self.constants.setdefault(ctx.prec, {}))
            return Z_TO_ONE * density_upper(self.log_density, reading) * length

    def _part(self, part: Part) -> arb:
        total = arb(0)
        tail = _tail(self.law, part) if part.end != "inner" else None
        failures, next_try = 0, 0  # a tail without a bound is tried less and less often: most of them never have one
        for number, cell in enumerate(part.shells(SHELLS)):
            rest = None
            with precision_for(cell):
                total += self.over(cell)
                if tail is not None and number >= next_try:
                    try:
                        rest = self.rest(tail, cell)
                    except Undecided:
                        failures += 1
                        next_try = number + failures
            if rest is not None and rest < self.accuracy.tiny:
                return total + Z_TO_ONE * rest
        if tail is None:
            return total
        raise Undecided("no bound for a tail")

    def rest(self, tail: Tail, cell: Cell, early: bool = False) -> arb | None:
        """Return a bound of the mass beyond a cell: by the largest density there, or by a majorant, however early.

        It is None if it is too early to look for a majorant, and Undecided is raised if there is none.
        """
        try:
            if tail.end == "near":
                return self._between(cell.at(0.0).union(cell.at(cell.low)), arb(cell.low)).upper()
        except Undecided:
            pass
        y = cell.low if tail.end == "near" else cell.high
        height = constant_term(self.density(cell.at(y)))
        if not early and not height * y < EARLY * self.accuracy.tiny:
            return None
        return tail.mass(y, height)

    def over(self, cell: Cell, depth: int = 0) -> arb:
        """Return the integral over a cell, halved until it is known to 17 digits."""
        self.cells += 1
        if self.cells > self.accuracy.cells:
            raise Undecided("too many cells")
        try:
            found = cell.integral(self.density)
            if found.rad() < self.accuracy.close:
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
        return made if made.rad() < self.accuracy.close else None


Z_TO_ONE = arb(0.5, 0.5)
MANY_DIGITS = 10**6


def _tail(law: HasDensity, part: Part) -> Tail:
    y = sp.Symbol("y_", positive=True)
    origin = sp.S.Zero
    if isinstance(law.support, Interval):
        origin = law.support.lower if part.sign > 0 else law.support.upper
    given: tuple[tuple[sp.Symbol, sp.Rational], ...] = ()
    if isinstance(origin, sp.Rational) and origin.is_finite and origin.q > MANY_DIGITS:
        given, origin = ((sp.Symbol("origin_", real=True), origin),), sp.Symbol("origin_", real=True)
    where = part.sign * y + (0 if origin.is_infinite else origin)
    return Tail(as_stable_form(law.log_density.xreplace({law.value: where})), y, part.end, given)
