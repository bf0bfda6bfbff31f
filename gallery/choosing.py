"""Choosing how far to rewrite: chosen forms beside both pure ones and NumPyro's, from weak data to very informative ones.

python gallery/choosing.py --quick     # two small cells, under a minute
python gallery/choosing.py             # forty minutes or so; goes on where it stopped
"""

from __future__ import annotations

import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import choosing_cells as sweep
import choosing_numpyro as peer
import experiment as ex

NAME = "choosing"
PURE, CHOSEN = ("original", "auxiliary"), ("advise", "learn")
PEERS = ("NumPyro 0", "NumPyro 0.5", "NumPyro learned")
FORMS = (*PURE, *CHOSEN, *PEERS)
JUDGED = 50  # elements along an axis whose effective draws are counted, of a thousand that are alike
LARGEST_R = 1.05  # a run above it has not converged and counts as no effective draw
DOUBLINGS = 7
QUICK = ("original", "auxiliary", "advise")


@lru_cache(maxsize=4)
def drawn(model: Any, form: Any, key: str, draws: int, seed: int) -> Any:
    """A run of four chains; a chosen form that is a pure one is the same run, and is not made twice."""
    import symaux as sa

    data = HELD[key]
    derived = sa.unconstrain(model) if form == "original" else sa.auxiliary(model) if form == "auxiliary" else form.made
    return sa.learn.sample(derived, data, draws=draws, warmup=draws, seed=seed, quiet=True, doublings=DOUBLINGS)


HELD: dict[str, Any] = {}


def own(case: ex.Record, model: Any, data: Any) -> ex.Record:
    """A run in one of our forms."""
    import symaux as sa

    form, choice = case["form"], None
    if form in CHOSEN:
        made = sa.auxiliary(model, choose=form, data=data, seed=case["seed"])
        choice, weights = made.choice, {float(w) if np.ndim(w) == 0 else None for w in made.choice.weights.values()}
        form = {frozenset([0.0]): "auxiliary", frozenset([1.0]): "original"}.get(frozenset(weights), Held(made))
    key = repr(sorted((k, v) for k, v in case.items() if k != "form"))
    HELD.clear()
    HELD[key] = data
    result = drawn(model, form, key, case["draws"], case["seed"])
    stats = result.sample_stats
    both = int(stats["n_steps"].sum()), int(stats.attrs["warmup_gradients"])
    return {
        "drawn": {str(n): np.asarray(v) for n, v in result.posterior.data_vars.items()}, "gradients": both[0],
        "divergences": int(stats["diverging"].sum()), "pilot": choice.gradients if choice else 0, "budget": sum(both),
        "weights": np.concatenate([np.ravel(w) for w in choice.weights.values()]) if choice else np.array([]),
        "step": float(np.median(stats.attrs["step_size"])), "reasons": choice.reasons if choice else {},
    }  # fmt: skip


class Held:
    """A derivation that is told from others by what it is, for the cache."""

    def __init__(self, made: Any) -> None:
        self.made = made


def judged(values: dict[str, Any]) -> tuple[float, float, str]:
    """R-hat of the worst element, effective draws of the worst one, and its variable."""
    from symaux.validate.blackjax_chain import require

    arviz = require("arviz")
    cut = {n: v[:, :, :JUDGED] if v.ndim == 3 else v for n, v in values.items()}
    made = arviz.from_dict(posterior=cut).posterior
    ess, r_hat = arviz.ess(made, method="bulk"), arviz.rhat(made)
    least = {str(n): float(np.nan_to_num(v, nan=0.0).min()) for n, v in ess.data_vars.items()}
    worst = min(least, key=least.__getitem__)
    return float(max(np.nan_to_num(v, nan=np.inf).max() for v in r_hat.data_vars.values())), least[worst], worst


def run(case: ex.Record) -> ex.Record:
    """One run of four chains, with what it cost."""
    began = time.perf_counter()
    model, data = sweep.setting(case, case["seed"])
    found = peer.run(case, data, DOUBLINGS) if case["form"] in PEERS else own(case, model, data)
    if found is None:
        return {"told": "no such form"}
    r_hat, ess, worst = judged(found["drawn"])
    worth = ess if r_hat < LARGEST_R else 0.0
    weights = found["weights"]
    return {
        "ess": worth, "per_thousand_gradients": 1000 * worth / found["gradients"], "r_hat": r_hat, "worst": worst,
        "gradients": found["gradients"], "divergences": found["divergences"], "pilot": found["pilot"],
        "share": found["pilot"] / found["budget"] if "budget" in found else None, "step": found.get("step"),
        "weights": [float(q) for q in np.quantile(weights, [0, 0.5, 1])] if weights.size else [],
        "reasons": found.get("reasons", {}), "seconds": round(time.perf_counter() - began, 1),
        "told": [round(1000 * worth / found["gradients"], 2), round(r_hat, 3)],
    }  # fmt: skip


def cases(quick: bool) -> list[ex.Record]:
    """Our forms of all cells, seed by seed, then NumPyro's, its slowest last: an interrupted run has the most that it can."""
    if quick:
        return [{**cell, "form": form, "seed": 0} for cell in sweep.few() for form in QUICK]
    every = [{**cell, "form": form, "seed": seed} for seed in range(5) for cell in sweep.cells() for form in FORMS]
    return sorted(every, key=lambda case: (case["form"] in PEERS) * (1 + (case.get("groups", 0) >= 1000)))


def write(out: Path, records: list[ex.Record]) -> None:
    """The page, with its picture."""
    import choosing_page

    choosing_page.write(out, records)


if __name__ == "__main__":
    ex.main(sys.modules[__name__])
