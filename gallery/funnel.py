"""Neal's funnel (2003): a log-scale and nine variables that share it, with no data at all."""

import numpy as np
import sympy as sp

import symaux as sa

v = sp.Symbol("v", real=True)
x = sa.arrays("x")
i = sa.plate("i", 9)

model = sa.Model.of(
    sa.normal(v, 0, 3),
    sa.normal(x[i], 0, sp.exp(v / 2)),
)
focus = v


def data(seed: int = 0) -> dict[str, np.ndarray]:
    """The funnel is a prior: there is nothing to observe."""
    return {}
