"""Writes gallery/robustness.md: how many bad inputs, random texts, random models and derivations were tried, and what failed.

    python gallery/robustness.py [--models 10000] [--fuzz 3600] [--soak 1000]      # goes on where the files in build/ end

The runs leave files in build/robustness; their counts stand in gallery/data/robustness.json, and the page is made of
those. A run that was not done is not on the page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TESTS, BUILD, PAGE = ROOT / "tests", ROOT / "build" / "robustness", ROOT / "gallery" / "robustness.md"
COUNTS = ROOT / "gallery" / "data" / "robustness.json"
sys.path[:0] = [str(ROOT), str(TESTS)]

from corpus.records import recorded  # noqa: E402
from support.paths import environment  # noqa: E402


def run(models: int, fuzz: int, soak: int) -> None:
    """The long runs, each in a process of its own."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for module, *args in (
        ("fuzz.random_models", str(models), "--file", str(BUILD / "random_models.jsonl")),
        ("fuzz.fuzz_language", "--seconds", str(fuzz), "--file", str(BUILD / "fuzz.json")),
        ("fuzz.soak", str(soak), "--file", str(BUILD / "soak.json")),
    ):
        subprocess.run([sys.executable, "-m", module, *args], check=False, cwd=ROOT, env=environment())


def corpus() -> list[str]:
    """The bad inputs that the tests try, by kind."""
    from support.bad_arguments import ARGUMENTS, NAMES
    from support.bad_calls import CALLS
    from support.bad_data import ARRAYS
    from support.bad_data import REFUSED as DATA
    from support.bad_inputs import FILES, LAWS, TEXTS
    from support.hostile_formulas import REFUSED

    kinds = {
        "formulas": REFUSED, "laws on the command line": LAWS, "model texts": TEXTS, "model files": FILES,
        "data files": [*DATA, *ARRAYS], "arguments": ARGUMENTS, "calls of the Python API": CALLS, "names": NAMES,
    }  # fmt: skip
    rows = [f"| {kind} | {len(inputs)} |" for kind, inputs in kinds.items()]
    return [
        "## Bad inputs", "",
        "Each gets its own error code, on the command line status 2, and writes nothing; `make test` tries all.", "",
        "| kind | inputs |", "|---|---|", *rows, f"| **all** | **{sum(map(len, kinds.values()))}** |", "",
    ]  # fmt: skip


def parser(found: dict[str, Any]) -> list[str]:
    """The fuzzing of the parser."""
    return [
        "## The parser under fuzzing", "",
        f"By {found['how']}, each input as a formula and as a model; an audit hook watches for code that is compiled",
        "from text, run, started or written.", "",
        "| inputs | read | refused | crashes | hangs (5 s) | code executions | read back differently | slowest |",
        "|---|---|---|---|---|---|---|---|",
        f"| {found['inputs']:,} | {found['read']:,} | {found['refused']:,} | {found['crashes']} | {found['hangs']} |"
        f" {found['code']} | {found['unlike']} | {found['slowest']} s |", "",
    ]  # fmt: skip


