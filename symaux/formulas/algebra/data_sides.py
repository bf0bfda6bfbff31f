r"""The two sides of a statement: what runs over data, and what is free of the plates that are summed.

A latent that is picked by data, as $\alpha_{c_i}$ is, keeps the axis that it is picked from: the data are summed by groups.
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
    """A symbol that stands for data.

    ``total`` is the sum of a column over the summed plates, ``rows`` its part of the rows that replace them; ``offset`` is a
    column plus others times their ``centre``, in rows too: what a fit leaves of it.
    """

    symbol: Any
    kind: str
    column: Any  # a formula in data alone
    kept: tuple[Idx, ...]
    bound: tuple[Idx, ...]  # plates of a sum around it
    others: tuple[Any, ...] = ()  # of an offset: the columns that are fitted to it
    about: Any = None  # of a centre: the offset that its column was fitted to

    @property
    def is_row(self) -> bool:
        return self.kind in ("rows", "offset")


@dataclass
class DataSides:
    """Plates that stay, plates that are summed, and what groups the data, with the axis that it picks from."""

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
        """Return the sum of a formula in data alone; that of a number is a multiple of how many there are."""
        if self.group is None and self.count is not None and sp.S(column).is_number:
            return column * self.count
        return self._slot("total", column)

    def rows(self, column: Any) -> Any:
        """Return a column as a column of the rows that replace the data."""
        return self._slot("rows", column)

    def offset(self, column: Any, others: tuple[Any, ...]) -> Any:
        """What is left of a column, as rows, when the others are taken away as often as their centres say."""
        return self._slot("offset", column, others)

    def centre(self, column: Any, about: Any, others: tuple[Any, ...]) -> Any:
        """Return the coefficient of a column that, together with others, takes most of an offset away."""
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


def data_sides_of(
    formula: Any,
    over: tuple[Idx, ...],
    data: frozenset[str],
    axis: Callable[[Any, int], Idx],
    length: Callable[[Idx], Any] = extent,
) -> tuple[Any, DataSides] | None:
    """Return the formula, in terms of groups where there are any, and its sides; None where nothing can be summed.

    >>> from symaux.formulas.symbols.indices import arrays
    >>> y, alpha, county, i = *arrays("y alpha"), arrays("county", integer=True), plate("i")
    >>> picked = lambda element, position: plate("c", 3)
    >>> made, sides = data_sides_of((y[i] - alpha[county[i]])**2, (i,), frozenset({"y", "county"}), picked)
    >>> made, sides.kept, sides.summed
    ((-alpha[c] + y[i])**2, (), (i,))
    """
    found = []
    for gather in [None, *_gathers(formula, data, axis)]:
        made = formula if gather is None else formula.xreplace({gather[0]: gather[1]})
        elements = [r for r in references(made) if name_of(r) not in data]
        stuck = set().union(*(free_plates(e) for e in elements))
        kept, summed = tuple(p for p in over if p in stuck), tuple(p for p in over if p not in stuck)
        if summed and (gather is None or _fits(gather, made, over, summed)):
            found.append((made, DataSides(data, kept, summed, gather, sp.Mul(*map(length, summed)))))
    return max(found, key=lambda pair: len(pair[1].summed), default=None)


def _gathers(formula: Any, data: frozenset[str], axis: Any) -> Iterator[tuple[Any, Idx]]:
    """Yield the formulas in data that pick elements of what is no data, with the axes that they pick from."""
    seen = set()
    for element in sorted({r for r in references(formula) if isinstance(r, Indexed)}, key=str):
        for position, index in enumerate(indices_of(element)):
            read = {name_of(r) for r in references(index)}
            if name_of(element) not in data and is_gather(index) and read <= data and index not in seen:
                seen.add(index)
                yield index, axis(element, position)


def _fits(gather: tuple[Any, Idx], made: Any, over: tuple[Idx, ...], summed: tuple[Idx, ...]) -> bool:
    """Return whether the group is picked by what is summed, and its axis has a name of its own."""
    index, group = gather
    bound = {label(v) for total in made.atoms(sp.Sum) for v in total.variables}
    taken = {label(p) for p in over} | bound | {label(ROW)}
    return free_plates(index) <= set(summed) and label(group) not in taken
