"""Generated sums against numpy written by hand: contractions are one einsum."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from support.oracle import agrees, lognorm
from sympy import Sum

import symaux as sa

mu, beta, x0 = sp.symbols("mu beta x0", real=True)
z, y, x, w, v = sa.arrays("z y x w v")
W, V, U, T = sa.arrays("W V U T")
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


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
def test_sums_contract(case: str, rng: np.random.Generator) -> None:
    loc, expected = CONTRACTIONS[case]
    model = sa.Model.of(sa.normal(y[i, n], loc, 1), observed=[y])
    ys = rng.normal(size=(3, 2))
    shapes = {"W": (3, 5), "z": (2, 5), "V": (5, 4), "U": (4, 2), "v": (5,), "mu": ()}
    position = {name: rng.normal(size=shapes[name]) for name in model.inputs}
    agrees(model, position, {"y": ys}, lambda p: lognorm(ys, expected(p)))


def test_a_contraction_is_one_einsum_and_never_a_loop() -> None:
    model = sa.Model.of(sa.normal(y[n, i], sp.tanh(Sum(W[i, k] * z[n, k], k)), 1), observed=[y])
    source = sa.to_source(model)
    assert 'jnp.einsum("ik,nk->ni", W, z)' in source
    assert "for " not in source.split("def log_density")[1].split("def sample_prior")[0].replace('"""The values of', "")


def test_a_sum_over_part_of_a_plate_is_refused() -> None:
    with pytest.raises(sa.ModelError, match="a sum runs over a whole plate"):
        sa.Model.of(sa.normal(y[n], Sum(w[k], (k, 1, 3)), 1), observed=[y])


def test_a_sum_of_numbers_over_a_plate_is_added_as_it_stands() -> None:
    """It reads nothing, so sympy calls it a number; it was looked for in itself without end."""
    t = sa.plate("t", 4)
    total = sp.tanh(sp.Sum(sp.tanh(sp.Rational(1, 3)), t)) + 1
    x = sp.Symbol("x", real=True)
    y = sp.Symbol("y", real=True)
    model = sa.Model.of(sa.deterministic(y, total), sa.normal(x, y, 1))
    assert float(sa.generate(model)({"x": 0.0})["y"]) == pytest.approx(np.tanh(4 * np.tanh(1 / 3)) + 1, rel=1e-6)
