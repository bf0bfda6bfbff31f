"""Write the deterministic nodes of a model as assignments, in an order in which values are computed before they are read."""

from __future__ import annotations

from typing import cast

import networkx as nx

from symaux.codegen.function.writer import Writer
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import lower, lower_along
from symaux.codegen.recursion import scan
from symaux.formulas.symbols.indices import indices_of, label
from symaux.model.node import Node
from symaux.model.statements import Deterministic, plates_of, target


def write_deterministics(writer: Writer, only: frozenset[str] | None = None) -> None:
    """Write one assignment per deterministic node, and one scan per group of nodes that feed each other over time.

    ``only`` restricts them to the given nodes and their ancestors; nodes of blocks are written where blocks are summed.
    """
    wanted = None if only is None else with_dependencies(writer, only)
    later = frozenset[str]().union(*(block.names for block in writer.blocks))
    for members in recursion_groups(writer):
        if later >= set(members) or (wanted is not None and not wanted & set(members)):
            continue
        nodes = [writer.model.nodes[name] for name in members]
        if is_recursion(nodes):
            scan.write_recursion(writer, nodes)
        else:
            write_assignment(writer, nodes[0])


def with_dependencies(writer: Writer, only: frozenset[str]) -> set[str]:
    """Return the deterministic nodes among the given ones and their ancestors."""
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


def recursion_groups(writer: Writer) -> list[list[str]]:
    """Return deterministic nodes in topological order, those that depend on each other through lags in one group."""
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


def write_assignment(writer: Writer, node: Node) -> None:
    """Write a node that does not read itself: one expression, or fixed elements concatenated with the rest."""
    name = writer.names[node.name]
    if node.axis is None:
        writer.append_line(f"{name} = {lower_statement(writer, cast(Deterministic, node.general)).code}")
        return
    parts = []
    for statement in (cast(Deterministic, s) for s in node.statements):
        part = writer.fresh(f"{name}_{'rest' if plates_of(statement) == node.plates else 'first'}")
        writer.append_line(f"{part} = {lower_statement(writer, statement).code}")
        parts.append((part, node.axis is not None and not _fixed(node, statement)))
    writer.append_line(f"{name} = {concatenate_parts(parts, node.axis)}")


def _fixed(node: Node, statement: Deterministic) -> bool:
    return bool(indices_of(target(statement))[node.axis or 0].is_Integer)


def lower_statement(writer: Writer, statement: Deterministic) -> Piece:
    """Return the code of the value of a statement, along all of its plates."""
    scope = writer.scope(statement)
    (formula,), scope = writer.simplify_and_share(statement.name, [statement.formula], scope, lower)
    axes = tuple(map(label, plates_of(statement)))
    return lower_along(formula, axes, scope)


def concatenate_parts(parts: list[tuple[str, bool]], axis: int) -> str:
    """Return the code that concatenates elements (False) and slices (True) of an array along an axis."""
    grown = [
        code if whole else (f"{code}[None]" if axis == 0 else f"jnp.expand_dims({code}, {axis})")
        for code, whole in parts
    ]
    where = f", axis={axis}" if axis else ""
    return f"jnp.concatenate([{', '.join(grown)}]{where})"
