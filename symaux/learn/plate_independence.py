r"""Check that a model factorises along a plate, $p(x, z \mid \theta) = \prod_n p(x_n, z_n \mid \theta)$, by its index notation.

Then a chain per element may accept or reject by itself, and importance weights are products over elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import label
from symaux.model.model import Model
from symaux.model.statements import Deterministic, plates_of, reads, summed_plates

Arrays = dict[str, Any]


def plate_name(plate: Any) -> str:
    """Return the name of a plate, or a name as it is."""
    return plate if isinstance(plate, str) else label(plate)


def independent_axis(model: Model, plate: Any) -> str:
    """Return the axis of a plate; raise unless the model, given its inputs, factorises along it."""
    name = plate_name(plate)
    if name not in model.axes.group:
        raise ModelError(f"independent={name}: the model has no such plate")
    group = model.axes.group[name]
    for statement in model.statements:
        _check(model, statement, group)
    return group


def _check(model: Model, statement: Any, group: str) -> None:
    own = {label(p) for p in plates_of(statement) if model.axes.of_plate(p) == group}
    if any(model.axes.of_plate(p) == group for p in summed_plates(statement)):
        raise ModelError(f"{statement}: sums over {group}, so the model does not factorise along it")
    if not own and not isinstance(statement, Deterministic):
        raise ModelError(f"{statement}: not repeated along {group}; what all its elements share must be given")
    if len(own) > 1:
        raise ModelError(f"{statement}: runs over {group} twice")
    for read in reads(statement):
        for position, index in enumerate(read.indices):
            if model.axes.group[read.name, position] == group and str(index) not in own:
                raise ModelError(f"{statement}: reads {read.element}, another element along {group}")


def axis_of(model: Model, name: str, group: str | None) -> int | None:
    """Return the axis of an array that runs along a group, if one does."""
    axes = model.axes.of_array(name) if name in model.axes.ranks else ()
    return axes.index(group) if group in axes else None


def axes_along(model: Model, group: str | None, arrays: Iterable[str]) -> dict[str, int | None]:
    """Return the axis along a group for each array, as ``jax.vmap`` expects it."""
    return {name: axis_of(model, name, group) for name in arrays}


def with_unit_axis(arrays: Mapping[str, Any], axes: Mapping[str, int | None]) -> Arrays:
    """Return one element of each array as an array of length one along the axis, which generated code expects."""
    import jax.numpy as jnp

    return {n: v if (axis := axes[n]) is None else jnp.expand_dims(v, axis) for n, v in arrays.items()}
