r"""Riemann's and Hurwitz's zeta function, $\zeta(s, a) = \sum_{k\ge0} (a + k)^{-s}$ for a > 0, continued to s < 1.

By Euler's and Maclaurin's formula beyond the first terms: smooth in both arguments, so that gradients are as good as values.

>>> abs(float(hurwitz(2.0, 1.0)) - 1.6449340668482264) < 1e-6
True
"""

from __future__ import annotations

import jax.numpy as jnp

from symaux.codegen.library.tails import floats

ZETA_TERMS = 10
# B(2j)/(2j)!
EULER_MACLAURIN = (
    8.333333333333333e-02, -1.388888888888889e-03, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.389680296322583e-13, 8.586062056277845e-15, -2.174868698558062e-16,
)  # fmt: skip


def hurwitz(s, a=1.0):
    r"""$\zeta(s, a)$ for s above -2; no number at its pole, s = 1."""
    s, a = floats(s, a)
    known = (s > -2) & (s != 1) & (a > 0)
    s, a = jnp.where(known, s, 2.0), jnp.where(known, a, 1.0)
    total = sum((a + k) ** -s for k in range(ZETA_TERMS))
    beyond = a + ZETA_TERMS
    total = total + beyond**-s * (beyond / (s - 1) + 0.5)
    rising = s * beyond ** (-s - 1)
    for j, weight in enumerate(EULER_MACLAURIN):
        total = total + weight * rising
        rising = rising * (s + 2 * j + 1) * (s + 2 * j + 2) / beyond**2
    return jnp.where(known, total, jnp.nan)
