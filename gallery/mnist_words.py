"""What came out of the digits, in words around figures that are computed from the records; the verdicts depend on them too."""

from __future__ import annotations

import statistics

import experiment as ex
from mnist_cells import FORMS, UNTUNED, Cell, cells

ORDER = 10.0  # an order of magnitude
SIGN = 1.25  # ratios between its inverse and this are called no difference
LAYER = 1.0  # nats a digit by which a third layer must be ahead on every seed to be called a help
AWAY = 3.0  # where a scale has run away whose prior is log σ ~ N(0, 0.01)
VERDICTS = ("holds", "faster, but by less", "no difference", "undecided", "does not hold")
FEW = 0.2  # accepted with a step that is too long
PAPER = (0.4, 0.6)  # accepted in the paper: about half
middle = statistics.median


def gaps(cell: Cell, what: str = "train") -> list[float]:
    """By how many nats a digit the auxiliary form is ahead at the end, of each seed, with 400 temperatures."""
    one, other = (cell.longer(form, what) for form in FORMS)
    return [other[seed] - one[seed] for seed in one if seed in other]


def rate(cell: Cell, form: str) -> float:
    """The share of moves that a form accepts."""
    return statistics.mean(r["acceptance"] for r in cell.runs[form])


def too_long(cell: Cell) -> str:
    """The forms whose step, which was tuned on two layers and 1,000 digits, is too long in a cell."""
    bad = [f"{form} accepts {rate(cell, form):.0%}" for form in FORMS if rate(cell, form) < FEW]
    return f"{' and '.join(bad)}: no tuned step here" if bad else ""


def net(cell: Cell) -> float:
    """How many times faster the auxiliary form is, by the less favourable level: what either form has at its end.

    None of its runs may miss what the original form has there.
    """
    found, back = cell.speedups(), cell.back()
    if len(found) < len(gaps(cell)):
        return 0.0
    return min(middle(found), middle(back)) if len(back) == len(found) else middle(found)


def verdict(cell: Cell) -> str:
    """What a cell says of the paper's claim, an order of magnitude faster convergence.

    Where the auxiliary form misses a level by the short estimate and is ahead by the long one, the bias has decided; and
    where a form accepts few of its moves, its step.
    """
    if too_long(cell):
        return "undecided"
    ratio = net(cell)
    if ratio < 1 / SIGN:
        return "undecided" if not ratio and middle(gaps(cell)) > 0 else "does not hold"
    return "no difference" if ratio < SIGN else "holds" if ratio >= ORDER else "faster, but by less"


def claim(listed: list[Cell]) -> str:
    """How much faster, with each kind of step."""
    return " ".join(filter(None, (_claim(listed, way) for way in ("untuned", "tuned", "same"))))


def _claim(listed: list[Cell], way: str) -> str:
    chosen = [c for c in listed if c.way == way]
    if not chosen:
        return ""
    step = chosen[0].step
    name = {
        "untuned": f"With the paper's step of {step}",
        "tuned": f"With a step tuned for each form ({step})",
        "same": f"With the step that suits the auxiliary form for both ({step})",
    }[way]
    medians = [middle(found) for c in chosen if (found := c.speedups())]
    times = [middle(found) for c in chosen if (found := c.speedups("seconds"))]
    runs, reached = sum(len(gaps(c)) for c in chosen), sum(len(c.speedups()) for c in chosen)
    says = [f"{said} in {count}" for said in VERDICTS if (count := sum(verdict(c) == said for c in chosen))]
    if not medians:
        return (
            f"{name} the auxiliary form does not get to where the original form ends: the paper's claim does not hold."
        )
    where = f"{len(chosen)} cells" if len(chosen) > 1 else f"one cell ({chosen[0].told})"
    back = [r for c in chosen for r in c.back()]
    turned = (
        f" What the auxiliary form has at its end the original form reaches too in {len(back)} of {runs} pairs"
        if back
        else ""
    )
    turned += f", where the ratio is {ex.between(back)}." if back else ""
    missed = f" In {runs - reached} of {runs} pairs of runs it does not get there." if reached < runs else ""
    return (
        f"{name} the auxiliary form needs {ex.between(medians)} times fewer iterations (medians of {where}) and"
        f" {ex.between(times)} times less processor time for what the original form has at its end. The paper's order of"
        f" magnitude, by cells: {', '.join(says)}.{missed}{turned}"
    )


