"""Generated log-densities against numpy written by hand: plates, contractions, gathers, supports, vectors, data types."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from oracle import agrees
from scipy import special, stats
from sympy import Sum

import symaux as sa

RNG = np.random.default_rng(20130614)
mu, beta, x0 = sp.symbols("mu beta x0", real=True)
tau, s = sp.symbols("tau s", positive=True)
z, y, x, w, v = sa.arrays("z y x w v")
W, V, U, T = sa.arrays("W V U T")
alpha, gamma = sa.arrays("alpha gamma")
sigma = sa.arrays("sigma", positive=True)
county, region, group = sa.arrays("county region group", integer=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


def lognorm(value, loc=0.0, scale=1.0) -> float:
    return float(np.sum(stats.norm.logpdf(value, loc, scale)))


# ---------------------------------------------------------------------------------------------------- plates and axes


def test_a_plate_is_summed_and_scalars_broadcast() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 5), sa.normal(z[j], mu, tau), sa.normal(y[j], z[j], sigma[j]), observed=[y])
    data = {"y": RNG.normal(size=4), "sigma": RNG.uniform(0.5, 2, size=4)}
    agrees(
        model,
        {"mu": 0.3, "z": RNG.normal(size=4), "tau": 1.7},
        data,
        lambda p: (
            lognorm(p["mu"], 0, 5) + lognorm(p["z"], p["mu"], p["tau"]) + lognorm(data["y"], p["z"], data["sigma"])
        ),
    )


def test_several_plates_with_operands_along_some_of_them() -> None:
    model = sa.Model.of(sa.normal(z[n, j, i], alpha[j] * w[n] + gamma[i], V[i, n]), observed=[z])
    data = {"z": RNG.normal(size=(2, 4, 3)), "V": RNG.uniform(0.5, 1.5, size=(3, 2))}
    agrees(
        model,
        {"alpha": RNG.normal(size=4), "w": RNG.normal(size=2), "gamma": RNG.normal(size=3)},
        data,
        lambda p: sum(
            stats.norm.logpdf(data["z"][b, c, d], p["alpha"][c] * p["w"][b] + p["gamma"][d], data["V"][d, b])
            for b in range(2)
            for c in range(4)
            for d in range(3)
        ),
    )


@pytest.mark.parametrize("transposed", [False, True])
def test_an_operand_may_be_transposed(transposed: bool) -> None:
    a, b = sa.plate("a", 3), sa.plate("b", 3)
    operand = W[b, a] if transposed else W[a, b]
    model = sa.Model.of(sa.normal(y[a, b], sp.tanh(operand) + operand**2, 1), observed=[y])
    ys = RNG.normal(size=(3, 3))

    def oracle(p):
        matrix = p["W"].T if transposed else p["W"]
        return lognorm(ys, np.tanh(matrix) + matrix**2)

    agrees(model, {"W": RNG.normal(size=(3, 3))}, {"y": ys}, oracle)


def test_three_axes_in_another_order() -> None:
    model = sa.Model.of(sa.normal(y[i, j, k], sp.sin(U[k, i, j]) * V[j, k], 1), observed=[y])
    ys = RNG.normal(size=(3, 4, 5))
    agrees(
        model,
        {"U": RNG.normal(size=(5, 3, 4)), "V": RNG.normal(size=(4, 5))},
        {"y": ys},
        lambda p: lognorm(ys, np.sin(np.transpose(p["U"], (1, 2, 0))) * p["V"]),
    )


def test_a_repeated_plate_is_a_diagonal() -> None:
    model = sa.Model.of(sa.normal(y[i, n], W[i, i] + V[i, n, i], 1), observed=[y])
    ys = RNG.normal(size=(3, 2))
    agrees(
        model,
        {"W": RNG.normal(size=(3, 3)), "V": RNG.normal(size=(3, 2, 3))},
        {"y": ys},
        lambda p: sum(stats.norm.logpdf(ys[a, b], p["W"][a, a] + p["V"][a, b, a]) for a in range(3) for b in range(2)),
    )


def test_fixed_indices_read_one_element() -> None:
    model = sa.Model.of(sa.normal(y[i], W[2, i] + W[0, 1] * x[4], sp.exp(V[i, 0])), observed=[y])
    ys = RNG.normal(size=3)
    agrees(
        model,
        {"W": RNG.normal(size=(3, 3)), "V": RNG.normal(size=(3, 2)), "x": RNG.normal(size=6)},
        {"y": ys},
        lambda p: lognorm(ys, p["W"][2] + p["W"][0, 1] * p["x"][4], np.exp(p["V"][:, 0])),
    )


def test_a_plate_may_be_used_as_a_number() -> None:
    dt = sp.Symbol("dt", positive=True)
    model = sa.Model.of(sa.normal(y[n], mu + beta * n * dt, 1), observed=[y])
    ys = RNG.normal(size=6)
    agrees(
        model,
        {"mu": 0.2, "beta": -0.7, "dt": 0.1},
        {"y": ys},
        lambda p: lognorm(ys, p["mu"] + p["beta"] * np.arange(6) * p["dt"]),
    )


def test_the_size_of_a_plate_may_stand_in_a_formula() -> None:
    from symaux.indices import extent

    model = sa.Model.of(sa.normal(y[n], Sum(x[n], n) / extent(n), 1), observed=[y])
    ys = RNG.normal(size=7)
    agrees(model, {"x": RNG.normal(size=7)}, {"y": ys}, lambda p: lognorm(ys, np.mean(p["x"])))


def test_a_law_that_depends_on_no_plate_counts_every_element() -> None:
    model = sa.Model.of(sa.uniform(z[i, n], -2, 2), sa.normal(y[n], Sum(z[i, n], i), 1), observed=[y])
    ys = RNG.normal(size=2)
    agrees(
        model,
        {"z": RNG.uniform(-1, 1, size=(3, 2))},
        {"y": ys},
        lambda p: -6 * np.log(4) + lognorm(ys, p["z"].sum(0)),
    )


# -------------------------------------------------------------------------------------------------------- contractions


CONTRACTIONS = {
    "one array": (Sum(W[i, k], k), lambda p: p["W"].sum(1)[:, None]),
    "one array, bound elsewhere": (Sum(sp.exp(z[n, k]), k), lambda p: np.exp(p["z"]).sum(1)[None]),
    "two arrays": (Sum(W[i, k] * z[n, k], k), lambda p: p["W"] @ p["z"].T),
    "two arrays and a factor": (2 * mu * Sum(W[i, k] * z[n, k], k), lambda p: 2 * p["mu"] * p["W"] @ p["z"].T),
    "a factor under the sum": (Sum(mu * W[i, k] * z[n, k] / 3, k), lambda p: p["mu"] / 3 * p["W"] @ p["z"].T),
    "three arrays": (
        Sum(W[i, k] * V[k, j] * U[j, n], k, j),
        lambda p: np.einsum("ik,kj,jn->in", p["W"], p["V"], p["U"]),
    ),
    "nested sums": (
        Sum(W[i, k] * sp.tanh(Sum(V[k, j] * U[j, n], j)), k),
        lambda p: p["W"] @ np.tanh(p["V"] @ p["U"]),
    ),
    "a sum of sums": (
        Sum(W[i, k] * z[n, k], k) + Sum(V[k, j], k, j) * Sum(U[j, n], j),
        lambda p: p["W"] @ p["z"].T + p["V"].sum() * p["U"].sum(0)[None],
    ),
    "a square": (Sum(W[i, k] ** 2 * z[n, k] ** 2, k), lambda p: p["W"] ** 2 @ (p["z"] ** 2).T),
    "a quotient": (Sum(W[i, k] / (1 + z[n, k] ** 2), k), lambda p: p["W"] @ (1 / (1 + p["z"] ** 2)).T),
    "no product": (
        Sum(sp.tanh(W[i, k] + z[n, k]), k),
        lambda p: np.tanh(p["W"][:, None, :] + p["z"][None]).sum(-1),
    ),
    "a sum that is not linear, squared": (
        Sum(sp.sin(W[i, k] * z[n, k]), k) ** 2,
        lambda p: np.sin(p["W"][:, None, :] * p["z"][None]).sum(-1) ** 2,
    ),
    "terms of different axes": (
        Sum(W[i, k] + z[n, k] + mu + 3, k),
        lambda p: p["W"].sum(1)[:, None] + p["z"].sum(1)[None] + 5 * (p["mu"] + 3),
    ),
    "a number only": (mu * Sum(sp.Integer(2), k) + 0 * n, lambda p: np.full((3, 2), 10 * p["mu"])),
    "the same sum twice": (
        Sum(W[i, k] * z[n, k], k) ** 2 + sp.tanh(Sum(W[i, k] * z[n, k], k)),
        lambda p: (p["W"] @ p["z"].T) ** 2 + np.tanh(p["W"] @ p["z"].T),
    ),
    "one plate bound twice": (
        Sum(W[i, k], k) * Sum(z[n, k], k) + Sum(V[k, j], k, j),
        lambda p: np.outer(p["W"].sum(1), p["z"].sum(1)) + p["V"].sum(),
    ),
    "a trace": (Sum(v[k] * W[i, k] * W[i, k] * z[n, k], k), lambda p: (p["W"] ** 2 * p["v"]) @ p["z"].T),
}


@pytest.mark.parametrize("case", CONTRACTIONS)
def test_sums_contract(case: str) -> None:
    loc, expected = CONTRACTIONS[case]
    model = sa.Model.of(sa.normal(y[i, n], loc, 1), observed=[y])
    ys = RNG.normal(size=(3, 2))
    shapes = {"W": (3, 5), "z": (2, 5), "V": (5, 4), "U": (4, 2), "v": (5,), "mu": ()}
    position = {name: RNG.normal(size=shapes[name]) for name in model.inputs}
    agrees(model, position, {"y": ys}, lambda p: lognorm(ys, expected(p)))


def test_a_contraction_is_one_einsum_and_never_a_loop() -> None:
    model = sa.Model.of(sa.normal(y[n, i], sp.tanh(Sum(W[i, k] * z[n, k], k)), 1), observed=[y])
    source = sa.to_source(model)
    assert "jnp.einsum('ik,nk->ni', W, z)" in source
    assert "for " not in source.split("def log_density")[1].split("def sample_prior")[0].replace('"""The values of', "")


