"""Generated log-densities against numpy written by hand: plates, axes and broadcasting."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy import stats
from support.oracle import agrees, lognorm
from sympy import Sum

import symaux as sa

mu, beta, x0 = sp.symbols("mu beta x0", real=True)
tau, s = sp.symbols("tau s", positive=True)
z, y, x, w, v = sa.arrays("z y x w v")
W, V, U, T = sa.arrays("W V U T")
alpha, gamma = sa.arrays("alpha gamma")
sigma = sa.arrays("sigma", positive=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


def test_a_plate_is_summed_and_scalars_broadcast(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(mu, 0, 5), sa.normal(z[j], mu, tau), sa.normal(y[j], z[j], sigma[j]), observed=[y])
    data = {"y": rng.normal(size=4), "sigma": rng.uniform(0.5, 2, size=4)}
    agrees(
        model,
        {"mu": 0.3, "z": rng.normal(size=4), "tau": 1.7},
        data,
        lambda p: (
            lognorm(p["mu"], 0, 5) + lognorm(p["z"], p["mu"], p["tau"]) + lognorm(data["y"], p["z"], data["sigma"])
        ),
    )


def test_several_plates_with_operands_along_some_of_them(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(z[n, j, i], alpha[j] * w[n] + gamma[i], V[i, n]), observed=[z])
    data = {"z": rng.normal(size=(2, 4, 3)), "V": rng.uniform(0.5, 1.5, size=(3, 2))}
    agrees(
        model,
        {"alpha": rng.normal(size=4), "w": rng.normal(size=2), "gamma": rng.normal(size=3)},
        data,
        lambda p: sum(
            stats.norm.logpdf(data["z"][b, c, d], p["alpha"][c] * p["w"][b] + p["gamma"][d], data["V"][d, b])
            for b in range(2)
            for c in range(4)
            for d in range(3)
        ),
    )


@pytest.mark.parametrize("transposed", [False, True])
def test_an_operand_may_be_transposed(transposed: bool, rng: np.random.Generator) -> None:
    a, b = sa.plate("a", 3), sa.plate("b", 3)
    operand = W[b, a] if transposed else W[a, b]
    model = sa.Model.of(sa.normal(y[a, b], sp.tanh(operand) + operand**2, 1), observed=[y])
    ys = rng.normal(size=(3, 3))

    def oracle(p):
        matrix = p["W"].T if transposed else p["W"]
        return lognorm(ys, np.tanh(matrix) + matrix**2)

    agrees(model, {"W": rng.normal(size=(3, 3))}, {"y": ys}, oracle)


def test_three_axes_in_another_order(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[i, j, k], sp.sin(U[k, i, j]) * V[j, k], 1), observed=[y])
    ys = rng.normal(size=(3, 4, 5))
    agrees(
        model,
        {"U": rng.normal(size=(5, 3, 4)), "V": rng.normal(size=(4, 5))},
        {"y": ys},
        lambda p: lognorm(ys, np.sin(np.transpose(p["U"], (1, 2, 0))) * p["V"]),
    )


def test_a_repeated_plate_is_a_diagonal(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[i, n], W[i, i] + V[i, n, i], 1), observed=[y])
    ys = rng.normal(size=(3, 2))
    agrees(
        model,
        {"W": rng.normal(size=(3, 3)), "V": rng.normal(size=(3, 2, 3))},
        {"y": ys},
        lambda p: sum(stats.norm.logpdf(ys[a, b], p["W"][a, a] + p["V"][a, b, a]) for a in range(3) for b in range(2)),
    )


def test_a_plate_may_be_used_as_a_number(rng: np.random.Generator) -> None:
    dt = sp.Symbol("dt", positive=True)
    model = sa.Model.of(sa.normal(y[n], mu + beta * n * dt, 1), observed=[y])
    ys = rng.normal(size=6)
    agrees(
        model,
        {"mu": 0.2, "beta": -0.7, "dt": 0.1},
        {"y": ys},
        lambda p: lognorm(ys, p["mu"] + p["beta"] * np.arange(6) * p["dt"]),
    )


def test_the_size_of_a_plate_may_stand_in_a_formula(rng: np.random.Generator) -> None:
    from symaux.formulas.symbols.indices import extent

    model = sa.Model.of(sa.normal(y[n], Sum(x[n], n) / extent(n), 1), observed=[y])
    ys = rng.normal(size=7)
    agrees(model, {"x": rng.normal(size=7)}, {"y": ys}, lambda p: lognorm(ys, np.mean(p["x"])))


def test_a_law_that_depends_on_no_plate_counts_every_element(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.uniform(z[i, n], -2, 2), sa.normal(y[n], Sum(z[i, n], i), 1), observed=[y])
    ys = rng.normal(size=2)
    agrees(
        model,
        {"z": rng.uniform(-1, 1, size=(3, 2))},
        {"y": ys},
        lambda p: -6 * np.log(4) + lognorm(ys, p["z"].sum(0)),
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


def test_a_number_whose_sign_sympy_does_not_know_keeps_it() -> None:
    z, d = sp.symbols("z d", real=True)
    factor = sp.log(2) - sp.sin(1) * sp.besseli(0, 2)
    assert factor.is_negative is None and factor.evalf() < 0
    model = sa.Model.of(sa.normal(z, 0, 1), sa.deterministic(d, factor * sp.exp(z)))
    assert float(sa.generate(model)({"z": 0.0})["d"]) == pytest.approx(float(factor), rel=1e-6)
