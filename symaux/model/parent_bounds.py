r"""What the parents of a variable tell about their range: with a beta law, q in $q\,e^{-z} + 2(1 - q)\,e^{-2z}$ is below one.

A density of the user's own may be one for such parameters only. Symbols know signs; what else the supports of the parents
say becomes a side condition of the law, as if the user had written it.
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


def told(statements: Iterable[Statement]) -> list[Statement]:
    """Return the statements, densities of the user's own with the bounds of the variables that stand in them.

    >>> from symaux.laws.families import beta
    >>> from symaux.laws.law import law
    >>> q, z = sp.symbols("q z", positive=True)
    >>> own = law(z, q*sp.exp(-z) + 2*(1 - q)*sp.exp(-2*z))
    >>> [s.conditions for s in told([beta(q, 2, 2), own])]
    [(), (q < 1,)]
    """
    given = list(statements)
    drawn = _ranges(s for s in given if isinstance(s, Law))
    # a rewrite computes what was drawn: only counts, which no rewrite touches, may also rely on what is computed
    counts = any(isinstance(s, Law) and s.discrete and _is_own(s) for s in given)
    known = _ranges(s for s in given if not isinstance(s, Factor)) if counts else drawn
    return [_told(s, known if s.discrete else drawn) if isinstance(s, Law) and _is_own(s) else s for s in given]


def _is_own(law: Law) -> bool:
    plain = law.spelling is None and not law.components and law.origin is None
    return plain and law.proper and isinstance(law.support, Interval | Integers)


def _ranges(statements: Iterable[Any]) -> dict[str, tuple[Any, Any]]:
    """Return the widest range of numbers that the statements of a variable give it."""
    found: dict[str, tuple[Any, Any]] = {}
    for statement in statements:
        low, high = _ends(statement)
        name = name_of(target(statement))
        known = found.get(name, (low, high))
        found[name] = (sp.Min(low, known[0]), sp.Max(high, known[1]))
    return found


def _ends(statement: Law | Deterministic) -> tuple[Any, Any]:
    """Return the ends of what a statement gives its variable: of its support, or by the sign of its formula.

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


def _told(law: Law, ranges: dict[str, tuple[Any, Any]]) -> Law:
    plates = set(plates_of(law))
    conditions: list[Any] = []
    for parent in law.parameters:
        low, high = ranges.get(name_of(parent), (-sp.oo, sp.oo))
        stated = any(condition.has(parent) for condition in law.conditions)  # then the user has said what is meant
        if free_plates(parent) <= plates and not stated:
            conditions += [parent > low] * (low != -sp.oo) + [parent < high] * (high != sp.oo)
    fresh = tuple(c for c in conditions if c not in (sp.true, sp.false))
    return replace(law, conditions=law.conditions + fresh) if fresh else law
