"""Generated gathers and fixed indices against numpy written by hand."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from support.oracle import agrees, lognorm
from sympy import Sum

import symaux as sa

mu, beta, x0 = sp.symbols("mu beta x0", real=True)
tau, s = sp.symbols("tau s", positive=True)
z, y, x, w, v = sa.arrays("z y x w v")
W, V, U, T = sa.arrays("W V U T")
alpha, gamma = sa.arrays("alpha gamma")
county, region, group = sa.arrays("county region group", integer=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


def test_fixed_indices_read_one_element(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[i], W[2, i] + W[0, 1] * x[4], sp.exp(V[i, 0])), observed=[y])
    ys = rng.normal(size=3)
    agrees(
        model,
        {"W": rng.normal(size=(3, 3)), "V": rng.normal(size=(3, 2)), "x": rng.normal(size=6)},
        {"y": ys},
        lambda p: lognorm(ys, p["W"][2] + p["W"][0, 1] * p["x"][4], np.exp(p["V"][:, 0])),
    )


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
def test_gathers(case: str, rng: np.random.Generator) -> None:
    loc, expected = GATHERS[case]
    model = sa.Model.of(sa.normal(y[n], loc, 1), observed=[y])
    ys = rng.normal(size=6)
    indices = {"county": COUNTY, "region": REGION, "group": REGION[COUNTY]}
    shapes = {"alpha": (4,), "gamma": (2,), "W": (4, 4), "V": (6, 4), "x": (6,), "U": (4, 5), "z": (6, 5), "v": (5,)}
    shapes |= {"T": (5, 4)}
    data = {"y": ys} | {name: value for name, value in indices.items() if name in model.inputs}
    position = {name: rng.normal(size=shapes[name]) for name in model.inputs if name not in indices}
    agrees(model, position, data, lambda p: lognorm(ys, expected(p)))


@pytest.mark.parametrize("order", ["gather first", "plate first"])
def test_a_gather_with_other_axes(order: str, rng: np.random.Generator) -> None:
    first = order == "gather first"
    element = W[county[n], k] if first else W[k, county[n]]
    model = sa.Model.of(sa.normal(y[n, k], element, 1), observed=[y])
    ys = rng.normal(size=(6, 5))
    agrees(
        model,
        {"W": rng.normal(size=(4, 5) if first else (5, 4))},
        {"y": ys, "county": COUNTY},
        lambda p: lognorm(ys, p["W"][COUNTY] if first else p["W"][:, COUNTY].T),
    )


def test_a_gather_by_a_scalar(rng: np.random.Generator) -> None:
    pick = sp.Symbol("pick", integer=True)
    model = sa.Model.of(sa.normal(y[n], alpha[pick], 1), observed=[y])
    ys = rng.normal(size=3)
    agrees(model, {"alpha": rng.normal(size=4)}, {"y": ys, "pick": 2}, lambda p: lognorm(ys, p["alpha"][2]))


def test_an_index_array_may_also_be_a_number(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[n], alpha[county[n]] + beta * county[n], 1), observed=[y])
    ys = rng.normal(size=6)
    agrees(
        model,
        {"alpha": rng.normal(size=4), "beta": 0.4},
        {"y": ys, "county": COUNTY},
        lambda p: lognorm(ys, p["alpha"][COUNTY] + p["beta"] * COUNTY),
    )


def test_an_index_array_may_come_as_floats(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(y[n], alpha[county[n]], 1), observed=[y])
    ys = rng.normal(size=6)
    data = {"y": ys, "county": COUNTY.astype(float)}
    agrees(model, {"alpha": rng.normal(size=4)}, data, lambda p: lognorm(ys, p["alpha"][COUNTY]))


def test_a_gather_in_a_latent_prior(rng: np.random.Generator) -> None:
    c = sa.plate("c", 4)
    model = sa.Model.of(
        sa.normal(gamma[sa.plate("r", 2)], 0, 1),
        sa.normal(alpha[c], gamma[region[c]], tau),
        sa.normal(y[n], alpha[county[n]], 1),
        observed=[y],
    )
    ys = rng.normal(size=6)
    agrees(
        model,
        {"alpha": rng.normal(size=4), "gamma": rng.normal(size=2), "tau": 0.8},
        {"y": ys, "county": COUNTY, "region": REGION},
        lambda p: (
            lognorm(p["gamma"]) + lognorm(p["alpha"], p["gamma"][REGION], p["tau"]) + lognorm(ys, p["alpha"][COUNTY])
        ),
    )
