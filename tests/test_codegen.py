"""Generated log-densities against numpy written by hand: plates, contractions and gathers."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from oracle import agrees
from scipy import stats
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
    from symaux.formulas.symbols.indices import extent

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
    assert 'jnp.einsum("ik,nk->ni", W, z)' in source
    assert "for " not in source.split("def log_density")[1].split("def sample_prior")[0].replace('"""The values of', "")


def test_a_sum_over_part_of_a_plate_is_refused() -> None:
    with pytest.raises(sa.ModelError, match="a sum runs over a whole plate"):
        sa.Model.of(sa.normal(y[n], Sum(w[k], (k, 1, 3)), 1), observed=[y])


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


def test_a_mixture_with_numbers_for_weights_takes_arrays() -> None:
    """Weights are numbers while exponents have axes: they are laid out together."""
    import jax.numpy as jnp

    from symaux.codegen.library.arrays import mixed

    seen = mixed([jnp.linspace(-1.0, 1.0, 5), 0.5], [0.25, 0.75])
    assert np.allclose(seen, np.log(0.25 * np.exp(np.linspace(-1, 1, 5)) + 0.75 * np.exp(0.5)))


def test_the_number_of_an_element_may_stand_beside_one_noise() -> None:
    aux = sa.auxiliary(sa.parse("plate i[3]\nm ~ normal(0, 1)\nz[i] ~ kumaraswamy(2, exp(m + i))"))
    assert " agree at 3 " in str(aux.verify()) and aux.after.latents == ("m", "eps_z")


def test_a_sum_of_numbers_over_a_plate_is_added_as_it_stands() -> None:
    """It reads nothing, so sympy calls it a number; it was looked for in itself without end."""
    t = sa.plate("t", 4)
    total = sp.tanh(sp.Sum(sp.tanh(sp.Rational(1, 3)), t)) + 1
    x = sp.Symbol("x", real=True)
    y = sp.Symbol("y", real=True)
    model = sa.Model.of(sa.deterministic(y, total), sa.normal(x, y, 1))
    assert float(sa.generate(model)({"x": 0.0})["y"]) == pytest.approx(np.tanh(4 * np.tanh(1 / 3)) + 1, rel=1e-6)


def test_a_number_whose_sign_sympy_does_not_know_keeps_it() -> None:
    z, d = sp.symbols("z d", real=True)
    factor = sp.log(2) - sp.sin(1) * sp.besseli(0, 2)
    assert factor.is_negative is None and factor.evalf() < 0
    model = sa.Model.of(sa.normal(z, 0, 1), sa.deterministic(d, factor * sp.exp(z)))
    assert float(sa.generate(model)({"z": 0.0})["d"]) == pytest.approx(float(factor), rel=1e-6)
