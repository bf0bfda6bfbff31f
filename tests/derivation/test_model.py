"""Auxiliary form of whole models: what is rewritten, what is kept and why, and the coordinates that come out."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from scipy import stats
from support.models import few_schools
from support.oracle import agrees, lognorm

import symaux as sa
from rewrites import location_scale

mu, a, b = sp.symbols("mu a b", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, x, theta = sa.arrays("z y x theta")
j, t, n = sa.plate("j", 4), sa.plate("t", 5), sa.plate("n")
N = sa.normal


def test_roots_are_kept_and_bounded_ones_move_to_the_real_line(rng: np.random.Generator) -> None:
    aux = sa.auxiliary(few_schools())
    assert set(aux.after.latents) == {"mu", "log_tau", "eps_theta"}
    assert set(aux.kept) == {"mu", "tau"}
    assert all("root" in reason for reason in aux.kept.values())
    assert aux.before == few_schools()
    ys = rng.normal(size=4)

    def oracle(p):
        scale = np.exp(p["log_tau"])
        prior = lognorm(p["mu"], 0, 5) + stats.halfcauchy.logpdf(scale, scale=5) + p["log_tau"]
        return prior + lognorm(p["eps_theta"]) + lognorm(ys, p["mu"] + scale * p["eps_theta"])

    agrees(aux.after, {"mu": 0.4, "log_tau": -0.3, "eps_theta": rng.normal(size=4)}, {"y": ys}, oracle)


def test_generate_gives_back_every_variable_of_the_model() -> None:
    after = sa.auxiliary(few_schools()).after
    made = sa.generate(after)({"mu": 0.4, "log_tau": -0.3, "eps_theta": np.arange(4.0)})
    assert set(made) == {"mu", "tau", "theta"}
    assert float(made["tau"]) == pytest.approx(np.exp(-0.3), rel=1e-15)
    np.testing.assert_allclose(made["theta"], 0.4 + np.exp(-0.3) * np.arange(4.0), rtol=1e-14)


def test_all_may_be_rewritten() -> None:
    aux = sa.auxiliary(few_schools(), keep_roots=False)
    assert set(aux.after.latents) == {"eps_mu", "eps_tau", "eps_theta"}
    assert aux.kept == {}
    assert aux.verify()


def test_only_some_may_be_rewritten() -> None:
    aux = sa.auxiliary(few_schools(), only=[mu])
    assert set(aux.after.latents) == {"eps_mu", "log_tau", "theta"}
    assert aux.kept == {"tau": "not asked for", "theta": "not asked for"}
    assert sa.auxiliary(few_schools(), only="mu").after == sa.auxiliary(few_schools(), only=[theta, "mu"][1:]).after
    with pytest.raises(sa.ModelError, match="nobody"):
        sa.auxiliary(few_schools(), only=["nobody"])
    with pytest.raises(sa.ModelError, match="y"):
        sa.auxiliary(few_schools(), only=[y])


@pytest.mark.parametrize("noise", ["normal", "uniform", "auto"])
def test_the_noise_may_be_chosen(noise: str) -> None:
    model = sa.Model.of(N(a, 0, 1), sa.exponential(tau, sp.exp(a)), N(y[n], 0, tau), observed=[y])
    aux = sa.auxiliary(model, noise=noise)
    (law,) = aux.after.nodes["eps_tau"].statements
    supports = {"normal": (-sp.oo, sp.oo), "uniform": (0, 1), "auto": (0, sp.oo)}
    assert (law.support.lower, law.support.upper) == supports[noise]
    assert aux.verify()


def test_an_unknown_noise_is_refused() -> None:
    with pytest.raises(sa.ModelError, match="noise"):
        sa.auxiliary(few_schools(), noise="pink")


def test_what_no_rule_fits_is_kept_with_the_reason_and_refused_when_asked_for() -> None:
    v = sp.Symbol("v", positive=True)
    model = sa.Model.of(N(a, 0, 1), sa.gamma(v, sp.exp(a), 1), N(y[n], v, 1), observed=[y])
    aux = sa.auxiliary(model, rules=[location_scale])
    assert "no rule" in aux.kept["v"]
    assert set(aux.after.latents) == {"a", "log_v"}
    with pytest.raises(sa.NoRuleApplies):
        sa.auxiliary(model, only=["v"], rules=[location_scale])


def test_without_rules_everything_is_kept() -> None:
    aux = sa.auxiliary(few_schools(), rules=())
    assert set(aux.kept) == {"mu", "tau", "theta"}
    assert set(aux.after.latents) == {"mu", "log_tau", "theta"}


def test_a_clash_of_names_is_refused() -> None:
    eps = sp.Symbol("eps_b", real=True)
    with pytest.raises(sa.ModelError, match="eps_b"):
        sa.auxiliary(sa.Model.of(N(a, 0, 1), N(b, a, 1), N(eps, 0, 1)))
    with pytest.raises(sa.ModelError, match="log_tau"):
        sa.auxiliary(sa.Model.of(sa.exponential(tau, 1), N(a, sp.Symbol("log_tau", real=True), tau)))


def test_observed_parents_do_not_make_a_variable_less_of_a_root() -> None:
    model = sa.Model.of(N(x[n], 0, 1), N(z[n], x[n], 1), N(y[n], z[n], 1), observed=[x, y])
    aux = sa.auxiliary(model)
    assert "root" in aux.kept["z"]
    assert aux.after.latents == ("z",)
    both = sa.Model.of(N(mu, 0, 1), N(x[n], mu, 1), N(z[n], x[n] * mu, 1), N(y[n], z[n], 1), observed=[x, y])
    assert set(sa.auxiliary(both).after.latents) == {"mu", "eps_z"}


def test_an_observed_variable_blocks_the_latents_above_it() -> None:
    model = sa.Model.of(N(mu, 0, 1), N(x[n], mu, 1), N(z[n], x[n], 1), N(y[n], z[n], 1), observed=[x, y])
    assert set(sa.auxiliary(model).kept) == {"mu", "z"}


def test_a_deterministic_node_passes_latents_on() -> None:
    model = sa.Model.of(N(mu, 0, 1), sa.deterministic(a, sp.tanh(mu)), N(b, a, 1), N(y[n], b, 1), observed=[y])
    aux = sa.auxiliary(model)
    assert set(aux.after.latents) == {"mu", "eps_b"}
    assert aux.verify()


def test_a_lagged_array_is_rewritten_whole() -> None:
    model = sa.Model.of(N(z[0, n], 0, 2), N(z[t, n], z[t - 1, n], 1), N(y[t, n], z[t, n], 1), observed=[y])
    after = sa.auxiliary(model).after
    assert after.latents == ("eps_z",)
    assert after.axes.of_array("eps_z") == after.axes.of_array("z")
    assert len(after.nodes["eps_z"].statements) == 1
    made = sa.generate(after)({"eps_z": jnp.ones((5, 3))})
    np.testing.assert_allclose(made["z"], np.broadcast_to(2.0 + np.arange(5)[:, None], (5, 3)))


def test_a_lagged_array_with_different_laws_at_its_start() -> None:
    model = sa.Model.of(sa.cauchy(z[0], 0, 1), N(z[t], z[t - 1], 1), N(y[t], z[t], 1), observed=[y])
    for noise in ("normal", "auto", "uniform"):
        aux = sa.auxiliary(model, noise=noise)
        assert aux.after.latents == ("eps_z",)
        verdict = aux.verify()
        assert verdict, verdict


def test_improper_flat_latents_stay(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.flat(mu), sa.flat(tau), N(theta[j], mu, tau), N(y[j], theta[j], 1), observed=[y])
    aux = sa.auxiliary(model, keep_roots=False)
    assert set(aux.after.latents) == {"mu", "log_tau", "eps_theta"}
    assert "flat prior" in aux.kept["mu"]
    assert aux.verify()
    with pytest.raises(sa.NoRuleApplies, match="flat"):
        sa.auxiliary(model, only=[mu])
    ys = rng.normal(size=4)
    agrees(
        aux.after,
        {"mu": 0.1, "log_tau": 0.2, "eps_theta": np.arange(4) / 3},
        {"y": ys},
        lambda p: p["log_tau"] + lognorm(p["eps_theta"]) + lognorm(ys, p["mu"] + np.exp(p["log_tau"]) * p["eps_theta"]),
    )


def test_latents_on_the_simplex_are_rewritten() -> None:
    share, k = sa.arrays("share", positive=True), sa.plate("k", 3)
    model = sa.Model.of(N(mu, 0, 1), sa.dirichlet(share[k], sp.exp(mu)), sa.categorical(y[n], share[k]), observed=[y])
    aux = sa.auxiliary(model)
    assert set(aux.kept) == {"mu"} and set(aux.after.latents) == {"mu", "eps_share"}


def test_latent_vectors_are_rewritten() -> None:
    i, m = sa.plate("i", 3), sa.plate("m", 3)
    covariance = sp.exp(-((i - m) ** 2)) * tau**2
    model = sa.Model.of(
        sa.exponential(tau, 1), sa.multivariate_normal(z[i], 0, covariance), N(y[i], z[i], 1), observed=[y]
    )
    aux = sa.auxiliary(model)
    assert set(aux.kept) == {"tau"} and "eps_z" in aux.after.latents


def test_nothing_to_do() -> None:
    model = sa.Model.of(N(mu, 0, 1), N(y[n], mu, 1), observed=[y])
    aux = sa.auxiliary(model)
    assert aux.after == model and aux.steps == ()
    assert aux.verify()


def test_a_second_rewrite_changes_nothing_more() -> None:
    once = sa.auxiliary(few_schools()).after
    assert sa.auxiliary(once).after.statements == once.statements


def test_the_papers_chain() -> None:
    zs, xs = sp.symbols("z1:4", real=True), sp.symbols("x1:4", real=True)
    model = sa.Model.of(
        N(zs[0], 0, 1), N(zs[1], zs[0], 1), N(zs[2], zs[1], 1), *(N(xs[m], zs[m], 1) for m in range(3)), observed=xs
    )
    aux = sa.auxiliary(model, keep_roots=False)
    assert sa.information_distance(aux.before, xs[2], zs[0]) == 3
    assert sa.information_distance(aux.after, xs[2], "eps_z1") == 1
    assert aux.verify()
    data = {"x1": 0.3, "x2": -0.2, "x3": 1.1}
    steps = {"eps_z1": 0.5, "eps_z2": -0.4, "eps_z3": 0.2}

    def oracle(p):
        z1 = p["eps_z1"]
        z2 = z1 + p["eps_z2"]
        z3 = z2 + p["eps_z3"]
        noise = sum(lognorm(p[f"eps_z{m}"]) for m in (1, 2, 3))
        return noise + lognorm(0.3, z1) + lognorm(-0.2, z2) + lognorm(1.1, z3)

    agrees(aux.after, steps, data, oracle)
