"""Expression-to-expression rules, applied from the leaves up, before a formula is lowered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

Simplify = Callable[[Any], Any]
Simplification = Callable[[Any], Any | None]
PASSES = 8  # a rule that keeps firing on its own result is stopped


def simplifier(rules: Sequence[Simplification]) -> Simplify:
    """One function from formula to equal formula; remembers what it has seen.

    >>> x = sp.Symbol("x")
    >>> simplifier([lambda e: sp.Abs(e.args[0]) if e.func is sp.sqrt else None])(x + 1)
    x + 1
    """
    seen: dict[Any, Any] = {}

    def simplify(formula: Any) -> Any:
        if not isinstance(formula, sp.Basic) or not formula.args or isinstance(formula, Indexed | Idx | IndexedBase):
            return formula
        if formula not in seen:
            inner = formula.func(*(simplify(arg) for arg in formula.args))
            seen[formula] = _rewritten(inner, rules)
        return seen[formula]

    return simplify


def _rewritten(formula: Any, rules: Sequence[Simplification]) -> Any:
    for _ in range(PASSES):
        for rule in rules:
            better = rule(formula)
            if better is not None and better != formula:
                formula = better
                break
        else:
            return formula
    return formula
