r"""The regularised incomplete gamma function and its inverse, with exact gradients in the shape.

With $x = a e^w$ the density of w is $C(a)\,e^{-a(e^w - 1 - w)}$, log-concave, with its mode at w = 0:

$$P(a, x) = \frac1{\Gamma(a)}\int_0^x t^{a-1}e^{-t}\,dt = C(a)\int_{-\infty}^w e^{-a(e^v - 1 - v)}\,dv,\qquad
C(a) = \frac{a^a e^{-a}}{\Gamma(a)}.$$

>>> float(abs(gammainc(2.5, gammaincinv(2.5, 0.3)) - 0.3)) < 1e-6
True
>>> float(jax.grad(gammaincinv, argnums=1)(1.0, 0.5)).__round__(4)  # -log(1 - u) has the derivative 1/(1 - u)
2.0
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from symaux.codegen.library.normal import log_ndtr
from symaux.codegen.library.tails import (
    expm1mx,
    floats,
    log1mexp,
    log_less_digamma,
    negligible,
    panels,
    solve_tail,
    stirling,
)


def gamma_reach(sign, slope, x, level):
    """The s at which slope s + x (exp(-sign s) - 1 + sign s) is about ``level``, from above, by Newton's method."""
    ratio = level / x
    down = jnp.minimum((level + x) / (slope + x), 0.5 * (ratio + jnp.sqrt(ratio * (ratio + 8.0))))
    up = jnp.log1p(ratio + jnp.sqrt(2.0 * ratio))
    start = jnp.minimum(jnp.where(sign > 0, down, up), level / slope)

    def newton(_, s):
        excess = slope * s + x * expm1mx(-sign * s) - level
        return s - excess / jnp.maximum(slope - x * sign * jnp.expm1(-sign * s), jnp.finfo(s.dtype).tiny)

    return lax.fori_loop(0, 4, newton, start)


def gamma_tail(a, w):
    """The tail of log(x/a) on w's side of the mode: its side, log p(w), J, and minus its derivative in a."""
    sign = jnp.where(w > 0, -1.0, 1.0).astype(w.dtype)
    shifted = (a < 1.0) & (sign > 0)  # by parts: a J(a) = 1 + x J(a + 1)
    x = a * jnp.exp(w)
    slope = -sign * a * jnp.expm1(w) + jnp.where(shifted, 1.0, 0.0).astype(w.dtype)
    end = gamma_reach(*lax.stop_gradient((sign, slope, x, negligible(w.dtype))))
    s, weights = panels(end)
    mass = weights * jnp.exp(-(slope[..., None] * s + x[..., None] * expm1mx(-sign[..., None] * s)))
    j, moment = jnp.sum(mass, -1), jnp.sum(mass * s, -1)
    whole = jnp.where(shifted, (1.0 + x * j) / a, j)
    moment = jnp.where(shifted, (whole + x * moment) / a, moment)
    log_density = 0.5 * jnp.log(a) - 0.9189385332046727 - stirling(a) - a * expm1mx(w)
    return sign, log_density, whole, moment


@jax.custom_jvp
@jax.jit
def gamma_log_ratio(a, log_u, log_q):
    """w with P(a, a exp(w)) = u, from log u and log(1 - u): the smaller of the two tails decides."""
    zero = jnp.zeros_like(a)
    _, log_density, j, _ = gamma_tail(a, zero)
    middle = log_density + jnp.log(j)
    lower = log_u <= middle
    sign = jnp.where(lower, 1.0, -1.0).astype(a.dtype)
    target = jnp.where(lower, log_u, log_q)
    drop = jnp.maximum(jnp.where(lower, middle, log1mexp(middle)) - target, jnp.finfo(a.dtype).tiny)
    start = gamma_reach(sign, zero, a, drop)

    def tail(z):
        _, log_density, j, _ = gamma_tail(a, jnp.where(lower, -z, jnp.maximum(z, jnp.finfo(a.dtype).tiny)))
        return log_density + jnp.log(j), j, a * jnp.abs(jnp.expm1(-sign * z))

    return -sign * solve_tail(tail, target, start, jnp.inf)


@gamma_log_ratio.defjvp
@jax.jit
def gamma_log_ratio_jvp(primals, tangents):
    a, log_u, log_q = primals
    w = gamma_log_ratio(a, log_u, log_q)
    sign, _, j, moment = gamma_tail(a, w)
    in_a = moment - sign * j * (w + log_less_digamma(a)) - 1.0 / a
    return w, j * jnp.where(sign > 0, tangents[1], -tangents[2]) + in_a * tangents[0]


