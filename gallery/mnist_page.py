"""The page of the digits, written from its records: curves, tables, and what the models make up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import experiment as ex
import numpy as np
from mnist_cells import FORMS, PILOT, Cell, cells, tuned
from mnist_words import gaps, layer_rows, summary, verdict

NAME = "mnist_experiment"
ABOUT = """The first experiment of Kingma (2013): two or three layers of 64 latents under 784 pixels, Monte Carlo EM
with one HMC move of 5 leapfrogs for the latents of each digit and 5 steps of Adagrad (0.1) for the parameters, in
original and in auxiliary form, from the same parameters. Pixels are black or white at half of their range; each digit
accepts or rejects by itself; single precision. Each number is the median over seeds (other digits, other starts) with
its range. The file has 10,000 digits, so that none is left to judge by where 10,000 are learnt from. Made by python
gallery/mnist_experiment.py, which measures what is missing; every figure on this page is computed from what it measured."""
CURVES = """log p(x) a digit of 20 digits that were learnt from (lines) and of 20 others (dashed), by annealed
importance sampling with 4 particles a digit and 100 temperatures; bands are the range over seeds. Seconds are those
of the processor, on one core that others used too."""
RATIOS = """For the log p(x) that the original form has at its end, less two standard errors, the auxiliary form needs so many
times fewer iterations, gradients and seconds than the original form to get there first. The original form has not converged
there, so the ratio depends on the horizon: beside it stands the ratio for what the original form has half-way, and that for
what the auxiliary form has at its end, with a dash where the original form does not get there. Elsewhere a dash says that
the auxiliary form does not. The verdict on the paper's order of magnitude goes by the smaller ratio of the two ends;
undecided is where the auxiliary form misses a level on some seed and yet ends ahead with four times the temperatures, and
where a form accepts less than a fifth of its moves, so that its step, tuned on two layers, is too long for three."""
CHOSEN = """The step of each form was tuned by pilots on 1,000 digits of a seed that nothing else uses: 160 iterations with two
layers, and the step with the highest log p(x) on digits that were learnt from (400 temperatures). Three layers and 10,000
digits take the same steps."""
ENDED = """The last column says by how much the estimate changes with four times as many temperatures: what is not
small there is the estimate's bias."""
LAYERS = "By how many nats a digit three layers are ahead of two at the end, with 400 temperatures."
DREAMS = "Forty draws of each model, of seed 0: the probability of every pixel."


def curves(listed: list[Cell], path: Path) -> None:
    """log p(x) against iterations, gradients and seconds; one row for each cell."""
    made, axes = ex.figure(10.5, 2.5 * len(listed), len(listed), 3)
    for cell, panels in zip(listed, axes, strict=True):
        for axis, (along, label) in zip(panels, ex.AXES.items(), strict=True):
            for form in FORMS:
                runs = ex.current(cell.runs[form]) if along == "seconds" else cell.runs[form]
                ex.band(axis, runs, along, "train", ex.COLOURS[form], form)
                if cell.ends(form, "test"):
                    ex.band(axis, runs, along, "test", ex.COLOURS[form], f"{form}, other digits", "--")
            ex.logarithmic(axis, label)
        panels[0].set_ylabel("log p(x) a digit")
        panels[0].set_title(cell.told, loc="left", fontsize=9)
    ex.legend(made, axes[0][0])
    ex.save(made, path)


