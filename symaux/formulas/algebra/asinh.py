r"""Recognise inverse hyperbolic sines that are written as logarithms:
$\log(x + \sqrt{x^2 + c^2}) = \operatorname{asinh}(x/c) + \log c$.

>>> x, c = sp.Symbol("x", real=True), sp.Symbol("c", positive=True)
>>> with_asinh(sp.log(x + sp.sqrt(x**2 + 1))), with_asinh(sp.log(sp.sqrt(x**2 - 2*x + 2) - 1 + x))
(asinh(x), asinh(x - 1))
>>> with_asinh(sp.log(x + sp.sqrt(x**2 - 1)))
log(x + sqrt(x**2 - 1))
"""

from __future__ import annotations

from typing import Any

import sympy as sp


def with_asinh(formula: Any) -> Any:
    """Return the formula with ``asinh`` for each such logarithm whose $c^2$ is a positive number."""
    if not isinstance(formula, sp.Basic) or not formula.has(sp.log):
        return formula
    return formula.replace(lambda e: isinstance(e, sp.log) and e.args[0].is_Add, _inverse)


def _inverse(logarithm: Any) -> Any:
    total = logarithm.args[0]
    for root in total.args:
        if root.is_Pow and root.exp == sp.S.Half:
            x = total - root
            square = sp.expand(root.base - x**2)
            if square.is_positive and square.is_number and x.is_real:
                return sp.asinh(x / sp.sqrt(square)) + sp.log(square) / 2
    return logarithm