def test_a_sum_over_part_of_a_plate_is_refused() -> None:
    model = sa.Model.of(sa.normal(y[n], Sum(w[k], (k, 1, 3)), 1), observed=[y])
    with pytest.raises(sa.ModelError, match="a sum runs over a whole plate"):
        sa.to_source(model)


# -------------------------------------------------------------------------------------------------------------- gathers


COUNTY = np.array([3, 0, 3, 1, 2, 0])
REGION = np.array([1, 0, 1, 1])
GATHERS = {
    "one": (alpha[county[n]], lambda p: p["alpha"][COUNTY]),
    "nested": (gamma[region[county[n]]], lambda p: p["gamma"][REGION[COUNTY]]),
    "several": (W[county[n], group[n]], lambda p: p["W"][COUNTY, REGION[COUNTY]]),
    "the same plate beside it": (V[n, county[n]], lambda p: p["V"][np.arange(6), COUNTY]),
    "twice the same": (W[county[n], county[n]], lambda p: np.diag(p["W"])[COUNTY]),
    "a number beside it": (W[county[n], 1], lambda p: p["W"][COUNTY, 1]),
    "a number before it": (W[1, county[n]], lambda p: p["W"][1, COUNTY]),
    "inside a function": (
        sp.exp(alpha[county[n]] / 2) * x[n],
        lambda p: np.exp(p["alpha"][COUNTY] / 2) * p["x"],
    ),
    "under a sum": (
        Sum(U[county[n], k] * z[n, k], k),
        lambda p: np.einsum("nk,nk->n", p["U"][COUNTY], p["z"]),
    ),
    "under a sum, at the end": (
        Sum(v[k] * sp.tanh(T[k, county[n]]), k),
        lambda p: np.tanh(p["T"][:, COUNTY].T) @ p["v"],
    ),
}


