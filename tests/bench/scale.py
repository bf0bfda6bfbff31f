"""How long a chain of separate names and a plate of any size take, from formulas to a compiled gradient.

PYTHONPATH=.:tests python -m bench.scale
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import sympy as sp

import symaux as sa

# XLA's fusion repeats a scalar in each of its readers: 18 s for 100 names in a chain, minutes for 400
UNFUSED = {"xla_disable_hlo_passes": "fusion"}


@contextmanager
def timed(label: str) -> Iterator[None]:
    """Prints how long the block took."""
    start = time.perf_counter()
    yield
    print(f"  {label:28}{time.perf_counter() - start:8.2f} s")


def chain(length: int) -> sa.Model:
    """z1 → z2 → …, each with its own x, all with names of their own."""
    zs, xs = sp.symbols(f"z0:{length}", real=True), sp.symbols(f"x0:{length}", real=True)
    states = [sa.normal(zs[0], 0, 1), *(sa.normal(b, a, 1) for a, b in pairwise(zs))]
    return sa.Model.of(*states, *(sa.normal(b, a, 1) for a, b in zip(zs, xs, strict=True)), observed=xs)


def schools(size: int) -> sa.Model:
    """One plate."""
    mu, tau, m = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True), sa.plate("m", size)
    theta, y = sa.arrays("theta y")
    laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[m], mu, tau), sa.normal(y[m], theta[m], 1)]
    return sa.Model.of(*laws, observed=[y])


def measure(make: Callable[[], sa.Model], data: dict[str, Any], keep_roots: bool, options: Any = None) -> None:
    """The stages of one model."""
    with timed("model"):
        model = make()
    with timed("auxiliary"):
        after = sa.auxiliary(model, keep_roots=keep_roots).after
    with timed("log_density"):
        logp = sa.log_density(after, data)
    lengths = after.axes.resolved({k: np.shape(v) for k, v in data.items()})
    position = {n: jnp.zeros([lengths[g] for g in after.axes.of_array(n)]) for n in after.latents}
    with timed("compiled gradient"):
        jax.block_until_ready(jax.jit(jax.grad(logp), compiler_options=options)(position))


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    measure_first = schools(3)  # sympy and jax load here, once
    sa.log_density(sa.auxiliary(measure_first).after, {"y": np.zeros(3)})
    for length in (10, 100, 1000):
        print(f"a chain of {length} separate names")
        measure(lambda length=length: chain(length), {f"x{m}": 0.0 for m in range(length)}, False, UNFUSED)
    for size in (10, 10**6):
        print(f"a plate of {size}")
        measure(lambda size=size: schools(size), {"y": np.zeros(size)}, True)
