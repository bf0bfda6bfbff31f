"""Write the code of sufficient statistics: the branch of a log-density that reads them, and the function that computes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.format import format_source
from symaux.codegen.function.identifiers import identifier
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower import sums as contract
from symaux.codegen.lower.array_code import Piece, add
from symaux.codegen.lower.boundary import with_boundaries
from symaux.codegen.lower.broadcast import lower_broadcast
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.sums import sum_over
from symaux.codegen.module.statistics_plan import Plan
from symaux.formulas.algebra.data_sides import ROW, Slot
from symaux.formulas.symbols.indices import label, name_of
from symaux.laws.law import Law
from symaux.model.statements import Statement


@dataclass(frozen=True)
class CollapsedStatement:
    """A statement with its plan, and the names of its statistics among the data."""

    statement: Statement
    plan: Plan
    keys: tuple[str, ...]


def statistic_key(name: str, number: int, taken: set[str]) -> str:
    """Return a name for a statistic that differs from those of variables."""
    stem = f"statistics of {name}"
    while any(other.startswith(stem) for other in taken):
        stem += "_"
    return f"{stem}, {number}"


def axes_of(plan: Plan, slot: Slot) -> tuple[str, ...]:
    """Return the plates along the axes of a statistic."""
    group = () if plan.sides.group is None else (label(plan.sides.group[1]),)
    row = (label(ROW),) if slot.is_row else ()
    return (*map(label, slot.kept), *group, *row, *map(label, slot.bound))


def lower_collapsed(writer: Writer, collapsed: CollapsedStatement) -> Piece:
    """Write the lines that read the statistics; return the code of the sum of the collapsed formula."""
    plan, slots = collapsed.plan, {}
    for name, slot in zip(collapsed.keys, plan.slots, strict=True):
        code = writer.fresh(f"{_stem(slot.column)}_{slot.kind}")
        writer.append_line(f"{code} = data[{name!r}]")
        slots[slot.symbol] = Piece(code, axes_of(plan, slot))
    kept = tuple(map(label, plan.sides.axes))
    scope = replace(writer.scope(collapsed.statement), order=(*kept, label(ROW))).with_slots(slots)
    discrete = isinstance(collapsed.statement, Law) and collapsed.statement.discrete
    formula = with_boundaries(plan.formula) if discrete else plan.formula
    (simple,), scope = writer.simplify_and_share("part", [formula], scope, lower)
    whole: Any = sp.expand_mul(simple, deep=False)
    terms = contract.ordered_terms(whole) if isinstance(whole, sp.Add) else [whole]
    return add([_summed(term, kept, scope) for term in terms], ())


def _summed(term: Any, kept: tuple[str, ...], scope: Scope) -> Piece:
    """Return the sum of a term over the kept plates, and over rows where it sums over them."""
    over_rows = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Sum) and f.variables == [ROW]]
    if len(over_rows) != 1:
        return sum_over(term, kept, scope, lower)
    return sum_over(term / over_rows[0] * over_rows[0].function, (*kept, label(ROW)), scope, lower)


def _stem(column: Any) -> str:
    """Return the stem of the identifier of a column of data."""
    if column.is_number:
        return "unit"
    return identifier(name_of(column)) if isinstance(column, sp.Symbol | Indexed) else "data"


def has_statistics_code(collapsed: CollapsedStatement) -> str:
    """Return the code of the condition that statistics are given."""
    return f"collected({collapsed.keys[0]!r}, {_names(collapsed.plan.needed)}, position, data)"


def _names(names: Any) -> str:
    return f"{{{', '.join(map(repr, sorted(names)))}}}" if names else "set()"  # {} would be a dict


DOC = "Sums over data alone, where they are less than the data: what a gradient then need not compute again."


def statistics_source(
    model: Any, names: dict[str, str], simplify: Any, statements: list[CollapsedStatement]
) -> tuple[str, set[str]]:
    """Return the text of ``statistics(data, sizes)``."""
    lines, helpers = ["def statistics(data: dict, sizes: dict) -> dict:", f'    """{DOC}"""', "    found = {}"], set()
    for collapsed in statements:
        writer = Writer(model, names, simplify, (), table="sizes")
        body = _statistics_lines(writer, collapsed)
        needed = sorted(collapsed.plan.needed)
        sized = "".join(f" and {group!r} in sizes" for group in writer.sizes if group not in model.axes.lengths)
        lines.append(f"    if {_names(needed)} <= set(data){sized}:")
        lines += [f"        {names[n]} = data[{n!r}]" for n in needed]
        if any("kind)" in line for line in body):
            lines.append(f"        kind = kind_of({', '.join(names[n] for n in needed)})")
            helpers.add("kind_of")
        lines += [f"        {line}" for line in (*writer.size_lines(), *body)]
        helpers |= writer.helpers
    return format_source("\n".join([*lines, "    return found"]), str), helpers


def _statistics_lines(writer: Writer, collapsed: CollapsedStatement) -> list[str]:
    """Return the lines that compute the statistics of one statement and store them under their names."""
    plan, scope = _at_boundaries(collapsed), writer.scope(collapsed.statement)
    kept = tuple(map(label, plan.sides.kept))
    summed = tuple(map(label, plan.sides.summed))
    grouped = _groups(writer, plan, scope)
    calls = []
    rows, offsets, centres = _in_rows(plan)
    if rows or offsets:
        columns = ", ".join(_column(scope, slot, kept, summed) for slot in rows)
        places = {slot.column: number for number, slot in enumerate(rows)}
        fits = [(_column(scope, slot, kept, summed), [places[other] for other in slot.others]) for slot in offsets]
        fitted = ", ".join(f"({code}, {which})" for code, which in fits)
        call = f"compressed([{columns}], [{fitted}], {len(kept)}, {len(summed)}{grouped})"
        calls.append(("made", call, [*rows, *offsets, *centres]))
        writer.helpers.add("compressed")
    if sums := [slot for slot in plan.slots if slot.kind == "total"]:
        columns = ", ".join(_column(scope, slot, tuple(map(label, slot.kept)), summed) for slot in sums)
        shapes = ", ".join(f"({len(summed)}, {len(slot.kept)})" for slot in sums)
        calls.append(("more", f"totals([{columns}], [{shapes}]{grouped})", sums))
        writer.helpers.add("totals")
    keys = dict(zip(plan.slots, collapsed.keys, strict=True))
    lines = [f"{stem} = {call}" for stem, call, _ in calls]
    lines.append(f"if {' and '.join(stem for stem, _, _ in calls)}:")
    for stem, _, slots in calls:
        lines.append(f"    found |= dict(zip([{', '.join(repr(keys[slot]) for slot in slots)}], {stem}, strict=True))")
    return lines


def _at_boundaries(collapsed: CollapsedStatement) -> Plan:
    """Return the plan with 0·log 0 = 0 in sums over the data of a discrete law."""
    if not (isinstance(collapsed.statement, Law) and collapsed.statement.discrete):
        return collapsed.plan
    totals = [replace(s, column=with_boundaries(s.column)) if s.kind == "total" else s for s in collapsed.plan.slots]
    return replace(collapsed.plan, slots=tuple(totals))


def _in_rows(plan: Plan) -> tuple[list[Slot], list[Slot], list[Slot]]:
    """Return columns, offsets, and the centres of each offset in the order of the columns that are fitted to it."""
    rows, offsets = ([slot for slot in plan.slots if slot.kind == kind] for kind in ("rows", "offset"))
    centres = {(s.about, s.others, s.column): s for s in plan.slots if s.kind == "centre"}
    return rows, offsets, [centres[o.column, o.others, other] for o in offsets for other in o.others]


def _groups(writer: Writer, plan: Plan, scope: Scope) -> str:
    if plan.sides.group is None:
        return ""
    index, axis = plan.sides.group
    summed = tuple(map(label, plan.sides.summed))
    code = lower_broadcast(index, summed, replace(scope, order=summed), lower).code
    return f", {code}, {writer.size(label(axis))}"


def _column(scope: Scope, slot: Slot, kept: tuple[str, ...], summed: tuple[str, ...]) -> str:
    """Return the code of a formula in data along all kept and summed plates, and those of a sum around it."""
    order = (*kept, *summed, *map(label, slot.bound))
    if slot.column.is_number and not slot.column.free_symbols:
        shape = ", ".join(scope.length(axis) for axis in order)
        return f"jnp.full(({shape}{',' if len(order) == 1 else ''}), {float(slot.column)!r}, kind)"
    return lower_broadcast(slot.column, order, replace(scope, order=order), lower).code