@pytest.mark.parametrize("case", GATHERS)
def test_gathers(case: str) -> None:
    loc, expected = GATHERS[case]
    model = sa.Model.of(sa.normal(y[n], loc, 1), observed=[y])
    ys = RNG.normal(size=6)
    indices = {"county": COUNTY, "region": REGION, "group": REGION[COUNTY]}
    shapes = {"alpha": (4,), "gamma": (2,), "W": (4, 4), "V": (6, 4), "x": (6,), "U": (4, 5), "z": (6, 5), "v": (5,)}
    shapes |= {"T": (5, 4)}
    data = {"y": ys} | {name: value for name, value in indices.items() if name in model.inputs}
    position = {name: RNG.normal(size=shapes[name]) for name in model.inputs if name not in indices}
    agrees(model, position, data, lambda p: lognorm(ys, expected(p)))


@pytest.mark.parametrize("order", ["gather first", "plate first"])
def test_a_gather_with_other_axes(order: str) -> None:
    first = order == "gather first"
    element = W[county[n], k] if first else W[k, county[n]]
    model = sa.Model.of(sa.normal(y[n, k], element, 1), observed=[y])
    ys = RNG.normal(size=(6, 5))
    agrees(
        model,
        {"W": RNG.normal(size=(4, 5) if first else (5, 4))},
        {"y": ys, "county": COUNTY},
        lambda p: lognorm(ys, p["W"][COUNTY] if first else p["W"][:, COUNTY].T),
    )


def test_a_gather_by_a_scalar() -> None:
    pick = sp.Symbol("pick", integer=True)
    model = sa.Model.of(sa.normal(y[n], alpha[pick], 1), observed=[y])
    ys = RNG.normal(size=3)
    agrees(model, {"alpha": RNG.normal(size=4)}, {"y": ys, "pick": 2}, lambda p: lognorm(ys, p["alpha"][2]))


def test_an_index_array_may_also_be_a_number() -> None:
    model = sa.Model.of(sa.normal(y[n], alpha[county[n]] + beta * county[n], 1), observed=[y])
    ys = RNG.normal(size=6)
    agrees(
        model,
        {"alpha": RNG.normal(size=4), "beta": 0.4},
        {"y": ys, "county": COUNTY},
        lambda p: lognorm(ys, p["alpha"][COUNTY] + p["beta"] * COUNTY),
    )


def test_an_index_array_may_come_as_floats() -> None:
    model = sa.Model.of(sa.normal(y[n], alpha[county[n]], 1), observed=[y])
    ys = RNG.normal(size=6)
    data = {"y": ys, "county": COUNTY.astype(float)}
    agrees(model, {"alpha": RNG.normal(size=4)}, data, lambda p: lognorm(ys, p["alpha"][COUNTY]))


