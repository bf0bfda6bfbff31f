"""The runs of the dynamic network side by side: both forms in each world, with the paper's step, tuned ones, a longer one."""

from __future__ import annotations

from dataclasses import dataclass

import experiment as ex

FORMS = ("original", "auxiliary")
UNTUNED = 0.01  # the paper's
LONGER = 0.1
SEEDS = (
    4,
    6,
    0,
    1,
    2,
)  # the observations' noise is small for the first two, 0.64 and 0.36, and 1.4 to 2.3 for the others


def pilots(records: list[ex.Record]) -> list[ex.Record]:
    return [r for r in records if r["case"].get("pilot")]


def whole(records: list[ex.Record]) -> list[ex.Record]:
    """The runs that are not pilots."""
    return [r for r in records if not r["case"].get("pilot")]


def tuned(records: list[ex.Record]) -> dict[tuple[str, int], float]:
    """Of each form and world, the step whose pilot has the highest log p(x) at its end."""
    found: dict[tuple[str, int], ex.Record] = {}
    for r in pilots(records):
        key = r["case"]["form"], r["case"]["seed"]
        if key not in found or r["points"][-1]["train"] > found[key]["points"][-1]["train"]:
            found[key] = r
    return {key: r["case"]["step"] for key, r in found.items()}


def steps_of(records: list[ex.Record], seed: int) -> dict[str, dict[str, float]]:
    """The steps of both forms in a world, by how they were found, where there are runs of both; none twice."""
    best = tuned(records)
    ways = {"untuned": dict.fromkeys(FORMS, UNTUNED), "tuned": {form: best.get((form, seed)) for form in FORMS}}
    ways["longer"] = dict.fromkeys(FORMS, LONGER)
    found: dict[str, dict[str, float]] = {}
    for way, steps in ways.items():
        there = all(ex.matching(whole(records), seed=seed, form=form, step=steps[form]) for form in FORMS)
        if there and steps not in found.values():
            found[way] = steps
    return found


@dataclass(frozen=True)
class Pair:
    """The two forms in one world."""

    seed: int
    way: str
    original: ex.Record
    auxiliary: ex.Record

    @property
    def noise(self) -> float:
        return self.original["true_scales"]["sx"]

    @property
    def lead(self) -> float:
        """Nats a series by which the auxiliary form ends ahead, with more temperatures."""
        return self.auxiliary["longer_annealing"] - self.original["longer_annealing"]

    @property
    def short_lead(self) -> float:
        return self.auxiliary["points"][-1]["train"] - self.original["points"][-1]["train"]

    def ratio(self, along: str = "iterations") -> float | None:
        found = ex.speedups([self.original], [self.auxiliary], along, "train")
        return found[0] if found else None

    @property
    def cost(self) -> float | None:
        """Of an iteration, auxiliary over original; none where the two were measured with code of different ages."""
        if self.original.get("code") != self.auxiliary.get("code"):
            return None
        return self.auxiliary["seconds_per_iteration"] / self.original["seconds_per_iteration"]

    @property
    def steps(self) -> str:
        one, other = (r["case"]["step"] for r in (self.original, self.auxiliary))
        return f"{one:g}" if one == other else f"{one:g} and {other:g}"

    @property
    def told(self) -> str:
        """The world, the ratio or its absence, and who is ahead."""
        ratio = self.ratio()
        faster = f"{ratio:.1f} times fewer iterations" if ratio else "it does not get to where the original form ends"
        rates = " and ".join(f"{r['acceptance']:.0%}" for r in (self.original, self.auxiliary))
        ahead = f"{abs(self.lead):.1f} nats {'ahead' if self.lead > 0 else 'behind'} at the end"
        return f"seed {self.seed} (noise {self.noise:.2f}, steps {self.steps}, {rates} accepted): {faster}, {ahead}"


def pairs(records: list[ex.Record]) -> list[Pair]:
    """Both forms side by side, of every world and kind of step."""
    found = []
    for seed in SEEDS:
        for way, steps in steps_of(records, seed).items():
            runs = [ex.matching(whole(records), seed=seed, form=form, step=steps[form])[0] for form in FORMS]
            found.append(Pair(seed, way, *runs))
    return found
