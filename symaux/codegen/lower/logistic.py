r"""Write $1/(a + be^y)$ as $\sigma(-y - \log\frac ba)/a$, whose derivative is finite wherever its value is.

The derivative of ``1 / (1 + jnp.exp(y))`` is NaN as soon as the exponential overflows, though the value is zero there.

>>> x, k = sp.symbols("x k", real=True)
>>> with_sigmoids(k/(2 + 2*sp.exp(-x)), ()), with_sigmoids(sp.exp(x)/(1 + sp.exp(x)), ())
(k*logistic(x)/2, logistic(x))
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import logistic
from symaux.formulas.symbols.formula import Formula


def with_sigmoids(formula: Any, kept: Container[Any]) -> Any:
    """Return a product or a power with logistic functions for such denominators; factors in ``kept`` stay as they are."""
    factors: list[Formula] = list(sp.Mul.make_args(formula))
    if not any(map(_logistic, factors)):
        return formula  # unchanged: sympy would distribute a number over a sum, and lowering would never end
    for number, factor in enumerate(factors):
        found = None if factor in kept else _logistic(factor)
        if found is not None:
            y, size, power = found
            if sp.exp(y) in factors and power >= 1:  # exp(y) over 1 + exp(y)
                factors[factors.index(sp.exp(y))] = logistic(y)
                power -= 1
            factors[number] = size * logistic(-y) ** power
    return sp.Mul(*factors)


def _logistic(factor: Any) -> tuple[Any, Any, Any] | None:
    """Return y, c and n of $(a + be^y)^{-n} = c\\,\\sigma(-y)^n$, where y includes $\\log\\frac ba$; None for other factors."""
    if not factor.is_Pow or not factor.base.is_Add or not factor.exp.is_number or not factor.exp.is_negative:
        return None
    number, rest = factor.base.as_coeff_Add()
    times, power = rest.as_coeff_Mul()
    if not number.is_positive or not times.is_positive or not isinstance(power, sp.exp):
        return None
    return power.args[0] + sp.log(times / number), number**factor.exp, -factor.exp
