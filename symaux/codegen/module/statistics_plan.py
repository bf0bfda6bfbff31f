"""Plan the sufficient statistics of a statement whose data are known: a formula in a few of them, and the remaining terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.algebra.data_sides import DataSides, Slot, split_data_sides
from symaux.formulas.symbols.indices import extent, indices_of, label, name_of, plate, references
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of
from symaux.model.unroll import first_index

Collapse = Callable[[Any, DataSides], Any | None]  # a term to its sum over the data, in terms of totals and rows
INLINED = 8  # layers of deterministic variables that are inlined


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
        """Return the names of the data from which the statistics are computed."""
        read = [slot.column for slot in self.slots] + ([self.sides.group[0]] if self.sides.group else [])
        return frozenset(name_of(r) for formula in read for r in references(formula))


@dataclass(frozen=True)
class FormulaContext:
    """The context of a formula: the model, the plates of its statement, and the number of elements that it covers."""

    model: Model
    over: tuple[Idx, ...]
    length: Callable[[Idx], Any]

    @property
    def data(self) -> frozenset[str]:
        return frozenset(self.model.inputs) | frozenset(self.model.observed)

    def axis(self, element: Any, position: int) -> Idx:
        group = self.model.axes.of_array(name_of(element))[position]
        return plate(group, self.model.axes.lengths.get(group))


def plan_statistics(model: Model, statement: Law | Factor, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return the plan that collapses all terms, or else those that read only data; None where there are none."""
    over = plates_of(statement)
    if not rules or not over or (isinstance(statement, Law) and statement.event) or not _reads_observed(model, formula):
        return None
    context = FormulaContext(model, over, lambda p: extent(p) - first_index(model, statement, p))
    return _plan_all_terms(context, formula, rules) or _plan_data_terms(context, formula, rules)


def _reads_observed(model: Model, formula: Any) -> bool:
    return any(name_of(r) in model.observed for r in references(formula))


def _plan_all_terms(context: FormulaContext, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return the plan that sums over most plates: of the formula as it is, with logarithms of positive products expanded,
    or with deterministic variables inlined."""
    inner = inline_deterministics(context.model, formula, context.over)
    ways = dict.fromkeys([formula, sp.expand_log(formula), inner, sp.expand_log(inner)])
    plans = [_plan_as_written(context, way, formula, rules) for way in ways]
    return max((p for p in plans if p is not None), key=lambda p: len(p.sides.summed), default=None)


def _plan_as_written(context: FormulaContext, written: Any, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    split = split_data_sides(written, context.over, context.data, context.axis, context.length)
    if split is None:
        return None
    rewritten, sides = split
    collapsed: list[Any] = [_collapsed(term, sides, rules) for term in _terms(rewritten)]
    slots = tuple(sides.slots.values())
    return Plan(sides, sp.Add(*collapsed), slots, formula) if slots and None not in collapsed else None


def _plan_data_terms(context: FormulaContext, formula: Any, rules: Sequence[Collapse]) -> Plan | None:
    """Return the plan for terms in data alone, if they cost more than reading a number."""
    sides = DataSides(context.data, (), context.over)
    still = [t for t in _terms(formula) if sides.is_data(t) and t.has(sp.Function) and not sides.is_free(t)]
    if not still:
        return None
    made, rest = _collapsed(sp.Add(*still), sides, rules), [t for t in _terms(formula) if t not in still]
    return None if made is None else Plan(sides, made, tuple(sides.slots.values()), sp.Add(*still), sp.Add(*rest))


def _terms(formula: Any) -> tuple[Any, ...]:
    return sp.Add.make_args(sp.expand_mul(formula, deep=False))


def _collapsed(term: Any, sides: DataSides, rules: Sequence[Collapse]) -> Any | None:
    return next((made for rule in rules if (made := rule(term, sides)) is not None), None)


def inline_deterministics(model: Model, formula: Any, over: tuple[Idx, ...]) -> Any:
    """Return the formula with deterministic variables over its plates replaced by their formulas."""
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
