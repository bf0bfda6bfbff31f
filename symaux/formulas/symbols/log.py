r"""Expand the logarithm of a non-negative formula factor by factor.

For real exponents $\log|\prod_i b_i^{p_i}| = \sum_i p_i\log|b_i|$ always holds, so the split needs no assumption on signs.
A base that sympy cannot show to be positive keeps its absolute value unless the caller gives its sign.

>>> z, a = sp.symbols("z a", positive=True)
>>> log_modulus(a*z**(a - 1)*sp.exp(-z**a))
-z**a + (a - 1)*log(z) + log(a)
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.unexpand import as_product

Sign = Callable[[Formula], int | None]


def known_sign(formula: Formula) -> int | None:
    """Return the sign that sympy proves from the assumptions, where zero may count as either; None if it proves none."""
    if formula.is_positive or formula.is_nonnegative:
        return 1
    return -1 if formula.is_negative or formula.is_nonpositive else None


def log_modulus(formula: Formula, sign: Sign = known_sign) -> Formula:
    """Return log|formula| for a real formula; ``sign`` returns the sign of a base on the domain at hand."""
    arguments = formula.args
    match formula:
        case sp.Mul():
            return sp.Add(*(log_modulus(factor, sign) for factor in _unsigned_factors(formula)))
        case sp.exp():
            return arguments[0]
        case sp.Pow():
            return formula.exp * log_modulus(formula.base, sign)
        case sp.Abs():
            return log_modulus(arguments[0], sign)
        case sp.gamma() if arguments[0].is_positive:
            return sp.loggamma(arguments[0])
        case sp.beta() if all(arg.is_positive for arg in arguments):
            a, b = arguments if len(arguments) == 2 else (*arguments, *arguments)
            return sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b)
        case sp.factorial() if arguments[0].is_nonnegative:
            return sp.loggamma(arguments[0] + 1)
        case sp.binomial():
            n, k = arguments
            return sp.loggamma(n + 1) - sp.loggamma(k + 1) - sp.loggamma(n - k + 1)
        case sp.Piecewise():
            return sp.Piecewise(*((log_modulus(branch, sign), where) for branch, where in arguments))
        case sp.Add() if (product := as_product(formula)).is_Mul:
            return log_modulus(product, sign)
    if formula == 0:
        return -sp.oo
    match sign(formula):
        case 1:
            return sp.log(formula)
        case -1:
            return sp.log(-formula)
    return sp.log(sp.Abs(formula))


def _unsigned_factors(product: sp.Mul) -> tuple[Formula, ...]:
    """Return the factors of a product without the sign of its number, which an absolute value drops."""
    number, rest = product.as_coeff_mul()
    return (*((abs(number),) if number not in (1, -1) else ()), *rest)


def is_surely_positive(formula: Formula) -> bool:
    """Return whether the structure of a formula shows that it is positive for all real values of its variables.

    >>> is_surely_positive(1 + sp.exp(-sp.Sum(sp.IndexedBase("w")[sp.Idx("k", 3)], sp.Idx("k", 3))))
    True
    """
    match formula:
        case sp.exp():
            return True
        case sp.Add() | sp.Mul():
            return all(map(is_surely_positive, formula.args))
        case sp.Pow():
            return is_surely_positive(formula.base)
    return bool(formula.is_positive)
