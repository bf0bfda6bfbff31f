r"""$\log(1 + e^x) = \operatorname{softplus}(x)$ and $\log(1 + x) = \operatorname{log1p}(x)$.

Applies when the argument of a logarithm is one plus a single term, or one plus a sum.

>>> x = sp.Symbol("x", real=True)
>>> log_plus_one(sp.log(1 + sp.exp(x))), log_plus_one(sp.log(1 - x))
(softplus(x), log1p(-x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.functions import log1p, softplus


def log_plus_one(formula: Any) -> Any | None:
    """The logarithm of one plus something, with all digits of the something."""
    if not isinstance(formula, sp.log) or not isinstance(formula.args[0], sp.Add):
        return None
    number, rest = formula.args[0].as_coeff_Add()
    if number != 1:
        return None
    if isinstance(rest, sp.exp):
        return softplus(rest.args[0])
    return None if rest.has(sp.exp) and isinstance(rest, sp.Add) else log1p(rest)
