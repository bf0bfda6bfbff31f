r"""Find the sign of the formula behind a kernel's parameter, by assumptions and by the conditions of the law.

>>> m = sp.Symbol("m", real=True)
>>> inherited_sign(1 / m, [m > 0]), inherited_sign(2 * m, [m < 0]), inherited_sign(m, [])
('positive', 'negative', None)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from symaux.formulas.symbols.assumptions import sign_word
from symaux.formulas.symbols.atoms import atoms
from symaux.formulas.symbols.formula import Formula

STRICT = (sp.StrictGreaterThan, sp.StrictLessThan)
INEQUALITIES = (*STRICT, sp.GreaterThan, sp.LessThan)


def sides(inequality: Any) -> tuple[Formula, Formula]:
    """Return the larger and the smaller side of an inequality.

    >>> sides(sp.Symbol("a") < 2)
    (2, a)
    """
    return inequality.gts, inequality.lts


def inherited_sign(formula: Formula, conditions: Iterable[Any]) -> str | None:
    """Return the sign of a formula by the assumptions on its symbols or by conditions on them; None if it is unknown."""
    for word in ("positive", "negative"):
        if getattr(formula, f"is_{word}"):
            return word
    for condition in conditions:
        if isinstance(condition, STRICT) and (sign := _sign_by_condition(formula, *sides(condition))):
            return sign
    signed = formula.xreplace(_signs(atoms(formula), conditions))
    return sign_word(signed)


def _signs(symbols: set[Formula], conditions: Iterable[Any]) -> dict[Any, Any]:
    r"""Return symbols with a sign for real symbols to which a condition gives one: m > 0 implies that 1/m is positive.

    >>> m = sp.Symbol("m", real=True)
    >>> (1 / m).xreplace(_signs({m}, [m > 2])).is_positive, _signs({m}, [m > -2])
    (True, {})
    """
    found: dict[Any, Any] = {}
    for condition in conditions:
        if not isinstance(condition, STRICT):
            continue
        above, below = sides(condition)
        if above in symbols and above.is_real and below.is_number and below.is_nonnegative:
            found[above] = sp.Dummy(positive=True, integer=above.is_integer)
        elif below in symbols and below.is_real and above.is_number and above.is_nonpositive:
            found[below] = sp.Dummy(negative=True, integer=below.is_integer)
    return found


def _sign_by_condition(formula: Formula, larger: Formula, smaller: Formula) -> str | None:
    """Return the sign that a strict condition implies: 2x > 0 and sqrt(x) > 0 both imply that x is positive."""
    difference = larger - smaller
    if difference.is_Pow and difference.base == formula and formula.is_nonnegative:
        return "positive"
    factor = sp.cancel(difference / formula) if atoms(difference) == atoms(formula) else sp.nan
    if not factor.is_number or factor.is_zero is not False:
        return None
    return "positive" if factor.is_positive else "negative"
