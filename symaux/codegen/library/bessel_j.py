r"""The Bessel function of the first kind, of real order ν ≥ 0 and for x ≥ 0, with gradients in order and argument.

$$J_\nu(x) = \frac1\pi\int_0^\pi\cos(\nu\tau - x\sin\tau)\,d\tau - \frac{\sin\nu\pi}\pi\int_0^\infty e^{-x\sinh t-\nu t}\,dt;$$

its power series where x is small, Hankel's expansion where x is large. Differentiating under the integral is exact. Where x and
ν are both so large that neither reaches (x + ν > 600), the answer is not a number.

>>> float(jv(0.5, 1.0)).__round__(5)  # sqrt(2/pi) sin(1)
0.6714
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.tails import LEGENDRE_NODES, LEGENDRE_WEIGHTS, floats, negligible

TURNS = 32  # panels of the integral over half a turn, enough for the phase at x + nu = 600


def jv(nu, x):
    r"""$J_\nu(x)$ for ν ≥ 0 and x ≥ 0."""
    return joined_jv(*floats(nu, x))


@jax.jit
def joined_jv(nu, x):
    """The power series, the integrals, or Hankel's expansion."""
    small, large = jnp.square(x) < 16.0 * (nu + 1.0), x > jnp.maximum(60.0, 0.5 * jnp.square(nu))
    middle = ~small & ~large
    series = series_jv(jnp.where(small, nu, 1.0), jnp.where(small, x, 1.0))
    integral = integral_jv(jnp.where(middle, nu, 1.0), jnp.where(middle, x, 8.0))
    hankel = hankel_jv(jnp.where(large, nu, 1.0), jnp.where(large, x, 100.0))
    integral = jnp.where(x + nu < 600.0, integral, jnp.nan)
    return jnp.where(small, series, jnp.where(large, hankel, integral))


def series_jv(nu, x):
    """The power series, summed inwards."""

    def inwards(number, total):
        k = (48 - number).astype(x.dtype)
        return 1.0 - 0.25 * jnp.square(x) / (k * (k + nu)) * total

    total = lax.fori_loop(0, 48, inwards, jnp.ones_like(x))
    return jnp.exp(special.xlogy(nu, 0.5 * x) - special.gammaln(nu + 1.0)) * total


def integral_jv(nu, x):
    """Schläfli's integrals, by panels of Gauss and Legendre."""
    nodes, weights = jnp.asarray(LEGENDRE_NODES, x.dtype), jnp.asarray(LEGENDRE_WEIGHTS, x.dtype)
    starts = jnp.arange(TURNS, dtype=x.dtype)[:, None]
    places, shares = ((starts + nodes) / TURNS).ravel(), jnp.tile(weights / TURNS, TURNS)
    turn = 3.141592653589793 * places
    wave = jnp.sum(shares * jnp.cos(nu[..., None] * turn - x[..., None] * jnp.sin(turn)), -1)
    end = jnp.arcsinh(negligible(x.dtype) / lax.stop_gradient(x))[..., None]
    t = end * places
    tail = jnp.sum(end * shares * jnp.exp(-x[..., None] * jnp.sinh(t) - nu[..., None] * t), -1)
    whole = jnp.round(lax.stop_gradient(nu))
    sine = jnp.where(whole % 2 == 0, 1.0, -1.0) * jnp.sin(3.141592653589793 * (nu - whole))
    return wave - sine / 3.141592653589793 * tail


def hankel_jv(nu, x):
    """Hankel's expansion in 1/x."""
    four = 4.0 * jnp.square(nu)
    p, q, term = jnp.ones_like(x), jnp.zeros_like(x), jnp.ones_like(x)
    for k in range(1, 20):
        term = term * (four - (2.0 * k - 1.0) ** 2) / (8.0 * k * x)
        sign = 1.0 if k % 4 in (0, 1) else -1.0
        p, q = (p + sign * term, q) if k % 2 == 0 else (p, q + sign * term)
    phase = x - 1.5707963267948966 * nu - 0.7853981633974483
    return jnp.sqrt(0.6366197723675814 / x) * (p * jnp.cos(phase) - q * jnp.sin(phase))
