"""A model as a graph and back: every gallery model, lags, gathers, factors; and one node per element."""

from __future__ import annotations

import runpy
from pathlib import Path

import networkx as nx
import pytest
import sympy as sp
from support.paths import GALLERY

import symaux as sa

GALLERY = sorted(path for path in GALLERY.glob("*.py") if "\nmodel = " in path.read_text(encoding="utf-8"))
a, b = sp.symbols("a b", real=True)
s = sp.Symbol("s", positive=True)
z, y, x, w, alpha = sa.arrays("z y x w alpha")
county = sa.arrays("county", integer=True)
i, k, t, n = sa.plate("i", 3), sa.plate("k", 2), sa.plate("t", 4), sa.plate("n")

MODELS = {
    "lags": sa.Model.of(
        sa.normal(z[0, n], 0, s),
        sa.normal(z[1, n], z[0, n], s),
        sa.normal(z[t, n], z[t - 1, n] - z[t - 2, n] / 2, s),
        sa.normal(y[t, n], z[t, n], 1),
        observed=[y],
    ),
    "gathers": sa.Model.of(sa.normal(alpha[i], 0, 1), sa.normal(y[n], alpha[county[n]], 1), observed=[y]),
    "factors": sa.Model.of(sa.flat(z[n]), sa.factor(-(z[n] ** 2)), sa.factor(-(a**2)), sa.normal(a, 0, 1)),
    "deterministic": sa.Model.of(
        sa.normal(a, 0, 1),
        sa.deterministic(w[0], a),
        sa.deterministic(w[t], w[t - 1] + x[t]),
        sa.normal(y[t], w[t], s),
        observed=[y],
    ),
    "mixture": sa.Model.of(
        sa.normal(a, 0, 1), sa.mixture(y[n], (0.5, sa.normal(y[n], a, 1)), (0.5, sa.normal(y[n], -a, 1))), observed=[y]
    ),
    "process": sa.Model.of(
        sa.multivariate_normal(
            y[i], a, sp.exp(-((x[i] - x[sa.plate("l", 3)]) ** 2)) + sp.KroneckerDelta(i, sa.plate("l", 3))
        ),
        observed=[y],
    ),
    "nothing": sa.Model.of(),
}


@pytest.mark.parametrize("path", GALLERY, ids=lambda p: p.stem)
def test_gallery_models_round_trip(path: Path) -> None:
    model = runpy.run_path(str(path))["model"]
    after = sa.auxiliary(model).after
    assert sa.Model.from_networkx(model.graph) == model
    assert sa.Model.from_networkx(after.graph) == after


@pytest.mark.parametrize("case", MODELS)
def test_graphs_round_trip(case: str) -> None:
    model = MODELS[case]
    assert nx.is_directed_acyclic_graph(model.graph)
    assert sa.Model.from_networkx(model.graph) == model
    assert sa.Model.from_networkx(model.graph.copy()) == model
    assert sa.Model.from_networkx(nx.relabel_nodes(model.graph, lambda name: name)) == model


def test_attributes() -> None:
    graph = MODELS["lags"].graph
    assert graph.nodes["z"]["kind"] == "stochastic"
    assert graph.nodes["z"]["lags"] == {"z": (1, 2)}
    assert graph.nodes["z"]["plates"] == ("t", "n")
    assert graph.nodes["y"]["observed"] and not graph.nodes["z"]["observed"]
    assert graph.nodes["s"]["kind"] == "input"
    assert ("z", "z") not in graph.edges
    assert all(isinstance(node, str) for node in graph)
    assert MODELS["deterministic"].graph.nodes["w"]["formula"] == w[t - 1] + x[t]


def test_a_graph_by_hand() -> None:
    graph = nx.DiGraph()
    graph.add_node("a", law=sa.normal(a, 0, 1))
    graph.add_node("y", law=sa.normal(sp.Symbol("y", real=True), a, 1), observed=True)
    expected = sa.Model.of(sa.normal(a, 0, 1), sa.normal(sp.Symbol("y", real=True), a, 1), observed=["y"])
    assert sa.Model.from_networkx(graph) == expected


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"law": 3}, "law must be a Law"),
        ({"law": sa.normal(b, 0, 1)}, "holds a statement about b"),
        ({"formula": b}, "needs target"),
    ],
)
def test_bad_graphs(attributes: dict, words: str) -> None:
    graph = nx.DiGraph()
    graph.add_node("a", **attributes)
    with pytest.raises(sa.ModelError, match=words):
        sa.Model.from_networkx(graph)


def test_edges_that_no_formula_has_are_refused() -> None:
    graph = sa.Model.of(sa.normal(a, 0, 1), sa.normal(b, a, 1)).graph.copy()
    graph.add_edge("b", "s")
    with pytest.raises(sa.ModelError, match="no formula reads"):
        sa.Model.from_networkx(graph)
