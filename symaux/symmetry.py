r"""Symmetries of a law: how its parameters must move so that moving or stretching the value leaves it the same.

Translation: $\partial_z\ell + \sum_i f_i\,\partial_{\theta_i}\ell = 0$. Scaling: $z\,\partial_z\ell + \sum_i f_i\,
\partial_{\theta_i}\ell + 1 = 0$. The $f_i$ are affine in the parameters and free of z; their coefficients are found by
linear algebra at random points of high precision and read as fractions. Bounds of the support must move along.

>>> from symaux.families import normal
>>> z, m = sp.symbols("z m", real=True)
>>> t = sp.Symbol("t", positive=True)
>>> precision = normal(z, m, 1/sp.sqrt(t))
>>> translation(precision), scaling(precision)
({m: 1}, {m: m, t: -2*t})
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.laws import Law
from symaux.linear import exact_solution
from symaux.numeric import real
from symaux.pieces import with_branches
from symaux.points import inside, points
from symaux.support import Interval

Fields = dict[sp.Symbol, sp.Expr]
DIGITS = 40


def translation(law: Law) -> Fields | None:
    """How the parameters move when the value is shifted by one."""
    law = _with_branches(law)
    slope = law.log_density.diff(law.value)
    parameters = list(law.parameters)
    constant = [(p, sp.S.One) for p in parameters]
    diagonal = [(p, p) for p in parameters]
    affine = [(p, q) for p in parameters for q in parameters if p != q]
    for ansatz in (constant, [*constant, *diagonal], [*constant, *diagonal, *affine]):
        found = _solved(law, ansatz, slope, lambda bound: sp.S.One)
        if found:
            return found
    return None


def scaling(law: Law) -> Fields | None:
    """How the parameters move when the value is stretched about zero."""
    law = _with_branches(law)
    parameters = list(law.parameters)
    constant = [(p, sp.S.One) for p in parameters if not p.is_positive]
    diagonal = [(p, p) for p in parameters]
    target = law.value * law.log_density.diff(law.value) + 1
    for ansatz in (diagonal, [*diagonal, *constant]):
        found = _solved(law, ansatz, target, lambda bound: bound)
        if found:
            return found
    return None


def _with_branches(law: Law) -> Law:
    """A sign as two branches: its derivative is zero in both."""
    return replace(law, log_density=with_branches(law.log_density, law.value))


def moved(fields: Fields, formula: sp.Expr) -> sp.Expr:
    """The derivative of a formula along the fields."""
    return sp.Add(*(field * formula.diff(parameter) for parameter, field in fields.items()))


def _solved(
    law: Law, ansatz: list[tuple[sp.Symbol, sp.Expr]], target: sp.Expr, shift: Callable[[sp.Expr], sp.Expr]
) -> Fields | None:
    """The coefficients of the ansatz for which the target and the bounds move as they must."""
    if not ansatz or not isinstance(law.support, Interval):
        return None
    equations = [([m * law.log_density.diff(p) for p, m in ansatz], -target)]
    for bound in (law.support.lower, law.support.upper):
        if bound.is_finite:
            equations.append(([m * bound.diff(p) for p, m in ansatz], shift(bound)))
    rows = list(_rows(law, equations, len(ansatz) + 6))
    with mp.workdps(DIGITS):
        solution = exact_solution(rows, len(ansatz)) if len(rows) > len(ansatz) else None
    if solution is None:
        return None
    fields: Fields = {}
    for (parameter, monomial), coefficient in zip(ansatz, solution, strict=True):
        if coefficient:
            term = sp.Rational(coefficient.numerator, coefficient.denominator) * monomial
            fields[parameter] = fields.get(parameter, sp.S.Zero) + term
    return fields or None


def _rows(law: Law, equations: list[tuple[list[sp.Expr], sp.Expr]], count: int) -> Iterator[list[Any]]:
    """Each equation at many points, as numbers: the coefficients, then the right-hand side."""
    with mp.workdps(DIGITS):
        for nth, point in enumerate(points(law.parameters, conditions=law.conditions, seed=11, count=count)):
            where = inside(law.support, point, sp.Rational(2 * (nth % 9) + 1, 18))
            if where is None:
                continue
            for left, right in equations:
                row = [real(formula, {**point, law.value: where}) for formula in (*left, right)]
                if None not in row:
                    yield row
