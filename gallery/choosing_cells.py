"""The cells of the sweep of chosen forms: models with data that say little, much, or much of some elements only."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import helps_or_hurts as hierarchies

Cell = dict[str, Any]


def log_normals() -> Any:
    """Positive means of groups with a common location and scale of their logarithms."""
    import sympy as sp

    import symaux as sa

    mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
    theta, y, sigma = sa.arrays("theta", positive=True), *sa.arrays("y sigma")
    j = sa.plate("j")
    laws = [sa.normal(mu, 0, 2), sa.half_cauchy(tau, 1), sa.log_normal(theta[j], mu, tau)]
    return sa.Model.of(*laws, sa.normal(y[j], theta[j], sigma[j]), observed=[y])


def proportions() -> Any:
    """Proportions of groups with two common shapes: a Kumaraswamy law has neither location nor scale."""
    import sympy as sp

    import symaux as sa

    a, b = sp.symbols("a b", positive=True)
    v, j = sa.arrays("v", positive=True), sa.plate("j")
    y, n = sa.arrays("y n", integer=True, positive=True)
    law = sa.law(v[j], a * b * v[j] ** (a - 1) * (1 - v[j] ** a) ** (b - 1), support=(0, 1))
    laws = [sa.log_normal(a, 1, 1), sa.log_normal(b, 1, 1), law]
    return sa.Model.of(*laws, sa.binomial(y[j], n[j], v[j]), observed=[y])


def network() -> Any:
    """The states of the paper's dynamic network given its parameters, as in its E-step."""
    import sympy as sp

    import symaux as sa

    t, n, i, k, o = sa.plate("t", 10), sa.plate("n"), *(sa.plate(name, 10) for name in "iko")
    z, x, Wz, bz, Wx, bx = sa.arrays("z x Wz bz Wx bx")
    sz, sx = sp.symbols("sz sx", positive=True)
    state = sp.tanh(sp.Sum(z[t - 1, n, k] * Wz[k, i], k) + bz[i])
    seen = sp.tanh(sp.Sum(z[t, n, k] * Wx[k, o], k) + bx[o])
    laws = [sa.normal(z[0, n, i], 0, 1), sa.normal(z[t, n, i], state, sz), sa.normal(x[t, n, o], seen, sx)]
    return sa.Model.of(*laws, observed=[x])


def series(rng: Any, count: int, sz: float, sx: float) -> dict[str, Any]:
    """Parameters and observations drawn forward."""
    (Wz, Wx), (bz, bx) = 0.5 * rng.normal(size=(2, 10, 10)), 0.5 * rng.normal(size=(2, 10))
    z = [rng.normal(size=(count, 10))]
    for _ in range(9):
        z.append(np.tanh(z[-1] @ Wz + bz) + sz * rng.normal(size=(count, 10)))
    means = np.tanh(np.stack(z) @ Wx + bx)
    return {"x": means + sx * rng.normal(size=means.shape), "Wz": Wz, "bz": bz, "Wx": Wx, "bx": bx, "sz": sz, "sx": sx}


def setting(cell: Cell, seed: int) -> tuple[Any, dict[str, Any]]:
    """The model and the data of a cell: another seed draws other data, where they are drawn."""
    kind = cell["model"].split(",")[0]
    rng = np.random.default_rng(4000 + seed)
    if kind == "log-normal":
        theta, sigma = np.exp(0.5 + 0.5 * rng.normal(size=cell["groups"])), np.full(cell["groups"], cell["noise"])
        return log_normals(), {"y": theta + sigma * rng.normal(size=len(theta)), "sigma": sigma}
    if kind == "Kumaraswamy":
        trials = np.resize(cell["trials"], cell["groups"])
        values = (1 - rng.uniform(size=cell["groups"]) ** (1 / 4)) ** (1 / 2.5)
        return proportions(), {"y": rng.binomial(trials, values), "n": trials}
    if kind == "dynamic network":
        return network(), series(rng, cell["groups"], cell["sz"], cell["noise"])
    return hierarchies.setting({**cell, "seed": seed})


def cells() -> list[Cell]:
    """All of the issue's, with the draws of each chain."""

    def cell(model: str, draws: int, noise: float, **more: Any) -> Cell:
        return {"model": model, "draws": draws, "noise": noise, **more}

    return [
        cell("funnel", 800, 1.0),
        *(cell("eight schools", 800, noise) for noise in (0.1, 1.0, 10.0)),
        *(cell("1000 groups", 300, noise, groups=1000) for noise in (0.1, 0.3, 1.0, 3.0, 10.0)),
        cell("mixed, 100 groups", 400, 1.0, groups=100),
        *(cell("gamma, 100 groups", 400, noise, groups=100) for noise in (0.1, 1.0, 3.0)),
        *(cell("log-normal, 100 groups", 400, noise, groups=100) for noise in (0.05, 1.0, 5.0)),
        cell("Kumaraswamy, 100 groups of 20", 300, 1.0, groups=100, trials=[20]),
        cell("Kumaraswamy, 100 groups of 1 or 1000", 300, 1.0, groups=100, trials=[1, 1000]),
        cell("dynamic network, sharp data", 250, 0.1, groups=3, sz=0.3),
        cell("dynamic network, even", 250, 1.0, groups=3, sz=1.0),
        cell("dynamic network, noisy data", 250, 1.0, groups=3, sz=0.1),
    ]


def few() -> list[Cell]:
    """Two small ones, far from where the forms are equal: a run of one seed tells no more."""
    return [{"model": "20 groups", "draws": 200, "noise": noise, "groups": 20} for noise in (0.05, 10.0)]


__all__ = ["cells", "few", "setting"]
