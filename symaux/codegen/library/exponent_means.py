r"""Means on another scale: the exponent of a mean of exponentials, and geometric means; quantiles of truncated laws.

$m(u, v, x) = \log(v + ue^x)/x$ is smooth at x = 0, where it is u; near zero its derivative is an integral of positive terms.

>>> float(mean_exponent(0.25, 0.75, 1e-200)), float(jax.grad(mean_exponent, 2)(0.25, 0.75, 1e-200))
(0.25, 0.09375)
>>> round(float(geometric_mean(1e-30, 1e30, 0.25, 0.75)) / 1e15, 6)
1.0
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from symaux.codegen.library.ratios import integral_of_share, relative_exponential
from symaux.codegen.library.tails import floats


def within_format(x):
    """Infinite numbers as the largest finite ones, so that quotients of them are not undefined."""
    return jnp.clip(x, -jnp.finfo(x.dtype).max, jnp.finfo(x.dtype).max)


def mean_exponent(u, v, x):
    r"""$\log(v + ue^x)/x$."""
    return share_of_exponent(*floats(u, v, x))


def log_mean_exponent(u, v, x):
    r"""$\log(\log(v + ue^x)/x)$."""
    u, v, x = floats(u, v, x)
    share, rest = share_of_exponent(u, v, x), share_of_exponent(v, u, -x)
    near = share > 0.5
    return jnp.where(near, jnp.log1p(-jnp.where(near, rest, 0.0)), jnp.log(jnp.where(near, 1.0, share)))


def log_mean_exp(u, v, x):
    r"""$\log(v + ue^x)$ for x beyond zero by more than rounding: sums of positive terms, without overflow."""
    rising = jnp.log(u) + x + jnp.log1p(v / u * jnp.exp(-jnp.maximum(x, 0.0)))
    falling = jnp.log(v + u * jnp.exp(jnp.minimum(x, 0.0)))
    small = jnp.log1p(u * jnp.expm1(jnp.minimum(x, 600.0)))
    return jnp.where(x > 600.0, rising, jnp.where((x < -1.0) & (u > 0.5), falling, small))


@jax.custom_jvp
def share_of_exponent(u, v, x):
    x = within_format(x)
    near = jnp.abs(x) < 1e-3
    y = jnp.where(near, x, 0.0)
    cumulants = 1.0 + v * y / 2 * (1.0 + y / 3 * (v - u) + y * y / 12 * (1.0 - 6.0 * u * v))
    fourth = v * (v - u) * (1.0 - 12.0 * u * v) * jnp.square(jnp.square(y)) / 120
    far = jnp.where(near, 1.0, x)
    part = jnp.expm1(jnp.minimum(far, 80.0))
    tiny = (far < 80.0) & (u * jnp.abs(part) < 1e-20)  # the logarithm is its argument, which may underflow
    return jnp.where(near, u * (cumulants + fourth), jnp.where(tiny, u * (part / far), log_mean_exp(u, v, far) / far))


@share_of_exponent.defjvp
def share_of_exponent_jvp(primals, tangents):
    u, v, x = primals
    x = within_format(x)
    value = share_of_exponent(u, v, x)
    down = jnp.exp(-jnp.abs(x))
    in_u = relative_exponential(jnp.ones_like(x), -jnp.abs(x)) / jnp.where(x > 0, u + v * down, v + u * down)
    return value, in_u * tangents[0] + share_in_exponent(u, v, x) * tangents[2]


def share_in_exponent(u, v, x):
    """The derivative in x, for the smaller of u and v: an integral near zero, tilted weight less share further out."""
    low = u < v
    small, large, x = jnp.where(low, u, v), jnp.where(low, v, u), jnp.where(low, x, -x)
    near = jnp.abs(x) < 1.0

    def variance(y):
        return (small * large)[..., None] * jnp.exp(y) / jnp.square(large[..., None] + small[..., None] * jnp.exp(y))

    far = jnp.where(near, 1.0, x)
    down = jnp.exp(-jnp.abs(far))
    mean = jnp.where(far > 0, small + large * down, large + small * down)  # over exp(x) for positive x
    weight, rest = jnp.where(far > 0, small, small * down) / mean, jnp.where(far > 0, large * down, large) / mean
    share, left = share_of_exponent(small, large, far), share_of_exponent(large, small, -far)
    beyond = jnp.where(weight > 0.5, left - rest, weight - share) / far
    return jnp.where(near, integral_of_share(variance, jnp.where(near, x, 0.0)), beyond)


def log_ratio(b, a):
    """log(b / a) of positive numbers."""
    return log_of_quotient(*floats(b, a))


@jax.custom_jvp
def log_of_quotient(b, a):
    near = jnp.abs(b - a) < 0.5 * a
    return jnp.where(near, jnp.log1p(jnp.where(near, b - a, 0.0) / a), jnp.log(b) - jnp.log(a))


@log_of_quotient.defjvp
def log_of_quotient_jvp(primals, tangents):
    b, a = primals
    return log_of_quotient(b, a), tangents[0] / b - tangents[1] / a


def geometric_mean(a, b, s, t):
    """a to the power s times b to the power t = 1 - s, from the nearer of the two: nothing overflows on the way."""
    return weighted_geometric_mean(*floats(a, b, s, t))


@jax.custom_jvp
def weighted_geometric_mean(a, b, s, t):
    log = log_of_quotient(b, a)
    return jnp.where(t < s, a * jnp.exp(jnp.minimum(t, s) * log), b * jnp.exp(-jnp.minimum(t, s) * log))


@weighted_geometric_mean.defjvp
def weighted_geometric_mean_jvp(primals, tangents):
    a, b, s, t = primals
    value = weighted_geometric_mean(a, b, s, t)
    in_a, in_b = s * jnp.exp(t * log_of_quotient(b, a)), t * jnp.exp(-s * log_of_quotient(b, a))
    return value, in_a * tangents[0] + in_b * tangents[1] + value * log_of_quotient(b, a) * tangents[3]


def weibull_below(u, v, w, k):
    r"""$(-\log(v + ue^{-w^k}))^{1/k}$, by its ratio to w where the power is not large."""
    return cut_weibull(*floats(u, v, w, k))


def cut_weibull_parts(u, v, w, k):
    """The power of w, at most as large as an exponent that no longer counts, and the logarithm of the quantile over w."""
    log_power = k * jnp.log(w)
    large = log_power > 7.0
    power = jnp.exp(jnp.minimum(log_power, 7.0))
    tail = jnp.where(v < 0.5, -jnp.log(v), -jnp.log1p(-u))
    share = log_mean_exponent(u, v, -power)
    return large, power, tail, share


@jax.custom_jvp
def cut_weibull(u, v, w, k):
    large, _, tail, share = cut_weibull_parts(u, v, w, k)
    return jnp.where(large, jnp.exp(jnp.log(tail) / k), w * jnp.exp(share / k))


@cut_weibull.defjvp
def cut_weibull_jvp(primals, tangents):
    u, v, w, k = primals
    value = cut_weibull(u, v, w, k)
    large, power, tail, share = cut_weibull_parts(u, v, w, k)
    mean = v + u * jnp.exp(-power)
    in_level = jnp.where(
        large, 1.0 / (v * tail), relative_exponential(jnp.ones_like(u), -power) / mean * jnp.exp(-share)
    )
    weight = jnp.where(large, 0.0, u * jnp.exp(-power) / mean * jnp.exp(-share))
    lost = power * share_in_exponent(u, v, -power) * jnp.exp(-share)  # one less the weight
    change = jnp.where(large, -jnp.log(tail) / k, -lost * jnp.log(w) - share / k)
    return value, value / k * (in_level * tangents[0] + change * tangents[3]) + value / w * weight * tangents[2]
