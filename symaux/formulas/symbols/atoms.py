"""What a formula reads: symbols, elements of arrays, and sums over plates as one thing each.

>>> w, i, x = sp.IndexedBase("w"), sp.Idx("i", 3), sp.Symbol("x")
>>> sorted(map(str, atoms(x**2 + sp.Sum(w[i], i))))
['Sum(w[i], (i, 0, 2))', 'x']
"""

from __future__ import annotations

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import Bound

OPAQUE = (Indexed, sp.Sum, sp.Product, ArrayFunction, Idx)


def atoms(formula: sp.Basic) -> set[sp.Expr]:
    """Return the symbols, elements and sums of a formula, without looking inside an element or a sum."""
    found: set[sp.Expr] = set()
    stack = [formula]
    while stack:
        expr = stack.pop()
        if isinstance(expr, Bound):
            continue
        if isinstance(expr, (sp.Symbol, *OPAQUE)):
            found.add(expr)
        elif not isinstance(expr, IndexedBase):
            stack.extend(expr.args)
    return found