def test_a_gather_in_a_latent_prior() -> None:
    c = sa.plate("c", 4)
    model = sa.Model.of(
        sa.normal(gamma[sa.plate("r", 2)], 0, 1),
        sa.normal(alpha[c], gamma[region[c]], tau),
        sa.normal(y[n], alpha[county[n]], 1),
        observed=[y],
    )
    ys = RNG.normal(size=6)
    agrees(
        model,
        {"alpha": RNG.normal(size=4), "gamma": RNG.normal(size=2), "tau": 0.8},
        {"y": ys, "county": COUNTY, "region": REGION},
        lambda p: (
            lognorm(p["gamma"]) + lognorm(p["alpha"], p["gamma"][REGION], p["tau"]) + lognorm(ys, p["alpha"][COUNTY])
        ),
    )


# ------------------------------------------------------------------------------------------- deterministic and factors


def test_deterministic_nodes_in_any_order() -> None:
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
    xs, ys = RNG.normal(size=5), RNG.normal(size=5)

    def oracle(p):
        eta_ = xs * p["beta"]
        kappa_ = np.tanh(eta_)
        return lognorm(p["beta"]) + lognorm(ys, eta_ * kappa_.sum(), np.exp(kappa_))

    agrees(model, {"beta": 0.6}, {"x": xs, "y": ys}, oracle)
    made = sa.generate(model, {"x": xs, "y": ys})({"beta": jnp.asarray(0.6)})
    np.testing.assert_allclose(made["kappa"], np.tanh(xs * 0.6), rtol=1e-14)
    assert set(made) == {"beta", "total", "kappa", "eta"}


def test_a_deterministic_node_may_be_constant() -> None:
    c, d = sp.Symbol("c", real=True), sa.arrays("d")
    model = sa.Model.of(
        sa.deterministic(c, 3),
        sa.deterministic(d[i], 2),
        sa.normal(z[i], c, d[i]),
        sa.normal(y[i], z[i], c),
        observed=[y],
    )
    ys = RNG.normal(size=3)
    agrees(model, {"z": RNG.normal(size=3)}, {"y": ys}, lambda p: lognorm(p["z"], 3, 2) + lognorm(ys, p["z"], 3))
    made = sa.generate(model)({"z": jnp.zeros(3)})
    assert jnp.shape(made["c"]) == () and made["d"].shape == (3,)
    assert made["d"].dtype == jnp.asarray(made["c"]).dtype == jnp.float64


def test_factors_add_up_over_their_free_plates() -> None:
    model = sa.Model.of(
        sa.flat(z[n]), sa.normal(y[n], z[n], 1), sa.factor(-(z[n] ** 4)), sa.factor(-mu * Sum(z[n], n)), observed=[y]
    )
    ys = RNG.normal(size=4)
    agrees(
        model,
        {"z": RNG.normal(size=4), "mu": 0.3},
        {"y": ys},
        lambda p: lognorm(ys, p["z"]) - np.sum(p["z"] ** 4) - p["mu"] * p["z"].sum(),
    )


def test_factors_with_lags_are_a_random_walk_prior() -> None:
    model = sa.Model.of(
        sa.flat(z[n]),
        sa.factor(-((z[n] - 2 * z[n - 1] + z[n - 2]) ** 2) / 2),
        sa.normal(y[n], z[n], 1),
        observed=[y],
    )
    ys = RNG.normal(size=6)
    agrees(
        model, {"z": RNG.normal(size=6)}, {"y": ys}, lambda p: lognorm(ys, p["z"]) - np.sum(np.diff(p["z"], 2) ** 2) / 2
    )


def test_a_constant_factor_counts() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.Integer(7)))
    agrees(model, {"mu": 0.1}, {}, lambda p: lognorm(p["mu"]) + 7)


def test_piecewise_and_extremes() -> None:
    ramp = sp.Piecewise((x[n], x[n] > 0), (x[n] / 10, True))
    clipped = sp.Max(sp.Min(x[n], 1), -1, beta / 2)
    step = sp.Piecewise((mu, (x[n] > 1) & (x[n] < 2)), (2 * mu, sp.Or(x[n] < -1, x[n] > 2)), (beta, True))
    model = sa.Model.of(sa.normal(y[n], ramp + clipped + step, 1), observed=[y])
    ys, xs = RNG.normal(size=7), np.array([-2.0, -0.5, 0.4, 0.9, 1.5, 3.0, -1.2])

    def oracle(p):
        extra = [p["mu"] if 1 < a < 2 else 2 * p["mu"] if a < -1 or a > 2 else p["beta"] for a in xs]
        limits = np.maximum(np.clip(xs, -1, 1), p["beta"] / 2)
        return lognorm(ys, np.where(xs > 0, xs, xs / 10) + limits + np.array(extra))

    agrees(model, {"mu": 0.7, "beta": -0.3}, {"x": xs, "y": ys}, oracle)


# ------------------------------------------------------------------------------------------------ mixtures and vectors


