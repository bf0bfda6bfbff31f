"""Recursions with checkpoints: the same numbers in less memory."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa

phi, mu = sp.symbols("phi mu", real=True)
s, q = sp.symbols("s q", positive=True)
z, y, u = sa.arrays("z y u")


def rewritten_whole(model: sa.Model) -> sa.Model:
    return sa.auxiliary(model, keep_roots=False).after


@pytest.mark.parametrize("length", [2, 6, 10, 101])
def test_checkpoints_change_no_number(length: int, rng: np.random.Generator) -> None:
    time = sa.plate("time")
    states = [sa.normal(z[0], 0, 1), sa.normal(z[time], sp.tanh(phi * z[time - 1]) + u[time], q)]
    after = rewritten_whole(sa.Model.of(*states, sa.normal(y[time], z[time], 1), observed=[y]))
    data = {"y": rng.normal(size=length), "u": rng.normal(size=length)}
    at = {"phi": 0.7, "q": 0.4, "eps_z": rng.normal(size=length)}
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    found, slopes = jax.jit(jax.value_and_grad(sa.log_density(after, data, checkpoint=True)))(at)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slopes[name], slope[name], rtol=1e-10, atol=1e-12)


def test_checkpoints_save_memory() -> None:
    """Of a step with many nonlinear parts, only the chain itself is kept for every time."""
    time = sa.plate("time", 20_000)
    push = sum(sp.tanh(m * z[time - 1] + sp.sin(z[time - 1] / m)) for m in range(1, 9))
    states = [sa.normal(z[0], 0, 1), sa.normal(z[time], push, 1)]
    after = rewritten_whole(sa.Model.of(*states, sa.normal(y[time], z[time], 1), observed=[y]))
    at, data = {"eps_z": np.zeros(20_000)}, {"y": np.zeros(20_000)}
    used = [
        jax.jit(jax.grad(sa.log_density(after, data, checkpoint=c)))
        .lower(at)
        .compile()
        .memory_analysis()
        .temp_size_in_bytes
        for c in (False, True)
    ]
    assert used[1] < used[0] / 2
