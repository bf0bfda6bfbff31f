r"""Alternating Gaussian sums, $f_m(a) = \sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ for m = 0 and 1, and their logarithms.

For $a \le 1$ by Poisson's summation: $f_1(a) = \sqrt\pi\,a^{-3/2}\sum_{i\ge0}(c_i/a - \tfrac12)e^{-c_i/a}$, $c_i = \tfrac14\pi^2(2i+1)^2$.

>>> float(alternating_gaussian(1, 2.0)).__round__(6)
0.133996
"""

from __future__ import annotations

import jax.numpy as jnp

from symaux.codegen.special.tails import floats

THETA_TERMS = 8


def log_alternating_gaussian(m, a):
    r"""$\log f_m(a)$ for a > 0."""
    (a,) = floats(a)
    large = a > 1.0
    b, s = jnp.where(large, a, 2.0), jnp.where(large, 0.5, a)
    total = jnp.ones_like(b)
    for k in range(2, THETA_TERMS):
        total = total + (-1) ** (k - 1) * k ** (2 * m) * jnp.exp(-b * (k**2 - 1))
    return jnp.where(large, jnp.log(total) - b, poisson_log_gaussian(m, s))


def poisson_log_gaussian(m, a):
    """The same for small a."""
    rates = [2.4674011002723395 * (2 * i + 1) ** 2 for i in range(THETA_TERMS)]
    shares = [jnp.exp((rates[0] - c) / a) * (c / a - 0.5 if m else 1.0) for c in rates]
    dual = jnp.log(sum(shares)) - rates[0] / a + 0.5723649429247001
    return dual - 1.5 * jnp.log(a) if m else jnp.log(0.5 - jnp.exp(dual - 0.5 * jnp.log(a)))


def alternating_gaussian(m, a):
    r"""$f_m(a)$ for a > 0."""
    return jnp.exp(log_alternating_gaussian(m, a))
