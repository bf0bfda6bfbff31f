"""Build the graph with one node per element, ``z[0]``, ``z[1]``, …, for small models."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
from sympy.tensor.indexed import Idx

from symaux.errors import DataError, ModelError
from symaux.formulas.symbols.indices import indices_of, name_of
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Factor, Read, Statement, lags_of, plates_of, reads, target

LIMIT = 200_000  # elements


def unroll(model: Model, data: Mapping[str, Any] | None = None, sizes: Mapping[str, int] | None = None) -> nx.DiGraph:
    """Return a graph with one node per element: ``kind``, ``observed``, ``variable``, ``index``; lags are edges too.

    A gather without data may read any element, so it has an edge from each.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> from symaux.laws.families import normal
    >>> z, t = arrays("z"), plate("t", 3)
    >>> sorted(unroll(Model.of(normal(z[0], 0, 1), normal(z[t], z[t - 1], 1))).edges)
    [('z[0]', 'z[1]'), ('z[1]', 'z[2]')]
    """
    lengths = _lengths(model, data or {}, sizes or {})
    graph = nx.DiGraph()
    for name in (*model.inputs, *model.nodes):
        kind = model.nodes[name].kind if name in model.nodes else "input"
        shape = [lengths[group] for group in model.axes.of_array(name)]
        for index in itertools.product(*map(range, shape)):
            graph.add_node(
                element_name(name, index), kind=kind, observed=name in model.observed, variable=name, index=index
            )
            if len(graph) > LIMIT:
                raise ModelError(f"unrolling {name} passes {LIMIT} elements; give smaller sizes, as in unroll(n=5)")
    factors = list(_draws(model, lengths))
    for statement in model.statements:
        for where in assignments(model, statement, lengths):
            parents = sorted(set(_parents(model, statement, where, lengths, data or {})))
            if isinstance(statement, Factor):
                factors.append(tuple(parents))
                continue
            child = element_name(statement.name, _position(indices_of(target(statement)), where))
            graph.add_edges_from((parent, child) for parent in parents)
    graph.graph["factors"] = tuple(factors)
    return graph


def _draws(model: Model, lengths: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Yield the elements of one draw of a vector: they share a factor although no edge runs between them."""
    for statement in model.statements:
        if isinstance(statement, Law) and statement.event:
            batches: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
            for where in assignments(model, statement, lengths):
                batch = tuple(at for plate, at in where.items() if plate not in statement.event)
                batches[batch].append(element_name(statement.name, _position(indices_of(statement.value), where)))
            yield from map(tuple, batches.values())


def element_name(name: str, index: tuple[int, ...]) -> str:
    """Return the name of an element.

    >>> element_name("z", (0, 2)), element_name("mu", ())
    ('z[0,2]', 'mu')
    """
    return f"{name}[{','.join(map(str, index))}]" if index else name


def _lengths(model: Model, data: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, int]:
    shapes = {name: tuple(getattr(value, "shape", ()) or _shape(value)) for name, value in data.items()}
    given = {model.axes.group.get(name, name): size for name, size in sizes.items()}
    lengths = model.axes.resolved(shapes) | given
    for group in set(model.axes.group.values()) - set(lengths):
        if group in model.axes.least and group not in {k for k in model.axes.group if isinstance(k, str)}:
            lengths[group] = model.axes.least[group]
        else:
            raise DataError(f"the size of plate {group} is unknown; give it, as in unroll({group}=3), or give data")
    return lengths


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value), *_shape(value[0])) if isinstance(value, list | tuple) and value else ()


def assignments(model: Model, statement: Statement, lengths: Mapping[str, int]) -> Iterator[dict[Idx, int]]:
    """Yield every combination of indices that a statement holds for."""
    plates = plates_of(statement)
    ranges = [range(first_index(model, statement, plate), lengths[model.axes.of_plate(plate)]) for plate in plates]
    for combination in itertools.product(*ranges):
        yield dict(zip(plates, combination, strict=True))


def first_index(model: Model, statement: Statement, plate: Idx) -> int:
    """Return the first index of a plate for which a statement holds: after elements with statements of their own."""
    if isinstance(statement, Factor):
        return lags_of(statement).get(plate, 0)
    node = model.nodes[statement.name]
    on_axis = node.axis is not None and indices_of(target(statement))[node.axis] == plate
    return node.start(statement) if on_axis else 0


def _parents(
    model: Model, statement: Statement, where: Mapping[Idx, int], lengths: Mapping[str, int], data: Mapping[str, Any]
) -> Iterator[str]:
    for read in reads(statement):
        ranges = [range(lengths[model.axes.of_plate(plate)]) for plate in read.bound]
        for combination in itertools.product(*ranges):
            inner = dict(where) | dict(zip(read.bound, combination, strict=True))
            yield from _elements(model, read, inner, lengths, data)


def _elements(
    model: Model, read: Read, where: Mapping[Idx, int], lengths: Mapping[str, int], data: Mapping[str, Any]
) -> Iterator[str]:
    choices = []
    for position, index in enumerate(read.indices):
        length = lengths[model.axes.of_array(read.name)[position]]
        at = _value(index, where, data)
        if at is not None and not 0 <= at < length:
            raise DataError(f"{read.element}: index {at} is out of its plate of size {length}")
        choices.append(range(length) if at is None else [at])
    yield from (element_name(read.name, index) for index in itertools.product(*choices))


def _value(index: Any, where: Mapping[Idx, int], data: Mapping[str, Any]) -> int | None:
    """Return the value of an index as a number; None for a gather whose data are not given."""
    if isinstance(index, Idx):
        return where[index]
    if index.is_Integer:
        return int(index)
    if index.is_Add:
        parts = [_value(arg, where, data) for arg in index.args]
        return None if None in parts else sum(p for p in parts if p is not None)
    name = name_of(index)
    if name not in data:
        return None
    inner = [_value(i, where, data) for i in indices_of(index)]
    value = data[name]
    for position in inner:
        if position is None:
            return None
        value = value[position]
    return int(value)


def _position(indices: tuple[Any, ...], where: Mapping[Idx, int]) -> tuple[int, ...]:
    return tuple(where[i] if isinstance(i, Idx) else int(i) for i in indices)
