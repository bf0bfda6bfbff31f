r"""Compute information distances: the number of gradient steps until a change at one variable reaches another.

One gradient step carries a change from a variable to all that share a factor with it. The values of observed variables
and of inputs do not move, so no path passes *through* them; a path may start or end there.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.model.model import Model
>>> z1, z2, x = sp.symbols("z1 z2 x", real=True)
>>> chain = Model.of(normal(z1, 0, 1), normal(z2, z1, 1), normal(x, z2, 1), observed=[x])
>>> information_distance(chain, x, z1)
2
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.analysis.factor_graph import FactorGraph, Network, factor_graph
from symaux.model.model import Model


def information_distance(network: Network, source: Any, target: Any = None) -> Any:
    """Return the gradient steps from source to target, ``math.inf`` if none reaches it; without a target, to all reached.

    A deterministic node counts as its coordinates: a rewritten z is at its noise ``eps_z``. On a model an array is
    one variable, unless elements of it are asked for, as ``y[3]`` and ``theta[7]``; nothing is unrolled for that.

    >>> from symaux.laws.families import normal
    >>> from symaux.formulas.symbols.indices import arrays, plate
    >>> from symaux.model.model import Model
    >>> z, t = arrays("z"), plate("t", 4)
    >>> walk = Model.of(normal(z[0], 0, 1), normal(z[t], z[t - 1], 1)).unroll()
    >>> information_distance(walk, z[0], z[3]), information_distance(walk, z[2])
    (3, {'z[2]': 0, 'z[1]': 1, 'z[3]': 1, 'z[0]': 2})
    """
    if isinstance(network, Model) and target is not None and (_is_element(source) or _is_element(target)):
        from symaux.analysis.element_distance import element_distance

        return element_distance(network, source, target)
    graph = factor_graph(network)
    start = graph.coordinates(graph.find(source))
    if target is None:
        wanted = graph.variables | start
        return {name: steps for steps, ring in enumerate(rings(graph, start)) for name in sorted(ring & wanted)}
    goal = graph.coordinates(graph.find(target))
    return next((steps for steps, ring in enumerate(rings(graph, start)) if ring & goal), math.inf)


def _is_element(asked: Any) -> bool:
    return isinstance(asked, Indexed) and all(isinstance(i, sp.Integer) for i in asked.indices)


def rings(graph: FactorGraph, start: frozenset[str]) -> Iterator[frozenset[str]]:
    """Yield the names first reached after 0, 1, 2, … gradient steps, observed variables and inputs included.

    Every factor and every deterministic node is visited once in each direction: linear in the size of the graph.
    """
    ring, moving = start, start
    latents, reached = graph.latents, set(start)
    done: set[int] = set()
    down: set[str] = set()
    up: set[str] = set()
    while ring:
        yield ring
        touched = {number for number in graph.factors_of(moving, down) if number not in done}
        done |= touched
        scope = (name for number in touched for name in graph.scopes[number])
        ring = frozenset(name for name in graph.sources(scope, up) if name not in reached)
        reached |= ring
        moving = ring & latents


def information_distances(network: Network) -> dict[str, dict[str, int]]:
    """Return the distances from every stochastic variable to every one that it reaches; quadratic in their number.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.model import Model
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> information_distances(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]))
    {'mu': {'mu': 0, 'x': 1}, 'x': {'x': 0, 'mu': 1}}
    """
    graph = factor_graph(network)
    return {name: information_distance(graph, name) for name in graph.kinds if name in graph.variables}


def diameter(network: Network) -> int:
    """Return the most steps that a change at any variable needs to reach a latent; what never arrives does not count.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.model import Model
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> diameter(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]))
    1
    """
    graph = factor_graph(network)
    return max((_eccentricity(graph, name) for name in graph.variables), default=0)


def _eccentricity(graph: FactorGraph, name: str) -> int:
    """Return the number of steps until the last latent that the name reaches."""
    reached = enumerate(rings(graph, frozenset([name])))
    return max((steps for steps, ring in reached if ring & graph.latents), default=0)
