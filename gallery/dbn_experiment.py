"""The paper's second experiment: Monte Carlo EM on a dynamic Bayesian network, in original and auxiliary form.

python gallery/dbn_experiment.py --quick     # few iterations, under a minute
python gallery/dbn_experiment.py             # an hour or so; goes on where it stopped

100 series of length 10, all vectors of size 10, forward-sampled with weights, biases and logarithms of scales from N(0, I).
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import experiment as ex
from dbn_page import write  # noqa: F401  (the experiment's page)
from dbn_pairs import FORMS, LONGER, SEEDS, UNTUNED, tuned

NAME = "dbn_experiment"
STEPS = (0.01, 0.03, 0.1, 0.3)
TUNED = (4, 6, 0)  # worlds whose steps are tuned
APART = 5000  # from the seed of a pilot to that of the run
NAMES = ["Wz", "bz", "Wx", "bx", "s0", "sz", "sx"]
SHAPES = {"Wz": (10, 10), "bz": (10,), "Wx": (10, 10), "bx": (10,), "s0": (), "sz": (), "sx": ()}


def drawn(scale: float, seed: int) -> dict[str, Any]:
    """Parameters from N(0, scale² I), scales by their logarithms."""
    rng = np.random.default_rng(seed)
    made = {name: scale * rng.normal(size=shape) for name, shape in SHAPES.items()}
    return {name: np.exp(v) if name.startswith("s") else v for name, v in made.items()}


def series(seed: int) -> tuple[dict[str, Any], np.ndarray]:
    """The parameters behind the data, and the data."""
    truth, rng = drawn(1.0, 2000 + seed), np.random.default_rng(3000 + seed)
    z = [truth["s0"] * rng.normal(size=(100, 10))]
    for _ in range(9):
        z.append(np.tanh(z[-1] @ truth["Wz"] + truth["bz"]) + truth["sz"] * rng.normal(size=(100, 10)))
    means = np.tanh(np.stack(z) @ truth["Wx"] + truth["bx"])
    return truth, means + truth["sx"] * rng.normal(size=means.shape)


def run(case: ex.Record) -> ex.Record:
    """Learns, then estimates log p(x) for the parameters that there were on the way, and for the true ones."""
    import symaux as sa

    model = runpy.run_path(str(ex.HERE / "dbn.py"))["model"]
    truth, x = series(case["seed"])
    seen: list[Any] = []

    def watch(now: Any) -> None:
        if now.iterations in case["snapshots"]:
            seen.append(now)

    chain = case["seed"] + (
        APART if case.get("pilot") else 0
    )  # a pilot has the same data, another start and other noise
    learnt = sa.learn.mcem(
        model, {"x": x}, NAMES, form=case["form"], iterations=case["snapshots"][-1], step_size=case["step"],
        independent="n", start=drawn(0.1, 1000 + chain), seed=chain, every=case["snapshots"][0], watch=watch,
    )  # fmt: skip
    points = [_point(sa, model, x, now, case) for now in seen]
    whole = not case.get("pilot")
    return {
        "points": points,
        "truth": _estimate(sa, model, x, truth, case)[0] if whole else None,
        "acceptance": float(learnt.trace["acceptance"].mean()),
        "seconds_per_iteration": float(learnt.trace["processor_seconds"][-1] / learnt.iterations),
        "scales": {n: float(learnt.parameters[n]) for n in ("s0", "sz", "sx")},
        "true_scales": {n: float(truth[n]) for n in ("s0", "sz", "sx")},
        "longer_annealing": _estimate(sa, model, x, learnt.parameters, case, case["longer"])[0] if whole else None,
        "told": points[-1],
    }


def _estimate(sa: Any, model: Any, x: Any, at: Any, case: ex.Record, more: int = 1) -> tuple[float, float]:
    """log p(x) a series, with its standard error; of all series, since the plate has a fixed size."""
    found = sa.learn.marginal_likelihood(
        model, {"x": x}, at, independent="n", temperatures=more * case["temperatures"], particles=4, seed=case["seed"]
    )
    return float(found.elements.mean()), found.standard_error / x.shape[1]


def _point(sa: Any, model: Any, x: Any, now: Any, case: ex.Record) -> ex.Record:
    value, error = _estimate(sa, model, x, now.parameters, case)
    last = {name: float(values[-1]) for name, values in now.trace.items()}
    return {
        "iterations": now.iterations, "gradients": last["gradients"], "seconds": last["processor_seconds"], "train": value,
        "error": error, "joint": last["log_joint"],
    }  # fmt: skip


def case(
    form: str, seed: int, step: float, snapshots: list[int], temperatures: int = 100, longer: int = 4
) -> ex.Record:
    """The settings of one run."""
    return dict(form=form, seed=seed, step=step, snapshots=snapshots, temperatures=temperatures, longer=longer)


def cases(quick: bool) -> list[ex.Record]:
    """A quick look; or the pilots of the worlds whose steps are tuned."""
    if quick:
        return [case(form, 0, UNTUNED, [20, 100], 30, 1) for form in FORMS]
    return [
        {**case(form, seed, step, [200], 200, 0), "pilot": True} for seed in TUNED for form in FORMS for step in STEPS
    ]


def after_pilot(records: list[ex.Record]) -> list[ex.Record]:
    """Each form with the step that suits it, then the paper's step for all, then a longer one for both."""
    long, steps = [10, 30, 100, 300, 1000], tuned(records)
    chosen = [(form, seed, steps[form, seed]) for seed in TUNED for form in FORMS if (form, seed) in steps]
    chosen += [(form, seed, UNTUNED) for seed in SEEDS for form in FORMS]
    chosen += [(form, seed, LONGER) for seed in TUNED for form in FORMS]
    return [case(*one, long) for one in dict.fromkeys(chosen)]


if __name__ == "__main__":
    ex.main(sys.modules[__name__])
