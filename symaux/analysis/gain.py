r"""Compare blankets and distances before and after a variable is rewritten as $\tilde z = g(\mathrm{pa}, \varepsilon)$.

Only the graph is used, so this is quick, and a guide before anything is derived.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.model.model import Model
>>> z1, z2, z3, x = sp.symbols("z1 z2 z3 x", real=True)
>>> states = [normal(z1, 0, 1), normal(z2, z1, 1), normal(z3, z2, 1)]
>>> found = gains(Model.of(*states, normal(x, z3, 1), observed=[x]))
>>> found["z2"].farthest, found["z1"].farthest
((3, 2), (3, 3))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from symaux.analysis.factor_graph import DETERMINISTIC, STOCHASTIC, FactorGraph, Network, factor_graph
from symaux.analysis.information import rings
from symaux.errors import ModelError

Pair = tuple[int, int]  # before and after


@dataclass(frozen=True)
class Gain:
    """The changes that rewriting one variable makes, each as a pair of before and after.

    ``blanket`` counts the variables of its own blanket, ``reached`` the latents that one step from the observations reaches,
    and ``farthest`` the steps until the last latent that they reach at all.
    """

    blanket: Pair
    reached: Pair
    farthest: Pair


def gains(network: Network) -> dict[str, Gain]:
    """Return the gain of each latent, were it the only one that is rewritten."""
    graph = factor_graph(network)
    return {name: gain(graph, with_rewritten(graph, [name]), name) for name in graph.kinds if name in graph.latents}


def gain(before: FactorGraph, after: FactorGraph, name: str) -> Gain:
    """Return the gain of one variable between two graphs, and how far information about the observations reaches."""
    from symaux.analysis.blanket import markov_blanket

    sizes = tuple(len(markov_blanket(side, name)) for side in (before, after))
    (one, last), (one_after, last_after) = _reach_of_observations(before), _reach_of_observations(after)
    return Gain((sizes[0], sizes[1]), (one, one_after), (last, last_after))


def with_rewritten(network: Network, names: Iterable[str]) -> FactorGraph:
    """Return the graph with some latents as functions of their parents and of a noise that is a root."""
    graph = factor_graph(network)
    kinds, formulas, scopes = dict(graph.kinds), dict(graph.formulas), list(graph.scopes)
    for name in names:
        if name not in graph.latents:
            raise ModelError(f"{name} is not a latent variable of the model, so it has no auxiliary form")
        noise, own = f"eps_{name}", _own_factors(graph, name)
        kinds |= {name: DETERMINISTIC, noise: STOCHASTIC}
        formulas[name] = frozenset().union(*(graph.scopes[k] for k in own)) - {name} | {noise}
        for k in own:
            scopes[k] = frozenset([noise])
    return replace(graph, kinds=kinds, formulas=formulas, scopes=tuple(scopes))


def _own_factors(graph: FactorGraph, name: str) -> list[int]:
    """Return the numbers of the factors that are the variable's own law."""
    found = [k for k, owner in enumerate(graph.owners) if owner == name]
    if not found:
        raise ModelError(f"{name} has no law of its own")
    return found


def _reach_of_observations(graph: FactorGraph) -> Pair:
    """Return how many latents one step from all observations reaches, and the steps until the last latent is reached."""
    reached, last = set(), 0
    for name in graph.observed:
        for steps, ring in enumerate(rings(graph, frozenset([name]))):
            moved = ring & graph.latents
            reached |= moved if steps == 1 else set()
            last = max(last, steps if moved else 0)
    return len(reached), last
