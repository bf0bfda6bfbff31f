r"""$\tan\pi x$ and $\cot\pi x$: x is reduced to an eighth of a turn before it meets $\pi$, and every reduction is exact.

>>> round(float(cotpi(0.25)), 5), float(tanpi(0.0)), bool(jnp.isfinite(jax.grad(cotpi)(0.5)))
(1.0, 0.0, True)
>>> with jax.enable_x64(True):
...     print(round(float(cotpi_of_power(1 - 2.0**-40, 0.1) * -3.141592653589793 * 2.0**-40), 9))
10.0
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.scipy import special

from symaux.codegen.library.normal import log_ndtr
from symaux.codegen.library.tails import floats


def tanpi(x):
    r"""$\tan\pi x$."""
    return tangent_of_turns(*floats(x))


@jax.custom_jvp
def tangent_of_turns(x):
    rest = x - jnp.round(x)
    far = jnp.abs(rest) > 0.25
    near = jnp.tan(3.141592653589793 * jnp.where(far, jnp.sign(rest) * (0.5 - jnp.abs(rest)), rest))
    return jnp.where(far, 1.0 / jnp.where(far, near, 1.0), near)


@tangent_of_turns.defjvp
def tangent_of_turns_jvp(primals, tangents):
    value = tangent_of_turns(primals[0])
    return value, tangents[0] * 3.141592653589793 * (1.0 + jnp.square(value))


def cotpi(x):
    r"""$\cot\pi x$."""
    return cotangent_of_turns(*floats(x))


@jax.custom_jvp
def cotangent_of_turns(x):
    rest = x - jnp.round(x)
    far = jnp.abs(rest) > 0.25
    near = jnp.tan(3.141592653589793 * jnp.where(far, jnp.sign(rest) * (0.5 - jnp.abs(rest)), rest))
    return jnp.where(far, near, 1.0 / jnp.where(far, 1.0, near))


@cotangent_of_turns.defjvp
def cotangent_of_turns_jvp(primals, tangents):
    value = cotangent_of_turns(primals[0])
    return value, -tangents[0] * 3.141592653589793 * (1.0 + jnp.square(value))


def cotpi_of_power(x, power):
    r"""$\cot\pi x^p$ for positive x."""
    return cotangent_of_power(*floats(x, power))


@jax.custom_jvp
def cotangent_of_power(x, power):
    r"""Also near $x^p = 1$: there the turns less one are $e^{p\log x} - 1$."""
    log = power * jnp.log(x)
    return cotangent_of_turns(jnp.where(jnp.abs(log) < 0.6931471805599453, jnp.expm1(log), x**power))


@cotangent_of_power.defjvp
def cotangent_of_power_jvp(primals, tangents):
    """By the slope in the logarithm of the power, which is finite where that in the power overflows."""
    (x, power), (dx, d_power) = primals, tangents
    angle, value = 3.141592653589793 * x**power, cotangent_of_power(x, power)
    return value, -(angle + (angle * value) * value) * (power * dx / x + jnp.log(x) * d_power)


@jax.custom_jvp
def cotangent_of_log(log_turns):
    r"""$\cot\pi e^\ell$; its slope in $\ell$ is finite where that in $e^\ell$ overflows."""
    return cotangent_of_turns(jnp.exp(log_turns))


@cotangent_of_log.defjvp
def cotangent_of_log_jvp(primals, tangents):
    angle, value = 3.141592653589793 * jnp.exp(primals[0]), cotangent_of_log(primals[0])
    return value, -tangents[0] * (angle + (angle * value) * value)


def cauchy_of_normal(eps):
    r"""$-\cot\pi\Phi(\varepsilon)$, a standard Cauchy from a standard normal, by the smaller tail."""
    (eps,) = floats(eps)
    size = cotangent_of_log(log_ndtr(jnp.where(eps > 0, -eps, eps)))
    return jnp.where(eps > 0, size, -size)


def half_cauchy_of_normal(eps):
    r"""$\tan\tfrac\pi2\Phi(\varepsilon)$, from either tail."""
    (eps,) = floats(eps)
    right = cotangent_of_log(log_ndtr(-jnp.maximum(eps, 0.0)) - 0.6931471805599453)
    return jnp.where(eps > 0, right, tanpi(0.5 * special.ndtr(jnp.minimum(eps, 0.0))))