def dreams(listed: list[Cell], path: Path) -> bool:
    """What the learnt models make up; one block for each form of each cell that has a run with seed 0."""
    shown = [(c, form, r) for c in listed for form in FORMS for r in c.runs[form] if r["dreams"] and c.way != "same"]
    if not shown:
        return False
    made, axes = ex.figure(9.5, 1.9 * ((len(shown) + 1) // 2), (len(shown) + 1) // 2, 2)
    for axis in axes.flat:
        axis.axis("off")
    for (cell, form, record), axis in zip(shown, axes.flat, strict=False):
        pixels = np.frombuffer(bytes.fromhex(record["dreams"]), np.uint8).reshape(4, 10, 28, 28)
        axis.imshow(pixels.transpose(0, 2, 1, 3).reshape(112, 280), cmap="gray_r", vmin=0, vmax=255)
        told = f"{form}, {cell.layers} layers, {cell.digits:,} digits, step {cell.steps[form]:g}, {cell.iterations} iterations"
        axis.set_title(told, loc="left", fontsize=8)
    ex.save(made, path)
    return True


def pilots(records: list[ex.Record]) -> list[list[str]]:
    """The runs that the steps were chosen by."""
    best, found = tuned(records), []
    listed = sorted(ex.matching(records, seed=PILOT), key=lambda r: (FORMS.index(r["case"]["form"]), r["case"]["step"]))
    for record in listed:
        case, last = record["case"], record["points"][-1]
        chosen = "chosen" if best[case["form"]] == case["step"] else ""
        found.append([case["form"], f"{case['step']:g}", f"{last['train']:.1f}", f"{last['test']:.1f}",
                      f"{record['acceptance']:.1%}", chosen])  # fmt: skip
    return found


def rows(listed: list[Cell]) -> list[list[str]]:
    """The table of where each form ended."""
    found = []
    for cell in listed:
        for form in FORMS:
            runs = cell.runs[form]
            scales = ", ".join(f"{n} {ex.spread([r['scales'][n] for r in runs], 1)}" for n in runs[0]["scales"])
            ends, longer = cell.ends(form), cell.longer(form)
            found.append([
                f"{cell.digits:,}", str(cell.layers), f"{cell.steps[form]:g}", form, str(len(runs)), str(cell.iterations),
                ex.spread(list(ends.values())), ex.spread(list(cell.ends(form, "test").values())),
                f"{np.mean([r['acceptance'] for r in runs]):.1%}", scales,
                ex.spread(cell.seconds(form), 3),
                ex.spread([longer[seed] - ends[seed] for seed in ends if seed in longer], 1),
            ])  # fmt: skip
    return found


def ratios(listed: list[Cell]) -> list[list[str]]:
    """How many times less the auxiliary form needs for what the original form has at its end."""
    found = []
    for cell in listed:
        ways = [ex.spread(cell.speedups(along)) for along in ex.AXES]
        early = ex.spread(cell.cut(cell.iterations // 2).speedups())
        cost = [np.mean(cell.seconds(form)) for form in FORMS]
        found.append([f"{cell.digits:,}", str(cell.layers), cell.step, str(min(map(len, cell.runs.values()))),
                      str(cell.iterations), *ways, early, ex.spread(cell.speedups(what="test")), ex.spread(cell.back()),
                      f"{cost[1] / cost[0]:.2f}", ex.spread(gaps(cell)), verdict(cell)])  # fmt: skip
    return found


HEADS = [
    "digits", "layers", "step", "form", "seeds", "iterations", "log p(x) a digit", "other digits", "accepted", "σ at the end",
    "s an iteration", "change by 4 × the temperatures",
]  # fmt: skip
FASTER = [
    "digits", "layers", "step", "seeds", "of the original", "iterations", "gradients", "seconds", "iterations, half-way",
    "iterations, other digits", "what the auxiliary has", "cost of an iteration", "nats ahead at the end, 400 temperatures",
    "an order of magnitude",
]  # fmt: skip
LAYER_HEADS = ["digits", "step", "form", "seeds", "log p(x) a digit", "other digits"]
TUNING = ["form", "step", "log p(x) a digit", "other digits", "accepted", ""]


def write(out: Path, records: list[ex.Record]) -> None:
    """The page, with its pictures."""
    listed = cells(records)
    if not listed:
        return
    picture, digits = out / f"{NAME}.svg", out / "mnist_dreams.png"
    curves(listed, picture)
    older = sum(r.get("code") == "older" for r in records)
    note = (
        f" {older} runs are of older, slower code: their seconds are left out where there are others." if older else ""
    )
    parts: list[Any] = [ABOUT, "## The curves", picture, CURVES + note, "## How much faster", RATIOS]
    parts += [ex.table(FASTER, ratios(listed)), "## Where each form ended", ENDED, ex.table(HEADS, rows(listed))]
    if tuned(records):
        parts += ["## How the steps were chosen", CHOSEN, ex.table(TUNING, pilots(records))]
    if layer_rows(listed):
        parts += ["## The third layer", LAYERS, ex.table(LAYER_HEADS, layer_rows(listed))]
    parts += ["## What came out", *summary(records)]
    if dreams(listed, digits):
        parts += ["## Digits that the models make up", DREAMS, digits]
    ex.pages(out, NAME, "Handwritten digits by Monte Carlo EM", parts)
