"""Advice on forms, by curvature and by the graph."""

from __future__ import annotations

import numpy as np
import sympy as sp
from support.models import eight_schools

import symaux as sa

z, mu, weight = sp.symbols("z mu weight", real=True)
v, tau, rate, shape = sp.symbols("v tau rate shape", positive=True)


def test_weights_are_the_share_of_the_data_in_the_curvature() -> None:
    """With tau given, the curvatures of a normal hierarchy are 1/σ² and 1/τ², whatever the draws."""
    theta, y, sigma = sa.arrays("theta y sigma")
    j = sa.plate("j")
    laws = [sa.normal(mu, 0, 5), sa.normal(theta[j], mu, tau), sa.normal(y[j], theta[j], sigma[j])]
    noise = np.array([0.1, 1.0, 2.0, 30.0])
    advice = sa.advise(sa.Model.of(*laws, observed=[y]), {"y": np.arange(4.0), "sigma": noise, "tau": 2.0})
    np.testing.assert_allclose(advice.shares["theta"], 4 / (4 + noise**2), rtol=1e-6)
    np.testing.assert_allclose(advice.weights["theta"], [1, 1, 0.5, 0], rtol=1e-6)  # 0.8 is near enough to 1
    assert "root" in advice.reasons["mu"] and advice.reasons["theta"].startswith("in between")
    assert set(advice.data) == {"y", "sigma", "tau", "lambda_theta"}


def test_without_data_advice_is_about_the_graph() -> None:
    advice = sa.advise(eight_schools())
    assert advice.reasons["theta"].startswith("rewrite: its blanket grows") and "root" in advice.reasons["tau"]
    assert "eps_theta" in advice.derivation.after.latents
