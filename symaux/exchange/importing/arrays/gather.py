"""Translate slices, gathers and scatters of XLA to index notation: arrays of integers pick the elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.assemble import overwrite
from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, Index, slice_from, take, transpose
from symaux.formulas.symbols.indices import as_lag


def translate_slice(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    """Translate a slice, with strides or without."""
    starts, limits, strides = options["start_indices"], options["limit_indices"], options["strides"]
    (grid,) = grids
    for axis, step in enumerate(strides or ()):
        if step != 1:
            grid = take(grid, axis, into.constant(np.arange(starts[axis], limits[axis], step)))
            starts, limits = _with_full_axis(starts, limits, axis, grid.shape[axis])
    return [slice_from(grid, starts, [high - low for low, high in zip(starts, limits, strict=True)], into.constant)]


def _with_full_axis(starts: Any, limits: Any, axis: int, length: int) -> tuple[Any, Any]:
    return (*starts[:axis], 0, *starts[axis + 1 :]), (*limits[:axis], length, *limits[axis + 1 :])


def translate_dynamic_slice(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    """Translate a slice with computed starts: constants, or the time of a step inside of a scan."""
    grid, *starts = grids
    if any(s.value is None for s in starts):
        return [_at_time(grid, starts, options["slice_sizes"])]
    room = [length - size for length, size in zip(grid.shape, options["slice_sizes"], strict=True)]
    begins = [int(np.clip(int(s.value), 0, most)) for s, most in zip(starts, room, strict=True)]
    return [slice_from(grid, begins, options["slice_sizes"], into.constant)]


def _at_time(grid: Grid, starts: list[Grid], sizes: Any) -> Grid:
    """Return the row of an array at the time of a step; other axes are complete."""
    places = [s.at(()) if s.value is None else None for s in starts]
    for place, start, size, length in zip(places, starts, sizes, grid.shape, strict=True):
        whole = place is None and int(start.value) == 0 and size == length
        if not whole and (place is None or size != 1 or not (place.is_Integer or as_lag(place))):
            raise Untranslatable("a slice that starts at a latent value has no translation")
    return Grid(tuple(sizes), lambda at: grid.at(tuple(i if p is None else p for i, p in zip(at, places, strict=True))))


def translate_gather(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    """Translate a gather of elements or complete rows along one or several axes."""
    grid, places = grids
    numbers, sizes = options["dimension_numbers"], options["slice_sizes"]
    if places.value is None:
        raise Untranslatable("a gather by latent places has no translation")
    at_once = tuple(numbers.start_index_map)
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    starts = np.asarray(places.value)
    for axis, size in enumerate(sizes):
        if size != grid.shape[axis] and not (size == 1 and axis in dropped):
            raise Untranslatable("a gather of parts of rows has no translation")
    picks = {
        axis: _places(np.clip(starts[..., n], 0, grid.shape[axis] - sizes[axis]), into)
        for n, axis in enumerate(at_once)
        if axis in dropped
    }
    batching = dict(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True))
    rank = len(numbers.offset_dims) + starts.ndim - 1
    batch = [a for a in range(rank) if a not in numbers.offset_dims]
    kept = [axis for axis in range(grid.rank) if axis not in dropped]

    def at(index: Index) -> sp.Expr:
        here = tuple(index[a] for a in batch)
        own = dict(zip(kept, (index[a] for a in numbers.offset_dims), strict=True))
        own |= {axis: here[place] for axis, place in batching.items()}
        return grid.at(tuple(own[axis] if axis in own else picks[axis].at(here) for axis in range(grid.rank)))

    shape = [0] * rank
    for place, length in (*zip(batch, starts.shape[:-1], strict=True),):
        shape[place] = length
    for place, axis in zip(numbers.offset_dims, kept, strict=True):
        shape[place] = sizes[axis]
    return [Grid(tuple(shape), at)]


def _places(places: Any, into: ModelBuilder) -> Grid:
    """Return integers as data, or as a number if they are all equal."""
    if places.size and np.all(places == places.flat[0]):
        return Grid(places.shape, lambda at: sp.Integer(int(places.flat[0])))
    return into.constant(places)


def translate_scatter(change: Callable[[Any, Any], Any]) -> Callable[[list[Grid], Any, ModelBuilder], list[Grid]]:
    """Return the translation of ``array.at[places].set(new)``, or ``add``, along one axis at constant places."""

    def scatter(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
        grid, places, updates = grids
        numbers = options["dimension_numbers"]
        axes, inserted = tuple(numbers.scatter_dims_to_operand_dims), tuple(numbers.inserted_window_dims)
        if len(axes) != 1 or inserted != axes or numbers.operand_batching_dims or places.value is None:
            raise Untranslatable("changing elements along several axes, or at latent places, has no translation")
        (axis,) = axes
        starts = np.asarray(places.value)[..., 0]
        if starts.ndim > 1:
            raise Untranslatable("changing elements at a matrix of places has no translation")
        window = list(numbers.update_window_dims)
        if any(updates.shape[w] != n for w, n in zip(window, _without(grid.shape, axis), strict=True)):
            raise Untranslatable("changing parts of rows has no translation")
        if starts.ndim:
            rows = [a for a in range(updates.rank) if a not in window]
            order = [*window[:axis], *rows, *window[axis:]]
            return [overwrite(grid, starts, transpose(updates, order), axis, into, change)]
        row = Grid(
            (*grid.shape[:axis], 1, *grid.shape[axis + 1 :]), lambda at: updates.at((*at[:axis], *at[axis + 1 :]))
        )
        return [overwrite(grid, starts.reshape(1), row, axis, into, change)]

    return scatter


def _without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*shape[:axis], *shape[axis + 1 :])


__all__ = ["translate_dynamic_slice", "translate_gather", "translate_scatter", "translate_slice"]
