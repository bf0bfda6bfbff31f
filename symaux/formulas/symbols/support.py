"""Where a variable can live: an interval, the whole numbers between two bounds, vectors, the simplex.

Bounds may be formulas in the parents, never in the variable itself.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx


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
    """Return the condition that the ends of an interval are in order, if parameters decide it.

    >>> a, b = sp.symbols("a b", real=True)
    >>> in_order(Interval(a, b)), in_order(Interval(sp.S.Zero, sp.oo))
    ((b > a,), ())
    """
    found = support.upper > support.lower if isinstance(support, Interval) else sp.true
    return (found,) if found not in (sp.true, sp.false) else ()


def bounds(support: Support) -> tuple[sp.Expr, ...]:
    """Return the formulas that a support holds."""
    return (support.lower, support.upper) if isinstance(support, Interval | Integers) else ()


def substituted(support: Support, mapping: dict[Any, Any]) -> Support:
    """Return the support with symbols replaced, exactly and all at once."""
    match support:
        case Interval() | Integers():
            return replace(support, lower=support.lower.xreplace(mapping), upper=support.upper.xreplace(mapping))
        case CorrelationFactors() | PositiveDefinite():
            return replace(support, row=support.row.xreplace(mapping), column=support.column.xreplace(mapping))
        case _:
            return replace(support, plate=support.plate.xreplace(mapping))


def stick_plate(plate: Idx) -> Idx:
    """Return the plate of the fractions that break a stick into as many parts as a plate has elements: one less.

    >>> from symaux.formulas.symbols.indices import extent, plate
    >>> stick_plate(plate("k", 3)), extent(stick_plate(plate("k", 3)))
    (k_sticks, 2)
    """
    return Idx(f"{plate.label}_sticks", int(plate.upper - plate.lower))


def pair_plate(row: Idx) -> Idx:
    """Return the plate of the elements below the diagonal of a matrix."""
    size = int(row.upper - row.lower + 1)
    return Idx(f"{row.label}_pairs", size * (size - 1) // 2)


def free_indices(support: Support, sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the elements of a vector or a matrix that determine the others; a density is one with respect to them.

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
