r"""Find simpler formulas that are positive exactly where a given one is.

>>> s, r = sp.Symbol("s", positive=True), sp.Symbol("r", real=True)
>>> simplify_positivity(s/sp.sqrt(1 - r**2))
(r + 1, 1 - r)
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.formula import Formula


def simplify_positivity(positive: Formula) -> tuple[Formula, ...]:
    """Return formulas that are all positive exactly where the given one is.

    Positive factors and odd powers are dropped; a concave quadratic in one symbol becomes the two sides of an interval.

    >>> n = sp.Symbol("n", real=True)
    >>> simplify_positivity(-n/sp.pi), simplify_positivity(n**2 - 1)
    ((-n,), (n**2 - 1,))
    """
    number, factors = positive.as_coeff_mul()
    unknown = [f for f in factors if not f.is_positive]
    if len(unknown) != 1:
        return (positive,)
    (factor,), sign = unknown, sp.sign(number)
    if factor.is_Pow and sign == 1 and factor.exp.is_Rational and not factor.exp.is_even and factor.exp.p % 2:
        return simplify_positivity(factor.base)
    return _between(sign * factor)


def _between(positive: Formula) -> tuple[Formula, ...]:
    """Return x - a and b - x for a quadratic formula that is positive between its zeros a and b; else the formula."""
    if len(positive.free_symbols) != 1:
        return (positive,)
    (symbol,) = positive.free_symbols
    if not positive.is_polynomial(symbol) or sp.degree(positive, symbol) != 2:
        return (positive,)
    top, _, _ = sp.Poly(positive, symbol).all_coeffs()
    zeros = sorted(sp.roots(positive, symbol), key=sp.default_sort_key)
    if not top.is_negative or len(zeros) != 2 or not all(zero.is_real for zero in zeros):
        return (positive,)
    low, high = sorted(zeros, key=float)
    return symbol - low, high - symbol
