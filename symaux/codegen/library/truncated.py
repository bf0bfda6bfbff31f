r"""Quantiles of a law cut off at one end or at both, by the smaller tail; and the gap between a cut and a quantile.

The gap $\delta = b - F^{-1}(u\,F(b))$ solves $\int_0^\delta p(b - t)/p(b)\,dt = v\,F(b)/p(b)$, v = 1 - u: near the cut, where a
difference would keep no digits, that is what is solved.

Between two cuts the distance from the nearer one is computed. With $R(x) = \Phi(-x)/\varphi(x)$ the mass between a ≥ 0 and
a + d is $\varphi(a)\,(R(a) - e^{-ad - d^2/2}R(a + d))$, and its cumulative hazard, convex in d, is inverted by Newton's method.
Where a < 0 < b the quantile itself is not far out, and near a cut the mass between them is inverted. One cut may be infinite.

>>> round(float(normal_between(0.5, 0.5, 2.0, 9.0, 0.0, 1.0)), 6)
2.277605
>>> round(float(normal_between(1e-30, 1.0, 0.0, 1.0, 7.0, 2.0)) * 1e30, 2)
2.56
>>> round(float(ndtri_gap(1.0, 1e-20, 0.0)) / 1e-20, 4)  # the root of pi/2
1.2533
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import special

from symaux.codegen.library.gamma import gammainc, log_gamma_quantile, log_gammainc, log_gammaincc
from symaux.codegen.library.normal import log_mills, log_ndtr, ndtri_exp
from symaux.codegen.library.ratios import SHORT_NODES, SHORT_WEIGHTS
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


def ndtri_below(u, v, b):
    r"""$\Phi^{-1}(u\,\Phi(b))$."""
    u, v, b = floats(u, v, b)
    return normal_by_tails(jnp.log(u) + log_ndtr(b), log_mean(u, v, log_ndtr(-b), jnp.zeros_like(b)))


def near_cut(log_height, goal, limit):
    """The d with as much mass as the goal between 0 and d, where the density at 0 is 1: Newton's method, within a limit."""
    nodes, weights = (jnp.asarray(x, goal.dtype) for x in (LEGENDRE_NODES, LEGENDRE_WEIGHTS))

    def refine(_, gap):
        mass = gap * jnp.sum(weights * jnp.exp(log_height(gap[..., None] * nodes)), -1)
        return jnp.clip(gap - (mass - goal) * jnp.exp(-log_height(gap[..., None])[..., 0]), 0.0, 2.0 * limit)

    return lax.fori_loop(0, 6, refine, jnp.minimum(goal, limit))


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


def normal_between(u, v, lo, hi, mu, s):
    r"""$\mu + s\,\Phi^{-1}(v\,\Phi(\frac{lo - \mu}s) + u\,\Phi(\frac{hi - \mu}s))$."""
    u, v, lo, hi, mu, s = floats(u, v, lo, hi, mu, s)
    rising = lo < hi
    u, v = jnp.where(rising, u, v), jnp.where(rising, v, u)
    return cut_normal(u, v, jnp.where(rising, lo, hi), jnp.where(rising, hi, lo), mu, s)


def mass_from_cut(a, d):
    r"""$(\Phi(a + d) - \Phi(a))/\varphi(a)$ for d > 0: a Gauss rule for small d, and the two tails for a ≥ 0 or the middle."""
    fall = d * (a + 0.5 * d)
    near = jnp.abs(a) * d + 0.5 * jnp.square(d) < 1.0
    t, weights = (jnp.asarray(numbers, d.dtype) for numbers in (SHORT_NODES, SHORT_WEIGHTS))
    small = jnp.where(near, d, 0.0)[..., None]
    by_rule = jnp.where(near, d, 0.0) * jnp.sum(weights * jnp.exp(-small * t * (a[..., None] + 0.5 * small * t)), -1)
    inner = jnp.maximum(a, 0.0)
    rest = jnp.where(
        jnp.isinf(d), 0.0, jnp.exp(-fall + log_mills(jnp.maximum(inner + jnp.where(jnp.isinf(d), 0.0, d), 0.0)))
    )
    by_tails = jnp.exp(log_mills(inner)) - rest
    middle = (special.ndtr(a + d) - special.ndtr(a)) * jnp.exp(0.5 * jnp.square(a) + 0.9189385332046727)
    return jnp.where(near, by_rule, jnp.where(a >= 0, by_tails, middle))


def hazard_from_cut(a, d):
    r"""$-\log(\Phi(-a - d)/\Phi(-a))$ for a ≥ 0."""
    part = mass_from_cut(a, d) * jnp.exp(-log_mills(a))
    near = part < 0.5
    far = d * (a + 0.5 * d) + log_mills(a) - log_mills(a + d)
    return jnp.where(near, -jnp.log1p(-jnp.where(near, part, 0.0)), far)


