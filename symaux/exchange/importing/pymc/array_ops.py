"""Translate PyTensor's array operations to index notation: slices, index arrays, concatenation, cumulative sums, softmax."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.assemble import accumulate, concatenate, is_number, overwrite, reverse, stack
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import (
    Grid,
    broadcast,
    contract_axes,
    elementwise,
    slice_from,
    squeeze,
    sum_axes,
    take,
)

SHORT = 8  # elements of a sum over parts of different kinds, or of a product, that are written out


def translate_reduction(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate a sum, or a product of a few elements."""
    grid, kind = graph.grid(inputs[0]), type(op.scalar_op).__name__
    axes = list(range(grid.rank)) if op.axis is None else [a % grid.rank for a in op.axis]
    if kind == "Add":
        return _over_parts(grid, axes, graph)
    if kind == "Mul" and int(np.prod([grid.shape[a] for a in axes])) <= SHORT:
        return _written_out(grid, axes, sp.Mul)
    raise Untranslatable(f"the reduction by {kind} has no translation")


def _over_parts(grid: Grid, axes: list[int], graph: Any) -> Grid:
    """Return a sum along some axes; write it out over a few stacked parts, each of which has its own formula."""
    whole = sum_axes(grid, axes, graph.into.fresh)
    if int(np.prod([grid.shape[a] for a in axes])) > SHORT:
        return whole
    out = _written_out(grid, axes, sp.Add)

    def at(index: Any) -> sp.Expr:
        made = whole.at(index)
        chosen = isinstance(made, sp.Sum) and any(
            condition.has(*(limit[0] for limit in made.limits))
            for choice in made.function.atoms(sp.Piecewise)
            for _, condition in cast(Any, choice.args)
        )
        return out.at(index) if chosen else made

    return Grid(whole.shape, at)


def _written_out(grid: Grid, axes: list[int], joining: Any) -> Grid:
    kept = [a for a in range(grid.rank) if a not in axes]
    places = [*np.ndindex(*(grid.shape[a] for a in axes))]

    def at(index: Any) -> sp.Expr:
        own = dict(zip(kept, index, strict=True))
        rows = [own | dict(zip(axes, map(sp.Integer, place), strict=True)) for place in places]
        return joining(*(grid.at(tuple(row[a] for a in range(grid.rank))) for row in rows))

    return Grid(tuple(grid.shape[a] for a in kept), at)


