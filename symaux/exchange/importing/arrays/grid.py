"""Represent arrays as formulas of their indices: the element at ``[i, j]``, whatever operations made it.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> W, i, k = arrays("W"), plate("i", 3), plate("k", 2)
>>> w = Grid((3, 2), lambda at: W[at])
>>> elementwise(lambda x, y: x + y, w, scalar(1)).at((i, k))
W[i, k] + 1
>>> sum_axes(w, (1,), lambda size: k).at((i,))
Sum(W[i, k], (k, 0, 1))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.exact_constants import as_exact

Index = tuple[Any, ...]
Fresh = Callable[[int], Any]  # a new plate of a size


@dataclass(frozen=True)
class Grid:
    """A shape, and the formula at an index; ``value`` holds the numbers of a constant."""

    shape: tuple[int, ...]
    at: Callable[[Index], sp.Expr]
    value: Any = None

    @property
    def rank(self) -> int:
        return len(self.shape)


def scalar(given: Any) -> Grid:
    """Return a scalar constant."""
    return Grid((), lambda at: as_exact(given), np.asarray(given))


def elementwise(function: Callable[..., sp.Expr], *grids: Grid) -> Grid:
    """Apply a function to the elements of grids, whose shapes are broadcast as in numpy."""
    try:
        shape = np.broadcast_shapes(*(g.shape for g in grids))
    except ValueError as failure:
        raise Untranslatable(str(failure)) from None
    return Grid(shape, lambda at: function(*(broadcast(g, shape).at(at) for g in grids)))


def broadcast(grid: Grid, shape: tuple[int, ...]) -> Grid:
    """Broadcast a grid along axes of length one, and along new axes in front."""
    if grid.shape == shape:
        return grid
    skipped = len(shape) - grid.rank

    def at(index: Index) -> sp.Expr:
        own = index[skipped:]
        return grid.at(tuple(sp.S.Zero if length == 1 else i for i, length in zip(own, grid.shape, strict=True)))

    return Grid(shape, at)


def broadcast_in_dim(grid: Grid, shape: Sequence[int], axes: Sequence[int]) -> Grid:
    """Put the axes of a grid at ``axes`` of a larger shape, as in XLA's broadcast_in_dim."""

    def at(index: Index) -> sp.Expr:
        own = zip(axes, grid.shape, strict=True)
        return grid.at(tuple(sp.S.Zero if length == 1 else index[axis] for axis, length in own))

    return Grid(tuple(shape), at)


def transpose(grid: Grid, order: Sequence[int]) -> Grid:
    """Return a grid with its axes in another order."""

    def at(index: Index) -> sp.Expr:
        own: list[Any] = [None] * grid.rank
        for place, axis in enumerate(order):
            own[axis] = index[place]
        return grid.at(tuple(own))

    return Grid(tuple(grid.shape[axis] for axis in order), at)


def squeeze(grid: Grid, axes: Sequence[int]) -> Grid:
    """Return a grid without some axes of length one."""
    kept = [axis for axis in range(grid.rank) if axis not in axes]

    def at(index: Index) -> sp.Expr:
        own = dict(zip(kept, index, strict=True))
        return grid.at(tuple(own.get(axis, sp.S.Zero) for axis in range(grid.rank)))

    return Grid(tuple(grid.shape[axis] for axis in kept), at)


def reshape(grid: Grid, shape: Sequence[int], places: Callable[[Any], Grid]) -> Grid:
    """Return the same elements in another shape; ``places`` holds the index arrays of axes that are split or merged."""
    old = [axis for axis, length in enumerate(grid.shape) if length != 1]
    new = [axis for axis, length in enumerate(shape) if length != 1]
    plain = squeeze(grid, [a for a in range(grid.rank) if a not in old])
    if [grid.shape[a] for a in old] != [shape[a] for a in new]:
        plain = _regrouped(plain, [shape[a] for a in new], places)
    return broadcast_in_dim(plain, shape, new)


def _regrouped(grid: Grid, shape: list[int], places: Callable[[Any], Grid]) -> Grid:
    if np.prod(grid.shape) != np.prod(shape):
        raise Untranslatable(f"an array of shape {grid.shape} is given the shape {tuple(shape)}")
    coordinates: list[tuple[list[int], Grid | None]] = []  # for each old axis: the new axes it depends on, and a table
    for before, after in _groups(grid.shape, shape):
        own = [shape[a] for a in after]
        if len(before) == len(after) == 1:
            coordinates.append((after, None))
            continue
        found = np.unravel_index(np.arange(np.prod(own)).reshape(own), [grid.shape[a] for a in before])
        coordinates += [(after, places(np.asarray(part))) for part in found]

    def at(index: Index) -> sp.Expr:
        return grid.at(
            tuple(
                index[after[0]] if table is None else table.at(tuple(index[a] for a in after))
                for after, table in coordinates
            )
        )

    return Grid(tuple(shape), at)


