"""Partial forms: proved for every weight, equal to the two pure forms at its ends, and chosen by curvature."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from support.models import eight_schools

import symaux as sa
from symaux.api import default_rules
from symaux.derivation.partial import partial_steps
from symaux.model.statements import Deterministic

z, mu, weight = sp.symbols("z mu weight", real=True)
v, tau, rate, shape = sp.symbols("v tau rate shape", positive=True)
LAWS = [
    sa.normal(z, mu, tau),
    sa.student_t(z, shape, mu, tau),
    sa.law(z, sp.exp(-(z**4) / tau**4) / (2 * sp.gamma(sp.Rational(5, 4)) * tau)),
    sa.log_normal(v, mu, tau),
    sa.gamma(v, shape, rate),
    sa.weibull(v, shape, tau),
    sa.beta(v, shape, rate),
    sa.law(z, shape * sp.exp(-z) / (1 + sp.exp(-z)) ** (shape + 1)),  # a shape only, on the real line
    sa.law(v, shape * v ** (shape - 1), support=(0, 1)),
]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_law_is_the_same_for_every_weight(law: sa.Law) -> None:
    steps = partial_steps(law, default_rules(), weight)
    assert steps is not None
    assert all(step.verdict.status is sa.Status.PROVED for step in steps), [step.verdict for step in steps]
    assert weight in steps[-1].after.value.free_symbols


def test_a_law_without_a_form_of_one_noise_is_kept() -> None:
    skewed = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi) * (1 + sp.erf(mu * z))  # two noises, or an equation to solve
    assert partial_steps(sa.law(z, skewed), default_rules(), weight) is None
    made = sa.partial(sa.Model.of(sa.normal(mu, 0, 1), sa.law(z, skewed)), ["z"])
    assert "no location or scale" in made.kept["z"] and made.after.latents == ("mu", "z")
    with pytest.raises(sa.ModelError, match="no such latent"):
        sa.partial(eight_schools(), {"theta_of_others": 0.5})


def test_a_model_is_proved_and_a_tampered_one_is_not() -> None:
    made = sa.partial(eight_schools(), ["theta"])
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
    model, data = eight_schools(), {"y": np.arange(8.0), "sigma": np.ones(8)}
    at: dict[str, Any] = {"mu": jnp.array(0.3), "log_tau": jnp.array(-0.7)}
    values = jnp.linspace(-1.0, 2.0, 8)
    for end, form, key in ((1.0, sa.unconstrain(model), "theta"), (0.0, sa.auxiliary(model), "eps_theta")):
        half = sa.log_density(sa.partial(model, ["theta"]).after, {**data, "lambda_theta": np.full(8, end)})
        found = half({**at, "partial_theta": values})
        np.testing.assert_allclose(found, sa.log_density(form.after, data)({**at, key: values}), rtol=1e-12)


def kumaraswamy(v: Any, a: Any, b: Any) -> sa.Law:
    return sa.law(v, a * b * v ** (a - 1) * (1 - v**a) ** (b - 1), support=(0, 1))


@pytest.mark.parametrize("end", [0.0, 0.35, 1.0])
def test_interpolated_parameters_give_the_same_density_for_every_weight(end: float) -> None:
    """log p(w) is log p(logit v) at the v that w gives, with the logarithm of the slope."""
    v, j = sa.arrays("v", positive=True), sa.plate("j", 5)
    model = sa.Model.of(sa.log_normal(shape, 0, 1), sa.log_normal(rate, 0, 1), kumaraswamy(v[j], shape, rate))
    made = sa.partial(model, ["v"])
    assert made.verdict.status is sa.Status.PROVED and made.after.inputs == ("lambda_v",)
    data, values = {"lambda_v": np.full(5, end)}, jnp.linspace(-4.0, 3.0, 5)
    log_p, at = sa.log_density(made.after, data), {"log_shape": jnp.array(0.4), "log_rate": jnp.array(-0.3)}
    generate = sa.generate(made.after, data)

    def logits(w: Any) -> Any:
        z = generate({**at, "partial_v": w})["v"]
        return jnp.log(z) - jnp.log1p(-z)

    slope = jax.grad(lambda w: jnp.sum(logits(w)))(values)
    original = sa.log_density(sa.unconstrain(model).after)({**at, "logit_v": logits(values)})
    np.testing.assert_allclose(log_p({**at, "partial_v": values}), original + jnp.sum(jnp.log(slope)), rtol=1e-10)
    slopes = jax.jit(jax.grad(log_p))({**at, "partial_v": values})
    assert all(bool(jnp.isfinite(s).all()) for s in slopes.values())
    moved = jax.jit(jax.jacobian(lambda p: generate({**p, "partial_v": values})["v"]))(at)
    assert all(bool(jnp.isfinite(s).all()) for s in moved.values()) and (end == 1) == bool(
        jnp.allclose(moved["log_rate"], 0.0, atol=1e-12)
    )


def test_interpolated_forms_keep_their_digits_far_out() -> None:
    """Gamma, beta and Student quantiles of distribution functions, where these are 0 or 1 to all digits."""
    at = {"log_shape": jnp.array(0.5), "log_rate": jnp.array(-0.2)}
    laws = [(sa.gamma(v, shape, rate), "v", 5.0), (sa.student_t(z, shape, 0, rate), "z", 1e9)]
    for law, name, far in laws:
        made = sa.partial(sa.Model.of(sa.log_normal(shape, 0, 1), sa.log_normal(rate, 0, 1), law), {name: 1})
        assert made.steps[-1].rule == "interpolation"
        generate = sa.generate(made.after)
        for w in (-far, 0.0, far):  # at a weight of one, the coordinate is the variable's own
            found = generate({**at, f"partial_{name}": jnp.array(w)})[name]
            np.testing.assert_allclose(found, np.exp(w) if name == "v" else w, rtol=1e-9)
