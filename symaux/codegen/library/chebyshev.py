r"""Piecewise Chebyshev polynomials: $\sum_j c_j T_j(t)$ by Clenshaw's recurrence on the piece in which x lies."""

from __future__ import annotations

import jax.numpy as jnp


def chebyshev_pieces(x, edges, rows, slopes):
    """A row of coefficients for every piece between two edges, and straight lines beyond the first and the last."""
    edges, rows = jnp.asarray(edges, x.dtype), jnp.asarray(rows, x.dtype)
    inside = jnp.clip(x, edges[0], edges[-1])
    piece = jnp.clip(jnp.searchsorted(edges, inside, side="right") - 1, 0, len(rows) - 1)
    low, high, row = edges[piece], edges[piece + 1], rows[piece]
    t = (2 * inside - low - high) / (high - low)
    ahead = after = jnp.zeros_like(t)
    for j in range(rows.shape[1] - 1, 0, -1):
        ahead, after = 2 * t * ahead - after + row[..., j], ahead
    beyond = slopes[0] * jnp.minimum(x - edges[0], 0) + slopes[1] * jnp.maximum(x - edges[-1], 0)
    return t * ahead - after + row[..., 0] + beyond


def chebyshev_box(x, parameters, edges, rows, slopes, sides, orders):
    """The same with coefficients that are polynomials of parameters in a box; outside of it there is no number."""
    x, *parameters = jnp.broadcast_arrays(x, *parameters)
    weights = jnp.ones((*x.shape, 1), x.dtype)
    for value, (low, high, logarithmic), order in zip(parameters, sides, orders, strict=True):
        s = (2 * (jnp.log(value) if logarithmic else value) - low - high) / (high - low)
        s = jnp.where(jnp.abs(s) < 1 + 1e-6, s, jnp.nan)
        modes = [jnp.ones_like(s), s]
        while len(modes) <= order:
            modes.append(2 * s * modes[-1] - modes[-2])
        modes = jnp.stack(modes[: order + 1], axis=-1)
        weights = (weights[..., :, None] * modes[..., None, :]).reshape((*x.shape, -1))
    edges, rows = jnp.asarray(edges, x.dtype), jnp.asarray(rows, x.dtype)
    inside = jnp.clip(x, edges[0], edges[-1])
    piece = jnp.clip(jnp.searchsorted(edges, inside, side="right") - 1, 0, len(rows) - 1)
    low, high, row = edges[piece], edges[piece + 1], jnp.einsum("...jm,...m->...j", rows[piece], weights)
    t = (2 * inside - low - high) / (high - low)
    ahead = after = jnp.zeros_like(t)
    for j in range(rows.shape[1] - 1, 0, -1):
        ahead, after = 2 * t * ahead - after + row[..., j], ahead
    beyond = slopes[0] * jnp.minimum(x - edges[0], 0) + slopes[1] * jnp.maximum(x - edges[-1], 0)
    return t * ahead - after + row[..., 0] + beyond
