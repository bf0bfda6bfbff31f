"""Find the sub-expressions that a statement repeats, so that each is computed once and named.

>>> x, y = sp.symbols("x y", real=True)
>>> repeated_subexpressions([sp.tanh(x*y + 1)**2 + sp.tanh(x*y + 1)])
[tanh(x*y + 1)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.codegen.lower.gated_branches import risky_in_branches
from symaux.formulas.symbols.indices import bound_plates


def repeated_subexpressions(formulas: Iterable[Any]) -> list[Any]:
    """Return repeated sums and functions, inner ones before outer ones; none inside a sum, whose plates are bound there."""
    counts: Counter[Any] = Counter()
    gated: set[Any] = set()
    for formula in formulas:
        _count(formula, counts)
        gated |= risky_in_branches(formula)
    repeated = [e for e, times in counts.items() if times > 1 and _costs(e) and e not in gated]
    worth = [
        e for e in repeated if not isinstance(e, sp.Pow) or (not e.base.is_Atom and not isinstance(e.base, Indexed))
    ]
    return sorted(worth, key=lambda e: (e.count_ops(), sp.default_sort_key(e)))


def _costs(expr: Any) -> bool:
    """Return whether a sub-expression is worth sharing; a term added to a sum is, such as a logit that several terms read."""
    return isinstance(expr, sp.Sum | sp.Function | sp.Pow) or (isinstance(expr, sp.Add) and expr.has(sp.Sum))


def _count(formula: Any, counts: Counter[Any]) -> None:
    stack = [formula]
    while stack:
        expr = stack.pop()
        if not expr.args or isinstance(expr, Indexed | Idx) or expr.is_number:
            continue
        counts[expr] += 1
        if counts[expr] == 1 and not bound_plates(expr) and not getattr(expr, "opaque", False):
            stack.extend(expr.args)
