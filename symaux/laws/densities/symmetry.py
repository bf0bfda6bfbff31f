r"""Symmetries of a law: how its parameters must move so that moving or stretching the value leaves it the same.

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

from symaux.formulas.algebra.linear import exact_solution
from symaux.formulas.algebra.piecewise import with_branches
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point, inside, points
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law

Fields = dict[sp.Symbol, sp.Expr]
Ansatz = list[tuple[sp.Symbol, sp.Expr]]
DIGITS, MOST = 40, 60


def translation_fields(law: Law) -> Fields | None:
    """How the parameters move when the value is shifted by one."""
    seen = _Seen.of(law)
    parameters = seen.parameters
    constant = [(p, sp.S.One) for p in parameters]
    diagonal = [(p, p) for p in parameters]
    affine = [(p, q) for p in parameters for q in law.parameters if p != q]
    for ansatz in (constant, [*constant, *diagonal], [*constant, *diagonal, *affine]):
        found = seen.solved(ansatz, lambda at: -at.slope, lambda bound: sp.S.One)
        if found:
            return found
    return None


def scaling_fields(law: Law) -> Fields | None:
    """How the parameters move when the value is stretched about zero."""
    seen = _Seen.of(law)
    constant = [(p, sp.S.One) for p in seen.parameters if not p.is_positive]
    diagonal = [(p, p) for p in seen.parameters]
    for ansatz in (diagonal, [*diagonal, *constant]):
        found = seen.solved(ansatz, lambda at: -at.value * at.slope - 1, lambda bound: bound)
        if found:
            return found
    return None


def derivative_along(fields: Fields, formula: sp.Expr) -> sp.Expr:
    """Return the derivative of a formula along the fields."""
    return sp.Add(*(field * formula.diff(parameter) for parameter, field in fields.items()))


@dataclass(frozen=True)
class _At:
    """Parameters and a value as numbers, with the slopes of the log-density there."""

    point: Point
    value: Any
    slope: Any
    slopes: dict[sp.Symbol, Any]


@dataclass(frozen=True)
class _Seen:
    """A law's slopes at a few points, worked out as far as they are asked for."""

    law: Law
    parameters: list[sp.Symbol]
    source: Iterator[_At]
    known: list[_At] = field(default_factory=list)

    @staticmethod
    def of(law: Law) -> _Seen:
        """Return a sign is two branches: its derivative is zero in both. The order of a Bessel function has no
        derivative."""
        formula = with_branches(law.log_density, law.value)
        slopes = {p: formula.diff(p) for p in law.parameters}
        slopes = {p: slope for p, slope in slopes.items() if not slope.has(sp.Derivative, sp.Subs)}
        return _Seen(law, list(slopes), _seen(law, formula.diff(law.value), slopes))

    def at(self, count: int) -> list[_At]:
        """Return the first points."""
        self.known.extend(itertools.islice(self.source, max(count - len(self.known), 0)))
        return self.known[:count]

    def solved(
        self, ansatz: Ansatz, target: Callable[[_At], Any], shift: Callable[[sp.Expr], sp.Expr]
    ) -> Fields | None:
        """Return the coefficients of the ansatz for which the target and the bounds move as they must."""
        if not ansatz or not isinstance(self.law.support, Interval):
            return None
        bounds = [bound for bound in (self.law.support.lower, self.law.support.upper) if bound.is_finite]
        with mp.workdps(DIGITS):
            rows = []
            for at in self.at(len(ansatz) + 6):
                rows.append([*(_number(m, at) * at.slopes[p] for p, m in ansatz), target(at)])
                rows += [[*(_number(m * b.diff(p), at) for p, m in ansatz), _number(shift(b), at)] for b in bounds]
            solution = exact_solution(rows, len(ansatz)) if len(rows) > len(ansatz) else None
        return None if solution is None else _fields(ansatz, solution)


def _number(formula: sp.Expr, at: _At) -> Any:
    return mp.mpf(1) if formula == 1 else real(formula, at.point)


def _fields(ansatz: Ansatz, solution: list[Any]) -> Fields | None:
    fields: Fields = {}
    for (parameter, monomial), coefficient in zip(ansatz, solution, strict=True):
        if coefficient:
            term = sp.Rational(coefficient.numerator, coefficient.denominator) * monomial
            fields[parameter] = fields.get(parameter, sp.S.Zero) + term
    return fields or None


def _seen(law: Law, slope: sp.Expr, slopes: dict[sp.Symbol, sp.Expr]) -> Iterator[_At]:
    for nth, point in enumerate(points(law.parameters, conditions=law.conditions, seed=11, count=MOST)):
        where = inside(law.support, point, sp.Rational(2 * (nth % 9) + 1, 18))
        if where is None:
            continue
        with mp.workdps(DIGITS):
            here = {**point, law.value: where}
            numbers = [real(formula, here) for formula in (law.value, slope, *slopes.values())]
        if None not in numbers:
            value, along, *across = numbers
            yield _At(point, value, along, dict(zip(slopes, across, strict=True)))
