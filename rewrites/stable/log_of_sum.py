r"""$\log(c + e^x) = \log c + \mathrm{softplus}(x - \log c)$ for a number $c > 0$.

Applies when the argument of a logarithm is a positive number other than one, plus an exponential.

>>> x = sp.Symbol("x", real=True)
>>> log_of_sum(sp.log(25 + sp.exp(2*x)))
softplus(2*x - log(25)) + log(25)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import softplus


def log_of_sum(formula: Any) -> Any | None:
    """The number comes out of the logarithm, and one exponential is left."""
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.Add):
        return None
    number, rest = formula.args[0].as_coeff_Add()
    if not number.is_positive or number == 1 or not isinstance(rest, sp.exp):
        return None
    return sp.log(number) + softplus(rest.args[0] - sp.log(number))
