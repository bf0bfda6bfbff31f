"""Read a box of parameters, each between two numbers, from the conditions of a law, or add one to them.

>>> a, b = sp.symbols("a b", positive=True)
>>> parameter_box([a, b], [sp.Ge(a, 1), a <= 4, b > sp.Rational(1, 2), b < 2, a < b + 9])
((1, 4), (1/2, 2))
>>> parameter_box([a, b], [a >= 1, a <= 4]) is None
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.errors import SymauxError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of
from symaux.laws.law import Law
from symaux.laws.parameter_signs import INEQUALITIES, sides

BoxSides = tuple[tuple[Formula, Formula], ...]


def parameter_box(parameters: Sequence[Any], conditions: Iterable[Any]) -> BoxSides | None:
    """Return the least and the largest value of each parameter; None where one of them has no bound."""
    low: dict[Any, Any] = {}
    high: dict[Any, Any] = {}
    for condition in conditions:
        if not isinstance(condition, INEQUALITIES):
            continue
        large, small = sides(condition)
        if small.is_number and large in parameters:
            low[large] = max(small, low.get(large, small))
        elif large.is_number and small in parameters:
            high[small] = min(large, high.get(small, large))
    if not all(p in low and p in high and low[p] < high[p] for p in parameters):
        return None
    return tuple((low[p], high[p]) for p in parameters)


def restrict_to_box(law: Law, box: Mapping[Any, Any]) -> Law:
    """Return the law with its parameters restricted to intervals: ``{"a": (1, 4)}``."""
    named = {name_of(p): p for p in law.parameters}
    given = {name_of(key): ends for key, ends in box.items()}
    unknown = sorted(set(given) - set(named))
    if unknown:
        raise SymauxError(
            f"box: {', '.join(unknown)} is not a parameter of {law.value}: {sorted(named) or 'it has none'}"
        )
    conditions: list[Any] = []
    for name, ends in given.items():
        try:
            low, high = map(as_formula, ends)
        except (TypeError, ValueError):
            raise SymauxError(f"box: {name} needs two numbers, as in {{{name!r}: (1, 4)}}, not {ends!r}") from None
        if not (low.is_number and high.is_number and low.is_finite and high.is_finite and low < high):
            raise SymauxError(f"box: {name} needs two finite numbers, the smaller first, not {ends!r}")
        if (named[name].is_positive and not low > 0) or (named[name].is_nonnegative and low < 0):
            raise SymauxError(f"box: {name} is positive, and its box begins at {low}")
        conditions += [sp.Ge(named[name], low, evaluate=False), sp.Le(named[name], high, evaluate=False)]
    return replace(law, conditions=(*law.conditions, *conditions))
