r"""$\log\prod_i b_i^{p_i} = \sum_i p_i\log b_i$ where a factor's own logarithm is known better than the factor.

Applies when a factor is an exponential, a difference from one, or a quantile that underflows, and the others are surely
positive or the only one that is not.

>>> x, b = sp.Symbol("x", real=True), sp.Symbol("b", positive=True)
>>> log_of_product(sp.log(b*sp.exp(x), evaluate=False))
x + log(b)
>>> log_of_product(((1 - b)/b)**x)
exp(x*(-log(b) + log(1 - b)))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import (
    Formula,
    betainccinv,
    betaincinv,
    expm1,
    gammainccinv,
    gammaincinv,
    is_surely_positive,
    ndtr,
)

BETTER = (sp.exp, expm1, ndtr, gammaincinv, gammainccinv, betaincinv, betainccinv)


def log_of_product(formula: Any) -> Any | None:
    """The logarithm of a product, factor by factor, and a power of odds by it."""
    if isinstance(formula, sp.Pow) and not formula.exp.is_integer and _is_odds(formula.base):
        found = log_of_product(sp.log(formula.base))
        return None if found is None else sp.exp(formula.exp * found)
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.Mul):
        return None
    sign, factors = formula.args[0].as_coeff_mul()
    if not any(isinstance(f.as_base_exp()[0] if f.is_Pow else f, BETTER) or _difference(f) for f in factors):
        return None
    unsure = [f for f in factors if not is_surely_positive(f)]
    if len(unsure) > 1 or (sign.is_negative and not unsure):
        return None
    signed = [sp.sign(sign) * f if f in unsure else f for f in factors]
    return sp.Add(*(_log(f) for f in signed), *([] if abs(sign) == 1 else [sp.log(abs(sign))]))


def _is_odds(base: Any) -> bool:
    """(1 - u)/u, whose own slope overflows long before that of its roots."""
    parts: tuple[Formula, ...] = base.args if isinstance(base, sp.Mul) else ()
    return any(map(_difference, parts)) and any(f.is_Pow and f.exp == -1 for f in parts)


def _difference(factor: Any) -> bool:
    """1 - u or its reciprocal."""
    base = factor.as_base_exp()[0] if factor.is_Pow and factor.exp.is_integer else factor
    return isinstance(base, sp.Add) and abs(base.as_coeff_Add()[0]) == 1 and len(base.args) == 2


def _log(factor: Any) -> Any:
    if isinstance(factor, sp.exp):
        return factor.args[0]
    if factor.is_Pow and is_surely_positive(factor.base):
        return factor.exp * sp.log(factor.base)
    return sp.log(factor)
