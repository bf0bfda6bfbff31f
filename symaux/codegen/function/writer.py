"""Collect the function being written: its lines, the identifiers it has used, and the plate lengths that it reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.codegen.function.common_subexpressions import repeated_subexpressions
from symaux.codegen.function.format import format_source
from symaux.codegen.function.identifiers import fresh_identifier, identifier
from symaux.codegen.lower.array_code import Piece, align
from symaux.codegen.lower.scope import Scope
from symaux.codegen.stabilise.known_exponentials import known_exponentials
from symaux.codegen.stabilise.simplify import Simplify
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import free_plates, label
from symaux.model.model import Model
from symaux.model.statements import Statement, plates_of
from symaux.model.unroll import first_index


def slot_for(part: Any, code: str, without: Any = None) -> Any:
    """Return a symbol for a computed value; it has the free plates of the part, so that a sum around it runs over them."""
    plates = sorted((p for p in free_plates(part) if p != without), key=str)
    array: Any = IndexedBase(code, real=True)
    return array[tuple(plates)] if plates else sp.Symbol(code, real=True)


class RecordedNames(dict[str, str]):
    """A dictionary of identifiers by name that records which names were looked up."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__(names)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return super().__getitem__(name)


@dataclass
class Writer:
    """The body of one generated function while it is written.

    It is mutable: passes append lines, take fresh identifiers and record the sizes and library functions that are needed.
    So are ``Recursion``, ``ScanText`` and ``JvpRule`` in ``recursion``, while they are built.
    """

    model: Model
    names: Any  # identifiers by name; recorded, so that a function reads only what it needs
    simplify: Simplify
    available: tuple[str, ...]  # the arrays whose shapes can be read: position and data
    spare: tuple[str, ...] = ()  # arrays that a caller may leave out: a generator needs no observed ones
    table: str = ""  # the dictionary of plate lengths to use instead, if no array exists yet
    lines: list[str] = field(default_factory=list)
    sizes: dict[str, str] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    recursions: str = "scan"  # "parallel": prefix sums where they are affine; "checkpoint": less memory; "unrolled";
    # with "spread" before it for several devices, whose plate must not become a part of a longer axis
    differentiable: bool = False  # whether recursions get a rule for their derivative
    transposed: set[str] = field(default_factory=set)  # chains that are stored with their short axes first
    collected: tuple[Any, ...] = ()  # statements whose sums over data may have been computed before
    blocks: tuple[Any, ...] = ()  # recursions that are summed block by block, with all that reads them
    dropped: frozenset[str] | None = None  # names whose terms are left out as constants; None keeps all terms

    def __post_init__(self) -> None:
        self.used |= set(self.names.values())
        self.names = RecordedNames(self.names)

    @cached_property
    def known(self) -> dict[Any, Any]:
        """Return the exponentials that the model computes, by exponent."""
        return known_exponentials(self.model)

    @property
    def unrolled(self) -> bool:
        """Return whether all steps of a recursion are written out."""
        return self.recursions.endswith("unrolled")

    def append_line(self, line: str) -> None:
        """Append a line to the body."""
        self.lines.append(line)

    def fresh(self, name: str) -> str:
        """Return an identifier that nothing in this function uses yet."""
        chosen = fresh_identifier(identifier(name), self.used)
        self.used.add(chosen)
        return chosen

    def nested(self) -> Writer:
        """Return a writer for the lines of a branch of this function, with names and records shared."""
        inner = replace(self, lines=[], names=dict(self.names))
        inner.names = self.names
        return inner

    def scope(self, statement: Statement) -> Scope:
        """Return the scope in which the formulas of a statement are lowered."""
        plates = plates_of(statement)
        starts = {label(p): s for p in plates if (s := first_index(self.model, statement, p))}
        order, whole = tuple(map(label, plates)), self.model.index_arrays
        return Scope(self.names, self.size, order, starts, whole=whole, use=self.helpers.add)

    def size(self, plate: str) -> str:
        """Return the identifier of the length of a plate; ``size_lines`` writes the line that reads it."""
        group = self.model.axes.group.get(plate, plate)
        if group not in self.sizes:
            self.sizes[group] = self.fresh(f"size_{group}")
        return self.sizes[group]

    def size_lines(self) -> list[str]:
        """Return the lines that read the lengths of plates."""
        return [f"{code} = {self._length(group)}" for group, code in self.sizes.items()]

    def _length(self, group: str) -> str:
        if self.table:
            return f"{self.table}[{group!r}]"
        for name in self.available:
            axes = self.model.axes.of_array(name)
            if group in axes:
                return f"{self.names[name]}.shape[{axes.index(group)}]"
        known = f"SIZES[{group!r}]" if group in self.model.axes.lengths else ""
        for name in self.spare:
            axes = self.model.axes.of_array(name)
            if group in axes:
                where = axes.index(group)
                given = f"jnp.shape(data[{name!r}])[{where}] if {name!r} in data else {known}"
                return given if known else f"{self.names[name]}.shape[{where}]"
        if known:
            return known
        raise ModelError(f"the size of plate {group} cannot be read off any array; give it a number")

    def simplify_and_share(
        self, name: str, formulas: Iterable[Any], scope: Scope, lower: Any
    ) -> tuple[list[Any], Scope]:
        """Simplify formulas, write what they repeat as assignments, and return them with a scope that knows those names."""
        simple = [self.simplify(formula) for formula in formulas]
        repeated = repeated_subexpressions(simple)
        while repeated:
            part, *repeated = repeated
            piece = lower(part, scope)
            code = self.fresh(f"{name}_part")
            self.append_line(f"{code} = {piece.code}")
            slot = {part: slot_for(part, code)}
            simple, repeated = [f.xreplace(slot) for f in simple], [f.xreplace(slot) for f in repeated]
            scope = scope.with_slots({slot[part]: Piece(code, piece.axes)})
        return simple, scope

    def format(self, text: str) -> str:
        """Return the text of the function with lines of readable width."""
        return format_source(text, self.fresh)

    def assign(self, name: str, piece: Piece, axes: tuple[str, ...]) -> None:
        """Write an assignment of a piece with the given axes."""
        self.append_line(f"{name} = {align(piece, axes).code}")
