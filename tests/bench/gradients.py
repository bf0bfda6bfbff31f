"""What one gradient costs in auxiliary form, over the original form: processor time, the least of several rounds.

python tests/bench/gradients.py
"""

from __future__ import annotations

import runpy
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np

from symaux.learn.compiled import target
from symaux.learn.packages import numbers

GALLERY = Path(__file__).resolve().parents[2] / "gallery"
NAMES = ("eight_schools", "radon", "dbn", "mnist_two_layers")
FORMS = ("original", "auxiliary")
ROUNDS = 5


def climbs(model: Any, data: Any, form: str, count: int) -> Any:
    """A compiled run of so many gradients, each at another point, so that none is left out."""
    aim = target(model, data, form)
    slope = jax.grad(aim.functions.log_density)

    def run(position: Any, data: Any) -> Any:
        def step(_: int, at: Any) -> Any:
            return jax.tree.map(lambda value, by: value + 1e-9 * by, at, slope(at, data))

        return jax.lax.fori_loop(0, count, step, position)

    start, compiled = aim.start(np.random.default_rng(0), 0.1), jax.jit(run)
    return lambda: jax.block_until_ready(compiled(start, aim.data))


def main() -> None:
    """Prints microseconds and ratios."""
    for name in NAMES:
        script = runpy.run_path(str(GALLERY / f"{name}.py"))
        large = name.startswith("mnist")
        data, count = script["data"](0, 1000) if large else script["data"](), 10 if large else 200
        with numbers("float32" if large else "float64"):
            runs, least = {form: climbs(script["model"], data, form, count) for form in FORMS}, {}
            for run in runs.values():
                run()
            for form in ROUNDS * FORMS:
                began = time.process_time()
                runs[form]()
                least[form] = min(least.get(form, np.inf), (time.process_time() - began) / count)
        shown = ", ".join(f"{form} {1e6 * least[form]:.1f} µs" for form in FORMS)
        print(f"{name:18} {shown}; auxiliary over original {least['auxiliary'] / least['original']:.2f}", flush=True)


if __name__ == "__main__":
    main()
