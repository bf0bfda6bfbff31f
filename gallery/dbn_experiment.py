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

NAME = "dbn_experiment"
FORMS = ("original", "auxiliary")
NAMES = ["Wz", "bz", "Wx", "bx", "s0", "sz", "sx"]
SEEDS = (4, 6, 0, 1, 2)  # the observations' noise is small for the first two, 0.64 and 0.36, and 1.4 to 2.3 for the others
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

    learnt = sa.learn.mcem(
        model, {"x": x}, NAMES, form=case["form"], iterations=case["snapshots"][-1], step_size=case["step"],
        independent="n", start=drawn(0.1, 1000 + case["seed"]), seed=case["seed"], every=case["snapshots"][0], watch=watch,
    )  # fmt: skip
    points = [_point(sa, model, x, now, case) for now in seen]
    return {
        "points": points,
        "truth": _estimate(sa, model, x, truth, case)[0],
        "acceptance": float(learnt.trace["acceptance"].mean()),
        "seconds_per_iteration": float(learnt.trace["seconds"][-1] / learnt.iterations),
        "scales": {n: float(learnt.parameters[n]) for n in ("s0", "sz", "sx")},
        "true_scales": {n: float(truth[n]) for n in ("s0", "sz", "sx")},
        "longer_annealing": _estimate(sa, model, x, learnt.parameters, case, 4)[0],
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
        "iterations": now.iterations, "gradients": last["gradients"], "seconds": last["seconds"], "train": value,
        "error": error, "joint": last["log_joint"],
    }  # fmt: skip


def cases(quick: bool) -> list[ex.Record]:
    """What is run: the paper's step first, then others."""

    def case(form: str, seed: int, step: float, snapshots: list[int], temperatures: int = 150) -> ex.Record:
        return dict(form=form, seed=seed, step=step, snapshots=snapshots, temperatures=temperatures)

    if quick:
        return [case(form, 0, 0.01, [20, 100], 30) for form in FORMS]
    long = [10, 30, 100, 300, 1000, 3000]
    return [case(form, seed, step, long) for step in (0.01, 0.1, 0.03) for seed in SEEDS for form in FORMS]


def main(arguments: list[str]) -> list[ex.Record]:
    """Measures what is missing, then writes the page."""
    chosen = ex.options((__doc__ or "").splitlines()[0], arguments)
    records = ex.measure(chosen, NAME, cases(chosen.quick), run)
    if records:
        from dbn_page import write

        write(chosen.out, records)
    return records


if __name__ == "__main__":
    main(sys.argv[1:])
