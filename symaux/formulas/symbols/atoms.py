"""Collect what a formula reads: symbols, array elements, and sums over plates, each as one atom.

>>> w, i, x = sp.IndexedBase("w"), sp.Idx("i", 3), sp.Symbol("x")
>>> sorted(map(str, atoms(x**2 + sp.Sum(w[i], i))))
['Sum(w[i], (i, 0, 2))', 'x']
"""

from __future__ import annotations

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import Bound

OPAQUE = (Indexed, sp.Sum, sp.Product, ArrayFunction, Idx)


def atoms(formula: sp.Basic) -> set[Formula]:
    """Return the symbols, elements and sums of a formula, without looking inside an element or a sum."""
    collected: set[Formula] = set()
    stack = [formula]
    while stack:
        expr = stack.pop()
        if isinstance(expr, Bound):
            continue
        if isinstance(expr, (sp.Symbol, *OPAQUE)):
            collected.add(expr)
        elif not isinstance(expr, IndexedBase):
            stack.extend(expr.args)
    return collected
