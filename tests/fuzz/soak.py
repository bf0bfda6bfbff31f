"""Many derivations in one process: neither memory nor open files may grow.

    PYTHONPATH=.:tests python -m fuzz.soak [COUNT] [--file soak.json]

Laws come by their formulas with names that never repeat, so that no cache can answer; every tenth one is a whole model that
is rewritten, generated and evaluated.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import sympy as sp

import symaux as sa

FAMILIES = (
    "gumbel",
    "weibull",
    "logistic",
    "pareto",
    "laplace",
    "frechet",
    "kumaraswamy",
    "rayleigh",
    "normal",
    "cauchy",
)

LINE = ("gumbel", "logistic", "laplace", "normal", "cauchy")


def memory() -> float:
    """What this process has in memory, in megabytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def files() -> int:
    return len(os.listdir("/proc/self/fd"))


def one(number: int) -> None:
    """One derivation, of a law that has not been seen before."""
    if number % 10 == 0:
        odd = f"{number + 2}/{number + 1}"
        text = f"m ~ normal(0, {odd})\nx ~ logistic(m*{odd}, 1)\nobserve y ~ normal(x, {odd})"
        aux = sa.auxiliary(sa.parse(text))
        assert aux.steps and sa.to_source(aux.after)
        return
    family = FAMILIES[number % len(FAMILIES)]
    z = sp.Symbol(f"z{number}", **({"real": True} if family in LINE else {"positive": True}))
    a, b = sp.symbols(f"a{number} b{number}", positive=True)
    law = getattr(sa, family)(z, *([a] if family == "rayleigh" else [a, b]))
    assert sa.derive(sa.law(z, log_density=law.log_density, support=(law.support.lower, law.support.upper))).verdict


def soak(count: int) -> dict[str, Any]:
    """The memory and the open files at ten places of the run."""
    places: list[tuple[int, float, int]] = []
    start = time.monotonic()
    for number in range(count):
        one(number)
        if (number + 1) % max(1, count // 10) == 0:
            gc.collect()
            places.append((number + 1, round(memory(), 1), files()))
    return {"derivations": count, "seconds": round(time.monotonic() - start), "places": places}


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("count", type=int, nargs="?", default=1000)
    reader.add_argument("--file", type=Path)
    options = reader.parse_args()
    found = soak(options.count)
    print(json.dumps(found))
    if options.file:
        options.file.write_text(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
