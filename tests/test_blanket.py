"""Markov blankets and information distances, against the paper and against an independent computation."""

from __future__ import annotations

import math
import time

import networkx as nx
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symaux.analysis.blanket import blankets, factors, markov_blanket
from symaux.analysis.factor_graph import factor_graph
from symaux.analysis.information import diameter, information_distance, information_distances
from symaux.errors import ModelError
from symaux.formulas.symbols.indices import arrays, plate
from symaux.laws.families import half_normal, normal
from symaux.model.model import Model
from symaux.model.statements import deterministic, factor

z = sp.symbols("z0:4", real=True)
x = sp.symbols("x0:4", real=True)
eps = [sp.Symbol(f"eps_z{i}", real=True) for i in range(4)]


def observations() -> list:
    return [normal(x[i], z[i], 1) for i in (1, 2, 3)]


@pytest.fixture
def chain() -> Model:
    """The paper's figure 2(a): z1 → z2 → z3, each with its x."""
    states = [normal(z[1], 0, 1), normal(z[2], z[1], 1), normal(z[3], z[2], 1)]
    return Model.of(*states, *observations(), observed=x[1:])


@pytest.fixture
def rewritten() -> Model:
    """The paper's figure 2(b): all three rewritten."""
    states = [deterministic(z[1], eps[1]), deterministic(z[2], z[1] + eps[2]), deterministic(z[3], z[2] + eps[3])]
    return Model.of(*(normal(e, 0, 1) for e in eps[1:]), *states, *observations(), observed=x[1:])


@pytest.fixture
def root_kept() -> Model:
    """Auxiliary form with z1, a root, as it was."""
    states = [normal(z[1], 0, 1), deterministic(z[2], z[1] + eps[2]), deterministic(z[3], z[2] + eps[3])]
    return Model.of(*(normal(e, 0, 1) for e in eps[2:]), *states, *observations(), observed=x[1:])


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


def test_papers_chain_blankets(chain: Model, rewritten: Model) -> None:
    assert markov_blanket(chain, "z1") == {"z2", "x1"}
    assert markov_blanket(chain, "z2") == {"z1", "z3", "x2"}
    assert markov_blanket(chain, "x3") == {"z3"}
    assert markov_blanket(rewritten, "eps_z1") == {"eps_z2", "eps_z3", "x1", "x2", "x3"}
    assert markov_blanket(rewritten, "eps_z3") == {"eps_z1", "eps_z2", "x3"}


def test_blanket_of_a_rewritten_variable_is_that_of_its_noise(rewritten: Model) -> None:
    for number in (1, 2, 3):
        assert markov_blanket(rewritten, f"z{number}") == markov_blanket(rewritten, f"eps_z{number}")


def test_diameter_shrinks(chain: Model, rewritten: Model) -> None:
    assert (diameter(chain), diameter(rewritten)) == (3, 2)
    assert information_distances(chain)["x3"] == {"x3": 0, "z3": 1, "z2": 2, "x2": 3, "z1": 3, "x1": 4}


def test_the_unconstrained_coordinate_stands_for_its_variable() -> None:
    log_tau, y, mu = sp.symbols("log_tau y mu", real=True)
    tau = sp.Symbol("tau", positive=True)
    statements = [normal(log_tau, 0, 1), deterministic(tau, sp.exp(log_tau)), normal(mu, 0, 1), normal(y, mu, tau)]
    assert markov_blanket(Model.of(*statements, observed=[y]), tau) == {"mu", "y"}


def test_other_deterministic_nodes_stand_for_their_ancestors() -> None:
    a, b, c, eta, y = sp.symbols("a b c eta y", real=True)
    statements = [normal(a, 0, 1), normal(b, c, 1), normal(c, 0, 1), deterministic(eta, a + b), normal(y, eta, 1)]
    model = Model.of(*statements, observed=[y])
    assert factor_graph(model).coordinates("eta") == {"a", "b"}
    assert markov_blanket(model, eta) == {"c", "y"}


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


def test_inputs_are_left_out_unless_asked_for() -> None:
    mu, s, y = sp.Symbol("mu", real=True), sp.Symbol("s", positive=True), sp.Symbol("y", real=True)
    model = Model.of(normal(mu, 0, 1), normal(y, mu, s), observed=[y])
    assert markov_blanket(model, mu) == {"y"}
    assert markov_blanket(model, mu, inputs=True) == {"s", "y"}
    assert information_distance(model, s, mu) == 1


