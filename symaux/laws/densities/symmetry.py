r"""Find the symmetries of a law: changes of its parameters that compensate a shift or a scaling of the value.

Translation: $\partial_z\ell + \sum_i f_i\,\partial_{\theta_i}\ell = 0$. Scaling: $z\,\partial_z\ell + \sum_i f_i\,
\partial_{\theta_i}\ell + 1 = 0$. The $f_i$ are affine in the parameters and free of z; their coefficients are found by
linear algebra at random points of high precision and read as fractions. Bounds of the support must move along.

>>> from symaux.laws.families import normal
>>> z, m = sp.symbols("z m", real=True)
>>> t = sp.Symbol("t", positive=True)
>>> precision = normal(z, m, 1/sp.sqrt(t))
>>> translation_fields(precision), scaling_fields(precision)
({m: 1}, {m: m, t: -2*t})
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.linear import solve_exactly
from symaux.formulas.algebra.piecewise import with_piecewise
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point, inside, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law

Fields = dict[sp.Symbol, Formula]
Ansatz = list[tuple[sp.Symbol, Formula]]
DIGITS, MOST = 40, 60


def translation_fields(law: Law) -> Fields | None:
    """Return the rates at which the parameters move with a shift of the value; None if the law has no such symmetry."""
    numeric = _Derivatives.of(law)
    parameters = numeric.parameters
    constant = [(p, sp.S.One) for p in parameters]
    diagonal = [(p, p) for p in parameters]
    affine = [(p, q) for p in parameters for q in law.parameters if p != q]
    for ansatz in (constant, [*constant, *diagonal], [*constant, *diagonal, *affine]):
        found = numeric.solved(ansatz, lambda at: -at.derivative, lambda bound: sp.S.One)
        if found:
            return found
    return None


def scaling_fields(law: Law) -> Fields | None:
    """Return the rates at which the parameters move with a scaling of the value; None if the law has no such symmetry."""
    numeric = _Derivatives.of(law)
    constant = [(p, sp.S.One) for p in numeric.parameters if not p.is_positive]
    diagonal = [(p, p) for p in numeric.parameters]
    for ansatz in (diagonal, [*diagonal, *constant]):
        found = numeric.solved(ansatz, lambda at: -at.value * at.derivative - 1, lambda bound: bound)
        if found:
            return found
    return None


def derivative_along(fields: Fields, formula: Formula) -> Formula:
    """Return the derivative of a formula along the fields."""
    return sp.Add(*(field * formula.diff(parameter) for parameter, field in fields.items()))


@dataclass(frozen=True)
class _Point:
    """Parameters and a value as numbers, with the derivatives of the log-density there."""

    point: Point
    value: Any
    derivative: Any
    partials: dict[sp.Symbol, Any]


@dataclass(frozen=True)
class _Derivatives:
    """A law's derivatives at a few points, evaluated lazily and remembered."""

    law: Law
    parameters: list[sp.Symbol]
    source: Iterator[_Point]
    known: list[_Point] = field(default_factory=list)

    @staticmethod
    def of(law: Law) -> _Derivatives:
        """Return the derivatives of a law's log-density, a sign taken as two branches whose derivatives are zero.

        Parameters in which sympy cannot differentiate, as the order of a Bessel function, are left out.
        """
        formula = with_piecewise(law.log_density, law.value)
        partials = {p: formula.diff(p) for p in law.parameters}
        partials = {p: derivative for p, derivative in partials.items() if not derivative.has(sp.Derivative, sp.Subs)}
        return _Derivatives(law, list(partials), _evaluate(law, formula.diff(law.value), partials))

    def at(self, count: int) -> list[_Point]:
        """Return the values at the first points."""
        self.known.extend(itertools.islice(self.source, max(count - len(self.known), 0)))
        return self.known[:count]

    def solved(
        self, ansatz: Ansatz, target: Callable[[_Point], Any], shift: Callable[[Formula], Formula]
    ) -> Fields | None:
        """Return the coefficients of the ansatz for which the target and the bounds move as they must."""
        if not ansatz or not isinstance(self.law.support, Interval):
            return None
        bounds = [bound for bound in (self.law.support.lower, self.law.support.upper) if bound.is_finite]
        with mp.workdps(DIGITS):
            rows = []
            for at in self.at(len(ansatz) + 6):
                rows.append([*(_number(m, at) * at.partials[p] for p, m in ansatz), target(at)])
                rows += [[*(_number(m * b.diff(p), at) for p, m in ansatz), _number(shift(b), at)] for b in bounds]
            solution = solve_exactly(rows, len(ansatz)) if len(rows) > len(ansatz) else None
        return None if solution is None else _fields(ansatz, solution)


def _number(formula: Formula, at: _Point) -> Any:
    return mp.mpf(1) if formula == 1 else real(formula, at.point)


def _fields(ansatz: Ansatz, solution: list[Any]) -> Fields | None:
    fields: Fields = {}
    for (parameter, monomial), coefficient in zip(ansatz, solution, strict=True):
        if coefficient:
            term = sp.Rational(coefficient.numerator, coefficient.denominator) * monomial
            fields[parameter] = fields.get(parameter, sp.S.Zero) + term
    return fields or None


def _evaluate(law: Law, derivative: Formula, partials: dict[sp.Symbol, Formula]) -> Iterator[_Point]:
    for nth, point in enumerate(points(law.parameters, conditions=law.conditions, seed=11, count=MOST)):
        where = inside(law.support, point, sp.Rational(2 * (nth % 9) + 1, 18))
        if where is None:
            continue
        with mp.workdps(DIGITS):
            here = {**point, law.value: where}
            numbers = [real(formula, here) for formula in (law.value, derivative, *partials.values())]
        if None not in numbers:
            value, along, *across = numbers
            yield _Point(point, value, along, dict(zip(partials, across, strict=True)))
