"""Information distances, against the paper and against an independent computation."""

from __future__ import annotations

import math

import networkx as nx
import pytest
import sympy as sp
from hypothesis import given, settings
from support.networks import moral, networks
from support.templates import time_series
from support.timing import within

from symaux.analysis.blanket import factors, markov_blanket
from symaux.analysis.information import diameter, information_distance, information_distances
from symaux.formulas.symbols.indices import arrays
from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.model.statements import deterministic

z = sp.symbols("z0:4", real=True)
x = sp.symbols("x0:4", real=True)
eps = [sp.Symbol(f"eps_z{i}", real=True) for i in range(4)]


def test_papers_chain_x3_reaches_z1_in_3_gradient_steps_before_and_in_1_after(
    chain: Model, rewritten: Model, root_kept: Model
) -> None:
    assert information_distance(chain, x[3], z[1]) == 3
    assert information_distance(rewritten, x[3], z[1]) == 1
    assert information_distance(rewritten, x[3], eps[1]) == 1
    assert information_distance(root_kept, x[3], z[1]) == 1


def test_papers_chain_by_the_rewrite_itself(chain: Model) -> None:
    import symaux as sa

    for keep in (True, False):
        derivation = sa.auxiliary(chain, keep_roots=keep)
        steps = [information_distance(model, "x3", "z1") for model in (derivation.before, derivation.after)]
        assert steps == [3, 1]


def test_diameter_shrinks(chain: Model, rewritten: Model) -> None:
    assert (diameter(chain), diameter(rewritten)) == (3, 2)
    assert information_distances(chain)["x3"] == {"x3": 0, "z3": 1, "z2": 2, "x2": 3, "z1": 3, "x1": 4}


def test_observed_variables_block_paths_but_belong_to_blankets() -> None:
    """a → o → b with o observed: b's factor reads o, so o is in both blankets and nothing passes through it."""
    a, b, o = sp.symbols("a b o", real=True)
    model = Model.of(normal(a, 0, 1), normal(o, a, 1), normal(b, o, 1), observed=[o])
    assert markov_blanket(model, b) == {"o"}
    assert information_distance(model, a, o) == 1
    assert information_distance(model, o, b) == 1
    assert information_distance(model, a, b) == math.inf
    assert "b" not in information_distance(model, a)


def test_observed_parents_block_in_auxiliary_form_too() -> None:
    """o is read by z̃, so the noise of o's own parent does not reach the children of z̃."""
    a, o, z_, e, y = sp.symbols("a o z eps_z y", real=True)
    statements = [normal(a, 0, 1), normal(o, a, 1), normal(e, 0, 1), deterministic(z_, o + e), normal(y, z_, 1)]
    model = Model.of(*statements, observed=[o, y])
    assert markov_blanket(model, e) == {"o", "y"}
    assert information_distance(model, a, e) == math.inf


def test_elements_of_a_time_series() -> None:
    before, after = time_series(5, auxiliary=False).unroll(), time_series(5, auxiliary=True).unroll()
    s = arrays("z")
    assert markov_blanket(before, s[1]) == {"z[0]", "z[2]", "y[1]"}
    assert markov_blanket(after, s[3]) == {"eps_z[0]", "eps_z[1]", "eps_z[2]", "eps_z[4]", "y[3]", "y[4]"}
    assert information_distance(before, "y[4]", "z[0]") == 5
    assert information_distance(after, "y[4]", "z[0]") == 1


@settings(max_examples=300, deadline=None)
@given(networks())
def test_distances_are_shortest_paths_that_avoid_fixed_values(graph: nx.DiGraph) -> None:
    married = moral(graph)
    fixed = {n for n, a in graph.nodes(data=True) if a["observed"] or a["kind"] == "input"}
    for source, reached in information_distances(graph).items():
        for target in married:
            if graph.nodes[target]["kind"] != "stochastic":
                continue
            inside = married.subgraph((set(married) - fixed) | {source, target})
            try:
                expected = nx.shortest_path_length(inside, source, target)
            except nx.NetworkXNoPath:
                expected = math.inf
            assert reached.get(target, math.inf) == expected == information_distance(graph, source, target)


@settings(max_examples=100, deadline=None)
@given(networks())
def test_distance_is_symmetric_and_one_on_the_blanket(graph: nx.DiGraph) -> None:
    distances = information_distances(graph)
    for source, reached in distances.items():
        assert {n for n, steps in reached.items() if steps == 1} == markov_blanket(graph, source)
        assert all(distances[target][source] == steps for target, steps in reached.items())


def test_chain_of_1000_named_nodes_without_recursion() -> None:
    states = [sp.Symbol(f"s{i}", real=True) for i in range(1000)]
    noises = [sp.Symbol(f"eps_s{i}", real=True) for i in range(1000)]
    y = sp.Symbol("y", real=True)
    laws = [normal(e, 0, 1) for e in noises]
    walk = [
        deterministic(s, e + (states[i - 1] if i else 0)) for i, (s, e) in enumerate(zip(states, noises, strict=True))
    ]
    model = Model.of(*laws, *walk, normal(y, states[-1], 1), observed=[y])
    assert len(markov_blanket(model, "eps_s0")) == 1000
    assert information_distance(model, y, states[0]) == 1
    assert max(map(len, factors(model))) == 1001


def big(kind: str, steps: int = 50_000) -> nx.DiGraph:
    graph = nx.DiGraph(factors=())
    for i in range(steps):
        graph.add_node(f"z[{i}]", kind=kind, observed=False)
        graph.add_node(f"x[{i}]", kind="stochastic", observed=True)
        graph.add_edge(f"z[{i}]", f"x[{i}]")
        if i:
            graph.add_edge(f"z[{i - 1}]", f"z[{i}]")
        if kind == "deterministic":
            graph.add_node(f"eps_z[{i}]", kind="stochastic", observed=False)
            graph.add_edge(f"eps_z[{i}]", f"z[{i}]")
    return graph


@pytest.mark.speed
@pytest.mark.parametrize(("kind", "steps"), [("stochastic", 50_000), ("deterministic", 1)])
def test_100_000_nodes_in_seconds(kind: str, steps: int) -> None:
    """The rewritten chain would have scopes of 1.25e9 members; they are never written down."""
    graph = big(kind)
    with within(10):
        assert information_distance(graph, "x[49999]", "z[0]") == steps
        assert len(information_distance(graph, "x[49999]")) == 100_000
        assert len(markov_blanket(graph, "z[0]")) == (2 if kind == "stochastic" else 99_999)
