r"""The normal distribution function on the scale of logarithms, its inverses, and Owen's T.

$$\Phi(x) = \int_{-\infty}^x \frac{e^{-t^2/2}}{\sqrt{2\pi}}\,dt,\qquad
T(h, a) = \frac1{2\pi}\int_0^a \frac{e^{-h^2(1+t^2)/2}}{1+t^2}\,dt.$$

>>> float(ndtri_exp(log_ndtr(-50.0))).__round__(3)
-50.0
>>> bool(erfcinv(1.0) == 0)
True
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import special

from symaux.codegen.library.tails import LEGENDRE_NODES, LEGENDRE_WEIGHTS, floats, log1mexp


def log_mills(x):
    r"""$\log\frac{1 - \Phi(x)}{\varphi(x)}$ for x ≥ 0: from the function itself, then by its asymptotic series."""
    far = 30.0 if x.dtype == jnp.float64 else 10.0
    near = jnp.minimum(x, far)
    r = 1.0 / jnp.square(jnp.maximum(x, far))
    series = jnp.zeros_like(x)
    for k in range(15, 0, -2):
        series = -k * r * (1.0 + series)
    direct = jnp.log(special.ndtr(-near)) + 0.5 * jnp.square(near) + 0.9189385332046727
    return jnp.where(x < far, direct, jnp.log1p(series) - jnp.log(jnp.maximum(x, far)))


def log_ndtr(x):
    r"""$\log\Phi(x)$ to full relative accuracy on both sides."""
    return log_normal_cdf(*floats(x))


@jax.custom_jvp
@jax.jit
def log_normal_cdf(x):
    size = jnp.abs(x)
    tail = log_mills(size) - 0.5 * jnp.square(size) - 0.9189385332046727
    return jnp.where(x < 0, tail, log1mexp(tail))


@log_normal_cdf.defjvp
@jax.jit
def log_normal_cdf_jvp(primals, tangents):
    (x,), (change,) = primals, tangents
    value = log_normal_cdf(x)
    right = jnp.exp(-0.5 * jnp.square(x) - 0.9189385332046727 - value)
    return value, change * jnp.where(x < 0, jnp.exp(-log_mills(jnp.abs(x))), right)


def ndtri_exp(log_p):
    r"""$\Phi^{-1}(e^{\ell})$: the quantile of a probability that is given by its logarithm."""
    return normal_quantile(*floats(log_p))


@jax.custom_jvp
@jax.jit
def normal_quantile(log_p):
    lower = log_p < -0.6931471805599453
    tail = jnp.where(lower, log_p, log1mexp(log_p))
    deep = jnp.maximum(-2.0 * tail, 20.0)
    x = jnp.where(tail > -40.0, -special.ndtri(jnp.exp(tail)), jnp.sqrt(deep - jnp.log(6.283185307179586 * deep)))
    for _ in range(3):
        mills = log_mills(x)
        x = x + jnp.exp(mills) * (mills - 0.5 * jnp.square(x) - 0.9189385332046727 - tail)
        x = jnp.maximum(x, 0.0)
    ends = jnp.where(tail == -jnp.inf, jnp.inf, x)
    return jnp.where(lower, -ends, ends)


@normal_quantile.defjvp
@jax.jit
def normal_quantile_jvp(primals, tangents):
    (log_p,), (change,) = primals, tangents
    x = normal_quantile(log_p)
    right = jnp.exp(log_p + 0.5 * jnp.square(x) + 0.9189385332046727)
    return x, change * jnp.where(x < 0, jnp.exp(log_mills(jnp.abs(x))), right)


@jax.custom_jvp
def standard_normal_quantile(u):
    r"""$\Phi^{-1}(u)$ with its slope as one factor, so that an infinite cotangent stays infinite."""
    return special.ndtri(u)


@standard_normal_quantile.defjvp
def standard_normal_quantile_jvp(primals, tangents):
    x = special.ndtri(primals[0])
    return x, jnp.exp(0.5 * jnp.square(x) + 0.9189385332046727) * tangents[0]


def erfcinv(x):
    r"""The inverse of the complementary error function: $-\Phi^{-1}(x/2)/\sqrt2$, exact however small x is."""
    (x,) = floats(x)
    return -0.7071067811865476 * special.ndtri(0.5 * x)


def erfinv(x):
    r"""The inverse of the error function; near the ends by $-\Phi^{-1}((1 - |x|)/2)/\sqrt2$, where 1 - |x| is exact."""
    (x,) = floats(x)
    far = jnp.abs(x) > 0.5
    tail = -0.7071067811865476 * jnp.sign(x) * special.ndtri(0.5 * (1.0 - jnp.where(far, jnp.abs(x), 0.5)))
    return jnp.where(far, tail, special.erfinv(jnp.where(far, 0.0, x)))


def erfinv_of_normal(eps):
    r"""$\operatorname{erfinv}\Phi(\varepsilon)$, a half-normal from a normal up to its scale, from either tail."""
    (eps,) = floats(eps)
    right = -0.7071067811865476 * ndtri_exp(log_ndtr(-jnp.maximum(eps, 0.0)) - 0.6931471805599453)
    return jnp.where(eps > 0, right, special.erfinv(special.ndtr(jnp.minimum(eps, 0.0))))


def owens_t(h, a):
    r"""Owen's $T(h, a)$; the distribution function of a skew normal is $\Phi(x) - 2T(x, \alpha)$."""
    return owen(*floats(h, a))


def owen_within(h, a):
    """The integral for 0 ≤ a ≤ 1, by Gauss and Legendre."""
    t = a[..., None] * jnp.asarray(LEGENDRE_NODES, h.dtype)
    t = jnp.square(t) + 1.0
    mass = jnp.asarray(LEGENDRE_WEIGHTS, h.dtype) * jnp.exp(-0.5 * jnp.square(h)[..., None] * t) / t
    return 0.15915494309189535 * a * jnp.sum(mass, -1)


@jax.custom_jvp
@jax.jit
def owen(h, a):
    size, slope = jnp.abs(h), jnp.abs(a)
    steep = slope > 1.0
    across = jnp.where(steep, size * slope, size)
    inner = owen_within(across, jnp.where(steep, 1.0 / jnp.where(steep, slope, 1.0), slope))
    one, two = special.ndtr(-size), special.ndtr(-across)
    return jnp.sign(a) * jnp.where(steep, 0.5 * (one + two) - one * two - inner, inner)


@owen.defjvp
@jax.jit
def owen_jvp(primals, tangents):
    h, a = primals
    in_h = -0.19947114020071635 * jnp.exp(-0.5 * jnp.square(h)) * special.erf(a * h * 0.7071067811865476)
    grown = 1.0 + jnp.square(a)
    in_a = 0.15915494309189535 * jnp.exp(-0.5 * jnp.square(h) * grown) / grown
    return owen(h, a), in_h * tangents[0] + in_a * tangents[1]
