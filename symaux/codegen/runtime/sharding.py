"""Shard one plate over the devices of a mesh: its arrays are split along it, everything else is replicated.

jax's own partitioner does the rest: sums over the plate become one all-reduce, and nothing else is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.errors import DataError
from symaux.model.model import Model


def mesh_axis(mesh: Any, shard: str) -> str:
    """Return the axis of the mesh that a plate is sharded over: the one of its name, or the only one."""
    if shard in mesh.axis_names:
        return shard
    if len(mesh.axis_names) == 1:
        return mesh.axis_names[0]
    raise DataError(f"shard={shard!r}: the mesh has the axes {mesh.axis_names}; give one of them the name of the plate")


def sharding_of(model: Model, name: str, mesh: Any, shard: str) -> Any:
    """Return the sharding of an array: split along the plate, whole along its other axes."""
    from jax.sharding import NamedSharding, PartitionSpec

    axis = mesh_axis(mesh, shard)
    group = _group(model, shard)
    return NamedSharding(mesh, PartitionSpec(*(axis if g == group else None for g in model.axes.of_array(name))))


def _group(model: Model, shard: str) -> str:
    groups = set(model.axes.group.values())
    if shard not in model.axes.group and shard not in groups:
        raise DataError(f"shard={shard!r}: the model has no such plate; it has {', '.join(sorted(groups))}")
    return model.axes.group.get(shard, shard)


def shard_arrays(model: Model, values: Mapping[str, Any], mesh: Any, shard: str) -> dict[str, Any]:
    """Put arrays on the mesh; raise DataError where the number of devices does not divide a plate."""
    import jax

    count, group = mesh.shape[mesh_axis(mesh, shard)], _group(model, shard)
    for name, value in values.items():
        for g, length in zip(model.axes.of_array(name), jax.numpy.shape(value), strict=True):
            if g == group and length % count:
                raise DataError(f"{name} has length {length} along {shard}, which {count} devices do not divide")
    return {name: jax.device_put(value, sharding_of(model, name, mesh, shard)) for name, value in values.items()}


def shard_position(model: Model, position: Mapping[str, Any], mesh: Any, shard: str) -> dict[str, Any]:
    """Return a position sharded like the data: a constraint inside a compiled function, a transfer outside."""
    import jax

    place = jax.lax.with_sharding_constraint
    return {name: place(jax.numpy.asarray(v), sharding_of(model, name, mesh, shard)) for name, v in position.items()}


def with_automatic_axes(mesh: Any) -> Any:
    """Return the same devices as a mesh whose axes jax's partitioner handles, without a context to be entered."""
    from jax.sharding import Mesh

    return Mesh(mesh.devices, mesh.axis_names)
