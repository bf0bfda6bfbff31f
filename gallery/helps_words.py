"""What came out of the sweep of NUTS, in words around figures that are computed from the records."""

from __future__ import annotations

import statistics
from itertools import pairwise

import experiment as ex

FORMS = ("original", "auxiliary")
Where = tuple[str, float]  # a model and its noise
SWEPT = "1000 groups"


def cells(records: list[ex.Record]) -> list[Where]:
    """Models with their noise, in the order of the sweep."""
    return sorted({(r["case"]["model"], r["case"]["noise"]) for r in records})


def worth(records: list[ex.Record], cell: Where, form: str) -> list[float]:
    """Effective draws per thousand gradients, of every seed."""
    return [r["per_thousand_gradients"] for r in ex.matching(records, model=cell[0], noise=cell[1], form=form)]


def ratio(records: list[ex.Record], cell: Where) -> float:
    """Auxiliary over original form, by the medians: 0 or infinity where one of them does not converge, 1 where neither does."""
    one, other = (statistics.median(found) if (found := worth(records, cell, form)) else 0.0 for form in FORMS)
    return other / one if one else (float("inf") if other else 1.0)


def told(cell: Where) -> str:
    """The name of a cell, with its noise where the model has several."""
    return cell[0] if cell[0] == "funnel" or "mixed" in cell[0] else f"{cell[0]} at {cell[1]:g}"


def better(records: list[ex.Record], ahead: str) -> str:
    """Where one form is ahead, by how much, and where the other does not converge."""
    behind = FORMS[1 - FORMS.index(ahead)]
    gains = {
        c: ratio(records, c) if ahead == "auxiliary" else 1 / (ratio(records, c) or 1e-300) for c in cells(records)
    }
    won = {c: gain for c, gain in gains.items() if gain > 1}
    finite = [
        f"{told(c)} ({ex.rounded(gain)} times)" for c, gain in sorted(won.items(), key=lambda e: -e[1]) if gain < 1e200
    ]
    alone = [told(c) for c, gain in won.items() if gain > 1e200]
    only = f" In the median over seeds only it converges: {', '.join(alone)}." if alone else ""
    listed = f" {', '.join(finite)}." if finite else ""
    return (
        f"The {ahead} form has more effective draws per gradient than the {behind} form in {len(won)} of"
        f" {len(cells(records))} cells.{listed}{only}"
    )


def crossing(records: list[ex.Record]) -> str:
    """Between which noises of the groups the forms cross."""
    swept = [(noise, ratio(records, (model, noise))) for model, noise in cells(records) if model == SWEPT]
    found = [(a, b) for (a, before), (b, after) in pairwise(swept) if before < 1 <= after]
    if len(found) != 1:
        return f"On {SWEPT} the forms cross {len(found)} times." if swept else ""
    (a, b), at = found[0], dict(swept)
    return f"On {SWEPT} they cross between σ/τ = {a:g} (× {ex.rounded(at[a])}) and {b:g} (× {ex.rounded(at[b])})."


def failures(records: list[ex.Record]) -> str:
    """How many runs count as none."""
    runs = {form: ex.matching(records, form=form) for form in FORMS}
    said = [f"{sum(r['ess'] == 0 for r in own)} of {len(own)} in {form} form" for form, own in runs.items()]
    seeds = [len(worth(records, cell, form)) for cell in cells(records) for form in FORMS]
    return (
        f"Runs that did not converge: {' and '.join(said)}; {ex.between(seeds, 0)} seeds a cell. Forms that are chosen by the"
        " data, with NumPyro's beside them, have a page of their own (choosing)."
    )


def summary(records: list[ex.Record]) -> list[str]:
    """All of it, a paragraph each."""
    mine = [r for r in records if r["case"]["form"] in FORMS]
    return [t for t in (better(mine, "auxiliary"), better(mine, "original"), crossing(mine), failures(mine)) if t]
