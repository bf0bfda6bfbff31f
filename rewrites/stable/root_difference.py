r"""$\sqrt{p^2 + q} - p = \frac q{\sqrt{p^2 + q} + p}$ for p > 0.

Applies to a sum of a root and of what the root is close to for small q, a solution of a quadratic equation as a rule.

>>> p, q = sp.symbols("p q", positive=True)
>>> root_difference(sp.sqrt(p**2 + 4*q) - p)
4*q/(p + sqrt(p**2 + 4*q))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import Formula, is_surely_positive


def root_difference(formula: Any) -> Any | None:
    """The smaller root of a quadratic equation, with all its digits."""
    if not isinstance(formula, sp.Add) or len(formula.args) != 2:
        return None
    for root, other in (formula.args, formula.args[::-1]):
        for way in (1, -1):
            p = -way * other
            signed: Formula = way * root
            if isinstance(signed, sp.Pow) and signed.exp == sp.S.Half and is_surely_positive(p):
                terms = len(sp.Add.make_args(signed.base))
                for rest in (signed.base - p**2, sp.factor_terms(sp.expand(signed.base - p**2))):
                    if len(sp.Add.make_args(rest)) < terms:
                        return way * rest / (signed + p)
    return None
