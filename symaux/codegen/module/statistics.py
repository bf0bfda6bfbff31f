"""The text around statistics: the branch of a log-density that reads them, and the function that makes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen.function.format import laid_out
from symaux.codegen.function.identifiers import identifier
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower import sums as contract
from symaux.codegen.lower.array_code import Piece, add
from symaux.codegen.lower.broadcast import evaluated
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.sums import reduce
from symaux.codegen.module.statistics_plan import Plan
from symaux.formulas.algebra.data_sides import ROW, Slot
from symaux.formulas.symbols.indices import label, name_of
from symaux.model.statements import Statement


@dataclass(frozen=True)
class Collected:
    """A statement with its plan, and the names under which its statistics stand among the data."""

    statement: Statement
    plan: Plan
    keys: tuple[str, ...]


def key(name: str, number: int, taken: set[str]) -> str:
    """Return a name for a statistic that no variable has."""
    stem = f"statistics of {name}"
    while any(other.startswith(stem) for other in taken):
        stem += "_"
    return f"{stem}, {number}"


def axes_of(plan: Plan, slot: Slot) -> tuple[str, ...]:
    """Return the plates along the axes of a statistic."""
    group = () if plan.sides.group is None else (label(plan.sides.group[1]),)
    row = (label(ROW),) if slot.is_row else ()
    return (*map(label, slot.kept), *group, *row, *map(label, slot.bound))


def collapsed(writer: Writer, made: Collected) -> Piece:
    """Reads the statistics, and the sum of the collapsed formula."""
    plan, slots = made.plan, {}
    for name, slot in zip(made.keys, plan.slots, strict=True):
        code = writer.fresh(f"{_stem(slot.column)}_{slot.kind}")
        writer.say(f"{code} = data[{name!r}]")
        slots[slot.symbol] = Piece(code, axes_of(plan, slot))
    kept = tuple(map(label, plan.sides.axes))
    scope = replace(writer.scope(made.statement), order=(*kept, label(ROW))).with_slots(slots)
    (simple,), scope = writer.prepared("part", [plan.formula], scope, lower)
    whole: Any = sp.expand_mul(simple, deep=False)
    terms = contract.terms(whole) if isinstance(whole, sp.Add) else [whole]
    return add([_summed(term, kept, scope) for term in terms], ())


def _summed(term: Any, kept: tuple[str, ...], scope: Scope) -> Piece:
    """Return a term over the kept plates, and over rows where it sums over them."""
    over_rows = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Sum) and f.variables == [ROW]]
    if len(over_rows) != 1:
        return reduce(term, kept, scope, lower)
    return reduce(term / over_rows[0] * over_rows[0].function, (*kept, label(ROW)), scope, lower)


def _stem(column: Any) -> str:
    """What a column of data is called in the code."""
    if column.is_number:
        return "unit"
    return identifier(name_of(column)) if isinstance(column, sp.Symbol | Indexed) else "data"


def there(made: Collected) -> str:
    """Return the code for whether statistics are there."""
    return f"collected({made.keys[0]!r}, {_names(made.plan.needed)}, position, data)"


def _names(names: Any) -> str:
    return f"{{{', '.join(map(repr, sorted(names)))}}}" if names else "set()"  # {} would be no set


DOC = "Sums over data alone, where they are less than the data: what a gradient then need not compute again."


def statistics(model: Any, names: dict[str, str], simplify: Any, found: list[Collected]) -> tuple[str, set[str]]:
    """Return the text of ``statistics(data, sizes)``."""
    lines, helpers = ["def statistics(data: dict, sizes: dict) -> dict:", f'    """{DOC}"""', "    found = {}"], set()
    for made in found:
        writer = Writer(model, names, simplify, (), table="sizes")
        body = _made(writer, made)
        needed = sorted(made.plan.needed)
        sized = "".join(f" and {group!r} in sizes" for group in writer.sizes if group not in model.axes.lengths)
        lines.append(f"    if {_names(needed)} <= set(data){sized}:")
        lines += [f"        {names[n]} = data[{n!r}]" for n in needed]
        if any("kind)" in line for line in body):
            lines.append(f"        kind = kind_of({', '.join(names[n] for n in needed)})")
            helpers.add("kind_of")
        lines += [f"        {line}" for line in (*writer.size_lines(), *body)]
        helpers |= writer.helpers
    return laid_out("\n".join([*lines, "    return found"]), str), helpers


def _made(writer: Writer, made: Collected) -> list[str]:
    plan, scope = made.plan, writer.scope(made.statement)
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
    keys = dict(zip(plan.slots, made.keys, strict=True))
    lines = [f"{stem} = {call}" for stem, call, _ in calls]
    lines.append(f"if {' and '.join(stem for stem, _, _ in calls)}:")
    for stem, _, slots in calls:
        lines.append(f"    found |= dict(zip([{', '.join(repr(keys[slot]) for slot in slots)}], {stem}, strict=True))")
    return lines


def _in_rows(plan: Plan) -> tuple[list[Slot], list[Slot], list[Slot]]:
    """Columns, offsets, and the centres of each offset in the order of the columns that are fitted to it."""
    rows, offsets = ([slot for slot in plan.slots if slot.kind == kind] for kind in ("rows", "offset"))
    centres = {(s.about, s.others, s.column): s for s in plan.slots if s.kind == "centre"}
    return rows, offsets, [centres[o.column, o.others, other] for o in offsets for other in o.others]


def _groups(writer: Writer, plan: Plan, scope: Scope) -> str:
    if plan.sides.group is None:
        return ""
    index, axis = plan.sides.group
    summed = tuple(map(label, plan.sides.summed))
    code = evaluated(index, summed, replace(scope, order=summed), lower).code
    return f", {code}, {writer.size(label(axis))}"


def _column(scope: Scope, slot: Slot, kept: tuple[str, ...], summed: tuple[str, ...]) -> str:
    """Return a formula in data along all kept and summed plates, and those of a sum around it."""
    order = (*kept, *summed, *map(label, slot.bound))
    if slot.column.is_number and not slot.column.free_symbols:
        shape = ", ".join(scope.length(axis) for axis in order)
        return f"jnp.full(({shape}{',' if len(order) == 1 else ''}), {float(slot.column)!r}, kind)"
    return evaluated(slot.column, order, replace(scope, order=order), lower).code
