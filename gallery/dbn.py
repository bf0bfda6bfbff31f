"""The dynamic Bayesian network of Kingma (2013): 100 series of length 10, states and observations of size 10.

z_0 ~ N(0, s0² I), z_t | z_{t-1} ~ N(tanh(Wz z_{t-1} + bz), sz² I), x_t | z_t ~ N(tanh(Wx z_t + bx), sx² I).
"""

import numpy as np
import sympy as sp

import symaux as sa

t, n = sa.plate("t", 10), sa.plate("n", 100)
i, k, o = sa.plate("i", 10), sa.plate("k", 10), sa.plate("o", 10)
z, x = sa.arrays("z x")
Wz, bz, Wx, bx = sa.arrays("Wz bz Wx bx")
s0, sz, sx = sp.symbols("s0 sz sx", positive=True)

model = sa.Model.of(
    sa.normal(Wz[k, i], 0, 0.1),
    sa.normal(bz[i], 0, 0.1),
    sa.normal(Wx[k, o], 0, 0.1),
    sa.normal(bx[o], 0, 0.1),
    sa.log_normal(s0, 0, 0.1),
    sa.log_normal(sz, 0, 0.1),
    sa.log_normal(sx, 0, 0.1),
    sa.normal(z[0, n, i], 0, s0),
    sa.normal(z[t, n, i], sp.tanh(sp.Sum(z[t - 1, n, k] * Wz[k, i], k) + bz[i]), sz),
    sa.normal(x[t, n, o], sp.tanh(sp.Sum(z[t, n, k] * Wx[k, o], k) + bx[o]), sx),
    observed=[x],
)
focus = "z"


def data(seed: int = 0) -> dict[str, np.ndarray]:
    """Series of the right size."""
    return {"x": np.tanh(np.random.default_rng(seed).normal(size=(10, 100, 10)))}
