"""JAX functions that make and read sufficient statistics; generated modules carry those that they use."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax


def collected(name, made_from, position, data):
    """Whether ``prepare`` left a statistic, and no position holds anything that it was made from."""
    return name in data and not made_from & set(position)


def kind_of(*arrays):
    """The floating type of arrays, some of which may hold whole numbers."""
    kinds = [array.dtype for array in arrays if jnp.issubdtype(array.dtype, jnp.floating)]
    return jnp.result_type(*kinds) if kinds else jnp.result_type(float)


def flattened(columns, kept, summed):
    """Arrays as matrices, stacked along their first axes: as many rows as there are elements to sum, all columns beside."""
    length = 1
    for size in columns[0].shape[kept : kept + summed]:
        length *= size
    return [column.reshape(*column.shape[:kept], length, -1) for column in columns]


def compressed(columns, offsets, kept, summed, groups=None, number=1):
    """Columns over data, and what fits leave of offsets, as a few rows that have the same products; none if that is no less.

    For each group: the rows of the columns and of the offsets, and then the coefficients of the fits.
    """
    flat = flattened(columns, kept, summed)
    length = flat[0].shape[-2]
    if 2 * number * (sum(part.shape[-1] for part in flat) + len(offsets)) > length:
        return []
    groups = None if groups is None else groups.ravel()
    left, centres = [], []
    for offset, which in offsets:
        (target,) = flattened([offset], kept, summed)
        matrix = jnp.concatenate([flat[i] for i in which], axis=-1)
        centre = fitted(matrix, target, groups, number)
        spread = centre[..., None, :] if groups is None else centre[..., groups, :]
        left.append(target + jnp.sum(matrix * spread, axis=-1, keepdims=True))
        centres += divided(centre, [columns[i].shape[kept + summed :] for i in which])
    shapes = [*(column.shape[kept + summed :] for column in columns), *(() for _ in offsets)]
    return [*divided(triangles(jnp.concatenate([*flat, *left], axis=-1), groups, number), shapes), *centres]


def divided(whole, shapes):
    """An array cut along its last axis into parts that end in these shapes."""
    parts, start = [], 0
    for shape in shapes:
        end = start
        for size in shape or (1,):
            end = start + size * max(1, end - start)
        parts.append(whole[..., start:end].reshape(*whole.shape[:-1], *shape))
        start = end
    return parts


def fitted(matrix, target, groups, number):
    """Coefficients of columns that, added to the target, leave least of it; 0 for a column that others can replace."""
    rows = triangles(jnp.concatenate([matrix, target], axis=-1), groups, number)
    width, least = matrix.shape[-1], 100 * jnp.finfo(rows.dtype).eps

    def solved(step, found):
        column = width - 1 - step
        row, pivot = jnp.take(rows, column, axis=-2), rows[..., column, column]
        rest = row[..., -1] + jnp.sum(row[..., :-1] * found, axis=-1)
        sound = jnp.abs(pivot) > least * jnp.sqrt(jnp.sum(jnp.square(rows[..., :, column]), axis=-1))
        return found.at[..., column].set(jnp.where(sound, -rest / jnp.where(sound, pivot, 1), 0))

    return lax.fori_loop(0, width, solved, jnp.zeros((*rows.shape[:-2], width), rows.dtype))


def triangles(matrix, groups, number):
    """The triangle of a matrix, or of every group's rows by the modified Gram-Schmidt process, whose triangle is as good."""
    if groups is None:
        return jnp.linalg.qr(matrix, mode="r")

    def orthogonal(left, column):
        size = jnp.sqrt(jax.ops.segment_sum(jnp.square(left[..., column]), groups, number))
        unit = (left[..., column] / jnp.where(size > 0, size, 1)[groups])[..., None]
        row = jax.ops.segment_sum(unit * left, groups, number)
        return left - unit * row[groups], row

    rows = lax.scan(orthogonal, jnp.moveaxis(matrix, -2, 0), jnp.arange(matrix.shape[-1]))[1]
    return jnp.moveaxis(rows, (0, 1), (-2, -3))


def totals(columns, kept, groups=None, number=1):
    """The sums of arrays over their axes after the kept ones, for each group; none if that is no less than the data."""
    made = []
    for column, summed, own in zip(columns, *zip(*kept, strict=True), strict=True):
        (flat,) = flattened([column], own, summed)
        if 2 * number > flat.shape[-2]:
            return []
        if groups is None:
            short = jnp.sum(flat, axis=-2)
        else:
            short = jnp.moveaxis(jax.ops.segment_sum(jnp.moveaxis(flat, -2, 0), groups.ravel(), number), 0, -2)
        made.append(short.reshape(*short.shape[:-1], *column.shape[own + summed :]))
    return made
