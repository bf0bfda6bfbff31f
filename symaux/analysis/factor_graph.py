r"""Build the factor graph of a model: $\log p = \sum_f \log f(\text{scope of } f)$, with deterministic nodes passed through.

A statement of a stochastic variable is one factor, over its value and all variables in its formulas; so is every
``sa.factor``. A deterministic node is not a variable of its own: a factor that reads it reads its stochastic ancestors. The
graph keeps what each formula reads directly and walks through deterministic nodes only when asked, so that it stays as
small as the model: a rewritten chain of n variables has scopes of n(n+1)/2 members, which are never written down.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import networkx as nx
import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import name_of
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, reads
from symaux.model.unroll import element_name

STOCHASTIC, DETERMINISTIC, INPUT = "stochastic", "deterministic", "input"
COORDINATES = ("eps", "partial", "log", "logit")  # prefixes that a rewrite puts before a variable's name


@dataclass(frozen=True)
class FactorGraph:
    """The variables that factors (``scopes``, with their own value) and deterministic nodes (``formulas``) read directly."""

    kinds: Mapping[str, str]
    observed: frozenset[str]
    scopes: tuple[frozenset[str], ...]
    formulas: Mapping[str, frozenset[str]]
    owners: tuple[str, ...] = ()  # the variable whose law each factor is; empty for a term of no variable

    @cached_property
    def touched(self) -> dict[str, list[int]]:
        """Return the factors that read a name directly."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, scope in enumerate(self.scopes):
            for name in scope:
                found[name].append(number)
        return dict(found)

    @cached_property
    def functions(self) -> dict[str, list[str]]:
        """Return the deterministic nodes that read a name directly."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for node, parents in self.formulas.items():
            for name in parents:
                found[name].append(node)
        return dict(found)

    @cached_property
    def latents(self) -> frozenset[str]:
        """Return the variables that a gradient moves: stochastic and not observed."""
        return frozenset(n for n, kind in self.kinds.items() if kind == STOCHASTIC and n not in self.observed)

    @cached_property
    def variables(self) -> frozenset[str]:
        """Return the stochastic variables, observed or not."""
        return frozenset(n for n, kind in self.kinds.items() if kind == STOCHASTIC)

    def sources(self, names: Iterable[str], seen: set[str] | None = None) -> Iterator[str]:
        """Yield the stochastic variables and inputs that the names depend on, through deterministic nodes.

        ``seen`` collects what was visited, so that later walks need not go there again.
        """
        seen = set() if seen is None else seen
        stack = list(names)
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            if self.kinds[name] == DETERMINISTIC:
                stack.extend(self.formulas[name])
            else:
                yield name

    def factors_of(self, names: Iterable[str], seen: set[str] | None = None) -> Iterator[int]:
        """Yield the factors that depend on the names, directly or through deterministic nodes; a factor may come twice."""
        seen = set() if seen is None else seen
        stack = list(names)
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            yield from self.touched.get(name, ())
            stack.extend(self.functions.get(name, ()))

    def coordinates(self, name: str) -> frozenset[str]:
        """Return the coordinates of a name: itself if it is stochastic, else the variables that its value is computed from.

        A rewritten variable is carried by its own noise (``eps_z``, ``eps_z_1``) or by its unconstrained coordinate
        (``log_tau``); any other deterministic node by all of its stochastic ancestors.
        """
        own = {name}
        while moved := {n for n in own if self.kinds[n] == DETERMINISTIC and self._coordinate_parents(n)}:
            own = (own - moved) | {p for n in moved for p in self._coordinate_parents(n)}
        return frozenset(self.sources(own))

    def _coordinate_parents(self, name: str) -> frozenset[str]:
        """Return the parents that are named as coordinates of a variable; for an element of an array, those with its index."""
        stem, bracket, index = name.partition("[")
        pattern = re.compile(rf"({'|'.join(COORDINATES)})_{re.escape(stem)}(_\d+)?{re.escape(bracket + index)}")
        return frozenset(p for p in self.formulas[name] if self.kinds[p] != INPUT and pattern.fullmatch(p))

    def find(self, asked: Any) -> str:
        """Return the name of a variable given as text, as a symbol, an array, or an element of one."""
        wanted = asked if isinstance(asked, str) else self._spelled(asked)
        if wanted in self.kinds:
            return wanted
        near = [n for n in self.kinds if n.partition("[")[0] == wanted]
        hint = f"it has elements, such as {near[0]}" if near else f"it has {', '.join(list(self.kinds)[:12])}"
        raise ModelError(f"{wanted} is not a variable of the model; {hint}")

    def _spelled(self, asked: Any) -> str:
        name = name_of(asked)
        if name in self.kinds or not isinstance(asked, Indexed):
            return name
        indices = tuple(int(i) for i in asked.indices if isinstance(i, sp.Integer))
        return element_name(name, indices)


Network = Model | nx.DiGraph | FactorGraph


def factor_graph(network: Network) -> FactorGraph:
    """Return the factor graph of a model (by variable), or of an unrolled graph (by element).

    >>> from symaux.laws.families import normal
    >>> mu, x = sp.symbols("mu x", real=True)
    >>> factor_graph(Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x])).latents
    frozenset({'mu'})
    """
    match network:
        case FactorGraph():
            return network
        case Model():
            return _of_model(network)
        case nx.DiGraph():
            template = any("lags" in attributes for _, attributes in network.nodes(data=True))
            return _of_model(Model.from_networkx(network)) if template else _of_graph(network)
    raise ModelError(f"expected a model or an unrolled graph, not {type(network).__name__}")


def _of_model(model: Model) -> FactorGraph:
    kinds = dict.fromkeys(model.inputs, INPUT) | {name: node.kind for name, node in model.nodes.items()}
    scopes: list[frozenset[str]] = []
    owners: list[str] = []
    formulas: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for statement in model.statements:
        read = frozenset(r.name for r in reads(statement))
        match statement:
            case Deterministic():
                formulas[statement.name] |= read
            case Factor():
                scopes.append(read)
                owners.append("")
            case _:
                scopes.append(read | {statement.name})
                owners.append(statement.name)
    return FactorGraph(kinds, model.observed, tuple(scopes), dict(formulas), tuple(owners))


def _of_graph(graph: nx.DiGraph) -> FactorGraph:
    if odd := [n for n in graph.nodes if not isinstance(n, str)]:
        raise ModelError(
            f"the names of a graph's nodes must be text, not {odd[0]!r}; use networkx.relabel_nodes(G, str)"
        )
    kinds = {name: attributes.get("kind", STOCHASTIC) for name, attributes in graph.nodes(data=True)}
    observed = frozenset(n for n, attributes in graph.nodes(data=True) if attributes.get("observed"))
    parents = {name: frozenset(graph.predecessors(name)) for name in kinds}
    owners = [name for name, kind in kinds.items() if kind == STOCHASTIC]
    more = [frozenset(scope) for scope in graph.graph.get("factors", ())]
    scopes = [*(parents[name] | {name} for name in owners), *more]
    formulas = {name: parents[name] for name, kind in kinds.items() if kind == DETERMINISTIC}
    return FactorGraph(kinds, observed, tuple(scopes), formulas, (*owners, *("" for _ in more)))
