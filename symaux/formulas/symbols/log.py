r"""The logarithm of a non-negative formula, taken apart factor by factor.

For real exponents $\log|\prod_i b_i^{p_i}| = \sum_i p_i\log|b_i|$ always holds, so the split needs no assumption on signs.
A base that sympy cannot show to be positive keeps its modulus unless the caller says where it lives.

>>> z, a = sp.symbols("z a", positive=True)
>>> log_modulus(a*z**(a - 1)*sp.exp(-z**a))
-z**a + (a - 1)*log(z) + log(a)
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from symaux.formulas.symbols.unexpand import as_product

Sign = Callable[[sp.Expr], int | None]


def known_sign(formula: sp.Expr) -> int | None:
    """Return the sign that sympy can prove from the assumptions, if any."""
    if formula.is_positive or formula.is_nonnegative:
        return 1
    return -1 if formula.is_negative or formula.is_nonpositive else None


def log_modulus(formula: sp.Expr, sign: Sign = known_sign) -> sp.Expr:
    """log|formula| for a real formula; ``sign`` tells the sign of a base on the domain at hand."""
    match formula:
        case sp.Mul():
            return sp.Add(*(log_modulus(factor, sign) for factor in _gathered(formula)))
        case sp.exp():
            return formula.args[0]
        case sp.Pow():
            return formula.exp * log_modulus(formula.base, sign)
        case sp.Abs():
            return log_modulus(formula.args[0], sign)
        case sp.gamma() if formula.args[0].is_positive:
            return sp.loggamma(formula.args[0])
        case sp.beta() if all(arg.is_positive for arg in formula.args):
            a, b = formula.args if len(formula.args) == 2 else (*formula.args, *formula.args)
            return sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b)
        case sp.factorial() if formula.args[0].is_nonnegative:
            return sp.loggamma(formula.args[0] + 1)
        case sp.binomial():
            n, k = formula.args
            return sp.loggamma(n + 1) - sp.loggamma(k + 1) - sp.loggamma(n - k + 1)
        case sp.Piecewise():
            return sp.Piecewise(*((log_modulus(branch, sign), where) for branch, where in formula.args))
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


def _gathered(product: sp.Mul) -> tuple[sp.Expr, ...]:
    """Return the factors, with the number's sign dropped: a modulus does not see it."""
    number, rest = product.as_coeff_mul()
    return (*((abs(number),) if number not in (1, -1) else ()), *rest)


def is_surely_positive(formula: sp.Expr) -> bool:
    """Return whether a formula is positive for all real values of its variables, as far as its structure shows.

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
