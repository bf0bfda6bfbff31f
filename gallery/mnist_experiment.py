"""The paper's first experiment: Monte Carlo EM on handwritten digits, in original and auxiliary form.

python gallery/mnist_experiment.py --quick     # 100 digits, under a minute
python gallery/mnist_experiment.py             # hours; goes on where it stopped
SYMAUX_MNIST=train-images-idx3-ubyte.gz python gallery/mnist_experiment.py     # digits from another file, IDX or npz
"""

from __future__ import annotations

import gzip
import os
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import experiment as ex
from mnist_cells import FORMS, PILOT, STEPS, UNTUNED, tuned
from mnist_page import write  # noqa: F401  (the experiment's page)

NAME = "mnist_experiment"
LAYERS = {2: "mnist_two_layers", 3: "mnist_three_layers"}
SOURCE = Path(os.environ.get("SYMAUX_MNIST", ex.HERE / "data" / "mnist10k.npz"))


def images(path: Path) -> np.ndarray:
    """Pictures as (count, 784) bytes: from an npz with ``images`` or ``x_train``, or from an IDX file, zipped or not."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            found = file["images"] if "images" in file else file["x_train"]
        return found.reshape(len(found), -1)
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    sizes = np.frombuffer(raw, ">u4", count=4)
    if sizes[0] != 2051:
        raise SystemExit(f"{path} is no IDX file of images")
    return np.frombuffer(raw, np.uint8, offset=16).reshape(int(sizes[1]), -1)


def binary(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random digits to learn from and others, black or white at half of the range (128 of 255)."""
    pictures = images(SOURCE)
    order = np.random.default_rng(seed).permutation(len(pictures))
    chosen = (pictures[order] >= 128).astype(np.float32)
    return chosen[:count], chosen[count:]


def start(names: list[str], shapes: dict[str, tuple[int, ...]], seed: int) -> dict[str, Any]:
    """The same for both forms: weights and biases from N(0, 0.01), log σ too."""
    rng = np.random.default_rng(1000 + seed)
    drawn = {name: 0.1 * rng.normal(size=shapes[name]) for name in names}
    return {name: np.exp(v) if name.startswith("s") else v for name, v in drawn.items()}


def run(case: ex.Record) -> ex.Record:
    """Learns, then estimates log p(x) of a few digits for the parameters that there were on the way."""
    import symaux as sa

    model = runpy.run_path(str(ex.HERE / f"{LAYERS[case['layers']]}.py"))["model"]
    names = [n for n in model.latents if not n.startswith("z")]
    shapes = {n: tuple(model.axes.lengths[g] for g in model.axes.of_array(n)) for n in names}
    train, rest = binary(case["seed"], case["digits"])
    seen: list[Any] = []
    wanted = case["snapshots"]

    def watch(now: Any) -> None:
        if now.iterations in wanted:
            seen.append(now)

    learnt = sa.learn.mcem(
        model, {"x": train}, names, form=case["form"], iterations=wanted[-1], step_size=case["step"], independent="n",
        start=start(names, shapes, case["seed"]), seed=case["seed"], precision="float32", every=wanted[0], watch=watch,
    )  # fmt: skip
    points = [_point(sa, model, now, train, rest, case) for now in seen]
    return {
        "points": points,
        "acceptance": float(learnt.trace["acceptance"].mean()),
        "seconds_per_iteration": float(learnt.trace["processor_seconds"][-1] / learnt.iterations),
        "scales": {n: float(learnt.parameters[n]) for n in names if n.startswith("s")},
        "longer_annealing": _estimate(sa, model, learnt, train, rest, case, 4)[:2] if case["seed"] != PILOT else None,
        "dreams": _dreams(sa, model, learnt) if case["seed"] == 0 else "",
        "told": points[-1],
    }


