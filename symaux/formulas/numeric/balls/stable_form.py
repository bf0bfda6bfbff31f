r"""Rewrite formulas so that they keep their precision in the tails.

$2 - \mathrm{erfc}(v)$ and $1 + \mathrm{erf}(v)$ are $2\Phi(\sqrt2 v)$; $a + b\sqrt c$ is $(a^2 - b^2c)/(a - b\sqrt c)$.

>>> x = sp.Symbol("x", real=True)
>>> as_stable_form(sp.log(2 - sp.erfc(x)))
log(2*ndtr(sqrt(2)*x))
"""

from __future__ import annotations

import functools

import sympy as sp

from symaux.formulas.functions.elementary import ndtr
from symaux.formulas.symbols.formula import Formula


def as_stable_form(formula: Formula) -> Formula:
    """Return an equal formula with sums that cancel in a tail written by the normal distribution function."""
    if not formula.has(sp.erf, sp.erfc):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.Add), _stable_sum)


def _stable_sum(total: sp.Add) -> Formula:
    number, rest = total.as_coeff_Add()
    coefficient, function = rest.as_coeff_Mul()
    match function:
        case sp.erfc() if number == -2 * coefficient:
            return number * ndtr(sp.sqrt(2) * function.args[0])
        case sp.erf() if abs(number) == abs(coefficient):
            sign = 1 if number == coefficient else -1
            return 2 * number * ndtr(sign * sp.sqrt(2) * function.args[0])
    return total


MOST_OPERATIONS = 40  # of a sum whose conjugate is worked out


@functools.lru_cache(maxsize=4096)
def root_conjugate(total: Formula) -> tuple[Formula, Formula, Formula] | None:
    r"""Return a, $b\sqrt c$ and $a^2 - b^2c$ of a sum with a square root; None for any other sum.

    >>> x = sp.Symbol("x", real=True)
    >>> root_conjugate(1 - x / sp.sqrt(x**2 + 2))
    (1, -x/sqrt(x**2 + 2), 2/(x**2 + 2))
    """
    if not isinstance(total, sp.Add) or sp.count_ops(total) > MOST_OPERATIONS:
        return None
    for term in total.args:
        if any(isinstance(f, sp.Pow) and f.exp in (sp.S.Half, -sp.S.Half) for f in sp.Mul.make_args(term)):
            rest = total - term
            difference = sp.cancel(sp.together(rest**2 - term**2))
            return None if difference.has(sp.nan, sp.zoo) else (rest, term, difference)
    return None
