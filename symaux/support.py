"""Where a variable can live: an interval, the whole numbers between two bounds, vectors, the simplex.

Bounds may be formulas in the parents, never in the variable itself.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.errors import LawError
from symaux.expression import expression


@dataclass(frozen=True)
class Interval:
    """The open interval (lower, upper); end points carry no mass.

    >>> Interval(sp.S(0), sp.oo), Interval(-sp.oo, sp.oo).unbounded
    (Interval(lower=0, upper=oo), True)
    """

    lower: sp.Expr
    upper: sp.Expr
    discrete = False

    @property
    def unbounded(self) -> bool:
        return self.lower == -sp.oo and self.upper == sp.oo

    def __str__(self) -> str:
        return f"({self.lower}, {self.upper})"


@dataclass(frozen=True)
class Integers:
    """The whole numbers from lower to upper, both included."""

    lower: sp.Expr
    upper: sp.Expr
    discrete = True

    def __str__(self) -> str:
        return f"{{{self.lower}, ..., {self.upper}}}"


@dataclass(frozen=True)
class Vectors:
    """All real vectors along the event plate."""

    plate: Idx
    discrete = False

    def __str__(self) -> str:
        return f"R^{self.plate}"


@dataclass(frozen=True)
class Simplex:
    """Positive vectors along the event plate that add up to one."""

    plate: Idx
    discrete = False

    def __str__(self) -> str:
        return f"the simplex over {self.plate}"


@dataclass(frozen=True)
class CorrelationFactors:
    """Lower triangular matrices with a positive diagonal and rows of length one: Cholesky factors of correlations."""

    row: Idx
    column: Idx
    discrete = False

    def __str__(self) -> str:
        return f"the Cholesky factors of correlation matrices over {self.row}"


@dataclass(frozen=True)
class PositiveDefinite:
    """Symmetric positive definite matrices."""

    row: Idx
    column: Idx
    discrete = False

    def __str__(self) -> str:
        return f"the positive definite matrices over {self.row}"


Support = Interval | Integers | Vectors | Simplex | CorrelationFactors | PositiveDefinite
REALS = Interval(-sp.oo, sp.oo)


def in_order(support: Support) -> tuple[Any, ...]:
    """The condition that the ends of an interval are in order, if parameters decide it.

    >>> a, b = sp.symbols("a b", real=True)
    >>> in_order(Interval(a, b)), in_order(Interval(sp.S.Zero, sp.oo))
    ((b > a,), ())
    """
    found = support.upper > support.lower if isinstance(support, Interval) else sp.true
    return (found,) if found not in (sp.true, sp.false) else ()


def bounds(support: Support) -> tuple[sp.Expr, ...]:
    """The formulas that a support holds."""
    return (support.lower, support.upper) if isinstance(support, Interval | Integers) else ()


def substituted(support: Support, mapping: dict[Any, Any]) -> Support:
    """The support with symbols replaced, exactly and all at once."""
    match support:
        case Interval() | Integers():
            return replace(support, lower=support.lower.xreplace(mapping), upper=support.upper.xreplace(mapping))
        case CorrelationFactors() | PositiveDefinite():
            return replace(support, row=support.row.xreplace(mapping), column=support.column.xreplace(mapping))
        case _:
            return replace(support, plate=support.plate.xreplace(mapping))


def sticks(plate: Idx) -> Idx:
    """The plate of the fractions that break a stick into as many parts as a plate has elements: one less.

    >>> from symaux.indices import extent, plate
    >>> sticks(plate("k", 3)), extent(sticks(plate("k", 3)))
    (k_sticks, 2)
    """
    return Idx(f"{plate.label}_sticks", int(plate.upper - plate.lower))


def pairs(row: Idx) -> Idx:
    """The plate of the elements below the diagonal of a matrix."""
    size = int(row.upper - row.lower + 1)
    return Idx(f"{row.label}_pairs", size * (size - 1) // 2)


def free_indices(support: Support, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The elements of a vector or a matrix that determine the others; a density is one with respect to them.

    >>> from symaux.indices import plate
    >>> free_indices(Simplex(plate("k", 3)), (3,))
    [(0,), (1,)]
    """
    every = list(itertools.product(*map(range, sizes)))
    match support:
        case Simplex():
            return every[:-1]
        case CorrelationFactors():
            return [(i, j) for i, j in every if j < i]
        case PositiveDefinite():
            return [(i, j) for i, j in every if j <= i]
    return every


def as_support(given: Any, value: sp.Expr) -> Support:
    """A support from what a user writes: a pair, a sympy set, or nothing (read off the value's assumptions).

    >>> as_support(None, sp.Symbol("z", positive=True))
    Interval(lower=0, upper=oo)
    """
    match given:
        case None if value.is_positive or value.is_nonnegative:
            return Interval(sp.S.Zero, sp.oo)
        case None if value.is_negative or value.is_nonpositive:
            return Interval(-sp.oo, sp.S.Zero)
        case None:
            return REALS
        case Interval() | Integers() | Vectors() | Simplex() | CorrelationFactors() | PositiveDefinite():
            support: Support = given
        case sp.Interval():
            support = Interval(given.start, given.end)
        case sp.Range():
            if given.step != 1:
                raise LawError(f"the support of {value} must have step 1: {given}")
            support = Integers(given.inf, given.sup)
        case sp.FiniteSet() if all(point.is_Integer for point in given):
            support = _consecutive(given, value)
        case _ if given == sp.S.Reals:
            support = REALS
        case _ if given == sp.S.Naturals0:
            support = Integers(sp.S.Zero, sp.oo)
        case _ if given == sp.S.Naturals:
            support = Integers(sp.S.One, sp.oo)
        case _ if given == sp.S.Integers:
            support = Integers(-sp.oo, sp.oo)
        case (lower, upper):
            support = Interval(expression(lower, infinite=True), expression(upper, infinite=True))
        case _:
            raise LawError(f"the support of {value} must be a pair (lower, upper) or a sympy set, not {given!r}")
    check(support, value)
    return support


def _consecutive(points: sp.FiniteSet, value: sp.Expr) -> Integers:
    numbers = sorted(int(p) for p in points)
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise LawError(f"the support of {value} must be consecutive whole numbers: {points}")
    return Integers(sp.Integer(numbers[0]), sp.Integer(numbers[-1]))


def check(support: Support, value: sp.Expr) -> None:
    """Refuses a support that is empty, not real, or depends on the variable that it is for."""
    for bound in bounds(support):
        if bound.has(value):
            raise LawError(f"the support {support} of {value} contains {value} itself; bounds may only hold parents")
        if bound.is_extended_real is False or bound is sp.nan:
            raise LawError(f"the support {support} of {value} has a bound that is not real: {bound}")
    if isinstance(support, Interval) and (support.upper - support.lower).is_extended_nonpositive:
        raise LawError(f"the support {support} of {value} is empty or reversed: its lower bound is not below its upper")
    if isinstance(support, Integers):
        _check_whole(support, value)


def _check_whole(support: Integers, value: sp.Expr) -> None:
    for bound in bounds(support):
        if bound.is_integer is False and not bound.is_infinite:
            raise LawError(f"the support {support} of {value} has a bound that is no whole number: {bound}")
    if (support.upper - support.lower).is_extended_negative or support.lower == sp.oo or support.upper == -sp.oo:
        raise LawError(f"the support {support} of {value} is empty: its lower bound is above its upper")
