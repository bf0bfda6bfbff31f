"""The runs on digits as cells of a table: those that differ in form and seed only, with the paper's step or with tuned ones."""

from __future__ import annotations

from dataclasses import dataclass

import experiment as ex

FORMS = ("original", "auxiliary")
UNTUNED = 0.01  # the paper's
STEPS = (0.01, 0.03, 0.1, 0.3, 1.0)
PILOT = 100  # the seed of the runs that choose a step for each form


def tuned(records: list[ex.Record]) -> dict[str, float]:
    """Of each form, the step with the highest log p(x) at the end of its pilot, on the digits that were learnt from."""
    pilots = {form: ex.matching(records, seed=PILOT, form=form) for form in FORMS}
    best = {form: max(runs, key=lambda r: r["points"][-1]["train"], default=None) for form, runs in pilots.items()}
    return {form: run["case"]["step"] for form, run in best.items() if run}


@dataclass(frozen=True)
class Cell:
    """Runs of both forms on as many digits, with as many layers, and the step of each form."""

    digits: int
    layers: int
    way: str
    steps: dict[str, float]
    runs: dict[str, list[ex.Record]]

    @property
    def step(self) -> str:
        """The step, or one for each form."""
        one, other = (f"{self.steps[form]:g}" for form in FORMS)
        return one if one == other else f"{one} original, {other} auxiliary"

    @property
    def told(self) -> str:
        return f"{self.layers} layers, {self.digits:,} digits, step {self.step}" + (
            ", tuned" if self.way == "tuned" else ""
        )

    @property
    def iterations(self) -> int:
        return next(r for runs in self.runs.values() for r in runs)["points"][-1]["iterations"]

    def ends(self, form: str, what: str = "train") -> dict[int, float]:
        """Of every seed, an estimate where the run ended; those of other digits where there are any."""
        found = {r["case"]["seed"]: r["points"][-1][what] for r in self.runs[form]}
        return {seed: value for seed, value in found.items() if value is not None}

    def longer(self, form: str, what: str = "train") -> dict[int, float]:
        """The same with four times as many temperatures, which has less bias."""
        found = {r["case"]["seed"]: r["longer_annealing"][what == "test"] for r in self.runs[form]}
        return {seed: value for seed, value in found.items() if value is not None}

    def speedups(self, along: str = "iterations", what: str = "train") -> list[float]:
        if what == "test" and not self.ends("original", "test"):
            return []
        pair = [ex.current(self.runs[form]) if along == "seconds" else self.runs[form] for form in FORMS]
        return ex.speedups(*pair, along, what)

    def back(self) -> list[float]:
        """The same ratio for what the auxiliary form has at its end, of the seeds where the original form gets there too."""
        return [1 / r for r in ex.speedups(self.runs["auxiliary"], self.runs["original"], "iterations", "train")]

    def seconds(self, form: str) -> list[float]:
        """Of an iteration, for each seed."""
        return [r["seconds_per_iteration"] for r in ex.current(self.runs[form])]

    def cut(self, iterations: int) -> Cell:
        """The same runs as they were after fewer iterations."""
        shorter = {
            form: [{**r, "points": [p for p in r["points"] if p["iterations"] <= iterations]} for r in runs]
            for form, runs in self.runs.items()
        }
        return Cell(self.digits, self.layers, self.way, self.steps, shorter)


def cells(records: list[ex.Record]) -> list[Cell]:
    """All cells with runs of both forms; the steps that were tuned come after the paper's."""
    runs = [r for r in records if r["case"]["seed"] != PILOT]
    steps = tuned(records)
    ways = {"untuned": dict.fromkeys(FORMS, UNTUNED)}
    if len(steps) == len(FORMS):
        ways |= {"tuned": steps, "same": dict.fromkeys(FORMS, steps["auxiliary"])}
    sizes = sorted({(r["case"]["digits"], r["case"]["layers"]) for r in runs})
    found = []
    for digits, layers in sizes:
        for way, at in ways.items():
            own = {form: ex.matching(runs, digits=digits, layers=layers, form=form, step=at[form]) for form in FORMS}
            if all(own.values()) and at not in [c.steps for c in found if (c.digits, c.layers) == (digits, layers)]:
                found.append(Cell(digits, layers, way, at, own))
    return found
