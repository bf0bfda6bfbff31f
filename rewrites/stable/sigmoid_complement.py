r"""$1 - \frac{1}{1 + e^x} = \frac{1}{1 + e^{-x}}$.

Applies to one minus a logistic function, as in a Bernoulli law with a logit.

>>> x = sp.Symbol("x", real=True)
>>> sigmoid_complement(1 - 1/(1 + sp.exp(-x)))
1/(exp(x) + 1)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import Formula, sigmoid


def sigmoid_complement(formula: Any) -> Any | None:
    """One minus a logistic function is a logistic function."""
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    number, rest = formula.as_coeff_Add()
    logit = _logit(-rest) if number == 1 else None
    return None if logit is None else sigmoid(-logit)


def _logit(formula: Any) -> Any | None:
    """x for a formula 1/(1 + exp(-x))."""
    if not isinstance(formula, sp.Pow) or formula.exp != -1 or not isinstance(formula.base, sp.Add):
        return None
    number, rest = formula.base.as_coeff_Add()
    if number != 1 or not isinstance(rest, sp.exp):
        return None
    exponent: Formula = rest.args[0]
    return -exponent
