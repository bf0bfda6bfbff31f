"""A plate over eight devices: the same numbers, one all-reduce an evaluation, and no device sees another's data."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import sympy as sp
from support.paths import ROOT

import symaux as sa

CODE = """
import json, re
import jax, numpy as np, sympy as sp, symaux as sa
jax.config.update("jax_enable_x64", True)
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, z, x, W = sa.arrays("theta y z x W")
n, t, i, k = sa.plate("n"), sa.plate("t", 5), sa.plate("i", 3), sa.plate("k", 3)
step = sp.tanh(sp.Sum(W[i, k]*z[t - 1, n, k], k))
models = {
    "groups": sa.Model.of(sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[n], mu, tau),
                          sa.normal(y[n], theta[n], 1), observed=[y]),
    "digits": sa.Model.of(sa.normal(W[i, k], 0, 1), sa.normal(theta[n, k], 0, 1),
                          sa.bernoulli(y[n, i], sa.sigmoid(sp.Sum(W[i, k]*theta[n, k], k))), observed=[y]),
    "series": sa.Model.of(sa.half_normal(tau, 1), sa.normal(W[i, k], 0, 1), sa.normal(z[0, n, i], 0, 1),
                          sa.normal(z[t, n, i], step, tau), sa.normal(x[t, n, i], z[t, n, i], 1), observed=[x]),
}
rng, told = np.random.default_rng(0), {}
mesh = jax.make_mesh((8,), ("n",))
for name, model in models.items():
    after = sa.auxiliary(model).after
    lengths = dict(after.axes.lengths) | {"n": 24}
    made = {v: rng.normal(size=[lengths[g] for g in after.axes.of_array(v)]) for v in (*after.latents, *after.observed)}
    data = {v: (made[v] > 0).astype(float) if name == "digits" else made[v] for v in after.observed}
    at = {v: made[v] for v in after.latents}
    logp = sa.log_density(after, data, mesh=mesh, shard="n")
    value, slope = jax.value_and_grad(sa.log_density(after, data))(at)
    value_8, slope_8 = jax.jit(jax.value_and_grad(logp))(at)
    off = max(float(np.max(np.abs(slope[v] - slope_8[v]))) for v in at)
    program = jax.jit(jax.value_and_grad(logp.of)).lower(at, logp.data).compile().as_text()
    told[name] = {
        "off": max(off, abs(float(value) - float(value_8))), "eagerly": abs(float(logp(at)) - float(value)),
        "counts": {op: len(re.findall(rf" {op}(?:-start)?\\(", program))
                   for op in ("all-reduce", "all-gather", "all-to-all", "collective-permute", "reduce-scatter")},
        "whole": [line for line in program.splitlines() if re.search(r"f64\\[(24|5,24)[,\\]]", line)],
        "parts": sorted({str(s.data.shape) for v in logp.data.values() for s in v.addressable_shards}),
    }
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told() -> dict:
    flags = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=os.environ | flags, cwd=ROOT, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", ["groups", "digits", "series"])
def test_eight_devices_give_the_same_numbers(told: dict, name: str) -> None:
    assert told[name]["off"] < 1e-10 and told[name]["eagerly"] < 1e-10


@pytest.mark.parametrize("name", ["groups", "digits", "series"])
def test_one_all_reduce_and_nothing_else_is_sent(told: dict, name: str) -> None:
    counts = told[name]["counts"]
    assert counts.pop("all-reduce") == 1
    assert not any(counts.values())


@pytest.mark.parametrize("name", ["groups", "digits", "series"])
def test_no_device_holds_all_of_the_data(told: dict, name: str) -> None:
    assert told[name]["whole"] == []
    assert all(re.search(r"\b3\b", part) and "24" not in part for part in told[name]["parts"])


def test_what_does_not_fit_is_refused() -> None:
    import jax

    y, n = sa.arrays("y"), sa.plate("n")
    mu = sp.Symbol("mu", real=True)
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(y[n], mu, 1), observed=[y])
    mesh = jax.make_mesh((1,), ("n",))
    with pytest.raises(sa.DataError, match="no such plate"):
        sa.log_density(model, {"y": np.zeros(4)}, mesh=mesh, shard="rows")
    with pytest.raises(sa.DataError, match="go together"):
        sa.log_density(model, {"y": np.zeros(4)}, mesh=mesh)


def test_two_processes_on_this_machine() -> None:
    """The documented script; each process prints the value of the whole."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "gallery" / "two_processes.py")],
        capture_output=True, text=True, timeout=300, env=os.environ | {"PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = sorted(line for line in done.stdout.splitlines() if line.startswith("process"))
    assert len(lines) == 2 and lines[0].partition(":")[2] == lines[1].partition(":")[2]
    y, tau = np.sin(np.arange(1000)), np.exp(0.2)
    eps, theta = 0.5 * y, 0.3 + tau * 0.5 * y
    prior = (
        -0.5 * (0.3 / 5) ** 2 - np.log(5) - 0.5 * np.log(2 * np.pi) + np.log(2 / (5 * np.pi)) - np.log1p((tau / 5) ** 2)
    )
    expected = prior + 0.2 - 0.5 * np.sum(eps**2 + (y - theta) ** 2) - 1000 * np.log(2 * np.pi)
    assert abs(float(re.search(r"log p = (\S+),", lines[0])[1]) - expected) < 1e-2  # type: ignore[index]
