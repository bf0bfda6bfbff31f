r"""$\log\cosh x = |x| + \log(1 + e^{-2|x|}) - \log 2$, where $\cosh x$ itself overflows.

>>> x = sp.Symbol("x", positive=True)
>>> log_of_cosh(sp.log(sp.cosh(x)))
x + softplus(-2*x) - log(2)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import softplus


def log_of_cosh(formula: Any) -> Any | None:
    """The logarithm of a hyperbolic cosine."""
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.cosh):
        return None
    size = sp.Abs(formula.args[0].args[0])
    return size + softplus(-2 * size) - sp.log(2)
