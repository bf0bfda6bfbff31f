"""Markov blankets, against the paper and against an independent computation."""

from __future__ import annotations

import networkx as nx
import pytest
import sympy as sp
from hypothesis import given, settings
from support.networks import moral, networks
from support.templates import time_series

from symaux.analysis.blanket import blankets, markov_blanket
from symaux.analysis.factor_graph import factor_graph
from symaux.errors import ModelError
from symaux.laws.families import normal
from symaux.model.model import Model
from symaux.model.statements import deterministic


def test_papers_chain_blankets(chain: Model, rewritten: Model) -> None:
    assert markov_blanket(chain, "z1") == {"z2", "x1"}
    assert markov_blanket(chain, "z2") == {"z1", "z3", "x2"}
    assert markov_blanket(chain, "x3") == {"z3"}
    assert markov_blanket(rewritten, "eps_z1") == {"eps_z2", "eps_z3", "x1", "x2", "x3"}
    assert markov_blanket(rewritten, "eps_z3") == {"eps_z1", "eps_z2", "x3"}


def test_blanket_of_a_rewritten_variable_is_that_of_its_noise(rewritten: Model) -> None:
    for number in (1, 2, 3):
        assert markov_blanket(rewritten, f"z{number}") == markov_blanket(rewritten, f"eps_z{number}")


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


def test_unknown_variables_are_refused_by_name(chain: Model) -> None:
    with pytest.raises(ModelError, match="nobody is not a variable of the model; it has z1"):
        markov_blanket(chain, "nobody")
    with pytest.raises(ModelError, match=r"elements, such as z\[0\]"):
        markov_blanket(time_series(3, auxiliary=False).unroll(), "z")
    with pytest.raises(ModelError, match="expected a model"):
        markov_blanket("z", "z")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="must be text, not 3"):
        markov_blanket(nx.DiGraph([(3, 4)]), "z")


@settings(max_examples=300, deadline=None)
@given(networks())
def test_blankets_are_neighbours_in_the_moral_graph(graph: nx.DiGraph) -> None:
    married = moral(graph)
    for name, blanket in blankets(graph, inputs=True).items():
        assert blanket == set(married.neighbors(name))
    for name, blanket in blankets(graph).items():
        assert blanket == {n for n in married.neighbors(name) if graph.nodes[n]["kind"] == "stochastic"}
