r"""Check the structural argument for a whole model: each rewrite preserves one conditional law, and nothing else changes.

If every new noise is a root with a law of its own, is read by one variable only, and every other statement is unchanged,
then the joint law is the product of the same conditionals. Each of these conditions is checked here, without trusting
the code that rewrote the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.symbols.indices import indices_of, name_of
from symaux.laws.law import Law
from symaux.model.domains import indicators
from symaux.model.model import Model
from symaux.model.statements import Deterministic, reads, target
from symaux.rules.composition import Composition, compose_steps, same_formula
from symaux.rules.derivation import Derivation, Step

MOVES = (
    "unconstrain",
    "partial",
    "interpolation",
)  # steps whose "noise" is the variable itself in other coordinates, and may have parents


def structural_flaws(derivation: Derivation) -> list[str]:
    """Return what is wrong with the structure of a model's derivation; an empty list proves the structural argument.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> from symaux.model.statements import deterministic
    >>> z, w, e = sp.symbols("z w e", real=True)
    >>> before = Model.of(normal(z, 0, 1), normal(w, 0, 1))
    >>> after = Model.of(normal(e, 0, 1), deterministic(z, e), deterministic(w, e))
    >>> structural_flaws(Derivation(before, after))[0]
    'the noise e is read by 2 variables: w, z'
    """
    before, after = derivation.before, derivation.after
    new = [name for name in after.nodes if name not in before.nodes]
    return [*_changed(before, after), *_noises(after, new), *_steps(derivation, new)]


def _changed(before: Model, after: Model) -> Iterable[str]:
    rewritten = {name for name, node in after.nodes.items() if node.kind == "deterministic" and name in before.latents}
    if after.factors != (*before.factors, *indicators(before, rewritten)):
        yield "the extra log-density terms are not the same"
    if before.observed != after.observed:
        yield "other variables are observed"
    for name, node in before.nodes.items():
        now = after.nodes.get(name)
        if now is None:
            yield f"{name} is missing"
        elif now.statements != node.statements and (not node.latent or now.kind != "deterministic"):
            yield f"the law of {name} has changed: {node.general} is now {now.general}"


def _noises(after: Model, new: list[str]) -> Iterable[str]:
    readers = {name: set() for name in new}
    for name, node in after.nodes.items():
        for parent in {*node.parents, *node.lags} & set(new):
            readers[parent].add(name)
    for factor in after.factors:
        for read in reads(factor):
            if read.name in readers:
                readers[read.name].add(str(factor))
    for name in new:
        node = after.nodes[name]
        if node.kind != "stochastic":
            yield f"{name} is new and is not a noise"
        elif not readers[name]:
            yield f"the noise {name} is read by no variable"
        elif len(readers[name]) > 1:
            yield f"the noise {name} is read by {len(readers[name])} variables: {', '.join(sorted(readers[name]))}"


def _steps(derivation: Derivation, new: list[str]) -> Iterable[str]:
    """Yield the rewritten statements that differ from their steps, in the laws of noises or in the generating function."""
    before, after = derivation.before, derivation.after
    laws = [s for name in new for s in after.nodes[name].statements if isinstance(s, Law)]
    for name, node in before.nodes.items():
        if after.nodes.get(name) is None or after.nodes[name].statements == node.statements:
            continue
        for law in node.statements:
            made = next((s for s in after.nodes[name].statements if target(s) == target(law)), None)
            if not isinstance(law, Law) or not isinstance(made, Deterministic):
                yield f"{law} has no counterpart"
                continue
            found = compose_steps(law, derivation.steps) or _renamed(law, made, new)
            if isinstance(found, str):
                yield f"the steps for {law} do not compose: {found}"
            elif found is None or not same_formula(found.value, made.formula):
                yield f"{made} is not what the steps for {law} give"
            elif not all(_stated(noise, laws) for noise in found.noise):
                yield f"the noise of {made} does not have the law that its steps say"
            elif reason := _misplaced(found.noise, law, len(node.statements) == 1) or _dependent(
                found.noise, derivation.steps
            ):
                yield reason


def _renamed(law: Law, made: Deterministic, new: list[str]) -> Composition | None:
    """Return the formula and noise of a law that was only renamed: one without parameters needs no step."""
    if not isinstance(made.formula, sp.Symbol | sp.Indexed) or name_of(made.formula) not in new:
        return None
    return Composition(made.formula, (law.substituted({law.value: made.formula}),), ())


def _misplaced(noises: Iterable[Law], law: Law, alone: bool) -> str | None:
    """Return a sentence about a noise that elements share, or None: z[i] needs its own eps[i].

    The noise eps[j, i] for z[i, j] will do where the variable has one statement, ``alone``.
    """
    batch = tuple(i for i in indices_of(law.value) if i not in law.event)
    for noise in noises:
        own = indices_of(noise.value)
        if alone and sorted(own, key=str) == sorted(indices_of(law.value), key=str):
            continue
        if own != indices_of(law.value) and not (law.event and _of_vector(own, batch, law)):
            return f"{law.value} shares the noise {noise.value} with other elements"
    return None


def _of_vector(own: tuple[Any, ...], batch: tuple[Any, ...], law: Law) -> bool:
    """Return whether every vector has its own noise: indexed by the plates that count vectors, then by plates within one."""
    return own[: len(batch)] == batch and all(
        isinstance(i, Idx) and (i in law.event or i not in indices_of(law.value)) for i in own[len(batch) :]
    )


def _stated(noise: Law, laws: list[Law]) -> bool:
    """Return whether a model states this law for this noise, or for the whole array of which it is an element."""
    for law in laws:
        if law.name != noise.name:
            continue
        same = law.log_density.xreplace({law.value: noise.value}) == noise.log_density
        if same and law.support == noise.support and (law.value == noise.value or not law.parameters):
            return True
    return False


def _dependent(noises: Iterable[Law], steps: Iterable[Step]) -> str | None:
    for noise in noises:
        brought = [s.rule in MOVES for s in steps if noise in s.after.noise]
        if noise.parameters and not (brought and all(brought)):
            return f"the noise {noise.value} depends on {', '.join(map(str, noise.parameters))}: it is not a root"
    return None
