r"""$1 - \tanh^2x = \cosh^{-2}x$ and $\tanh x\cosh x = \sinh x$.

Applies to a difference and a product that lose their digits, or overflow, where the tangent is near one.

>>> x = sp.Symbol("x", real=True)
>>> hyperbolic(1 - sp.tanh(x)**2), hyperbolic(sp.tanh(x)*sp.cosh(x))
(cosh(x)**(-2), sinh(x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp


def hyperbolic(formula: Any) -> Any | None:
    """Hyperbolic functions taken together."""
    if isinstance(formula, sp.Add) and len(formula.args) == 2:
        number, rest = formula.as_coeff_Add()
        root = -rest / number if number != 0 else None
        if isinstance(root, sp.Pow) and root.exp == 2 and isinstance(root.base, sp.tanh):
            return number * sp.cosh(root.base.args[0]) ** -2
    if isinstance(formula, sp.Mul):
        for tangent in (f for f in formula.args if isinstance(f, sp.tanh)):
            if (cosine := sp.cosh(tangent.args[0])) in formula.args:
                return formula / (tangent * cosine) * sp.sinh(tangent.args[0])
    return None