def test_a_mixture_of_pairs() -> None:
    weight = sp.Symbol("weight", positive=True)
    law = sa.mixture(y[n], (weight, sa.normal(y[n], mu, 1)), (1 - weight, sa.student_t(y[n], 4, -mu, tau)))
    model = sa.Model.of(sa.normal(mu, 0, 2), law, observed=[y])
    ys = RNG.normal(size=5)

    def oracle(p):
        parts = p["weight"] * stats.norm.pdf(ys, p["mu"]) + (1 - p["weight"]) * stats.t.pdf(ys, 4, -p["mu"], p["tau"])
        return lognorm(p["mu"], 0, 2) + np.log(parts).sum()

    agrees(model, {"mu": 1.1, "tau": 0.6, "weight": 0.3}, {"y": ys}, oracle)


def test_a_mixture_of_three_with_numbers_as_weights() -> None:
    parts = [(0.5, sa.normal(y[n], mu, 1)), (0.25, sa.normal(y[n], 3, 2)), (0.25, sa.cauchy(y[n], x[n], 1))]
    model = sa.Model.of(sa.mixture(y[n], *parts), observed=[y])
    ys, xs = RNG.normal(size=5), RNG.normal(size=5)

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


def test_a_mixture_over_a_plate() -> None:
    share, centre = sa.arrays("share", positive=True), sa.arrays("centre")
    model = sa.Model.of(
        sa.normal(centre[k], 0, 3), sa.mixture(y[n], share[k], sa.normal(y[n], centre[k], tau)), observed=[y]
    )
    ys, shares = RNG.normal(size=6), RNG.dirichlet(np.ones(5))

    def oracle(p):
        parts = shares * stats.norm.pdf(ys[:, None], p["centre"], p["tau"])
        return lognorm(p["centre"], 0, 3) + np.log(parts.sum(1)).sum()

    agrees(model, {"centre": RNG.normal(size=5), "tau": 0.7}, {"y": ys, "share": shares}, oracle)


@pytest.mark.parametrize("terms", [3, 4])
def test_log_of_a_sum_of_exponentials_with_whole_number_weights(terms: int) -> None:
    a = sp.symbols("a0:4", real=True)
    inner = 2 * sp.exp(a[0]) + sp.exp(a[1]) + (sp.exp(a[2]) if terms == 4 else 0) + 1
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.log(inner)))
    names = [f"a{m}" for m in range(terms - 1)]

    def oracle(p):
        weights = [2.0, 1.0, 1.0]
        return lognorm(p["mu"]) + np.log(1 + sum(weights[m] * np.exp(p[name]) for m, name in enumerate(names)))

    agrees(model, {"mu": 0.1, **{name: RNG.normal() for name in names}}, {}, oracle)


def test_log_sum_exp_over_a_plate_does_not_overflow() -> None:
    model = sa.Model.of(sa.normal(y[n], sp.log(Sum(sp.exp(z[n, k]), k)), 1), observed=[y])
    ys = RNG.normal(size=2)
    position = {"z": RNG.normal(size=(2, 5)) + np.array([[800.0], [-800.0]])}
    agrees(model, position, {"y": ys}, lambda p: lognorm(ys, special.logsumexp(p["z"], axis=1)))


def covariance(xs, length, scale, noise):
    return scale**2 * np.exp(-((xs[:, None] - xs) ** 2) / (2 * length**2)) + noise * np.eye(len(xs))


def test_a_gaussian_process_with_latent_hyperparameters() -> None:
    length, scale = sp.symbols("length scale", positive=True)
    a, b = sa.plate("a", 6), sa.plate("b", 6)
    kernel = scale**2 * sp.exp(-((x[a] - x[b]) ** 2) / (2 * length**2)) + sp.KroneckerDelta(a, b) / 10
    model = sa.Model.of(
        sa.log_normal(length, 0, 1), sa.half_normal(scale, 1), sa.multivariate_normal(y[a], mu, kernel), observed=[y]
    )
    xs, ys = RNG.normal(size=6), RNG.normal(size=6)

    def oracle(p):
        prior = stats.lognorm.logpdf(p["length"], 1) + stats.halfnorm.logpdf(p["scale"])
        k = covariance(xs, p["length"], p["scale"], 0.1)
        return prior + stats.multivariate_normal.logpdf(ys, np.full(6, p["mu"]), k)

    agrees(model, {"length": 0.8, "scale": 1.3, "mu": 0.2}, {"x": xs, "y": ys}, oracle)


