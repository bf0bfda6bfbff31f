"""Write ``prepare(data)``, which returns the data as arrays and checks them once, outside of any gradient."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.function.format import format_source
from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.expression import lower
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.symbols.indices import is_gather, name_of, references
from symaux.formulas.symbols.support import Integers, Interval, bounds
from symaux.laws.law import Law
from symaux.model.domains import data_conditions
from symaux.model.model import Model
from symaux.model.statements import Statement, reads

Condition = tuple[
    Statement, tuple[Idx, ...], Any
]  # a statement, plates bound by sums in it, and what must hold for every element


def prepare_source(model: Model, names: dict[str, str], simplify: Simplify, more: bool) -> tuple[str, set[str]]:
    """Return the text of ``prepare``, which checks names, shapes, supports, scales and the range of indices.

    ``more`` says that the model has statistics; data that were prepared before already hold them.
    """
    known = sorted({*model.inputs, *model.observed})
    lines = [
        "def prepare(data: dict) -> dict:",
        '    """The data as arrays, after checking names, shapes and values; once, outside of any gradient."""',
        f"    unknown = sorted(set(data) - {_names(known)}{' - STATISTICS' if more else ''})",
        '    check(not unknown, f"these are no data of the model: {unknown}")',
        f"    missing = sorted({_names(sorted(model.observed))} - set(data))",
        '    check(not missing, f"these observed variables are missing: {missing}")',
        f"    data = {{name: read(name, {{}}, data) for name in data{' if name in SHAPES' if more else ''}}}",
        "    sizes = lengths(data)",
    ]
    for needed, (statement, bound, formula), message in _conditions(model):
        writer = Writer(model, names, simplify, ())
        text = lower(formula, writer.scope(statement).within(*bound)).code
        sized = "".join(f" and {group!r} in sizes" for group in writer.sizes if group not in model.axes.lengths)
        lines.append(f"    if {_names(sorted(needed))} <= set(data){sized}:")
        lines += [f"        {names[n]} = data[{n!r}]" for n in sorted(needed)]
        lines += [f"        {code} = sizes[{group!r}]" for group, code in writer.sizes.items()]
        lines.append(f"        check({text}, {message!r})")
    if not more and not any("sizes[" in line for line in lines):
        lines[7] = "    lengths(data)"
    last = "    return data | jax.jit(lambda known: statistics(known, sizes))(data)" if more else "    return data"
    return format_source("\n".join([*lines, last]), str), {"read", "check", "lengths"}


def _names(names: list[str]) -> str:
    return f"{{{', '.join(map(repr, names))}}}" if names else "set()"


def _conditions(model: Model) -> Iterator[tuple[set[str], Condition, str]]:
    """Yield the conditions on data: the names that each needs, the condition, and the message if it fails."""
    given = set(model.inputs) | model.observed
    for statement in model.statements:
        for formula, message in _of_statement(model, statement):
            needed = {name_of(r) for r in references(formula)}
            if needed and needed <= given:
                yield needed, (statement, (), formula), message
        yield from _gathers(model, statement)
    for opened in data_conditions(model):
        needed = {name_of(r) for r in references(opened.condition)}
        if needed <= given:
            yield needed, (opened.statement, (), opened.condition), f"{opened.condition} does not hold for the data"


def _of_statement(model: Model, statement: Statement) -> Iterator[tuple[Any, str]]:
    if not isinstance(statement, Law):
        return
    for condition in statement.conditions:
        yield condition, f"{statement}: {condition} does not hold for the data"
    if statement.name in model.observed and isinstance(statement.support, Interval | Integers):
        lower_, upper = bounds(statement.support)
        whole = isinstance(statement.support, Integers)
        message = f"{statement.name} has values outside its support {statement.support}"
        if lower_ != -sp.oo:
            yield (sp.GreaterThan if whole else sp.StrictGreaterThan)(statement.value, lower_, evaluate=False), message
        if upper != sp.oo:
            yield (sp.LessThan if whole else sp.StrictLessThan)(statement.value, upper, evaluate=False), message
        if whole:
            yield sp.Eq(statement.value, sp.floor(statement.value, evaluate=False), evaluate=False), message


def _gathers(model: Model, statement: Statement) -> Iterator[tuple[set[str], Condition, str]]:
    """Yield the conditions that index arrays stay within the axes that they index; indices start at 0."""
    for read in reads(statement):
        for position, index in enumerate(read.indices):
            needed = {name_of(r) for r in references(index)}
            if not is_gather(index) or not needed <= set(model.inputs) | model.observed:
                continue
            group = model.axes.of_array(read.name)[position]
            size = sp.Symbol(f"size_{group}", integer=True, positive=True)
            inside = sp.And(index >= 0, sp.StrictLessThan(index, size, evaluate=False))
            message = f"{index} has values outside 0..{group} - 1, the elements of {read.name}"
            yield needed, (statement, read.bound, inside), message
