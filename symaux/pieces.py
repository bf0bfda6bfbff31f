r"""Formulas with corners, taken apart into intervals on which they have none.

>>> x = sp.Symbol("x", real=True)
>>> for where, (formula,) in pieces((sp.Abs(x - 1),), x, Interval(-sp.oo, sp.oo)):
...     print(where, formula)
(-oo, 1) 1 - x
(1, oo) x - 1
"""

from __future__ import annotations

from functools import cmp_to_key
from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.layers import Chain
from symaux.signs import sign_of
from symaux.support import Interval

Piece = tuple[Interval, tuple[sp.Expr, ...]]
CORNERS = (sp.Abs, sp.sign, sp.Max, sp.Min, sp.Heaviside)


class Unordered(Exception):
    """The corners cannot be found, or cannot be put in order."""


def pieces(formulas: tuple[sp.Expr, ...], variable: sp.Expr, support: Interval) -> list[Piece] | None:
    """The intervals between the corners of all formulas, and the formulas there; None if they cannot be told."""
    if not any(f.has(sp.Piecewise, *CORNERS) for f in formulas):
        return [(support, formulas)]
    try:
        return _between_corners(tuple(_as_abs(f, variable) for f in formulas), variable, support)
    except Unordered:
        return None


def _as_abs(formula: sp.Expr, variable: sp.Expr) -> sp.Expr:
    """Steps and extrema as piecewise formulas; those without the variable stay."""
    return formula.replace(
        lambda e: isinstance(e, sp.sign | sp.Max | sp.Min | sp.Heaviside) and e.has(variable),
        lambda e: e.rewrite(sp.Piecewise),
    )


def _between_corners(formulas: tuple[sp.Expr, ...], variable: sp.Expr, support: Interval) -> list[Piece]:
    corners: list[sp.Expr] = []
    signs: dict[sp.Expr, int | tuple[sp.Expr, int]] = {}
    for switch in _switches(formulas, variable):
        signs[switch] = found = _sign_change(switch, variable, support)
        if isinstance(found, tuple) and not any(sp.simplify(found[0] - other) == 0 for other in corners):
            corners.append(found[0])
    ends = [support.lower, *sorted(corners, key=cmp_to_key(_compare)), support.upper]
    intervals = [Interval(lower, upper) for lower, upper in pairwise(ends)]
    return [(where, tuple(_without_corners(f, where, signs, variable) for f in formulas)) for where in intervals]


def _switches(formulas: tuple[sp.Expr, ...], variable: sp.Expr) -> list[sp.Expr]:
    """The formulas whose sign decides which branch holds."""
    found: set[sp.Expr] = set()
    for formula in formulas:
        found |= {e.args[0] for e in formula.atoms(sp.Abs) if e.has(variable)}
        for each in formula.atoms(sp.Piecewise):
            found |= {_difference(c) for _, c in each.args if c not in (sp.true, sp.false)}
    return sorted(found, key=str)


def _difference(condition: Any) -> sp.Expr:
    if not isinstance(condition, Relational) or condition.rel_op not in (">", "<", ">=", "<="):
        raise Unordered(condition)
    return condition.lhs - condition.rhs


def _sign_change(switch: sp.Expr, variable: sp.Expr, support: Interval) -> int | tuple[sp.Expr, int]:
    """A constant sign on the support, or the point where it changes and the sign after it."""
    chain = Chain.of(switch, variable, support)
    if chain is None:
        raise Unordered(switch)
    lower, upper = _end_sign(chain.image.lower), _end_sign(chain.image.upper)
    if lower is not None and lower >= 0:
        return 1
    if upper is not None and upper <= 0:
        return -1
    if lower == -1 and upper == 1:
        return sp.simplify(chain.inverse(sp.S.Zero)), chain.direction
    raise Unordered(switch)


def _end_sign(end: sp.Expr) -> int | None:
    if end in (sp.oo, -sp.oo):
        return 1 if end == sp.oo else -1
    settled = sp.factor(end)
    return 0 if settled == 0 else sign_of(settled)


def _compare(a: sp.Expr, b: sp.Expr) -> int:
    difference = sp.simplify(a - b)
    if difference.is_positive:
        return 1
    if difference.is_negative:
        return -1
    raise Unordered(difference)


def _without_corners(formula: sp.Expr, where: Interval, signs: dict[Any, Any], variable: sp.Expr) -> sp.Expr:
    def sign(switch: sp.Expr) -> int:
        found = signs[switch]
        if isinstance(found, int):
            return found
        point, after = found
        return after if _at_or_above(where.lower, point) else -after

    def branch(each: sp.Piecewise) -> sp.Expr:
        for value, condition in each.args:
            if condition == sp.true:
                return value
            positive = sign(_difference(condition)) == 1
            if positive == (condition.rel_op in (">", ">=")):
                return value
        return sp.nan

    formula = formula.replace(lambda e: isinstance(e, sp.Piecewise), branch)
    return formula.replace(lambda e: isinstance(e, sp.Abs) and e.has(variable), lambda e: sign(e.args[0]) * e.args[0])


def _at_or_above(lower: sp.Expr, point: sp.Expr) -> bool:
    """Whether an interval that starts at ``lower`` lies above the point; refuses to guess."""
    if lower == -sp.oo:
        return False
    return lower == point or sp.simplify(lower - point) == 0 or _compare(lower, point) == 1