@pytest.mark.parametrize("batched", ["the value", "value and covariance"])
def test_multivariate_normals_in_a_batch(batched: str) -> None:
    a, b = sa.plate("a", 4), sa.plate("b", 4)
    scale = sigma[n] if batched == "value and covariance" else tau
    kernel = scale * sp.exp(-sp.Abs(x[a] - x[b])) + sp.KroneckerDelta(a, b)
    model = sa.Model.of(sa.multivariate_normal(y[n, a], z[n] * w[a], kernel), observed=[y])
    xs, ys = RNG.normal(size=4), RNG.normal(size=(3, 4))

    def oracle(p):
        scales = p["sigma"] if batched == "value and covariance" else np.full(3, p["tau"])
        return sum(
            stats.multivariate_normal.logpdf(
                ys[m], p["z"][m] * p["w"], scales[m] * np.exp(-np.abs(xs[:, None] - xs)) + np.eye(4)
            )
            for m in range(3)
        )

    scales = {"sigma": RNG.uniform(0.5, 2, size=3)} if batched == "value and covariance" else {"tau": 1.4}
    agrees(model, {"z": RNG.normal(size=3), "w": RNG.normal(size=4), **scales}, {"x": xs, "y": ys}, oracle)


def test_a_latent_multivariate_normal() -> None:
    a, b = sa.plate("a", 4), sa.plate("b", 4)
    K = sa.arrays("K")
    model = sa.Model.of(sa.multivariate_normal(z[a], 0, K[a, b]), sa.poisson(y[a], sp.exp(z[a])), observed=[y])
    matrix = covariance(RNG.normal(size=4), 1.0, 1.0, 0.2)
    ys = np.array([0, 2, 1, 5])
    agrees(
        model,
        {"z": RNG.normal(size=4)},
        {"y": ys, "K": matrix},
        lambda p: (
            stats.multivariate_normal.logpdf(p["z"], np.zeros(4), matrix)
            + stats.poisson.logpmf(ys, np.exp(p["z"])).sum()
        ),
    )


def test_a_dirichlet() -> None:
    share, a = sa.arrays("share concentration", positive=True)
    model = sa.Model.of(sa.dirichlet(share[n, k], a[k]), sa.categorical(y[i], share[0, k]), observed=[y])
    ys, at = np.array([0, 4, 2]), RNG.dirichlet(np.ones(5), size=2)
    logp = sa.log_density(model, {"y": ys, "concentration": np.arange(1.0, 6.0)})
    expected = sum(stats.dirichlet.logpdf(row, np.arange(1.0, 6.0)) for row in at) + np.log(at[0, ys]).sum()
    assert float(jax.jit(logp)({"share": at})) == pytest.approx(expected, rel=1e-11)


# --------------------------------------------------------------------------------------------------- discrete and data


def test_categorical_with_softmax() -> None:
    logits = Sum(x[n, j] * W[j, k], j)
    model = sa.Model.of(
        sa.normal(W[j, k], 0, 1), sa.categorical(y[n], sp.exp(logits) / Sum(sp.exp(logits), k)), observed=[y]
    )
    xs, ys = RNG.normal(size=(6, 4)), np.array([0, 4, 2, 2, 1, 3])
    agrees(
        model,
        {"W": RNG.normal(size=(4, 5))},
        {"x": xs, "y": ys},
        lambda p: lognorm(p["W"]) + special.log_softmax(xs @ p["W"], axis=1)[np.arange(6), ys].sum(),
    )


def test_categorical_with_given_probabilities() -> None:
    p_ = sa.arrays("p", positive=True)
    model = sa.Model.of(sa.categorical(y[n], p_[n, k]), observed=[y])
    ys = np.array([0, 4, 2])
    at = RNG.dirichlet(np.ones(5), size=3)
    agrees(model, {"p": at}, {"y": ys}, lambda p: np.log(p["p"][np.arange(3), ys]).sum())


@pytest.mark.parametrize("dtype", [int, float, np.int32, np.uint8, bool])
def test_bernoulli_takes_data_of_any_type(dtype: type) -> None:
    model = sa.Model.of(sa.normal(beta, 0, 1), sa.bernoulli(y[n], sa.sigmoid(beta * x[n])), observed=[y])
    xs, ys = RNG.normal(size=6), np.array([0, 1, 1, 0, 1, 0])
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


def test_poisson_and_binomial_with_whole_numbers() -> None:
    c, m = sa.arrays("c", integer=True), sa.arrays("m", integer=True, nonnegative=True)
    model = sa.Model.of(
        sa.poisson(c[n], sp.exp(mu + beta * x[n])), sa.binomial(y[n], m[n], sa.sigmoid(mu)), observed=[c, y]
    )
    xs, cs, ms = RNG.normal(size=4), np.array([0, 3, 1, 7]), np.array([5, 3, 1, 9])
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


# ---------------------------------------------------------------------------------------------------- supports and flat


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


def test_a_latent_support_may_depend_on_a_parent() -> None:
    lower = sp.Symbol("lower", real=True)
    model = sa.Model.of(
        sa.normal(lower, 0, 1), sa.uniform(z[n], lower, lower + w[n]), sa.normal(y[n], z[n], 1), observed=[y]
    )
    ys, ws = RNG.normal(size=2), np.array([1.0, 2.0])
    agrees(
        model,
        {"lower": 0.3, "z": np.array([0.9, 1.9])},
        {"y": ys, "w": ws},
        lambda p: lognorm(p["lower"]) - np.log(ws).sum() + lognorm(ys, p["z"]),
    )
    logp = sa.log_density(model, {"y": ys, "w": ws})
    assert logp({"lower": 0.3, "z": np.array([1.4, 1.9])}) == -np.inf


