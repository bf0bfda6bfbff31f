"""Read the premises of inference rules: statements of facts, equal constants, bounds that are defined and in order."""

from __future__ import annotations

from typing import Any, TypeVar

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.continuity import check_continuous
from symaux.trusted.checker.facts import Fact, Region, Unproved, check_symbols
from symaux.trusted.checker.limits import INFINITE
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs
from symaux.trusted.checker.spellings import resolved

Kind = TypeVar("Kind")


def statement_of(fact: Any, kind: type[Kind]) -> Kind:
    """Return the statement of a fact of a kind; raise Unproved for anything else."""
    if not isinstance(fact, Fact) or not isinstance(fact.statement, kind):
        raise Unproved(f"a premise must be a fact of the kind {kind.__name__}")
    return fact.statement


def is_same(left: Formula, right: Formula, signs: Signs) -> bool:
    """Return whether two formulas of the parameters, or infinities, are equal."""
    if left == right or left in INFINITE or right in INFINITE:
        return left == right
    return NormalForm(signs).is_zero(left - right)


def signs_on(region: Region, *formulas: Formula) -> Signs:
    """Return the signs on a region, after a check of all symbols in sight."""
    check_symbols((region.variable, region.lower, region.upper, *region.conditions, *formulas))
    return Signs(region)


def check_defined(region: Region, *constants: Formula) -> None:
    """Check that formulas of the parameters are real numbers or infinities wherever the conditions hold."""
    signs = Signs(region)
    for constant in constants:
        if constant not in INFINITE:
            check_continuous(signs, constant)


def check_order(signs: Signs, low: Formula, high: Formula) -> None:
    """Check that the ends of a piece of a region are in order; those of the region itself are, by hypothesis."""
    if low == sp.oo or high == -sp.oo:
        raise Unproved("the pieces are not in order")
    whole = (low, high) == (signs.region.lower, signs.region.upper)
    if not whole and low != -sp.oo and high != sp.oo and not signs.is_positive(high - low):
        raise Unproved(f"{low} is not known to be below {high}")


def check_equal(region: Region, left: Formula, right: Formula) -> None:
    """Check that two formulas are continuous on a region and equal by normal form."""
    signs = signs_on(region, left, right)
    left, right = resolved(signs, left), resolved(signs, right)
    check_continuous(signs, left)
    check_continuous(signs, right)
    if not NormalForm(signs).is_zero(left - right):
        raise Unproved(f"{left} and {right} have different normal forms")
