"""The numerical check of whole models: it agrees where models are right, and sees planted errors."""

from __future__ import annotations

import pytest
import sympy as sp
from support.whole_models import MODELS

import symaux as sa
from symaux.validate import pointwise as agree

tau = sp.Symbol("tau", positive=True)
z, y, x, theta, W = sa.arrays("z y x theta W")
i, j, k, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 3), sa.plate("t", 6), sa.plate("n")
N = sa.normal


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", MODELS)
def test_right_models_agree(case: str) -> None:
    aux = sa.auxiliary(MODELS[case])
    seen = agree.compare_pointwise(aux.before, aux.after, sa.to_source(aux.after))
    assert seen.points == agree.POINTS and seen.worst <= 1e-11, seen
    assert not seen.refuted
    assert aux.verify()


def test_a_start_that_is_its_own_noise_agrees() -> None:
    """Student's t without parameters needs no step: the noise is the variable under another name."""
    start, rest = sa.student_t(z[0], 4, 0, 1), sa.student_t(z[t], 4, sp.tanh(z[t - 1]), tau)
    aux = sa.auxiliary(sa.Model.of(start, rest, N(y[t], z[t], 1), observed=[y]), noise="auto")
    verdict = aux.verify()
    assert verdict, verdict


def test_a_model_without_latents_agrees() -> None:
    aux = sa.auxiliary(sa.Model.of(sa.poisson(y[n], 3), observed=[y]))
    assert aux.verify() and agree.compare_pointwise(aux.before, aux.after, sa.to_source(aux.after)).points


PLANTED = [
    ("hierarchy", "tau * eps_theta", "1.000001 * tau * eps_theta"),
    ("hierarchy", "theta[county]", "theta[county - county]"),
    ("hierarchy", "- 0.5 * jnp.sum(jnp.square(eps_theta))", "- 0.5 * jnp.sum(jnp.square(eps_theta[1:]))"),
    ("chain", "eps_z[1:]", "eps_z[:-1]"),
    ("chain", 'jnp.einsum("ik,k->i", W, z_back1)', 'jnp.einsum("ki,k->i", W, z_back1)'),
    ("chain", "z_slope = 1 - jnp.square(z_part)", "z_slope = 1.01 - jnp.square(z_part)"),
    ("chain", "d_z_t = z_slope_t * ", "d_z_t = 1.01 * z_slope_t * "),
]


@pytest.mark.parametrize(("case", "right", "wrong"), PLANTED)
def test_planted_errors_of_code_generation_are_seen(case: str, right: str, wrong: str) -> None:
    aux = sa.auxiliary(MODELS[case])
    source = sa.to_source(aux.after)
    assert right in source, source
    seen = agree.compare_pointwise(aux.before, aux.after, source.replace(right, wrong))
    assert seen.refuted, seen
    assert seen.where


def test_a_difference_that_is_not_a_number_does_not_refute() -> None:
    assert not agree.Agreement(1, worst=float("nan")).refuted
    assert "undecided" in str(agree.Agreement(0, reason="none was found"))


WRONG_SLOPE = """

_right = log_density


@jax.custom_jvp
def log_density(position, data):
    return _right(position, data)


@log_density.defjvp
def _(primals, tangents):
    value, slope = jax.jvp(_right, primals, tangents)
    return value, slope * 1.00001
"""


def test_a_gradient_that_is_off_by_1e5_refutes() -> None:
    before = MODELS["hierarchy"]
    after = sa.auxiliary(before).after
    right = agree.compare_pointwise(before, after, sa.to_source(after))
    wrong = agree.compare_pointwise(before, after, sa.to_source(after) + WRONG_SLOPE)
    assert not right.refuted and right.slope is not None and right.slope < 1e-12
    assert wrong.refuted and "gradient" in wrong.difference and wrong.where
