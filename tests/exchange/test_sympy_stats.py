"""Distributions of sympy.stats as laws and as models, and a list of what is missing."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
import sympy.stats
import sympy.stats as ss
from scipy import stats

import symaux as sa

z = sp.Symbol("z", real=True)


def at(law: sa.Law, point: float) -> float:
    return float(sp.re(law.log_density.subs(law.value, sp.Float(point, 30)).evalf(25)))


@pytest.mark.parametrize(
    ("distribution", "known", "points"),
    [
        (sympy.stats.Weibull("w", 1.4, 1.8), stats.weibull_min(1.8, scale=1.4).logpdf, [0.2, 1.1, 3.0]),
        (sympy.stats.Normal("w", 1, 2), stats.norm(1, 2).logpdf, [-2.0, 0.3, 4.0]),
        (sympy.stats.Gamma("w", 2, 3), stats.gamma(2, scale=3).logpdf, [0.2, 1.1, 3.0]),
        (sympy.stats.Beta("w", 2, 3), stats.beta(2, 3).logpdf, [0.2, 0.5, 0.9]),
        (sympy.stats.StudentT("w", 5), stats.t(5).logpdf, [-1.0, 0.1, 2.0]),
    ],
)
def test_continuous_distributions_of_sympy_stats(distribution, known, points) -> None:
    law = sa.law(z, distribution)
    np.testing.assert_allclose([at(law, x) for x in points], known(np.array(points)), rtol=1e-10)


@pytest.mark.parametrize(
    ("distribution", "known", "points"),
    [
        (sympy.stats.Poisson("w", 2.5), stats.poisson(2.5).logpmf, [0, 1, 4]),
        (sympy.stats.Bernoulli("w", 0.3), stats.bernoulli(0.3).logpmf, [0, 1]),
        (sympy.stats.Binomial("w", 5, 0.3), stats.binom(5, 0.3).logpmf, [0, 2, 5]),
        (sympy.stats.Geometric("w", 0.3), stats.geom(0.3).logpmf, [1, 2, 5]),
        (sympy.stats.Die("w", 6), stats.randint(1, 7).logpmf, [1, 4, 6]),
    ],
)
def test_discrete_distributions_of_sympy_stats(distribution, known, points) -> None:
    y, n = sa.arrays("y", integer=True), sa.plate("n")
    law = sa.law(y[n], distribution)
    assert law.discrete
    logp = sa.log_density(sa.Model.of(law, observed=[y]), {"y": np.array(points)})
    assert float(logp({})) == pytest.approx(known(np.array(points)).sum(), rel=1e-10)


def test_a_distribution_with_symbols_keeps_them() -> None:
    a, b = sp.symbols("a b", positive=True)
    law = sa.law(z, sympy.stats.Weibull("w", a, b))
    assert {str(p) for p in law.parameters} == {"a", "b"}


def test_what_is_not_a_distribution_is_refused() -> None:
    x = sympy.stats.Normal("x", 0, 1)
    with pytest.raises(sa.LawError):
        sa.law(z, x**2 + x)
    with pytest.raises(sa.LawError, match="either a density or log_density"):
        sa.law(z)
    with pytest.raises(sa.LawError, match="support"):
        sa.law(z, sp.exp(-z), support=(1, 0))
    with pytest.raises(sa.LawError, match="itself"):
        sa.law(z, sp.exp(-z), support=(0, z))


def test_sympy_stats() -> None:
    mu, tau = ss.Normal("mu", 0, 5), ss.Exponential("tau", 1)
    x, k, rate = ss.Normal("x", mu, tau), ss.Poisson("k", tau), ss.Beta("rate", 2, 3)
    wins, growth = ss.Binomial("wins", 5, rate), ss.Gompertz("growth", 1, tau)
    model = sa.from_sympy_stats(x, growth, observed=[k, wins])
    assert model.text.splitlines()[:4] == [
        "mu ~ normal(0, 5)", "tau ~ exponential(1)", "x ~ normal(mu, tau)",
        "growth ~ exp(growth - tau*exp(growth) + tau + log(tau)) on (0, oo)",
    ]  # fmt: skip
    assert model.observed == {"k", "wins"} and sa.parse(model.text) == model
    at = {"mu": 0.3, "tau": 1.7, "x": -0.4, "rate": 0.6, "growth": 0.8}
    theirs = sum(
        sp.log(density)
        for density in (
            ss.density(mu)(sp.Rational(3, 10)),
            ss.density(tau)(sp.Rational(17, 10)),
            ss.density(ss.Normal("u", 0.3, 1.7))(sp.Rational(-2, 5)),
            ss.density(rate)(sp.Rational(3, 5)),
            ss.density(ss.Gompertz("u", 1, 1.7))(sp.Rational(4, 5)),
            ss.density(ss.Poisson("u", 1.7))(2),
            ss.density(ss.Binomial("u", 5, sp.Rational(3, 5))).dict[3],
        )
    )
    assert float(sa.log_density(model, {"k": 2, "wins": 3})(at)) == pytest.approx(float(theirs), rel=1e-12)


def test_what_sympy_stats_cannot_give_is_listed() -> None:
    x = ss.Normal("x", 0, 1)
    with pytest.raises(sa.NotTranslated) as caught:
        sa.from_sympy_stats(x + 1, ss.Binomial("b", 5, sp.Rational(1, 2), succ=2, fail=1), observed=[3])
    assert set(caught.value.parts) == {"x + 1", "b", "3"}
