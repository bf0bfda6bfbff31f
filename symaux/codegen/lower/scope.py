"""Where a formula is lowered: the identifiers, where each plate starts, and how its length is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.codegen.lower.array_code import Piece
from symaux.formulas.symbols.indices import label

Reader = Callable[[Any, "Scope"], Piece | None]
Lower = Callable[[Any, "Scope"], Piece]  # a formula to its code; what lowers one kind of formula is given it


@dataclass(frozen=True)
class Scope:
    """``order`` fixes the order of axes, ``start`` the first index of a plate, ``slots`` what is computed already."""

    names: dict[str, str]
    size: Callable[[str], str]  # the code for the length of a plate
    order: tuple[str, ...] = ()
    start: dict[str, int] = field(default_factory=dict)
    slots: dict[sp.Basic, Piece] = field(default_factory=dict)
    reader: Reader | None = None  # looks an element up before the arrays do; the body of a scan has one
    whole: frozenset[str] = frozenset()  # arrays of whole numbers; everything else is read as floats
    use: Callable[[str], None] = lambda helper: None  # told which helper functions the code needs
    product: Any = None  # writes a product of two matrices, or None where that is left to einsum

    def within(self, *plates: Idx) -> Scope:
        """Return the scope inside a sum over more plates."""
        new = tuple(name for p in plates if (name := label(p)) not in self.order)
        return replace(self, order=(*self.order, *new))

    def first(self, plate: str) -> int:
        return self.start.get(plate, 0)

    def length(self, plate: str) -> str:
        """Return the code for how many elements of the plate the statement holds for."""
        first = self.first(plate)
        return f"({self.size(plate)} - {first})" if first else self.size(plate)

    def with_slots(self, slots: dict[Any, Piece]) -> Scope:
        return replace(self, slots=self.slots | slots)
