"""Annealed importance sampling: log p of models where it is known."""

from __future__ import annotations

import numpy as np
import pytest
from support.models import linear

import symaux as sa

n = sa.plate("n")
z, x, W = sa.arrays("z x W")


def test_annealing_gives_log_p_of_a_linear_gaussian_model() -> None:
    model, data, at, exact = linear()
    found = sa.learn.marginal_likelihood(model, data, at, independent=n, temperatures=400)
    assert found.standard_error < 0.5 and abs(found.log_likelihood - exact.sum()) < 4 * found.standard_error
    assert np.max(np.abs(found.elements - exact)) < 0.3


@pytest.mark.long
def test_annealing_gives_log_p_of_linear_gaussian_series() -> None:
    """z_t = 0.8 z_{t-1} + 0.6 e_t from N(0, 1) has covariance 0.8^|s-t|, so x = z + 0.5 d is normal with a known one."""
    t = sa.plate("t", 5)
    states = [sa.normal(z[0, n], 0, 1), sa.normal(z[t, n], 0.8 * z[t - 1, n], 0.6)]
    model = sa.Model.of(*states, sa.normal(x[t, n], z[t, n], 0.5), observed=[x])
    seen, lags = np.random.default_rng(5).normal(size=(5, 3)), np.arange(5)
    covariance = 0.8 ** np.abs(lags[:, None] - lags) + 0.25 * np.eye(5)
    exact = -0.5 * np.einsum("tn,ts,sn->n", seen, np.linalg.inv(covariance), seen)
    exact -= 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1]
    found = sa.learn.marginal_likelihood(model, {"x": seen}, independent=n, temperatures=400)
    assert abs(found.log_likelihood - exact.sum()) < 4 * found.standard_error < 2
    assert np.max(np.abs(found.elements - exact)) < 0.3


@pytest.mark.long
def test_annealing_of_everything_together_agrees_in_the_original_form() -> None:
    model, data, at, exact = linear()
    rough = sa.learn.marginal_likelihood(model, data, at, temperatures=400, form="original")
    assert abs(rough.log_likelihood - exact.sum()) < 4 * rough.standard_error < 4


def test_a_model_that_does_not_fall_apart_is_refused() -> None:
    model, data, at, _ = linear()
    with pytest.raises(sa.ModelError, match="must be given"):
        sa.learn.marginal_likelihood(model, data, {"W": at["W"]}, independent=n)
    with pytest.raises(sa.ModelError, match="sums over"):
        sa.learn.marginal_likelihood(model, data, at, independent="k")
    t = sa.plate("t", 4)
    lagged = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1), sa.normal(x[t], z[t], 1), observed=[x])
    with pytest.raises(sa.ModelError, match="independent=q"):
        sa.learn.marginal_likelihood(lagged, {"x": np.zeros(4)}, independent="q")
    with pytest.raises(sa.ModelError, match=r"another element|not repeated"):
        sa.learn.marginal_likelihood(lagged, {"x": np.zeros(4)}, independent=t)
