"""Generated code against hand-written JAX and the peers, all in one process, interleaved; writes gallery/benchmarks.md.

PYTHONPATH=.:tests python -m bench.speed [--rounds 15] [--only dbn10 mnist …] [--no-page]
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
from support.paths import GALLERY

import symaux as sa
from bench import hand, models, peers
from bench.harness import Contender, Result, grad, race, shown, value_and_grad

PAGE = GALLERY / "benchmarks.md"
OURS, UNROLLED = "symaux", "symaux, unrolled"


@dataclass(frozen=True)
class Case:
    """One model with its numbers, its hand-written variants, and the length of the compiled loop."""

    title: str
    kind: str
    model: Callable[[], sa.Model]
    numbers: Callable[[], tuple[Any, Any]]
    variants: Callable[[Any], Any]
    loop: int
    without: tuple[str, ...] = ()
    unrolled: bool = False  # whether it is also measured with all steps written out


CASES = {
    "dbn10": Case(
        "DBN, T=10, d=10, 100 series", "dbn", lambda: models.dbn(10), lambda: models.dbn_numbers(10, 100, 10),
        lambda data: hand.dbn_variants(data, 10), 50, unrolled=True,
    ),
    "dbn1000": Case(
        "DBN, T=1000, d=10, 100 series", "dbn", lambda: models.dbn(1000), lambda: models.dbn_numbers(1000, 100, 10),
        lambda data: hand.dbn_variants(data, 1000), 1, ("PyMC (jax)",),
    ),
    "dbn1000single": Case(
        "DBN, T=1000, d=10, one series", "dbn", lambda: models.dbn(1000, 1), lambda: models.dbn_numbers(1000, 1, 10),
        lambda data: hand.dbn_variants(data, 1000), 20, ("PyMC (jax)",),
    ),
    "mnist": Case(
        "MNIST, two layers, 1000 digits", "mnist", models.mnist, lambda: models.mnist_numbers(1000),
        hand.mnist_variants, 5,
    ),
    "schools": Case(
        "eight schools", "groups", lambda: models.groups(8), lambda: models.groups_numbers(8), hand.groups_variants, 50_000
    ),
    "groups": Case(
        "1000 groups", "groups", lambda: models.groups(1000), lambda: models.groups_numbers(1000), hand.groups_variants,
        3000,
    ),
}  # fmt: skip


def generated(case: Case, position: Any, data: Any, unroll: bool = False) -> tuple[Any, Any]:
    return sa.log_density(sa.auxiliary(case.model()).after, data, unroll=unroll), position


def contenders(case: Case, known: dict[str, str]) -> list[Contender]:
    """The hand-written variants first, then ours, then the peers that are there."""
    position, data = case.numbers()
    made = [Contender(n, lambda f=f: (f, position)) for n, f in case.variants(data).items()]
    made.append(Contender(OURS, lambda: generated(case, position, data)))
    if case.unrolled:
        made.append(Contender(UNROLLED, lambda: generated(case, position, data, unroll=True)))
    for name, (module, density) in peers.PEERS.items():
        if name not in case.without and not known[module].startswith("left out"):
            made.append(Contender(name, lambda d=density: (d(case.kind, data, position), position)))
    return made


def agree(found: list[Contender]) -> None:
    """All contenders compute the same thing, up to rounding."""
    values = {each.name: float((pair := each.setup())[0](pair[1])) for each in found}
    assert all(abs(value - values[OURS]) < 1e-3 * abs(values[OURS]) for value in values.values()), values


def measured(name: str, rounds: int, known: dict[str, str]) -> dict[str, dict[str, Result]]:
    """The four races of a model."""
    case, results = CASES[name], {}
    found = contenders(case, known)
    agree(found)
    for what, wrap in (("value and gradient", value_and_grad), ("gradient", grad)):
        for where, steps in (("per call", 0), ("in a compiled loop", case.loop)):
            compiles = 1 if results else 3  # the first race tells how long that takes
            results[f"{what}, {where}"] = race(found, wrap, rounds, steps=steps, compiles=compiles)
            print(f"{case.title}: {what}, {where}\n{shown(results[f'{what}, {where}'])}", flush=True)
    return results


def fastest(results: dict[str, Result]) -> tuple[float, str]:
    """Our time relative to the fastest of the others, and who that is; ours is what the caller gets by default."""
    others = {name: r.ratio for name, r in results.items() if name not in (OURS, UNROLLED)}
    best = min(others, key=lambda name: others[name])
    return results[OURS].ratio / others[best], best


def table(case: Case, results: dict[str, dict[str, Result]]) -> str:
    """One model as a table of ratios to the first hand-written variant; ours relative to the fastest other in front."""
    names = list(next(iter(results.values())))
    lines = [f"| {case.title} | ours / fastest | " + " | ".join(names) + " |", "|---" * (len(names) + 2) + "|"]
    for what, found in results.items():
        ratio, best = fastest(found)
        cells = [
            f"{found[n].ratio:.2f}" + (f" ({found[n].microseconds:.3g} µs)" if n == names[0] else "") for n in names
        ]
        more = f"; unrolled {ratio * found[UNROLLED].ratio / found[OURS].ratio:.2f}" if UNROLLED in found else ""
        lines.append(f"| {what} | **{ratio:.2f}** ({best}){more} | " + " | ".join(cells) + " |")
    first = next(iter(results.values()))
    took = {name: r.compile for name, r in first.items()}
    ratio = took[OURS] / min(seconds for name, seconds in took.items() if name.startswith("hand"))
    cells = [f"{took[name]:.2f}" for name in names]
    lines.append(f"| trace and compile, s | {ratio:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


HEAD = """# Benchmarks

