"""Export a model's functions as StableHLO artefacts: bytes for several platforms, with plates of any length.

They run wherever jax (or anything else that reads StableHLO) does, without symaux and without Python source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symaux.codegen.function.identifiers import identifiers
from symaux.codegen.load import load
from symaux.model.model import Model

PLATFORMS = ("cpu", "cuda", "tpu")
FUNCTIONS = ("log_density", "value_and_grad", "generate")


def export_artefacts(
    model: Model, source: str, platforms: Sequence[str] = PLATFORMS, dtype: str = "float32"
) -> dict[str, bytes]:
    """Return the serialised artefact of each function of (position, data), for ``jax.export.deserialize``."""
    import jax
    from jax import export

    module = load(source)
    position, data = shape_specifications(model, dtype)
    given = {"generate": (position, {name: data[name] for name in model.inputs})}
    found = {}
    for name in FUNCTIONS:
        function = jax.jit(getattr(module, name))
        lowered = export.export(function, platforms=list(platforms))(*given.get(name, (position, data)))
        found[name] = bytes(lowered.serialize())
    return found


def shape_specifications(model: Model, dtype: str = "float32") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the shapes of a position and of the data; a plate without a length has a symbolic one."""
    import jax
    from jax import export
    from jax import numpy as jnp

    groups = sorted(
        {group for name in (*model.latents, *model.inputs, *model.observed) for group in _axes(model, name)}
    )
    open_ones = [group for group in groups if group not in model.axes.lengths]
    names = identifiers(open_ones)
    least = [f"{names[g]} >= {model.axes.least[g] + 1}" for g in open_ones if model.axes.least.get(g)]
    symbols = export.symbolic_shape(", ".join(names[g] for g in open_ones), constraints=least) if open_ones else ()
    lengths = dict(model.axes.lengths) | dict(zip(open_ones, symbols, strict=True))

    def of(name: str) -> Any:
        kind = jnp.int32 if name in model.index_arrays else jnp.dtype(dtype)
        return jax.ShapeDtypeStruct(tuple(lengths[group] for group in _axes(model, name)), kind)

    return {n: of(n) for n in model.latents}, {n: of(n) for n in sorted({*model.inputs, *model.observed})}


def _axes(model: Model, name: str) -> tuple[str, ...]:
    return model.axes.of_array(name)
