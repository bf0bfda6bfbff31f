r"""Formulas with corners, taken apart into intervals on which they have none.

>>> x = sp.Symbol("x", real=True)
>>> for where, (formula,) in pieces((sp.Abs(x - 1),), x, Interval(-sp.oo, sp.oo)):
...     print(where, formula)
(-oo, 1) 1 - x
(1, oo) x - 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.algebra.factor import factored
from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.support import Interval

Piece = tuple[Interval, tuple[sp.Expr, ...]]
CORNERS = (sp.Abs, sp.sign, sp.Max, sp.Min, sp.Heaviside)


class Unordered(Exception):
    """The corners cannot be found, or cannot be put in order."""


def pieces(formulas: tuple[sp.Expr, ...], variable: sp.Expr, support: Interval) -> list[Piece] | None:
    """Return the intervals between the corners of all formulas, and the formulas there; None if they cannot be told."""
    if not any(f.has(sp.Piecewise, *CORNERS) for f in formulas):
        return [(support, formulas)]
    try:
        return list(_between_corners(tuple(with_branches(f, variable) for f in formulas), variable, support))
    except Unordered:
        return None


def with_branches(formula: sp.Expr, variable: sp.Expr) -> sp.Expr:
    """Steps and extrema as piecewise formulas; those without the variable stay."""
    return formula.replace(
        lambda e: isinstance(e, sp.sign | sp.Max | sp.Min | sp.Heaviside) and e.has(variable),
        lambda e: e.rewrite(sp.Piecewise),
    )


def _between_corners(formulas: tuple[sp.Expr, ...], variable: sp.Expr, where: Interval) -> Iterator[Piece]:
    """Yield one switch after the other: what stands in a branch that does not hold here has no corners here."""
    switch = _switch(formulas, variable)
    if switch is None:
        yield where, formulas
        return
    found = _sign_change(switch, variable, where)
    if isinstance(found, int):
        yield from _between_corners(_settled(formulas, switch, found), variable, where)
        return
    corner, after = found
    for part, sign in ((Interval(where.lower, corner), -after), (Interval(corner, where.upper), after)):
        yield from _between_corners(_settled(formulas, switch, sign), variable, part)


def _switch(formulas: tuple[sp.Expr, ...], variable: sp.Expr) -> sp.Expr | None:
    """Return a formula whose sign decides: which branch holds, and where no branch is left, which way a modulus
    opens."""
    conditions = {c for f in formulas for each in f.atoms(sp.Piecewise) for c in each.args[0][1].atoms(Relational)}
    if conditions:
        return _difference(min(conditions, key=str))
    moduli = {e.args[0] for f in formulas for e in f.atoms(sp.Abs) if e.has(variable)}
    return min(moduli, key=str) if moduli else None


def _difference(condition: Any) -> sp.Expr:
    if condition.rel_op not in (">", "<", ">=", "<="):
        raise Unordered(condition)
    return condition.lhs - condition.rhs


def _sign_change(switch: sp.Expr, variable: sp.Expr, where: Interval) -> int | tuple[sp.Expr, int]:
    """Return a constant sign on the interval, or the point where it changes and the sign after it."""
    chain = Chain.of(switch, variable, where)
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
    settled = factored(end)
    return 0 if settled == 0 else sign_of(settled)


def _settled(formulas: tuple[sp.Expr, ...], switch: sp.Expr, sign: int) -> tuple[sp.Expr, ...]:
    """Return the formulas where the switch has a sign."""

    def truth(condition: Relational) -> Any:
        if condition.rel_op not in (">", "<", ">=", "<=") or _difference(condition) != switch:
            return condition
        return sp.true if (sign == 1) == (condition.rel_op in (">", ">=")) else sp.false

    known = {c: truth(c) for f in formulas for c in f.atoms(Relational)} | {sp.Abs(switch): sign * switch}
    return tuple(f.xreplace(known) for f in formulas)
