"""Generated log-densities against numpy written by hand: factors, mixtures, vectors, discrete data, supports."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from scipy import special, stats
from support.oracle import agrees, lognorm
from sympy import Sum

import symaux as sa

mu, beta, x0 = sp.symbols("mu beta x0", real=True)
tau, s = sp.symbols("tau s", positive=True)
z, y, x, w, v = sa.arrays("z y x w v")
W, V, U, T = sa.arrays("W V U T")
sigma = sa.arrays("sigma", positive=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


def test_deterministic_nodes_in_any_order(rng: np.random.Generator) -> None:
    eta, kappa = sa.arrays("eta kappa")
    total = sp.Symbol("total", real=True)
    model = sa.Model.of(
        sa.normal(y[n], eta[n] * total, sp.exp(kappa[n])),
        sa.deterministic(total, Sum(kappa[n], n)),
        sa.deterministic(kappa[n], sp.tanh(eta[n])),
        sa.deterministic(eta[n], x[n] * beta),
        sa.normal(beta, 0, 1),
        observed=[y],
    )
    xs, ys = rng.normal(size=5), rng.normal(size=5)

    def oracle(p):
        eta_ = xs * p["beta"]
        kappa_ = np.tanh(eta_)
        return lognorm(p["beta"]) + lognorm(ys, eta_ * kappa_.sum(), np.exp(kappa_))

    agrees(model, {"beta": 0.6}, {"x": xs, "y": ys}, oracle)
    made = sa.generate(model, {"x": xs, "y": ys})({"beta": jnp.asarray(0.6)})
    np.testing.assert_allclose(made["kappa"], np.tanh(xs * 0.6), rtol=1e-14)
    assert set(made) == {"beta", "total", "kappa", "eta"}


def test_a_deterministic_node_may_be_constant(rng: np.random.Generator) -> None:
    c, d = sp.Symbol("c", real=True), sa.arrays("d")
    model = sa.Model.of(
        sa.deterministic(c, 3),
        sa.deterministic(d[i], 2),
        sa.normal(z[i], c, d[i]),
        sa.normal(y[i], z[i], c),
        observed=[y],
    )
    ys = rng.normal(size=3)
    agrees(model, {"z": rng.normal(size=3)}, {"y": ys}, lambda p: lognorm(p["z"], 3, 2) + lognorm(ys, p["z"], 3))
    made = sa.generate(model)({"z": jnp.zeros(3)})
    assert jnp.shape(made["c"]) == () and made["d"].shape == (3,)
    assert made["d"].dtype == jnp.asarray(made["c"]).dtype == jnp.float64


def test_factors_add_up_over_their_free_plates(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.flat(z[n]), sa.normal(y[n], z[n], 1), sa.factor(-(z[n] ** 4)), sa.factor(-mu * Sum(z[n], n)), observed=[y]
    )
    ys = rng.normal(size=4)
    agrees(
        model,
        {"z": rng.normal(size=4), "mu": 0.3},
        {"y": ys},
        lambda p: lognorm(ys, p["z"]) - np.sum(p["z"] ** 4) - p["mu"] * p["z"].sum(),
    )


def test_factors_with_lags_are_a_random_walk_prior(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.flat(z[n]),
        sa.factor(-((z[n] - 2 * z[n - 1] + z[n - 2]) ** 2) / 2),
        sa.normal(y[n], z[n], 1),
        observed=[y],
    )
    ys = rng.normal(size=6)
    agrees(
        model, {"z": rng.normal(size=6)}, {"y": ys}, lambda p: lognorm(ys, p["z"]) - np.sum(np.diff(p["z"], 2) ** 2) / 2
    )


def test_a_constant_factor_counts() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.Integer(7)))
    agrees(model, {"mu": 0.1}, {}, lambda p: lognorm(p["mu"]) + 7)


def test_piecewise_and_extremes(rng: np.random.Generator) -> None:
    ramp = sp.Piecewise((x[n], x[n] > 0), (x[n] / 10, True))
    clipped = sp.Max(sp.Min(x[n], 1), -1, beta / 2)
    step = sp.Piecewise((mu, (x[n] > 1) & (x[n] < 2)), (2 * mu, sp.Or(x[n] < -1, x[n] > 2)), (beta, True))
    model = sa.Model.of(sa.normal(y[n], ramp + clipped + step, 1), observed=[y])
    ys, xs = rng.normal(size=7), np.array([-2.0, -0.5, 0.4, 0.9, 1.5, 3.0, -1.2])

    def oracle(p):
        extra = [p["mu"] if 1 < a < 2 else 2 * p["mu"] if a < -1 or a > 2 else p["beta"] for a in xs]
        limits = np.maximum(np.clip(xs, -1, 1), p["beta"] / 2)
        return lognorm(ys, np.where(xs > 0, xs, xs / 10) + limits + np.array(extra))

    agrees(model, {"mu": 0.7, "beta": -0.3}, {"x": xs, "y": ys}, oracle)


def test_a_mixture_of_pairs(rng: np.random.Generator) -> None:
    weight = sp.Symbol("weight", positive=True)
    law = sa.mixture(y[n], (weight, sa.normal(y[n], mu, 1)), (1 - weight, sa.student_t(y[n], 4, -mu, tau)))
    model = sa.Model.of(sa.normal(mu, 0, 2), law, observed=[y])
    ys = rng.normal(size=5)

    def oracle(p):
        parts = p["weight"] * stats.norm.pdf(ys, p["mu"]) + (1 - p["weight"]) * stats.t.pdf(ys, 4, -p["mu"], p["tau"])
        return lognorm(p["mu"], 0, 2) + np.log(parts).sum()

    agrees(model, {"mu": 1.1, "tau": 0.6, "weight": 0.3}, {"y": ys}, oracle)


def test_a_mixture_of_three_with_numbers_as_weights(rng: np.random.Generator) -> None:
    parts = [(0.5, sa.normal(y[n], mu, 1)), (0.25, sa.normal(y[n], 3, 2)), (0.25, sa.cauchy(y[n], x[n], 1))]
    model = sa.Model.of(sa.mixture(y[n], *parts), observed=[y])
    ys, xs = rng.normal(size=5), rng.normal(size=5)

    def oracle(p):
        density = 0.5 * stats.norm.pdf(ys, p["mu"]) + 0.25 * stats.norm.pdf(ys, 3, 2) + 0.25 * stats.cauchy.pdf(ys, xs)
        return np.log(density).sum()

    agrees(model, {"mu": 1.1}, {"y": ys, "x": xs}, oracle)


def test_a_mixture_does_not_underflow() -> None:
    model = sa.Model.of(
        sa.mixture(y[n], (0.5, sa.normal(y[n], mu, 1)), (0.5, sa.normal(y[n], mu + 1, 1))), observed=[y]
    )
    ys = np.array([60.0, -80.0])
    agrees(
        model,
        {"mu": 0.0},
        {"y": ys},
        lambda p: np.sum(
            np.logaddexp(stats.norm.logpdf(ys, p["mu"]) - np.log(2), stats.norm.logpdf(ys, p["mu"] + 1) - np.log(2))
        ),
    )


def test_a_mixture_over_a_plate(rng: np.random.Generator) -> None:
    share, centre = sa.arrays("share", positive=True), sa.arrays("centre")
    model = sa.Model.of(
        sa.normal(centre[k], 0, 3), sa.mixture(y[n], share[k], sa.normal(y[n], centre[k], tau)), observed=[y]
    )
    ys, shares = rng.normal(size=6), rng.dirichlet(np.ones(5))

    def oracle(p):
        parts = shares * stats.norm.pdf(ys[:, None], p["centre"], p["tau"])
        return lognorm(p["centre"], 0, 3) + np.log(parts.sum(1)).sum()

    agrees(model, {"centre": rng.normal(size=5), "tau": 0.7}, {"y": ys, "share": shares}, oracle)


@pytest.mark.parametrize("terms", [3, 4])
def test_log_of_a_sum_of_exponentials_with_whole_number_weights(terms: int, rng: np.random.Generator) -> None:
    a = sp.symbols("a0:4", real=True)
    inner = 2 * sp.exp(a[0]) + sp.exp(a[1]) + (sp.exp(a[2]) if terms == 4 else 0) + 1
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.log(inner)))
    names = [f"a{m}" for m in range(terms - 1)]

    def oracle(p):
        weights = [2.0, 1.0, 1.0]
        return lognorm(p["mu"]) + np.log(1 + sum(weights[m] * np.exp(p[name]) for m, name in enumerate(names)))

    agrees(model, {"mu": 0.1, **{name: rng.normal() for name in names}}, {}, oracle)


def test_log_sum_exp_over_a_plate_does_not_overflow(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[n], sp.log(Sum(sp.exp(z[n, k]), k)), 1), observed=[y])
    ys = rng.normal(size=2)
    position = {"z": rng.normal(size=(2, 5)) + np.array([[800.0], [-800.0]])}
    agrees(model, position, {"y": ys}, lambda p: lognorm(ys, special.logsumexp(p["z"], axis=1)))


def covariance(xs, length, scale, noise):
    return scale**2 * np.exp(-((xs[:, None] - xs) ** 2) / (2 * length**2)) + noise * np.eye(len(xs))


def test_a_gaussian_process_with_latent_hyperparameters(rng: np.random.Generator) -> None:
    length, scale = sp.symbols("length scale", positive=True)
    a, b = sa.plate("a", 6), sa.plate("b", 6)
    kernel = scale**2 * sp.exp(-((x[a] - x[b]) ** 2) / (2 * length**2)) + sp.KroneckerDelta(a, b) / 10
    model = sa.Model.of(
        sa.log_normal(length, 0, 1), sa.half_normal(scale, 1), sa.multivariate_normal(y[a], mu, kernel), observed=[y]
    )
    xs, ys = rng.normal(size=6), rng.normal(size=6)

    def oracle(p):
        prior = stats.lognorm.logpdf(p["length"], 1) + stats.halfnorm.logpdf(p["scale"])
        k = covariance(xs, p["length"], p["scale"], 0.1)
        return prior + stats.multivariate_normal.logpdf(ys, np.full(6, p["mu"]), k)

    agrees(model, {"length": 0.8, "scale": 1.3, "mu": 0.2}, {"x": xs, "y": ys}, oracle)


@pytest.mark.parametrize("batched", ["the value", "value and covariance"])
def test_multivariate_normals_in_a_batch(batched: str, rng: np.random.Generator) -> None:
    a, b = sa.plate("a", 4), sa.plate("b", 4)
    scale = sigma[n] if batched == "value and covariance" else tau
    kernel = scale * sp.exp(-sp.Abs(x[a] - x[b])) + sp.KroneckerDelta(a, b)
    model = sa.Model.of(sa.multivariate_normal(y[n, a], z[n] * w[a], kernel), observed=[y])
    xs, ys = rng.normal(size=4), rng.normal(size=(3, 4))

    def oracle(p):
        scales = p["sigma"] if batched == "value and covariance" else np.full(3, p["tau"])
        return sum(
            stats.multivariate_normal.logpdf(
                ys[m], p["z"][m] * p["w"], scales[m] * np.exp(-np.abs(xs[:, None] - xs)) + np.eye(4)
            )
            for m in range(3)
        )

    scales = {"sigma": rng.uniform(0.5, 2, size=3)} if batched == "value and covariance" else {"tau": 1.4}
    agrees(model, {"z": rng.normal(size=3), "w": rng.normal(size=4), **scales}, {"x": xs, "y": ys}, oracle)


def test_a_latent_multivariate_normal(rng: np.random.Generator) -> None:
    a, b = sa.plate("a", 4), sa.plate("b", 4)
    K = sa.arrays("K")
    model = sa.Model.of(sa.multivariate_normal(z[a], 0, K[a, b]), sa.poisson(y[a], sp.exp(z[a])), observed=[y])
    matrix = covariance(rng.normal(size=4), 1.0, 1.0, 0.2)
    ys = np.array([0, 2, 1, 5])
    agrees(
        model,
        {"z": rng.normal(size=4)},
        {"y": ys, "K": matrix},
        lambda p: (
            stats.multivariate_normal.logpdf(p["z"], np.zeros(4), matrix)
            + stats.poisson.logpmf(ys, np.exp(p["z"])).sum()
        ),
    )


def test_a_dirichlet(rng: np.random.Generator) -> None:
    share, a = sa.arrays("share concentration", positive=True)
    model = sa.Model.of(sa.dirichlet(share[n, k], a[k]), sa.categorical(y[i], share[0, k]), observed=[y])
    ys, at = np.array([0, 4, 2]), rng.dirichlet(np.ones(5), size=2)
    logp = sa.log_density(model, {"y": ys, "concentration": np.arange(1.0, 6.0)})
    expected = sum(stats.dirichlet.logpdf(row, np.arange(1.0, 6.0)) for row in at) + np.log(at[0, ys]).sum()
    assert float(jax.jit(logp)({"share": at})) == pytest.approx(expected, rel=1e-11)


def test_categorical_with_softmax(rng: np.random.Generator) -> None:
    logits = Sum(x[n, j] * W[j, k], j)
    model = sa.Model.of(
        sa.normal(W[j, k], 0, 1), sa.categorical(y[n], sp.exp(logits) / Sum(sp.exp(logits), k)), observed=[y]
    )
    xs, ys = rng.normal(size=(6, 4)), np.array([0, 4, 2, 2, 1, 3])
    agrees(
        model,
        {"W": rng.normal(size=(4, 5))},
        {"x": xs, "y": ys},
        lambda p: lognorm(p["W"]) + special.log_softmax(xs @ p["W"], axis=1)[np.arange(6), ys].sum(),
    )


def test_categorical_with_given_probabilities(rng: np.random.Generator) -> None:
    p_ = sa.arrays("p", positive=True)
    model = sa.Model.of(sa.categorical(y[n], p_[n, k]), observed=[y])
    ys = np.array([0, 4, 2])
    at = rng.dirichlet(np.ones(5), size=3)
    agrees(model, {"p": at}, {"y": ys}, lambda p: np.log(p["p"][np.arange(3), ys]).sum())


@pytest.mark.parametrize("dtype", [int, float, np.int32, np.uint8, bool])
def test_bernoulli_takes_data_of_any_type(dtype: type, rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(beta, 0, 1), sa.bernoulli(y[n], sa.sigmoid(beta * x[n])), observed=[y])
    xs, ys = rng.normal(size=6), np.array([0, 1, 1, 0, 1, 0])
    agrees(
        model,
        {"beta": 0.7},
        {"x": xs, "y": ys.astype(dtype)},
        lambda p: lognorm(p["beta"]) + stats.bernoulli.logpmf(ys, special.expit(p["beta"] * xs)).sum(),
    )


def test_a_bernoulli_with_large_logits_keeps_its_digits() -> None:
    model = sa.Model.of(sa.bernoulli(y[n], sa.sigmoid(x[n] + beta)), observed=[y])
    xs, ys = np.array([-900.0, 900.0, -40.0, 40.0]), np.array([1, 0, 0, 1])
    expected = lambda p: np.sum(ys * special.log_expit(xs + p["beta"]) + (1 - ys) * special.log_expit(-xs - p["beta"]))  # noqa: E731
    agrees(model, {"beta": 0.2}, {"x": xs, "y": ys}, expected)


def test_poisson_and_binomial_with_whole_numbers(rng: np.random.Generator) -> None:
    c, m = sa.arrays("c", integer=True), sa.arrays("m", integer=True, nonnegative=True)
    model = sa.Model.of(
        sa.poisson(c[n], sp.exp(mu + beta * x[n])), sa.binomial(y[n], m[n], sa.sigmoid(mu)), observed=[c, y]
    )
    xs, cs, ms = rng.normal(size=4), np.array([0, 3, 1, 7]), np.array([5, 3, 1, 9])
    ys = np.array([5, 0, 1, 4])
    agrees(
        model,
        {"mu": 0.2, "beta": 0.5},
        {"x": xs, "c": cs, "m": ms, "y": ys},
        lambda p: (
            stats.poisson.logpmf(cs, np.exp(p["mu"] + p["beta"] * xs)).sum()
            + stats.binom.logpmf(ys, ms, special.expit(p["mu"])).sum()
        ),
    )


def test_float32_stays_float32() -> None:
    model = sa.Model.of(sa.normal(z[n], mu, tau), sa.poisson(y[n], sp.exp(z[n])), observed=[y])
    position = {"z": jnp.zeros(3, jnp.float32), "mu": jnp.float32(0.1), "tau": jnp.float32(1.0)}
    logp = sa.log_density(model, {"y": jnp.array([1.0, 2.0, 0.0], jnp.float32)})
    assert jax.jit(logp)(position).dtype == jnp.float32


def test_outside_its_support_a_latent_has_no_density() -> None:
    model = sa.Model.of(sa.half_cauchy(tau, 5), sa.uniform(z[n], -1, 2), sa.normal(y[n], z[n], tau), observed=[y])
    logp = jax.jit(sa.log_density(model, {"y": np.zeros(2)}))
    inside = {"tau": 1.0, "z": np.array([0.0, 1.9])}
    assert np.isfinite(logp(inside))
    assert logp(inside | {"tau": -0.5}) == -np.inf
    assert logp(inside | {"z": np.array([0.0, 2.1])}) == -np.inf
    assert logp(inside | {"z": np.array([-1.1, 0.0])}) == -np.inf


@pytest.mark.parametrize("latent", [True, False])
def test_a_support_may_depend_on_a_parent(latent: bool) -> None:
    theta = sp.Symbol("theta", positive=True)
    prior = [sa.pareto(theta, 1, 2)] if latent else []
    model = sa.Model.of(*prior, sa.uniform(y[n], 0, theta), observed=[y])
    ys = np.array([0.5, 1.9, 1.2])

    def oracle(p):
        return (stats.pareto.logpdf(p["theta"], 2) if latent else 0.0) - 3 * np.log(p["theta"])

    agrees(model, {"theta": 2.5}, {"y": ys}, oracle)
    logp = jax.jit(sa.log_density(model, {"y": ys}))
    assert logp({"theta": 1.8}) == -np.inf
    assert np.isfinite(jax.grad(lambda t: logp({"theta": t}))(2.0))


def test_a_latent_support_may_depend_on_a_parent(rng: np.random.Generator) -> None:
    lower = sp.Symbol("lower", real=True)
    model = sa.Model.of(
        sa.normal(lower, 0, 1), sa.uniform(z[n], lower, lower + w[n]), sa.normal(y[n], z[n], 1), observed=[y]
    )
    ys, ws = rng.normal(size=2), np.array([1.0, 2.0])
    agrees(
        model,
        {"lower": 0.3, "z": np.array([0.9, 1.9])},
        {"y": ys, "w": ws},
        lambda p: lognorm(p["lower"]) - np.log(ws).sum() + lognorm(ys, p["z"]),
    )
    logp = sa.log_density(model, {"y": ys, "w": ws})
    assert logp({"lower": 0.3, "z": np.array([1.4, 1.9])}) == -np.inf


def test_a_flat_prior_adds_nothing(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.flat(mu), sa.flat(tau), sa.normal(y[n], mu, tau), observed=[y])
    ys = rng.normal(size=4)
    agrees(model, {"mu": 0.3, "tau": 0.9}, {"y": ys}, lambda p: lognorm(ys, p["mu"], p["tau"]))
    assert sa.log_density(model, {"y": ys})({"mu": 0.3, "tau": -1.0}) == -np.inf


def test_inputs_may_be_data_or_stay_in_the_position(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(y[n], mu + beta, tau), observed=[y])
    ys = rng.normal(size=3)
    oracle = lambda p: lognorm(p["mu"]) + lognorm(ys, p["mu"] + 0.4, 0.7)  # noqa: E731
    agrees(model, {"mu": 0.2}, {"y": ys, "beta": 0.4, "tau": 0.7}, oracle)
    whole = lambda p: lognorm(p["mu"]) + lognorm(ys, p["mu"] + p["beta"], p["tau"])  # noqa: E731
    agrees(model, {"mu": 0.2, "beta": 0.4, "tau": 0.7}, {"y": ys}, whole)


def test_large_counts_are_finite() -> None:
    """log(170!) is the last one whose factorial is a number of the format."""
    rate, share = sp.symbols("rate share", positive=True)
    trials, seen, counts = sa.arrays("trials seen counts", integer=True, nonnegative=True)
    model = sa.Model.of(
        sa.gamma(rate, 2, 1), sa.beta(share, 2, 2), sa.poisson(counts[n], rate), sa.binomial(seen[n], trials[n], share),
        observed=["counts", "seen"],
    )  # fmt: skip
    data = {"counts": np.array([300, 3]), "seen": np.array([200, 500]), "trials": np.array([1000, 2000])}
    found = sa.log_density(model, data)({"rate": jnp.array(100.0), "share": jnp.array(0.2)})
    expected = stats.gamma.logpdf(100.0, 2) + stats.beta.logpdf(0.2, 2, 2)
    expected += stats.poisson.logpmf(data["counts"], 100.0).sum()
    expected += stats.binom.logpmf(data["seen"], data["trials"], 0.2).sum()
    np.testing.assert_allclose(found, expected, rtol=1e-10)
