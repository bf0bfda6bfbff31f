"""The three-layer model of Kingma (2013): one more layer of 64 latents on top of the two-layer one."""

import numpy as np
import sympy as sp

import symaux as sa

n, d = sa.plate("n"), sa.plate("d", 784)
h, i, k = sa.plate("h", 64), sa.plate("i", 64), sa.plate("k", 64)
z1, z2, z3, x = sa.arrays("z1 z2 z3 x")
W2, b2, W3, b3, Wx, bx = sa.arrays("W2 b2 W3 b3 Wx bx")
s1, s2, s3 = sp.symbols("s1 s2 s3", positive=True)

model = sa.Model.of(
    sa.normal(W2[h, k], 0, 0.1),
    sa.normal(b2[k], 0, 0.1),
    sa.normal(W3[k, i], 0, 0.1),
    sa.normal(b3[i], 0, 0.1),
    sa.normal(Wx[i, d], 0, 0.1),
    sa.normal(bx[d], 0, 0.1),
    sa.log_normal(s1, 0, 0.1),
    sa.log_normal(s2, 0, 0.1),
    sa.log_normal(s3, 0, 0.1),
    sa.normal(z1[n, h], 0, s1),
    sa.normal(z2[n, k], sp.tanh(sp.Sum(z1[n, h] * W2[h, k], h) + b2[k]), s2),
    sa.normal(z3[n, i], sp.tanh(sp.Sum(z2[n, k] * W3[k, i], k) + b3[i]), s3),
    sa.bernoulli(x[n, d], sa.sigmoid(sp.Sum(z3[n, i] * Wx[i, d], i) + bx[d])),
    observed=[x],
)
focus = "z1"


def data(seed: int = 0, count: int = 5) -> dict[str, np.ndarray]:
    """Random binary pictures of the right size."""
    return {"x": np.random.default_rng(seed).integers(0, 2, size=(count, 784)).astype(float)}
