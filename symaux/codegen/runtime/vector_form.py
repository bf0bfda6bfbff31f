"""Run a form of a vector as a small model of its own, so that its plates become axes in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from symaux.codegen.load import load
from symaux.codegen.module.source import to_source as module_source
from symaux.codegen.stabilise.simplify import Simplify
from symaux.errors import DataError
from symaux.formulas.symbols.indices import indices_of
from symaux.laws.standard_noise import is_standard_normal
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.form import AuxiliaryForm

Values = Mapping[str, Any]


@lru_cache(maxsize=256)
def _model(form: AuxiliaryForm) -> Model:
    return Model.derived(*form.noise, Deterministic(form.law.value, form.value))


@lru_cache(maxsize=256)
def to_source(form: AuxiliaryForm, simplify: Simplify) -> str:
    """Return the text of a module whose ``generate(position, data)`` takes noises and parameters by name."""
    return module_source(_model(form), (simplify,))


def generate(form: AuxiliaryForm, simplify: Simplify, eps: Values, at: Values) -> Any:
    """Return z = g(eps; at); leading axes of the noise become leading axes of the result."""
    import jax.numpy as jnp

    noise = {law.name: jnp.asarray(eps[law.name]) for law in form.noise}
    more = {noise[law.name].ndim - len(indices_of(law.value)) for law in form.noise}
    if len(more) > 1 or min(more) < 0:
        shapes = {name: array.shape for name, array in noise.items()}
        raise DataError(f"the noises of {form.law.value} = {form.value} have shapes that do not fit: {shapes}")
    return _compiled(form, simplify, more.pop())(noise, dict(at))


@lru_cache(maxsize=256)
def _compiled(form: AuxiliaryForm, simplify: Simplify, front: int) -> Any:
    """Return the compiled generating function, vectorised over leading axes of the noise."""
    import jax

    module = load(to_source(form, simplify))

    def one(noise: Any, at: Any) -> Any:
        return module.generate(noise, at)[form.law.name]

    for _ in range(front):
        one = jax.vmap(one, in_axes=(0, None))
    return jax.jit(one)


def sample(form: AuxiliaryForm, simplify: Simplify, key: Any, at: Values, shape: tuple[int, ...]) -> Any:
    """Draw an array of the given shape, whose last axes are those of the value."""
    import jax.numpy as jnp
    from jax import random

    from symaux.codegen.library.arrays import uniform

    axes, rank = _model(form).axes, len(indices_of(form.law.value))
    if len(shape) < rank:
        raise DataError(f"a draw of {form.law.value} has {rank} axes, so it cannot have the shape {tuple(shape)}")
    front, own = tuple(shape[: len(shape) - rank]), tuple(shape[len(shape) - rank :])
    lengths = axes.resolved({form.law.name: own, **{name: jnp.shape(value) for name, value in at.items()}})
    noise = {}
    for law, k in zip(form.noise, random.split(key, len(form.noise)), strict=True):
        full = (*front, *(lengths[group] for group in axes.of_array(law.name)))
        noise[law.name] = (random.normal if is_standard_normal(law) else uniform)(k, full)
    return generate(form, simplify, noise, at)
