r"""The sign of what a parameter of a kernel stands for: by assumptions, and by what the law's conditions say.

>>> m = sp.Symbol("m", real=True)
>>> inherited_sign(1 / m, [m > 0]), inherited_sign(2 * m, [m < 0]), inherited_sign(m, [])
('positive', 'negative', None)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.symbols.atoms import atoms


def inherited_sign(formula: sp.Expr, conditions: Iterable[Any]) -> str | None:
    """Return the sign that a formula has by the assumptions on its symbols, or by conditions on them; None if it is
    not known."""
    for word in ("positive", "negative"):
        if getattr(formula, f"is_{word}"):
            return word
    for condition in conditions:
        if (
            isinstance(condition, Relational)
            and condition.rel_op in (">", "<")
            and (found := _told(formula, condition))
        ):
            return found
    signed = formula.xreplace(_signs(atoms(formula), conditions))
    words = ("positive", "negative", "nonnegative", "nonpositive")
    return next((word for word in words if getattr(signed, f"is_{word}")), None)


def _signs(symbols: set[sp.Expr], conditions: Iterable[Any]) -> dict[Any, Any]:
    r"""Real symbols that a condition bounds away from zero, as symbols with that sign: m > 0 says that 1/m is positive.

    >>> m = sp.Symbol("m", real=True)
    >>> (1 / m).xreplace(_signs({m}, [m > 2])).is_positive, _signs({m}, [m > -2])
    (True, {})
    """
    found: dict[Any, Any] = {}
    for condition in conditions:
        if not isinstance(condition, Relational) or condition.rel_op not in (">", "<"):
            continue
        above, below = condition.gts, condition.lts
        if above in symbols and above.is_real and below.is_number and below.is_nonnegative:
            found[above] = sp.Dummy(positive=True, integer=above.is_integer)
        elif below in symbols and below.is_real and above.is_number and above.is_nonpositive:
            found[below] = sp.Dummy(negative=True, integer=below.is_integer)
    return found


def _told(formula: sp.Expr, condition: Relational) -> str | None:
    """Return the sign that a strict condition gives: 2x > 0 and sqrt(x) > 0 both say that x is positive."""
    difference = condition.gts - condition.lts
    if difference.is_Pow and difference.base == formula and formula.is_nonnegative:
        return "positive"
    factor = sp.cancel(difference / formula) if atoms(difference) == atoms(formula) else sp.nan
    if not factor.is_number or factor.is_zero is not False:
        return None
    return "positive" if factor.is_positive else "negative"
