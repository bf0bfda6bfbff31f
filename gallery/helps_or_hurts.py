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
from helps_words import FORMS, cells, ratio, summary, worth

NAME = "helps_or_hurts"
AXES = {"groups": "σ/τ", "schools": "σ, times that of the schools", "gamma": "σ"}
FLOOR = 1e-3  # where runs without an effective draw are drawn
ABOUT = """NUTS (BlackJAX, window adaptation, acceptance 0.9, four chains) on both forms of the same models: effective
draws of the worst element per thousand gradients, those of the warm-up left out; the median over seeds with the
range. A run whose R-hat is not below 1.05 has not converged and counts as none. The noise σ of the data is scaled:
small numbers are informative data. In the picture runs that count as none stand at 0.001. Of a thousand groups, which
are alike, the first fifty are judged. Made by python gallery/helps_or_hurts.py."""
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


def gammas() -> Any:
    """Rates of groups with a common scale: a hierarchy whose latents are positive."""
    import sympy as sp

    import symaux as sa

    b = sp.Symbol("b", positive=True)
    theta, y, sigma = sa.arrays("theta", positive=True), *sa.arrays("y sigma")
    j = sa.plate("j")
    laws = [sa.log_normal(b, 0, 1), sa.gamma(theta[j], 3, b)]
    return sa.Model.of(*laws, sa.normal(y[j], sp.log(theta[j]), sigma[j]), observed=[y])


def setting(case: ex.Record) -> tuple[Any, dict[str, Any]]:
    """The model and the data of a cell."""
    if case["model"] == "funnel":
        return runpy.run_path(str(ex.HERE / "funnel.py"))["model"], {}
    if case["model"] == "eight schools":
        data = runpy.run_path(str(ex.HERE / "eight_schools.py"))["data"]()
        return hierarchy(), {"y": data["y"], "sigma": case["noise"] * data["sigma"]}
    rng, count = np.random.default_rng(4000 + case["seed"]), case["groups"]
    if case["model"].startswith("gamma"):
        theta, sigma = rng.gamma(3.0, 0.5, size=count), np.full(count, case["noise"])
        return gammas(), {"y": np.log(theta) + sigma * rng.normal(size=count), "sigma": sigma}
    theta, sigma = 1 + rng.normal(size=count), np.full(count, case["noise"])
    if case["model"].startswith("mixed"):
        sigma = np.where(np.arange(count) % 2, 0.03, 5.0)
    return hierarchy(), {"y": theta + sigma * rng.normal(size=count), "sigma": sigma}


def run(case: ex.Record) -> ex.Record:
    """One run of four chains, with what it cost."""
    import time

    import symaux as sa

    model, data = setting(case)
    began = time.perf_counter()
    settings = {"draws": case["draws"], "warmup": case["draws"], "seed": case["seed"], "quiet": True}
    result = sa.learn.sample(model, data, form=case["form"], **settings)
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
        (500, dict(model="mixed, 100 groups", groups=100, noise=1.0)),
        *((500, dict(model="gamma, 100 groups", groups=100, noise=noise)) for noise in (0.1, 3.0)),
        *((500, groups(1000, noise)) for noise in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)),
    ]
    return [case(form, seed, draws, **cell) for seed in range(5) for draws, cell in cells for form in FORMS]


def curves(records: list[ex.Record], path: Path) -> None:
    """ESS per gradient of both forms against the noise, a panel for each model that has several."""
    names = sorted({name for name, noise in cells(records) if sum(c[0] == name for c in cells(records)) > 1})
    made, axes = ex.figure(4.2 * len(names), 3.0, 1, len(names))
    for name, axis in zip(names, axes[0], strict=True):
        noises = [noise for model, noise in cells(records) if model == name]
        for form in FORMS:
            found = [np.maximum(worth(records, (name, noise), form) or [np.nan], FLOOR) for noise in noises]
            axis.plot(noises, [np.median(f) for f in found], color=ex.COLOURS[form], marker=".", label=form)
            low, high = ([edge(f) for f in found] for edge in (np.min, np.max))
            axis.fill_between(noises, low, high, color=ex.COLOURS[form], alpha=0.2, linewidth=0)
        axis.set(xscale="log", yscale="log", xlabel=AXES[name.split(",")[0].split()[-1]], title=name)
    axes[0][0].set_ylabel("ESS per 1000 gradients")
    axes[0][0].legend(frameon=False)
    ex.save(made, path)


def rows(records: list[ex.Record]) -> list[list[str]]:
    """Both forms side by side; the ratio is that of the medians."""
    found = []
    for cell in cells(records):
        both = {form: worth(records, cell, form) for form in FORMS}
        runs = {form: ex.matching(records, model=cell[0], noise=cell[1], form=form) for form in FORMS}
        failed = [sum(r["ess"] == 0 for r in runs[form]) for form in FORMS]
        moves = [ex.spread([float(r["divergences"]) for r in runs[form]], 0) for form in FORMS]
        found.append([
            cell[0], "" if cell[0] == "funnel" else f"{cell[1]:g}", str(min(map(len, both.values()))),
            ex.spread(both["original"], 2), ex.spread(both["auxiliary"], 2), ex.rounded(ratio(records, cell)),
            ", ".join(map(str, failed)), ", ".join(moves),
        ])  # fmt: skip
    return found


def write(out: Path, records: list[ex.Record]) -> None:
    """The page, with its picture."""
    picture = out / f"{NAME}.svg"
    curves(records, picture)
    heads = [
        "model", "σ × or σ/τ", "seeds", "original", "auxiliary", "auxiliary over original",
        "not converged (original, auxiliary)", "divergent moves (same order)",
    ]  # fmt: skip
    parts = [
        ABOUT,
        "## The sweep",
        picture,
        "## The table",
        ex.table(heads, rows(records)),
        "## What came out",
        *summary(records),
    ]
    ex.pages(out, NAME, "Where the auxiliary form helps and where it hurts", parts)


if __name__ == "__main__":
    ex.main(sys.modules[__name__])
