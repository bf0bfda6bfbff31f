r"""Rewrite a model into auxiliary form: each latent $Z_j$ becomes $\tilde Z_j = g_j(\mathrm{pa}_j, E_j)$ with $E_j$ a root.

Since $\tilde Z_j$ keeps the name of $Z_j$, no other statement changes: the graph is the same but for one fresh root per
noise, and the joint law of everything else is preserved exactly when each rewrite preserves its conditional law.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx
import sympy as sp

from symaux.derivation.form_of_law import check_fresh
from symaux.derivation.law import derive, refuse_unnormalised
from symaux.derivation.partial import partial_steps, weight_of
from symaux.derivation.unconstrain import unconstrain as unconstrained
from symaux.derivation.unconstrain_vector import as_real_vector
from symaux.errors import ModelError, NoRuleApplies
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of
from symaux.formulas.symbols.names import taken_name
from symaux.formulas.symbols.support import bounds
from symaux.laws.law import Law
from symaux.model.domains import indicators
from symaux.model.model import Model
from symaux.model.node import Node
from symaux.model.statements import Deterministic, Statement, named_formulas, target
from symaux.rules.derivation import Derivation, Step

NOISES = ("normal", "uniform", "auto")
NO_PARTIAL = "it has no location or scale that depends on a parent, and no form in closed formulas of one noise"


@dataclass(frozen=True)
class Replacement:
    """The statements that replace a node, the steps that led to them, and the names of the new variables."""

    statements: tuple[Statement, ...]
    steps: tuple[Step, ...]
    new_names: tuple[str, ...]


def auxiliary(
    model: Model,
    rules: Sequence[Any],
    only: Iterable[Any] | None = None,
    keep_roots: bool = True,
    noise: str = "normal",
) -> Derivation:
    """Return the auxiliary form of a model; ``kept`` says why a latent was not rewritten."""
    if noise not in NOISES:
        raise ModelError(f"noise must be one of {', '.join(NOISES)}, not {noise!r}")
    wanted = None if only is None else latent_names(model, only)
    for statement in model.statements:
        if isinstance(statement, Law) and not statement.components and statement.origin is None:
            refuse_unnormalised(statement)
    below = descendants_of_latents(model)
    kept: dict[str, str] = {}

    def replaced(node: Node) -> Replacement | None:
        reason = _reason_to_keep(node, wanted, keep_roots, below)
        if reason is None:
            try:
                return _auxiliary_replacement(node, rules, noise)
            except NoRuleApplies as failure:
                if wanted is not None:
                    raise
                reason = str(failure).split("\n", 1)[0]
        kept[node.name] = reason
        try:
            return _unconstrained_replacement(node)
        except NoRuleApplies as failure:
            kept[node.name] = f"{reason}; {failure}"
            return None

    return _derivation(model, replaced, kept)


def unconstrain(model: Model) -> Derivation:
    """Move every latent with bounded support to the real line, with the Jacobian in its log-density."""
    return _derivation(model, _unconstrained_replacement, {})


def partial(model: Model, rules: Sequence[Any], weights: Mapping[str, Any], closed: bool = False) -> Derivation:
    """Rewrite some latents into partial forms; every other latent with bounded support is moved to the real line.

    ``closed`` leaves out forms that need a solver: a gradient of one costs as much as dozens of the original form.
    """
    _check_names(model, weights)
    kept: dict[str, str] = {}
    moving = moving_names(model)

    def replaced(node: Node) -> Replacement | None:
        made = _partial_replacement(node, rules, weights[node.name], moving, closed) if node.name in weights else None
        if made is None and node.name in weights:
            kept[node.name] = NO_PARTIAL
        return made or _unconstrained_replacement(node)

    return _derivation(model, replaced, kept)


def rewrite_by_weights(
    model: Model, rules: Sequence[Any], weights: Mapping[str, Any], reasons: Mapping[str, str], noise: str = "normal"
) -> Derivation:
    """Rewrite every latent by its weight: 1 gives its original form, 0 the auxiliary one, others (None: an input) one between.

    Latents without a weight stay as they are, and ``reasons`` say why.
    """
    _check_names(model, weights)
    kept: dict[str, str] = {}
    moving = moving_names(model)

    def replaced(node: Node) -> Replacement | None:
        weight = weights.get(node.name, 1)
        kept[node.name] = reasons.get(node.name, NO_PARTIAL)
        made = None
        if weight == 0:
            try:
                made = _auxiliary_replacement(node, rules, noise)
            except NoRuleApplies as failure:
                kept[node.name] = str(failure).split("\n", 1)[0]
        elif weight != 1:
            made = _partial_replacement(node, rules, weight, moving, True)
        if made is not None:
            del kept[node.name]
        return made or _unconstrained_replacement(node)

    return _derivation(model, replaced, kept)


def _check_names(model: Model, weights: Iterable[str]) -> None:
    for name in sorted(set(weights) - set(model.latents)):
        raise ModelError(f"{name}: the model has no such latent variable; it has {', '.join(model.latents)}")


def _partial_replacement(
    node: Node, rules: Sequence[Any], weight: Any, moving: Collection[str], closed: bool
) -> Replacement | None:
    """Return a latent as a function of one that is between it and its noise."""
    statements: list[Statement] = []
    steps: list[Step] = []
    for law in _laws(node):
        if weight is None:
            check_fresh(law, [weight_of(law, None)])
        made = partial_steps(law, rules, weight_of(law, weight), moving, closed)
        if made is None:
            return None
        *_, last = made
        formula = functools.reduce(lambda f, step: f.xreplace({step.before.value: step.after.value}), made, law.value)
        statements += [last.after.noise[0], Deterministic(target(law), formula)]
        steps += made
    return Replacement(tuple(statements), tuple(steps), (f"partial_{node.name}",))


def _derivation(model: Model, replaced: Callable[[Node], Replacement | None], kept: dict[str, str]) -> Derivation:
    statements: list[Statement] = []
    steps: list[Step] = []
    new_names: list[str] = []
    computed: set[str] = set()  # no longer noise, if they were: their values are those of the model
    for node in model.nodes.values():
        replacement = replaced(node) if node.latent else None
        if replacement is None:
            statements += node.statements
            continue
        computed.add(node.name)
        statements += replacement.statements
        steps += replacement.steps
        new_names += replacement.new_names
    _check_clash(model, (*new_names, *_names_between(steps, new_names)))
    auxiliary = (model.auxiliary - computed) | set(new_names)
    factors = (*model.factors, *indicators(model, computed))
    after = Model.derived(*statements, *factors, observed=sorted(model.observed), auxiliary=auxiliary)
    return Derivation(model, after, tuple(steps), kept)


def latent_names(model: Model, only: Any) -> set[str]:
    """Return the names of one or several latents; raise ModelError if the model does not have one of them."""
    names = {name_of(only)} if isinstance(only, str) or hasattr(only, "free_symbols") else {name_of(o) for o in only}
    for name in sorted(names - set(model.latents)):
        raise ModelError(f"only={name}: the model has no such latent variable; it has {', '.join(model.latents)}")
    return names


def descendants_of_latents(model: Model) -> frozenset[str]:
    """Return the variables with a latent ancestor. Paths end at observed variables, whose values are fixed."""
    flow = nx.DiGraph()
    flow.add_nodes_from(model.nodes)
    for name, node in model.nodes.items():
        flow.add_edges_from(
            (p, name) for p in (*node.parents, *node.lags) if p in model.nodes and p not in model.observed
        )
    reached: set[str] = set()
    stack = [child for name in model.latents for child in flow.successors(name)]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            stack.extend(flow.successors(name) if name not in model.observed else ())
    return frozenset(reached)


def moving_names(model: Model) -> frozenset[str]:
    """Return the names of the variables whose values are not fixed: latents, and what is computed from them."""
    return (descendants_of_latents(model) | {*model.latents}) - {*model.observed}


def _reason_to_keep(node: Node, wanted: set[str] | None, keep_roots: bool, below: frozenset[str]) -> str | None:
    if wanted is not None:
        return None if node.name in wanted else "not asked for"
    if any(isinstance(s, Law) and not s.proper for s in node.statements):
        return "a flat prior is not a distribution, so there is no noise that it could come from"
    if keep_roots and node.name not in below:
        return "a root: it has no latent parents, so nothing is gained"
    return None


def _laws(node: Node) -> list[Law]:
    return [s for s in node.statements if isinstance(s, Law)]


def _auxiliary_replacement(node: Node, rules: Sequence[Any], noise: str) -> Replacement:
    laws = _laws(node)
    for law in laws:
        if not law.proper:
            raise NoRuleApplies(
                f"{law}: a flat prior is not a distribution, so there is no noise that it could come from"
            )
    forms = [derive(law, rules, noise=noise) for law in laws]
    values = tuple(Deterministic(law.value, form.value) for law, form in zip(laws, forms, strict=True))
    noises = _merge_noises([n for form in forms for n in form.noise])
    steps = tuple(step for form in forms for step in form.steps)
    return Replacement((*noises, *values), steps, tuple(dict.fromkeys(n.name for n in noises)))


def _merge_noises(noises: list[Law]) -> tuple[Law, ...]:
    """Return the noises, with one statement for an array whose fixed elements have the same law as the rest."""
    merged: list[Law] = []
    for name in dict.fromkeys(n.name for n in noises):
        *first, last = (n for n in noises if n.name == name)
        same = all(_about(n, last.value) == last for n in first)
        merged += [last] if same else [*first, last]
    return tuple(merged)


def _about(law: Law, value: Any) -> Law:
    return replace(law, value=value, log_density=law.log_density.xreplace({law.value: value}))


def _unconstrained_replacement(node: Node) -> Replacement | None:
    """Return a latent with bounded support as a function of one on the real line; None if it is unbounded already."""
    moved = [(law, unconstrained(law)) for law in _laws(node)]
    if all(step is None for _, step in moved):
        return None
    statements: list[Statement] = []
    steps: list[Step] = []
    for law, step in moved:
        if step is None:
            raise ModelError(f"{law}: some elements of {node.name} are bounded and others are not; state them alike")
        (moved_law,) = step.after.noise
        moved_law = replace(moved_law, origin=(law, _unconstrained_value(law)))
        statements += [moved_law, Deterministic(target(law), step.after.value)]
        steps.append(step)
    names = tuple(dict.fromkeys(n.name for step in steps for n in step.after.noise))
    return Replacement(tuple(statements), tuple(steps), names)


def _unconstrained_value(law: Law) -> Formula:
    """Return the unconstrained variable as a function of the bounded one, a log or a logit. It is used for drawing only."""
    if law.event:
        return as_real_vector(law)
    lower, upper = bounds(law.support)
    if lower == -sp.oo:
        return sp.log(upper - law.value)
    return sp.log(law.value - lower) - (sp.S.Zero if upper == sp.oo else sp.log(upper - law.value))


def _names_between(steps: Iterable[Step], new_names: Iterable[str]) -> Iterator[str]:
    """Yield the names that occur in the steps only: of noises that later steps rewrite, one statement after the other."""
    known = set(new_names)
    for _, about in itertools.groupby(steps, key=lambda step: step.variable):
        yield from sorted({n.name for step in about for n in step.after.noise} - known)


def _check_clash(model: Model, new_names: Iterable[str]) -> None:
    """Raise ModelError if a new name is one of the model's, looks like one, or is needed twice."""
    seen: set[str] = set()
    formulas = [f for s in model.statements for f in named_formulas(s)]
    for name in new_names:
        if (taken := taken_name(name, formulas)) is not None:
            raise ModelError(
                f"the rewrite needs the name {name}, which the model uses already as {taken}; rename yours"
            )
        if name in seen:
            raise ModelError(f"the rewrite needs the name {name} for the noises of two variables; rename one of these")
        seen.add(name)
