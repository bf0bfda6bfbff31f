"""A radon-style hierarchy (Gelman and Hill 2007): houses in counties, varying intercepts, a predictor per county."""

import numpy as np
import sympy as sp

import symaux as sa

gamma0, gamma1, beta = sp.symbols("gamma0 gamma1 beta", real=True)
sigma_alpha, sigma_y = sp.symbols("sigma_alpha sigma_y", positive=True)
alpha, floor, uranium, y = sa.arrays("alpha floor uranium y")
county = sa.arrays("county", integer=True)
house, c = sa.plate("house"), sa.plate("c", 85)

model = sa.Model.of(
    sa.normal(gamma0, 0, 10),
    sa.normal(gamma1, 0, 10),
    sa.normal(beta, 0, 10),
    sa.half_cauchy(sigma_alpha, 5),
    sa.half_cauchy(sigma_y, 5),
    sa.normal(alpha[c], gamma0 + gamma1 * uranium[c], sigma_alpha),
    sa.normal(y[house], alpha[county[house]] + beta * floor[house], sigma_y),
    observed=[y],
)
focus = gamma0


def data(seed: int = 0, houses: int = 919) -> dict[str, np.ndarray]:
    """Made up, with the sizes of the Minnesota survey: 919 houses in 85 counties."""
    rng = np.random.default_rng(seed)
    return {
        "county": rng.integers(0, 85, size=houses),
        "floor": rng.integers(0, 2, size=houses).astype(float),
        "uranium": rng.normal(size=85),
        "y": rng.normal(1.3, 0.8, size=houses),
    }
