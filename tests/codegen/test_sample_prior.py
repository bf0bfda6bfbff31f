"""Draws from a model against its moments, and models that cannot be drawn from."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp
from scipy import stats

import symaux as sa

mu, a = sp.symbols("mu a", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, x, w = sa.arrays("z y x w")
counts, group = sa.arrays("counts group", integer=True)
n, t, k, i = sa.plate("n"), sa.plate("t", 4), sa.plate("k", 3), sa.plate("i", 2)
KEY = jax.random.key(20)
N = sa.normal
DRAWS = 4000


def draws(model: sa.Model, data: dict | None = None, count: int = DRAWS) -> dict:
    return jax.jit(jax.vmap(sa.sample_prior(model, data)))(jax.random.split(KEY, count))


def close(sample, mean, sd, count=DRAWS) -> bool:
    """Within five standard errors of the mean."""
    return bool(np.all(np.abs(np.mean(np.asarray(sample), axis=0) - mean) < 5 * np.asarray(sd) / np.sqrt(count)))


def test_a_hierarchy() -> None:
    model = sa.Model.of(N(mu, 2, 1), sa.exponential(tau, 2), N(z[i], mu, tau), N(y[n], z[group[n]], 1), observed=[y])
    drawn = draws(model, {"group": np.array([0, 1, 1])})
    assert {name: np.shape(v)[1:] for name, v in drawn.items()} == {"mu": (), "tau": (), "z": (2,), "y": (3,)}
    assert close(drawn["mu"], 2, 1) and close(drawn["tau"], 0.5, 0.5)
    assert close(drawn["z"], 2, np.sqrt(1.5)) and close(drawn["y"], 2, np.sqrt(2.5))
    assert np.corrcoef(drawn["y"][:, 1], drawn["y"][:, 2])[0, 1] == pytest.approx(1.5 / 2.5, abs=0.08)


def test_auxiliary_form_has_the_same_law() -> None:
    model = sa.Model.of(N(mu, 2, 1), sa.exponential(tau, 2), N(z[i], mu, tau), N(y[i], z[i], 1), observed=[y])
    drawn = draws(sa.auxiliary(model).after)
    assert close(drawn["tau"], 0.5, 0.5) and close(drawn["y"], 2, np.sqrt(2.5))
    np.testing.assert_allclose(np.exp(drawn["log_tau"]), drawn["tau"], rtol=1e-12)
    np.testing.assert_allclose(
        drawn["z"], drawn["mu"][:, None] + drawn["tau"][:, None] * drawn["eps_z"], rtol=1e-9, atol=1e-12
    )


def test_a_chain() -> None:
    model = sa.Model.of(N(z[0], 0, 1), N(z[t], z[t - 1], 2), N(y[t], z[t], 1), observed=[y])
    drawn = draws(model)
    np.testing.assert_allclose(np.var(drawn["z"], axis=0), [1, 5, 9, 13], rtol=0.12)


def test_a_chain_whose_start_has_another_kind_of_noise() -> None:
    model = sa.Model.of(
        sa.uniform(z[0, i], 2, 3), N(z[t, i], 0, 1e-3), sa.cauchy(w[0], 5, 1e-6), N(w[t], w[t - 1], 1e-3)
    )
    drawn = draws(model)
    assert np.all((drawn["z"][:, 0] > 2) & (drawn["z"][:, 0] < 3))
    assert close(drawn["z"][:, 0], 2.5, 0.3) and close(drawn["z"][:, 1:], 0, 1e-3)
    assert np.median(drawn["w"][:, 3]) == pytest.approx(5, abs=1e-3)


def test_discrete_laws() -> None:
    share = sa.arrays("share", positive=True)
    b, c, d = sa.arrays("b c d", integer=True)
    model = sa.Model.of(
        sa.poisson(counts[n], 3.5),
        sa.binomial(b[n], 7, 0.3),
        sa.bernoulli(c[n], sa.sigmoid(x[n])),
        sa.categorical(d[n], share[n, k]),
        observed=[counts, b, c, d],
    )
    xs = np.array([-1.0, 2.0])
    shares = np.array([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]])
    drawn = draws(model, {"x": xs, "share": shares})
    assert close(drawn["counts"], 3.5, np.sqrt(3.5)) and close(drawn["b"], 2.1, np.sqrt(7 * 0.21))
    assert close(drawn["c"], 1 / (1 + np.exp(-xs)), 0.5)
    assert np.all(np.asarray(drawn["counts"]) == np.floor(drawn["counts"]))
    for column, chance in enumerate(shares):
        found = np.bincount(np.asarray(drawn["d"])[:, column].astype(int), minlength=3) / DRAWS
        np.testing.assert_allclose(found, chance, atol=0.04)


def test_mixtures() -> None:
    centre, share = sa.arrays("centre"), sa.arrays("share", positive=True)
    model = sa.Model.of(
        sa.mixture(y[n], (0.25, N(y[n], -3, 1)), (0.75, N(y[n], 1, 0.5))),
        sa.mixture(w[n], share[k], N(w[n], centre[k], 1)),
        observed=[y, w],
    )
    drawn = draws(model, {"y": np.zeros(2), "centre": np.array([-4.0, 0.0, 4.0]), "share": np.array([0.5, 0.25, 0.25])})
    assert close(drawn["y"], 0, np.sqrt(0.25 * 10 + 0.75 * 1.25)) and close(drawn["w"], -1, 3.6)
    assert np.mean(drawn["y"] < -1.5) == pytest.approx(0.25 * stats.norm.cdf(1.5), abs=0.03)


def test_a_gaussian_process() -> None:
    m = sa.plate("m", 2)
    covariance = sp.exp(-((x[i] - x[m]) ** 2)) + sp.KroneckerDelta(i, m) / 10
    drawn = draws(
        sa.Model.of(sa.multivariate_normal(y[n, i], mu, covariance), observed=[y]),
        {"mu": 1.5, "x": np.array([0, 0.5]), "y": np.zeros((3, 2))},
    )
    found = np.cov(np.asarray(drawn["y"])[:, 1].T)
    np.testing.assert_allclose(found, [[1.1, np.exp(-0.25)], [np.exp(-0.25), 1.1]], atol=0.12)
    assert close(drawn["y"], 1.5, np.sqrt(1.1))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (sa.Model.of(sa.flat(mu), N(y[n], mu, 1), observed=[y]), "mu has a flat prior"),
        (sa.Model.of(N(mu, 0, 1), sa.factor(-(mu**2))), "factor"),
    ],
)
def test_improper_models_are_refused(model: sa.Model, words: str) -> None:
    with pytest.raises(sa.DataError, match=words):
        sa.sample_prior(model, {})(KEY)


def test_an_unknown_size_is_named() -> None:
    with pytest.raises(sa.DataError, match="n"):
        sa.sample_prior(sa.Model.of(N(y[n], 0, 1), observed=[y]))(KEY)


def test_the_same_key_gives_the_same_draw() -> None:
    sample = sa.sample_prior(sa.Model.of(N(mu, 0, 1), N(a, mu, 1)))
    assert float(sample(KEY)["a"]) == float(sample(KEY)["a"]) != float(sample(jax.random.key(1))["a"])


@pytest.mark.parametrize("rate", [0.2, 300.0])
def test_counts_end_where_rounding_leaves_their_masses_below_one(rate: float) -> None:
    """The largest u is closer to one than the sum of all masses: the walk ended nowhere."""
    from symaux.codegen.library.arrays import discrete_quantile

    for kind in (np.float32, np.float64):
        u, at = np.array([0.5, 1 - np.finfo(kind).epsneg], kind), kind(rate)
        mass = jax.tree_util.Partial(lambda at, k: k * np.log(at) - at - jax.scipy.special.gammaln(k + 1), at)
        with jax.numpy_dtype_promotion("standard"):
            median, last = np.asarray(discrete_quantile(jax.numpy.asarray(u), mass, 0, np.inf))
        assert median == stats.poisson.median(rate) and median < last < 64 + rate + 20 * np.sqrt(rate)


def test_counts_above_170() -> None:
    drawn = draws(sa.parse("data r > 0\nobserve y ~ poisson(r)"), {"r": 400.0})["y"]
    assert close(drawn, 400, 20) and np.std(drawn) == pytest.approx(20, rel=0.1)


def test_a_count_that_is_too_far_up_is_not_a_number() -> None:
    assert np.isnan(sa.sample_prior(sa.parse("data r > 0\nobserve y ~ poisson(r)"), {"r": 1e12})(KEY)["y"])


def test_a_matrix_whose_noise_has_a_plate_of_its_own() -> None:
    """The pairs of rows below a diagonal are a plate of the noise, which the model itself does not have."""
    text = "plate i[3]\nplate j[3]\nS[i, j] ~ wishart(5, kronecker(i, j))"
    assert close(draws(sa.parse(text))["S"], 5 * np.eye(3), np.sqrt(5 * (1 + np.eye(3))))


def test_a_bound_may_count_a_plate_that_only_observations_have() -> None:
    """Such as a place of change, uniform over the length of a series."""
    after = sa.auxiliary(sa.parse("plate t\nc ~ uniform(0, size(t))\nobserve y[t] ~ normal(c, 1)")).after
    data, (name,) = {"y": np.zeros(5)}, after.latents
    module: dict = {}
    exec(compile(sa.to_source(after), "exported", "exec"), module)
    at = module["unconstrain"]({"c": 2.0}, data)
    assert float(module["constrain"](at, data)["c"]) == pytest.approx(2.0)
    assert float(sa.generate(after, data)(at)["c"]) == pytest.approx(2.0)
    expected = -np.log(5) + stats.norm.logpdf(data["y"], 2.0).sum() + np.log(2.0 * 3.0 / 5.0)
    assert float(sa.log_density(after, data)({name: at[name]})) == pytest.approx(expected, rel=1e-12)