def by_digits(listed: list[Cell]) -> str:
    """How the ratio changes with the number of digits, over the same number of iterations."""
    said = []
    for way in ("untuned", "tuned"):
        chosen = [c for c in listed if c.layers == 2 and c.way == way]
        shortest = min((c.iterations for c in chosen), default=0)
        medians = [(c.digits, found) for c in chosen if (found := c.cut(shortest).speedups())]
        if len(medians) > 1:
            parts = [f"{middle(found):.1f} with {digits:,} digits" for digits, found in medians]
            change = "shrinks" if middle(medians[-1][1]) < middle(medians[0][1]) else "does not shrink"
            said.append(f"{way}, over {shortest} iterations: {' and '.join(parts)}, so it {change}")
    return f"How many times fewer iterations, by the number of digits, two layers. {'; '.join(said)}." if said else ""


def horizon(listed: list[Cell]) -> str:
    """Whether the ratio grows with the horizon."""
    pairs = [
        (middle(a), middle(b)) for c in listed if (a := c.cut(c.iterations // 2).speedups()) and (b := c.speedups())
    ]
    grows = sum(late > early for early, late in pairs)
    return f"The ratio depends on the horizon: it is larger at the end than half-way in {grows} of {len(pairs)} cells."


def worth_of_the_step(listed: list[Cell]) -> str:
    """What tuning brings the original form, against what the auxiliary form brings without."""
    said = []
    for plain in (c for c in listed if c.way == "untuned" and c.layers == 2):
        best = next((c for c in listed if (c.digits, c.layers, c.way) == (plain.digits, 2, "tuned")), None)
        if best:
            ends = [middle(c.longer("original").values()) for c in (plain, best)]
            by_step, by_form, left = ends[1] - ends[0], middle(gaps(plain)), middle(gaps(best))
            said.append(
                f"With two layers and {plain.digits:,} digits a step of {best.steps['original']:g} instead of {UNTUNED} brings"
                f" the original form {by_step:.0f} nats a digit, the auxiliary form with {UNTUNED} brings {by_form:.0f}:"
                f" {'the step' if by_step > by_form else 'the form'} is worth more. With both tuned the auxiliary form ends"
                f" {abs(left):.1f} nats {'ahead' if left > 0 else 'behind'}."
            )
    return " ".join(said)


def other_digits(listed: list[Cell]) -> str:
    """Who is ahead at the end on digits that were not learnt from."""
    said = [
        f"{cell.told}: ahead on {sum(gap > 0 for gap in found)} of {len(found)} seeds, lead {ex.spread(found)} nats a digit"
        for cell in listed
        if (found := gaps(cell, "test"))
    ]
    return f"The auxiliary form at the end, on digits that were not learnt from. {'; '.join(said)}." if said else ""


def layer_gains(listed: list[Cell]) -> list[tuple[Cell, str, dict[str, list[float]]]]:
    """By how many nats the third layer is ahead at the end, of each seed, with 400 temperatures."""
    found = []
    for three in (c for c in listed if c.layers == 3):
        two = next((c for c in listed if (c.digits, c.layers, c.way) == (three.digits, 2, three.way)), None)
        for form in FORMS if two else ():
            ends = {what: (two.longer(form, what), three.longer(form, what)) for what in ("train", "test")}
            by = {what: [b[seed] - a[seed] for seed in a if seed in b] for what, (a, b) in ends.items()}
            found.append((three, form, by))
    return found


def layer_rows(listed: list[Cell]) -> list[list[str]]:
    """The table of the third layer."""
    return [
        [
            f"{c.digits:,}",
            f"{c.steps[form]:g}",
            form,
            str(len(by["train"])),
            *(ex.spread(by[w]) for w in ("train", "test")),
        ]
        for c, form, by in layer_gains(listed)
    ]


def third_layer(listed: list[Cell]) -> str:
    """Whether it helps, with the paper's step and with tuned ones."""
    said, helped = [], 0
    for way in ("untuned", "tuned"):
        gains = [found for cell, _, by in layer_gains(listed) if cell.way == way for found in by.values() if found]
        if gains:
            helps, hurts = sum(min(g) > LAYER for g in gains), sum(max(g) < -LAYER for g in gains)
            helped += helps
            medians = ex.between([middle(g) for g in gains])
            said.append(
                f"{way}, {medians} nats a digit: of {len(gains)} comparisons it helps in {helps} and hurts in {hurts}"
            )
    start = "as in the paper, it does not help" if not helped else "it does not help throughout"
    return (
        f"The third layer: {start}. {'; '.join(said)}; to help or to hurt is to be more than {LAYER:g} nat a digit ahead or"
        " behind on every seed."
        if said
        else ""
    )


def scales(listed: list[Cell]) -> str:
    """Which scales run away."""
    said = []
    for form in FORMS:
        for way in ("untuned", "tuned"):
            ends = [max(r["scales"].values()) for c in listed if c.way == way for r in c.runs[form]]
            if ends:
                away = f"{sum(e > AWAY for e in ends)} of {len(ends)} runs"
                said.append(f"{form} form, {way}: the largest σ ends at {ex.between(ends)}, above {AWAY:g} in {away}")
    return f"Do scales run away with the paper's narrow prior, log σ ~ N(0, 0.01)? {'; '.join(said)}."


def inverted(listed: list[Cell]) -> str:
    """How many of the made-up digits are white on black, which no digit of the data is."""
    said = []
    for form in FORMS:
        for way in ("untuned", "tuned"):
            shown = [bytes.fromhex(r["dreams"]) for c in listed if c.way == way for r in c.runs[form] if r["dreams"]]
            dark = [sum(picture[k : k + 784]) > 784 * 127.5 for picture in shown for k in range(0, len(picture), 784)]
            if dark:
                said.append(f"{form} form, {way}: {sum(dark)} of {len(dark)}")
    return (
        f"Of the digits that the models make up, so many are more black than white. {'; '.join(said)}." if said else ""
    )


def accepted(listed: list[Cell]) -> str:
    """The rates, beside the paper's."""
    said = []
    for cell in (c for c in listed if c.way != "same"):
        said.append((cell, [100 * rate(cell, form) for form in FORMS]))
    parts = [f"{cell.told}: {both[0]:.1f} and {both[1]:.1f} %" for cell, both in said]
    near = sum(100 * PAPER[0] <= rate <= 100 * PAPER[1] for c, both in said if c.way == "untuned" for rate in both)
    bad = [f"{c.told}: {too_long(c)}." for c, _ in said if too_long(c)]
    note = f" Steps were tuned on two layers, and one can be too long elsewhere. {' '.join(bad)}" if bad else ""
    return (
        f"Accepted, original and auxiliary form. {'; '.join(parts)}. The paper has about half with steps of {UNTUNED}: "
        + ("that is not what we see." if not near else f"so it is in {near} cells.")
        + note
    )


def bias(listed: list[Cell]) -> str:
    """By how much the estimates are still too low, and whom that favours."""
    said, by_form = [], {}
    for form in FORMS:
        changes = [c.longer(form)[seed] - end for c in listed for seed, end in c.ends(form).items()]
        by_form[form] = middle(changes)
        said.append(f"{ex.between(changes)} in {form} form")
    harmed = max(by_form, key=lambda form: by_form[form])
    return (
        f"Estimates of log p(x) are too low by what more temperatures still add: four times as many add, in nats a digit,"
        f" {' and '.join(said)}. So the curves and ratios are biased against the {harmed} form."
    )


def summary(records: list[ex.Record]) -> list[str]:
    """All of it, a paragraph each."""
    listed = cells(records)
    told = [
        claim(listed),
        by_digits(listed),
        horizon(listed),
        worth_of_the_step(listed),
        other_digits(listed),
        third_layer(listed),
    ]
    return [text for text in (*told, scales(listed), inverted(listed), accepted(listed), bias(listed)) if text]
