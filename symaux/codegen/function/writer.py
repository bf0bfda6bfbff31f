"""The function being written: its lines, the identifiers it has used, and the plate lengths that it must read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.tensor.indexed import IndexedBase

from symaux.codegen.function.common_subexpressions import shared
from symaux.codegen.function.format import laid_out
from symaux.codegen.function.identifiers import fresh, identifier
from symaux.codegen.lower.array_code import Piece, aligned
from symaux.codegen.lower.scope import Scope
from symaux.codegen.stabilise.known_exponentials import exponentials
from symaux.codegen.stabilise.simplify import Simplify
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import free_plates, label
from symaux.model.model import Model
from symaux.model.statements import Statement, plates_of
from symaux.model.unroll import start


def slot_for(part: Any, code: str, without: Any = None) -> Any:
    """Return a symbol that stands for a value; it keeps the free plates, so that a sum around it sees what it ran
    over."""
    plates = sorted((p for p in free_plates(part) if p != without), key=str)
    array: Any = IndexedBase(code, real=True)
    return array[tuple(plates)] if plates else sp.Symbol(code, real=True)


class Recording(dict[str, str]):
    """Identifiers by name, that remembers which were asked for."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__(names)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return super().__getitem__(name)


@dataclass
class Writer:
    """Collects the body of one generated function. The only mutable thing in code generation."""

    model: Model
    names: Any  # identifiers by name; recorded, so that a function reads only what it needs
    simplify: Simplify
    available: tuple[str, ...]  # the arrays whose shapes can be read: position and data
    spare: tuple[str, ...] = ()  # arrays that a caller may leave out: a generator needs no observed ones
    table: str = ""  # where plate lengths are looked up instead, if nothing has a shape yet
    lines: list[str] = field(default_factory=list)
    sizes: dict[str, str] = field(default_factory=dict)
    helpers: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    recursions: str = "scan"  # "parallel": prefix sums where they are affine; "checkpoint": less memory; "unrolled";
    # with "spread" before it for several devices, whose plate must not become a part of a longer axis
    differentiable: bool = False  # whether recursions get a rule for their derivative
    turned: set[str] = field(default_factory=set)  # chains that are held with their short axes first
    collected: tuple[Any, ...] = ()  # statements whose sums over data may have been made already
    blocks: tuple[Any, ...] = ()  # recursions that are summed block by block, with all that reads them
    dropped: frozenset[str] | None = None  # names whose terms are constants that nobody wants; None: all are kept

    def __post_init__(self) -> None:
        self.used |= set(self.names.values())
        self.names = Recording(self.names)

    @cached_property
    def known(self) -> dict[Any, Any]:
        """Return the exponentials that the model computes."""
        return exponentials(self.model)

    @property
    def unrolled(self) -> bool:
        """Return whether all steps of a recursion are written out."""
        return self.recursions.endswith("unrolled")

    def say(self, line: str) -> None:
        self.lines.append(line)

    def fresh(self, name: str) -> str:
        """Return an identifier that nothing in this function uses yet."""
        chosen = fresh(identifier(name), self.used)
        self.used.add(chosen)
        return chosen

    def nested(self) -> Writer:
        """Return a writer of lines that stand in a branch of this function."""
        inner = replace(self, lines=[], names=dict(self.names))
        inner.names = self.names
        return inner

    def scope(self, statement: Statement) -> Scope:
        """Where the formulas of a statement are lowered."""
        plates = plates_of(statement)
        starts = {label(p): s for p in plates if (s := start(self.model, statement, p))}
        order, whole = tuple(map(label, plates)), self.model.index_arrays
        return Scope(self.names, self.size, order, starts, whole=whole, use=self.helpers.add)

    def size(self, plate: str) -> str:
        """Return the identifier that holds the length of a plate; the line that reads it is written first."""
        group = self.model.axes.group.get(plate, plate)
        if group not in self.sizes:
            self.sizes[group] = self.fresh(f"size_{group}")
        return self.sizes[group]

    def size_lines(self) -> list[str]:
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

    def prepared(self, name: str, formulas: Iterable[Any], scope: Scope, lower: Any) -> tuple[list[Any], Scope]:
        """Return the formulas simplified, and a scope in which sub-expressions that they repeat are computed once."""
        simple = [self.simplify(formula) for formula in formulas]
        repeated = shared(simple)
        while repeated:
            part, *repeated = repeated
            piece = lower(part, scope)
            code = self.fresh(f"{name}_part")
            self.say(f"{code} = {piece.code}")
            slot = {part: slot_for(part, code)}
            simple, repeated = [f.xreplace(slot) for f in simple], [f.xreplace(slot) for f in repeated]
            scope = scope.with_slots({slot[part]: Piece(code, piece.axes)})
        return simple, scope

    def laid_out(self, text: str) -> str:
        """Return the text of the function with lines of a readable width."""
        return laid_out(text, self.fresh)

    def assign(self, name: str, piece: Piece, axes: tuple[str, ...]) -> None:
        self.say(f"{name} = {aligned(piece, axes).code}")
