"""Ancestral draws by densities alone have the law."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy import stats

import symaux as sa
from symaux.api import source_without_sampler
from symaux.validate import ancestral

pytest.importorskip("blackjax")
z, y = sa.arrays("z y")
j, t = sa.plate("j", 4), sa.plate("t", 4)


def uniform_levels(name: str, law: sa.Law, at: dict[str, float], cdf: stats.rv_continuous) -> None:
    model = sa.Model.of(law)
    drawn = ancestral.draw_ancestral(model, at, {}, 400, np.random.default_rng(3), source_without_sampler)[name]
    assert stats.kstest(cdf(drawn), "uniform").pvalue > 1e-3


X, U = sp.Symbol("x", positive=True), sp.Symbol("u", positive=True)
W = sp.Symbol("w", real=True)
LAWS = {
    "narrow and far": (sa.normal(W, 5000, sp.Rational(1, 1000)), stats.norm(5000, 1e-3).cdf),
    "cauchy": (sa.cauchy(W, -3, 40), stats.cauchy(-3, 40).cdf),
    "singular at both ends": (sa.beta(U, sp.Rational(1, 5), sp.Rational(3, 10)), stats.beta(0.2, 0.3).cdf),
    "singular at zero": (sa.gamma(X, sp.Rational(1, 20), 3), stats.gamma(0.05, scale=1 / 3).cdf),
    "two humps": (
        sa.law(W, (sp.exp(-((W - 5) ** 2) / 2) + 3 * sp.exp(-((W + 5) ** 2) / 2)) / sp.sqrt(2 * sp.pi) / 4),
        lambda x: 0.25 * stats.norm(5).cdf(x) + 0.75 * stats.norm(-5).cdf(x),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_draws_by_densities_have_the_law(name: str) -> None:
    law, cdf = LAWS[name]
    uniform_levels(law.name, law, {}, cdf)


def test_counts_are_drawn_too() -> None:
    k = sp.Symbol("k", integer=True, nonnegative=True)
    model = sa.Model.of(sa.poisson(k, 3), observed=[k])
    drawn = ancestral.draw_ancestral(model, {}, {}, 2000, np.random.default_rng(3), source_without_sampler)["k"]
    assert abs(drawn.mean() - 3) < 0.15 and abs(drawn.var() - 3) < 0.35


def test_parents_are_drawn_first_in_a_series() -> None:
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], 3 * z[t - 1], sp.Rational(1, 100)))
    drawn = ancestral.draw_ancestral(model, {}, {"t": 4}, 200, np.random.default_rng(3), source_without_sampler)["z"]
    assert np.all(np.abs(drawn[:, 3] - 27 * drawn[:, 0]) < 1) and 0.8 < drawn[:, 0].std() < 1.2
