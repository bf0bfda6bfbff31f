r"""$e^x - 1 = \operatorname{expm1}(x)$.

Applies to a sum of one exponential and minus one, or their negatives.

>>> x = sp.Symbol("x", real=True)
>>> exp_minus_one(sp.exp(x) - 1), exp_minus_one(1 - sp.exp(x))
(expm1(x), -expm1(x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import expm1


def exp_minus_one(formula: Any) -> Any | None:
    """A difference of one and an exponential, with all digits."""
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    number, rest = formula.as_coeff_Add()
    if number == -1 and isinstance(rest, sp.exp):
        return expm1(rest.args[0])
    if number == 1 and isinstance(-rest, sp.exp):
        return -expm1((-rest).args[0])
    return None
