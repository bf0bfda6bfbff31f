r"""$(p + q)^2 - q^2 = p\,(p + 2q)$ for a number q.

Applies to a sum of the square of a sum and of minus the square of its number, which it is close to for small p.

>>> c = sp.Symbol("c", positive=True)
>>> square_difference((1 + 2*c)**2 - 1), square_difference(3 + (c - 2)**2 - 4)
(2*c*(2*c + 2), None)
"""

from __future__ import annotations

from typing import Any

import sympy as sp


def square_difference(formula: Any) -> Any | None:
    """The difference of two squares that may be almost equal, as a product."""
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    number, square = formula.as_coeff_Add()
    if not isinstance(square, sp.Pow) or square.exp != 2 or not isinstance(square.base, sp.Add):
        return None
    q, p = square.base.as_coeff_Add()
    return p * (p + 2 * q) if q != 0 and number == -(q**2) else None
