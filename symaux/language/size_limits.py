"""Bound the numbers in formulas before sympy evaluates them: towers of powers, factorials, long literals."""

from __future__ import annotations

from typing import Any

import sympy as sp

MAX_EXPONENT = 10_000
MAX_BITS = 12_000  # of any number; Python prints no more than 14,284
MAX_ROOT_BITS = 40
MAX_RADICAND = 10**400  # sympy looks for its factors


def bit_length(number: sp.Rational) -> int:
    """Return the number of binary digits of the larger of numerator and denominator.

    >>> bit_length(sp.Rational(1, 1024))
    11
    """
    return max(int(number.p).bit_length(), int(number.q).bit_length())


def largest_number(formula: Any) -> Any:
    """Return the largest number that occurs in a formula, or the value of a constant formula if that is larger.

    >>> x = sp.Symbol("x")
    >>> largest_number(3*x - 40), largest_number(sp.exp(10)) > 22000
    (40, True)
    """
    found = max((abs(n) for n in formula.atoms(sp.Rational)), default=sp.S.Zero)
    if formula.is_Rational or formula.free_symbols:
        return found
    size = abs(sp.N(formula, 5))
    return max(found, size) if size.is_comparable else found


def power_fault(base: Any, exponent: Any) -> str | None:
    """Return why a power is refused, or None if it is not.

    >>> power_fault(sp.Integer(10), sp.Integer(10)**10)
    'the exponent 10000000000 is too large; at most 10000'
    """
    if largest_number(exponent) > MAX_EXPONENT:
        return f"the exponent {abbreviate(exponent)} is too large; at most {MAX_EXPONENT}"
    if exponent.is_Rational and int(exponent.q).bit_length() > MAX_ROOT_BITS:
        return f"the exponent {abbreviate(exponent)} is too fine a fraction"
    if exponent.is_Rational and not exponent.is_Integer and largest_number(base) > MAX_RADICAND:
        return f"the root of {abbreviate(base)} is that of too large a number"
    if not exponent.is_number:
        return None
    digits = max((bit_length(n) for n in base.atoms(sp.Rational)), default=0)
    if not base.free_symbols:
        size = largest_number(base)
        digits = max(digits, int(sp.log(size, 2).n(5)) if size > 1 else 0)
    if digits * largest_number(exponent) > MAX_BITS:
        return f"the power {abbreviate(base)}**{abbreviate(exponent)} is too large a number"
    return None


def abbreviate(formula: Any) -> str:
    """Return the text of a formula for a message, shortened to less than a line."""
    text = str(formula)
    return text if len(text) <= 40 else f"{text[:30]}…({len(text)} characters)"
