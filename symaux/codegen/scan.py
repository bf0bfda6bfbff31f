r"""Recursions over time become one ``lax.scan``: $z_t = g(z_{t-1}, \ldots, \varepsilon_t)$, several chains together.

What does not depend on the chains is computed before the scan, for all times at once, and handed to each step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, Indexed

from symaux.codegen.lower import evaluated, lower
from symaux.codegen.pieces import Piece, aligned
from symaux.codegen.scope import Scope
from symaux.codegen.writer import Writer
from symaux.errors import ModelError
from symaux.indices import at_index, bound_plates, free_plates, indices_of, label, lag, name_of, references
from symaux.node import Node
from symaux.statements import Deterministic, plates_of, reads, target

Elements = dict[tuple[str, int], str]  # (variable, position or steps back) to the identifier of that time slice


@dataclass(frozen=True)
class Chain:
    """One variable of the recursion: its node, its time plate, and how far back others look at it."""

    node: Node
    time: Idx
    memory: int

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def axes(self) -> tuple[str, ...]:
        """The plates of one time slice."""
        return tuple(label(p) for p in self.node.plates if p != self.time)


def recursion(writer: Writer, nodes: list[Node]) -> None:
    """Writes the fixed elements, the scan, and the arrays that come out of it."""
    chains = [_chain(node, nodes) for node in nodes]
    first = max(len(chain.node.initial) for chain in chains)
    elements = _fixed_elements(writer, chains, first)
    past = {
        (c.name, back): writer.fresh(f"{writer.names[c.name]}_back{back}")
        for c in chains
        for back in range(1, c.memory + 1)
    }
    inputs: list[tuple[str, str]] = []  # (identifier in the step, code of the array over time)
    body = _body(writer, chains, first, elements, past, inputs)
    _write_step(writer, chains, body, past, inputs)
    _write_scan(writer, chains, first, elements, past, inputs)


def _chain(node: Node, nodes: list[Node]) -> Chain:
    if node.axis is None:
        raise ModelError(f"{node.general}: part of a recursion over time, so its first elements need statements")
    time = indices_of(target(node.general))[node.axis]
    if not isinstance(time, Idx):
        raise ModelError(f"{node.name}: a recursion needs a general statement, as in {node.name}[t]")
    memory = max((lags[-1] for other in nodes if (lags := other.lags.get(node.name))), default=0)
    return Chain(node, time, memory)


def _fixed_elements(writer: Writer, chains: list[Chain], first: int) -> Elements:
    """The elements before the scan starts, one by one: z_0, z_1, …"""
    found: Elements = {}
    for position in range(first):
        for chain in chains:
            statement = _at(chain, position)
            scope = replace(writer.scope(statement), reader=_fixed_reader(chains, found))
            code = writer.fresh(f"{writer.names[chain.name]}_{position}")
            formula = writer.simplify(statement.formula)
            axes = tuple(map(label, plates_of(statement)))
            writer.say(f"{code} = {evaluated(formula, axes, scope).code}")
            found[chain.name, position] = code
    return found


def _at(chain: Chain, position: int) -> Deterministic:
    """The statement about a fixed element: its own, or the general one at that time."""
    node = chain.node
    statement = node.statements[position] if position < len(node.initial) else node.general
    if statement is node.general:
        at = sp.Integer(position)
        return Deterministic(
            at_index(node.general.target, chain.time, at), at_index(node.general.formula, chain.time, at)
        )  # type: ignore[union-attr]
    return statement  # type: ignore[return-value]


def _fixed_reader(chains: list[Chain], found: Elements) -> Any:
    axis = {chain.name: chain.node.axis for chain in chains}

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in axis:
            return None
        name, indices = name_of(element), list(element.indices)
        position = int(indices.pop(axis[name]))  # type: ignore[arg-type]
        return _slice_of(found[name, position], indices, element)

    return reader


def _slice_of(code: str, indices: list[Any], element: Any) -> Piece:
    """One time slice of a chain, indexed by the plates that are left."""
    if not all(isinstance(i, Idx) for i in indices):
        marks = ", ".join(":" if isinstance(i, Idx) else str(i) for i in indices)
        if not all(isinstance(i, Idx) or i.is_Integer for i in indices):
            raise ModelError(f"{element}: a gather inside a recursion over time is not supported")
        code = f"{code}[{marks}]"
    return Piece(code, tuple(label(i) for i in indices if isinstance(i, Idx)))


def _body(
    writer: Writer, chains: list[Chain], first: int, elements: Elements, past: Elements, inputs: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The lines of one step: (identifier, code) for every chain, in the order in which they read each other."""
    members = {chain.name: chain for chain in chains}
    now = {name: writer.fresh(f"{writer.names[name]}_t") for name in members}

    def reader(element: Any, scope: Scope) -> Piece | None:
        if not isinstance(element, Indexed) or name_of(element) not in members:
            return None
        chain, indices = members[name_of(element)], list(element.indices)
        when = indices.pop(chain.node.axis or 0)
        if when.is_Integer:
            return _slice_of(elements[chain.name, int(when)], indices, element)
        shift = lag(when)
        if shift is None:
            raise ModelError(f"{element}: a gather inside a recursion over time is not supported")
        return _slice_of(past[chain.name, shift[1]] if shift[1] else now[chain.name], indices, element)

    lines = []
    for chain in chains:
        general: Any = chain.node.general
        outer = replace(writer.scope(general), start={label(chain.time): first})
        formula = writer.simplify(general.formula)
        slots: dict[Any, Piece] = {}
        formula = _hoist(formula, chain, members, outer, writer, slots, inputs)
        inner = replace(outer, order=chain.axes, start={}, slots=slots, reader=reader)
        lines.append((now[chain.name], evaluated(formula, chain.axes, inner).code))
    return lines


