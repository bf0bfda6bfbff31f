"""Where the auxiliary form helps and where it hurts: NUTS on both forms, from weak data to very informative ones.

python gallery/helps_or_hurts.py --quick     # two cells, under a minute
python gallery/helps_or_hurts.py             # an hour or so; goes on where it stopped
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import experiment as ex

NAME = "helps_or_hurts"
FORMS = ("original", "auxiliary")
JUDGED = 50  # groups whose effective draws are counted, of a thousand that are alike
LARGEST_R = 1.05  # a run above it has not converged and counts as no effective draw


def hierarchy() -> Any:
    """Means of groups: the eight schools with any number of them."""
    import sympy as sp

    import symaux as sa

    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    theta, y, sigma = sa.arrays("theta y sigma")
    j = sa.plate("j")
    laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[j], mu, tau)]
    return sa.Model.of(*laws, sa.normal(y[j], theta[j], sigma[j]), observed=[y])


def setting(case: ex.Record) -> tuple[Any, dict[str, Any]]:
    """The model and the data of a cell."""
    if case["model"] == "funnel":
        return runpy.run_path(str(ex.HERE / "funnel.py"))["model"], {}
    if case["model"] == "eight schools":
        data = runpy.run_path(str(ex.HERE / "eight_schools.py"))["data"]()
        return hierarchy(), {"y": data["y"], "sigma": case["noise"] * data["sigma"]}
    rng, count = np.random.default_rng(4000 + case["seed"]), case["groups"]
    theta, sigma = 1 + rng.normal(size=count), np.full(count, case["noise"])
    return hierarchy(), {"y": theta + sigma * rng.normal(size=count), "sigma": sigma}


def run(case: ex.Record) -> ex.Record:
    """One run of four chains, with what it cost."""
    import time

    import symaux as sa

    model, data = setting(case)
    began = time.perf_counter()
    result = sa.learn.sample(
        model, data, form=case["form"], draws=case["draws"], warmup=case["draws"], seed=case["seed"], quiet=True
    )
    seconds = time.perf_counter() - began
    result.posterior = result.posterior.isel({d: slice(0, JUDGED) for d in ("j",) if d in result.posterior.dims})
    found = sa.learn.diagnose(result)
    worth = found.ess_bulk[1] if found.r_hat[1] < LARGEST_R else 0.0
    return {
        "ess": worth, "per_thousand_gradients": 1000 * worth / found.gradients, "r_hat": found.r_hat, "seconds": seconds,
        "divergences": found.divergences, "gradients": found.gradients, "told": [worth, found.gradients],
    }  # fmt: skip


def cases(quick: bool) -> list[ex.Record]:
    """The cells, each with several seeds."""

    def case(form: str, seed: int, draws: int, **more: Any) -> ex.Record:
        return dict(form=form, seed=seed, draws=draws, **more)

    def groups(count: int, noise: float) -> ex.Record:
        return dict(model=f"{count} groups", groups=count, noise=noise)

    if quick:
        return [case(form, 0, 300, **groups(20, noise)) for noise in (0.05, 5.0) for form in FORMS]
    cells = [
        *((1000, dict(model="eight schools", noise=noise)) for noise in (0.1, 1.0, 10.0)),
        (1000, dict(model="funnel", noise=1.0)),
        *((500, groups(1000, noise)) for noise in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)),
    ]
    return [case(form, seed, draws, **cell) for seed in range(5) for draws, cell in cells for form in FORMS]


def main(arguments: list[str]) -> list[ex.Record]:
    """Measures what is missing, then writes the page."""
    chosen = ex.options((__doc__ or "").splitlines()[0], arguments)
    records = ex.measure(chosen, NAME, cases(chosen.quick), run)
    if records:
        from helps_page import write

        write(chosen.out, records)
    return records


if __name__ == "__main__":
    main(sys.argv[1:])
