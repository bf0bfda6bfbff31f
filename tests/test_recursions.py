"""Recursions in other ways: affine ones as prefix sums, long ones with checkpoints, and derivatives of every kind."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa

RNG = np.random.default_rng(1931)
phi, mu = sp.symbols("phi mu", real=True)
s, q = sp.symbols("s q", positive=True)
z, y, u = sa.arrays("z y u")
t, n = sa.plate("t", 6), sa.plate("n")


def rewritten_whole(model: sa.Model) -> sa.Model:
    return sa.auxiliary(model, keep_roots=False).after


@pytest.mark.parametrize("mean", [phi * z[n, t - 1] + u[t], z[n, t - 1] * sp.exp(-u[t]) + mu, (z[n, t - 1] - mu) / 2])
def test_an_affine_recursion_is_a_prefix_sum_when_asked(mean: sp.Expr) -> None:
    model = sa.Model.of(
        sa.normal(z[n, 0], 0, s), sa.normal(z[n, t], mean, q), sa.normal(y[n, t], z[n, t], 1), observed=[y]
    )
    after = rewritten_whole(model)
    data = {"y": RNG.normal(size=(2, 6)), "u": RNG.normal(size=6)}
    data = {name: value for name, value in data.items() if name in {*after.inputs, *after.observed}}
    free = set(after.inputs) - set(data)
    at = {"eps_z": RNG.normal(size=(2, 6)), **{name: 0.3 + RNG.random() for name in sorted(free)}}
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


def test_forward_mode_and_second_derivatives_go_through_a_recursion() -> None:
    model = sa.Model.of(
        sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(phi * z[t - 1]), q), sa.normal(y[t], z[t], 1), observed=[y]
    )
    logp = sa.log_density(rewritten_whole(model), {"y": RNG.normal(size=6)})
    at = {"phi": 0.7, "q": 0.4, "eps_z": RNG.normal(size=6)}
    slope = jax.grad(logp)(at)
    for name in at:
        np.testing.assert_allclose(jax.jacfwd(logp)(at)[name], slope[name], rtol=1e-10)
    curvature, step = jax.hessian(logp)(at)["phi"]["phi"], 1e-5
    ends = [jax.grad(logp)(at | {"phi": 0.7 + sign * step})["phi"] for sign in (1, -1)]
    np.testing.assert_allclose(curvature, (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize("length", [2, 6, 10, 101])
def test_checkpoints_change_no_number(length: int) -> None:
    time = sa.plate("time")
    states = [sa.normal(z[0], 0, 1), sa.normal(z[time], sp.tanh(phi * z[time - 1]) + u[time], q)]
    after = rewritten_whole(sa.Model.of(*states, sa.normal(y[time], z[time], 1), observed=[y]))
    data = {"y": RNG.normal(size=length), "u": RNG.normal(size=length)}
    at = {"phi": 0.7, "q": 0.4, "eps_z": RNG.normal(size=length)}
    value, slope = jax.jit(jax.value_and_grad(sa.log_density(after, data)))(at)
    found, slopes = jax.jit(jax.value_and_grad(sa.log_density(after, data, checkpoint=True)))(at)
    np.testing.assert_allclose(found, value, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slopes[name], slope[name], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "mean", [sp.exp(phi) * z[t - 1], u[t] * sp.exp(phi) * z[t - 1], sp.exp(u[t]) * sp.tanh(sp.exp(phi) * z[t - 1])]
)
def test_slopes_that_are_computed_before_the_scan_do_not_run_over_time(mean: sp.Expr) -> None:
    """As exp(phi) times the state: one slope for all times, which a step reads as it is."""
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], mean, q), sa.normal(y[t], z[t], 1), observed=[y])
    after = rewritten_whole(model)
    data = {"y": RNG.normal(size=6)} | ({"u": RNG.normal(size=6)} if "u" in after.inputs else {})
    at = {"phi": 0.3, "q": 0.4, "eps_z": RNG.normal(size=6)}
    slope = jax.grad(sa.log_density(after, data))(at)
    plain = jax.grad(sa.log_density(after, data, checkpoint=True))(at)  # that jax differentiates by itself
    for name in at:
        np.testing.assert_allclose(slope[name], plain[name], rtol=1e-10, atol=1e-12)


def test_unrolled_steps_change_no_number() -> None:
    states = [sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(phi * z[t - 1]) + u[t], q * (1 + u[t] ** 2))]
    after = rewritten_whole(sa.Model.of(*states, sa.normal(y[t], z[t], 1), observed=[y]))
    data = {"y": RNG.normal(size=6), "u": RNG.normal(size=6)}
    at = {"phi": 0.7, "q": 0.4, "eps_z": RNG.normal(size=6)}
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
