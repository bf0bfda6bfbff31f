"""One node per element, against graphs written by hand."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import sympy as sp

import symaux as sa

mu = sp.Symbol("mu", real=True)
z, y, x, w, alpha, gamma = sa.arrays("z y x w alpha gamma")
county, region = sa.arrays("county region", integer=True)
i, k, t, n = sa.plate("i", 2), sa.plate("k", 2), sa.plate("t", 4), sa.plate("n")
N = sa.normal


def edges(text: str) -> set[tuple[str, str]]:
    """'a>b a>c' as pairs."""
    return {(pair.split(">")[0], pair.split(">")[1]) for pair in text.split()}


CASES = {
    "plate": (sa.Model.of(N(mu, 0, 1), N(z[i], mu, 1)), {}, "mu>z[0] mu>z[1]"),
    "lag": (
        sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 1], 1), N(y[t], z[t], 1), observed=[y]),
        {},
        "z[0]>z[1] z[1]>z[2] z[2]>z[3] z[0]>y[0] z[1]>y[1] z[2]>y[2] z[3]>y[3]",
    ),
    "two lags": (
        sa.Model.of(N(z[0], 0, 1), N(z[1], z[0], 1), N(z[t], z[t - 2], 1)),
        {},
        "z[0]>z[1] z[0]>z[2] z[1]>z[3]",
    ),
    "first element": (
        sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 1] + z[0], 1)),
        {},
        "z[0]>z[1] z[1]>z[2] z[0]>z[2] z[2]>z[3] z[0]>z[3]",
    ),
    "contraction": (
        sa.Model.of(N(z[k], 0, 1), N(y[i], sp.Sum(w[i, k] * z[k], k), 1)),
        {},
        "z[0]>y[0] z[1]>y[0] z[0]>y[1] z[1]>y[1] w[0,0]>y[0] w[0,1]>y[0] w[1,0]>y[1] w[1,1]>y[1]",
    ),
    "transposed": (
        sa.Model.of(N(z[i, k], 0, 1), N(y[i, k], z[k, i], 1)),
        {},
        "z[0,0]>y[0,0] z[1,0]>y[0,1] z[0,1]>y[1,0] z[1,1]>y[1,1]",
    ),
    "gather without data": (
        sa.Model.of(N(alpha[i], 0, 1), N(mu, alpha[county[0]], 1)),
        {},
        "alpha[0]>mu alpha[1]>mu county[0]>mu",
    ),
    "nested gather with data": (
        sa.Model.of(N(gamma[i], 0, 1), N(y[n], gamma[region[county[n]]], 1), observed=[y]),
        {"county": np.array([2, 0]), "region": np.array([1, 0, 0])},
        "gamma[0]>y[0] gamma[1]>y[1] county[0]>y[0] county[1]>y[1] region[2]>y[0] region[0]>y[1]",
    ),
    "deterministic": (
        sa.Model.of(sa.deterministic(z[0], mu), sa.deterministic(z[t], z[t - 1] + x[t])),
        {},
        "mu>z[0] z[0]>z[1] z[1]>z[2] z[2]>z[3] x[1]>z[1] x[2]>z[2] x[3]>z[3]",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_elements(case: str) -> None:
    model, data, expected = CASES[case]
    graph = model.unroll(data)
    assert set(graph.edges) == edges(expected)
    assert nx.is_directed_acyclic_graph(graph)


def test_attributes_of_elements() -> None:
    graph = CASES["lag"][0].unroll()
    assert graph.nodes["z[2]"] == {"kind": "stochastic", "observed": False, "variable": "z", "index": (2,)}
    assert graph.nodes["y[1]"]["observed"]


def test_factors_are_listed_by_what_they_read() -> None:
    model = sa.Model.of(sa.flat(z[t]), sa.factor(-((z[t] - z[t - 1]) ** 2)))
    assert model.unroll().graph["factors"] == (("z[0]", "z[1]"), ("z[1]", "z[2]"), ("z[2]", "z[3]"))


def test_sizes_may_be_given() -> None:
    model = sa.Model.of(N(mu, 0, 1), N(z[n], mu, 1))
    assert len(model.unroll(n=5)) == 6
    with pytest.raises(sa.DataError, match="size of plate n"):
        model.unroll()


def test_a_gather_out_of_range_is_refused() -> None:
    with pytest.raises(sa.DataError, match="out of its plate"):
        sa.Model.of(N(alpha[i], 0, 1), N(y[n], alpha[county[n]], 1)).unroll({"county": np.array([0, 2])})


def test_large_models_are_not_unrolled() -> None:
    with pytest.raises(sa.ModelError, match="give smaller sizes"):
        sa.Model.of(N(z[sa.plate("big", 10**7)], 0, 1)).unroll()


def test_the_paper_chain_unrolls_to_the_chain_of_named_nodes() -> None:
    """Figure 2(a) as a template and as separate names: the same graph."""
    time = sa.plate("time", 3)
    template = sa.Model.of(N(z[0], 0, 1), N(z[time], z[time - 1], 1), N(x[time], z[time], 1), observed=[x]).unroll()
    zs, xs = sp.symbols("z1:4", real=True), sp.symbols("x1:4", real=True)
    named = sa.Model.of(
        N(zs[0], 0, 1), N(zs[1], zs[0], 1), N(zs[2], zs[1], 1), *(N(xs[m], zs[m], 1) for m in range(3)), observed=xs
    ).graph
    assert nx.is_isomorphic(template, named)
