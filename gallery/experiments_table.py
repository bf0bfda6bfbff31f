"""The README's table of the experiments, from their records and from the page of benchmarks.

python gallery/experiments_table.py     # brings the README up to date (also: make readme)
"""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import choosing_page
import dbn_words
import experiment as ex
import helps_words
import mnist_words
from corpus.records import recorded
from dbn_pairs import Pair, pairs
from mnist_cells import Cell, cells

README = ex.HERE.parent / "README.md"
BLOCK = re.compile(r"(<!-- experiments: [^\n]*-->\n)(.*?)(<!-- end of experiments -->)", re.DOTALL)
MIXED = "mixed"
WHERE = {"train": "on digits learnt from", "test": "on others"}


def records(name: str) -> list[ex.Record]:
    return recorded(ex.HERE / "data" / f"{name}.jsonl")


def digits(listed: list[Cell]) -> list[tuple[str, str]]:
    """A line for each number of layers and digits: the paper's step, and the tuned ones."""
    found = []
    for cell in (c for c in listed if c.way != "same"):
        seeds = min(map(len, cell.runs.values()))
        step = f"steps tuned to {cell.step}" if cell.way == "tuned" else f"the paper's step, {cell.step}"
        name = f"MCEM, {cell.layers} layers, {cell.digits:,} digits, {step} ({seeds} seed{'s' * (seeds > 1)})"
        found.append((f"{name}: iterations to what the original has after {cell.iterations}", faster(cell)))
    return found


def faster(cell: Cell) -> str:
    """The ratio, or that the auxiliary form does not get there."""
    found, total = cell.speedups(), len(mnist_words.gaps(cell))
    if not found:
        return "not reached"
    missed = f"; not reached on {total - len(found)} of {total} seeds" if len(found) < total else ""
    back = f"; to what the auxiliary has {ex.spread(cell.back())}" if cell.back() else ""
    bad = f" ({poor})" if (poor := mnist_words.too_long(cell)) else ""
    return f"{ex.spread(found)} times fewer{missed}{back}{bad}"


def third_layer(listed: list[Cell]) -> list[tuple[str, str]]:
    """What it brings at the end."""
    gains = [by for *_, by in mnist_words.layer_gains(listed)]
    medians = {w: [statistics.median(by[w]) for by in gains if by[w]] for w in ("train", "test")}
    if not medians["train"]:
        return []
    said = [f"{ex.between(medians[w])} nats a digit {where}" for w, where in WHERE.items() if medians[w]]
    return [("the third layer, both forms, at the end (medians over seeds)", ", ".join(said))]


def network(listed: list[Pair]) -> list[tuple[str, str]]:
    """Informative worlds by kind of step, and the noisy ones together."""
    found = []
    for way, name in {"untuned": "the paper's step, 0.01", "tuned": "steps tuned for each form"}.items():
        sharp = [p for p in listed if p.way == way and p.noise < dbn_words.INFORMATIVE]
        ratios = [f"{ratio:.1f} times fewer" if (ratio := p.ratio()) else "not reached" for p in sharp]
        if sharp:
            title = f"MCEM, dynamic network, {name}, informative data ({len(sharp)} worlds)"
            length = sharp[0].original["points"][-1]["iterations"]
            found.append((f"{title}: iterations to what the original has after {length:,}", ", ".join(ratios)))
    if noisy := [p for p in listed if p.noise >= dbn_words.INFORMATIVE]:
        worlds = len({p.seed for p in noisy})
        largest = max(abs(p.lead) for p in noisy)
        found.append((f"the same with noisy data ({worlds} worlds)", f"within {largest:.2f} nats a series at the end"))
    return found


def sweep(runs: list[ex.Record]) -> list[tuple[str, str]]:
    """Eight schools and groups by NUTS."""
    found = []
    for model, unit in {"eight schools": "σ ×", "1000 groups": "σ/τ ="}.items():
        noises = sorted((noise for name, noise in helps_words.cells(runs) if name == model), reverse=True)
        seeds = [len(helps_words.worth(runs, (model, n), form)) for n in noises for form in helps_words.FORMS]
        ratios = [helps_words.ratio(runs, (model, noise)) for noise in noises]
        title = f"NUTS, effective draws per gradient: {model} with {unit} {', '.join(f'{n:g}' for n in noises)}"
        found.append((f"{title} ({ex.between(seeds, 0)} seeds)", ", ".join(map(times, ratios))))
    return found


def times(ratio: float) -> str:
    """A ratio, or which form alone converges."""
    alone = {0.0: "only original", float("inf"): "only auxiliary"}
    return alone.get(ratio) or f"× {ex.rounded(ratio)}"


def chosen(runs: list[ex.Record]) -> list[tuple[str, str]]:
    """Advised forms, against the better of the two pure ones."""
    ratios = {c: choosing_page.over_better(runs, c, "advise") for c in choosing_page.cells(runs)}
    mixed = [ratio for cell, ratio in ratios.items() if MIXED in cell[0]]
    others = [ratio for cell, ratio in ratios.items() if MIXED not in cell[0]]
    title = "NUTS, half the groups with much data and half with little: advised form against the better of the two"
    return [(title, f"× {ex.between(mixed)} (other {len(others)} cells of the sweep × {ex.between(others)})")]


def section(title: str) -> list[list[str]]:
    """The cells of a table on the page of benchmarks."""
    page = (ex.HERE / "benchmarks.md").read_text(encoding="utf-8")
    lines = page.split(f"## {title}\n")[1].split("\n## ")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][1:]


def gradients() -> list[tuple[str, str]]:
    """What one gradient costs."""
    rows = section("One gradient, auxiliary over original")
    names = (
        ", ".join(row[0] for row in rows).replace("mnist two layers", "1,000 digits").replace("dbn", "dynamic network")
    )
    return [(f"one gradient (`make bench`): {names}", f"{', '.join(row[-1] for row in rows)} times the cost")]


def iteration() -> str:
    """The sentence on an iteration of MCEM beside JAX by hand."""
    ours = [float(cell) for row in section("Monte Carlo EM on 10,000 digits")[:2] for cell in row[-2:]]
    return (
        f"An iteration of MCEM on 10,000 digits takes {ex.between(ours, 2)} of the processor time of JAX written by hand, in"
        " both forms ([benchmarks](gallery/benchmarks.md), `make bench`)."
    )


def order_of_magnitude(listed: list[Cell], worlds: list[Pair]) -> str:
    """In how many comparisons the paper's claim holds as it stands."""
    sharp = [p for p in worlds if p.noise < dbn_words.INFORMATIVE]
    held = sum((p.ratio() or 0) >= dbn_words.ORDER for p in sharp)
    cells_held = sum(mnist_words.verdict(c) == "holds" for c in listed)
    return (
        f"The paper's order of magnitude shows in {cells_held} of {len(listed)} settings of the digits, and in {held} of"
        f" {len(sharp)} comparisons on informative data of the dynamic network."
    )


def table() -> str:
    """The whole block."""
    listed = cells(records("mnist_experiment"))
    worlds = pairs(records("dbn_experiment"))
    lines = [*digits(listed), *third_layer(listed), *network(worlds)]
    lines += [*sweep(records("helps_or_hurts")), *chosen(records("choosing")), *gradients()]
    rows = ex.table(["", "auxiliary against original form"], lines)
    return "\n".join([*rows, "", order_of_magnitude(listed, worlds), iteration(), ""])


if __name__ == "__main__":
    README.write_text(BLOCK.sub(lambda found: found[1] + table() + found[3], README.read_text(encoding="utf-8")))
