"""What becomes of a statement whose data are known: a formula in a few statistics, and what is left as it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.algebra.data_sides import DataSides, Slot, data_sides_of
from symaux.formulas.symbols.indices import extent, indices_of, label, name_of, plate, references
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of
from symaux.model.unroll import start

Collapse = Callable[[Any, DataSides], Any | None]  # a term to an equal one, summed, in terms of totals and rows
INLINED = 8  # how many layers of deterministic variables are looked into


@dataclass(frozen=True)
class Plan:
    """The collapsed formula, the statistics in it, what it replaces, and the terms that keep running over the data."""

    sides: DataSides
    formula: Any
    slots: tuple[Slot, ...]
    replaced: Any
    rest: Any = sp.S.Zero

    @property
    def needed(self) -> frozenset[str]:
        """Return the data that the statistics are made from."""
        read = [slot.column for slot in self.slots] + ([self.sides.group[0]] if self.sides.group else [])
        return frozenset(name_of(r) for formula in read for r in references(formula))


@dataclass(frozen=True)
class Place:
    """Where a formula stands: the model, the plates of its statement, and for how many elements it holds."""

    model: Model
    over: tuple[Idx, ...]
    length: Callable[[Idx], Any]

    @property
    def data(self) -> frozenset[str]:
        return frozenset(self.model.inputs) | frozenset(self.model.observed)

    def axis(self, element: Any, position: int) -> Idx:
        group = self.model.axes.of_array(name_of(element))[position]
        return plate(group, self.model.axes.lengths.get(group))


def planned(model: Model, statement: Law | Factor, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return all terms collapsed, or else those that read nothing but data; None where there are none."""
    over = plates_of(statement)
    if not rules or not over or (isinstance(statement, Law) and statement.event) or not _watches(model, formula):
        return None
    place = Place(model, over, lambda p: extent(p) - start(model, statement, p))
    return _whole(place, formula, rules) or _constant(place, formula, rules)


def _watches(model: Model, formula: Any) -> bool:
    return any(name_of(r) in model.observed for r in references(formula))


def _whole(place: Place, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return the plan that sums over most plates: of the formula as it stands, with logarithms of products taken
    apart where their factors are positive, or with deterministic variables looked into."""
    inner = inlined(place.model, formula, place.over)
    ways = dict.fromkeys([formula, sp.expand_log(formula), inner, sp.expand_log(inner)])
    plans = [_opened(place, way, formula, rules) for way in ways]
    return max((p for p in plans if p is not None), key=lambda p: len(p.sides.summed), default=None)


def _opened(place: Place, opened: Any, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    found = data_sides_of(opened, place.over, place.data, place.axis, place.length)
    if found is None:
        return None
    made: list[Any] = [_collapsed(term, found[1], rules) for term in _terms(found[0])]
    slots = tuple(found[1].slots.values())
    return Plan(found[1], sp.Add(*made), slots, formula) if slots and None not in made else None


def _constant(place: Place, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return terms in data alone, if they cost more than reading a number."""
    sides = DataSides(place.data, (), place.over)
    still = [t for t in _terms(formula) if sides.is_data(t) and t.has(sp.Function) and not sides.is_free(t)]
    if not still:
        return None
    made, rest = _collapsed(sp.Add(*still), sides, rules), [t for t in _terms(formula) if t not in still]
    return None if made is None else Plan(sides, made, tuple(sides.slots.values()), sp.Add(*still), sp.Add(*rest))


def _terms(formula: Any) -> tuple[Any, ...]:
    return sp.Add.make_args(sp.expand_mul(formula, deep=False))


def _collapsed(term: Any, sides: DataSides, rules: Sequence[Collapse]) -> Any | None:
    return next((made for rule in rules if (made := rule(term, sides)) is not None), None)


def inlined(model: Model, formula: Any, over: tuple[Idx, ...]) -> Any:
    """Return the formula with deterministic variables over its plates replaced by their own formulas."""
    for _ in range(INLINED):
        found = {e: made for e in set(references(formula)) if (made := _inner(model, e, over)) is not None}
        if not found:
            break
        formula = formula.xreplace(found)
    return formula


def _inner(model: Model, element: Any, over: tuple[Idx, ...]) -> Any | None:
    """Return the formula of a deterministic element that is read at plates that the statement has."""
    node = model.nodes.get(name_of(element))
    if node is None or node.kind != "deterministic" or node.axis is not None or node.lags:
        return None
    statement = node.general
    assert isinstance(statement, Deterministic)
    own, read = indices_of(statement.target), tuple[Any, ...](indices_of(element))
    if not set(read) & set(over) or not all(isinstance(i, Idx) for i in (*own, *read)):
        return None
    bound = {label(v) for total in statement.formula.atoms(sp.Sum) for v in total.variables}
    if bound & {label(p) for p in (*over, *read)}:
        return None
    return statement.formula.xreplace(dict(zip(own, read, strict=True)))
