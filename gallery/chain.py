"""The example of Kingma (2013), figure 2: three latent variables in a chain, each with its own observation.

Before the rewrite x3 reaches z1 after three gradient steps; in auxiliary form after one.
"""

import numpy as np
import sympy as sp

import symaux as sa

z1, z2, z3 = sp.symbols("z1:4", real=True)
x1, x2, x3 = sp.symbols("x1:4", real=True)

model = sa.Model.of(
    sa.normal(z1, 0, 1),
    sa.normal(z2, z1, 1),
    sa.normal(z3, z2, 1),
    sa.normal(x1, z1, 1),
    sa.normal(x2, z2, 1),
    sa.normal(x3, z3, 1),
    observed=[x1, x2, x3],
)
focus = z1
options = {"keep_roots": False}  # figure 2(b) rewrites all three


def data(seed: int = 0) -> dict[str, np.ndarray]:
    """Three numbers to condition on."""
    return dict(zip(("x1", "x2", "x3"), np.random.default_rng(seed).normal(size=3), strict=True))