def summed(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """What became of random models, in numbers."""
    compared = [line for line in lines if line.get("compared", True)]
    seeds, seconds = [line["seed"] for line in lines], sorted(line["seconds"] for line in lines)
    return {
        "seeds": [min(seeds), max(seeds)], "models": len(lines), "compared": len(compared),
        "compiled": sum(line["xla"] for line in lines),
        "worst": max(line["worst"] for line in compared), "single": max(line["single"] for line in lines),
        "infinite": sum("not finite" in line["failed"] for line in lines),
        "beyond": sum(line.get("beyond", False) for line in lines),
        "seconds": [seconds[len(seconds) // 2], seconds[len(seconds) * 95 // 100], seconds[-1]],
        "memory": max(line.get("memory", 0) for line in lines),
        "features": dict(sorted(Counter(feature for line in lines for feature in line["features"]).items())),
        "failed": {str(line["seed"]): line["failed"] for line in lines if line["failed"]},
    }  # fmt: skip


def with_run(runs: list[dict[str, Any]], made: dict[str, Any]) -> list[dict[str, Any]]:
    """The runs by their seeds; one that begins with the same seed is replaced."""
    others = [run for run in runs if run["seeds"][0] != made["seeds"][0]]
    return sorted([*others, made], key=lambda run: run["seeds"])


def random_models(runs: list[dict[str, Any]]) -> list[str]:
    """The random models, a row for each run."""
    models, compared, compiled = (sum(run[key] for run in runs) for key in ("models", "compared", "compiled"))
    features: Counter[str] = Counter()
    for run in runs:
        features.update(run["features"])
    rows = [
        f"| {run['seeds'][0]:,} to {run['seeds'][1]:,} | {run['models']:,} | {len(run['failed'])} | {run['worst']:.1e} |"
        f" {run['single']:.1e} | {run['infinite']} | {run.get('beyond', 0)} | {_taken(run)} | {run.get('remark', '')} |"
        for run in runs
    ]
    return [
        "## Random models", "",
        f"{models:,} models of 2 to 8 variables were put into auxiliary form; {compared:,} were compared with",
        f"mpmath's reading of the original, {models - compared} have more noises than elements and no Jacobian.",
        f"The code of {compiled:,} was compiled by XLA, that of the others traced by JAX",
        "and run by numpy.", "",
        "Where noise six deviations out takes a log-density beyond the range of doubles, as mpmath says with 2,000 digits,",
        "minus infinity stands for it: those are counted apart from what is not finite and should be.", "",
        "| seeds | models | wrong | worst difference | in single precision | not finite, in the middle or far out |"
        " beyond doubles | seconds of a processor: median, 95 %, most; peak memory of the process | |",
        "|---|---|---|---|---|---|---|---|---|", *rows, "",
        "What they had: " + ", ".join(f"{name} ({count})" for name, count in sorted(features.items())) + ".", "",
        *(f"- seed {seed}: {why}" for run in runs for seed, why in run["failed"].items()),
    ]  # fmt: skip


def _taken(run: dict[str, Any]) -> str:
    """The time and the memory that a run took, where they were recorded."""
    if "seconds" not in run:
        return ""
    median, most, longest = run["seconds"]
    memory = f"; {run['memory']:,} MB" if run["memory"] else ""
    return f"{median:.1f}, {most:.1f}, {longest:.0f}{memory}"


def derivations(found: dict[str, Any]) -> list[str]:
    """The soak."""
    rows = [f"| {done} | {memory} MB | {files} |" for done, memory, files in found["places"]]
    return [
        "", "## A soak", "", f"{found['derivations']} derivations in one process, of laws that no cache has seen.", "",
        "| derivations | memory | open files |", "|---|---|---|", *rows, "",
    ]  # fmt: skip


def counted() -> dict[str, Any]:
    """The counts that are known, with those of the runs in build/ for what was run again."""
    known = json.loads(COUNTS.read_text(encoding="utf-8")) if COUNTS.exists() else {}
    for name in ("fuzz", "soak"):
        if (BUILD / f"{name}.json").exists():
            known[name] = json.loads((BUILD / f"{name}.json").read_text(encoding="utf-8"))
    for path in sorted(BUILD.glob("random_models*.jsonl")):
        known["random_models"] = with_run(known.get("random_models", []), summed(recorded(path)))
    return known


def page(found: dict[str, Any]) -> str:
    """The page, of the runs that there are."""
    parts = [
        "# What bad and random input does to symaux",
        "",
        "Made by `make robustness` from runs that were really done.",
        "",
        *corpus(),
    ]
    for name, told in (("fuzz", parser), ("random_models", random_models), ("soak", derivations)):
        parts += told(found[name]) if name in found else []
    return "\n".join(parts).rstrip() + "\n"


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--models", type=int, default=10_000)
    reader.add_argument("--fuzz", type=int, default=3600)
    reader.add_argument("--soak", type=int, default=1000)
    reader.add_argument("--page", action="store_true", help="the page alone, of what was run before")
    options = reader.parse_args()
    if not options.page:
        run(options.models, options.fuzz, options.soak)
    found = counted()
    COUNTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
