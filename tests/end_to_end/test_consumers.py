"""The log-density as it stands in BlackJAX, NumPyro and Optax, against a posterior that is known."""

from __future__ import annotations

import runpy
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from support.paths import GALLERY

import symaux as sa

FOLDER = GALLERY / "consumers"
mu = sp.Symbol("mu", real=True)
theta, y, j = *sa.arrays("theta y"), sa.plate("j", 6)
YS = np.array([1.0, 2.0, 0.5, 3.0, 1.5, 2.5])
SPREAD = (6 / 2 + 1) ** -0.5  # y_j ~ N(mu, 2), mu ~ N(0, 1)
MEAN = YS.sum() / 2 * SPREAD**2


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / f"with_{name}.py"))


def target() -> tuple[Any, Any, Any]:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(theta[j], mu, 1), sa.normal(y[j], theta[j], 1), observed=[y])
    after = sa.auxiliary(model).after
    return (
        sa.log_density(after, {"y": YS}),
        sa.generate(after, {"y": YS}),
        {"mu": jnp.zeros(()), "eps_theta": jnp.zeros(6)},
    )


@pytest.mark.parametrize("name", ["blackjax", "numpyro"])
@pytest.mark.filterwarnings("ignore")
def test_samplers_find_the_posterior(name: str) -> None:
    pytest.importorskip(name, reason=f"{name} is not installed: pip install {name}")
    logp, generate, start = target()
    with jax.numpy_dtype_promotion("standard"):  # these libraries mix types; our own code does not
        drawn = example(name)["draws"](logp, start, jax.random.key(1))
    assert drawn["eps_theta"].shape == (500, 6)
    assert abs(float(drawn["mu"].mean()) - MEAN) < 5 * SPREAD / np.sqrt(100)  # at least a hundred of the draws count
    assert 0.7 < float(drawn["mu"].std()) / SPREAD < 1.4
    means = np.asarray(jax.vmap(generate)(drawn)["theta"].mean(0))
    np.testing.assert_allclose(means, (MEAN + YS) / 2, atol=0.4)


def test_an_optimiser_finds_the_mode() -> None:
    pytest.importorskip("optax", reason="optax is not installed: pip install optax")
    logp, _, start = target()
    with jax.numpy_dtype_promotion("standard"):
        found = example("optax")["climbed"](logp, start)
    np.testing.assert_allclose(float(found["mu"]), MEAN, atol=1e-4)
    np.testing.assert_allclose(np.asarray(found["eps_theta"]), (YS - MEAN) / 2, atol=1e-4)
