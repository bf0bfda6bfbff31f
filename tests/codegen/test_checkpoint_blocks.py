"""Recursions in checkpointed blocks, with the terms that read them: the same numbers, and memory that grows with √T."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa

phi, mu = sp.symbols("phi mu", real=True)
s, q = sp.symbols("s q", positive=True)
z, y, u, h, v, w, x, g, b = sa.arrays("z y u h v w x g b")
t, n, k = sa.plate("t"), sa.plate("n"), sa.plate("k", 3)
AR = (sa.normal(z[0], 0, s), sa.normal(z[t], mu + phi * z[t - 1], q))
MODELS = {
    "a chain": [*AR, sa.normal(y[t], z[t], 1)],
    "two steps back": [
        sa.normal(z[0], 0, 1),
        sa.normal(z[1], z[0], 1),
        sa.normal(z[t], phi * z[t - 1] - z[t - 2] / 3, q),
        sa.normal(y[t], sp.sin(z[t]), s),
    ],
    "volatility through a variable": [*AR, sa.deterministic(h[t], sp.exp(z[t] / 2)), sa.normal(y[t], u[t], h[t])],
    "a factor, and data of two kinds": [
        *AR,
        sa.normal(y[t], z[t], 1),
        sa.poisson(x[t], sp.exp(z[t] + mu)),
        sa.factor(-(z[t] ** 4)),
    ],
    "time as the second axis": [
        sa.normal(z[n, 0, k], 0, s),
        sa.normal(z[n, t, k], sp.tanh(phi * z[n, t - 1, k]) + u[t], q),
        sa.normal(y[n, t], sp.Sum(w[k] * z[n, t, k], k), s),
    ],
    "coupled chains": [
        sa.normal(z[0], 0, 1),
        sa.normal(v[0], 0, 1),
        sa.normal(z[t], sp.tanh(v[t - 1]), q),
        sa.normal(v[t], sp.sin(z[t]) + mu, s),
        sa.normal(y[t], z[t] * v[t], 1),
    ],
    "picked by an index": [*AR, sa.normal(b[k], 0, 1), sa.normal(y[t], z[t] + b[g[t]], 1)],
}
STAY = {
    "data one step back": [*AR, sa.normal(y[0], 0, 1), sa.normal(y[t], z[t] * y[t - 1], 1)],
    "the chain one step back": [*AR, sa.normal(y[0], 0, 1), sa.normal(y[t], z[t] + z[t - 1], 1)],
    "one element": [*AR, sa.normal(y[t], z[t] + z[0], 1)],
    "a sum over time": [*AR, sa.normal(y[n], sp.Sum(z[t] * u[t], t), 1)],
    "data that are summed before": [*AR, sa.poisson(x[t, n], sp.exp(z[t] + mu))],
    "a support that moves": [*AR, sa.uniform(y[t], z[t], z[t] + 9)],
}


def both(statements: list[sa.Law], length: int) -> tuple[sa.Model, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The model rewritten whole, numbers for its data, and a position."""
    names = {name for law in statements if isinstance(law, sa.Law) for name in [law.name]}
    model = sa.auxiliary(sa.Model.of(*statements, observed=[a for a in (y, x) if str(a) in names]), keep_roots=False)
    after, sizes = model.after, {"t": length, "n": 2, "k": 3}
    shape = {name: [sizes[group] for group in after.axes.of_array(name)] for name in (*after.inputs, *after.nodes)}
    rng = np.random.default_rng(77)
    data = {name: rng.normal(size=shape[name]) for name in ("y", "u", "w") if name in shape}
    data |= {"x": rng.poisson(2, size=shape["x"])} if "x" in shape else {}
    data |= {"g": rng.integers(3, size=length)} if "g" in shape else {}
    free = [name for name in (*after.inputs, *after.latents) if name not in data]
    return after, data, {name: 0.3 + 0.1 * rng.random(shape[name]) for name in free}


def written(after: sa.Model) -> str:
    """The body of the generated density."""
    return sa.to_source(after, checkpoint=True).partition("def log_density")[2].partition("def value_and_grad")[0]


def compared(after: sa.Model, data: dict[str, np.ndarray], at: dict[str, np.ndarray]) -> None:
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    found, slopes = jax.jit(jax.value_and_grad(sa.log_density(after, data, checkpoint=True)))(at)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slopes[name], slope[name], rtol=1e-10, atol=1e-12)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("length", [3, 12])
@pytest.mark.parametrize("title", MODELS)
def test_blocks_change_no_number(title: str, length: int) -> None:
    after, data, at = both(MODELS[title], length)
    assert "blocked_sum(" in (body := written(after)) and "blocked_scan" not in body
    compared(after, data, at)


@pytest.mark.parametrize("title", STAY)
def test_what_reads_another_time_keeps_the_whole_chain(title: str) -> None:
    after, data, at = both(STAY[title], 11)
    assert "blocked_sum" not in written(after)
    if title != "a support that moves":
        compared(after, data, at)


def test_what_is_kept_beside_the_noise_and_its_gradient_is_one_array() -> None:
    """Of a step and an observation with many nonlinear parts."""
    length = 40_000
    push = sum(sp.tanh(m * z[t - 1] + sp.sin(z[t - 1] / m)) for m in range(1, 5))
    seen = sum(sp.cos(m * z[t]) for m in range(1, 5))
    after, _, _ = both([sa.normal(z[0], 0, 1), sa.normal(z[t], push, 1), sa.normal(y[t], seen, 1)], 3)
    at, data = {"eps_z": np.zeros(length)}, {"y": np.zeros(length)}
    logp = sa.log_density(after, data, checkpoint=True)
    used = jax.jit(jax.grad(logp)).lower(at).compile().memory_analysis().temp_size_in_bytes
    assert used < 2.2 * 8 * length
