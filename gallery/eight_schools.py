"""Eight schools (Rubin 1981; Gelman et al. 2003): effects of coaching on test scores, with known standard errors."""

import numpy as np
import sympy as sp

import symaux as sa

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, sigma = sa.arrays("theta y sigma")
j = sa.plate("j", 8)

model = sa.Model.of(
    sa.normal(mu, 0, 5),
    sa.half_cauchy(tau, 5),
    sa.normal(theta[j], mu, tau),
    sa.normal(y[j], theta[j], sigma[j]),
    observed=[y],
)
focus = mu


def data(seed: int = 0) -> dict[str, np.ndarray]:
    """The eight estimates and their standard errors."""
    return {
        "y": np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0]),
        "sigma": np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0]),
    }
