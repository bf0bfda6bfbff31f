"""Describe the variables of a recursion over time, write the elements before it starts, and read other times in a step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import lower_along
from symaux.codegen.lower.scope import Reader, Scope
from symaux.codegen.recursion.scan_text import Elements, concatenate_code
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import as_lag, at_index, indices_of, label, name_of
from symaux.model.node import Node
from symaux.model.statements import Deterministic, plates_of, target


@dataclass(frozen=True)
class Chain:
    """One variable of the recursion: its node, its time plate, and the largest lag at which it is read."""

    node: Node
    time: Idx
    memory: int
    permutation: tuple[int, ...] = ()  # the order in which the axes of a time slice are stored, if it differs

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def axes(self) -> tuple[str, ...]:
        """Return the plates of one time slice."""
        return self.permute(tuple(label(p) for p in self.node.plates if p != self.time))

    def permute(self, along: Any) -> Any:
        """Return a sequence along the axes of a time slice in the order in which they are stored."""
        return type(along)(along[place] for place in self.permutation) if self.permutation else along

    @property
    def storage_order(self) -> tuple[int, ...]:
        """Return the positions of time, and then of the axes of a slice, among the axes of the variable."""
        places = [label(p) for p in self.node.plates]
        return tuple(places.index(axis) for axis in (label(self.time), *self.axes))

    def concatenate(self, first: list[str], rest: str) -> str:
        """Return the code that joins the elements before the scan and its output to one array with the axes of the variable."""
        if not self.permutation:
            return concatenate_code(first, rest, self.node.axis or 0)
        back = tuple(self.storage_order.index(place) for place in range(len(self.storage_order)))
        return f"jnp.transpose({concatenate_code(first, rest, 0)}, {back})"


def chain_of(node: Node, nodes: list[Node]) -> Chain:
    """Return the chain of a node; raise ModelError where its first elements or a general statement are missing."""
    if node.axis is None:
        raise ModelError(f"{node.general}: part of a recursion over time, so its first elements need statements")
    time = indices_of(target(node.general))[node.axis]
    if not isinstance(time, Idx):
        raise ModelError(f"{node.name}: a recursion needs a general statement, as in {node.name}[t]")
    memory = max((lags[-1] for other in nodes if (lags := other.lags.get(node.name))), default=0)
    return Chain(node, time, memory)


def write_fixed_elements(writer: Writer, chains: list[Chain], first: int, arrays: Reader | None) -> Elements:
    """Write the elements before the scan starts, one by one: z_0, z_1, …; return their identifiers."""
    found: Elements = {}
    for position in range(first):
        for chain in chains:
            statement = _at(chain, position)
            axes = chain.permute(tuple(map(label, plates_of(statement))))
            scope = replace(writer.scope(statement), order=axes, reader=_fixed_reader(chains, found, arrays))
            code = writer.fresh(f"{writer.names[chain.name]}_{position}")
            formula = writer.simplify(statement.formula)
            writer.append_line(f"{code} = {lower_along(formula, axes, scope).code}")
            found[chain.name, position] = code
    return found


def _at(chain: Chain, position: int) -> Deterministic:
    """Return the statement about a fixed element: its own, or the general one at that time."""
    node = chain.node
    statement = node.statements[position] if position < len(node.initial) else node.general
    if statement is node.general:
        at, general = sp.Integer(position), cast(Deterministic, node.general)
        return Deterministic(at_index(general.target, chain.time, at), at_index(general.formula, chain.time, at))
    return cast(Deterministic, statement)


def _fixed_reader(chains: list[Chain], found: Elements, arrays: Reader | None) -> Reader:
    known = {chain.name: chain for chain in chains}

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in known:
            return arrays(element, scope) if arrays else None
        name, indices = name_of(element), list[Any](element.indices)
        position = int(indices.pop(known[name].node.axis or 0))
        return slice_of(found[name, position], known[name].permute(indices), element)

    return reader


def slice_of(code: str, indices: list[Any], element: Any) -> Piece:
    """Return the code of one time slice of a chain, indexed by the remaining plates."""
    if not all(isinstance(i, Idx) for i in indices):
        marks = ", ".join(":" if isinstance(i, Idx) else str(i) for i in indices)
        if not all(isinstance(i, Idx) or i.is_Integer for i in indices):
            raise ModelError(f"{element}: a gather inside a recursion over time is not supported")
        code = f"{code}[{marks}]"
    return Piece(code, tuple(label(i) for i in indices if isinstance(i, Idx)))


def step_reader(chains: dict[str, Chain], elements: Elements, past: Elements, now: dict[str, str]) -> Any:
    """Return the reader of chains in one step: from the carry, or from what the step has computed already."""

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in chains:
            return None
        name, indices = name_of(element), list[Any](element.indices)
        when = indices.pop(chains[name].node.axis or 0)
        indices = chains[name].permute(indices)
        if when.is_Integer:
            return slice_of(elements[name, int(when)], indices, element)
        shift = as_lag(when)
        if shift is None:
            raise ModelError(f"{element}: a gather inside a recursion over time is not supported")
        return slice_of(past[name, shift[1]] if shift[1] else now[name], indices, element)

    return reader
