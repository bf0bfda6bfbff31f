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
