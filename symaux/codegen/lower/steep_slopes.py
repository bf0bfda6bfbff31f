r"""Write $e^x - 1$ and $1/(1 + e^{-x})$ with slopes that keep their digits where the function is flat.

jax computes these slopes from the value, as $y + 1$ and $y(1 - y)$, which costs no exponential and is accurate next to one. The
slopes of a quantile are measured next to its distance from an end of the support, so forms have the exponential.

>>> x = sp.Symbol("x", real=True)
>>> with_steep_slopes(expm1(x) + 3/(1 + sp.exp(-x)))
steep_expm1(x) + 3*steep_logistic(x)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.codegen.lower.logistic import with_sigmoids
from symaux.formulas.functions.elementary import expm1, logistic


class steep_expm1(sp.Function):
    """exp(x) - 1 with the slope exp(x)."""


class steep_logistic(sp.Function):
    """1/(1 + exp(-x)) with a slope that does not vanish where the value is rounded to one."""


def with_steep_slopes(formula: Any) -> Any:
    """Return the formula with such functions in place of jax's."""
    written = formula.replace(lambda e: isinstance(e, sp.Mul | sp.Pow), lambda e: with_sigmoids(e, ()))
    return written.replace(expm1, steep_expm1).replace(logistic, steep_logistic)