Written by `make bench`: generated code beside hand-written JAX and the peers, every model in auxiliary form, float32, one
core, all in one process. Contenders take turns in every round, processor time is counted, and a number is the median over
rounds of the ratio to the first column of the same round, which is 1.00. *Ours / fastest* compares with the fastest of all
the others; under 1 is ahead. It is that of the default; of T=10, the ratio with `unroll=True` stands
beside it, which is asked for by the caller and compiles as long as what is unrolled by hand. Tracing and compiling is the least
processor time of three; in front is ours relative to the fastest by hand.
"""


def page(parts: list[str], known: dict[str, str], rounds: int) -> str:
    there = ", ".join(f"{name} {version}" for name, version in known.items())
    machine = f"{platform.machine()}, {os.cpu_count()} cores, pinned to one"
    note = f"{rounds} rounds; jax {jax.__version__}; {there}; {machine}."
    return "\n\n".join([HEAD.rstrip(), note, *parts]) + "\n"


def replaced(old: str, parts: list[str]) -> str:
    """The page with the tables of some models measured anew; the others stay as they are.

    >>> replaced("# page\\n\\n| A | x |\\n| 1 |\\n\\n| B | x |\\n| 2 |\\n", ["| B | x |\\n| 3 |"])
    '# page\\n\\n| A | x |\\n| 1 |\\n\\n| B | x |\\n| 3 |\\n'
    """
    blocks = old.rstrip("\n").split("\n\n")
    for part in parts:
        title = part.split(" | ")[0] + " |"
        blocks = [part if block.startswith(title) else block for block in blocks]
    return "\n\n".join(blocks) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="*", default=list(CASES))
    parser.add_argument("--no-page", action="store_true")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    known = peers.available()
    parts = [table(CASES[name], measured(name, options.rounds, known)) for name in options.only]
    print("\n\n".join(parts))
    if options.no_page:
        return
    whole = set(options.only) == set(CASES) or not PAGE.exists()
    made = page(parts, known, options.rounds) if whole else replaced(PAGE.read_text(encoding="utf-8"), parts)
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
