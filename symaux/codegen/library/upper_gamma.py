r"""The upper incomplete gamma function $\Gamma(s, x) = x^s e^{-x}\int_0^\infty (1 + v)^{s-1} e^{-xv}\,dv$, s of any sign.

By the trapezoidal rule in $\log v$, smooth in s; the slope in x is $-x^{s-1}e^{-x}$.

>>> abs(float(upper_gamma(-1.0, 1.0)) - 0.14849550677592205) < 1e-6
True
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from symaux.codegen.library.tails import floats

UPPER_GAMMA_NODES = 640


@jax.custom_jvp
def upper_gamma(s, x):
    r"""$\Gamma(s, x)$ for x > 0; no number elsewhere."""
    s, x = floats(s, x)
    return upper_gamma_integral(s, x)


@upper_gamma.defjvp
def upper_gamma_jvp(primals, tangents):
    """The slope in s by the rule itself, that in x exactly."""
    (s, x), (s_dot, x_dot) = primals, tangents
    value, moved = jax.jvp(lambda shape: upper_gamma_integral(*floats(shape, x)), (s,), (s_dot,))
    return value, moved - x_dot * jnp.exp((s - 1.0) * jnp.log(x) - x)


def upper_gamma_integral(s, x):
    """By the trapezoidal rule, between ends beyond which nothing is left."""
    known = x > 0
    x = jnp.where(known, x, 1.0)
    lowest = -38.0 - jnp.log(1.0 + x + jnp.abs(s))
    highest = jnp.log((750.0 + 10.0 * jnp.abs(s)) / x)
    lowest, highest = jax.lax.stop_gradient(lowest), jax.lax.stop_gradient(highest)
    step = (highest - lowest) / (UPPER_GAMMA_NODES - 1)
    at = lowest[..., None] + step[..., None] * jnp.arange(UPPER_GAMMA_NODES, dtype=step.dtype)
    v = jnp.exp(at)
    heights = (s[..., None] - 1.0) * jnp.log1p(v) - x[..., None] * v + at
    total = jax.scipy.special.logsumexp(heights, axis=-1) + jnp.log(step)
    return jnp.where(known, jnp.exp(s * jnp.log(x) - x + total), jnp.nan)
