"""Arrays that are put together: joined along an axis, stacked, added up step by step, with elements replaced.

Which part an element comes from is told by its index, ``where(i < 2, a[i], b[...])``; where inside of the part it
stands, by an array of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import Collected
from symaux.exchange.importing.arrays.errors import Unknown
from symaux.exchange.importing.arrays.grid import Grid, Index, spread
from symaux.exchange.importing.arrays.where import chosen
from symaux.model.statements import deterministic

Places = Callable[[Any], Grid]  # an array of whole numbers as data


def is_number(index: Any) -> bool:
    """Return whether an index is a place and no plate."""
    return isinstance(index, int) or bool(getattr(index, "is_Integer", False))


def replaced(index: Index, axis: int, by: Any) -> Index:
    """Return an index with another entry along one axis."""
    return (*index[:axis], by, *index[axis + 1 :])


def joined(parts: Sequence[Grid], axis: int, places: Places) -> Grid:
    """Arrays one after the other along an axis.

    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> a, b, i = *arrays("a b"), plate("i", 3)
    >>> both = joined([Grid((1,), lambda at: a[at]), Grid((2,), lambda at: b[at])], 0, Collected("test").constant)
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
            return parts[number].at(replaced(index, axis, sp.Integer(int(own[number][int(i)]))))
        made = None
        for part, end, inside in reversed([*zip(parts, ends, own, strict=True)]):
            place = sp.S.Zero if part.shape[axis] == 1 else places(inside).at((i,))
            here = part.at(replaced(index, axis, place))
            made = here if made is None else chosen(sp.StrictLessThan(i, int(end)), here, made)
        return made

    return Grid((*parts[0].shape[:axis], int(ends[-1]), *parts[0].shape[axis + 1 :]), at)


def stacked(parts: Sequence[Grid], axis: int, places: Places) -> Grid:
    """Arrays of one shape along a new axis."""
    rank = parts[0].rank + 1
    shape = [*parts[0].shape[:axis], 1, *parts[0].shape[axis:]]
    return joined([spread(part, shape, [a for a in range(rank) if a != axis]) for part in parts], axis, places)


def padded(grid: Grid, filling: Grid, widths: Sequence[tuple[int, int, int]], places: Places) -> Grid:
    """Return an array with constant elements before and after it."""
    for axis, (before, after, between) in enumerate(widths):
        if between or before < 0 or after < 0:
            raise Unknown("padding between elements has no translation")
        front, back = (Grid(replaced(grid.shape, axis, width), lambda at: filling.at(())) for width in (before, after))
        grid = joined([front, grid, back], axis, places) if before or after else grid
    return grid


def turned(grid: Grid, axes: Sequence[int], places: Places) -> Grid:
    """Return an array read backwards along some axes."""

    def at(index: Index) -> sp.Expr:
        for axis in axes:
            back, i = grid.shape[axis] - 1, index[axis]
            index = replaced(index, axis, sp.Integer(back) - i if is_number(i) else _reversed(places, back, i))
        return grid.at(index)

    return Grid(grid.shape, at)


def _reversed(places: Places, back: int, i: Any) -> sp.Expr:
    return places(np.arange(back, -1, -1)).at((i,)) if back else sp.S.Zero


def accumulated(grid: Grid, axis: int, into: Collected, step: Callable[[Any, Any], Any]) -> Grid:
    """Return sums or products of all elements so far: a variable of its own that looks back, $c_t = c_{t-1} + x_t$."""
    if grid.shape[axis] < 2:
        return grid
    name = into.unnamed("running")
    made = into.variable(name, grid.shape)
    axes = tuple(into.plate(f"{name}_{a}", length) for a, length in enumerate(grid.shape))
    first, before = replaced(axes, axis, sp.S.Zero), replaced(axes, axis, axes[axis] - 1)
    into.statements += [
        deterministic(made.at(first), grid.at(first)),
        deterministic(made.at(axes), step(made.at(before), grid.at(axes))),
    ]
    return made


def overwritten(
    grid: Grid, places: Any, updates: Grid, axis: int, into: Collected, change: Callable[[Any, Any], Any]
) -> Grid:
    """Return an array with the elements at some places along an axis changed by new ones; ``updates`` has them along
    that axis."""
    places = np.asarray(places)
    if len(set(places.tolist())) < len(places):
        raise Unknown("elements that are changed twice have no translation")
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
        new = change(grid.at(index), updates.at(replaced(index, axis, place)))
        return new if is_number(i) else chosen(into.constant(hit).at((i,)) > 0, new, grid.at(index))

    return Grid(grid.shape, at)


def _pick(into: Collected, source: Any, i: Any) -> sp.Expr:
    return into.constant(source).at((i,)) if np.any(source) else sp.S.Zero


__all__ = ["accumulated", "is_number", "joined", "overwritten", "padded", "replaced", "stacked", "turned"]
