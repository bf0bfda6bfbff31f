"""Split a log-density with branches of minus infinity into the formula where it is finite and its support.

>>> z, s = sp.Symbol("z", real=True), sp.Symbol("s", positive=True)
>>> finite_part(sp.Piecewise((-sp.oo, z < 0), (-z/s, True)) - sp.log(s), z, whole=False)
(-log(s) - z/s, Interval(lower=0, upper=oo))
>>> finite_part(sp.Piecewise((z*sp.log(s), sp.And(z >= 1, z <= 5)), (-sp.oo, True)), z, whole=True)
(z*log(s), Integers(lower=1, upper=5))
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.formulas.symbols.support import Integers, Interval


def finite_part(formula: Any, value: Any, whole: bool, ends: tuple[Any, Any] = (-sp.oo, sp.oo)) -> tuple[Any, Any]:
    """Return the formula inside of its support, and the support, integers or an interval; ``ends`` are known bounds."""
    conditions: list[Any] = []
    inside = _inside(_almost_everywhere(formula, value), conditions)
    if inside.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        raise Untranslatable("a log-density that is infinite in some branches has no translation")
    lower, upper = ends
    for condition in conditions:
        for part in condition.args if isinstance(condition, sp.And) else (condition,):
            low, high = _bound(part, value)
            lower, upper = (
                low if lower == -sp.oo else sp.Max(lower, low),
                high if upper == sp.oo else sp.Min(upper, high),
            )
    if whole and lower == -sp.oo:
        raise Untranslatable("integers without a smallest one have no translation")
    return inside, (Integers if whole else Interval)(lower, upper)


def _almost_everywhere(formula: Any, value: Any) -> Any:
    """Return a formula without branches for single values of a continuous parameter, which have probability zero."""

    def single(condition: Any) -> bool:
        return isinstance(condition, sp.Eq) and not condition.has(value) and condition.lhs.is_integer is not True

    def without_single_points(*branches: Any) -> Any:
        left = [(formula, condition) for formula, condition in branches if not single(condition)]
        return sp.Piecewise(*left)

    return formula.replace(sp.Piecewise, without_single_points)


def _inside(formula: Any, conditions: list[Any]) -> Any:
    if isinstance(formula, sp.Add):
        return sp.Add(*(_inside(term, conditions) for term in formula.args))
    if isinstance(formula, sp.Piecewise) and len(formula.args) == 2:
        branches: Any = formula.args
        (yes, condition), (no, _) = branches
        if no == -sp.oo:
            conditions.append(condition)
            return _inside(yes, conditions)
        if yes == -sp.oo:
            conditions.append(sp.to_nnf(sp.Not(condition)))
            return _inside(no, conditions)
    if isinstance(formula, sp.Piecewise) and len(formula.args) > 2:
        first, *rest = formula.args
        return _inside(sp.Piecewise(first, (sp.Piecewise(*rest), True), evaluate=False), conditions)
    return formula


def _bound(condition: Any, value: Any) -> tuple[Any, Any]:
    """Return the bounds that a comparison implies; one without the value is about parameters, and implies none."""
    if value not in condition.free_symbols and not condition.has(value):
        return -sp.oo, sp.oo
    if isinstance(condition, Relational):
        sign: str = getattr(condition, "rel_op", "")
        if condition.lhs == value and not condition.rhs.has(value):
            if sign in (">", ">="):
                return condition.rhs, sp.oo
            if sign in ("<", "<="):
                return -sp.oo, condition.rhs
        if condition.rhs == value:
            return _bound(condition.reversed, value)
    raise Untranslatable(f"a density that is zero unless {condition} has no translation")


__all__ = ["finite_part"]
