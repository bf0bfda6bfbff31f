r"""Compute Markov blankets by factors, as Kingma (2013) defines them: the variables that share a factor with a variable.

$$\nabla_{v} \log p = \sum_{f \ni v} \nabla_v \log f,$$ so the gradient of one variable depends on its blanket alone.
In auxiliary form a deterministic z̃ is marginalised through: the factor of an observed variable contains every noise that
reaches it, and observed parents block.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.model.model import Model
>>> from symaux.model.statements import deterministic
>>> z1, z2, e, x = sp.symbols("z1 z2 eps_z2 x", real=True)
>>> before = Model.of(normal(z1, 0, 1), normal(z2, z1, 1), normal(x, z2, 1), observed=[x])
>>> after = Model.of(normal(z1, 0, 1), normal(e, 0, 1), deterministic(z2, z1 + e), normal(x, z2, 1), observed=[x])
>>> sorted(markov_blanket(before, z1)), sorted(markov_blanket(after, z1))
(['z2'], ['eps_z2', 'x'])
"""

from __future__ import annotations

from typing import Any

from symaux.analysis.factor_graph import INPUT, STOCHASTIC, FactorGraph, Network, factor_graph


def factors(network: Network) -> list[frozenset[str]]:
    """Return the scope of every factor with deterministic nodes marginalised through, inputs included.

    Written out in full, a rewritten chain of n variables has n(n+1)/2 members: for large models ask for blankets.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.model import Model
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> [sorted(scope) for scope in factors(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]))]
    [['mu'], ['mu', 'x']]
    """
    graph = factor_graph(network)
    return [frozenset(graph.sources(scope)) for scope in graph.scopes]


def markov_blanket(network: Network, variable: Any, *, inputs: bool = False) -> frozenset[str]:
    """Return the stochastic variables that share a factor with a variable; with ``inputs`` the parameters and data too.

    On a model, by name: an array is one variable, and a lag on itself does not count. On an unrolled graph, by
    element. The blanket of a deterministic node is that of its coordinates: of its noise, if it was rewritten.

    >>> from symaux.laws.families import normal
    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> from symaux.model.model import Model
    >>> z, t = arrays("z"), plate("t", 4)
    >>> walk = Model.of(normal(z[0], 0, 1), normal(z[t], z[t - 1], 1))
    >>> sorted(markov_blanket(walk.unroll(), z[1])), markov_blanket(walk, z)
    (['z[0]', 'z[2]'], frozenset())
    """
    graph = factor_graph(network)
    wanted = {STOCHASTIC, INPUT} if inputs else {STOCHASTIC}
    own = graph.coordinates(graph.find(variable))
    return frozenset(n for n in neighbours(graph, own) if graph.kinds[n] in wanted)


def neighbours(graph: FactorGraph, names: frozenset[str]) -> frozenset[str]:
    """Return the variables and inputs that share a factor with one of the names, without the names themselves."""
    touched = frozenset(graph.factors_of(names))
    scope = frozenset().union(*(graph.scopes[number] for number in touched))
    return frozenset(graph.sources(scope)) - names


def blankets(network: Network, *, inputs: bool = False) -> dict[str, frozenset[str]]:
    """Return the Markov blanket of every stochastic variable.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.model import Model
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> blankets(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]))
    {'mu': frozenset({'x'}), 'x': frozenset({'mu'})}
    """
    graph = factor_graph(network)
    return {name: markov_blanket(graph, name, inputs=inputs) for name in graph.kinds if name in graph.variables}
