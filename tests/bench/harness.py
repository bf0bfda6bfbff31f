"""Interleaved timing: every contender once per round, and the median of its ratios to the first of the same round.

A round takes seconds, so a load on the machine that comes and goes meets all contenders alike.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Density = Callable[[Any], Any]  # position -> log p


@dataclass(frozen=True)
class Contender:
    """A log-density and where it is evaluated; ``setup`` makes both, so that its time can be measured."""

    name: str
    setup: Callable[[], tuple[Density, Any]]


@dataclass(frozen=True)
class Result:
    """Microseconds of one evaluation, the ratio to the first contender, and how long it took to get there."""

    microseconds: float
    ratio: float
    setup: float
    compile: float


def value_and_grad(density: Density) -> Callable[[Any], Any]:
    return jax.value_and_grad(density)


def grad(density: Density) -> Callable[[Any], Any]:
    return jax.grad(density)


def looped(function: Callable[[Any], Any], steps: int) -> Callable[[Any], Any]:
    """``steps`` evaluations in one compiled program, each at a position that depends on the one before."""

    def moved(number: Any, state: Any) -> Any:
        position, kept = state
        found = function(position)
        value, slope = found if isinstance(found, tuple) else (0.0, found)
        return jax.tree.map(lambda p, g: p + 1e-9 * g, position, slope), kept + value

    def run(position: Any) -> Any:
        return lax.fori_loop(0, steps, moved, (position, jnp.zeros((), jnp.float32)))

    return run


def compiled(function: Callable[[Any], Any], position: Any, times: int = 1) -> tuple[Callable[[], Any], float]:
    """The compiled call, and the processor time of tracing and compiling, the least of several."""
    took = []
    for _ in range(times):
        start = time.process_time()
        run = jax.jit(lambda at: function(at)).lower(position).compile()  # a new function, so it is traced anew
        took.append(time.process_time() - start)
    jax.block_until_ready(run(position))
    return lambda: jax.block_until_ready(run(position)), min(took)


def seconds(call: Callable[[], Any], times: int) -> float:
    """Processor time of one call: on a machine that others use too, theirs is not counted."""
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def race(
    contenders: list[Contender], wrap: Any, rounds: int, budget: float = 0.02, steps: int = 0, compiles: int = 1
) -> dict[str, Result]:
    """Times every contender in every round; ``steps`` evaluations in a compiled loop, or one per call.

    Each is compiled ``compiles`` times, and the least of their times is told.
    """
    calls, setups, least = {}, {}, {}
    for each in contenders:
        start = time.perf_counter()
        density, position = each.setup()
        setups[each.name] = time.perf_counter() - start
        function = looped(wrap(density), steps) if steps else wrap(density)
        calls[each.name], least[each.name] = compiled(function, position, compiles)
    times = {name: max(1, int(budget / seconds(call, 1))) for name, call in calls.items()}
    seen: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds):
        order = list(calls) if number % 2 else list(reversed(calls))
        for name in order:
            seen[name].append(seconds(calls[name], times[name]) / max(steps, 1))
    first = seen[contenders[0].name]
    return {
        name: Result(
            1e6 * statistics.median(took),
            statistics.median(a / b for a, b in zip(took, first, strict=True)),
            setups[name],
            least[name],
        )
        for name, took in seen.items()
    }


def shown(results: Mapping[str, Result]) -> str:
    """One line per contender."""
    return "\n".join(
        f"  {name:26}{r.ratio:6.2f}{r.microseconds:12.1f} µs   set-up {r.setup:5.2f} s, compile {r.compile:5.2f} s"
        for name, r in results.items()
    )
