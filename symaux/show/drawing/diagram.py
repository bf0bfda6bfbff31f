"""Describe what is to be drawn, before any geometry: vertices, arrows, plates, the focus and its blanket."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import networkx as nx
from sympy.tensor.indexed import Idx

from symaux.analysis.blanket import markov_blanket
from symaux.analysis.factor_graph import DETERMINISTIC, FactorGraph, factor_graph
from symaux.errors import SymauxError
from symaux.formulas.symbols.indices import indices_of
from symaux.formulas.symbols.indices import label as plate_label
from symaux.model.model import Model
from symaux.model.node import Node
from symaux.model.statements import plates_of, reads, target
from symaux.show.drawing.labels import Label, label

FINEST, BROADEST = 0.6, 4.8


class RenderError(SymauxError):
    """A thing or a format that cannot be drawn."""

    code = "render"


@dataclass(frozen=True)
class Vertex:
    """A node to draw: ``kind`` is latent, observed, deterministic, input, factor, or ellipsis for nodes that are not shown."""

    name: str
    kind: str
    label: Label
    plates: tuple[str, ...] = ()
    role: str = ""  # focus, image (a deterministic focus, whose noise carries it), blanket, or nothing
    weight: float | None = None  # how much of its original form a rewritten variable kept, where that was chosen


@dataclass(frozen=True)
class Arrow:
    """A dependence; a lagged arrow is dashed and labelled with its lag; a factor's arrow has no head."""

    tail: str
    head: str
    text: str = ""
    lagged: bool = False
    directed: bool = True
    width: float = 1.1  # of its line, in points


@dataclass(frozen=True)
class Diagram:
    """One model to draw: ``plates`` gives each plate's text, ``blanket`` the number of variables in the focus' blanket."""

    vertices: dict[str, Vertex]
    arrows: tuple[Arrow, ...]
    plates: dict[str, str] = field(default_factory=dict)
    focus: Label | None = None
    blanket: int = 0
    places: dict[str, tuple[float, float]] = field(default_factory=dict)  # where they are given, and not searched for


def diagram(network: Model | nx.DiGraph, focus: Any = None) -> Diagram:
    """Return the diagram of a model or of an unrolled graph, with the focus and its Markov blanket marked.

    Nodes of a graph may have a ``label`` and, if all of them do, a position (``pos``, in points).

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> [v.role for v in diagram(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]), mu).vertices.values()]
    ['focus', 'blanket']
    """
    graph = factor_graph(network)
    if isinstance(network, nx.DiGraph) and any("lags" in a for _, a in network.nodes(data=True)):
        network = Model.from_networkx(network)
    plain = _of_model(network, graph) if isinstance(network, Model) else _of_graph(network, graph)
    return plain if focus is None else _focused(plain, graph, focus)


def with_widths(plain: Diagram, weights: Mapping[tuple[str, str], float]) -> Diagram:
    """Return the diagram with arrows as broad as their weights, the broadest eight times the finest; others stay fine."""
    most = max(weights.values(), default=0.0) or 1.0
    broad = {edge: FINEST + (BROADEST - FINEST) * (weight / most) ** 0.5 for edge, weight in weights.items()}
    arrows = tuple(replace(a, width=broad.get((a.tail, a.head), FINEST)) for a in plain.arrows)
    return replace(plain, arrows=arrows)


def with_shades(plain: Diagram, weights: Mapping[str, float]) -> Diagram:
    """Return the diagram with variables shaded by their weights, from auxiliary (0) to original form (1)."""
    made = {n: replace(v, weight=weights.get(n)) for n, v in plain.vertices.items()}
    return replace(plain, vertices=made)


def _focused(plain: Diagram, graph: FactorGraph, focus: Any) -> Diagram:
    name = graph.find(focus)
    own, blanket = graph.coordinates(name), markov_blanket(graph, name)
    roles = dict.fromkeys(blanket, "blanket") | {name: "image"} | dict.fromkeys(own, "focus")
    vertices = {n: replace(v, role=roles.get(n, "")) for n, v in plain.vertices.items()}
    return replace(plain, vertices=vertices, focus=vertices[name].label, blanket=len(blanket))


