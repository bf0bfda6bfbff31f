"""Monte Carlo EM: estimates are those of theory."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp
from support.models import linear

import symaux as sa

n = sa.plate("n")
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
z, x, W = sa.arrays("z x W")


def test_parameters_without_priors_are_learnt() -> None:
    """The maximum-likelihood estimates of x ~ N(mu, tau² + 1) are known; the steps of Adagrad shrink."""
    model = sa.Model.of(sa.normal(z[n], mu, tau), sa.normal(x[n], z[n], 1), observed=[x])
    seen = np.random.default_rng(3).normal(2.0, 2.0, size=200)
    learnt = sa.learn.mcem(model, {"x": seen}, iterations=400, step_size=0.5, independent=n, every=200)
    assert set(learnt.parameters) == {"mu", "tau"}
    assert abs(learnt.parameters["mu"] - seen.mean()) < 0.15
    assert abs(learnt.parameters["tau"] - np.sqrt(seen.var() - 1)) < 0.25
    assert 0.5 < learnt.trace["acceptance"].mean() < 1
    assert len(learnt.trace["log_joint"]) == 400 and learnt.trace["gradients"][-1] == 400 * 11
    with pytest.raises(sa.DataError, match="without data"):
        sa.learn.sample(model, {"x": seen})


def test_the_callers_precision_is_left_alone() -> None:
    model, data, at, _ = linear()
    learnt = sa.learn.mcem(model, data, ["W", "tau"], iterations=2, every=2, precision="float32", start=at)
    assert learnt.position["z" if "z" in learnt.position else "eps_z"].dtype == np.float32
    assert jax.numpy.zeros(1).dtype == np.float64
