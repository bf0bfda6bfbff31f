r"""Build a model to draw from: every law, observed ones included, becomes a function of standard normal or uniform noise.

Discrete laws are drawn by their distribution function and mixtures by their components. Such functions jump: this does not
matter for drawing, but it is why they are not auxiliary forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx, IndexedBase

from symaux.derivation.law import derive
from symaux.errors import NoRuleApplies
from symaux.formulas.functions.elementary import DiscreteQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import at_index, extent, free_plates, indices_of, name_of, rename_variable
from symaux.formulas.symbols.support import Integers
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform, standard_uniform
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Statement


@dataclass(frozen=True)
class NoSampler(Exception):
    """The reason why a model cannot be drawn from."""

    reason: str


def sampling_model(model: Model, rules: Sequence[Any]) -> Model | str:
    """Return the model as functions of noise, or the reason why it cannot be drawn from."""
    if model.factors:
        return "a model with sa.factor terms is not normalised, so it cannot be drawn from"
    if model.domain:
        opened = ", ".join(map(str, model.domain))
        return f"the model has no density unless {opened}, which it does not imply: it cannot be drawn from"
    try:
        statements = [made for statement in model.statements for made in _with_noise(model, statement, rules)]
    except NoSampler as none:
        return none.reason
    merged: dict[tuple[str, Any], Statement] = {}
    for statement in statements:
        merged.setdefault((statement.name, getattr(statement, "value", None) or statement.target), statement)  # type: ignore[union-attr]
    return Model.derived(*merged.values())


def _with_noise(model: Model, statement: Statement, rules: Sequence[Any]) -> Iterator[Statement]:
    """Yield a statement as a function of noise; a series has one noise per statement, since their laws may differ."""
    alias = _alias(model, statement) if isinstance(statement, Law) and not _is_standard(statement) else None
    if alias is None:
        yield from _with_own_noise(model, statement, rules)
        return
    assert isinstance(statement, Law)
    for part in _with_own_noise(model, _about(statement, alias), rules, statement.name):
        if isinstance(part, Law):
            yield part.substituted({alias: statement.value})
        else:
            assert isinstance(part, Deterministic)
            yield Deterministic(*(f.xreplace({alias: statement.value}) for f in (part.target, part.formula)))


def _alias(model: Model, law: Law) -> Any:
    """Return another variable for the law, if the model has a name that the law's noise would get; None otherwise.

    The noises of a sampler have no names that a user sees, so a clash is avoided and is not an error.
    """
    taken = [name for name in (*model.nodes, *model.inputs) if re.match(r"(eps|partial|component\d*)_", name)]
    stem, number = law.name, 0
    while any(re.search(rf"_{re.escape(stem)}(_\d+)*$", name) for name in taken):
        number += 1
        stem = f"{law.name}_draw{number}"
    return None if number == 0 else rename_variable(law.value, stem, law.value)


def _about(law: Law, value: Any) -> Law:
    """Return the law of another variable, with its components."""
    renamed = {law.value: value}
    parts = tuple(
        (weight, replace(part.substituted(renamed), components=part.components)) for weight, part in law.components
    )
    return replace(law.substituted(renamed), components=parts, origin=law.origin)


def _with_own_noise(model: Model, statement: Statement, rules: Sequence[Any], name: str = "") -> Iterator[Statement]:
    if not isinstance(statement, Law) or model.nodes[name or statement.name].axis is None:
        yield from _draw(statement, rules)
        return
    made = list(_with_fresh_noise(statement) if _is_standard(statement) else _draw(statement, rules))
    places = {law.value: _without_fixed(law.value) for law in made if isinstance(law, Law)}
    for part in made:
        if isinstance(part, Law):
            yield part.substituted(places)
        else:
            assert isinstance(part, Deterministic)
            yield Deterministic(part.target, part.formula.xreplace(places))


def _with_fresh_noise(law: Law) -> Iterator[Statement]:
    noise = _noise(law.value, "eps")
    yield law.substituted({law.value: noise})
    yield Deterministic(law.value, noise)


def _without_fixed(value: Any) -> Any:
    """Return the noise of a fixed element as a variable of its own: eps_z[0, n] becomes eps_z_0[n]."""
    fixed = [index for index in indices_of(value) if not isinstance(index, Idx)]
    plates = tuple(index for index in indices_of(value) if isinstance(index, Idx))
    if not fixed:
        return value
    name = f"{name_of(value)}_{'_'.join(map(str, fixed))}"
    return _variable(name, plates)


def _is_standard(statement: Statement) -> bool:
    return isinstance(statement, Law) and (is_standard_normal(statement) or is_standard_uniform(statement))


def _draw(statement: Statement, rules: Sequence[Any]) -> Iterator[Statement]:
    if not isinstance(statement, Law) or _is_standard(statement):
        yield statement
        return
    law = statement
    if not law.proper:
        raise NoSampler(f"{law.value} has a flat prior, which cannot be drawn from; give it a proper one to sample")
    if law.origin:
        source, formula = law.origin
        yield from _draw(source, rules)
        yield Deterministic(law.value, formula)
    elif law.components:
        yield from _of_mixture(law, rules)
    elif isinstance(law.support, Integers):
        u = _noise(law.value, "eps")
        yield standard_uniform(u)
        yield Deterministic(law.value, _quantile(law, u))
    else:
        yield from _of_form(law, rules)


def _of_form(law: Law, rules: Sequence[Any]) -> Iterator[Statement]:
    form = None
    for noise in ("auto", "uniform"):
        try:
            form = derive(law, rules, noise=noise)
        except NoRuleApplies:
            continue
        if all(is_standard_normal(n) or is_standard_uniform(n) for n in form.noise):
            yield from form.noise
            yield Deterministic(law.value, form.value)
            return
    raise NoSampler(f"no generating function is known for {law}, so it cannot be drawn from")


def _quantile(law: Law, u: Any) -> Formula:
    assert isinstance(law.support, Integers)
    if law.support.lower == -sp.oo:
        raise NoSampler(f"{law}: a discrete law without a least value cannot be drawn from")
    return DiscreteQuantile(u, law.value, law.log_density, law.support.lower, law.support.upper)


def _of_mixture(law: Law, rules: Sequence[Any]) -> Iterator[Statement]:
    u = _noise(law.value, "component_eps")
    yield standard_uniform(u)
    if len(law.components) == 1:
        yield from _of_plate(law, u, rules)
        return
    branches, reached = [], sp.S.Zero
    for number, (weight, part) in enumerate(law.components):
        piece = replace(
            part.substituted({law.value: _noise(law.value, f"component{number}")}), components=part.components
        )
        yield from _draw(piece, rules)
        reached += weight
        last = number == len(law.components) - 1
        branches.append((piece.value, True if last else u < reached))
    yield Deterministic(law.value, sp.Piecewise(*branches))


def _of_plate(law: Law, u: Any, rules: Sequence[Any]) -> Iterator[Statement]:
    """Yield the draw of a component's number, then that of the value: the component's plate becomes a gather."""
    ((weight, part),) = law.components
    (k,) = (free_plates(weight) | free_plates(part.log_density)) - free_plates(law.value)
    which = _noise(law.value, "component")
    chosen = Law(which, sp.log(at_index(weight, k, which)), Integers(sp.S.Zero, extent(k) - 1))
    yield Deterministic(which, _quantile(chosen, u))
    picked = replace(part, log_density=at_index(part.log_density, k, which), spelling=None)
    yield from _of_form(picked, rules)


def _noise(value: Any, prefix: str) -> Any:
    """Return a variable of the same shape under another name."""
    return _variable(f"{prefix}_{name_of(value)}", indices_of(value))


def _variable(name: str, indices: tuple[Any, ...]) -> Any:
    return _real_array(name)[indices] if indices else sp.Symbol(name, real=True)


def _real_array(name: str) -> Any:
    return IndexedBase(name, real=True)