def _hoist(
    formula: Any,
    chain: Chain,
    members: dict[str, Chain],
    outer: Scope,
    writer: Writer,
    slots: dict[Any, Piece],
    inputs: list[Any],
) -> Any:
    """The formula with everything that is free of the chains computed outside the scan and put into a slot."""
    if isinstance(formula, sp.Expr) and not any(name_of(r) in members for r in references(formula)):
        return _slot(formula, chain, outer, writer, slots, inputs)
    if isinstance(formula, Indexed) or not formula.args:
        return formula
    if isinstance(formula, sp.Add | sp.Mul):
        free = [a for a in formula.args if not any(name_of(r) in members for r in references(a))]
        rest = [_hoist(a, chain, members, outer, writer, slots, inputs) for a in formula.args if a not in free]
        known = formula.func(*free)
        return formula.func(_slot(known, chain, outer, writer, slots, inputs) if free else known, *rest)
    bound = bound_plates(formula)
    if bound:
        inner = outer.within(*bound)
        head, *limits = formula.args
        return formula.func(_hoist(head, chain, members, inner, writer, slots, inputs), *limits)
    return formula.func(*(_hoist(a, chain, members, outer, writer, slots, inputs) for a in formula.args))


def _slot(formula: Any, chain: Chain, outer: Scope, writer: Writer, slots: dict[Any, Piece], inputs: list[Any]) -> Any:
    """A symbol that stands for a value computed before the scan."""
    over_time = chain.time in free_plates(formula)
    if formula.is_number or (not over_time and (formula.is_Atom or isinstance(formula, Indexed))):
        return formula
    piece = lower(formula, outer)
    time = label(chain.time)
    axes = tuple(axis for axis in piece.axes if axis != time)
    code = writer.fresh(f"{writer.names[chain.name]}_in")
    # a slot must look like what it replaces to the contraction that may surround it: it keeps its free plates
    plates = sorted((p for p in free_plates(formula) if p != chain.time), key=str)
    symbol: Any = sp.IndexedBase(code, real=True)[tuple(plates)] if plates else sp.Symbol(code, real=True)
    if over_time:
        inputs.append((code, aligned(piece, (time, *axes)).code))
    else:
        writer.say(f"{code} = {piece.code}")
    slots[symbol] = Piece(code, axes)
    return symbol


def _write_step(
    writer: Writer, chains: list[Chain], body: list[tuple[str, str]], past: Elements, inputs: list[tuple[str, str]]
) -> None:
    writer.say("")
    writer.say("def step(carry, inputs):")
    if past:
        writer.say(f"    {_tuple(list(past.values()))} = carry")
    if inputs:
        writer.say(f"    {_tuple([code for code, _ in inputs])} = inputs")
    for code, line in body:
        writer.say(f"    {code} = {line}")
    now = {chain.name: code for chain, (code, _) in zip(chains, body, strict=True)}
    shifted = [now[name] if back == 1 else past[name, back - 1] for name, back in past]
    writer.say(f"    return {_tuple(shifted)}, {_tuple([code for code, _ in body])}")
    writer.say("")


def _tuple(codes: list[str]) -> str:
    return f"({', '.join(codes)}{',' if len(codes) == 1 else ''})"


def _write_scan(
    writer: Writer, chains: list[Chain], first: int, elements: Elements, past: Elements, inputs: list[tuple[str, str]]
) -> None:
    init = [elements[name, first - back] for name, back in past]
    out = [writer.fresh(f"{writer.names[c.name]}_rest") for c in chains]
    xs = (
        _tuple([code for _, code in inputs])
        if inputs
        else f"None, length={writer.size(label(chains[0].time))} - {first}"
    )
    writer.say(f"_, {_tuple(out)} = lax.scan(step, {_tuple(init)}, {xs})")
    for chain, rest in zip(chains, out, strict=True):
        axis = chain.node.axis or 0
        stretch = rest if axis == 0 else f"jnp.moveaxis({rest}, 0, {axis})"
        parts = [elements[chain.name, position] for position in range(first)]
        grown = [f"{p}[None]" if axis == 0 else f"jnp.expand_dims({p}, {axis})" for p in parts]
        where = f", axis={axis}" if axis else ""
        writer.say(f"{writer.names[chain.name]} = jnp.concatenate([{', '.join([*grown, stretch])}]{where})")


__all__ = ["Chain", "reads", "recursion"]
