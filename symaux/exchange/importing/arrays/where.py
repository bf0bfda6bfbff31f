"""Translate choices between two formulas, ``where(condition, yes, no)``.

Branches that differ only in rounding, such as those of the normal distribution function, become one formula.

>>> x, y = sp.symbols("x y", real=True)
>>> choose(sp.Not(sp.Eq(x, 0)), 1, y)
Piecewise((1, Ne(x, 0)), (y, True))
>>> choose(x > 0, 2 - sp.erfc(x), sp.erfc(sp.Abs(x)))
2 - erfc(x)
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import as_lag

CONDITIONS = (Relational, sp.And, sp.Or)


def choose(condition: Any, yes: Any, no: Any) -> Any:
    """Return ``yes`` where the condition holds, else ``no``; a condition may be a number that is one or zero."""
    condition = as_condition(condition)
    if condition in (sp.true, sp.false):
        return yes if condition == sp.true else no
    if isinstance(condition, sp.Not):
        return choose(condition.args[0], no, yes)
    if not isinstance(condition, CONDITIONS):
        raise Untranslatable("a choice by something that is not a comparison has no translation")
    if isinstance(condition, sp.StrictLessThan) and condition.rhs == 0 and as_lag(condition.lhs):
        return no  # an index is never negative
    if yes == no or _one_formula(condition, yes, no):
        return yes
    return sp.Piecewise((yes, condition), (no, True))


def exponential(x: Any) -> Any:
    """Return the exponential of a formula, zero in branches that are minus infinity.

    >>> x, y = sp.symbols("x y", real=True)
    >>> exponential(y + sp.Piecewise((0, sp.Eq(x, 0)), (-sp.oo, True)))
    Piecewise((exp(y), Eq(x, 0)), (0, True))
    """
    for term in sp.Add.make_args(x) if x.has(-sp.oo) else ():
        branches: Any = term.args
        if isinstance(term, sp.Piecewise) and any(branch == -sp.oo for branch, _ in branches):
            rest = x - term
            return sp.Piecewise(
                *((sp.S.Zero if b == -sp.oo else exponential(rest + b), condition) for b, condition in branches)
            )
    return sp.exp(x)


def as_condition(given: Any) -> Any:
    """Return a condition; a number is one that holds unless it is zero.

    >>> as_condition(sp.S.One), as_condition(sp.Symbol("k", real=True))
    (True, Ne(k, 0))
    """
    return sp.Ne(given, 0) if isinstance(given, sp.Expr) else given


def _one_formula(condition: Any, yes: Any, no: Any) -> bool:
    """Return whether both branches are the same function, each in its own region and so everywhere."""
    if not (isinstance(yes, sp.Expr) and isinstance(no, sp.Expr) and yes.has(sp.erf, sp.erfc)):
        return False
    return sp.expand(_by_erf(_unfolded(yes, condition)) - _by_erf(_unfolded(no, sp.Not(condition)))) == 0


def _unfolded(formula: Formula, condition: Any) -> Formula:
    """Replace absolute values whose sign a condition determines."""
    signs = {}
    for part in formula.atoms(sp.Abs):
        inside = part.args[0]
        if condition in (inside > 0, inside >= 0):
            signs[part] = inside
        elif condition in (inside < 0, inside <= 0):
            signs[part] = -inside
    return formula.xreplace(signs)


def _by_erf(formula: Formula) -> Formula:
    return formula.replace(sp.erfc, lambda x: 1 - sp.erf(x))


__all__ = ["as_condition", "choose", "exponential"]
