"""Define the scope in which a formula is lowered: identifiers, the first index of each plate, and its length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.lower.array_code import Piece
from symaux.formulas.symbols.indices import label

Reader = Callable[[Any, "Scope"], Piece | None]
Lower = Callable[[Any, "Scope"], Piece]  # lowers any formula; passed to the functions that lower one kind


@dataclass(frozen=True)
class Scope:
    """The context of a formula: ``order`` of axes, ``start`` index of plates, and ``slots`` for values computed already."""

    names: dict[str, str]
    size: Callable[[str], str]  # the code for the length of a plate
    order: tuple[str, ...] = ()
    start: dict[str, int] = field(default_factory=dict)
    slots: dict[sp.Basic, Piece] = field(default_factory=dict)
    reader: Reader | None = None  # tried first for an element of an array; the body of a scan has one
    whole: frozenset[str] = frozenset()  # arrays of integers; everything else is read as floats
    use: Callable[[str], None] = lambda helper: None  # records the library functions that the code needs
    product: Any = None  # writes a matrix product, or returns None to leave it to einsum

    def within(self, *plates: Idx) -> Scope:
        """Return the scope inside a sum over more plates."""
        new = tuple(name for p in plates if (name := label(p)) not in self.order)
        return replace(self, order=(*self.order, *new))

    def first(self, plate: str) -> int:
        """Return the first index of a plate."""
        return self.start.get(plate, 0)

    def length(self, plate: str) -> str:
        """Return the code for the number of elements of the plate that the statement covers."""
        first = self.first(plate)
        return f"({self.size(plate)} - {first})" if first else self.size(plate)

    def with_slots(self, slots: dict[Any, Piece]) -> Scope:
        """Return the scope with more values that are computed already."""
        return replace(self, slots=self.slots | slots)
