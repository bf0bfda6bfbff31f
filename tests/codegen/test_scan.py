"""Recursions over time against Python loops: lags, several chains, time on any axis, and what is computed outside."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from support.oracle import agrees, lognorm
from sympy import Sum

import symaux as sa

phi, mu, a0 = sp.symbols("phi mu a0", real=True)
s, q = sp.symbols("s q", positive=True)
z, y, x, h, u = sa.arrays("z y x h u")
W, B = sa.arrays("W B")
t, n, i, k = sa.plate("t", 6), sa.plate("n"), sa.plate("i", 3), sa.plate("k", 3)


def generated(model: sa.Model, position: dict, data: dict | None = None) -> dict:
    return jax.jit(sa.generate(model, data))({k: jnp.asarray(v, dtype=float) for k, v in position.items()})


def rewritten_whole(model: sa.Model) -> sa.Model:
    return sa.auxiliary(model, keep_roots=False).after


# -------------------------------------------------------------------------------- the original: one shifted expression


def test_a_lagged_law_is_one_shifted_array_expression(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, s), sa.normal(z[t], phi * z[t - 1], q), sa.normal(y[t], z[t], 1), observed=[y]
    )
    ys = rng.normal(size=6)
    agrees(
        model,
        {"z": rng.normal(size=6), "phi": 0.8, "s": 1.5, "q": 0.7},
        {"y": ys},
        lambda p: (
            lognorm(p["z"][0], 0, p["s"]) + lognorm(p["z"][1:], p["phi"] * p["z"][:-1], p["q"]) + lognorm(ys, p["z"])
        ),
    )
    assert "scan" not in sa.to_source(model).split("def sample_prior")[0]


def test_an_observed_autoregression_conditions_on_its_start(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.flat(y[0]), sa.normal(y[t], phi * y[t - 1], s), observed=[y])
    ys = rng.normal(size=6)
    agrees(model, {"phi": 0.4, "s": 0.9}, {"y": ys}, lambda p: lognorm(ys[1:], p["phi"] * ys[:-1], p["s"]))


def test_an_observed_autoregression_of_symbolic_length(rng: np.random.Generator) -> None:
    time = sa.plate("time")
    model = sa.Model.of(
        sa.flat(y[0]), sa.flat(y[1]), sa.normal(y[time], phi * y[time - 1] + mu * y[time - 2], 1), observed=[y]
    )
    ys = rng.normal(size=9)
    agrees(
        model, {"phi": 0.4, "mu": 0.2}, {"y": ys}, lambda p: lognorm(ys[2:], p["phi"] * ys[1:-1] + p["mu"] * ys[:-2])
    )


def test_lags_of_a_variable_that_is_not_a_recursion(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(y[0, n], 0, 1), sa.normal(y[t, n], x[t - 1, n] + x[t, n] * phi + u[t], 1), observed=[y]
    )
    ys, xs, us = rng.normal(size=(6, 2)), rng.normal(size=(6, 2)), rng.normal(size=6)
    agrees(
        model,
        {"phi": 0.3},
        {"y": ys, "x": xs, "u": us},
        lambda p: lognorm(ys[0]) + lognorm(ys[1:], xs[:-1] + xs[1:] * p["phi"] + us[1:, None]),
    )


def test_the_general_statement_may_read_a_fixed_element(rng: np.random.Generator) -> None:
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], phi * z[t - 1] + z[0], 1), observed=[z])
    zs = rng.normal(size=6)
    agrees(model, {"phi": 0.4}, {"z": zs}, lambda p: lognorm(zs[0]) + lognorm(zs[1:], p["phi"] * zs[:-1] + zs[0]))


def test_a_gather_along_time_in_a_law(rng: np.random.Generator) -> None:
    season = sa.arrays("season", integer=True)
    model = sa.Model.of(
        sa.normal(y[0], 0, 1), sa.normal(y[t], y[t - 1] + x[season[t]] * u[season[t - 1]], 1), observed=[y]
    )
    ys, pick = rng.normal(size=6), np.array([0, 2, 1, 1, 0, 2])
    agrees(
        model,
        {"x": rng.normal(size=3), "u": rng.normal(size=3)},
        {"y": ys, "season": pick},
        lambda p: lognorm(ys[0]) + lognorm(ys[1:], ys[:-1] + p["x"][pick[1:]] * p["u"][pick[:-1]]),
    )


# ------------------------------------------------------------------------------------------- the auxiliary form: a scan


def check_scan(model: sa.Model, loop, position: dict, data: dict | None = None) -> None:
    """The generated z against a Python loop, in values and, under jit, in a derivative."""
    at = {name: np.asarray(value, dtype=float) for name, value in position.items()}
    made, expected = generated(model, at, data), loop(at)
    for name, value in expected.items():
        np.testing.assert_allclose(np.asarray(made[name]), value, rtol=1e-12, atol=1e-13)
    rng = np.random.default_rng(1927)
    direction = {name: rng.normal(size=value.shape) for name, value in at.items()}
    make = sa.generate(model, data)

    def squares(position):
        return sum(jnp.sum(jnp.square(make(position)[name])) for name in expected)

    slope = jax.jit(jax.grad(squares))(at)
    step = 1e-5
    ends = [
        sum(np.sum(v**2) for v in loop({n_: at[n_] + sign * step * direction[n_] for n_ in at}).values())
        for sign in (1, -1)
    ]
    total = sum(float(np.sum(np.asarray(slope[name]) * direction[name])) for name in at)
    np.testing.assert_allclose(total, (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_lags_of_any_order(order: int, rng: np.random.Generator) -> None:
    weights = sp.symbols(f"w1:{order + 1}", real=True)
    start = [sa.normal(z[m], mu * (m + 1), s) for m in range(order)]
    model = sa.Model.of(
        *start,
        sa.normal(z[t], sp.tanh(sum(w * z[t - m - 1] for m, w in enumerate(weights))), q),
        sa.normal(y[t], z[t], 1),
        observed=[y],
    )
    after = rewritten_whole(model)

    def loop(p):
        out = [p["mu"] * (m + 1) + p["s"] * p["eps_z"][m] for m in range(order)]
        for step in range(order, 6):
            past = sum(p[f"w{m + 1}"] * out[step - m - 1] for m in range(order))
            out.append(np.tanh(past) + p["q"] * p["eps_z"][step])
        return {"z": np.array(out)}

    position = {f"w{m + 1}": 0.5 / (m + 1) for m in range(order)} | {"mu": 0.3, "s": 1.2, "q": 0.4}
    check_scan(after, loop, position | {"eps_z": rng.normal(size=6)}, {"y": np.zeros(6)})
    ys = rng.normal(size=6)
    agrees(
        after,
        position | {"eps_z": rng.normal(size=6)},
        {"y": ys},
        lambda p: lognorm(p["eps_z"]) + lognorm(ys, loop(p)["z"]),
    )


def test_time_may_be_any_axis(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[n, 0, i], mu, s),
        sa.normal(z[n, t, i], sp.tanh(Sum(W[i, k] * z[n, t - 1, k], k)) + B[i, t] + u[n], q),
    )
    after = rewritten_whole(model)

    def loop(p):
        out = np.zeros((2, 6, 3))
        out[:, 0] = p["mu"] + p["s"] * p["eps_z"][:, 0]
        for m in range(1, 6):
            out[:, m] = np.tanh(out[:, m - 1] @ p["W"].T) + p["B"][:, m] + p["u"][:, None] + p["q"] * p["eps_z"][:, m]
        return {"z": out}

    shapes = {"eps_z": (2, 6, 3), "W": (3, 3), "B": (3, 6), "u": (2,), "mu": ()}
    check_scan(after, loop, {name: rng.normal(size=shape) for name, shape in shapes.items()} | {"s": 1.1, "q": 0.3})


def test_two_coupled_chains_share_one_scan(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, 1),
        sa.normal(h[0, i], z[0], 1),
        sa.normal(z[t], phi * z[t - 1] + Sum(h[t - 1, i], i), s),
        sa.normal(h[t, i], z[t] * h[t - 1, i] / 3, q),
    )
    after = rewritten_whole(model)

    def loop(p):
        zs, hs = np.zeros(6), np.zeros((6, 3))
        zs[0] = p["eps_z"][0]
        hs[0] = zs[0] + p["eps_h"][0]
        for m in range(1, 6):
            zs[m] = p["phi"] * zs[m - 1] + hs[m - 1].sum() + p["s"] * p["eps_z"][m]
            hs[m] = zs[m] * hs[m - 1] / 3 + p["q"] * p["eps_h"][m]
        return {"z": zs, "h": hs}

    check_scan(
        after, loop, {"eps_z": rng.normal(size=6), "eps_h": rng.normal(size=(6, 3)), "phi": 0.5, "s": 0.4, "q": 0.6}
    )
    assert (
        sa.to_source(after).split("def sample_prior")[0].count("lax.scan") == 2
    )  # one for the values and one for the derivative


def test_coupled_chains_with_different_numbers_of_first_elements(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, 1),
        sa.normal(z[1], z[0], 1),
        sa.normal(z[t], z[t - 2] + h[t - 1], 1),
        sa.normal(h[0], mu, 1),
        sa.normal(h[t], sp.tanh(h[t - 1]) + z[t], 1),
    )
    after = rewritten_whole(model)

    def loop(p):
        zs, hs = np.zeros(6), np.zeros(6)
        zs[0], zs[1] = p["eps_z"][0], p["eps_z"][0] + p["eps_z"][1]
        hs[0] = p["mu"] + p["eps_h"][0]
        hs[1] = np.tanh(hs[0]) + zs[1] + p["eps_h"][1]
        for m in range(2, 6):
            zs[m] = zs[m - 2] + hs[m - 1] + p["eps_z"][m]
            hs[m] = np.tanh(hs[m - 1]) + zs[m] + p["eps_h"][m]
        return {"z": zs, "h": hs}

    check_scan(after, loop, {"eps_z": rng.normal(size=6), "eps_h": rng.normal(size=6), "mu": 0.3})


def test_a_chain_that_reads_its_first_element_and_other_series(rng: np.random.Generator) -> None:
    """Lags of data, a plate used as a number, a gather and a branch inside one step."""
    season, up = sa.arrays("season", integer=True), sa.arrays("up")
    jump = sp.Piecewise((up[t], x[t - 1] > 0), (z[t - 1] * x[t], x[t] > 1), (u[season[t]], True))
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], jump + z[0] * t / 10 + x[t - 1] * z[t - 1], s))
    after = rewritten_whole(model)
    xs, pick = np.array([0.5, 1.4, -0.3, 2.0, -1.0, 0.2]), np.array([0, 1, 1, 2, 0, 2])

    def loop(p):
        zs = [p["eps_z"][0]]
        for m in range(1, 6):
            branch = p["up"][m] if xs[m - 1] > 0 else zs[-1] * xs[m] if xs[m] > 1 else p["u"][pick[m]]
            zs.append(branch + zs[0] * m / 10 + xs[m - 1] * zs[-1] + p["s"] * p["eps_z"][m])
        return {"z": np.array(zs)}

    position = {"eps_z": rng.normal(size=6), "up": rng.normal(size=6), "u": rng.normal(size=3), "s": 0.5}
    check_scan(after, loop, position, {"x": xs, "season": pick})


def test_a_branch_on_the_chain_itself(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, 1),
        sa.normal(z[t], sp.Piecewise((z[t - 1] / 2, z[t - 1] > x[t]), (sp.Max(z[t - 1], x[t]), True)), s),
    )
    after = rewritten_whole(model)

    def loop(p):
        zs = [p["eps_z"][0]]
        for m in range(1, 6):
            branch = zs[-1] / 2 if zs[-1] > p["x"][m] else max(zs[-1], p["x"][m])
            zs.append(branch + p["s"] * p["eps_z"][m])
        return {"z": np.array(zs)}

    check_scan(after, loop, {"eps_z": rng.normal(size=6), "x": rng.normal(size=6), "s": 0.5})


def test_a_deterministic_recursion_from_a_constant(rng: np.random.Generator) -> None:
    level = sa.arrays("level")
    model = sa.Model.of(
        sa.deterministic(level[0], 0),
        sa.deterministic(level[t], phi * level[t - 1] + x[t]),
        sa.normal(y[t], level[t], s),
        observed=[y],
    )
    ys, xs = rng.normal(size=6), rng.normal(size=6)

    def loop(p):
        out = [0.0]
        for m in range(1, 6):
            out.append(p["phi"] * out[-1] + xs[m])
        return {"level": np.array(out)}

    check_scan(model, loop, {"phi": 0.7, "s": 1.0}, {"x": xs, "y": ys})
    agrees(model, {"phi": 0.7, "s": 0.8}, {"x": xs, "y": ys}, lambda p: lognorm(ys, loop(p)["level"], p["s"]))


def test_a_deterministic_recursion_over_a_plate_from_a_constant() -> None:
    level = sa.arrays("level")
    model = sa.Model.of(
        sa.deterministic(level[i, 0], 1),
        sa.deterministic(level[i, t], level[i, t - 1] * phi),
        sa.normal(y[i, t], level[i, t], 1),
        observed=[y],
    )
    expected = np.broadcast_to(0.7 ** np.arange(6), (3, 6))
    check_scan(
        model, lambda p: {"level": np.broadcast_to(p["phi"] ** np.arange(6), (3, 6))}, {"phi": 0.7}, {"y": expected}
    )


def test_a_series_without_recursion_but_with_its_own_first_element(rng: np.random.Generator) -> None:
    level = sa.arrays("level")
    model = sa.Model.of(
        sa.deterministic(level[0], mu),
        sa.deterministic(level[1], 3),
        sa.deterministic(level[t], x[t] - x[t - 2]),
        sa.normal(y[t], level[t], 1),
        observed=[y],
    )
    ys, xs = rng.normal(size=6), rng.normal(size=6)

    def oracle(p):
        return lognorm(ys, np.concatenate([[p["mu"], 3.0], xs[2:] - xs[:-2]]))

    agrees(model, {"mu": 0.4}, {"x": xs, "y": ys}, oracle)


def test_a_series_of_vectors_without_recursion(rng: np.random.Generator) -> None:
    level = sa.arrays("level")
    model = sa.Model.of(
        sa.deterministic(level[i, 0], B[i, 0]),
        sa.deterministic(level[i, t], B[i, t] - B[i, t - 1]),
        sa.normal(y[i, t], level[i, t], 1),
        observed=[y],
    )
    ys = rng.normal(size=(3, 6))
    agrees(
        model,
        {"B": rng.normal(size=(3, 6))},
        {"y": ys},
        lambda p: lognorm(ys, np.concatenate([p["B"][:, :1], np.diff(p["B"], axis=1)], axis=1)),
    )


def test_a_chain_driven_by_a_static_latent_and_by_an_observed_series(rng: np.random.Generator) -> None:
    """Observed parents are data: they block nothing and move nothing."""
    model = sa.Model.of(
        sa.normal(mu, 0, 1),
        sa.normal(y[t], x[t], 1),
        sa.normal(z[0], mu, 1),
        sa.normal(z[t], mu + y[t - 1] * z[t - 1], 1),
        sa.normal(h[t], z[t], 1),
        observed=[y, h],
    )
    after = sa.auxiliary(model).after
    ys, hs, xs = rng.normal(size=6), rng.normal(size=6), rng.normal(size=6)

    def loop(p):
        zs = [p["mu"] + p["eps_z"][0]]
        for m in range(1, 6):
            zs.append(p["mu"] + ys[m - 1] * zs[-1] + p["eps_z"][m])
        return np.array(zs)

    agrees(
        after,
        {"mu": 0.3, "eps_z": rng.normal(size=6)},
        {"y": ys, "h": hs, "x": xs},
        lambda p: lognorm(p["mu"]) + lognorm(p["eps_z"]) + lognorm(ys, xs) + lognorm(hs, loop(p)),
    )


def test_stochastic_volatility(rng: np.random.Generator) -> None:
    """Kim, Shephard and Chib (1998): the log-variance is an autoregression that starts in equilibrium."""
    model = sa.Model.of(
        sa.normal(mu, 0, 1),
        sa.normal(h[0], mu, s / sp.sqrt(1 - phi**2)),
        sa.normal(h[t], mu + phi * (h[t - 1] - mu), s),
        sa.normal(y[t], 0, sp.exp(h[t] / 2)),
        observed=[y],
    )
    after = sa.auxiliary(model).after
    ys = rng.normal(size=6)

    def loop(p):
        out = [p["mu"] + p["s"] / np.sqrt(1 - p["phi"] ** 2) * p["eps_h"][0]]
        for m in range(1, 6):
            out.append(p["mu"] + p["phi"] * (out[-1] - p["mu"]) + p["s"] * p["eps_h"][m])
        return np.array(out)

    agrees(
        after,
        {"mu": 0.3, "eps_h": rng.normal(size=6), "phi": 0.9, "s": 0.4},
        {"y": ys},
        lambda p: lognorm(p["mu"]) + lognorm(p["eps_h"]) + lognorm(ys, 0, np.exp(loop(p) / 2)),
    )


def test_a_scan_compiles_once_for_any_length() -> None:
    def source(length: int) -> str:
        time = sa.plate("time", length)
        model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[time], sp.tanh(z[time - 1]), 1))
        return sa.to_source(rewritten_whole(model))

    assert source(1_000_000).replace("1000000", "10") == source(10)


def test_a_series_may_be_as_short_as_its_first_elements() -> None:
    time = sa.plate("time")
    model = sa.Model.of(
        sa.normal(z[0], 0, 1), sa.normal(z[time], z[time - 1], 1), sa.normal(y[time], z[time], 1), observed=[y]
    )
    after = rewritten_whole(model)
    agrees(after, {"eps_z": [0.4]}, {"y": [1.0]}, lambda p: lognorm(p["eps_z"]) + lognorm(1.0, p["eps_z"]))
