"""What one gradient costs in auxiliary form, over the original form: processor time, medians over rounds, onto the page.

PYTHONPATH=.:tests python -m bench.gradients
"""

from __future__ import annotations

import os
import runpy
import statistics
from typing import Any

import jax
import numpy as np
from support.paths import GALLERY

from bench import sections
from bench.harness import seconds
from symaux.learn.compiled_model import as_target
from symaux.learn.precision import use_precision

NAMES = ("eight_schools", "radon", "dbn", "mnist_two_layers")
FORMS = ("original", "auxiliary")
ROUNDS = 9
TITLE = "One gradient, auxiliary over original"
ABOUT = f"""Processor time of a gradient of the whole log-density in a compiled loop, one core, both forms in turn: medians over
{ROUNDS} rounds, and of the ratio within the round. 1,000 digits in single precision, the others in double."""


def climbs(model: Any, data: Any, form: str, count: int) -> Any:
    """A compiled run of so many gradients, each at another point, so that none is left out."""
    aim = as_target(model, data, form)
    slope = jax.grad(aim.functions.log_density)

    def run(position: Any, data: Any) -> Any:
        def step(_: int, at: Any) -> Any:
            return jax.tree.map(lambda value, by: value + 1e-9 * by, at, slope(at, data))

        return jax.lax.fori_loop(0, count, step, position)

    start, compiled = aim.start(np.random.default_rng(0), 0.1), jax.jit(run)
    return lambda: jax.block_until_ready(compiled(start, aim.data))


def measured(name: str) -> dict[str, list[float]]:
    """Microseconds of a gradient by form, one for each round; the forms take turns."""
    script = runpy.run_path(str(GALLERY / f"{name}.py"))
    large = name.startswith("mnist")
    data, count = script["data"](0, 1000) if large else script["data"](), 10 if large else 2000
    with use_precision("float32" if large else "float64"):
        runs = {form: climbs(script["model"], data, form, count) for form in FORMS}
        for run in runs.values():
            run()
        seen: dict[str, list[float]] = {form: [] for form in FORMS}
        for form in ROUNDS * FORMS:
            seen[form].append(1e6 * seconds(runs[form], 1) / count)
    return seen


def row(name: str, seen: dict[str, list[float]]) -> str:
    """A line of the table."""
    ratio = statistics.median(a / b for a, b in zip(seen["auxiliary"], seen["original"], strict=True))
    cells = [f"{statistics.median(seen[form]):.2f}" for form in FORMS]
    return "| " + " | ".join([name.replace("_", " "), *cells, f"{ratio:.2f}"]) + " |"


def main() -> None:
    """Prints microseconds and ratios, and puts them on the page."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    lines = ["| model | original, µs | auxiliary, µs | auxiliary over original |", "|---|---|---|---|"]
    for name in NAMES:
        lines.append(row(name, measured(name)))
        print(lines[-1], flush=True)
    sections.put(TITLE, "\n".join([ABOUT, "", *lines]))


if __name__ == "__main__":
    main()
