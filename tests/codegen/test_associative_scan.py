"""Affine recursions as prefix sums, when asked for."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa

phi, mu = sp.symbols("phi mu", real=True)
s, q = sp.symbols("s q", positive=True)
z, y, u = sa.arrays("z y u")
t, n = sa.plate("t", 6), sa.plate("n")


def rewritten_whole(model: sa.Model) -> sa.Model:
    return sa.auxiliary(model, keep_roots=False).after


@pytest.mark.parametrize("mean", [phi * z[n, t - 1] + u[t], z[n, t - 1] * sp.exp(-u[t]) + mu, (z[n, t - 1] - mu) / 2])
def test_an_affine_recursion_is_a_prefix_sum_when_asked(mean: sp.Expr, rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[n, 0], 0, s), sa.normal(z[n, t], mean, q), sa.normal(y[n, t], z[n, t], 1), observed=[y]
    )
    after = rewritten_whole(model)
    data = {"y": rng.normal(size=(2, 6)), "u": rng.normal(size=6)}
    data = {name: value for name, value in data.items() if name in {*after.inputs, *after.observed}}
    free = set(after.inputs) - set(data)
    at = {"eps_z": rng.normal(size=(2, 6)), **{name: 0.3 + rng.random() for name in sorted(free)}}
    source = sa.to_source(after, parallel=True)
    assert "affine_steps" in source and "lax.scan" not in source.split("def sample_prior")[0]
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    found, slopes = jax.jit(jax.value_and_grad(sa.log_density(after, data, parallel=True)))(at)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slopes[name], slope[name], rtol=1e-10, atol=1e-12)


def test_what_is_not_affine_stays_a_scan() -> None:
    for mean in (sp.tanh(z[t - 1]), z[t - 1] ** 2, phi * z[t - 1] * z[0]):
        after = rewritten_whole(sa.Model.of(sa.normal(z[0], 0, s), sa.normal(z[t], mean, q)))
        assert "affine_steps" not in sa.to_source(after, parallel=True)
