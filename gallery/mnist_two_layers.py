"""The two-layer model of Kingma (2013): 64 latents a layer under 784 binary pixels.

z1 ~ N(0, s1² I), z2 | z1 ~ N(tanh(W2 z1 + b2), s2² I), x | z2 ~ Bernoulli(sigmoid(Wx z2 + bx)). Weights and biases have
variance 0.01, log s1 and log s2 too.
"""

import numpy as np
import sympy as sp

import symaux as sa

n, i, k, d = sa.plate("n"), sa.plate("i", 64), sa.plate("k", 64), sa.plate("d", 784)
z1, z2, x = sa.arrays("z1 z2 x")
W2, b2, Wx, bx = sa.arrays("W2 b2 Wx bx")
s1, s2 = sp.symbols("s1 s2", positive=True)

model = sa.Model.of(
    sa.normal(W2[k, i], 0, 0.1),
    sa.normal(b2[i], 0, 0.1),
    sa.normal(Wx[i, d], 0, 0.1),
    sa.normal(bx[d], 0, 0.1),
    sa.log_normal(s1, 0, 0.1),
    sa.log_normal(s2, 0, 0.1),
    sa.normal(z1[n, k], 0, s1),
    sa.normal(z2[n, i], sp.tanh(sp.Sum(z1[n, k] * W2[k, i], k) + b2[i]), s2),
    sa.bernoulli(x[n, d], sa.sigmoid(sp.Sum(z2[n, i] * Wx[i, d], i) + bx[d])),
    observed=[x],
)
focus = "z1"


def data(seed: int = 0, count: int = 5) -> dict[str, np.ndarray]:
    """Random binary pictures of the right size."""
    return {"x": np.random.default_rng(seed).integers(0, 2, size=(count, 784)).astype(float)}
