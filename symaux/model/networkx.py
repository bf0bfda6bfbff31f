"""Convert a model to a networkx graph and back. Laws and formulas are node attributes."""

from __future__ import annotations

from typing import Any

import networkx as nx

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import label
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.node import Node
from symaux.model.statements import Deterministic, Statement


def to_networkx(model: Model) -> nx.DiGraph:
    """Return a graph with one node per variable name; ``graph["factors"]`` holds the extra log-density terms.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> z, s = sp.Symbol("z", real=True), sp.Symbol("s", positive=True)
    >>> to_networkx(Model.of(normal(z, 0, s))).nodes["s"]["kind"]
    'input'
    """
    graph = nx.DiGraph(factors=model.factors)
    for name in model.inputs:
        plates = model.axes.of_array(name)
        graph.add_node(name, kind="input", law=None, formula=None, observed=False, plates=plates, lags={}, initial=())
    for name, node in model.nodes.items():
        graph.add_node(name, **_attributes(node), auxiliary=name in model.auxiliary)
    graph.add_edges_from((parent, name) for name, node in model.nodes.items() for parent in sorted(node.parents))
    return graph


def _attributes(node: Node) -> dict[str, Any]:
    general = node.general
    return {
        "kind": node.kind,
        "law": general if isinstance(general, Law) else None,
        "formula": general.formula if isinstance(general, Deterministic) else None,
        "target": general.value if isinstance(general, Law) else general.target,
        "observed": node.observed,
        "plates": tuple(map(label, node.plates)),
        "lags": node.lags,
        "initial": node.initial,
    }


def from_networkx(graph: nx.DiGraph) -> Model:
    """Return the model that a graph holds. A node needs ``law`` or ``formula``; without either it is an input.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> model = Model.of(normal(mu, 0, 1), normal(x, mu, 1), observed=[x])
    >>> from_networkx(model.graph) == model
    True
    """
    statements: list[Statement] = []
    observed = []
    auxiliary = [str(name) for name, attributes in graph.nodes(data=True) if attributes.get("auxiliary")]
    for name, attributes in graph.nodes(data=True):
        statements += _statements(name, attributes)
        if attributes.get("observed"):
            observed.append(str(name))
    model = Model.of(*statements, *graph.graph.get("factors", ()), observed=observed, auxiliary=auxiliary)
    declared, derived = set(graph.edges), set(model.graph.edges)
    if declared and declared != derived:
        extra, missing = sorted(declared - derived), sorted(derived - declared)
        raise ModelError(
            "the graph's edges are not those of its formulas:"
            + (f" no formula reads {extra}" if extra else "")
            + (f" the graph lacks {missing}" if missing else "")
        )
    return model


def _statements(name: Any, attributes: dict[str, Any]) -> list[Statement]:
    initial = list(attributes.get("initial", ()))
    law, formula = attributes.get("law"), attributes.get("formula")
    if law is not None:
        statement: Any = law
        if not isinstance(law, Law):
            raise ModelError(f"node {name}: its law must be a Law (sa.normal(...), sa.law(...)), not {law!r}")
    elif formula is not None:
        if attributes.get("target") is None:
            raise ModelError(f"node {name}: a formula needs target=, the symbol or element that it defines")
        statement = Deterministic(attributes["target"], formula)
    else:
        return initial
    if statement.name != name:
        raise ModelError(f"node {name} holds a statement about {statement.name}")
    return [*initial, statement]