def _of_model(model: Model, graph: FactorGraph) -> Diagram:
    vertices = {}
    for name in (*model.nodes, *model.inputs):
        indices = _indices(model, name)
        text = label(name, indices, tilde=_is_rewritten(graph, name))
        vertices[name] = Vertex(name, _kind(graph, name), text, _plates(model, name))
    arrows = [Arrow(p, name) for name, node in model.nodes.items() for p in sorted(node.parents)]
    arrows += [arrow for node in model.nodes.values() for arrow in _lagged(node)]
    for number, factor in enumerate(model.factors, 1):
        plates = tuple(model.axes.of_plate(p) for p in plates_of(factor))
        scope = {r.name for r in reads(factor)}
        _add_factor(vertices, arrows, number, scope, plates)
    used = {plate for vertex in vertices.values() for plate in vertex.plates}
    texts = {p: _range(p, model.axes.lengths.get(p)) for p in sorted(used)}
    return Diagram(vertices, tuple(arrows), texts)


def _of_graph(graph: nx.DiGraph, analysis: FactorGraph) -> Diagram:
    vertices = {}
    for name, given in graph.nodes(data=True):
        text = label(given.get("label", name), tilde=_is_rewritten(analysis, name))
        vertices[name] = Vertex(name, "ellipsis" if given.get("ellipsis") else _kind(analysis, name), text)
    arrows = [Arrow(tail, head) for tail, head in sorted(graph.edges)]
    for number, scope in enumerate(graph.graph.get("factors", ()), 1):
        _add_factor(vertices, arrows, number, scope, ())
    places = nx.get_node_attributes(graph, "pos")
    return Diagram(vertices, tuple(arrows), places=places if len(places) == len(vertices) else {})


def _add_factor(
    vertices: dict[str, Vertex], arrows: list[Arrow], number: int, scope: Iterable[str], plates: tuple[str, ...]
) -> None:
    name = f"factor {number}"
    while name in vertices:
        name += "'"
    vertices[name] = Vertex(name, "factor", Label(name, "", mathematical=False), plates)
    arrows += [Arrow(variable, name, directed=False) for variable in sorted(scope)]


def _kind(graph: FactorGraph, name: str) -> str:
    kind = graph.kinds[name]
    return kind if kind != "stochastic" else "observed" if name in graph.observed else "latent"


def _is_rewritten(graph: FactorGraph, name: str) -> bool:
    """Return whether a deterministic node is a z̃: its formula reads its own noise."""
    stem = name.partition("[")[0]
    return graph.kinds[name] == DETERMINISTIC and any(
        p.startswith((f"eps_{stem}", f"partial_{stem}")) for p in graph.formulas[name]
    )


def _lagged(node: Node) -> Iterable[Arrow]:
    axis = indices_of(target(node.general))[node.axis] if node.axis is not None else None
    plate = plate_label(axis) if isinstance(axis, Idx) else "t"
    for parent, steps in node.lags.items():
        texts = ", ".join(f"{plate}−{step}" for step in steps)
        yield Arrow(parent, node.name, texts, lagged=True)


def _indices(model: Model, name: str) -> tuple[str, ...]:
    if name in model.nodes:
        return tuple(str(getattr(i, "label", i)) for i in indices_of(target(model.nodes[name].general)))
    return tuple(group if group in model.axes.group else "·" for group in model.axes.of_array(name))


def _plates(model: Model, name: str) -> tuple[str, ...]:
    """Return the plates that a variable is repeated over; an axis that only fixed numbers index is not a plate."""
    return tuple(dict.fromkeys(group for group in model.axes.of_array(name) if group in model.axes.group))


def _range(plate: str, length: int | None) -> str:
    return plate if length is None else f"{plate} = 0" if length == 1 else f"{plate} = 0..{length - 1}"
