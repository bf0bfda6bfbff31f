"""Numbers that would take for ever are refused before sympy works them out: towers, factorials, endless literals."""

from __future__ import annotations

from typing import Any

import sympy as sp

MAX_EXPONENT = 10_000
MAX_BITS = 12_000  # of any number; Python prints no more than 14,284
MAX_ROOT_BITS = 40
MAX_RADICAND = 10**400  # sympy looks for its factors


def bits(number: sp.Rational) -> int:
    """How many binary digits the larger of numerator and denominator has.

    >>> bits(sp.Rational(1, 1024))
    11
    """
    return max(int(number.p).bit_length(), int(number.q).bit_length())


def largest(formula: Any) -> Any:
    """Return the largest number that stands in a formula, or that a constant formula amounts to.

    >>> x = sp.Symbol("x")
    >>> largest(3*x - 40), largest(sp.exp(10)) > 22000
    (40, True)
    """
    found = max((abs(n) for n in formula.atoms(sp.Rational)), default=sp.S.Zero)
    if formula.is_Rational or formula.free_symbols:
        return found
    size = abs(sp.N(formula, 5))
    return max(found, size) if size.is_comparable else found


def power_fault(base: Any, exponent: Any) -> str | None:
    """Why a power is refused; None if it is not.

    >>> power_fault(sp.Integer(10), sp.Integer(10)**10)
    'the exponent 10000000000 is too large; at most 10000'
    """
    if largest(exponent) > MAX_EXPONENT:
        return f"the exponent {shown(exponent)} is too large; at most {MAX_EXPONENT}"
    if exponent.is_Rational and int(exponent.q).bit_length() > MAX_ROOT_BITS:
        return f"the exponent {shown(exponent)} is too fine a fraction"
    if exponent.is_Rational and not exponent.is_Integer and largest(base) > MAX_RADICAND:
        return f"the root of {shown(base)} is that of too large a number"
    if not exponent.is_number:
        return None
    digits = max((bits(n) for n in base.atoms(sp.Rational)), default=0)
    if not base.free_symbols:
        size = largest(base)
        digits = max(digits, int(sp.log(size, 2).n(5)) if size > 1 else 0)
    if digits * largest(exponent) > MAX_BITS:
        return f"the power {shown(base)}**{shown(exponent)} is too large a number"
    return None


def shown(formula: Any) -> str:
    """Return a formula in a message: not more than a line of it."""
    text = str(formula)
    return text if len(text) <= 40 else f"{text[:30]}…({len(text)} characters)"