def test_a_flat_prior_adds_nothing() -> None:
    model = sa.Model.of(sa.flat(mu), sa.flat(tau), sa.normal(y[n], mu, tau), observed=[y])
    ys = RNG.normal(size=4)
    agrees(model, {"mu": 0.3, "tau": 0.9}, {"y": ys}, lambda p: lognorm(ys, p["mu"], p["tau"]))
    assert sa.log_density(model, {"y": ys})({"mu": 0.3, "tau": -1.0}) == -np.inf


def test_inputs_may_be_data_or_stay_in_the_position() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(y[n], mu + beta, tau), observed=[y])
    ys = RNG.normal(size=3)
    oracle = lambda p: lognorm(p["mu"]) + lognorm(ys, p["mu"] + 0.4, 0.7)  # noqa: E731
    agrees(model, {"mu": 0.2}, {"y": ys, "beta": 0.4, "tau": 0.7}, oracle)
    whole = lambda p: lognorm(p["mu"]) + lognorm(ys, p["mu"] + p["beta"], p["tau"])  # noqa: E731
    agrees(model, {"mu": 0.2, "beta": 0.4, "tau": 0.7}, {"y": ys}, whole)


# ----------------------------------------------------------------------------------------------- names, text, functions


NAMES = [
    "read", "check", "lengths", "lp", "inside", "data", "position", "values", "lambda", "print", "jnp", "lax", "step",
    "SIZES", "SHAPES", "INDICES", "mixed", "special", "size_n", "k", "unknown", "missing", "uniform", "random", "key",
    "keys", "sizes", "log_density", "prepare", "θ", "2x", "__class__", "x; import os", 'a"""b', "a\\b", "a\nb", "holds",
    "exponents", "carry", "inputs", "name", "float", "wow'", "discrete_quantile", "correlated", "normal_log_density",
]  # fmt: skip


def test_any_name_may_be_a_variable() -> None:
    """Whatever variables are called, they are the variables: in the density, the generator and the sampler."""
    counts, total = sa.arrays("counts", integer=True), sp.Symbol("total", real=True)
    variables = [sp.Symbol(name, real=True) for name in NAMES]
    parts = [(0.5, sa.normal(y[n], total, 1)), (0.25, sa.normal(y[n], 0, 2)), (0.25, sa.cauchy(y[n], variables[0], 1))]
    model = sa.Model.of(
        *(sa.normal(variable, number, 1e-3) for number, variable in enumerate(variables)),
        sa.deterministic(total, sum((1 + number) * variable for number, variable in enumerate(variables)) / 1000),
        sa.poisson(counts[n], sp.exp(variables[NAMES.index("k")] / 6)),
        sa.mixture(y[n], *parts),
        observed=[y, counts],
    )
    ys, cs, means = np.array([0.1, 0.2]), np.array([1, 2]), np.arange(len(NAMES))
    totalled, rate = np.sum((1 + means) * means) / 1000, np.exp(NAMES.index("k") / 6)
    density = 0.5 * stats.norm.pdf(ys, totalled) + 0.25 * stats.norm.pdf(ys, 0, 2) + 0.25 * stats.cauchy.pdf(ys)
    expected = lognorm(means, means, 1e-3) + np.log(density).sum() + stats.poisson.logpmf(cs, rate).sum()
    position = {name: float(number) for number, name in enumerate(NAMES)}
    assert float(sa.log_density(model, {"y": ys, "counts": cs})(position)) == pytest.approx(expected, rel=1e-12)
    assert float(sa.generate(model)(position)["total"]) == pytest.approx(totalled, rel=1e-12)
    draw = sa.sample_prior(model, {"counts": np.zeros(400)})(jax.random.key(0))
    assert abs(float(draw["counts"].mean()) - rate) < 5 * np.sqrt(rate / 400)
    np.testing.assert_allclose([float(draw[name]) for name in NAMES], means, atol=0.01)


def test_an_unknown_function_is_refused_by_name() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.zeta(mu)))
    with pytest.raises(sa.UnknownFunction, match="zeta"):
        sa.to_source(model)


def test_the_source_does_not_grow_with_a_plate() -> None:
    def source(size: int) -> str:
        m = sa.plate("m", size)
        return sa.to_source(
            sa.auxiliary(
                sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z[m], mu, 1), sa.normal(y[m], z[m], 1), observed=[y])
            ).after
        )

    small, large = source(10), source(10_000_000)
    assert large.replace("10000000", "10") == small


