"""Declare the data of a Stan program: sizes first, then arrays with their bounds, explained in comments."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from symaux.exchange.exporting.stan.formulas import Names
from symaux.formulas.symbols.indices import is_gather, name_of
from symaux.formulas.symbols.support import Integers
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import reads


def whole_numbers(model: Model) -> frozenset[str]:
    """Return the data that are declared as int: counts, indices, and what the model declares as integer."""
    counts = {n for n in model.observed if _law(model, n).discrete}
    stated = {r.name for s in model.statements for r in reads(s) if r.name in model.inputs and r.element.is_integer}
    return frozenset(counts | stated | (set(gathered_axes(model)) & {*model.inputs, *model.observed}))


def _law(model: Model, name: str) -> Law:
    """Return the general law of an observed variable."""
    law = model.nodes[name].general
    assert isinstance(law, Law)
    return law


def gathered_axes(model: Model) -> dict[str, set[tuple[str, int]]]:
    """Return the axes that each array of data indexes: county in alpha[county[i]] indexes the first axis of alpha."""
    found: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for statement in model.statements:
        for read in reads(statement):
            for position, index in enumerate(read.indices):
                if is_gather(index):
                    found[name_of(index)].add((read.name, position))
    return dict(found)


def declaration(model: Model, names: Names, kind: str, name: str) -> str:
    """Return the declaration of an array of numbers along its axes."""
    sizes = [names.size(group) for group in model.axes.of_array(name)]
    return (
        f"array[{', '.join(sizes)}] {kind} {names.identifiers[name]};"
        if sizes
        else f"{kind} {names.identifiers[name]};"
    )


def data_lines(model: Model, names: Names) -> list[str]:
    """Return the declarations of the data block, with sizes, shapes and comments for users."""
    open_groups = sorted({g for g in model.axes.group.values() if g not in model.axes.lengths})
    lines = [f"int<lower=1> {names.size(g)};  // the size of plate {g}" for g in open_groups]
    picks = gathered_axes(model)
    for name in [*model.inputs, *sorted(model.observed)]:
        kind = "int" if name in names.whole else "real"
        line = declaration(model, names, f"{kind}{_limits(model, names, name, picks.get(name, set()))}", name)
        told = _comment(names, name, picks.get(name, set()))
        lines.append(f"{line}  // {told}" if told else line)
    return lines


def _limits(model: Model, names: Names, name: str, axes: set[tuple[str, int]]) -> str:
    """Return the bounds that Stan checks when it reads the data."""
    if axes:
        sizes = sorted({names.size(model.axes.of_array(array)[position]) for array, position in axes})
        upper = f"{int(sizes[0]) - 1}" if sizes[0].isdigit() else f"{sizes[0]} - 1"
        return f"<lower=0, upper={upper}>" if len(sizes) == 1 else "<lower=0>"
    if name in model.observed:
        support = _law(model, name).support
        if not isinstance(support, Integers) or not support.lower.is_Integer:
            return ""
        upper = f", upper={support.upper}" if support.upper.is_Integer else ""
        return f"<lower={support.lower}{upper}>"
    elements = [r.element for s in model.statements for r in reads(s) if r.name == name]
    if all(e.is_nonnegative for e in elements):
        return "<lower=0>"
    return "<upper=0>" if all(e.is_nonpositive for e in elements) else ""


def _comment(names: Names, name: str, axes: set[tuple[str, int]]) -> str:
    """Return the comment of a declaration: its name in the model if another, and what its numbers index."""
    told = [] if names.identifiers[name] == name else [f"{_printable(name)} in the model"]
    if axes:
        arrays = ", ".join(sorted({names.identifiers[array] for array, _ in axes}))
        told.append(f"picks elements of {arrays}, counted from 0")
    return "; ".join(told)


def _printable(name: str) -> str:
    """Return a name that cannot end a comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def argument_type(model: Model, names: Names, name: str) -> Any:
    """Return the type of a variable as an argument of a function."""
    number = "int" if name in names.whole else "real"
    rank = model.axes.ranks[name]
    return f"array[{',' * (rank - 1)}] {number}" if rank else number
