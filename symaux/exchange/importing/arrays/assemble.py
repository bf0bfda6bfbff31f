"""Assemble arrays: concatenate, stack, pad, reverse, accumulate, and overwrite elements.

The index of an element decides which part it comes from, ``where(i < 2, a[i], b[...])``; an array of integers holds its
position inside of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, Index, broadcast_in_dim
from symaux.exchange.importing.arrays.where import choose
from symaux.model.statements import deterministic

Places = Callable[[Any], Grid]  # an array of integers as data


def is_number(index: Any) -> bool:
    """Return whether an index is a number, not a plate."""
    return isinstance(index, int) or bool(getattr(index, "is_Integer", False))


def replace_entry(index: Index, axis: int, by: Any) -> Index:
    """Return an index with another entry along one axis."""
    return (*index[:axis], by, *index[axis + 1 :])


def concatenate(parts: Sequence[Grid], axis: int, places: Places) -> Grid:
    """Concatenate arrays along an axis.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, b, i = *arrays("a b"), plate("i", 3)
    >>> both = concatenate([Grid((1,), lambda at: a[at]), Grid((2,), lambda at: b[at])], 0, ModelBuilder("test").constant)
    >>> both.at((i,)), both.at((2,))
    (Piecewise((a[0], i < 1), (b[data_1[i]], True)), b[1])
    """
    parts = [part for part in parts if part.shape[axis]]
    lengths = [part.shape[axis] for part in parts]
    ends = np.cumsum(lengths)
    own = [
        np.clip(np.arange(ends[-1]) - end + length, 0, length - 1) for end, length in zip(ends, lengths, strict=True)
    ]

    def at(index: Index) -> sp.Expr:
        i = index[axis]
        if is_number(i):
            number = int(np.searchsorted(ends, int(i), side="right"))
            return parts[number].at(replace_entry(index, axis, sp.Integer(int(own[number][int(i)]))))
        made: Any = None
        for part, end, inside in reversed([*zip(parts, ends, own, strict=True)]):
            place = sp.S.Zero if part.shape[axis] == 1 else places(inside).at((i,))
            here = part.at(replace_entry(index, axis, place))
            made = here if made is None else choose(sp.StrictLessThan(i, int(end)), here, made)
        return made

    return Grid((*parts[0].shape[:axis], int(ends[-1]), *parts[0].shape[axis + 1 :]), at)


def stack(parts: Sequence[Grid], axis: int, places: Places) -> Grid:
    """Stack arrays of one shape along a new axis."""
    rank = parts[0].rank + 1
    shape = [*parts[0].shape[:axis], 1, *parts[0].shape[axis:]]
    return concatenate(
        [broadcast_in_dim(part, shape, [a for a in range(rank) if a != axis]) for part in parts], axis, places
    )


def pad(grid: Grid, filling: Grid, widths: Sequence[tuple[int, int, int]], places: Places) -> Grid:
    """Return an array with constant elements before and after it."""
    for axis, (before, after, between) in enumerate(widths):
        if between or before < 0 or after < 0:
            raise Untranslatable("padding between elements has no translation")
        front, back = (
            Grid(replace_entry(grid.shape, axis, width), lambda at: filling.at(())) for width in (before, after)
        )
        grid = concatenate([front, grid, back], axis, places) if before or after else grid
    return grid


def reverse(grid: Grid, axes: Sequence[int], places: Places) -> Grid:
    """Return an array read backwards along some axes."""

    def at(index: Index) -> sp.Expr:
        for axis in axes:
            back, i = grid.shape[axis] - 1, index[axis]
            index = replace_entry(index, axis, sp.Integer(back) - i if is_number(i) else _reversed(places, back, i))
        return grid.at(index)

    return Grid(grid.shape, at)


def _reversed(places: Places, back: int, i: Any) -> sp.Expr:
    return places(np.arange(back, -1, -1)).at((i,)) if back else sp.S.Zero


def accumulate(grid: Grid, axis: int, into: ModelBuilder, step: Callable[[Any, Any], Any]) -> Grid:
    """Return cumulative sums or products as a variable of its own with a lag, $c_t = c_{t-1} + x_t$."""
    if grid.shape[axis] < 2:
        return grid
    name = into.unnamed("running")
    made = into.variable(name, grid.shape)
    axes = tuple(into.plate(f"{name}_{a}", length) for a, length in enumerate(grid.shape))
    first, before = replace_entry(axes, axis, sp.S.Zero), replace_entry(axes, axis, axes[axis] - 1)
    into.statements += [
        deterministic(made.at(first), grid.at(first)),
        deterministic(made.at(axes), step(made.at(before), grid.at(axes))),
    ]
    return made


def overwrite(
    grid: Grid, places: Any, updates: Grid, axis: int, into: ModelBuilder, change: Callable[[Any, Any], Any]
) -> Grid:
    """Return an array with the elements at some places along an axis changed; ``updates`` has the new ones along that axis."""
    places = np.asarray(places)
    if len(set(places.tolist())) < len(places):
        raise Untranslatable("elements that are changed twice have no translation")
    inside = (places >= 0) & (places < grid.shape[axis])  # others are dropped
    source = np.zeros(grid.shape[axis], int)
    source[places[inside]] = np.flatnonzero(inside)
    hit = np.zeros(grid.shape[axis], int)
    hit[places[inside]] = 1

    def at(index: Index) -> sp.Expr:
        i = index[axis]
        if is_number(i) and not hit[int(i)]:
            return grid.at(index)
        place = sp.Integer(int(source[int(i)])) if is_number(i) else _pick(into, source, i)
        new = change(grid.at(index), updates.at(replace_entry(index, axis, place)))
        return new if is_number(i) else choose(into.constant(hit).at((i,)) > 0, new, grid.at(index))

    return Grid(grid.shape, at)


def _pick(into: ModelBuilder, source: Any, i: Any) -> sp.Expr:
    return into.constant(source).at((i,)) if np.any(source) else sp.S.Zero


__all__ = ["accumulate", "concatenate", "is_number", "overwrite", "pad", "replace_entry", "reverse", "stack"]