def test_generated_source_imports_only_jax() -> None:
    import ast

    model = sa.Model.of(sa.normal(z[n], 0, 1), sa.poisson(y[n], sp.exp(z[n])), observed=[y])
    imported = set()
    for node in ast.walk(ast.parse(sa.to_source(model))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported == {"jax"}


FUNCTIONS = [
    (sp.exp, np.exp, (-1, 1)), (sp.log, np.log, (0.1, 3)), (sp.sin, np.sin, (-2, 2)), (sp.cos, np.cos, (-2, 2)),
    (sp.tan, np.tan, (-1, 1)), (sp.asin, np.arcsin, (-0.9, 0.9)), (sp.acos, np.arccos, (-0.9, 0.9)),
    (sp.atan, np.arctan, (-2, 2)), (sp.sinh, np.sinh, (-2, 2)), (sp.cosh, np.cosh, (-2, 2)), (sp.tanh, np.tanh, (-2, 2)),
    (sp.asinh, np.arcsinh, (-2, 2)), (sp.acosh, np.arccosh, (1.1, 3)), (sp.atanh, np.arctanh, (-0.9, 0.9)),
    (sp.cot, lambda t: 1 / np.tan(t), (0.2, 1.4)), (sp.sec, lambda t: 1 / np.cos(t), (-1, 1)),
    (sp.csc, lambda t: 1 / np.sin(t), (0.2, 1.4)), (sp.sech, lambda t: 1 / np.cosh(t), (-2, 2)), (sp.Abs, np.abs, (0.1, 2)),
    (sp.sqrt, np.sqrt, (0.1, 3)), (sp.erf, special.erf, (-2, 2)), (sp.erfc, special.erfc, (-2, 2)),
    (sp.erfinv, special.erfinv, (-0.9, 0.9)), (sp.gamma, special.gamma, (0.3, 4)), (sp.loggamma, special.gammaln, (0.3, 4)),
    (sp.digamma, special.digamma, (0.3, 4)), (sp.factorial, lambda t: special.gamma(t + 1), (0.3, 4)),
    (lambda t: sp.polygamma(1, t), lambda t: special.polygamma(1, t), (0.3, 4)),
    (lambda t: sp.besseli(0, t), special.i0, (0.2, 3)), (lambda t: sp.log(sp.besseli(1, t)), lambda t: np.log(special.i1(t)), (0.2, 3)),
    (lambda t: sp.beta(t, 2), lambda t: special.beta(t, 2), (0.3, 4)), (lambda t: sp.atan2(t, 2), lambda t: np.arctan2(t, 2), (-2, 2)),
    (sa.ndtr, special.ndtr, (-3, 3)), (sa.ndtri, special.ndtri, (0.05, 0.95)), (sa.log_ndtr, special.log_ndtr, (-3, 3)),
    (sa.softplus, lambda t: np.logaddexp(0, t), (-3, 3)), (sa.sigmoid, special.expit, (-3, 3)),
    (lambda t: t**sp.Rational(-3, 2), lambda t: t**-1.5, (0.4, 2)), (lambda t: 2**t, lambda t: 2.0**t, (-2, 2)),
    (lambda t: t**t, lambda t: t**t, (0.4, 2)), (lambda t: (t - 3) ** 3, lambda t: (t - 3) ** 3, (-2, 2)),
    (lambda t: -((t - 1) ** -2) / (t + 5), lambda t: -((t - 1) ** -2.0) / (t + 5), (-2, 0.5)),
    (lambda t: sp.Heaviside(t) * t, lambda t: np.heaviside(t, 0.5) * t, (0.2, 2)),
    (lambda t: sp.sign(t) * t, lambda t: np.abs(t), (0.2, 2)),
    (lambda t: sp.floor(t) * t, lambda t: np.floor(t) * t, (0.2, 0.9)),
    (lambda t: sp.ceiling(t) * t, lambda t: np.ceil(t) * t, (0.2, 0.9)),
]  # fmt: skip


def test_every_function_of_the_table_against_scipy() -> None:
    """One model holds them all, so that they compile once."""
    t = sa.arrays("t")
    statements, position = [], {}
    for number, (make, _, (low, high)) in enumerate(FUNCTIONS):
        statements.append(sa.factor(make(sp.Symbol(f"t{number}", real=True)) / (number + 1)))
        position[f"t{number}"] = RNG.uniform(low, high)
    model = sa.Model.of(sa.normal(t[n], 0, 1), *statements)
    for number, (_, known, _) in enumerate(FUNCTIONS):
        assert np.isfinite(known(position[f"t{number}"]))

    def oracle(p):
        parts = [known(p[f"t{number}"]) / (number + 1) for number, (_, known, _) in enumerate(FUNCTIONS)]
        return lognorm(p["t"]) + float(sum(parts))

    agrees(model, {"t": np.zeros(2), **position}, {}, oracle, rtol=1e-10)


def test_a_skew_normal_keeps_its_digits_in_the_tail() -> None:
    slant = sp.Symbol("slant", real=True)
    model = sa.Model.of(sa.skew_normal(y[n], 0, 1, slant), observed=[y])
    ys = np.array([-30.0, 8.0])

    def oracle(p):
        return np.sum(np.log(2) + stats.norm.logpdf(ys) + special.log_ndtr(p["slant"] * ys))

    agrees(model, {"slant": 3.0}, {"y": ys}, oracle)
