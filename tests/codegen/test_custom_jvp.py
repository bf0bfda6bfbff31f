"""Derivatives of every kind through a recursion, and slopes that are computed before it."""

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


def test_forward_mode_and_second_derivatives_go_through_a_recursion(rng: np.random.Generator) -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(phi * z[t - 1]), q), sa.normal(y[t], z[t], 1), observed=[y]
    )
    logp = sa.log_density(rewritten_whole(model), {"y": rng.normal(size=6)})
    at = {"phi": 0.7, "q": 0.4, "eps_z": rng.normal(size=6)}
    slope = jax.grad(logp)(at)
    for name in at:
        np.testing.assert_allclose(jax.jacfwd(logp)(at)[name], slope[name], rtol=1e-10)
    curvature, step = jax.hessian(logp)(at)["phi"]["phi"], 1e-5
    ends = [jax.grad(logp)(at | {"phi": 0.7 + sign * step})["phi"] for sign in (1, -1)]
    np.testing.assert_allclose(curvature, (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize(
    "mean", [sp.exp(phi) * z[t - 1], u[t] * sp.exp(phi) * z[t - 1], sp.exp(u[t]) * sp.tanh(sp.exp(phi) * z[t - 1])]
)
def test_slopes_that_are_computed_before_the_scan_do_not_run_over_time(mean: sp.Expr, rng: np.random.Generator) -> None:
    """As exp(phi) times the state: one slope for all times, which a step reads as it is."""
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], mean, q), sa.normal(y[t], z[t], 1), observed=[y])
    after = rewritten_whole(model)
    data = {"y": rng.normal(size=6)} | ({"u": rng.normal(size=6)} if "u" in after.inputs else {})
    at = {"phi": 0.3, "q": 0.4, "eps_z": rng.normal(size=6)}
    slope = jax.grad(sa.log_density(after, data))(at)
    plain = jax.grad(sa.log_density(after, data, checkpoint=True))(at)  # that jax differentiates by itself
    for name in at:
        np.testing.assert_allclose(slope[name], plain[name], rtol=1e-10, atol=1e-12)
