r"""Lambert's W, both real branches, also from the logarithm of the argument.

$$W e^W = x;\qquad W = -e^v \text{ with } e^v - 1 - v = d,\quad d = -1 - \log(-x) \text{ for } -1/e \le x < 0,$$

v ≤ 0 on the principal branch and v ≥ 0 on the other: near the branch point d is small and known to full accuracy.

>>> float(lambertw0(jnp.e)).__round__(5), float(lambertwm1(-0.2)).__round__(5)
(1.0, -2.54264)
>>> float(lambertw0_of_exp(1e4)).__round__(2)  # exp(10000) itself overflows
9990.79
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax

from symaux.codegen.library.tails import expm1mx, floats


def lambert_depth(x):
    """d = -1 - log(-x), with 1/e to twice the working precision."""
    inverse = jnp.asarray(0.36787944117144233, x.dtype)
    rest = -1.2428753672788363e-17 if x.dtype == jnp.float64 else -9.149756e-09
    return -jnp.log1p(-jnp.maximum(2.718281828459045 * (x + inverse) + 2.718281828459045 * rest, 0.0))


def lambert_log(d, sign):
    """v with exp(v) - 1 - v = d on the side of ``sign``, by Newton's method from outside."""
    root = jnp.sqrt(d * (d + 8.0))
    v = jnp.where(sign > 0, jnp.log1p(d + jnp.sqrt(2.0 * d)), -jnp.minimum(d + 1.0, 0.5 * (d + root)))

    def newton(_, v):
        rise = jnp.expm1(v)
        return v - (expm1mx(v) - d) / jnp.where(rise == 0, 1.0, rise)

    return lax.fori_loop(0, 6, newton, v)


def lambertw0(x):
    r"""The principal branch $W_0(x)$, x ≥ -1/e."""
    return lambert_principal(*floats(x))


@jax.custom_jvp
@jax.jit
def lambert_principal(x):
    low = x < -0.25
    near = -jnp.exp(lambert_log(lambert_depth(jnp.where(low, x, -0.3)), -1.0))
    z = jnp.where(low | (x == 0) | jnp.isinf(x), 1.0, x)
    start = jnp.log1p(z)
    w = start * (1.0 - jnp.log1p(jnp.maximum(start, -0.5)) / (2.0 + start))

    def refine(_, w):
        return w * (1.0 + jnp.log(z / w)) / (1.0 + w)

    w = jnp.where((x == 0) | jnp.isinf(x), x, lax.fori_loop(0, 5, refine, w))
    return jnp.where(x < -0.36787945, jnp.nan, jnp.where(low, near, w))


@lambert_principal.defjvp
@jax.jit
def lambert_principal_jvp(primals, tangents):
    (x,), (change,) = primals, tangents
    w = lambert_principal(x)
    return w, change * jnp.exp(-w) / (1.0 + w)


def lambertwm1(x):
    r"""The other real branch $W_{-1}(x)$, -1/e ≤ x < 0."""
    return lambert_other(*floats(x))


@jax.custom_jvp
@jax.jit
def lambert_other(x):
    inside = (x < 0) & (x > -0.36787945)
    z = jnp.where(inside, x, -0.2)
    d = jnp.where(z < -0.25, lambert_depth(z), -1.0 - jnp.log(-z))
    value = -(1.0 + d + lambert_log(d, 1.0))
    return jnp.where(inside, value, jnp.where(x == 0, -jnp.inf, jnp.nan))


@lambert_other.defjvp
@jax.jit
def lambert_other_jvp(primals, tangents):
    (x,), (change,) = primals, tangents
    w = lambert_other(x)
    return w, change * w / (x * (1.0 + w))


def lambertw0_of_exp(y):
    r"""$W_0(e^y)$, Wright's omega function: the w > 0 with $w + \log w = y$."""
    return wright_omega(*floats(y))


@jax.custom_jvp
@jax.jit
def wright_omega(y):
    v = jnp.where(y > 1.0, jnp.log(jnp.maximum(y, 1.0)), y)
    v = lax.fori_loop(0, 7, lambda _, v: v - (jnp.exp(v) + v - y) / (1.0 + jnp.exp(v)), v)
    return jnp.where(v > 0, y - v, jnp.exp(v))


@wright_omega.defjvp
@jax.jit
def wright_omega_jvp(primals, tangents):
    w = wright_omega(primals[0])
    return w, tangents[0] * w / (1.0 + w)


def lambertwm1_of_exp(y):
    r"""$W_{-1}(-e^y)$ for y ≤ -1: the w ≤ -1 with $w + \log(-w) = y$."""
    return wright_other(*floats(y))


@jax.custom_jvp
@jax.jit
def wright_other(y):
    d = -1.0 - y
    return jnp.where(d >= 0, y - lambert_log(jnp.maximum(d, 0.0), 1.0), jnp.nan)


@wright_other.defjvp
@jax.jit
def wright_other_jvp(primals, tangents):
    w = wright_other(primals[0])
    return w, tangents[0] * w / (1.0 + w)


def lambert_rise(w, d):
    r"""$W(xe^d) - W(x)$ for w = W(x): $w\operatorname{expm1} s$ with $s + w\operatorname{expm1} s = d$, by Newton's method."""
    return wright_rise(*floats(w, d))


@jax.jit
def wright_step(w, d):
    """The s with s + w·expm1(s) = d, on the side of the pole of its slope on which 0 lies."""
    rate, beyond = 1.0 + w, (w > 0) == (d > 0)
    far = jnp.log1p(jnp.where(beyond, d / jnp.where(w == 0, 1.0, w), 0.0))
    root = jnp.sqrt(jnp.maximum(rate * rate + 2.0 * jnp.where(w < 0, w * d, 0.0), 0.0))
    bottom = rate + jnp.where(rate < 0, -root, root)
    below = jnp.where((rate < 0) & (d < 0), far, 2.0 * d / jnp.where(bottom == 0, 1.0, bottom))
    start = jnp.where(w > 0, jnp.where(d > 0, jnp.minimum(d, far), d / rate), below)

    def newton(_, s):
        slope = 1.0 + w * jnp.exp(s)
        return s - (s + w * jnp.expm1(s) - d) / jnp.where(slope == 0, 1.0, slope)

    return lax.fori_loop(0, 9, newton, start)


@jax.custom_jvp
@jax.jit
def wright_rise(w, d):
    return w * jnp.expm1(wright_step(w, d))


@wright_rise.defjvp
@jax.jit
def wright_rise_jvp(primals, tangents):
    w, d = primals
    s = wright_step(w, d)
    above = w * jnp.exp(s)
    return w * jnp.expm1(s), (jnp.expm1(s) * tangents[0] + above * tangents[1]) / (1.0 + above)
