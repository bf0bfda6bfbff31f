r"""Add the bounds of a law's parents to its conditions: if q has a beta law, then q < 1 in $q\,e^{-z} + 2(1 - q)\,e^{-2z}$.

A user's own formula may be a density only within such bounds. Symbols carry signs; any other bound from the supports of the
parents becomes a side condition of the law, as if the user had written it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.formulas.symbols.indices import free_plates, name_of
from symaux.formulas.symbols.support import Integers, Interval
from symaux.laws.law import Law
from symaux.model.statements import Deterministic, Factor, Statement, plates_of, target


def with_parent_bounds(statements: Iterable[Statement]) -> list[Statement]:
    """Return the statements, with the bounds of the parents added to the conditions of the user's own densities.

    >>> from symaux.laws.families import beta
    >>> from symaux.laws.law import law
    >>> q, z = sp.symbols("q z", positive=True)
    >>> own = law(z, q*sp.exp(-z) + 2*(1 - q)*sp.exp(-2*z))
    >>> [s.conditions for s in with_parent_bounds([beta(q, 2, 2), own])]
    [(), (q < 1,)]
    """
    given = list(statements)
    drawn = _ranges(s for s in given if isinstance(s, Law))
    # a rewrite makes drawn variables computed ones: only counts, which are never rewritten, may rely on computed ones too
    counts = any(isinstance(s, Law) and s.discrete and _is_own(s) for s in given)
    known = _ranges(s for s in given if not isinstance(s, Factor)) if counts else drawn
    return [_with_bounds(s, known if s.discrete else drawn) if isinstance(s, Law) and _is_own(s) else s for s in given]


def _is_own(law: Law) -> bool:
    plain = law.spelling is None and not law.components and law.origin is None
    return plain and law.proper and isinstance(law.support, Interval | Integers)


def _ranges(statements: Iterable[Any]) -> dict[str, tuple[Any, Any]]:
    """Return, for each variable, an interval that contains the ranges of all its statements."""
    found: dict[str, tuple[Any, Any]] = {}
    for statement in statements:
        low, high = _ends(statement)
        name = name_of(target(statement))
        known = found.get(name, (low, high))
        found[name] = (sp.Min(low, known[0]), sp.Max(high, known[1]))
    return found


def _ends(statement: Law | Deterministic) -> tuple[Any, Any]:
    """Return the bounds that a statement gives its variable: those of its support, or those that its formula's sign implies.

    >>> x, p = sp.symbols("x p", real=True)
    >>> _ends(Deterministic(p, 1/(1 + sp.exp(-x)))), _ends(Deterministic(p, sp.exp(x))), _ends(Deterministic(p, x))
    ((0, 1), (0, oo), (-oo, oo))
    """
    if isinstance(statement, Law):
        support = statement.support
        ends = (support.lower, support.upper) if isinstance(support, Interval) else (-sp.oo, sp.oo)
        low, high = (end if end.is_number else far for end, far in zip(ends, (-sp.oo, sp.oo), strict=True))
        return low, high
    formula = statement.formula
    if formula.is_negative:
        return -sp.oo, sp.S.Zero
    if not formula.is_positive:
        return -sp.oo, sp.oo
    share = isinstance(formula, sp.Pow) and formula.exp == -1 and (formula.base - 1).is_positive
    return sp.S.Zero, sp.S.One if share else sp.oo


def _with_bounds(law: Law, ranges: dict[str, tuple[Any, Any]]) -> Law:
    plates = set(plates_of(law))
    conditions: list[Any] = []
    for parent in law.parameters:
        low, high = ranges.get(name_of(parent), (-sp.oo, sp.oo))
        stated = any(condition.has(parent) for condition in law.conditions)  # then the user has said what is meant
        if free_plates(parent) <= plates and not stated:
            conditions += [parent > low] * (low != -sp.oo) + [parent < high] * (high != sp.oo)
    fresh = tuple(c for c in conditions if c not in (sp.true, sp.false))
    return replace(law, conditions=law.conditions + fresh) if fresh else law