def _estimate(sa: Any, model: Any, now: Any, train: Any, rest: Any, case: ex.Record, more: int = 1) -> tuple[Any, ...]:
    """log p(x) a digit, of digits that were learnt from and of others, with its standard error."""
    count = case["judged"]
    judged = np.concatenate([train[:count], rest[:count]])
    found = sa.learn.marginal_likelihood(
        model, {"x": judged}, now.parameters, independent="n", temperatures=more * case["temperatures"], particles=4,
        seed=case["seed"], precision="float32",
    )  # fmt: skip
    other = float(found.elements[count:].mean()) if len(judged) > count else None
    return float(found.elements[:count].mean()), other, found.standard_error / len(judged)


def _point(sa: Any, model: Any, now: Any, train: Any, rest: Any, case: ex.Record) -> ex.Record:
    learnt, other, error = _estimate(sa, model, now, train, rest, case)
    last = {name: float(values[-1]) for name, values in now.trace.items()}
    return {
        "iterations": now.iterations, "gradients": last["gradients"], "seconds": last["processor_seconds"],
        "train": learnt, "test": other, "error": error, "joint": last["log_joint"],
    }  # fmt: skip


def _dreams(sa: Any, model: Any, learnt: Any) -> str:
    """Forty digits as the model makes them up: the probability of each pixel, as bytes in hexadecimal."""
    import jax

    latents = [n for n in model.latents if n not in learnt.parameters]
    with jax.numpy_dtype_promotion("standard"):
        at, rng = {n: np.asarray(v) for n, v in learnt.parameters.items()}, np.random.default_rng(0)
        value = rng.normal(size=(40, 64)) * at["s1"]
        for layer in range(2, len(latents) + 1):
            value = np.tanh(value @ at[f"W{layer}"] + at[f"b{layer}"]) + at[f"s{layer}"] * rng.normal(size=(40, 64))
        pixels = 1 / (1 + np.exp(-(value @ at["Wx"] + at["bx"])))
    return (255 * pixels).astype(np.uint8).tobytes().hex()


def case(layers: int, digits: int, form: str, seed: int, step: float, snapshots: list[int], **more: Any) -> ex.Record:
    """The settings of one run."""
    settings = {"judged": 20, "temperatures": 100, **more}
    return dict(layers=layers, digits=digits, form=form, seed=seed, step=step, snapshots=snapshots, **settings)


def cases(quick: bool) -> list[ex.Record]:
    """A quick look; or the pilots, from which the tuned steps are read."""
    if quick:
        return [case(2, 100, form, 0, UNTUNED, [10, 40], judged=5, temperatures=30) for form in FORMS]
    return [case(2, 1000, form, PILOT, step, [160], temperatures=400) for form in FORMS for step in STEPS]


def after_pilot(records: list[ex.Record]) -> list[ex.Record]:
    """What is run with the paper's step and with those that were tuned, the most telling first."""
    steps = tuned(records)
    if len(steps) < len(FORMS):
        return []
    ways = [dict.fromkeys(FORMS, UNTUNED), steps, dict.fromkeys(FORMS, steps["auxiliary"])]
    short, long = [10, 20, 40, 80, 160], [10, 20, 40, 80, 160, 320]

    def both(layers: int, digits: int, seed: int, snapshots: list[int], way: int) -> list[ex.Record]:
        return [case(layers, digits, form, seed, ways[way][form], snapshots) for form in FORMS]

    wanted = [
        *((2, 1000, 0, long, way) for way in (0, 1)),
        *((2, 10000, 0, short, way) for way in (0, 1)),
        *((3, 10000, 0, short, way) for way in (1, 0)),
        *((2, 1000, seed, long, way) for seed in (1, 2) for way in (0, 1)),
        *((2, 1000, seed, long, 2) for seed in (0, 1, 2)),
        *((3, 1000, seed, long, way) for seed in (0, 1, 2) for way in (1, 0)),
        *((layers, 10000, seed, short, way) for seed in (1, 2) for layers in (2, 3) for way in (1, 0)),
    ]
    return [each for one in wanted for each in both(*one)]


if __name__ == "__main__":
    ex.main(sys.modules[__name__])
