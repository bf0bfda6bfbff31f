"""Factor graphs: what belongs to a scope, in models and in templates."""

from __future__ import annotations

import networkx as nx
import sympy as sp
from hypothesis import given, settings
from support.networks import networks
from support.templates import time_series

from symaux.analysis.blanket import blankets, factors, markov_blanket
from symaux.analysis.information import information_distance
from symaux.laws.families import half_normal, normal
from symaux.model.model import Model
from symaux.model.statements import factor


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


def test_templates_take_arrays_whole() -> None:
    assert markov_blanket(time_series(5, auxiliary=False), "z") == {"y"}
    assert markov_blanket(time_series(5, auxiliary=True), "z") == {"y"}
    assert information_distance(time_series(5, auxiliary=True), "y", "z") == 1


def test_template_graphs_are_models(chain: Model) -> None:
    assert blankets(chain.graph) == blankets(chain) == blankets(chain.unroll())


@settings(max_examples=100, deadline=None)
@given(networks())
def test_scopes_hold_no_deterministic_node(graph: nx.DiGraph) -> None:
    scopes = factors(graph)
    assert len(scopes) == sum(a["kind"] == "stochastic" for _, a in graph.nodes(data=True))
    assert all(graph.nodes[n]["kind"] != "deterministic" for scope in scopes for n in scope)
