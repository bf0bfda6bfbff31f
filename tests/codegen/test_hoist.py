"""What is taken out of a scan or unrolled in it changes no number."""

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


def test_unrolled_steps_change_no_number(rng: np.random.Generator) -> None:
    states = [sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(phi * z[t - 1]) + u[t], q * (1 + u[t] ** 2))]
    after = rewritten_whole(sa.Model.of(*states, sa.normal(y[t], z[t], 1), observed=[y]))
    data = {"y": rng.normal(size=6), "u": rng.normal(size=6)}
    at = {"phi": 0.7, "q": 0.4, "eps_z": rng.normal(size=6)}
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    run = jax.jit(jax.value_and_grad(sa.log_density(after, data, unroll=True)))
    found, slopes = run(at)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slopes[name], slope[name], rtol=1e-10, atol=1e-12)
    assert "while" not in run.lower(at).compile().as_text()
    with pytest.raises(sa.DataError, match="one way"):
        sa.log_density(after, data, unroll=True, checkpoint=True)


def test_an_array_that_is_only_scaled_goes_into_the_scan_as_it_is() -> None:
    states = [sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(phi * z[t - 1]), q)]
    source = sa.to_source(rewritten_whole(sa.Model.of(*states)))
    assert "(z_0, phi, q, eps_z[1:])" in source
