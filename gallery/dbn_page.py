"""The page of the dynamic network, written from its records: curves, ratios, and where each run ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import experiment as ex
from dbn_pairs import FORMS, SEEDS, pairs, pilots, steps_of, tuned, whole
from dbn_words import summary

NAME = "dbn_experiment"
STYLES = {"untuned": "-", "tuned": "--", "longer": ":"}
ABOUT = """The second experiment of Kingma (2013): 100 series of length 10, states and observations of size 10,
forward-sampled with weights, biases and logarithms of scales from N(0, I); Monte Carlo EM as for the digits (one HMC
move of 5 leapfrogs for each series, 5 steps of Adagrad), in original and in auxiliary form, from the same parameters.
log p(x) by annealed importance sampling, 4 particles a series and 100 temperatures, double precision. A seed is a world
of its own, with other true parameters, so seeds are not averaged. Made by python gallery/dbn_experiment.py, which
measures what is missing; every figure on this page is computed from what it measured."""
RATIOS = """For the log p(x) that the original form has at its end, less two standard errors, the auxiliary form needs so many
times fewer iterations, gradients and seconds than the original form to get there first; the column after has the ratio for
what the auxiliary form has at its end. A dash: the one that is asked never gets there within the horizon. Ratios of flat
curves say little: the last column has the nats a series by which the auxiliary form ends ahead, with 400 temperatures."""
CHOSEN = """The step of each form was tuned for each world by pilots with the same data, another start and other noise: 200
iterations, and the step with the highest log p(x) (200 temperatures)."""


def curves(records: list[ex.Record], path: Path) -> None:
    """log p(x) against iterations, gradients and seconds, a row for each seed, since seeds are other worlds here."""
    seeds = [s for s in SEEDS if ex.matching(records, seed=s)]
    made, axes = ex.figure(10.5, 2.3 * len(seeds), len(seeds), 3)
    for seed, panels in zip(seeds, axes, strict=True):
        for axis, (along, label) in zip(panels, ex.AXES.items(), strict=True):
            for way, steps in steps_of(records, seed).items():
                for form in FORMS:
                    runs = ex.matching(whole(records), seed=seed, step=steps[form], form=form)
                    ex.band(axis, runs, along, "train", ex.COLOURS[form], f"{form}, {way} step", STYLES[way])
            ex.logarithmic(axis, label)
        noise = ex.matching(records, seed=seed)[0]["true_scales"]["sx"]
        panels[0].set_ylabel("log p(x) a series")
        panels[0].set_title(f"seed {seed}: noise of the observations {noise:.2f}", loc="left", fontsize=9)
    ex.legend(made, axes[0][0])
    ex.save(made, path)


def ratios(records: list[ex.Record]) -> list[list[str]]:
    """How many times less the auxiliary form needs, for each world and kind of step."""
    found = []
    for pair in pairs(records):
        runs = [pair.original], [pair.auxiliary]
        ways = [ex.spread(ex.speedups(*runs, along, "train")) for along in ex.AXES]
        ways[-1] = ways[-1] if pair.cost else "–"
        back = ex.spread([1 / r for r in ex.speedups(*reversed(runs), "iterations", "train")], 2)
        cost = f"{pair.cost:.2f}" if pair.cost else "–"
        found.append([str(pair.seed), pair.way, pair.steps, *ways, back, cost, f"{pair.lead:.2f}"])
    return found


def rows(records: list[ex.Record]) -> list[list[str]]:
    """Where each run ended."""
    found = []
    for r in sorted(
        whole(records), key=lambda r: (SEEDS.index(r["case"]["seed"]), r["case"]["step"], r["case"]["form"])
    ):
        case, last = r["case"], r["points"][-1]
        scales = ", ".join(f"{n} {r['scales'][n]:.2f} ({r['true_scales'][n]:.2f})" for n in r["scales"])
        found.append([
            str(case["seed"]), f"{case['step']:g}", case["form"], f"{last['train']:.2f} ± {last['error']:.2f}",
            f"{r['truth']:.2f}", f"{r['acceptance']:.1%}", scales, f"{1000 * r['seconds_per_iteration']:.1f}",
            f"{r['longer_annealing'] - last['train']:.2f}",
        ])  # fmt: skip
    return found


def chosen(records: list[ex.Record]) -> list[list[str]]:
    """The pilots."""
    best, found = tuned(records), []
    for r in pilots(records):
        case, last = r["case"], r["points"][-1]
        mark = "chosen" if best[case["form"], case["seed"]] == case["step"] else ""
        found.append([str(case["seed"]), case["form"], f"{case['step']:g}", f"{last['train']:.2f}", f"{r['acceptance']:.1%}",
                      mark])  # fmt: skip
    return found


HEADS = ["seed", "step", "of original and auxiliary", "iterations", "gradients", "seconds", "what the auxiliary has",
         "cost of an iteration", "ahead at the end"]  # fmt: skip
ENDS = [
    "seed", "step", "form", "log p(x) a series", "with the true parameters, at least", "accepted", "scales (true)",
    "ms an iteration", "change by 4 × the temperatures",
]  # fmt: skip


def write(out: Path, records: list[ex.Record]) -> None:
    """The page, with its picture."""
    picture = out / f"{NAME}.svg"
    if not whole(records):
        return
    curves(records, picture)
    parts: list[Any] = [ABOUT, "## The curves", picture, "## How much faster", RATIOS, ex.table(HEADS, ratios(records))]
    parts += ["## Where each run ended", ex.table(ENDS, rows(records))]
    if pilots(records):
        heads = ["seed", "form", "step", "log p(x) a series", "accepted", ""]
        parts += ["## How the steps were chosen", CHOSEN, ex.table(heads, chosen(records))]
    ex.pages(out, NAME, "A dynamic Bayesian network by Monte Carlo EM", [*parts, "## What came out", *summary(records)])
