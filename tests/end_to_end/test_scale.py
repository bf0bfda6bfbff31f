"""Large models: many separate names, and plates of any size."""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from support.models import papers_chain

import symaux as sa

x = sa.arrays("x")
# XLA's fusion repeats a scalar in each of its readers, and takes minutes over a thousand that read each other
UNFUSED = {"xla_disable_hlo_passes": "fusion"}


def check_chain(length: int) -> None:
    """Kingma's chain: no recursion over its length, and the right gradient."""
    limit = sys.getrecursionlimit()
    aux = sa.auxiliary(papers_chain(length, start=0), keep_roots=False)
    rng = np.random.default_rng(0)
    noise, seen = rng.normal(size=length), rng.normal(size=length)
    logp = sa.log_density(aux.after, {f"x{m}": seen[m] for m in range(length)})
    run = jax.jit(jax.value_and_grad(logp), compiler_options=UNFUSED)
    value, slope = run({f"eps_z{m}": jnp.asarray(noise[m]) for m in range(length)})
    states = np.cumsum(noise)
    expected = -0.5 * np.sum(noise**2) - 0.5 * np.sum((seen - states) ** 2) - length * np.log(2 * np.pi)
    np.testing.assert_allclose(float(value), expected, rtol=1e-12)
    pulled = np.cumsum((seen - states)[::-1])[::-1] - noise
    np.testing.assert_allclose([float(slope[f"eps_z{m}"]) for m in range(length)], pulled, rtol=1e-9, atol=1e-9)
    assert sys.getrecursionlimit() == limit


def test_a_chain_of_a_hundred_names() -> None:
    check_chain(100)


@pytest.mark.long
def test_a_chain_of_a_thousand_names() -> None:
    check_chain(1000)


def test_a_plate_of_a_million() -> None:
    """The same steps and the same source as for a plate of ten, and the right gradient."""
    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    theta, y = sa.arrays("theta y")

    def model(size: int) -> sa.Model:
        m = sa.plate("m", size)
        laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[m], mu, tau), sa.normal(y[m], theta[m], 1)]
        return sa.Model.of(*laws, observed=[y])

    small, large = sa.auxiliary(model(10)), sa.auxiliary(model(10**6))
    assert [s.rule for s in small.steps] == [s.rule for s in large.steps]
    assert sa.to_source(large.after).replace("1000000", "10") == sa.to_source(small.after)
    assert large.verify()
    ys = np.random.default_rng(0).normal(size=10**6)
    logp = jax.jit(jax.value_and_grad(sa.log_density(large.after, {"y": ys})))
    value, slope = logp({"mu": jnp.asarray(0.1), "log_tau": jnp.asarray(0.0), "eps_theta": jnp.zeros(10**6)})
    np.testing.assert_allclose(float(slope["mu"]), np.sum(ys - 0.1) - 0.1 / 25, rtol=1e-9)
    assert np.isfinite(value)


def test_a_long_series() -> None:
    z, t = sa.arrays("z"), sa.plate("t", 10**5)
    model = sa.Model.of(
        sa.normal(z[0], 0, 1), sa.normal(z[t], 0.9 * z[t - 1], 1), sa.normal(x[t], z[t], 1), observed=[x]
    )
    aux = sa.auxiliary(model)
    made = jax.jit(sa.generate(aux.after))({"eps_z": jnp.ones(10**5)})["z"]
    np.testing.assert_allclose(made[-1], 10.0, rtol=1e-12)
