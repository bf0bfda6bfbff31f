r"""Draw the figures of Kingma (2013) anew.

Figure 1: a latent $Z_j$ somewhere in a network, and in its place $\tilde Z_j = g_j(\mathrm{pa}_j, E_j)$ with a root $E_j$.
Figure 2: the chain $Z_1 \to Z_2 \to Z_3$ with its observations, and the same with all three rewritten.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from symaux.show.drawing.diagram import RenderError
from symaux.show.drawing.render import render

ACROSS, DOWN = 74.0, 74.0
CAPTIONS = ("(a)", "(b)")


def draw_paper_figure(number: int, format: str = "svg") -> Any:
    """Return a figure of the paper in any picture format.

    >>> draw_paper_figure(2).count('class="node observed"')
    6
    """
    if number not in FIGURES:
        raise RenderError(f"the paper's figures that are drawn here are {', '.join(map(str, FIGURES))}, not {number}")
    return render(FIGURES[number], format=format, legend=False, titles=CAPTIONS)


def _node(graph: nx.DiGraph, name: str, label: str, at: tuple[float, float], **kind: Any) -> None:
    given = {"kind": "stochastic", "observed": False} | kind
    graph.add_node(name, label=label, pos=(at[0] * ACROSS, at[1] * DOWN), **given)


def _figure_1(rewritten: bool) -> nx.DiGraph:
    graph = nx.DiGraph(factors=())
    _node(graph, "before", "before", (0, 1), ellipsis=True)
    _node(graph, "Z", "Z_j", (1, 1), kind="deterministic" if rewritten else "stochastic")
    _node(graph, "after", "after", (2, 1), ellipsis=True)
    graph.add_edges_from([("before", "Z"), ("Z", "after")])
    if rewritten:
        _node(graph, "eps_Z", "E_j", (1, 0))
        graph.add_edge("eps_Z", "Z")
    return graph


def _figure_2(rewritten: bool) -> nx.DiGraph:
    graph = nx.DiGraph(factors=())
    for k in (1, 2, 3):
        _node(graph, f"Z{k}", f"Z{k}", (k, 1), kind="deterministic" if rewritten else "stochastic")
        _node(graph, f"X{k}", f"X{k}", (k, 2), observed=True)
        graph.add_edge(f"Z{k}", f"X{k}")
        if k > 1:
            graph.add_edge(f"Z{k - 1}", f"Z{k}")
        if rewritten:
            _node(graph, f"eps_Z{k}", f"E{k}", (k, 0))
            graph.add_edge(f"eps_Z{k}", f"Z{k}")
    return graph


FIGURES = {1: (_figure_1(False), _figure_1(True)), 2: (_figure_2(False), _figure_2(True))}
