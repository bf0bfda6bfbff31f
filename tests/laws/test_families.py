"""Every named family against scipy, and what is refused: parameters outside their domain, by node, name and value."""

from __future__ import annotations

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
import sympy.stats
from scipy import integrate, stats

import symaux as sa

z = sp.Symbol("z", real=True)

# family, arguments, scipy's log-density, support
CONTINUOUS = [
    (sa.normal, (0.5, 1.5), stats.norm(0.5, 1.5).logpdf, (-np.inf, np.inf)),
    (sa.log_normal, (0.3, 0.7), stats.lognorm(0.7, scale=np.exp(0.3)).logpdf, (0, np.inf)),
    (sa.half_normal, (1.7,), stats.halfnorm(scale=1.7).logpdf, (0, np.inf)),
    (sa.cauchy, (-0.4, 0.8), stats.cauchy(-0.4, 0.8).logpdf, (-np.inf, np.inf)),
    (sa.half_cauchy, (2.5,), stats.halfcauchy(scale=2.5).logpdf, (0, np.inf)),
    (sa.student_t, (4.5, 0.3, 1.2), stats.t(4.5, 0.3, 1.2).logpdf, (-np.inf, np.inf)),
    (sa.laplace, (0.3, 0.6), stats.laplace(0.3, 0.6).logpdf, (-np.inf, np.inf)),
    (sa.logistic, (0.3, 0.6), stats.logistic(0.3, 0.6).logpdf, (-np.inf, np.inf)),
    (sa.gumbel, (0.3, 0.6), stats.gumbel_r(0.3, 0.6).logpdf, (-np.inf, np.inf)),
    (sa.exponential, (1.7,), stats.expon(scale=1 / 1.7).logpdf, (0, np.inf)),
    (sa.gamma, (2.3, 1.7), stats.gamma(2.3, scale=1 / 1.7).logpdf, (0, np.inf)),
    (sa.inverse_gamma, (2.3, 1.7), stats.invgamma(2.3, scale=1.7).logpdf, (0, np.inf)),
    (sa.chi_squared, (3.5,), stats.chi2(3.5).logpdf, (0, np.inf)),
    (sa.weibull, (1.8, 1.4), stats.weibull_min(1.8, scale=1.4).logpdf, (0, np.inf)),
    (sa.pareto, (1.4, 2.5), stats.pareto(2.5, scale=1.4).logpdf, (1.4, np.inf)),
    (sa.frechet, (1.8, 1.4), stats.invweibull(1.8, scale=1.4).logpdf, (0, np.inf)),
    (sa.rayleigh, (1.3,), stats.rayleigh(scale=1.3).logpdf, (0, np.inf)),
    (sa.uniform, (-1.2, 2.3), stats.uniform(-1.2, 3.5).logpdf, (-1.2, 2.3)),
    (sa.beta, (2.2, 3.1), stats.beta(2.2, 3.1).logpdf, (0, 1)),
    (sa.kumaraswamy, (2.2, 3.1), lambda x: np.log(2.2 * 3.1 * x**1.2 * (1 - x**2.2) ** 2.1), (0, 1)),
    (sa.triangular, (-1.0, 0.5, 2.0), stats.triang(0.5, -1, 3).logpdf, (-1, 2)),
    (sa.von_mises, (0.4, 1.7), stats.vonmises(1.7, 0.4).logpdf, (0.4 - np.pi, 0.4 + np.pi)),
    (sa.inverse_gaussian, (1.3, 2.1), stats.invgauss(1.3 / 2.1, scale=2.1).logpdf, (0, np.inf)),
    (sa.skew_normal, (0.3, 1.2, 2.5), stats.skewnorm(2.5, 0.3, 1.2).logpdf, (-np.inf, np.inf)),
]
DISCRETE = [
    (sa.bernoulli, (0.3,), stats.bernoulli(0.3).logpmf, range(2)),
    (sa.binomial, (7, 0.3), stats.binom(7, 0.3).logpmf, range(8)),
    (sa.poisson, (2.7,), stats.poisson(2.7).logpmf, range(12)),
    (sa.neg_binomial_2, (2.7, 1.3), stats.nbinom(1.3, 1.3 / 4.0).logpmf, range(12)),
]


def name(case) -> str:
    return case[0].__name__


def inside(low: float, high: float) -> np.ndarray:
    fractions = np.array([0.03, 0.2, 0.41, 0.55, 0.83, 0.97])
    if np.isfinite(low) and np.isfinite(high):
        return low + (high - low) * fractions
    return low + stats.expon.ppf(fractions) * 2 if np.isfinite(low) else stats.norm.ppf(fractions) * 3


def at(law: sa.Law, point: float) -> float:
    return float(sp.re(law.log_density.subs(law.value, sp.Float(point, 30)).evalf(25)))


@pytest.mark.parametrize("case", CONTINUOUS, ids=name)
def test_continuous_families_are_those_of_scipy(case) -> None:
    family, arguments, known, (low, high) = case
    law = family(z, *arguments)
    points = inside(low, high)
    np.testing.assert_allclose([at(law, x) for x in points], known(points), rtol=1e-10, atol=1e-12)
    assert (float(law.support.lower), float(law.support.upper)) == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize("case", CONTINUOUS, ids=name)
