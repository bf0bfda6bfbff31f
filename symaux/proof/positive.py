r"""Whether a formula in the parameters is positive: by its factors, or as a quadratic without real roots.

>>> x, m = sp.symbols("x m", real=True)
>>> d = sp.Symbol("d", positive=True)
>>> positive(sp.expand((x - m)**2 + d)/d), positive(x**2 - m**2)
(True, False)
"""

from __future__ import annotations

import sympy as sp

from symaux.layers import sign_of


def positive(formula: sp.Expr) -> bool:
    """Whether a formula is known to be positive for all values of its symbols; False says nothing."""
    if sign_of(formula) == 1:
        return True
    above, below = sp.fraction(sp.factor(formula))
    if below != 1:
        return positive(above) and positive(below)
    return any(_without_roots(above, x) for x in sorted(above.free_symbols, key=str) if x.is_real)


def _without_roots(formula: sp.Expr, x: sp.Expr) -> bool:
    r"""$ax^2 + bx + c$ with $a > 0$ and $4ac > b^2$."""
    if not formula.is_polynomial(x) or sp.degree(formula, x) != 2:
        return False
    a, b, c = (sp.Poly(formula, x).coeff_monomial(x**n) for n in (2, 1, 0))
    return sign_of(a) == 1 and sign_of(sp.expand(4 * a * c - b**2)) == 1
