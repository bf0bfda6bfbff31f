r"""Quotients and differences whose terms vanish or grow together, with slopes that keep their digits.

Derivatives of such quotients are integrals over (0, 1) of positive functions: near zero a Gauss rule sums them without
cancellation, further out the difference of numerator and quotient is large enough.

>>> import jax
>>> float(exprel(3.0, 0.0)), float(jax.grad(exprel, 1)(3.0, 1e-200)), float(jax.grad(logrel, 1)(3.0, 1e-200))
(3.0, 4.5, -4.5)
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from symaux.codegen.library.tails import floats, log1mexp, log_less_digamma, stirling

SHORT_NODES = (
    0.019855071751231856, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
    0.5917173212478249, 0.7627662049581645, 0.8983332387068134, 0.9801449282487681,
)  # fmt: skip
SHORT_WEIGHTS = (
    0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.181341891689181,
    0.181341891689181, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813,
)  # fmt: skip


def integral_of_share(integrand, x):
    """The integral of t times the integrand at t x, over t in (0, 1): exact for smooth integrands and small x."""
    t, weights = (jnp.asarray(numbers, x.dtype) for numbers in (SHORT_NODES, SHORT_WEIGHTS))
    return jnp.sum(weights * t * integrand(t * x[..., None]), -1)


def exprel(x, c):
    r"""$(e^{cx} - 1)/c$."""
    return relative_exponential(*floats(x, c))


@jax.custom_jvp
def relative_exponential(x, c):
    near = jnp.abs(c * x) < 1e-20
    return jnp.where(near, x, jnp.expm1(c * x) / jnp.where(near, 1.0, c))


@relative_exponential.defjvp
def relative_exponential_jvp(primals, tangents):
    x, c = primals
    value = relative_exponential(x, c)
    near = jnp.abs(c * x) < 1.0
    integral = jnp.square(x) * integral_of_share(jnp.exp, jnp.where(near, c * x, 0.0))
    power = jnp.exp(c * x)
    beyond = jnp.where(jnp.isinf(power), power * jnp.sign(x), (x * power - value) / jnp.where(near, 1.0, c))
    return value, power * tangents[0] + jnp.where(near, integral, beyond) * tangents[1]


def logrel(x, c):
    r"""$\log(1 + cx)/c$."""
    return relative_logarithm(*floats(x, c))


@jax.custom_jvp
def relative_logarithm(x, c):
    near = jnp.abs(c * x) < 1e-20
    return jnp.where(near, x, jnp.log1p(c * x) / jnp.where(near, 1.0, c))


@relative_logarithm.defjvp
def relative_logarithm_jvp(primals, tangents):
    x, c = primals
    value = relative_logarithm(x, c)
    near = jnp.abs(c * x) < 0.5
    small = jnp.where(near, c * x, 0.0)
    integral = -jnp.square(x) * integral_of_share(lambda y: 1.0 / jnp.square(1.0 + y), small)
    in_x = 1.0 / (1.0 + c * x)
    beyond = (jnp.where(jnp.abs(c * x) > 1.0, 1.0 / (1.0 / x + c), x * in_x) - value) / jnp.where(near, 1.0, c)
    return value, in_x * tangents[0] + jnp.where(near, integral, beyond) * tangents[1]


def log1p_scaled(m, x):
    r"""$x\log(1 + m/x)$ for x > 0."""
    return scaled_logarithm(*floats(m, x))


def log_of_quotient_and_one(m, x):
    """log(1 + m / x), where the quotient may overflow."""
    far = m > 1e16 * x
    return jnp.where(far, jnp.log(jnp.where(far, m, 1.0)) - jnp.log(x), jnp.log1p(jnp.where(far, 0.0, m) / x))


@jax.custom_jvp
def scaled_logarithm(m, x):
    ratio = m / x
    return jnp.where(jnp.abs(ratio) < 1e-20, m, x * log_of_quotient_and_one(m, x))


@scaled_logarithm.defjvp
def scaled_logarithm_jvp(primals, tangents):
    m, x = primals
    near = jnp.abs(m) < 0.5 * x
    ratio = jnp.where(near, m, 0.0) / x
    integral = jnp.square(ratio) * integral_of_share(lambda y: 1.0 / jnp.square(1.0 + y), ratio)
    in_x = jnp.where(near, integral, log_of_quotient_and_one(m, x) - m / (x + m))
    return scaled_logarithm(m, x), x / (x + m) * tangents[0] + in_x * tangents[1]


def recip_expm1(x):
    r"""$1/(e^x - 1)$."""
    return reciprocal_expm1(*floats(x))


@jax.custom_jvp
def reciprocal_expm1(x):
    return jnp.where(x > 0, jnp.exp(-jnp.abs(x)), 1.0) / jnp.where(x > 0, -jnp.expm1(-jnp.abs(x)), jnp.expm1(x))


@reciprocal_expm1.defjvp
def reciprocal_expm1_jvp(primals, tangents):
    value = reciprocal_expm1(*primals)
    return value, -value * (1.0 + value) * tangents[0]


def log_expm1(x):
    r"""$\log(e^x - 1)$ for x > 0."""
    return logarithm_of_expm1(*floats(x))


@jax.custom_jvp
def logarithm_of_expm1(x):
    near = x < 1.0
    return jnp.where(
        near, jnp.log(jnp.expm1(jnp.where(near, x, 1.0))), x + jnp.log1p(-jnp.exp(-jnp.where(near, 1.0, x)))
    )


@logarithm_of_expm1.defjvp
def logarithm_of_expm1_jvp(primals, tangents):
    return logarithm_of_expm1(*primals), -1.0 / jnp.expm1(-primals[0]) * tangents[0]


def log_rising(x, n):
    """log(Gamma(x + n) / Gamma(x)), by Stirling's series: its terms are not larger than n log(x + n)."""
    return log_rising_factorial(*floats(x, n))


