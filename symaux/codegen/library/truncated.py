r"""Quantiles of a law cut off at one end or at both, by the smaller tail; and the gap between a cut and a quantile.

The gap $\delta = b - F^{-1}(u\,F(b))$ solves $\int_0^\delta p(b - t)/p(b)\,dt = v\,F(b)/p(b)$, v = 1 - u: near the cut, where a
difference would keep no digits, that is what is solved.

>>> round(float(ndtri_between(0.5, 0.5, 2.0, 9.0)), 6)
2.277605
>>> round(float(ndtri_gap(1.0, 1e-20, 0.0)) / 1e-20, 4)  # the root of pi/2
1.2533
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import special

from symaux.codegen.library.gamma import gammainc, log_gamma_quantile, log_gammainc, log_gammaincc
from symaux.codegen.library.normal import log_ndtr, ndtri_exp
from symaux.codegen.library.tails import LEGENDRE_NODES, LEGENDRE_WEIGHTS, floats

HALF_LOG_TAU = 0.9189385332046727


def normal_by_tails(log_p, log_q):
    """A normal quantile from the logarithms of the mass below it and above it."""
    low = log_p < log_q
    return jnp.where(low, 1.0, -1.0) * ndtri_exp(jnp.where(low, log_p, log_q))


def log_mean(u, v, log_x, log_y):
    """log(u x + v y), also where u or v is negative and the sum is not."""
    inside = (u > 0) & (v > 0)
    logs = jnp.logaddexp(jnp.log(jnp.where(inside, u, 1.0)) + log_x, jnp.log(jnp.where(inside, v, 1.0)) + log_y)
    plain = jnp.where(inside, 1.0, u * jnp.exp(log_x) + v * jnp.exp(log_y))
    return jnp.where(inside, logs, jnp.log(plain))


def ndtri_between(u, v, a, b):
    r"""$\Phi^{-1}(v\,\Phi(a) + u\,\Phi(b))$."""
    u, v, a, b = floats(u, v, a, b)
    return normal_by_tails(log_mean(u, v, log_ndtr(b), log_ndtr(a)), log_mean(u, v, log_ndtr(-b), log_ndtr(-a)))


def ndtri_below(u, v, b):
    r"""$\Phi^{-1}(u\,\Phi(b))$."""
    u, v, b = floats(u, v, b)
    return normal_by_tails(jnp.log(u) + log_ndtr(b), log_mean(u, v, log_ndtr(-b), jnp.zeros_like(b)))


def near_cut(log_height, goal, limit):
    """The d with as much mass as the goal between 0 and d, where the density at 0 is 1: Newton's method, within a limit."""
    nodes, weights = (jnp.asarray(x, goal.dtype) for x in (LEGENDRE_NODES, LEGENDRE_WEIGHTS))
    gap = jnp.minimum(goal, limit)
    for _ in range(6):
        mass = gap * jnp.sum(weights * jnp.exp(log_height(gap[..., None] * nodes)), -1)
        gap = jnp.clip(gap - (mass - goal) * jnp.exp(-log_height(gap[..., None])[..., 0]), 0.0, 2.0 * limit)
    return gap


def log_level(u, v):
    """log u, by v where that is small."""
    return jnp.where(v < 0.5, jnp.log1p(-jnp.where(v < 0.5, v, 0.0)), jnp.log(u))


def ndtri_gap(u, v, b):
    r"""$b - \Phi^{-1}(u\,\Phi(b))$, exact however near to the cut."""
    return normal_gap(*floats(u, v, b))


@jax.custom_jvp
@jax.jit
def normal_gap(u, v, b):
    far = b - ndtri_below(u, v, b)
    limit = 0.5 / (1.0 + jnp.abs(b))
    near = (v > 0) & (far < limit)
    goal = jnp.exp(
        jnp.minimum(jnp.log(jnp.where(near, v, 1.0)) + log_ndtr(b) + 0.5 * jnp.square(b) + HALF_LOG_TAU, 0.0)
    )
    gap = near_cut(lambda t: b[..., None] * t - 0.5 * jnp.square(t), goal, limit)
    return jnp.where(near, gap, far)


@normal_gap.defjvp
@jax.jit
def normal_gap_jvp(primals, tangents):
    u, v, b = primals
    gap = normal_gap(u, v, b)
    in_u = -jnp.exp(log_ndtr(b) + 0.5 * jnp.square(b - gap) + HALF_LOG_TAU)
    in_b = -jnp.expm1(log_level(u, v) - b * gap + 0.5 * jnp.square(gap))
    return gap, in_u * tangents[0] + in_b * tangents[2]


def gammaincinv_gap(a, u, v, x):
    r"""$x - P^{-1}(a, u\,P(a, x))$, exact however near to the cut."""
    return gamma_gap(*floats(a, u, v, x))


def gamma_log_goal(a, v, x):
    return jnp.log(v) + log_gammainc(a, x) - a * jnp.log(x) + x + special.gammaln(a)


@jax.custom_jvp
@jax.jit
def gamma_gap(a, u, v, x):
    log_q = log_mean(u, v, log_gammaincc(a, x), jnp.zeros_like(x))
    far = x - jnp.exp(log_gamma_quantile(a, jnp.log(u) + log_gammainc(a, x), log_q))
    limit = 0.25 / (1.0 + a + x)
    near = (v > 0) & (far < limit * x)
    goal = jnp.exp(jnp.minimum(gamma_log_goal(a, jnp.where(near, v, 1.0), x), 0.0))
    part = near_cut(lambda t: (a[..., None] - 1.0) * jnp.log1p(-t) + x[..., None] * t, goal, limit)
    return jnp.where(near, x * part, far)


@gamma_gap.defjvp
@jax.jit
def gamma_gap_jvp(primals, tangents):
    a, u, v, x = primals
    gap = gamma_gap(a, u, v, x)
    z, part = x - gap, gap / x
    log_density = (a - 1.0) * jnp.log(z) - z - special.gammaln(a)
    in_u = -jnp.exp(log_gammainc(a, x) - log_density)
    in_x = -jnp.expm1(log_level(u, v) - (a - 1.0) * jnp.log1p(-part) - gap)
    return gap, tangents[0] * gamma_gap_in_shape(a, u, v, x, gap) + in_u * tangents[1] + in_x * tangents[3]


def gamma_gap_in_shape(a, u, v, x, gap):
    """The derivative in the shape: by the mass between the cut and the quantile near the cut, by the two tails else."""
    near = (v > 0) & (gap < 0.25 * x / (1.0 + a + x))
    part = jnp.where(near, gap / x, 0.5)
    t = part[..., None] * jnp.asarray(LEGENDRE_NODES, a.dtype)
    heights = jnp.exp((a[..., None] - 1.0) * jnp.log1p(-t) + x[..., None] * t) * jnp.log1p(-t)
    moved = part * jnp.sum(jnp.asarray(LEGENDRE_WEIGHTS, a.dtype) * heights, -1)
    ones = jnp.ones_like(a)
    level = jnp.where(near, v, 0.5)
    _, change = jax.jvp(lambda shape: jnp.exp(gamma_log_goal(shape, level, x)), (a,), (ones,))
    by_mass = x * (change - moved) * jnp.exp(-(a - 1.0) * jnp.log1p(-part) - x * part)
    z = x - gap
    here, there = (jax.jvp(lambda shape, y=y: gammainc(shape, y), (a,), (ones,))[1] for y in (z, x))
    by_tails = (here - u * there) * jnp.exp(z - (a - 1.0) * jnp.log(z) + special.gammaln(a))
    return jnp.where(near, by_mass, by_tails)
