"""The data of a Stan program: sizes first, then arrays with what is known of them, each told in a comment."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from symaux.exchange.exporting.stan.formulas import Names
from symaux.formulas.symbols.indices import is_gather, name_of
from symaux.formulas.symbols.support import Integers
from symaux.model.model import Model
from symaux.model.statements import reads


def whole_numbers(model: Model) -> frozenset[str]:
    """Data that are declared as whole numbers: counts, what picks elements, and what the model says is whole."""
    counts = {n for n in model.observed if model.nodes[n].general.discrete}  # type: ignore[union-attr]
    stated = {r.name for s in model.statements for r in reads(s) if r.name in model.inputs and r.element.is_integer}
    return frozenset(counts | stated | (set(picked(model)) & {*model.inputs, *model.observed}))


def picked(model: Model) -> dict[str, set[tuple[str, int]]]:
    """Return the axes along which data pick elements: county in alpha[county[i]] picks along the first axis of
    alpha."""
    found: defaultdict[str, set[tuple[str, int]]] = defaultdict(set)
    for statement in model.statements:
        for read in reads(statement):
            for position, index in enumerate(read.indices):
                if is_gather(index):
                    found[name_of(index)].add((read.name, position))
    return dict(found)


def declared(model: Model, names: Names, kind: str, name: str) -> str:
    """Return the declaration of an array of numbers along its axes."""
    sizes = [names.size(group) for group in model.axes.of_array(name)]
    return f"array[{', '.join(sizes)}] {kind} {names.given[name]};" if sizes else f"{kind} {names.given[name]};"


def data_lines(model: Model, names: Names) -> list[str]:
    """Declarations in which whoever gives the data finds their sizes, shapes and meaning."""
    open_groups = sorted({g for g in model.axes.group.values() if g not in model.axes.lengths})
    lines = [f"int<lower=1> {names.size(g)};  // the size of plate {g}" for g in open_groups]
    picks = picked(model)
    for name in [*model.inputs, *sorted(model.observed)]:
        kind = "int" if name in names.whole else "real"
        line = declared(model, names, f"{kind}{_limits(model, names, name, picks.get(name, set()))}", name)
        told = _told(names, name, picks.get(name, set()))
        lines.append(f"{line}  // {told}" if told else line)
    return lines


def _limits(model: Model, names: Names, name: str, axes: set[tuple[str, int]]) -> str:
    """Bounds that Stan checks when it reads the data."""
    if axes:
        sizes = sorted({names.size(model.axes.of_array(array)[position]) for array, position in axes})
        upper = f"{int(sizes[0]) - 1}" if sizes[0].isdigit() else f"{sizes[0]} - 1"
        return f"<lower=0, upper={upper}>" if len(sizes) == 1 else "<lower=0>"
    if name in model.observed:
        support = model.nodes[name].general.support  # type: ignore[union-attr]
        if not isinstance(support, Integers) or not support.lower.is_Integer:
            return ""
        upper = f", upper={support.upper}" if support.upper.is_Integer else ""
        return f"<lower={support.lower}{upper}>"
    elements = [r.element for s in model.statements for r in reads(s) if r.name == name]
    if all(e.is_nonnegative for e in elements):
        return "<lower=0>"
    return "<upper=0>" if all(e.is_nonpositive for e in elements) else ""


def _told(names: Names, name: str, axes: set[tuple[str, int]]) -> str:
    """What a declaration does not say: another name in the model, and what whole numbers pick."""
    told = [] if names.given[name] == name else [f"{_plain(name)} in the model"]
    if axes:
        arrays = ", ".join(sorted({names.given[array] for array, _ in axes}))
        told.append(f"picks elements of {arrays}, counted from 0")
    return "; ".join(told)


def _plain(name: str) -> str:
    """Return a name that cannot end a comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def kind_of(model: Model, names: Names, name: str) -> Any:
    """Return the type of a variable as an argument of a function."""
    number = "int" if name in names.whole else "real"
    rank = model.axes.ranks[name]
    return f"array[{',' * (rank - 1)}] {number}" if rank else number