def gap_by_hazard(u, v, a, width):
    """The distance from a cut a ≥ 0 of the quantile between a and a + width."""
    part = mass_from_cut(a, width) * jnp.exp(-log_mills(a))
    ends = jnp.isinf(width)
    reach = jnp.where(ends, 0.0, width)
    left = jnp.where(ends, 0.0, jnp.exp(-reach * (a + 0.5 * reach) + log_mills(a + reach) - log_mills(a)))
    near = u * part < 0.5
    goal = jnp.where(near, -jnp.log1p(-jnp.where(near, u * part, 0.0)), -jnp.log(v + u * left))
    rate = jnp.exp(-log_mills(a))
    gap = goal / rate * 2.0 / (1.0 + jnp.sqrt(1.0 + 2.0 * goal * (rate - a) / rate))

    def refine(_, gap):
        return jnp.clip(gap + (goal - hazard_from_cut(a, gap)) * jnp.exp(log_mills(a + gap)), 0.0, width)

    return lax.fori_loop(0, 7, refine, gap)


def gaps_right(u, v, a, b, width):
    """The distances of the quantile from a and from b, where b > 0 and |a| ≤ b, and the quantile."""
    outside = a >= 0
    level = jnp.where(jnp.isinf(b), 1.0, b)
    log_p = log_mean(u, v, jnp.where(jnp.isinf(b), 0.0, log_ndtr(level)), log_ndtr(a))
    log_q = jnp.where(jnp.isinf(b), jnp.log(v) + log_ndtr(-a), log_mean(u, v, log_ndtr(-level), log_ndtr(-a)))
    inside = normal_by_tails(log_p, log_q)
    cut = jnp.maximum(a, 0.0)
    low = jnp.where(outside, gap_by_hazard(u, v, cut, width), jnp.clip(inside - a, 0.0, width))
    mass = mass_from_cut(a, width)
    limit = 0.5 / (1.0 + jnp.abs(a))
    near_low = ~outside & (low < limit)
    by_low = near_cut(lambda t: -t * (a[..., None] + 0.5 * t), jnp.where(near_low, u * mass, 0.0), limit)
    low = jnp.where(near_low, by_low, low)
    high = jnp.where(jnp.isinf(b), jnp.inf, jnp.maximum(width - low, 0.0))
    limit = 0.5 / (1.0 + level)
    near_high = ~jnp.isinf(b) & (high < limit) & (high < low)
    reach = jnp.where(near_high, width, 0.0)
    goal = jnp.where(near_high, jnp.exp(jnp.log(v * mass) + reach * (a + 0.5 * reach)), 0.0)
    by_high = near_cut(lambda t: t * (level[..., None] - 0.5 * t), jnp.minimum(goal, 2.0 * limit), limit)
    return low, jnp.where(near_high, by_high, high), jnp.where(outside, a + low, inside)


def cut_gaps(u, v, lo, hi, mu, s):
    """The cuts on the standard scale, the distances of the quantile from them, and the quantile, on that scale."""
    a, b, width = (lo - mu) / s, (hi - mu) / s, (hi - lo) / s
    flip = a + b < 0
    x, y = jnp.where(flip, -b, a), jnp.where(flip, -a, b)
    low, high, z = gaps_right(jnp.where(flip, v, u), jnp.where(flip, u, v), x, y, width)
    return a, b, jnp.where(flip, high, low), jnp.where(flip, low, high), jnp.where(flip, -z, z)


@jax.custom_jvp
@jax.jit
def cut_normal(u, v, lo, hi, mu, s):
    _, _, low, high, _ = cut_gaps(u, v, lo, hi, mu, s)
    return jnp.where(low < high, lo + s * low, hi - s * high)


@cut_normal.defjvp
@jax.jit
def cut_normal_jvp(primals, tangents):
    u, v, lo, hi, mu, s = primals
    a, b, low, high, z = cut_gaps(u, v, lo, hi, mu, s)
    value = jnp.where(low < high, lo + s * low, hi - s * high)
    open_low, open_high = jnp.isinf(low), jnp.isinf(high)
    a, b = jnp.where(open_low, 0.0, a), jnp.where(open_high, 0.0, b)
    rise = jnp.where(
        open_low, -jnp.inf, low * (a + 0.5 * low)
    )  # log of the density at the cut over that at the quantile
    fall = jnp.where(open_high, -jnp.inf, -high * (b - 0.5 * high))
    flip = open_low | ((lo - mu) + (hi - mu) < 0)
    width = (hi - lo) / s
    middle = (lo < mu) & (mu < hi) & (width > 1.0)
    mass = mass_from_cut(jnp.where(middle, 0.0, jnp.where(flip, -b, a)), jnp.where(middle, 0.0, width))
    whole = (special.ndtr((hi - mu) / s) - special.ndtr((lo - mu) / s)) * jnp.exp(
        0.5 * jnp.square(z) + 0.9189385332046727
    )
    in_u = s * jnp.where(middle, whole, mass * jnp.exp(jnp.where(middle, 0.0, jnp.where(flip, fall, rise))))
    below, above = v * jnp.exp(rise), u * jnp.exp(fall)
    in_mu = -v * jnp.expm1(rise) - u * jnp.expm1(fall)
    from_low = jnp.where(jnp.abs(rise) < 1.0, low - a * jnp.expm1(rise), z - a * jnp.exp(rise))
    from_high = jnp.where(jnp.abs(fall) < 1.0, -high - b * jnp.expm1(fall), z - b * jnp.exp(fall))
    in_s = v * from_low + u * from_high
    change = (
        in_u * tangents[0]
        + below * jnp.where(open_low, 0.0, tangents[2])
        + above * jnp.where(open_high, 0.0, tangents[3])
    )
    return value, change + in_mu * tangents[4] + in_s * tangents[5]
