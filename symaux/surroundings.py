"""A law in its model: what the supports of its parents say of its parameters.

A weight that has a beta law lies between zero and one, and a density that mixes two others with it is one only there.

>>> from symaux.families import beta
>>> from symaux.laws import law
>>> y, gate = sp.symbols("y gate", positive=True)
>>> mixed = law(y, gate*sp.exp(-y) + 2*(1 - gate)*sp.exp(-2*y))
>>> within(Model.of(beta(gate, 2, 2), mixed), mixed).conditions
(gate < 1,)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.indices import name_of, references
from symaux.laws import Law
from symaux.model import Model
from symaux.support import Interval


def within(model: Model, law: Law) -> Law:
    """The law with the bounds of its parents among its conditions; families and vectors say themselves what they need."""
    if law.spelling is not None or law.event or law.components:
        return law
    read = {r for formula in law.formulas for r in references(formula)} - {law.value}
    told = {c for r in read for c in _bounds(model, r) if c not in (sp.true, sp.false)} - set(law.conditions)
    return replace(law, conditions=(*law.conditions, *sorted(told, key=str))) if told else law


def _bounds(model: Model, parent: Any) -> Iterator[Any]:
    node = model.nodes.get(name_of(parent))
    supports = {s.support for s in node.statements if isinstance(s, Law)} if node is not None else set()
    if len(supports) != 1 or not isinstance(support := supports.pop(), Interval):
        return
    if support.lower.is_number and support.lower.is_finite:
        yield parent > support.lower
    if support.upper.is_number and support.upper.is_finite:
        yield parent < support.upper


__all__ = ["within"]
