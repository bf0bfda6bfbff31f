"""Define the supports of variables: an interval, the integers between two bounds, vectors, the simplex, and matrices.

Bounds may be formulas in the parents, but not in the variable itself.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any, cast

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.symbols.formula import Formula


@dataclass(frozen=True)
class Interval:
    """The open interval (lower, upper); end points carry no mass.

    >>> Interval(sp.S(0), sp.oo), Interval(-sp.oo, sp.oo).unbounded
    (Interval(lower=0, upper=oo), True)
    """

    lower: Formula
    upper: Formula
    discrete = False

    @property
    def unbounded(self) -> bool:
        """Return whether the interval is the whole real line."""
        return self.lower == -sp.oo and self.upper == sp.oo

    def __str__(self) -> str:
        return f"({self.lower}, {self.upper})"


@dataclass(frozen=True)
class Integers:
    """The integers from lower to upper, both included."""

    lower: Formula
    upper: Formula
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


def order_condition(support: Support) -> tuple[Any, ...]:
    """Return the condition lower < upper of an interval as a tuple, empty if it does not depend on parameters.

    >>> a, b = sp.symbols("a b", real=True)
    >>> order_condition(Interval(a, b)), order_condition(Interval(sp.S.Zero, sp.oo))
    ((b > a,), ())
    """
    condition = support.upper > support.lower if isinstance(support, Interval) else sp.true
    return (condition,) if condition not in (sp.true, sp.false) else ()


def bounds(support: Support) -> tuple[Formula, ...]:
    """Return the lower and the upper bound of a support of numbers; empty for vectors and matrices."""
    return (support.lower, support.upper) if isinstance(support, Interval | Integers) else ()


def substitute_in_support(support: Support, mapping: dict[Any, Any]) -> Support:
    """Return the support with symbols replaced, exactly and simultaneously."""
    match support:
        case Interval() | Integers():
            return replace(support, lower=support.lower.xreplace(mapping), upper=support.upper.xreplace(mapping))
        case CorrelationFactors() | PositiveDefinite():
            return replace(support, row=support.row.xreplace(mapping), column=support.column.xreplace(mapping))
        case _:
            return replace(support, plate=support.plate.xreplace(mapping))


def stick_plate(plate: Idx) -> Idx:
    """Return the plate of the stick-breaking fractions for a simplex along a plate, which has one element less.

    >>> from symaux.formulas.symbols.indices import extent, plate
    >>> stick_plate(plate("k", 3)), extent(stick_plate(plate("k", 3)))
    (k_sticks, 2)
    """
    size = int(plate.upper - plate.lower)  # pyright: ignore[reportOptionalOperand]  # a plate has a range
    return cast(Idx, Idx(f"{plate.label}_sticks", size))


def pair_plate(row: Idx) -> Idx:
    """Return the plate of the elements below the diagonal of a matrix."""
    size = int(row.upper - row.lower + 1)  # pyright: ignore[reportOptionalOperand]  # a plate has a range
    return cast(Idx, Idx(f"{row.label}_pairs", size * (size - 1) // 2))


def free_indices(support: Support, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the indices of the elements that determine the others; densities are with respect to these.

    >>> from symaux.formulas.symbols.indices import plate
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


def point_inside(where: Interval) -> Formula:
    """Return a point of the interval in a positive (or real) coordinate."""
    s = sp.Symbol("s_", positive=True)
    match where.lower == -sp.oo, where.upper == sp.oo:
        case True, True:
            return sp.Symbol("s_", real=True)
        case False, True:
            return where.lower + s
        case True, False:
            return where.upper - s
    return where.lower + (where.upper - where.lower) * s / (1 + s)