def test_continuous_families_integrate_to_one(case) -> None:
    family, arguments, _, (low, high) = case
    log_density = sp.lambdify(z, family(z, *arguments).log_density, ["scipy", "numpy"])
    middle = [0.5] if np.isinf(low) and np.isinf(high) else [float(np.median(inside(low, high)))]
    ends = [low, *middle, high]
    with np.errstate(all="ignore"):
        total = sum(integrate.quad(lambda x: np.exp(log_density(x)), a, b, limit=200)[0] for a, b in pairwise(ends))
    assert total == pytest.approx(1, abs=1e-7)


@pytest.mark.parametrize("case", DISCRETE, ids=name)
def test_discrete_families_are_those_of_scipy(case) -> None:
    family, arguments, known, points = case
    law = family(sp.Symbol("k", integer=True, nonnegative=True), *arguments)
    np.testing.assert_allclose([at(law, x) for x in points], known(np.array(points)), rtol=1e-10)
    assert law.discrete


def test_every_family_of_the_public_names_is_tested() -> None:
    from symaux import _FAMILIES

    assert {case[0].__name__ for case in (*CONTINUOUS, *DISCRETE)} == set(_FAMILIES)


REFUSED = [
    (lambda: sa.normal(z, 0, -1), ["normal(z", "scale", "positive", "-1"]),
    (lambda: sa.normal(z, 0, 0), ["normal(z", "scale", "0"]),
    (lambda: sa.normal(z, sp.I, 1), ["normal(z", "loc", "I"]),
    (lambda: sa.normal(z, float("nan"), 1), ["nan"]),
    (lambda: sa.normal(z, 0, float("inf")), ["inf"]),
    (lambda: sa.normal(z, True, 1), ["True"]),
    (lambda: sa.normal(z, "mu", 1), ["'mu'"]),
    (lambda: sa.normal(z, 0), ["normal", "scale"]),
    (lambda: sa.normal(z, 0, 1, 2), ["normal"]),
    (lambda: sa.normal(z, z, 1), ["normal(z", "loc", "itself"]),
    (lambda: sa.normal(3, 0, 1), ["3"]),
    (lambda: sa.normal(sa.arrays("v"), 0, 1), ["v"]),
    (lambda: sa.normal(z, sa.arrays("v"), 1), ["v", "index it"]),
    (lambda: sa.normal(z, 0, sp.Symbol("s", negative=True)), ["scale", "positive", "s"]),
    (lambda: sa.normal(z, 0, -sp.exp(sp.Symbol("v", real=True))), ["scale", "-exp(v)"]),
    (lambda: sa.gamma(z, -2, 1), ["gamma(z", "shape", "-2"]),
    (lambda: sa.bernoulli(z, 1.5), ["bernoulli(z", "probability", "3/2"]),
    (lambda: sa.bernoulli(z, -0.1), ["bernoulli(z", "probability", "-1/10"]),
    (lambda: sa.binomial(z, 2.5, 0.3), ["binomial(z", "trials", "5/2"]),
    (lambda: sa.binomial(z, -2, 0.3), ["binomial(z", "trials", "-2"]),
    (lambda: sa.uniform(z, 2, 1), ["z", "2", "1"]),
    (lambda: sa.uniform(z, z, 1), ["z", "itself"]),
    (lambda: sa.triangular(z, 0, 3, 2), ["z", "3"]),
    (lambda: sa.dirichlet(sa.arrays("p")[sa.plate("k", 3)], -1), ["dirichlet(p[k]", "concentration", "-1"]),
    (lambda: sa.mixture(z, (0.3, sa.normal(z, 0, 1)), (0.3, sa.normal(z, 1, 1))), ["mixture(z)", "3/5"]),
    (lambda: sa.mixture(z, (-0.5, sa.normal(z, 0, 1)), (1.5, sa.normal(z, 1, 1))), ["mixture(z)", "negative"]),
    (lambda: sa.mixture(z, (0.5, sa.normal(z, 0, 1)), (0.5, sa.exponential(z, 1))), ["mixture(z)", "supports"]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[" ".join(words) for _, words in REFUSED])
def test_a_parameter_outside_its_domain_is_refused_by_name(make, words: list[str]) -> None:
    with pytest.raises(sa.LawError) as caught:
        make()
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, str(caught.value)


def test_a_scale_of_unknown_sign_is_a_side_condition() -> None:
    s = sp.Symbol("s", real=True)
    assert sa.normal(z, 0, s).conditions == (s > 0,)
    assert sa.normal(z, 0, sp.exp(s)).conditions == ()


def test_decimals_are_exact() -> None:
    assert sa.normal(z, 0.1, 1) == sa.normal(z, sp.Rational(1, 10), 1)
    assert not sa.normal(z, np.float64(0.1), np.int64(3)).log_density.has(sp.Float)


def test_a_density_of_ones_own() -> None:
    a, b = sp.symbols("a b", positive=True)
    v = sp.Symbol("v", positive=True)
    law = sa.law(v, a * b * v ** (a - 1) * (1 - v**a) ** (b - 1), support=(0, 1))
    at_two = law.log_density.subs({a: 2.2, b: 3.1, v: 0.4})
    assert float(at_two) == pytest.approx(float(sa.kumaraswamy(v, 2.2, 3.1).log_density.subs(v, 0.4)), rel=1e-12)
    with mp.workdps(20):
        assert mp.quad(lambda t: float(law.density.subs({a: 2, b: 3, v: t})), [0, 1]) == pytest.approx(1, abs=1e-6)
