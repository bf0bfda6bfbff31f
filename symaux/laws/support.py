"""Read the support that a user states: a pair of bounds, a sympy set, or nothing."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.errors import LawError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import (
    REALS,
    CorrelationFactors,
    Integers,
    Interval,
    PositiveDefinite,
    Simplex,
    Support,
    Vectors,
    bounds,
)


def as_support(given: Any, value: Formula) -> Support:
    """Return a support from what a user writes: a pair, a sympy set, or nothing (read off the value's assumptions).

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
            support = Interval(as_formula(lower, infinite=True), as_formula(upper, infinite=True))
        case _:
            raise LawError(f"the support of {value} must be a pair (lower, upper) or a sympy set, not {given!r}")
    check_support(support, value)
    return support


def _consecutive(points: Any, value: Formula) -> Integers:
    numbers = sorted(int(p) for p in points)
    if numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise LawError(f"the support of {value} must be consecutive integers: {points}")
    return Integers(sp.Integer(numbers[0]), sp.Integer(numbers[-1]))


def check_support(support: Support, value: Formula) -> None:
    """Raise LawError if a support is empty, not real, or depends on its own variable."""
    for bound in bounds(support):
        if bound.has(value):
            raise LawError(f"the support {support} of {value} contains {value} itself; bounds may only hold parents")
        if bound.is_extended_real is False or bound is sp.nan:
            raise LawError(f"the support {support} of {value} has a bound that is not real: {bound}")
    if isinstance(support, Interval) and (support.upper - support.lower).is_extended_nonpositive:
        raise LawError(f"the support {support} of {value} is empty or reversed: its lower bound is not below its upper")
    if isinstance(support, Integers):
        _check_integer_bounds(support, value)


def _check_integer_bounds(support: Integers, value: Formula) -> None:
    for bound in bounds(support):
        if bound.is_integer is False and not bound.is_infinite:
            raise LawError(f"the support {support} of {value} has a bound that is not an integer: {bound}")
    if (support.upper - support.lower).is_extended_negative or support.lower == sp.oo or support.upper == -sp.oo:
        raise LawError(f"the support {support} of {value} is empty: its lower bound is above its upper")