@jax.custom_jvp
def log_rising_factorial(x, n):
    whole = x + n
    grown = (x - 0.5) * jnp.log1p(n / x) + n * (jnp.log(whole) - 1.0)
    return grown + (stirling(whole) - stirling(x))


@log_rising_factorial.defjvp
def log_rising_factorial_jvp(primals, tangents):
    x, n = primals
    below, above = log_less_digamma(x), log_less_digamma(x + n)
    in_x = jnp.log1p(n / x) + (below - above)
    return log_rising_factorial(x, n), in_x * tangents[0] + (jnp.log(x + n) - above) * tangents[1]


def cloglog_exp(x):
    r"""$\log(-\log(1 - e^x))$ for x < 0: x itself far down, where the exponential underflows."""
    return double_log_of_exp(*floats(x))


@jax.custom_jvp
def double_log_of_exp(x):
    far = x < -40.0
    return jnp.where(far, x, jnp.log(-log1mexp(jnp.where(far, -1.0, x))))


@double_log_of_exp.defjvp
def double_log_of_exp_jvp(primals, tangents):
    (x,) = primals
    far = x < -40.0
    near = jnp.where(far, -1.0, x)
    return double_log_of_exp(x), jnp.where(far, 1.0, 1.0 / (jnp.expm1(-near) * -log1mexp(near))) * tangents[0]


def times_log(c, x):
    """c * log(x), which is 0 where both are 0: a mass at the end of a domain."""
    void = (c == 0) & (x <= 0)
    return jnp.where(void, 0.0, c * jnp.log(jnp.where(void, 1.0, x)))


def times_log1p(c, x):
    """c * log(1 + x), which is 0 where c and 1 + x are."""
    void = (c == 0) & (x <= -1)
    return jnp.where(void, 0.0, c * jnp.log1p(jnp.where(void, 0.0, x)))
