"""The deterministic nodes of a model as assignments, in an order in which every value is there when it is read."""

from __future__ import annotations

from typing import cast

import networkx as nx

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import evaluated, lower
from symaux.codegen.recursion import scan
from symaux.formulas.symbols.indices import indices_of, label
from symaux.model.node import Node
from symaux.model.statements import Deterministic, plates_of, target


def compute(writer: Writer, only: frozenset[str] | None = None) -> None:
    """Writes one assignment per deterministic node, and one scan per group of nodes that feed each other over time.

    ``only`` are the nodes that are wanted, with all that they need; those of blocks are left to what sums these.
    """
    wanted = None if only is None else needed(writer, only)
    later = frozenset[str]().union(*(block.names for block in writer.blocks))
    for members in groups(writer):
        if later >= set(members) or (wanted is not None and not wanted & set(members)):
            continue
        nodes = [writer.model.nodes[name] for name in members]
        if is_recursion(nodes):
            scan.recursion(writer, nodes)
        else:
            assign(writer, nodes[0])


def needed(writer: Writer, only: frozenset[str]) -> set[str]:
    """Return the nodes and what they are computed from; others are given."""
    found: set[str] = set()
    stack = [name for name in only if name in writer.model.nodes]
    while stack:
        name = stack.pop()
        node = writer.model.nodes[name]
        if name not in found and node.kind == "deterministic":
            found.add(name)
            stack.extend(p for p in (*node.parents, *node.lags) if p in writer.model.nodes)
    return found


def is_recursion(nodes: list[Node]) -> bool:
    """Return whether the nodes of a group feed each other, or themselves, over time."""
    return len(nodes) > 1 or nodes[0].name in nodes[0].lags or _reads_itself(nodes[0])


def _reads_itself(node: Node) -> bool:
    return node.axis is not None and any(
        read.name == node.name for statement in node.statements for read in scan.reads(statement)
    )


def groups(writer: Writer) -> list[list[str]]:
    """Deterministic nodes, those that depend on each other through lags together, in topological order."""
    nodes = {name: node for name, node in writer.model.nodes.items() if node.kind == "deterministic"}
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(nodes))
    for name, node in nodes.items():
        graph.add_edges_from((p, name) for p in (*node.parents, *node.lags) if p in nodes)
    whole = nx.condensation(graph)
    first = {component: min(whole.nodes[component]["members"]) for component in whole}
    ranked = {name: position for position, name in enumerate(writer.model.order)}
    return [
        sorted(whole.nodes[component]["members"], key=ranked.__getitem__)
        for component in nx.lexicographical_topological_sort(whole, key=first.__getitem__)
    ]


def assign(writer: Writer, node: Node) -> None:
    """A node that does not read itself: one expression, or fixed elements joined with the rest."""
    name = writer.names[node.name]
    if node.axis is None:
        writer.say(f"{name} = {value(writer, cast(Deterministic, node.general)).code}")
        return
    parts = []
    for statement in (cast(Deterministic, s) for s in node.statements):
        part = writer.fresh(f"{name}_{'rest' if plates_of(statement) == node.plates else 'first'}")
        writer.say(f"{part} = {value(writer, statement).code}")
        parts.append((part, node.axis is not None and not _fixed(node, statement)))
    writer.say(f"{name} = {joined(parts, node.axis)}")


def _fixed(node: Node, statement: Deterministic) -> bool:
    return bool(indices_of(target(statement))[node.axis or 0].is_Integer)


def value(writer: Writer, statement: Deterministic) -> Piece:
    """Return the value of a statement, along all of its plates."""
    scope = writer.scope(statement)
    (formula,), scope = writer.prepared(statement.name, [statement.formula], scope, lower)
    axes = tuple(map(label, plates_of(statement)))
    return evaluated(formula, axes, scope)


def joined(parts: list[tuple[str, bool]], axis: int) -> str:
    """Elements (False) and stretches (True) of an array, one after the other along an axis."""
    grown = [
        code if whole else (f"{code}[None]" if axis == 0 else f"jnp.expand_dims({code}, {axis})")
        for code, whole in parts
    ]
    where = f", axis={axis}" if axis else ""
    return f"jnp.concatenate([{', '.join(grown)}]{where})"
