"""Apply expression-to-expression rules, from the leaves up, before a formula is lowered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

Simplify = Callable[[Any], Any]
Simplification = Callable[[Any], Any | None]
FIRINGS = 64  # a rule that keeps firing on its own result is stopped


def simplifier(rules: Sequence[Simplification]) -> Simplify:
    """Return one function from a formula to an equal one, by the given rules; it caches its results.

    >>> x = sp.Symbol("x", positive=True)
    >>> halved = simplifier([lambda e: 2*sp.log(e.args[0].base) if isinstance(e, sp.log) and e.args[0].is_Pow else None])
    >>> halved(sp.log(x**2, evaluate=False))
    2*log(x)
    """
    seen: dict[Any, Any] = {}

    def simplify(formula: Any, firings: int = FIRINGS) -> Any:
        if not isinstance(formula, sp.Basic) or not formula.args or isinstance(formula, Indexed | Idx | IndexedBase):
            return formula
        if formula not in seen:
            inner = formula.func(*(simplify(arg, firings) for arg in formula.args))
            better = _apply_first(inner, rules) if firings else None
            seen[formula] = inner if better is None else simplify(better, firings - 1)
        return seen[formula]

    return simplify


def _apply_first(formula: Any, rules: Sequence[Simplification]) -> Any | None:
    """Return the result of the first rule that changes a formula; None if none does."""
    for rule in rules:
        better = rule(formula)
        if better is not None and better != formula:
            return better
    return None
