"""Random networks for hypothesis, and their moral graphs by networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import strategies as st

KINDS = st.sampled_from(["stochastic", "stochastic", "deterministic", "observed", "input"])


@st.composite
def networks(draw: st.DrawFn) -> nx.DiGraph:
    """A random DAG over latents, observed variables, deterministic nodes and inputs (which are roots)."""
    size = draw(st.integers(1, 12))
    graph = nx.DiGraph(factors=())
    for node in range(size):
        kind = draw(KINDS)
        name = f"v{node}"
        parents = draw(st.sets(st.sampled_from(range(node)), max_size=4)) if node and kind != "input" else set()
        real = "stochastic" if kind == "observed" else kind
        graph.add_node(name, kind=real, observed=kind == "observed", variable=name, index=())
        graph.add_edges_from((f"v{parent}", name) for parent in parents)
    return graph


def moral(graph: nx.DiGraph) -> nx.Graph:
    """Independently: contract each deterministic node into its children, then marry the parents of what is left."""
    graph = graph.copy()
    for name in list(nx.topological_sort(graph)):
        if graph.nodes[name]["kind"] == "deterministic":
            graph.add_edges_from((p, c) for p in graph.predecessors(name) for c in graph.successors(name))
            graph.remove_node(name)
    return nx.moral_graph(graph)
