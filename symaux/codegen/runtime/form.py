"""Run a form: its generating function, draws and quantiles, for parameters given by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.codegen import library_text as helpers
from symaux.codegen.function.escape import escape_docstring
from symaux.codegen.function.format import format_source
from symaux.codegen.function.identifiers import TAKEN, fresh_identifier, identifiers
from symaux.codegen.load import load
from symaux.codegen.lower.array_code import Piece
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.steep_slopes import with_steep_slopes
from symaux.codegen.runtime import vector_form as vector_forms
from symaux.codegen.stabilise.simplify import Simplify
from symaux.codegen.stabilise.tail_forms import most_accurate_form
from symaux.errors import DataError
from symaux.formulas.functions.elementary import complement, directed
from symaux.formulas.numeric.points import evaluate, inside, points
from symaux.formulas.symbols.indices import name_of, references
from symaux.laws.densities.charts import chart, region_conditions
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform
from symaux.rules.form import AuxiliaryForm
from symaux.rules.verdict import Status

Values = Mapping[str, Any]


def to_source(form: AuxiliaryForm, simplify: Simplify) -> str:
    """Return the text of a module with ``generate(eps, at)``: noises by name and parameters by name in, values out."""
    if form.law.event:
        return vector_forms.to_source(form, simplify)
    formula = with_steep_slopes(simplify(_most_accurate_value(form, simplify)))
    noise = [n.name for n in form.noise]
    names = sorted({name_of(r) for r in references(formula)})
    spelled = identifiers(names, taken={"eps", "at"})
    used: set[str] = {"read"}
    scope = Scope(spelled, size=_no_size, reader=_element_reader(spelled), use=used.add)
    lines = ["def generate(eps, at):", f'    """{escape_docstring(_documentation(form))}"""']
    lines += [f"    {spelled[n]} = read({n!r}, {'eps' if n in noise else 'at'}, {{}})" for n in names]
    lines.append(f"    return {lower(formula, scope).code}")
    body = format_source("\n".join(lines), partial(fresh_identifier, used={*TAKEN, *spelled.values(), "eps", "at"}))
    return "\n\n\n".join([f"{helpers.EVERYTHING}\n\nINDICES = frozenset()", *helpers.source(used), body]) + "\n"


def _most_accurate_value(form: AuxiliaryForm, simplify: Simplify) -> Any:
    """Return the generating function in its most accurate form for the tails of its noise."""
    if len(form.noise) != 1:
        return form.value
    if is_standard_uniform(form.noise[0]) and (by_ends := _line_by_ends(form.value, form.noise[0].value)) is not None:
        return by_ends
    return most_accurate_form(form.value, form.noise[0], region_conditions(form.law), simplify, chart(form.law).charted)


def _line_by_ends(value: Any, u: Any) -> Any | None:
    """Return a line in u from either of its ends, both of which vary: near an end that is zero no digit is lost."""
    slope = sp.expand(value).coeff(u, 1)
    low = sp.expand(value - slope * u)
    high = sp.expand(low + slope)
    if low.has(u) or slope.has(u) or not (low.free_symbols and high.free_symbols):
        return None
    half = sp.StrictLessThan(u, sp.S.Half)
    return sp.Piecewise((low + slope * u, half), (high - slope * complement(u), True), evaluate=False)


def _documentation(form: AuxiliaryForm) -> str:
    """Return the formula as text, with the error bound where it is approximate."""
    formula = f"{form.law.value} = {form.value}"
    if form.verdict.status is not Status.APPROXIMATE:
        return formula
    lines = [form.verdict.status.value, *form.verdict.evidence]
    return "\n".join([formula, "", *(f"    {line}" for line in lines), "    "])


def _no_size(plate: str) -> str:
    raise DataError(f"a form has no plate {plate}: sums belong to models")


def _element_reader(names: Mapping[str, str]) -> Callable[[Any, Scope], Piece | None]:
    """Return a reader of elements as whole arrays: forms work element by element, by broadcasting."""
    return lambda element, scope: Piece(names[name_of(element)]) if isinstance(element, Indexed) else None


@lru_cache(maxsize=256)
def _generating(form: AuxiliaryForm, simplify: Simplify) -> Any:
    return load(to_source(form, simplify)).generate


def generate(form: AuxiliaryForm, simplify: Simplify, eps: Values, at: Values) -> Any:
    """Return z = g(eps; at); raise DataError where a noise or a parameter is missing."""
    _check(form, at)
    missing = sorted({n.name for n in form.noise} - set(eps))
    if missing:
        raise DataError(f"the noise {', '.join(missing)} is missing; the form is {form.law.value} = {form.value}")
    if form.law.event:
        return vector_forms.generate(form, simplify, eps, at)
    return _generating(form, simplify)(dict(eps), dict(at))


def _check(form: AuxiliaryForm, at: Values) -> None:
    wanted = {name_of(p) for p in form.law.parameters}
    if set(at) != wanted:
        raise DataError(f"the law of {form.law.value} has the parameters {sorted(wanted)}, not {sorted(at)}")


def sample(form: AuxiliaryForm, simplify: Simplify, key: Any, at: Values, shape: tuple[int, ...]) -> Any:
    """Draw an array of the given shape from a form whose noises are standard normal or uniform."""
    import jax.numpy as jnp
    from jax import random

    from symaux.codegen.library.arrays import uniform

    if form.law.event:
        _check(form, at)
        return vector_forms.sample(form, simplify, key, at, tuple(shape))
    keys = random.split(key, len(form.noise))
    noise = {
        law.name: (random.normal if is_standard_normal(law) else uniform)(keys[number], tuple(shape))
        for number, law in enumerate(form.noise)
    }
    return jnp.broadcast_to(generate(form, simplify, noise, at), tuple(shape))


def quantile(form: AuxiliaryForm, simplify: Simplify, u: Any, at: Values) -> Any:
    """Evaluate the quantile function by a form with one standard noise, reflected where g decreases."""
    import jax.numpy as jnp

    from symaux.codegen.library.normal import standard_normal_quantile

    if form.law.event:
        raise DataError(f"a vector has no quantile function: {form.law.value} = {form.value}")
    if len(form.noise) != 1:
        raise DataError(
            f"a form with {len(form.noise)} noises has no quantile function: {form.law.value} = {form.value}"
        )
    (noise,) = form.noise
    level = jnp.asarray(u)
    rising = is_increasing(form)
    if is_standard_normal(noise):
        eps = standard_normal_quantile(level)
        ready = eps if rising else -eps
        return generate(form, simplify, {noise.name: ready}, at)
    return generate(form if rising else _reflected(form), simplify, {noise.name: level}, at)


@lru_cache(maxsize=256)
def _reflected(form: AuxiliaryForm) -> AuxiliaryForm:
    """Return the form with 1 - u for its uniform u; in the formula, so that a small u keeps its digits."""
    u = form.noise[0].value
    return replace(form, value=form.value.xreplace({u: 1 - u}))


@lru_cache(maxsize=256)
def is_increasing(form: AuxiliaryForm) -> bool:
    """Return whether g increases in its one noise; it is strictly monotone, so two points decide."""
    (noise,) = form.noise
    for point in points(form.law.parameters, conditions=region_conditions(form.law), seed=5, count=20):
        ends = [_at(form, noise, point, sp.Rational(k, 5)) for k in (2, 3)]
        if None not in ends and ends[0] != ends[1]:
            return bool(ends[0] < ends[1])
    raise DataError(f"no point found at which {form.value} can be evaluated")


def _at(form: AuxiliaryForm, noise: Law, point: Any, fraction: sp.Expr) -> Any:
    value = evaluate(directed(form.value), point | {noise.value: inside(noise.support, point, fraction)})
    return None if value is None or abs(value.imag) > 0 else value.real
