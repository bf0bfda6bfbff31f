r"""Split a statement into a side that runs over data and a side that is free of the summed plates.

A latent that is gathered by data, as in $\alpha_{c_i}$, keeps the axis that it is gathered from: the data are summed by group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed, IndexedBase

from symaux.formulas.symbols.indices import (
    extent,
    free_plates,
    indices_of,
    is_gather,
    label,
    name_of,
    plate,
    references,
)

ROW = plate("row")


@dataclass(frozen=True)
class Slot:
    """A symbol that stands for a statistic of the data.

    Its kind is ``total`` (the sum of a column over the summed plates), ``rows`` (the column of the rows that replace the
    data), ``offset`` (in rows too: the residual of a column after the others are fitted to it), or ``centre`` (the
    coefficient of a column in that fit).
    """

    symbol: Any
    kind: str
    column: Any  # a formula in data alone
    kept: tuple[Idx, ...]
    bound: tuple[Idx, ...]  # plates of an enclosing sum
    others: tuple[Any, ...] = ()  # for an offset: the columns that are fitted to it
    about: Any = None  # for a centre: the column of the offset that its column was fitted to

    @property
    def is_row(self) -> bool:
        """Return whether the symbol runs along the rows that replace the data."""
        return self.kind in ("rows", "offset")


@dataclass
class DataSides:
    """The plates that are kept, the plates that are summed, and the index that groups the data, with the axis it picks from."""

    data: frozenset[str]
    kept: tuple[Idx, ...]
    summed: tuple[Idx, ...]
    group: tuple[Any, Idx] | None = None
    count: Any = None  # how many elements are summed
    slots: dict[Any, Slot] = field(default_factory=dict)

    def is_free(self, part: Any) -> bool:
        """Return whether a part is the same for all elements that are summed."""
        return not free_plates(part) & set(self.summed)

    def is_data(self, part: Any) -> bool:
        """Return whether a part reads nothing but data."""
        return all(name_of(r) in self.data for r in references(part))

    def total(self, column: Any) -> Any:
        """Return the symbol for the sum of a formula in data alone; the sum of a number is that number times the count."""
        if self.group is None and self.count is not None and sp.S(column).is_number:
            return column * self.count
        return self._slot("total", column)

    def rows(self, column: Any) -> Any:
        """Return the symbol for a column in the rows that replace the data."""
        return self._slot("rows", column)

    def offset(self, column: Any, others: tuple[Any, ...]) -> Any:
        """Return the symbol for the residual rows of a column: the column plus the others times their centres."""
        return self._slot("offset", column, others)

    def centre(self, column: Any, about: Any, others: tuple[Any, ...]) -> Any:
        """Return the symbol for the coefficient of a column in the fit of ``others`` to an offset."""
        return self._slot("centre", column, others, about)

    @property
    def axes(self) -> tuple[Idx, ...]:
        """Return the plates that a collapsed formula is still summed over."""
        return self.kept if self.group is None else (*self.kept, self.group[1])

    def _slot(self, kind: str, column: Any, others: tuple[Any, ...] = (), about: Any = None) -> Any:
        column, key = sp.S(column), (kind, sp.S(column), others, about)
        if key not in self.slots:
            free = free_plates(column)
            kept = tuple(p for p in self.kept if p in free) if kind == "total" else self.kept
            bound = tuple(sorted(free - {*self.kept, *self.summed, *self.axes}, key=str))
            group = () if self.group is None else (self.group[1],)
            row = (ROW,) if kind in ("rows", "offset") else ()
            symbol = _symbol(f"{kind} {len(self.slots)}", (*kept, *group, *row, *bound))
            self.slots[key] = Slot(symbol, kind, column, kept, bound, others, about)
        return self.slots[key].symbol


def _symbol(name: str, indices: tuple[Idx, ...]) -> Any:
    array: Any = IndexedBase(name, real=True)
    return array[indices] if indices else sp.Symbol(name, real=True)


def split_data_sides(
    formula: Any,
    over: tuple[Idx, ...],
    data: frozenset[str],
    axis: Callable[[Any, int], Idx],
    length: Callable[[Idx], Any] = extent,
) -> tuple[Any, DataSides] | None:
    """Return the formula, with gathers replaced by their group axis, and its sides; None where nothing can be summed.

    >>> from symaux.formulas.symbols.indices import arrays
    >>> y, alpha, county, i = *arrays("y alpha"), arrays("county", integer=True), plate("i")
    >>> picked = lambda element, position: plate("c", 3)
    >>> made, sides = split_data_sides((y[i] - alpha[county[i]])**2, (i,), frozenset({"y", "county"}), picked)
    >>> made, sides.kept, sides.summed
    ((-alpha[c] + y[i])**2, (), (i,))
    """
    candidates = []
    for gather in [None, *_gathers(formula, data, axis)]:
        grouped = formula if gather is None else formula.xreplace({gather[0]: gather[1]})
        elements = [r for r in references(grouped) if name_of(r) not in data]
        stuck = set().union(*(free_plates(e) for e in elements))
        kept, summed = tuple(p for p in over if p in stuck), tuple(p for p in over if p not in stuck)
        if summed and (gather is None or _fits(gather, grouped, over, summed)):
            candidates.append((grouped, DataSides(data, kept, summed, gather, sp.Mul(*map(length, summed)))))
    return max(candidates, key=lambda pair: len(pair[1].summed), default=None)


def _gathers(formula: Any, data: frozenset[str], axis: Any) -> Iterator[tuple[Any, Idx]]:
    """Yield the indices in data that gather elements of an array that is not data, with the axes they gather from."""
    seen = set()
    for element in sorted({r for r in references(formula) if isinstance(r, Indexed)}, key=str):
        for position, index in enumerate(indices_of(element)):
            read = {name_of(r) for r in references(index)}
            if name_of(element) not in data and is_gather(index) and read <= data and index not in seen:
                seen.add(index)
                yield index, axis(element, position)


def _fits(gather: tuple[Any, Idx], grouped: Any, over: tuple[Idx, ...], summed: tuple[Idx, ...]) -> bool:
    """Return whether the gather index runs over summed plates only, and its axis has a name that is not yet used."""
    index, group = gather
    bound = {label(v) for total in grouped.atoms(sp.Sum) for v in total.variables}
    taken = {label(p) for p in over} | bound | {label(ROW)}
    return free_plates(index) <= set(summed) and label(group) not in taken
