r"""The slope of a log-density in a part of its formula, read from numbers.

$$\frac{d\log p_Y}{dy} = \frac{b_1 y + b_0}{a_2 y^2 + a_1 y + a_0}$$

For y = h(z) the slope is $(\ell'(z) - h''/h')/h'$. Whether it is one of Pearson's is a question of linear dependence at
points of high precision; that its coefficients are short formulas in the parameters, of linear algebra once more. What is
read is not proved here: it only says where a proof is worth looking for.

>>> z, a, b = sp.symbols("z a b", positive=True)
>>> weibull = Law(z, sp.log(a) + (a - 1)*sp.log(z) - b*z**a + sp.log(b), Interval(sp.S(0), sp.oo))
>>> seen = Slopes.of(weibull, weibull.support)
>>> seen.pearson(z), seen.pearson(z**a), seen.fraction(z**a, sp.Symbol("y", positive=True))
(False, True, -b)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.laws import Law
from symaux.linear import dependent, exact_solution
from symaux.numeric import real
from symaux.points import Point, inside, points
from symaux.support import Interval

SPOTS = [sp.Rational(n, 23) for n in (3, 5, 8, 11, 14, 16, 19, 21)]
DIGITS = 40
MOST = 45  # points of the parameters
FUNCTIONS = 3
LEFT, RIGHT = 3, 2  # the slope times y**2, y, 1; then y, 1
# Which of [y²s, ys, s] and [y, 1] are in the relation: simple ones first. The first of the left gets coefficient one.
LEFTS = ((2,), (1,), (1, 2), (0,), (0, 1), (0, 2), (0, 1, 2))
RELATIONS = [((2,), (4,)), ((2,), (3, 4))] + [(left, right) for left in LEFTS[1:] for right in ((4,), (3,), (3, 4))]
Relation = tuple[tuple[int, ...], tuple[int, ...]]
Seen = list[tuple[Any, Any]]


@dataclass(frozen=True)
class Slopes:
    """A law, the slope of its log-density, and points of its parameters with spots inside the interval."""

    law: Law
    slope: sp.Expr
    parameters: tuple[sp.Symbol, ...]
    at: tuple[tuple[Point, tuple[Any, ...]], ...]
    functions: tuple[sp.Expr, ...] = ()  # of the parameters alone, as they stand in the formula

    @staticmethod
    def of(law: Law, where: Interval) -> Slopes:
        formulas = (*law.formulas, where.lower, where.upper)
        parameters = sorted({s for f in formulas for s in f.free_symbols} - {law.value}, key=str)
        functions = _functions(law, formulas)
        size = len(parameters) + len(functions)
        count = min(2 * size**2 + 2 * size + 5, MOST)
        at = []
        for point in points(parameters, conditions=law.conditions, seed=7, count=count):
            spots = [inside(where, point, fraction) for fraction in SPOTS]
            at.append((point, tuple(spot for spot in spots if spot is not None)))
        return Slopes(law, law.log_density.diff(law.value), tuple(parameters), tuple(at), functions)

    def pearson(self, inner: sp.Expr) -> bool:
        """Whether the slope in y = h(z) was seen to be one of Pearson's, at a few points."""
        with mp.workdps(DIGITS):
            return bool(self.at) and all(dependent(_rows(seen)) for _, seen in self._seen(inner, 2))

    def fraction(self, inner: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
        """The slope as a fraction in y with coefficients that are short formulas in the parameters."""
        with mp.workdps(DIGITS):
            found = [(point, _rows(seen)) for point, seen in self._seen(inner, 2)]
            relation = next((r for r in RELATIONS if all(_related(rows, r) for _, rows in found)), None)
            if relation is None:
                return None
            seen = [(point, _rows(seen)) for point, seen in self._seen(inner)]
            left, right = relation
            orders = [((first, *(k for k in left if k != first)), right) for first in left]
            return next((made for order in orders if (made := self._fraction(seen, order, y)) is not None), None)

    def _fraction(self, seen: list[Any], relation: Relation, y: sp.Symbol) -> sp.Expr | None:
        """The fraction, with the coefficient of the first term of the relation one."""
        solved = [(point, numbers) for point, rows in seen if (numbers := _solved(rows, relation))]
        columns = zip(*(numbers for _, numbers in solved), strict=True)
        formulas = [self._formula([point for point, _ in solved], list(column)) for column in columns]
        if None in formulas:
            return None
        (first, *left), right = relation
        monomials = [y**2, y, sp.S.One, y, sp.S.One]
        below = monomials[first] + sum(f * monomials[k] for f, k in zip(formulas, left, strict=False))
        above = sum(f * monomials[k] for f, k in zip(formulas[len(left) :], right, strict=True))
        return sp.cancel(sp.together(above / below))

    def _formula(self, at: list[Point], numbers: list[Any]) -> sp.Expr | None:
        """A formula in the parameters with these values at these points."""
        for monomials in self._ansatz():
            if len(at) < len(monomials) + 2:
                continue
            rows = [[*(real(m, p) for m in monomials), n] for p, n in zip(at, numbers, strict=True)]
            solution = None if any(None in row for row in rows) else exact_solution(rows, len(monomials))
            if solution is not None:
                weights = [sp.Rational(c.numerator, c.denominator) for c in solution]
                return sp.Add(*(w * m for w, m in zip(weights, monomials, strict=True)))
        return None

    def _ansatz(self) -> Iterator[list[sp.Expr]]:
        one, ps = [sp.S.One], [*self.parameters, *self.functions]
        powers = [p**k for k in (-2, -1, 1, 2) for p in ps if k > 0 or p.is_nonzero]
        yield one
        yield [*one, *ps]
        yield [*one, *powers]
        pairs = list(itertools.combinations(ps, 2))
        yield [*one, *ps, *(p * p for p in ps), *(p * q for p, q in pairs)]
        ratios = [p / q for p, q in itertools.permutations(ps, 2) if q.is_nonzero]
        yield [*one, *ps, *(1 / p for p in ps if p.is_nonzero), *ratios]

    def _seen(self, inner: sp.Expr, count: int | None = None) -> Iterator[tuple[Point, Seen]]:
        z = self.law.value
        formulas = (inner, inner.diff(z), inner.diff(z, 2), self.slope)
        for point, spots in self.at[:count]:
            found = []
            for spot in spots:
                numbers = [real(formula, {**point, z: spot}) for formula in formulas]
                if None not in numbers and numbers[1] != 0:
                    y, first, second, slope = numbers
                    found.append((y, (slope - second / first) / first))
            yield point, found


def _functions(law: Law, formulas: tuple[sp.Expr, ...]) -> tuple[sp.Expr, ...]:
    """Functions of the parameters in the formula, the shortest few."""
    parts = {e for f in formulas for e in sp.preorder_traversal(f) if isinstance(e, sp.Function | sp.Pow)}
    free = [e for e in parts if e.free_symbols and not e.has(law.value) and not isinstance(e, sp.loggamma | sp.log)]
    return tuple(sorted(free, key=lambda e: (sp.count_ops(e), str(e)))[:FUNCTIONS])


def _rows(seen: Seen) -> list[list[Any]]:
    return [[y * y * s, y * s, s, y, mp.mpf(1)] for y, s in seen]


def _related(rows: list[list[Any]], relation: Relation) -> bool:
    return _solved(rows, relation) is not None


def _solved(rows: list[list[Any]], relation: Relation) -> list[Any] | None:
    """The coefficients of one relation, in the order of its terms after the first; None if it does not hold."""
    (first, *left), right = relation
    columns = [*left, *right]
    if len(rows) < len(columns) + 2:
        return None
    matrix = mp.matrix([[-row[k] if k < LEFT else row[k] for k in columns] for row in rows])
    target = mp.matrix([row[first] for row in rows])
    try:
        solution = mp.lu_solve(matrix, target)
    except ZeroDivisionError:
        return None
    size = mp.norm(target, mp.inf) + mp.norm(matrix * solution, mp.inf)
    small = mp.norm(matrix * solution - target, mp.inf) <= mp.mpf(10) ** (-DIGITS // 3) * (size or 1)
    return list(solution) if small else None


__all__ = ["Slopes"]
