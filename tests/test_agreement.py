"""The numerical check of whole models: it agrees where models are right, and sees planted errors."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.validate import pointwise as agree
from symaux.validate import reference
from symaux.validate.test_inputs import small_lengths

mu, a = sp.symbols("mu a", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, x, theta, W = sa.arrays("z y x theta W")
county = sa.arrays("county", integer=True)
i, j, k, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 3), sa.plate("t", 6), sa.plate("n")
N = sa.normal

MODELS = {
    "hierarchy": sa.Model.of(
        N(mu, 0, 5), sa.half_cauchy(tau, 5), N(theta[j], mu, tau), N(y[n], theta[county[n]], 1), observed=[y]
    ),
    "chain": sa.Model.of(
        N(z[0, i], 0, 1),
        N(z[t, i], sp.tanh(sp.Sum(W[i, k] * z[t - 1, k], k)), tau),
        N(y[t, i], z[t, i], 1),
        observed=[y],
    ),
    "counts": sa.Model.of(N(mu, 0, 1), sa.gamma(tau, 2, 1), N(a, mu, tau), sa.poisson(y[n], sp.exp(a)), observed=[y]),
    "observed parents": sa.Model.of(
        N(mu, 0, 1),
        N(x[n], mu, 1),
        N(z[n], x[n] * mu, 1),
        sa.deterministic(theta[n], z[n] * x[n]),
        N(y[n], theta[n], 1),
        observed=[x, y],
    ),
    "supports": sa.Model.of(sa.exponential(tau, 1), sa.uniform(z[i], 0, tau), N(y[i], z[i], 1), observed=[y]),
}


@pytest.mark.parametrize("case", MODELS)
def test_right_models_agree(case: str) -> None:
    aux = sa.auxiliary(MODELS[case])
    seen = agree.agreement(aux.before, aux.after, sa.to_source(aux.after))
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
    assert aux.verify() and agree.agreement(aux.before, aux.after, sa.to_source(aux.after)).points


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
    seen = agree.agreement(aux.before, aux.after, source.replace(right, wrong))
    assert seen.refuted, seen
    assert seen.where


def test_verify_is_refuted_by_a_code_generation_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    import symaux.api as defaults

    aux = sa.auxiliary(MODELS["hierarchy"])
    honest = defaults._source
    monkeypatch.setattr(
        defaults,
        "_source",
        lambda model, **kw: honest(model, **kw).replace("tau * eps_theta", "tau * jnp.abs(eps_theta)"),
    )
    verdict = aux.verify()
    assert verdict.status is sa.Status.REFUTED
    assert verdict.witness


def test_a_difference_that_is_not_a_number_refutes() -> None:
    assert agree.Agreement(1, worst=float("nan")).refuted


def test_plates_are_shrunk_to_different_lengths() -> None:
    model = sa.Model.of(N(z[sa.plate("p", 10**7), sa.plate("q", 10**6)], 0, 1))
    lengths = small_lengths(model)
    assert set(lengths.values()) <= set(range(2, 6)) and len(set(lengths.values())) == 2


def test_mpmath_reads_a_model_as_scipy_does() -> None:
    from scipy import stats

    rng = np.random.default_rng(0)
    values = {"z": rng.normal(size=(6, 3)), "W": rng.normal(size=(3, 3)), "y": rng.normal(size=(6, 3)), "tau": 0.7}
    found = reference.log_density(MODELS["chain"], values, {"t": 6, "i": 3, "k": 3})
    mean = np.tanh(values["z"][:-1] @ values["W"].T)
    expected = stats.norm.logpdf(values["z"][0]).sum() + stats.norm.logpdf(values["z"][1:], mean, 0.7).sum()
    expected += stats.norm.logpdf(values["y"], values["z"]).sum()
    assert float(found) == pytest.approx(expected, rel=1e-13)


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
    right = agree.agreement(before, after, sa.to_source(after))
    wrong = agree.agreement(before, after, sa.to_source(after) + WRONG_SLOPE)
    assert not right.refuted and right.slope is not None and right.slope < 1e-12
    assert wrong.refuted and "gradient" in wrong.difference and wrong.where


def test_forward_draws_see_a_noise_that_two_variables_share() -> None:
    """Marginals are right, the change of variables has no inverse, and only the pair shows it."""
    from symaux.api import without_sampler
    from symaux.validate.forward_draws import forward_draws

    e, u, v = sp.symbols("e u v", real=True)
    before = sa.Model.of(N(u, 0, 1), N(v, 0, 1))
    shared = sa.Model.of(N(e, 0, 1), sa.deterministic(u, e), sa.deterministic(v, -e))
    assert "u and v" in forward_draws(before, shared, without_sampler).difference
    wide = sa.Model.of(N(e, 0, 1), N(u, 0, 1), sa.deterministic(v, 3 * e))
    assert "draws of v" in forward_draws(before, wide, without_sampler).difference
    assert not forward_draws(before, sa.auxiliary(before, keep_roots=False).after, without_sampler).refuted


def test_the_verdict_on_a_model_reports_gradients_and_draws() -> None:
    told = str(sa.auxiliary(MODELS["hierarchy"]).verify())
    assert "gradients against mpmath" in told and "forward draws of each form agree" in told


def test_data_without_a_value_are_tried_without_their_signs() -> None:
    """A power of data of unknown sign is no number at half of the random points: that refutes nothing."""
    text = "plate n[3]\ndata t[n]\na ~ normal(0, 1)\nz ~ normal(a, 1)\nobserve y[n] ~ normal(z*t[n]^(1/3), 1)"
    verdict = sa.auxiliary(sa.parse(text)).verify()
    assert verdict.status is sa.Status.PROVED and " agree at 3 random points" in str(verdict)
