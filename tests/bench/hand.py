"""Hand-written JAX for the measured models: what an expert would write, in several ways.

If the folder ``../shared/bench`` beside the repository (or HAND_JAX) has more variants, they are measured too.
"""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from support.paths import ROOT

HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)
WHERE = os.environ.get("HAND_JAX", str(ROOT.parent / "shared" / "bench" / "hand_jax.py"))
Densities = dict[str, Callable[[Any], Any]]


def shared() -> Any:
    """The module of further variants, or None."""
    if not Path(WHERE).is_file():
        return None
    spec = importlib.util.spec_from_file_location("hand_jax", WHERE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def normal(values: Any, scale: float = 1.0) -> Any:
    """The log-density of independent centred normals."""
    return -0.5 * jnp.sum(jnp.square(values)) / scale**2 - values.size * (math.log(scale) + HALF_LOG_TAU)


def priors(p: Any, weights: str, scales: str) -> Any:
    return sum(normal(p[w], 0.1) for w in weights.split()) + sum(normal(p[s]) for s in scales.split())


def states(p: Any, unroll: int = 1) -> Any:
    """z by a scan."""
    start, pushed = jnp.exp(p["log_s0"]) * p["eps_z"][0], jnp.exp(p["log_sz"]) * p["eps_z"][1:]

    def step(z: Any, e: Any) -> Any:
        z = jnp.tanh(z @ p["Wz"] + p["bz"]) + e
        return z, z

    return jnp.concatenate([start[None], lax.scan(step, start, pushed, unroll=unroll)[1]])


def dbn(x: Any, roll: Any, p: Any) -> Any:
    z = roll(p)
    seen = jnp.tanh(z @ p["Wx"] + p["bx"])
    fit = -0.5 * jnp.sum(jnp.square(x - seen)) * jnp.exp(-2 * p["log_sx"]) - x.size * (p["log_sx"] + HALF_LOG_TAU)
    return priors(p, "Wz bz Wx bx", "log_s0 log_sz log_sx") + normal(p["eps_z"]) + fit


def dbn_variants(data: Any, steps: int) -> Densities:
    x, more = jnp.asarray(data["x"]), shared()
    found: Densities = {"hand, scan": partial(dbn, x, states)}
    if more is not None:
        renamed = {"l0": "log_s0", "lz": "log_sz", "lx": "log_sx"}
        kept = ("Wz", "bz", "Wx", "bx")

        def by(roll: Any, p: Any) -> Any:
            return more.dbn_aux({n: p[n] for n in kept} | {a: p[b] for a, b in renamed.items()}, p["eps_z"], x, roll)

        found["hand, adjoint"] = partial(by, more.roll_adj)
        if steps <= 30:
            found["hand, unrolled"] = partial(by, more.roll_unrolled)
            found["hand, adjoint unrolled"] = partial(by, partial(more.roll_adj, unroll=steps))
    return found


def mnist(x: Any, bernoulli: Any, p: Any) -> Any:
    z1 = jnp.exp(p["log_s1"]) * p["eps_z1"]
    z2 = jnp.tanh(z1 @ p["W2"] + p["b2"]) + jnp.exp(p["log_s2"]) * p["eps_z2"]
    noise = normal(p["eps_z1"]) + normal(p["eps_z2"])
    return priors(p, "W2 b2 Wx bx", "log_s1 log_s2") + noise + bernoulli(z2 @ p["Wx"] + p["bx"], x)


def mnist_variants(data: Any) -> Densities:
    x, more = jnp.asarray(data["x"]), shared()
    found: Densities = {
        "hand, softplus": partial(mnist, x, lambda logit, x: jnp.sum(x * logit - jax.nn.softplus(logit)))
    }
    if more is not None:
        found["hand, fused"] = partial(mnist, x, more.bern)
    return found


def groups(y: Any, sigma: Any, p: Any) -> Any:
    tau = jnp.exp(p["log_tau"])
    prior = -0.5 * jnp.square(p["mu"] / 5) - math.log(5) - HALF_LOG_TAU
    prior += math.log(2 / (5 * math.pi)) - jnp.log1p(jnp.square(tau / 5)) + p["log_tau"]
    residual = (y - p["mu"] - tau * p["eps_theta"]) / sigma
    return prior + normal(p["eps_theta"]) + normal(residual) - jnp.sum(jnp.log(sigma))


def groups_variants(data: Any) -> Densities:
    return {"hand": partial(groups, jnp.asarray(data["y"]), jnp.asarray(data["sigma"]))}
