r"""Define ``Model``, a Bayesian network: checked statements, whose edges are read off the formulas and never declared.

>>> from symaux.laws.families import normal
>>> mu, x = sp.symbols("mu x", real=True)
>>> model = Model.of(normal(mu, 0, 1), normal(x, mu, 2), observed=[x])
>>> sorted(model.graph.edges)
[('mu', 'x')]
>>> print(model)
mu ~ normal(0, 1)
observe x ~ normal(mu, 2)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import networkx as nx
import sympy as sp

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import is_gather, name_of, names_outside_indices
from symaux.laws.law import Law
from symaux.model.axes import Axes, find_axes
from symaux.model.check import check_model
from symaux.model.domains import OpenCondition, check_domains, open_conditions, warn_of_open_conditions
from symaux.model.node import Node, group_by_variable
from symaux.model.parent_bounds import with_parent_bounds
from symaux.model.statements import Deterministic, Factor, Statement, reads


@dataclass(frozen=True)
class Model:
    """Statements and the names of the observed variables. A model is immutable: a rewrite returns a new one."""

    statements: tuple[Statement, ...]
    observed: frozenset[str] = frozenset()
    auxiliary: frozenset[str] = frozenset()  # names that rewrites brought in: noise, unconstrained latents
    data: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # what an imported model came with

    @classmethod
    def of(cls, *statements: Statement, observed: Iterable[Any] = (), auxiliary: Iterable[str] = ()) -> Model:
        """Return a model from laws, deterministic nodes and factors; raise ModelError if it is not a Bayesian network.

        Warn of conditions on parameters that the model does not imply, such as the scale s > 0 of an s with a normal law.
        """
        model = cls.derived(*statements, observed=observed, auxiliary=auxiliary)
        warn_of_open_conditions(model)
        return model

    @classmethod
    def derived(cls, *statements: Statement, observed: Iterable[Any] = (), auxiliary: Iterable[str] = ()) -> Model:
        """Return a model that was made from another one: as ``of``, without the warnings that its user has had already."""
        for statement in statements:
            if not isinstance(statement, Law | Deterministic | Factor):
                raise ModelError(
                    f"a model is made of laws, sa.deterministic and sa.factor, not {statement!r}"
                    " (use sa.law(z, ...) for a density or a sympy.stats distribution)"
                )
        if isinstance(observed, str | sp.Basic):
            observed = [observed]
        names = frozenset(name_of(o) for o in observed)
        nodes = group_by_variable(with_parent_bounds(statements), names).values()
        factors = (s for s in statements if isinstance(s, Factor))
        model = cls((*(s for node in nodes for s in node.statements), *factors), names, frozenset(auxiliary))
        check_model(model)
        check_domains(model)
        return model

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Return the variables by name, in the order in which they are first stated."""
        return group_by_variable(self.statements, self.observed)

    @cached_property
    def factors(self) -> tuple[Factor, ...]:
        return tuple(s for s in self.statements if isinstance(s, Factor))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Return the symbols and arrays without a statement: parameters and data."""
        read = {r.name for s in self.statements for r in reads(s)}
        return tuple(sorted(read - set(self.nodes)))

    @cached_property
    def domain(self) -> tuple[OpenCondition, ...]:
        """Return the conditions on parameters that the model does not imply; where one fails, the log-density is -inf."""
        return open_conditions(self)

    @cached_property
    def axes(self) -> Axes:
        return find_axes(self.statements)

    @cached_property
    def index_arrays(self) -> frozenset[str]:
        """Return the data that only index other arrays, as county does in alpha[county[i]]: they stay integers."""
        picking = {name_of(i) for s in self.statements for r in reads(s) for i in r.indices if is_gather(i)}
        numbers = {name for s in self.statements for formula in s.formulas for name in names_outside_indices(formula)}
        return frozenset(picking & {*self.inputs, *self.observed}) - numbers

    @property
    def latents(self) -> tuple[str, ...]:
        """Return the stochastic variables that are not observed, in the order in which they are stated."""
        return tuple(name for name, node in self.nodes.items() if node.latent)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Return the variables in topological order, ties by name."""
        dependence = nx.DiGraph()
        dependence.add_nodes_from(sorted(self.nodes))
        dependence.add_edges_from((p, n) for n, node in self.nodes.items() for p in node.parents if p in self.nodes)
        return tuple(nx.lexicographical_topological_sort(dependence))

    @cached_property
    def graph(self) -> nx.DiGraph:
        """Return the DAG with one node per variable, its law or formula; a lagged dependence is an attribute."""
        from symaux.model.networkx import to_networkx

        return to_networkx(self)

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph) -> Model:
        """Return the model whose laws and formulas the graph's nodes hold; its edges must be those of the formulas."""
        from symaux.model.networkx import from_networkx

        return from_networkx(graph)

    def unroll(self, data: Any = None, **sizes: int) -> nx.DiGraph:
        """Return the graph with one node per element, for analysis and drawing of small models."""
        from symaux.model.unroll import unroll

        return unroll(self, data, sizes)

    def _repr_svg_(self) -> str | None:
        from symaux.show.display.notebook import picture

        return picture(self)

    def _repr_html_(self) -> str:
        from symaux.show.display.notebook import model_html

        return model_html(self)

    def _repr_latex_(self) -> str:
        from symaux.show.display.notebook import model_latex

        return model_latex(self)

    @cached_property
    def text(self) -> str:
        """Return the model in the symaux language; raise LanguageError unless ``sa.parse`` reads it back as the same model."""
        from symaux.language.print_model import checked_text

        return checked_text(self)

    def __str__(self) -> str:
        from symaux.language.print_model import display_model

        return display_model(self)
