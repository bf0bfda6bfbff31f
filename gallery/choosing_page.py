"""The page of the sweep of chosen forms, written from its records: every figure in it is computed here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import choosing_cells as sweep
import experiment as ex
import numpy as np

NAME = "choosing"
COLOURS = {"original": "#b5483a", "auxiliary": "#20639b", "advise": "#3c8f5a", "learn": "#8a5fb0", "NumPyro 0": "#999999",
           "NumPyro 0.5": "#c9a227", "NumPyro learned": "#555555"}  # fmt: skip
MARKS = {"original": "s", "auxiliary": "D", "advise": "o", "learn": "^", "NumPyro 0": "1", "NumPyro 0.5": "2",
         "NumPyro learned": "x"}  # fmt: skip
PURE = ("original", "auxiliary")
OURS = ("original", "auxiliary", "advise", "learn")
SEEDS = 5  # fewer are told
AIM, SHARE = 0.9, 0.2  # of the better pure form, and of the budget
FLOOR = 0.02  # where ratios below it are drawn
ABOUT = """NUTS on each model in several forms: effective draws (bulk) of the worst element per thousand gradients, those of the
warm-up left out; the median over seeds, with the range. A run whose R-hat is not below 1.05 counts as none. Four
chains, as many moves of warm-up as draws, acceptance 0.9, trees of at most 2^7 moves. The seed draws other data too,
but for the eight schools and the funnel. Advised forms are sa.auxiliary(model, choose="advise", data=data), learned
ones have "learn"; where they come out as a pure form, the run is that form's, with the same seed. Original, auxiliary
and chosen forms run on BlackJAX, NumPyro's LocScaleReparam on NumPyro's own NUTS with the same settings: at 0, at
0.5, and learned by 2,000 steps of SVI with an AutoNormal guide and Adam, one weight for each element. It has no form
for a gamma or a Kumaraswamy law; ours of the latter are the same law at other shapes. Of a thousand groups, which are
alike, the first fifty are judged. The dynamic network has three series, with its parameters
given. Made by python gallery/choosing.py."""


def cells(records: list[ex.Record]) -> list[tuple[str, float]]:
    """Models with their noise, in the order of the sweep."""
    order = [(c["model"], c["noise"]) for c in sweep.cells()]
    found = {(r["case"]["model"], r["case"]["noise"]) for r in records}
    return sorted(found, key=lambda cell: order.index(cell) if cell in order else len(order))


def runs(records: list[ex.Record], cell: tuple[str, float], form: str) -> list[ex.Record]:
    """All seeds of a form that has a run."""
    return [r for r in ex.matching(records, model=cell[0], noise=cell[1], form=form) if "ess" in r]


def worth(records: list[ex.Record], cell: tuple[str, float], form: str) -> list[float]:
    return [r["per_thousand_gradients"] for r in runs(records, cell, form)]


def middle(records: list[ex.Record], cell: tuple[str, float], form: str) -> float:
    found = worth(records, cell, form)
    return float(np.median(found)) if found else np.nan


def over_better(records: list[ex.Record], cell: tuple[str, float], form: str) -> float:
    """Medians: a form over the better of the two pure ones."""
    better = float(np.max([middle(records, cell, pure) for pure in PURE]))  # not a number until both were run
    return middle(records, cell, form) / better if better != 0 else np.inf


def told(cell: tuple[str, float]) -> str:
    alone = any(word in cell[0] for word in ("funnel", "mixed", "network", "Kumaraswamy"))
    return cell[0] if alone else f"{cell[0]}, σ {cell[1]:g}"


def rows(records: list[ex.Record]) -> list[list[str]]:
    """The table of effective draws."""
    found = []
    for cell in cells(records):
        seeds = [len(worth(records, cell, form)) for form in OURS]
        ratios = [
            f"{over_better(records, cell, form):.2f}" if worth(records, cell, form) else "–"
            for form in ("advise", "learn")
        ]
        shown = [ex.spread(worth(records, cell, form), 1) for form in COLOURS]
        found.append([told(cell), str(min(seeds)), *shown[:4], *ratios, *shown[4:]])
    return found


def more_rows(records: list[ex.Record]) -> list[list[str]]:
    """The table of weights, costs and failures."""
    found = []
    for cell in cells(records):
        both = [runs(records, cell, form) for form in ("advise", "learn")]
        weights = [
            " to ".join(f"{np.mean([r['weights'][k] for r in own]):.2f}" for k in (0, 2)) if own else "–"
            for own in both
        ]
        costs = [ex.spread([100 * r["share"] for r in own], 0) + " %" if own else "–" for own in both]
        failed = ", ".join(str(sum(r["ess"] == 0 for r in runs(records, cell, form))) for form in COLOURS)
        limits = [
            _most([r["worst"] for r in runs(records, cell, form)]) for form in ("original", "auxiliary", "advise")
        ]
        found.append([told(cell), *weights, *costs, failed, ", ".join(limits)])
    return found


def _most(names: list[str]) -> str:
    return max(set(names), key=names.count) if names else "–"


def picture(records: list[ex.Record], path: Path) -> None:
    """Every form over the better pure one, a line for each cell."""
    listed = cells(records)[::-1]
    made, axes = ex.figure(7.5, 0.8 + 0.3 * len(listed), 1, 1)
    axis = axes[0][0]
    axis.axvline(1.0, color="#cccccc", linewidth=1)
    axis.axvline(AIM, color="#cccccc", linewidth=1, linestyle=":")
    for form, colour in COLOURS.items():
        found = [(over_better(records, cell, form), y) for y, cell in enumerate(listed) if worth(records, cell, form)]
        ratios = [max(x, FLOOR) if np.isfinite(x) else np.nan for x, _ in found]
        axis.scatter(ratios, [y for _, y in found], color=colour, marker=MARKS[form], s=28, label=form, zorder=3)
    axis.set(yticks=range(len(listed)), yticklabels=list(map(told, listed)))
    ex.logarithmic(axis, "effective draws per gradient, over those of the better pure form")
    ex.legend(made, axis)
    ex.save(made, path)


def summary(records: list[ex.Record]) -> list[str]:
    """What came out, in words around computed figures."""
    return [
        _ratios(records, "advise", "advised"),
        _ratios(records, "learn", "learned"),
        _mixed(records),
        _peers(records),
        _missing(records),
    ]


def headlines(records: list[ex.Record]) -> list[str]:
    """What the README says of the sweep: of cells that have all their seeds."""
    whole = [c for c in cells(records) if all(len(runs(records, c, form)) >= SEEDS for form in OURS)]
    found = {cell: over_better(records, cell, "advise") for cell in whole}
    mixed = next(ratio for cell, ratio in found.items() if cell[0].startswith("mixed"))
    rest = [ratio for cell, ratio in found.items() if not cell[0].startswith("mixed")]
    costs = [
        f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %"
        for form in ("advise", "learn")
        if (shares := [r["share"] for cell in found for r in runs(records, cell, form)])
    ]
    return [
        f"× {mixed:.1f} (other {len(rest)} cells of the sweep × {min(rest):.1f} to {max(rest):.1f})",
        f"advice costs {costs[0]} of a usual run, learning {costs[1]}",
    ]


def _ratios(records: list[ex.Record], form: str, name: str) -> str:
    found = {cell: ratio for cell in cells(records) if not np.isnan(ratio := over_better(records, cell, form))}
    if not found:
        return f"No run of the {name} form."
    short = [f"{told(cell)} ({ratio:.2f})" for cell, ratio in found.items() if ratio < AIM]
    shares = [r["share"] for cell in found for r in runs(records, cell, form)]
    finite = [r for r in found.values() if np.isfinite(r)]
    below = f"below {AIM}: {', '.join(short)}" if short else f"in no cell below {AIM}"
    over = sum(share > SHARE for share in shares)
    costs = f"{100 * min(shares):.0f} to {100 * max(shares):.0f} % of the gradients of the run, warm-up included"
    return (
        f"The {name} form has {min(finite):.2f} to {max(finite):.2f} times the effective draws per gradient of the better"
        f" pure form, over {len(found)}"
        f" cells; {below}. Choosing took {costs} ({over} of {len(shares)} runs above"
        f" {100 * SHARE:.0f} %)."
    )


def _mixed(records: list[ex.Record]) -> str:
    found = [cell for cell in cells(records) if "mixed" in cell[0] and worth(records, cell, "advise")]
    parts = [
        f"{over_better(records, cell, f):.1f} times ({w})"
        for cell in found
        for f, w in (("advise", "advised"), ("learn", "learned"))
    ]
    return (
        f"Where half the groups have much data and half little, the better pure form is beaten {' and '.join(parts)}."
        if parts
        else ""
    )


def _missing(records: list[ex.Record]) -> str:
    """Cells of the sweep with fewer runs than seeds, so that none is silently left out; a law without a form is no run."""
    said = []
    for cell in [(c["model"], c["noise"]) for c in sweep.cells()]:
        counts = {f: len(ex.matching(records, model=cell[0], noise=cell[1], form=f)) for f in COLOURS}
        parts = {"ours": OURS, "NumPyro": [f for f in COLOURS if f not in OURS]}
        least = {name: min(counts[f] for f in forms) for name, forms in parts.items()}
        short = [f"{name} {count}" for name, count in least.items() if count < SEEDS]
        said += [f"{told(cell)} ({', '.join(short)})"] if short else []
    return f"Cells with fewer than {SEEDS} seeds of every form so far: {'; '.join(said)}." if said else ""


def _peers(records: list[ex.Record]) -> str:
    """Of each of NumPyro's, in how many cells the advised form is ahead."""
    said = []
    for form in [f for f in COLOURS if f.startswith("NumPyro")]:
        common = [c for c in cells(records) if all(worth(records, c, f) for f in (form, "advise", *PURE))]
        ahead = sum(middle(records, c, "advise") > middle(records, c, form) for c in common)
        least = [over_better(records, c, form) for c in common]
        if common:
            low = f"its worst is {min(least):.2g} of the better pure form"
            seeds = [len(worth(records, c, form)) for c in common]
            low += f" ({min(seeds)} to {max(seeds)} seeds so far)" if min(seeds) < SEEDS else ""
            said.append(f"{form}: the advised form is ahead in {ahead} of {len(common)} cells, {low}")
    return "; ".join(said) + "." if said else "NumPyro was not run."


def write(out: Path, records: list[ex.Record]) -> None:
    """The page, with its picture."""
    path = out / f"{NAME}.svg"
    picture(records, path)
    heads = ["model", "seeds", "original", "auxiliary", "advised", "learned", "advised over the better",
             "learned over the better", "NumPyro 0", "NumPyro 0.5", "NumPyro learned"]  # fmt: skip
    more = ["model", "advised weights", "learned weights", "cost of advice", "cost of learning",
            "not converged (in the order above)", "worst element of (original, auxiliary, advised)"]  # fmt: skip
    parts: list[Any] = [ABOUT, "## Against the better pure form", path, "## Effective draws per thousand gradients"]
    parts += [ex.table(heads, rows(records)), "## Weights, costs, failures", ex.table(more, more_rows(records))]
    ex.pages(out, NAME, "Choosing how far to rewrite", [*parts, "## What came out", *filter(None, summary(records))])