def gammaincinv(a, u):
    r"""The x with $P(a, x) = u$: the quantile function of Gamma(a, 1)."""
    a, u = floats(a, u)
    inside = (u > 0) & (u < 1)
    v = jnp.where(inside, u, 0.5)
    return jnp.where(inside, a * jnp.exp(gamma_log_ratio(a, jnp.log(v), jnp.log1p(-v))), gamma_ends(u))


def gammainccinv(a, q):
    r"""The x with $Q(a, x) = 1 - P(a, x) = q$, exact however small q is."""
    a, q = floats(a, q)
    inside = (q > 0) & (q < 1)
    v = jnp.where(inside, q, 0.5)
    return jnp.where(inside, a * jnp.exp(gamma_log_ratio(a, jnp.log1p(-v), jnp.log(v))), gamma_ends(1.0 - q))


def gamma_ends(u):
    """The ends of the support at u = 0 and u = 1, nothing outside."""
    return jnp.where(u == 0, 0.0, jnp.where(u == 1, jnp.inf, jnp.nan)).astype(u.dtype)


def log_gammaincinv(a, log_u):
    r"""$\log x$ with $\log P(a, x)$ = ``log_u``: for small shapes, where x itself underflows."""
    a, log_u = floats(a, log_u)
    return jnp.log(a) + gamma_log_ratio(a, log_u, log1mexp(log_u))


def log_gammainccinv(a, log_q):
    r"""$\log x$ with $\log Q(a, x)$ = ``log_q``."""
    a, log_q = floats(a, log_q)
    return jnp.log(a) + gamma_log_ratio(a, log1mexp(log_q), log_q)


def log_gamma_quantile(a, log_u, log_q):
    r"""$\log x$ with $P(a, x) = u$, from log u and log(1 - u)."""
    a, log_u, log_q = floats(a, log_u, log_q)
    return jnp.log(a) + gamma_log_ratio(a, log_u, log_q)


def gamma_of_normal(a, eps):
    r"""$P^{-1}(a, \Phi(\varepsilon))$, exact in both tails: a Gamma(a, 1) from a standard normal."""
    a, eps = floats(a, eps)
    return a * jnp.exp(gamma_log_ratio(a, log_ndtr(eps), log_ndtr(-eps)))


def log_gamma_of_normal(a, eps):
    r"""$\log P^{-1}(a, \Phi(\varepsilon))$: for small shapes, where the gamma variable itself underflows."""
    a, eps = floats(a, eps)
    return jnp.log(a) + gamma_log_ratio(a, log_ndtr(eps), log_ndtr(-eps))


def gammainc(a, x):
    r"""$P(a, x) = \frac1{\Gamma(a)}\int_0^x t^{a-1}e^{-t}\,dt$."""
    log_p, _ = gamma_log_tails(*floats(a, x))
    return jnp.exp(log_p)


def gammaincc(a, x):
    r"""$Q(a, x) = 1 - P(a, x)$."""
    _, log_q = gamma_log_tails(*floats(a, x))
    return jnp.exp(log_q)


def log_gammainc(a, x):
    r"""$\log P(a, x)$, also where P underflows."""
    return gamma_log_tails(*floats(a, x))[0]


def log_gammaincc(a, x):
    r"""$\log Q(a, x)$, also where Q underflows."""
    return gamma_log_tails(*floats(a, x))[1]


@jax.custom_jvp
@jax.jit
def gamma_log_tails(a, x):
    """log P and log Q."""
    w = gamma_coordinate(a, x)
    sign, log_density, j, _ = gamma_tail(a, w)
    tail = jnp.minimum(log_density + jnp.log(j), 0.0)
    rest = log1mexp(tail)
    return jnp.where(sign > 0, tail, rest), jnp.where(sign > 0, rest, tail)


@gamma_log_tails.defjvp
@jax.jit
def gamma_log_tails_jvp(primals, tangents):
    a, x = primals
    w = gamma_coordinate(a, x)
    sign, log_density, j, moment = gamma_tail(a, w)
    log_p, log_q = gamma_log_tails(a, x)
    in_a = sign * j * (w + log_less_digamma(a)) - moment
    density = log_density - jnp.log(a) - w  # of x, for both arguments
    change = in_a * tangents[0] * jnp.exp(log_density - log_p), jnp.exp(density - log_p) * tangents[1]
    other = in_a * tangents[0] * jnp.exp(log_density - log_q), jnp.exp(density - log_q) * tangents[1]
    return (log_p, log_q), (sum(change), -sum(other))


def gamma_coordinate(a, x):
    """log(x/a), accurate near x = a and finite at both ends."""
    near = jnp.abs(x - a) < 0.5 * a
    far = jnp.log(jnp.maximum(x, jnp.finfo(x.dtype).tiny)) - jnp.log(a)
    return jnp.minimum(jnp.where(near, jnp.log1p(jnp.where(near, (x - a) / a, 0.0)), far), 80.0)
