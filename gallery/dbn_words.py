"""What came out of the dynamic network, in words around figures that are computed from the records, verdicts included."""

from __future__ import annotations

import experiment as ex
from dbn_pairs import FORMS, LONGER, UNTUNED, Pair, pairs, pilots

INFORMATIVE = 1.0  # the means of observations are within ±1: noise below it leaves something to see
ORDER = 10.0  # an order of magnitude
SAME = 0.15  # nats a series that are called no difference
FALL = 0.1  # of accepted moves, that is worth a word
AWAY = 3.0  # where a scale has run away whose prior is log σ ~ N(0, 0.01)


def claim(listed: list[Pair], way: str, name: str) -> str:
    """How much faster where the observations say something of the states."""
    chosen = [p for p in listed if p.way == way and p.noise < INFORMATIVE]
    if not chosen:
        return ""
    ratios = [p.ratio() for p in chosen]
    held = sum(r is not None and r >= ORDER for r in ratios)
    said = "; ".join(p.told for p in chosen)
    return (
        f"{name}, where observations say something of the states (noise below {INFORMATIVE:g}), the auxiliary form against the"
        f" original: {said}. The paper's order of magnitude within {chosen[0].original['points'][-1]['iterations']:,}"
        f" iterations: in {held} of {len(chosen)} worlds."
    )


def noisy(listed: list[Pair]) -> str:
    """Where the noise drowns the signal."""
    chosen = [p for p in listed if p.noise >= INFORMATIVE]
    if not chosen:
        return ""
    largest = max(abs(p.lead) for p in chosen)
    ahead = sum(p.lead > 0 for p in chosen)
    verdict = "no difference worth naming" if largest < SAME else "small differences"
    return (
        f"Where noise drowns the signal ({ex.between([p.noise for p in chosen])}, while outputs of tanh are within ±1) the"
        f" forms end within {largest:.2f} nats a series of each other, the auxiliary one ahead in {ahead} of {len(chosen)}"
        f" comparisons: {verdict}. Ratios of such flat curves mean nothing."
    )


def cost(listed: list[Pair]) -> str:
    """What an iteration costs."""
    found = [p.cost for p in listed if p.cost]
    older = sum(p.original.get("code") == p.auxiliary.get("code") == "older" for p in listed)
    note = f" Seconds of {older} of {len(listed)} pairs are of older code, which was slower." if older else ""
    return f"An iteration costs {ex.between(found, 2)} times as much in auxiliary form: states are computed one by one.{note}"


def drift(records: list[ex.Record], listed: list[Pair]) -> str:
    """Whether what a pilot accepted is what the whole run accepts."""
    said = []
    for pair in (p for p in listed if p.way == "tuned"):
        for form in FORMS:
            run = getattr(pair, form)
            short = ex.matching(pilots(records), seed=pair.seed, form=form, step=run["case"]["step"])[0]["acceptance"]
            if short - run["acceptance"] > FALL:
                said.append(
                    f"seed {pair.seed}, {form} form: {short:.0%} in the pilot, {run['acceptance']:.0%} in the whole run"
                )
    return (
        f"A step that a short pilot finds can be too long later, since scales grow. {'; '.join(said)}." if said else ""
    )


def bias(listed: list[Pair]) -> str:
    """How far the estimates are to be trusted."""
    worst = max(listed, key=lambda p: abs(p.lead - p.short_lead))
    turned = [f"seed {p.seed}, steps {p.steps}" for p in listed if p.lead * p.short_lead < 0 and abs(p.lead) > SAME]
    reversals = f"{len(turned)} comparisons ({'; '.join(turned)})" if turned else "no comparison"
    added = [r["longer_annealing"] - r["points"][-1]["train"] for r in (worst.original, worst.auxiliary)]
    return (
        f"Estimates are worst on seed {worst.seed} with steps of {worst.steps}: four times as many temperatures add"
        f" {added[0]:.1f} nats a series to the original form and {added[1]:.1f} to the auxiliary one, and the lead of the"
        f" auxiliary form goes from {worst.short_lead:.1f} to {worst.lead:.1f}. More temperatures reverse who is ahead in"
        f" {reversals}. For the true parameters the estimates are lower bounds and nothing more."
    )


def scales(listed: list[Pair]) -> str:
    """Which scales run away."""
    said = []
    for form in FORMS:
        ends = [getattr(p, form)["scales"]["sz"] for p in listed]
        true = [getattr(p, form)["true_scales"]["sz"] for p in listed]
        above = sum(e > AWAY and e > t for e, t in zip(ends, true, strict=True))
        said.append(
            f"{ex.between(ends)} in {form} form, above {AWAY:g} and above the truth in {above} of {len(ends)} runs"
        )
    return f"The states' scale ends at {'; at '.join(said)}; its prior is log σ ~ N(0, 0.01)."


def summary(records: list[ex.Record]) -> list[str]:
    """All of it, a paragraph each."""
    listed = pairs(records)
    names = {
        "untuned": f"With the paper's step of {UNTUNED}",
        "tuned": "With a step tuned for each form",
        "longer": f"With a step of {LONGER} for both",
    }
    told = [*(claim(listed, way, name) for way, name in names.items()), noisy(listed)]
    more = [drift(records, listed), cost(listed), bias(listed), scales(listed)] if listed else []
    return [text for text in (*told, *more) if text]
