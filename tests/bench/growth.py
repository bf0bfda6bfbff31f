"""What growth costs: compile time by the length of a series, set-up from formulas to a gradient, memory, and names.

PYTHONPATH=.:tests python -m bench.growth
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import jax
import numpy as np
import sympy as sp
from support.paths import IMPORTS

import symaux as sa
from bench import models, sections
from bench.harness import Contender, race, value_and_grad

SETUP = """
import sys, time; sys.path[:0] = {path!r}
start = time.process_time()
import jax, symaux as sa
from bench import models
loaded = time.process_time()
model, (position, data) = {model}, {numbers}
logp = sa.log_density(sa.auxiliary(model).after, data)
jax.block_until_ready(jax.jit(jax.grad(logp))(position))
took = time.process_time() - loaded
print(f"{{loaded - start:.2f}} s to import, {{took:.2f}} s from formulas to the first gradient (processor time)")
"""
CASES = {
    "DBN, T=10": ("models.dbn(10)", "models.dbn_numbers(10, 100, 10)"),
    "DBN, T=1000": ("models.dbn(1000)", "models.dbn_numbers(1000, 100, 10)"),
    "MNIST": ("models.mnist()", "models.mnist_numbers(1000)"),
    "eight schools": ("models.groups(8)", "models.groups_numbers(8)"),
    "1000 groups": ("models.groups(1000)", "models.groups_numbers(1000)"),
}


def gradient(steps: int, series: int, checkpoint: bool = False) -> tuple[Any, Any, float]:
    """The compiled gradient of the network, where it is taken, and the seconds of tracing and compiling."""
    position, data = models.dbn_numbers(steps, series, 10)
    logp = sa.log_density(sa.auxiliary(models.dbn(steps, series)).after, data, checkpoint=checkpoint)
    start = time.process_time()
    run = jax.jit(jax.grad(logp)).lower(position).compile()
    return run, position, time.process_time() - start


def names(count: int, lazily: bool) -> str:
    """A chain of separate names, as laws or as families with arguments, rolled up, rewritten and generated."""
    start = time.perf_counter()
    zs, xs = sp.symbols(f"z0:{count}", real=True), sp.symbols(f"x0:{count}", real=True)
    laws = [partial(sa.normal, zs[0], 0, 1), *(partial(sa.normal, b, sp.tanh(a), 1) for a, b in pairwise(zs))]
    laws += [partial(sa.normal, b, a, 1) for a, b in zip(zs, xs, strict=True)]
    laws = laws if lazily else [law.func(*law.args) for law in laws]
    stated = time.perf_counter()
    sa.to_source(sa.auxiliary(sa.roll(laws, observed=xs).model, keep_roots=False).after)
    how = "families with arguments" if lazily else "laws"
    took = f"{stated - start:.1f} s to state, {time.perf_counter() - stated:.1f} s to roll up and generate"
    return f"{2 * count} names as {how}: {took}"


def long(steps: int, checkpoint: bool) -> str:
    """Time and memory of a gradient of one long series."""
    run, position, _ = gradient(steps, 1, checkpoint)
    used = run.memory_analysis()
    start = time.process_time()
    jax.block_until_ready(run(position))
    took = time.process_time() - start
    sizes = (used.temp_size_in_bytes, used.argument_size_in_bytes, used.output_size_in_bytes)
    mine, given, made = (size / 1e6 for size in sizes)
    how = "with checkpoints" if checkpoint else "without checkpoints"
    return f"T={steps}, d=10, one series, {how}: {took:.2f} s, {mine:.0f} MB besides {given:.0f} MB in and {made:.0f} MB out"


def regression(count: int, width: int = 10) -> str:
    """A gradient by sufficient statistics, and over the data themselves, in a compiled loop."""
    y, x, b, n, k = *sa.arrays("y x b"), sa.plate("n"), sa.plate("k", width)
    mu, s = sp.Symbol("mu", real=True), sp.Symbol("s", positive=True)
    priors = [sa.normal(mu, 0, 1), sa.half_cauchy(s, 1), sa.normal(b[k], 0, 1)]
    model = sa.Model.of(*priors, sa.normal(y[n], mu + sp.Sum(x[n, k] * b[k], k), s), observed=[y])
    rng = np.random.default_rng(0)
    data = models.float32({"y": rng.normal(size=count), "x": rng.normal(size=(count, width))})
    position = models.float32({"mu": 0.1, "log_s": 0.0, "b": rng.normal(size=width)})
    logp: Any = sa.log_density(sa.auxiliary(model).after, data)
    long = {name: logp.data[name] for name in data}
    given = {"statistics": logp.data, "data": long}
    found = [Contender(name, lambda d=d: (lambda p: logp.of(p, d), position)) for name, d in given.items()]
    seen = race(found, value_and_grad, 9, steps=50)
    times = " and ".join(f"{r.microseconds:.2f} µs from its {name}" for name, r in seen.items())
    return f"a regression with {count} rows and {width} columns, value and gradient: {times}"


def prefix_sums(steps: int, series: int) -> str:
    """An affine recursion as a scan, and as a prefix sum."""
    z, x, t, i = *sa.arrays("z x"), sa.plate("t", steps), sa.plate("i", series)
    a, s = sp.Symbol("a", real=True), sp.Symbol("s", positive=True)
    states = [sa.normal(z[0, i], 0, 1), sa.normal(z[t, i], a * z[t - 1, i], s)]
    laws = [sa.normal(a, 0, 1), sa.half_cauchy(s, 1), *states, sa.normal(x[t, i], z[t, i], 1)]
    after = sa.auxiliary(sa.Model.of(*laws, observed=[x])).after
    rng = np.random.default_rng(0)
    data = models.float32({"x": rng.normal(size=(steps, series))})
    position = models.float32({"a": 0.5, "log_s": 0.0, "eps_z": rng.normal(size=(steps, series))})
    ways = {"a scan": False, "prefix sums": True}
    found = [
        Contender(name, lambda p=p: (sa.log_density(after, data, parallel=p), position)) for name, p in ways.items()
    ]
    seen = race(found, value_and_grad, 9)
    times = ", ".join(f"{name} {r.microseconds:.0f} µs (compiled in {r.compile:.1f} s)" for name, r in seen.items())
    return f"an affine recursion over T={steps}, {series} series, value and gradient: {times}"


def lines() -> Iterator[str]:
    for title, (model, numbers) in CASES.items():
        code = SETUP.format(path=IMPORTS, model=model, numbers=numbers)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        yield f"{title}: {done.stdout.strip()}"
    for steps in (10, 100, 1000, 10_000):
        least = min(gradient(steps, 1)[2] for _ in range(3))
        yield f"T={steps}, one series: {least:.2f} s to trace and compile"
    yield from (long(100_000, checkpoint) for checkpoint in (False, True))
    yield from (regression(count) for count in (1_000, 10_000))
    yield from (prefix_sums(steps, series) for steps, series in ((100, 1), (1000, 10), (100_000, 1)))
    yield from (names(count, lazily) for lazily in (True, False) for count in (5_000, 50_000))


def main() -> None:
    """Prints the measurements, and puts them at the end of the page of benchmarks."""
    told = []
    for line in lines():
        print(line, flush=True)
        told.append(f"- {line}")
    sections.put("Growth", "\n".join(told))


if __name__ == "__main__":
    main()