def _groups(before: Sequence[int], after: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Return the smallest groups of old and new axes with equally many elements.

    >>> _groups((2, 3, 4), (6, 4))
    [([0, 1], [0]), ([2], [1])]
    """
    made, i, j = [], 0, 0
    while i < len(before):
        mine, other = [i], [j]
        while (left := np.prod([before[a] for a in mine])) != (right := np.prod([after[a] for a in other])):
            mine, other = ([*mine, mine[-1] + 1], other) if left < right else (mine, [*other, other[-1] + 1])
        made.append((mine, other))
        i, j = mine[-1] + 1, other[-1] + 1
    return made


def slice_from(grid: Grid, starts: Sequence[int], shape: Sequence[int], places: Callable[[Any], Grid]) -> Grid:
    """Return a slice with steps of one: the elements at start + i, picked by an array of integers."""
    parts = zip(starts, shape, grid.shape, strict=True)
    picks = [places(np.arange(start, start + size)) if size < length else None for start, size, length in parts]

    def at(index: Index) -> sp.Expr:
        return grid.at(tuple(i if pick is None else pick.at((i,)) for i, pick in zip(index, picks, strict=True)))

    return Grid(tuple(shape), at)


def take(grid: Grid, axis: int, places: Grid) -> Grid:
    """Return a gather along one axis: its indices are replaced by the axes of ``places``."""
    rank = places.rank

    def at(index: Index) -> sp.Expr:
        before, own, after = index[:axis], index[axis : axis + rank], index[axis + rank :]
        return grid.at((*before, places.at(own), *after))

    return Grid((*grid.shape[:axis], *places.shape, *grid.shape[axis + 1 :]), at)


def memoise(at: Callable[[Index], sp.Expr]) -> Callable[[Index], sp.Expr]:
    """Return a function that gives the same formula for the same index: a sum would run over a new plate each time."""
    known: dict[Index, sp.Expr] = {}

    def again(index: Index) -> sp.Expr:
        if index not in known:
            known[index] = at(index)
        return known[index]

    return again


def sum_axes(grid: Grid, axes: Sequence[int], fresh: Fresh) -> Grid:
    """Return the sum along some axes, each over a plate of its own."""
    kept = [axis for axis in range(grid.rank) if axis not in axes]

    def at(index: Index) -> sp.Expr:
        plates = {axis: fresh(grid.shape[axis]) for axis in axes if grid.shape[axis] != 1}
        own = dict(zip(kept, index, strict=True)) | plates
        term = grid.at(tuple(own.get(axis, sp.S.Zero) for axis in range(grid.rank)))
        return cast(sp.Expr, sp.Sum(term, *plates.values())) if plates else term

    return Grid(tuple(grid.shape[axis] for axis in kept), memoise(at))


def contract_axes(left: Grid, right: Grid, contract: Any, batch: Any, fresh: Fresh) -> Grid:
    """Return a product summed over pairs of axes, as in XLA's dot_general: batch axes first, then those of each
    operand."""
    (left_sum, right_sum), (left_batch, right_batch) = contract, batch
    left_free = [a for a in range(left.rank) if a not in (*left_sum, *left_batch)]
    right_free = [a for a in range(right.rank) if a not in (*right_sum, *right_batch)]
    shape = [left.shape[a] for a in (*left_batch, *left_free)] + [right.shape[a] for a in right_free]

    def at(index: Index) -> sp.Expr:
        plates = [sp.S.Zero if left.shape[a] == 1 else fresh(left.shape[a]) for a in left_sum]
        common, rest = index[: len(left_batch)], index[len(left_batch) :]
        mine = dict(zip(left_batch, common, strict=True)) | dict(zip(left_free, rest, strict=False))
        other = dict(zip(right_batch, common, strict=True)) | dict(zip(right_free, rest[len(left_free) :], strict=True))
        mine |= dict(zip(left_sum, plates, strict=True))
        other |= dict(zip(right_sum, plates, strict=True))
        term = left.at(tuple(mine[a] for a in range(left.rank))) * right.at(tuple(other[a] for a in range(right.rank)))
        over = [plate for plate in plates if plate != 0]
        return cast(sp.Expr, sp.Sum(term, *over)) if over else term

    return Grid(tuple(shape), memoise(at))
