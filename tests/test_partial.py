"""Partial forms: proved for every weight, equal to the two pure forms at its ends, and chosen by curvature."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.defaults import default_rules
from symaux.halfway import partial_steps
from symaux.statements import Deterministic

GALLERY = Path(__file__).parents[1] / "gallery"
z, mu, weight = sp.symbols("z mu weight", real=True)
v, tau, rate, shape = sp.symbols("v tau rate shape", positive=True)
LAWS = [
    sa.normal(z, mu, tau),
    sa.student_t(z, shape, mu, tau),
    sa.law(z, sp.exp(-(z**4) / tau**4) / (2 * sp.gamma(sp.Rational(5, 4)) * tau)),
    sa.log_normal(v, mu, tau),
    sa.gamma(v, shape, rate),
    sa.weibull(v, shape, tau),
]


def schools() -> sa.Model:
    return runpy.run_path(str(GALLERY / "eight_schools.py"))["model"]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_law_is_the_same_for_every_weight(law: sa.Law) -> None:
    steps = partial_steps(law, default_rules(), weight)
    assert steps is not None
    assert all(step.verdict.status is sa.Status.PROVED for step in steps), [step.verdict for step in steps]
    assert weight in steps[-1].after.value.free_symbols


def test_a_law_without_location_and_scale_is_kept() -> None:
    assert partial_steps(sa.beta(v, shape, rate), default_rules(), weight) is None
    made = sa.partial(sa.Model.of(sa.gamma(rate, 1, 1), sa.beta(v, rate, 2)), ["v"])
    assert "no location or scale" in made.kept["v"] and made.after.latents == ("log_rate", "logit_v")
    with pytest.raises(sa.ModelError, match="no such latent"):
        sa.partial(schools(), {"theta_of_others": 0.5})


def test_a_model_is_proved_and_a_tampered_one_is_not() -> None:
    made = sa.partial(schools(), ["theta"])
    assert made.after.inputs == ("lambda_theta", "sigma") and "partial_theta" in made.after.latents
    assert made.verify().status is sa.Status.PROVED
    wrong = [
        replace(s, formula=s.formula + sp.Rational(1, 100)) if isinstance(s, Deterministic) and s.name == "theta" else s
        for s in made.after.statements
    ]
    assert replace(made, after=sa.Model.of(*wrong, observed=["y"])).verify().status is sa.Status.REFUTED
    (step,) = [s for s in made.steps if s.rule == "partial"]
    (noise,) = step.after.noise
    off = replace(noise, log_density=noise.log_density.subs(sp.log(tau), sp.log(tau) / 2))
    false = replace(step, after=replace(step.after, noise=(off,)))
    steps = tuple(false if s == step else s for s in made.steps)
    laws = [off if getattr(s, "name", "") == "partial_theta" else s for s in made.after.statements]
    tampered = replace(made, steps=steps, after=sa.Model.of(*laws, observed=["y"]))
    assert tampered.verify().status is not sa.Status.PROVED


def test_at_the_ends_are_the_original_and_the_auxiliary_form() -> None:
    model, data = schools(), {"y": np.arange(8.0), "sigma": np.ones(8)}
    at: dict[str, Any] = {"mu": jnp.array(0.3), "log_tau": jnp.array(-0.7)}
    values = jnp.linspace(-1.0, 2.0, 8)
    for end, form, key in ((1.0, sa.unconstrain(model), "theta"), (0.0, sa.auxiliary(model), "eps_theta")):
        half = sa.log_density(sa.partial(model, ["theta"]).after, {**data, "lambda_theta": np.full(8, end)})
        found = half({**at, "partial_theta": values})
        np.testing.assert_allclose(found, sa.log_density(form.after, data)({**at, key: values}), rtol=1e-12)


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
    advice = sa.advise(schools())
    assert advice.reasons["theta"].startswith("rewrite: its blanket grows") and "root" in advice.reasons["tau"]
    assert "eps_theta" in advice.derivation.after.latents
