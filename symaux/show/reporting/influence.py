"""Compute what the diagram of a report shows of a variable: its blanket, and when information about a change arrives."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from symaux.analysis.blanket import markov_blanket
from symaux.analysis.factor_graph import DETERMINISTIC, INPUT, FactorGraph, Network, factor_graph
from symaux.analysis.information import rings

SOURCES = 80  # variables that a change may start from; observed ones come first


@dataclass(frozen=True)
class Influence:
    """One form of a model: for each name its coordinates, its blanket, and the steps to each other name."""

    own: dict[str, list[str]]
    blanket: dict[str, list[str]]
    steps: dict[str, dict[str, int]]

    def as_data(self) -> dict[str, Any]:
        return {"own": self.own, "blanket": self.blanket, "steps": self.steps}


def influence(network: Network, sources: Sequence[str]) -> Influence:
    """Return the blankets of all names of a network, and the distances from the sources.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.model import Model
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> influence(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x]), ["x"]).steps
    {'x': {'mu': 1, 'x': 0}}
    """
    graph = factor_graph(network)
    own = {name: sorted(graph.coordinates(name)) for name in graph.kinds}
    blanket = {name: sorted(markov_blanket(graph, name)) for name in graph.kinds}
    return Influence(own, blanket, {s: _steps(graph, s, own) for s in sources if s in graph.kinds})


def _steps(graph: FactorGraph, source: str, own: dict[str, list[str]]) -> dict[str, int]:
    """Return the gradient steps to every name that moves or is observed; a deterministic name counts as its coordinates."""
    first = {n: k for k, ring in enumerate(rings(graph, graph.coordinates(source))) for n in ring}
    reached = {}
    for name in sorted(graph.kinds):
        at = min((first.get(n, math.inf) for n in own[name]), default=math.inf)
        if at < math.inf and graph.kinds[name] != INPUT:
            reached[name] = int(at)
    return reached


def sources_of(network: Network) -> list[str]:
    """Return the variables where a change may start: the observed ones first, then the latents."""
    graph = factor_graph(network)
    listed = [n for n in graph.kinds if n in graph.observed] + [n for n in graph.kinds if n in graph.latents]
    return listed[:SOURCES]


def most_improved_source(before: Influence, after: Influence, sources: Iterable[str], latents: Iterable[str]) -> str:
    """Return the source that gains most by the rewrite: the most steps fewer to the last latent that it reaches."""
    moving = set(latents)

    def last(side: Influence, source: str) -> int:
        return max((k for name, k in side.steps.get(source, {}).items() if name in moving), default=0)

    return max(sources, key=lambda source: last(before, source) - last(after, source), default="")


def twins(before: Network, after: Network) -> dict[str, str]:
    """Return the variable that each new name belongs to: the noise eps_z is z's, log_tau is tau's."""
    old, new = factor_graph(before), factor_graph(after)
    found = {}
    for name in old.kinds:
        if new.kinds.get(name) == DETERMINISTIC and old.kinds[name] != DETERMINISTIC:
            found |= {own: name for own in new.coordinates(name) if own not in old.kinds}
    return found
