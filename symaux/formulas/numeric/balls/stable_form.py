r"""Formulas written so that their digits survive in the tails.

$2 - \mathrm{erfc}(v)$ and $1 + \mathrm{erf}(v)$ are $2\Phi(\sqrt2 v)$.

>>> x = sp.Symbol("x", real=True)
>>> stable(sp.log(2 - sp.erfc(x)))
log(2*ndtr(sqrt(2)*x))
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.functions.elementary import ndtr


def stable(formula: sp.Expr) -> sp.Expr:
    """Return the same formula, with differences that cancel in a tail put in terms of the normal distribution
    function."""
    if not formula.has(sp.erf, sp.erfc):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Add), _summed)


def _summed(total: sp.Add) -> sp.Expr:
    number, rest = total.as_coeff_Add()
    coefficient, function = rest.as_coeff_Mul()
    match function:
        case sp.erfc() if number == -2 * coefficient:
            return number * ndtr(sp.sqrt(2) * function.args[0])
        case sp.erf() if abs(number) == abs(coefficient):
            sign = 1 if number == coefficient else -1
            return 2 * number * ndtr(sign * sp.sqrt(2) * function.args[0])
    return total