def test_a_factor_joins_its_variables() -> None:
    a, b, c = sp.symbols("a b c", real=True)
    model = Model.of(normal(a, 0, 1), normal(b, 0, 1), normal(c, 0, 1), factor(-((a - b) ** 2)))
    assert blankets(model) == {"a": {"b"}, "b": {"a"}, "c": set()}
    assert markov_blanket(model.unroll(), a) == {"b"}


def test_supports_count_as_formulas() -> None:
    from symaux.laws.families import uniform

    a, b = sp.symbols("a b", positive=True)
    assert markov_blanket(Model.of(half_normal(a, 1), uniform(b, 0, a)), b) == {"a"}


def time_series(steps: int, *, auxiliary: bool) -> Model:
    s, e, y, t = *arrays("z eps_z y"), plate("t", steps)
    tail = [normal(y[t], s[t], 1)]
    if not auxiliary:
        return Model.of(normal(s[0], 0, 1), normal(s[t], s[t - 1], 1), *tail, observed=[y])
    walk = [deterministic(s[0], e[0]), deterministic(s[t], s[t - 1] + e[t])]
    return Model.of(normal(e[t], 0, 1), *walk, *tail, observed=[y])


def test_templates_take_arrays_whole() -> None:
    assert markov_blanket(time_series(5, auxiliary=False), "z") == {"y"}
    assert markov_blanket(time_series(5, auxiliary=True), "z") == {"y"}
    assert information_distance(time_series(5, auxiliary=True), "y", "z") == 1


def test_elements_of_a_time_series() -> None:
    before, after = time_series(5, auxiliary=False).unroll(), time_series(5, auxiliary=True).unroll()
    s = arrays("z")
    assert markov_blanket(before, s[1]) == {"z[0]", "z[2]", "y[1]"}
    assert markov_blanket(after, s[3]) == {"eps_z[0]", "eps_z[1]", "eps_z[2]", "eps_z[4]", "y[3]", "y[4]"}
    assert information_distance(before, "y[4]", "z[0]") == 5
    assert information_distance(after, "y[4]", "z[0]") == 1


def test_template_graphs_are_models(chain: Model) -> None:
    assert blankets(chain.graph) == blankets(chain) == blankets(chain.unroll())


def test_unknown_variables_are_refused_by_name(chain: Model) -> None:
    with pytest.raises(ModelError, match="nobody is no variable of the model; it has z1"):
        markov_blanket(chain, "nobody")
    with pytest.raises(ModelError, match=r"elements, such as z\[0\]"):
        markov_blanket(time_series(3, auxiliary=False).unroll(), "z")
    with pytest.raises(ModelError, match="expected a model"):
        markov_blanket("z", "z")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="must be text, not 3"):
        markov_blanket(nx.DiGraph([(3, 4)]), "z")


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


@settings(max_examples=300, deadline=None)
@given(networks())
def test_blankets_are_neighbours_in_the_moral_graph(graph: nx.DiGraph) -> None:
    married = moral(graph)
    for name, blanket in blankets(graph, inputs=True).items():
        assert blanket == set(married.neighbors(name))
    for name, blanket in blankets(graph).items():
        assert blanket == {n for n in married.neighbors(name) if graph.nodes[n]["kind"] == "stochastic"}


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


@settings(max_examples=100, deadline=None)
@given(networks())
def test_scopes_hold_no_deterministic_node(graph: nx.DiGraph) -> None:
    scopes = factors(graph)
    assert len(scopes) == sum(a["kind"] == "stochastic" for _, a in graph.nodes(data=True))
    assert all(graph.nodes[n]["kind"] != "deterministic" for scope in scopes for n in scope)


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


@pytest.mark.parametrize(("kind", "steps"), [("stochastic", 50_000), ("deterministic", 1)])
def test_100_000_nodes_in_seconds(kind: str, steps: int) -> None:
    """The rewritten chain would have scopes of 1.25e9 members; they are never written down."""
    graph = big(kind)
    began = time.process_time()
    assert information_distance(graph, "x[49999]", "z[0]") == steps
    assert len(information_distance(graph, "x[49999]")) == 100_000
    assert len(markov_blanket(graph, "z[0]")) == (2 if kind == "stochastic" else 99_999)
    assert time.process_time() - began < 10
