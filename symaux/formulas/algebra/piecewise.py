r"""Split formulas with corners into intervals on which they have none.

>>> x = sp.Symbol("x", real=True)
>>> for where, (formula,) in split_at_corners((sp.Abs(x - 1),), x, Interval(-sp.oo, sp.oo)):
...     print(where, formula)
(-oo, 1) 1 - x
(1, oo) x - 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

Piece = tuple[Interval, tuple[Formula, ...]]
CORNERS = (sp.Abs, sp.sign, sp.Max, sp.Min, sp.Heaviside)


class Unordered(Exception):
    """The corners cannot be found, or their order is unknown."""


def split_at_corners(formulas: tuple[Formula, ...], variable: Formula, support: Interval) -> list[Piece] | None:
    """Return the intervals between the corners of all formulas, and the formulas there; None if these are not known."""
    if not any(f.has(sp.Piecewise, *CORNERS) for f in formulas):
        return [(support, formulas)]
    try:
        return list(_between_corners(tuple(with_piecewise(f, variable) for f in formulas), variable, support))
    except Unordered:
        return None


def with_piecewise(formula: Formula, variable: Formula) -> Formula:
    """Rewrite sign, Heaviside, Max and Min as Piecewise, where they contain the variable."""
    return formula.replace(
        lambda e: isinstance(e, sp.sign | sp.Max | sp.Min | sp.Heaviside) and e.has(variable),
        lambda e: e.rewrite(sp.Piecewise),
    )


def _between_corners(formulas: tuple[Formula, ...], variable: Formula, where: Interval) -> Iterator[Piece]:
    """Yield the pieces by deciding one switch at a time: a branch that does not hold on a piece adds no corners to it."""
    switch = _switch(formulas, variable)
    if switch is None:
        yield where, formulas
        return
    change = _sign_change(switch, variable, where)
    if isinstance(change, int):
        yield from _between_corners(_with_sign(formulas, switch, change), variable, where)
        return
    corner, after = change
    for part, sign in ((Interval(where.lower, corner), -after), (Interval(corner, where.upper), after)):
        yield from _between_corners(_with_sign(formulas, switch, sign), variable, part)


def _switch(formulas: tuple[Formula, ...], variable: Formula) -> Formula | None:
    """Return a formula whose sign selects a branch of a Piecewise or, if there are none left, of an absolute value."""
    conditions = {c for f in formulas for each in f.atoms(sp.Piecewise) for c in each.args[0][1].atoms(Relational)}
    if conditions:
        return _difference(min(conditions, key=str))
    moduli = {e.args[0] for f in formulas for e in f.atoms(sp.Abs) if e.has(variable)}
    return min(moduli, key=str) if moduli else None


def _difference(condition: Any) -> Formula:
    if condition.rel_op not in (">", "<", ">=", "<="):
        raise Unordered(condition)
    return condition.lhs - condition.rhs


def _sign_change(switch: Formula, variable: Formula, where: Interval) -> int | tuple[Formula, int]:
    """Return a constant sign on the interval, or the point where it changes and the sign after it."""
    chain = MonotoneChain.of(switch, variable, where)
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


def _end_sign(end: Formula) -> int | None:
    if end in (sp.oo, -sp.oo):
        return 1 if end == sp.oo else -1
    factored = factor_formula(end)
    return 0 if factored == 0 else sign_of(factored)


def _with_sign(formulas: tuple[Formula, ...], switch: Formula, sign: int) -> tuple[Formula, ...]:
    """Return the formulas simplified for the given sign of the switch."""

    def truth(condition: Formula) -> Any:
        if condition.rel_op not in (">", "<", ">=", "<=") or _difference(condition) != switch:
            return condition
        return sp.true if (sign == 1) == (condition.rel_op in (">", ">=")) else sp.false

    known = {c: truth(c) for f in formulas for c in f.atoms(Relational)} | {sp.Abs(switch): sign * switch}
    return tuple(f.xreplace(known) for f in formulas)
