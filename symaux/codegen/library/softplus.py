r"""The softplus function, whose slope shares its exponential: $\log(1 + e^x)$ and $\frac{1}{1 + e^{-x}}$ from one $e^{-|x|}$.

jax's own takes a second exponential for the slope, of a difference that needs the logarithm again. The slopes of $e^x - 1$ and
of the logistic function it takes from their values, which lose digits where these are flat: steep ones have an exponential.

>>> import jax
>>> bool(abs(softplus(-40.0) - 4.248354e-18) < 1e-23), float(jax.grad(softplus)(jnp.inf)), float(jax.grad(softplus)(-jnp.inf))
(True, 1.0, 0.0)
>>> float(jax.grad(steep_expm1)(-80.0)) > 0, float(jax.grad(steep_logistic)(80.0)) > 0
(True, True)
"""

from __future__ import annotations

import jax
import jax.numpy as jnp


@jax.custom_jvp
def softplus(x):
    """log(1 + exp(x)) without overflow, with all its digits."""
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


@softplus.defjvp
def softplus_jvp(given, moves):
    """Value and slope from one exponential."""
    (x,), (dx,) = given, moves
    tail = jnp.exp(-jnp.abs(x))
    share = 1 / (1 + tail)
    return jnp.maximum(x, 0) + jnp.log1p(tail), jnp.where(x >= 0, share, tail * share) * dx


@jax.custom_jvp
def softplus_term(x):
    """log(1 + exp(x)) as a term of a sum: accurate next to 1, which is what a sum keeps of it; the slope is exact."""
    return jnp.maximum(x, 0) + jnp.log(1 + jnp.exp(-jnp.abs(x)))


@softplus_term.defjvp
def softplus_term_jvp(given, moves):
    """Value and slope from one exponential."""
    (x,), (dx,) = given, moves
    tail = jnp.exp(-jnp.abs(x))
    share = 1 / (1 + tail)
    return jnp.maximum(x, 0) + jnp.log(1 + tail), jnp.where(x >= 0, share, tail * share) * dx


@jax.custom_jvp
def softplus_known(x, power):
    """log(1 + exp(x)) as a term of a sum, where power = exp(x) has been computed already; it may be infinite."""
    return jnp.maximum(x, 0) + jnp.log(1 + jnp.where(power > 1, 1 / power, power))


@softplus_known.defjvp
def softplus_known_jvp(given, moves):
    """Both arguments move together: the first one's move says it all."""
    (x, power), (dx, _) = given, moves
    return softplus_known(x, power), (1 - 1 / (1 + power)) * dx


@jax.custom_jvp
def steep_expm1(x):
    """exp(x) - 1."""
    return jnp.expm1(x)


@steep_expm1.defjvp
def steep_expm1_jvp(primals, tangents):
    return jnp.expm1(primals[0]), jnp.exp(primals[0]) * tangents[0]


@jax.custom_jvp
def steep_logistic(x):
    """1 / (1 + exp(-x))."""
    return jax.nn.sigmoid(x)


@steep_logistic.defjvp
def steep_logistic_jvp(primals, tangents):
    tail = jnp.exp(-jnp.abs(primals[0]))
    return jax.nn.sigmoid(primals[0]), tail / jnp.square(1.0 + tail) * tangents[0]


__all__ = ["softplus", "softplus_known", "softplus_term", "steep_expm1", "steep_logistic"]
