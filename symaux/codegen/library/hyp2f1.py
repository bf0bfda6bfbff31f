r"""The logarithm of Gauss's ${}_2F_1(a, b; c; x)$ for x < 1 and c > b > 0 or c > a > 0, with gradients in all of them.

$${}_2F_1(a, b; c; x) = \frac{\Gamma(c)}{\Gamma(b)\Gamma(c-b)}\int_0^1 t^{b-1}(1-t)^{c-b-1}(1-xt)^{-a}\,dt,$$

Euler's integral, with t a logistic function of a real coordinate, in which the integrand falls off exponentially on both sides.

>>> float(log_gauss_hyper(1.0, 1.0, 2.0, -1.0)).__round__(5)  # log(log(2))
-0.36651
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.implicit_quantile import bulk, panel_edges, panel_mass
from symaux.codegen.library.tails import floats


def log_gauss_hyper(a, b, c, x):
    """The logarithm of the function with a and b above, c below; no number where Euler's integral does not exist."""
    a, b, c, x = floats(a, b, c, x)
    as_given, swapped = ((p > 0) & (p < c) for p in (b, a))
    a, b = jnp.where(as_given, a, b), jnp.where(as_given, b, a)
    return jnp.where((as_given | swapped) & (x < 1), jnp.vectorize(euler_integral)(a, b, c, x), jnp.nan)


def euler_integral(a, b, c, x):
    """For scalars: the integral on the scale of its highest point."""

    def height(s):
        within = jax.nn.sigmoid(s)
        return -b * jax.nn.softplus(-s) - (c - b) * jax.nn.softplus(s) - a * jnp.log1p(-x * within)

    place = lax.stop_gradient(bulk(height, x.dtype))
    top = height(place[0])
    edges = panel_edges(x.dtype, place, None)
    masses = jax.vmap(lambda start, stop: panel_mass(lambda s: height(s) - top, place, start, stop))(
        edges[:-1], edges[1:]
    )
    return special.gammaln(c) - special.gammaln(b) - special.gammaln(c - b) + top + jnp.log(jnp.sum(masses))
