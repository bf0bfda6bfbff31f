"""Find the length of every axis: plates that index the same axis of the same array have one length.

Lengths come from the sizes of the plates, and from the shapes of the data for plates without a size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sympy.tensor.indexed import Idx

from symaux.errors import DataError, ModelError
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import as_lag, extent, label
from symaux.model.statements import Read, Statement, plates_of, reads, summed_plates, target

Axis = tuple[str, int]  # the name of an array, and the position of an index in it
Key = str | Axis


@dataclass(frozen=True)
class Axes:
    """The axes that share a length, and the known lengths; ``group`` maps a plate's label or an axis to its group."""

    group: dict[Key, str]
    lengths: dict[str, int]
    ranks: dict[str, int]
    least: dict[str, int] = field(default_factory=dict)  # the least length that fixed indices ask for

    def of_array(self, name: str) -> tuple[str, ...]:
        """Return the groups along the axes of an array: its symbolic shape."""
        return tuple(self.group[name, position] for position in range(self.ranks[name]))

    def of_plate(self, plate: Idx) -> str:
        return self.group[label(plate)]

    def resolved(self, shapes: Mapping[str, Sequence[int]]) -> dict[str, int]:
        """Return the length of every group, given the shapes of some arrays; raise DataError where these conflict."""
        lengths, source = dict(self.lengths), dict.fromkeys(self.lengths, "the model")
        for name, shape in shapes.items():
            if name not in self.ranks:
                continue
            if len(shape) != self.ranks[name]:
                raise DataError(
                    f"{name} has shape {tuple(shape)}, but the model indexes it with {self.ranks[name]} indices"
                )
            for group, length in zip(self.of_array(name), shape, strict=True):
                if lengths.setdefault(group, length) != length:
                    raise DataError(
                        f"{name} has shape {tuple(shape)}: its axis {group} has length {length},"
                        f" but {source[group]} says {lengths[group]}"
                    )
                source.setdefault(group, name)
        for group, least in self.least.items():
            if group in lengths and lengths[group] < least:
                raise DataError(f"axis {group} has length {lengths[group]}, but element {least - 1} of it is used")
        return lengths


def find_axes(statements: Iterable[Statement]) -> Axes:
    """Read ranks, groups and lengths off the statements; raise ModelError where they conflict."""
    union = _Union()
    ranks: dict[str, int] = {}
    least: defaultdict[Key, int] = defaultdict(int)
    plates: dict[str, Any] = {}
    for statement in statements:
        aim = target(statement)
        places = ([] if aim is None else [Read(aim, ())]) + list(reads(statement))
        for plate in (*plates_of(statement), *sorted(summed_plates(statement), key=str)):
            _same_extent(plates, plate)
            union.add(label(plate))
        for function in {f for formula in statement.formulas for f in formula.atoms(ArrayFunction) if f.square}:
            union.merge(*map(label, function.square))
        for read in places:
            _check_rank(ranks, read, statement)
            for position, index in enumerate(read.indices):
                _join(union, least, (read.name, position), index, read, statement, plates)
    return _collect(union, ranks, least, plates)


def _same_extent(plates: dict[str, Any], plate: Idx) -> None:
    known = plates.setdefault(label(plate), plate)
    if extent(known) != extent(plate) or known.lower != plate.lower:
        raise ModelError(f"plate {label(plate)} has two sizes: {extent(known)} and {extent(plate)}")


def _check_rank(ranks: dict[str, int], read: Read, statement: Statement) -> None:
    rank = len(read.indices)
    if ranks.setdefault(read.name, rank) != rank:
        raise ModelError(
            f"{statement}: {read.element} has {rank} indices, but elsewhere {read.name} has {ranks[read.name]}"
        )


def _join(
    union: _Union,
    least: dict[Key, int],
    axis: Axis,
    index: Any,
    read: Read,
    statement: Statement,
    plates: dict[str, Any],
) -> None:
    union.add(axis)
    if index.is_Integer:
        if index < 0:
            raise ModelError(f"{statement}: {read.element} has a negative index; indices start at 0")
        least[axis] = max(least[axis], int(index) + 1)
        return
    if shifted := as_lag(index):
        plate = shifted[0]
        if plate not in (*plates_of(statement), *read.bound):
            aim = target(statement)
            raise ModelError(f"{statement}: the index {plate} in {read.element} is not defined for {aim}")
        _same_extent(plates, plate)
        union.merge(axis, label(plate))
        return
    if not any(r.element == index for r in reads(statement)) and index != target(statement):
        raise ModelError(
            f"{statement}: the index {index} of {read.element} must be a plate (sa.plate), a lag, an integer or an"
            " element of an index array"
        )


def _collect(union: _Union, ranks: dict[str, int], least: dict[Key, int], plates: dict[str, Any]) -> Axes:
    names = {root: _group_name(members) for root, members in union.classes().items()}
    group = {member: names[root] for root, members in union.classes().items() for member in members}
    lengths: dict[str, int] = {}
    for name, plate in plates.items():
        if extent(plate).is_Integer:
            length = int(extent(plate))
            if lengths.setdefault(group[name], length) != length:
                others = sorted(n for n in plates if group[n] == group[name])
                raise ModelError(f"plates {', '.join(others)} index the same axis but have different sizes")
    needed: defaultdict[str, int] = defaultdict(int)
    for axis, length in least.items():
        needed[group[axis]] = max(needed[group[axis]], length)
        known = lengths.get(group[axis])
        if known is not None and length > known:
            raise ModelError(f"index {length - 1} of {axis[0]} is out of its plate {group[axis]} of size {known}")
    return Axes(group, lengths, ranks, dict(needed))


def _group_name(members: list[Key]) -> str:
    labels = sorted(m for m in members if isinstance(m, str))
    arrays = sorted(f"{m[0]}_{m[1]}" for m in members if not isinstance(m, str))
    return (labels or arrays)[0]


class _Union:
    """Disjoint sets, by path halving."""

    def __init__(self) -> None:
        self.up: dict[Key, Key] = {}

    def add(self, key: Key) -> None:
        self.up.setdefault(key, key)

    def root(self, key: Key) -> Key:
        while self.up[key] != key:
            self.up[key] = self.up[self.up[key]]
            key = self.up[key]
        return key

    def merge(self, one: Key, other: Key) -> None:
        self.add(other)
        self.up[self.root(one)] = self.root(other)

    def classes(self) -> dict[Key, list[Key]]:
        members: defaultdict[Key, list[Key]] = defaultdict(list)
        for key in self.up:
            members[self.root(key)].append(key)
        return dict(members)
