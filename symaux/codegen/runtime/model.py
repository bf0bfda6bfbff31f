"""Run a model: functions of a position from its generated source, with the data bound to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symaux.codegen.load import load
from symaux.codegen.runtime.data_checks import check_assumptions
from symaux.codegen.runtime.sharding import shard_arrays, shard_position, with_automatic_axes
from symaux.errors import DataError
from symaux.formulas.symbols.indices import is_gather, name_of
from symaux.model.model import Model
from symaux.model.statements import reads

Data = Mapping[str, Any]
Position = Mapping[str, Any]


def position_names(model: Model, data: Data) -> frozenset[str]:
    """Return the keys of a position: free latents, noises, and the inputs that are not among the data."""
    return frozenset(model.latents) | (frozenset(model.inputs) - frozenset(data))


def prepare_data(model: Model, source: str, data: Data | None) -> dict[str, Any]:
    """Return the data as checked arrays; raise DataError for what does not fit the model."""
    if data is not None and not isinstance(data, Mapping):
        raise DataError(f"data must be a dictionary of arrays by name, not {type(data).__name__}")
    data = {name: _native(name, value) for name, value in (data or {}).items()}
    for name in sorted(set(data) - set(model.inputs) - model.observed):
        if name in model.nodes:
            raise DataError(f"{name} is not observed, so it has no data: it is part of the position, or computed")
        known = ", ".join(sorted({*model.inputs, *model.observed}))
        raise DataError(f"data for {name}, which the model does not have; its data are {known}")
    for name, value in data.items():
        _check_numbers(name, value)
    check_assumptions(model, data)
    try:
        return load(source).prepare(data)
    except (ValueError, TypeError) as failure:
        raise DataError(str(failure)) from None


def _check_numbers(name: str, value: Any) -> None:
    try:
        kind = (value if hasattr(value, "dtype") else np.asarray(value)).dtype
    except ValueError as failure:
        raise DataError(f"{name} is not an array: {failure}") from None
    if kind.kind in "cOSUMmV" and kind.name != "bfloat16":
        raise DataError(f"{name} must hold real numbers, not {kind}")
    if np.size(value) == 0:
        raise DataError(f"{name} has shape {np.shape(value)}: every plate has at least one element")


def _native(name: str, value: Any) -> Any:
    """Return an array in native byte order and standard precision; raise DataError for masked elements."""
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.getmaskarray(value).any():
            raise DataError(f"{name} has masked elements: a model has no missing values")
        value = value.filled()
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf":
        return value
    return value.astype(float if value.dtype == np.longdouble else value.dtype.newbyteorder("="), copy=False)


def log_density(
    model: Model, source: str, data: Data | None, mesh: Any = None, shard: str | None = None
) -> Callable[[Position], Any]:
    """Return the pure function position -> log p. With a mesh, the plate ``shard`` is sharded over its devices."""
    ready = prepare_data(model, source, data)
    if (mesh is None) != (shard is None):
        raise DataError("mesh and shard go together: the devices, and the plate that is sharded over them")
    if mesh is None or shard is None:
        return _bound(model, load(source).log_density, ready, "log_density")
    mesh = with_automatic_axes(mesh)
    ready = shard_arrays(model, {name: ready[name] for name in data or {}}, mesh, shard)

    def function(position: dict[str, Any], data: dict[str, Any]) -> Any:
        return load(source).log_density(shard_position(model, position, mesh, shard), data)

    return _bound(model, function, ready, "log_density")


def generate(model: Model, source: str, data: Data | None) -> Callable[[Position], dict[str, Any]]:
    """Return the function position -> the values of the model's own latent and deterministic variables."""
    return _bound(model, load(source).generate, dict(data or {}), "generate")


def sample_prior(model: Model, source: str, data: Data | None) -> Callable[[Any], dict[str, Any]]:
    """Return the function key -> a draw of every variable of the model."""
    given = {name: _native(name, value) for name, value in (data or {}).items()}
    for name, value in given.items():
        _check_numbers(name, value)
    check_assumptions(model, given)

    def sample(key: Any) -> dict[str, Any]:
        try:
            return load(source).sample_prior(key, given)
        except (ValueError, KeyError) as failure:
            raise DataError(f"sample_prior: {failure.args[0]}") from None

    return sample


def _bound(model: Model, function: Any, data: dict[str, Any], name: str) -> Callable[[Position], Any]:
    wanted = position_names(model, data)
    highest = _highest(model, data)

    def of_position(position: Position) -> Any:
        given = frozenset(position)
        if given != wanted:
            missing, extra = sorted(wanted - given), sorted(given - wanted)
            raise DataError(
                f"{name}: a position has the keys {sorted(wanted)}"
                + (f"; missing: {missing}" if missing else "")
                + (f"; not expected: {extra}" if extra else "")
            )
        _check_shapes(model, {**data, **position}, highest)
        try:
            return function(dict(position), data)
        except KeyError as failure:
            raise DataError(f"{name}: {failure.args[0]}; give it in the data") from None

    of_position.__name__ = name
    of_position.of, of_position.data = function, data  # type: ignore[attr-defined]  # for callers who pass the data
    return of_position


def _highest(model: Model, data: Data) -> dict[tuple[str, str], int]:
    """Return the largest index in each index array among the data, by its name and the axis that it indexes."""
    found = {}
    for read in (r for statement in model.statements for r in reads(statement)):
        for position, index in enumerate(read.indices):
            if is_gather(index) and (name := name_of(index)) in data and np.size(data[name]):
                found[name, model.axes.of_array(read.name)[position]] = int(np.max(data[name]))
    return found


def _check_shapes(model: Model, values: Mapping[str, Any], highest: Mapping[tuple[str, str], int]) -> None:
    """Raise DataError unless shapes fit each other and indices are in range; JAX would clamp an index that is not."""
    lengths = model.axes.resolved({name: np.shape(value) for name, value in values.items()})
    for (name, group), top in highest.items():
        if group in lengths and top >= lengths[group]:
            raise DataError(f"{name} picks element {top}, but axis {group} has length {lengths[group]}")
