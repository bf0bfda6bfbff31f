r"""Alternating Gaussian sums, $f_m(a) = \sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ and their logarithms.

For $a \le 1$ by Poisson's summation: up to its sign the mth derivative of $\tfrac12 - \sqrt{\pi/a}\sum_{i\ge0}e^{-c_i/a}$ with
$c_i = \tfrac14\pi^2(2i+1)^2$.

>>> float(alternating_gaussian(1, 2.0)).__round__(6)
0.133994
"""

from __future__ import annotations

import jax.numpy as jnp

from symaux.codegen.library.tails import floats

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
    row = [1.0]  # of the polynomial in c/a, lowest first
    for k in range(int(m)):
        row = [(i - 1 >= 0) * [0.0, *row][i] - (0.5 + k + i) * [*row, 0.0][i] for i in range(len(row) + 1)]
    shares = [
        jnp.exp((rates[0] - c) / a) * sum(each * (c / a) ** power for power, each in enumerate(row)) for c in rates
    ]
    dual = 0.5723649429247001 - rates[0] / a - (m + 0.5) * jnp.log(a)
    if m:
        return jnp.log(-((-1) ** m) * sum(shares)) + dual
    return jnp.log(0.5 - sum(shares) * jnp.exp(dual))


def alternating_gaussian(m, a):
    r"""$f_m(a)$ for a > 0."""
    return jnp.exp(log_alternating_gaussian(m, a))