def translate_product(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate a product of matrices, or of a matrix and a vector."""
    left, right = map(graph.grid, inputs)
    if left.rank > 2 or right.rank > 2:
        raise Untranslatable("a product of stacks of matrices has no translation")
    contract = ((left.rank - 1,), (0 if right.rank < 2 else right.rank - 2,))
    return contract_axes(left, right, contract, ((), ()), graph.into.fresh)


def translate_subtensor(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate slices, and single indices along some axes."""
    from pytensor.tensor.subtensor import indices_from_subtensor  # pyright: ignore[reportMissingImports]  # optional

    grid = graph.grid(inputs[0])
    starts, shape, dropped = [0] * grid.rank, list(grid.shape), []
    for axis, entry in enumerate(indices_from_subtensor(inputs[1:], op.idx_list)):
        places = _places(entry, grid.shape[axis], graph)
        if isinstance(places, int):
            starts[axis], shape[axis] = places, 1
            dropped.append(axis)
        elif places.step == 1:
            starts[axis], shape[axis] = places.start, len(places)
        else:
            backwards = places == range(grid.shape[axis] - 1, -1, -1)
            rows = graph.into.constant(np.array(places))
            grid = reverse(grid, [axis], graph.into.constant) if backwards else take(grid, axis, rows)
            shape[axis] = len(places)
    return squeeze(slice_from(grid, starts, shape, graph.into.constant), dropped)


def _places(entry: Any, length: int, graph: Any) -> Any:
    """Return a place along an axis, or the range of a slice."""

    def number(part: Any) -> Any:
        return None if part is None else int(graph.number(part) if hasattr(part, "type") else part)

    if isinstance(entry, slice):
        return range(length)[slice(number(entry.start), number(entry.stop), number(entry.step))]
    return number(entry) % length


def translate_advanced_subtensor(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate indexing by arrays of integers or booleans along adjacent axes."""
    grid = graph.grid(inputs[0])
    axes, arrays = _indices(op, list(inputs[1:]), graph)
    if len(axes) == 1:
        places = arrays[0] % grid.shape[axes[0]]
        return take(grid, axes[0], graph.into.constant(places, _hint(op, inputs, axes[0])))
    if axes != list(range(axes[0], axes[0] + len(axes))):
        raise Untranslatable("indexing by arrays along axes that are not adjacent has no translation")
    first, shape = axes[0], np.broadcast_shapes(*(a.shape for a in arrays))
    picks = [
        _constant(np.broadcast_to(a % grid.shape[axis], shape), graph) for axis, a in zip(axes, arrays, strict=True)
    ]

    def at(index: Any) -> sp.Expr:
        here = index[first : first + len(shape)]
        return grid.at((*index[:first], *(pick.at(here) for pick in picks), *index[first + len(shape) :]))

    return Grid((*grid.shape[:first], *shape, *grid.shape[first + len(axes) :]), at)


def _constant(places: Any, graph: Any) -> Grid:
    if places.size and np.all(places == places.flat[0]):
        return Grid(places.shape, lambda at: sp.Integer(int(places.flat[0])))
    return graph.into.constant(places)


def _hint(op: Any, inputs: Any, axis: int) -> str:
    entries = list(inputs[1:])
    return (entries[axis] if len(entries) > axis else entries[-1]).name or ""


def _indices(op: Any, entries: list[Any], graph: Any) -> tuple[list[int], list[Any]]:
    """Return the axes that arrays index, and the arrays."""
    kinds = list(op.idx_list) if getattr(op, "idx_list", None) is not None else entries
    whole = [
        (isinstance(kind, slice) and kind == slice(None))
        or str(kind).startswith(("SliceConstant{None", "slice(None, None"))
        for kind in kinds
    ]
    axes = [axis for axis, every in enumerate(whole) if not every]
    if any(isinstance(kinds[axis], slice) for axis in axes):
        raise Untranslatable("indexing by arrays and slices at once has no translation")
    given = entries if len(entries) < len(kinds) else [entries[axis] for axis in axes]
    arrays = []
    for entry in given[: len(axes)]:
        found = np.asarray(graph.number(entry)) if graph.fixed(entry) else None
        if found is None:
            raise Untranslatable("indexing by a latent array has no translation")
        arrays += list(np.nonzero(found)) if found.dtype.kind == "b" else [found]
    if len(arrays) != len(axes) and len(axes) == 1:
        axes = list(range(axes[0], axes[0] + len(arrays)))
    return axes, arrays


def translate_inc_subtensor(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate ``set_subtensor`` and ``inc_subtensor`` along the first axis."""
    grid, new = graph.grid(inputs[0]), graph.grid(inputs[1])
    if type(op).__name__ == "IncSubtensor":
        from pytensor.tensor.subtensor import indices_from_subtensor  # pyright: ignore[reportMissingImports]  # optional

        entries = list(indices_from_subtensor(inputs[2:], op.idx_list))
        places = _places(entries[0], grid.shape[0], graph)
        rows = np.array([places]) if isinstance(places, int) else np.array(places, int)
        whole = len(entries) == 1
        new = Grid((1, *new.shape), lambda at: new_at(at[1:])) if isinstance(places, int) else new
        new_at = graph.grid(inputs[1]).at
    else:
        axes, arrays = _indices(op, list(inputs[2:]), graph)
        rows, whole = arrays[0] % grid.shape[0], axes == [0] and arrays[0].ndim == 1
    if not whole:
        raise Untranslatable("changing elements along several axes has no translation")
    spread = broadcast(new, (len(rows), *grid.shape[1:]))
    adds = not getattr(op, "set_instead_of_inc", False)
    return overwrite(grid, rows, spread, 0, graph.into, (lambda old, x: old + x) if adds else (lambda old, x: x))


def translate_join(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate a concatenation."""
    parts = list(map(graph.grid, inputs[1:]))
    return concatenate(parts, int(graph.number(inputs[0])) % parts[0].rank, graph.into.constant)


def translate_make_vector(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate a vector of scalars."""
    return stack(list(map(graph.grid, inputs)), 0, graph.into.constant)


def translate_cumulative(op: Any, inputs: Any, graph: Any) -> Grid:
    """Translate a cumulative sum or product."""
    grid, mode = graph.grid(inputs[0]), getattr(op, "mode", "add")
    if op.axis is None and grid.rank > 1:
        raise Untranslatable("a running sum over several axes has no translation")
    step = (lambda before, x: before * x) if mode == "mul" else (lambda before, x: before + x)
    return accumulate(grid, 0 if op.axis is None else op.axis % grid.rank, graph.into, step)


def translate_softmax(op: Any, inputs: Any, graph: Any) -> Grid:
    r"""Translate $e^{x_k}/\sum_j e^{x_j}$ along an axis, or its logarithm."""
    grid = graph.grid(inputs[0])
    axis = (op.axis if op.axis is not None else -1) % grid.rank
    odds = elementwise(sp.exp, grid)
    mass = sum_axes(odds, [axis], graph.into.fresh)

    def at(index: Any) -> sp.Expr:
        below = mass.at((*index[:axis], *index[axis + 1 :]))
        return grid.at(index) - sp.log(below) if type(op).__name__ == "LogSoftmax" else odds.at(index) / below

    return Grid(grid.shape, at)


__all__ = [
    "is_number",
    "translate_advanced_subtensor",
    "translate_cumulative",
    "translate_inc_subtensor",
    "translate_join",
    "translate_make_vector",
    "translate_product",
    "translate_reduction",
    "translate_softmax",
    "translate_subtensor",
]
