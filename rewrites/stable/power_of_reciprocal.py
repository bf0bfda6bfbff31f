r"""$(1/b)^p = b^{-p}$, where p is not an integer.

Applies to a power of a reciprocal: wherever it is real, b is positive.

>>> p, b = sp.symbols("p b", real=True)
>>> power_of_reciprocal((1/b)**p)
b**(-p)
"""

from __future__ import annotations

from typing import Any

import sympy as sp


def power_of_reciprocal(formula: Any) -> Any | None:
    """One power instead of two."""
    if isinstance(formula, sp.Pow) and not formula.exp.is_integer and isinstance(formula.base, sp.Pow):
        base, inner = formula.base.args
        if inner.is_Integer and inner.is_odd:
            return base ** (inner * formula.exp)
    return None
