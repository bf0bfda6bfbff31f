r"""Draw the factor graph: a square for each factor of $\log p = \sum_f \log f$, joined to all that it depends on.

Deterministic nodes are passed through, so that in auxiliary form the square of an observation reaches every noise.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> mu, x = sp.symbols("mu x", real=True)
>>> drawn = factor_diagram(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]))
>>> sorted((a.tail, a.head) for a in drawn.arrows)
[('mu', 'factor of mu'), ('mu', 'factor of x'), ('x', 'factor of x')]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import networkx as nx

from symaux.analysis.factor_graph import DETERMINISTIC, STOCHASTIC, FactorGraph, factor_graph
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, plates_of
from symaux.show.drawing.diagram import Arrow, Diagram, Vertex, diagram
from symaux.show.drawing.labels import Label

Named = tuple[str, tuple[str, ...]]  # the name of a factor, and the plates that it is repeated over


def factor_diagram(network: Model | nx.DiGraph, focus: Any = None) -> Diagram:
    """Return the variables and inputs of the network, a square for each factor, and a line for each dependence."""
    plain, graph = diagram(network, focus), factor_graph(network)
    vertices = {name: v for name, v in plain.vertices.items() if graph.kinds.get(name, DETERMINISTIC) != DETERMINISTIC}
    vertices = {name: replace(v, label=replace(v.label, tilde=False)) for name, v in vertices.items()}
    arrows: list[Arrow] = []
    for (name, plates), scope in zip(_unique(_name_factors(network, graph)), graph.scopes, strict=True):
        vertices[name] = Vertex(name, "factor", Label(name, "", mathematical=False), plates)
        arrows += [Arrow(variable, name, directed=False) for variable in sorted(graph.sources(scope))]
    return replace(plain, vertices=vertices, arrows=tuple(arrows), places={})


def _name_factors(network: Model | nx.DiGraph, graph: FactorGraph) -> Iterator[Named]:
    """Yield a name for each factor, in the order of the graph's scopes."""
    if isinstance(network, Model):
        for statement in network.statements:
            if isinstance(statement, Deterministic):
                continue
            plates = tuple(dict.fromkeys(network.axes.of_plate(p) for p in plates_of(statement)))
            yield ("factor" if isinstance(statement, Factor) else f"factor of {statement.name}"), plates
        return
    yield from ((f"factor of {name}", ()) for name, kind in graph.kinds.items() if kind == STOCHASTIC)
    yield from (("factor", ()) for _ in network.graph.get("factors", ()))


def _unique(listed: Iterator[Named]) -> Iterator[Named]:
    taken: set[str] = set()
    for name, plates in listed:
        while name in taken:
            name += "'"
        taken.add(name)
        yield name, plates
