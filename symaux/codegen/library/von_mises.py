r"""The von Mises distribution function and its inverse, with exact gradients in the concentration.

$$F(x; \kappa) = \frac{\int_{-\pi}^x e^{\kappa\cos t}\,dt}{2\pi I_0(\kappa)},\qquad -\pi \le x \le \pi;$$

the normaliser is the same integral from 0 to π, so that no Bessel function and no difference of large numbers occurs.

>>> float(von_mises_cdf(0.0, 3.0))
0.5
>>> float(von_mises_ppf(von_mises_cdf(1.2, 3.0), 3.0)).__round__(4)
1.2
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import special

from symaux.codegen.library.normal import log_ndtr
from symaux.codegen.library.tails import floats, log1mexp, negligible, panels, solve_tail


def von_mises_integral(z, kappa):
    """J = ∫ exp(κ(cos t - cos z)) dt from z to π, and the mean of cos z - cos t under it."""
    reach = jnp.square(jnp.sin(0.5 * z)) + 0.5 * negligible(z.dtype) / kappa
    end = 2.0 * jnp.arcsin(jnp.sqrt(jnp.minimum(reach, 1.0))) - z
    s, weights = panels(jax.lax.stop_gradient(jnp.maximum(jnp.where(reach < 1.0, end, 3.141592653589793 - z), 0.0)))
    drop = 2.0 * jnp.sin(0.5 * s) * jnp.sin(z[..., None] + 0.5 * s)
    mass = weights * jnp.exp(-kappa[..., None] * drop)
    j = jnp.sum(mass, -1)
    return j, jnp.sum(mass * drop, -1) / jnp.maximum(j, jnp.finfo(z.dtype).tiny)


def von_mises_log_tail(z, kappa):
    """The logarithm of the probability beyond z ≥ 0, its derivative in κ, J, and the logarithm of the density."""
    j, mean = von_mises_integral(z, kappa)
    half, spread = von_mises_integral(jnp.zeros_like(z), kappa)
    drop = 2.0 * jnp.square(jnp.sin(0.5 * z))
    log_density = -kappa * drop - jnp.log(2.0 * half)
    return log_density + jnp.log(j), spread - drop - mean, j, log_density


@jax.custom_jvp
@jax.jit
def von_mises_log_cdf(x, kappa):
    tail = jnp.minimum(von_mises_log_tail(jnp.abs(x), kappa)[0], -0.6931471805599453)
    return jnp.where(x < 0, tail, log1mexp(tail))


@von_mises_log_cdf.defjvp
@jax.jit
def von_mises_log_cdf_jvp(primals, tangents):
    x, kappa = primals
    value = von_mises_log_cdf(x, kappa)
    tail, in_kappa, _, log_density = von_mises_log_tail(jnp.abs(x), kappa)
    sign = jnp.where(x < 0, 1.0, -1.0).astype(x.dtype)
    return value, jnp.exp(log_density - value) * tangents[0] + sign * in_kappa * jnp.exp(tail - value) * tangents[1]


def von_mises_cdf(x, kappa):
    r"""$F(x; \kappa)$ for a mean of zero."""
    x, kappa = floats(x, kappa)
    return jnp.exp(von_mises_log_cdf(jnp.clip(x, -3.141592653589793, 3.141592653589793), kappa))


@jax.custom_jvp
@jax.jit
def von_mises_quantile(log_tail, kappa):
    """The z in (0, π) beyond which the probability is exp(log_tail) ≤ ½."""
    uniform = -3.141592653589793 * jnp.expm1(log_tail + 0.6931471805599453)
    start = jnp.minimum(-special.ndtri(jnp.exp(log_tail)) / jnp.sqrt(kappa), uniform)

    def tail(z):
        value, _, j, _ = von_mises_log_tail(z, kappa)
        return value, j, kappa * jnp.sin(z)

    return solve_tail(tail, log_tail, jnp.clip(start, 0.0, 3.14), 3.141592653589793)


@von_mises_quantile.defjvp
@jax.jit
def von_mises_quantile_jvp(primals, tangents):
    log_tail, kappa = primals
    z = von_mises_quantile(log_tail, kappa)
    _, in_kappa, _, log_density = von_mises_log_tail(z, kappa)
    j = jnp.exp(log_tail - log_density)  # near π the integral itself would be a difference of roundings
    return z, j * (in_kappa * tangents[1] - tangents[0])


def von_mises_ppf(u, kappa):
    r"""The x with $F(x; \kappa) = u$."""
    u, kappa = floats(u, kappa)
    inside = (u > 0) & (u < 1)
    v = jnp.where(inside, u, 0.5)
    z = von_mises_quantile(jnp.log(jnp.where(v < 0.5, v, 1.0 - v)), kappa)
    ends = jnp.where(u == 0, -3.141592653589793, jnp.where(u == 1, 3.141592653589793, jnp.nan)).astype(u.dtype)
    return jnp.where(inside, jnp.where(v < 0.5, -z, z), ends)


def von_mises_of_normal(eps, kappa):
    r"""$F^{-1}(\Phi(\varepsilon); \kappa)$, exact in both tails."""
    eps, kappa = floats(eps, kappa)
    z = von_mises_quantile(log_ndtr(-jnp.abs(eps)), kappa)
    return jnp.where(eps < 0, -z, z)
