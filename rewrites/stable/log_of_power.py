r"""$\log b^p = p \log b$ for $b > 0$.

Applies when the base is positive for all real values of its variables.

>>> x = sp.Symbol("x", real=True)
>>> log_of_power(sp.log(1/(1 + sp.exp(-x))))
-log(1 + exp(-x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import is_surely_positive


def log_of_power(formula: Any) -> Any | None:
    """The exponent comes out of the logarithm."""
    if isinstance(formula, sp.log) and isinstance(formula.args[0], sp.Pow):
        base, exponent = formula.args[0].args
        if is_surely_positive(base):
            return exponent * sp.log(base)
    return None
