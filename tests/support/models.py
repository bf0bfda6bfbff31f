"""Models that many tests build, each with its data."""

from __future__ import annotations

import runpy
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

import symaux as sa
from support.paths import GALLERY

n = sa.plate("n")
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
z, x, W = sa.arrays("z x W")


SCHOOLS = {"sigma": [15, 10, 16, 11, 9, 11, 10, 18], "y": [28.0, 8, -3, 7, -1, 1, 18, 12]}


def eight_schools() -> sa.Model:
    """Rubin's eight schools: their effects theta, and estimates y of them with known errors sigma."""
    j, (theta, y), sigma = sa.plate("j", 8), sa.arrays("theta y"), sa.arrays("sigma", positive=True)
    priors = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5)]
    return sa.Model.of(*priors, sa.normal(theta[j], mu, tau), sa.normal(y[j], theta[j], sigma[j]), observed=[y])


def few_schools(size: int = 4) -> sa.Model:
    """The same hierarchy with errors of one."""
    j, (theta, y) = sa.plate("j", size), sa.arrays("theta y")
    priors = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5)]
    return sa.Model.of(*priors, sa.normal(theta[j], mu, tau), sa.normal(y[j], theta[j], 1), observed=[y])


def papers_chain(length: int = 3, start: int = 1) -> sa.Model:
    """Figure 2(a) of Kingma (2013): z1 → z2 → z3, each with its x."""
    states, seen = (sp.symbols(f"{name}{start}:{start + length}", real=True) for name in "zx")
    walk = [sa.normal(states[0], 0, 1), *(sa.normal(b, a, 1) for a, b in pairwise(states))]
    return sa.Model.of(*walk, *(sa.normal(b, a, 1) for a, b in zip(states, seen, strict=True)), observed=seen)


def gallery(name: str) -> tuple[sa.Model, dict[str, Any]]:
    """A model of the gallery and its data."""
    script = runpy.run_path(str(GALLERY / f"{name}.py"))
    return script["model"], script["data"]()


@cache
def linear() -> tuple[sa.Model, dict[str, Any], dict[str, Any], np.ndarray]:
    """A linear-Gaussian model, its data, its parameters, and log p(x_n) exactly."""
    k, d = sa.plate("k", 2), sa.plate("d", 3)
    mean = sp.Sum(W[k, d] * z[n, k], k)
    laws = [
        sa.normal(W[k, d], 0, 1),
        sa.log_normal(tau, 0, 1),
        sa.normal(z[n, k], 1, tau),
        sa.normal(x[n, d], mean, 0.5),
    ]
    rng = np.random.default_rng(0)
    weights, seen = rng.normal(size=(2, 3)), rng.normal(size=(5, 3))
    covariance = 0.49 * weights.T @ weights + 0.25 * np.eye(3)
    off = seen - weights.sum(axis=0)
    exact = -0.5 * np.einsum("ni,ij,nj->n", off, np.linalg.inv(covariance), off)
    exact -= 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1]
    return sa.Model.of(*laws, observed=[x]), {"x": seen}, {"W": weights, "tau": 0.7}, exact
