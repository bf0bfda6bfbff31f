"""Conformance: every rule on every law, and the laws that must get a proved form from their formula alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from sympy import Abs, Piecewise, Rational, cosh, exp, expand, log, oo, pi, sqrt

from rewrites import COMPOSITIONS, RULES
from rewrites.compositions.noncentral_t import noncentral_t
from rewrites.folded import folded
from symaux.derivation.law import derive
from symaux.laws import families as f
from symaux.laws.densities.charts import chart
from symaux.laws.law import flat, law
from symaux.proof.verify import verify
from symaux.rules.rule import Rule
from symaux.rules.verdict import Status

Z = sp.Symbol("z", real=True)
X = sp.Symbol("x", positive=True)
M, A, B, C = sp.symbols("m a b c", real=True)
S, K, T, V = sp.symbols("s k t v", positive=True)
N = sp.Symbol("n", negative=True)
J = sp.Symbol("j", integer=True, nonnegative=True)

FAMILIES = {
    "normal": f.normal(Z, M, S),
    "log_normal": f.log_normal(X, M, S),
    "half_normal": f.half_normal(X, S),
    "cauchy": f.cauchy(Z, M, S),
    "half_cauchy": f.half_cauchy(X, S),
    "student_t with 4": f.student_t(Z, 4, M, S),
    "laplace": f.laplace(Z, M, S),
    "logistic": f.logistic(Z, M, S),
    "gumbel": f.gumbel(Z, M, S),
    "exponential": f.exponential(X, S),
    "weibull": f.weibull(X, K, S),
    "pareto": f.pareto(X, S, K),
    "frechet": f.frechet(X, K, S),
    "rayleigh": f.rayleigh(X, S),
    "uniform": f.uniform(Z, A, B),
    "kumaraswamy": f.kumaraswamy(X, S, K),
    "triangular": f.triangular(Z, A, C, B),
}
OPEN = {  # no closed form yet; whatever a rule answers must still be right
    "student_t": f.student_t(Z, K, M, S),
    "gamma": f.gamma(X, K, S),
    "inverse_gamma": f.inverse_gamma(X, K, S),
    "chi_squared": f.chi_squared(X, K),
    "beta": f.beta(X, K, S),
    "von_mises": f.von_mises(Z, M, K),
    "inverse_gaussian": f.inverse_gaussian(X, S, K),
    "skew_normal": f.skew_normal(Z, M, S, A),
}
Y = K**2 * Z**2 / (2 * (V + Z**2))
COMPOSED = {  # one for every rule that needs two noises
    "ex-Gaussian": law(Z, S * exp(S**2 / 2 - S * Z) * sp.erfc((S - Z) / sqrt(2)) / 2),
    "Rice": law(X, X * exp(-(X**2 + V**2) / 2) * sp.besseli(0, V * X)),
    "non-central t": law(
        Z,
        V ** (V / 2)
        * sp.gamma(V + 1)
        / (2**V * exp(K**2 / 2) * (V + Z**2) ** (V / 2) * sp.gamma(V / 2))
        * (
            sqrt(2) * K * Z * sp.hyper((V / 2 + 1,), (Rational(3, 2),), Y) / ((V + Z**2) * sp.gamma((V + 1) / 2))
            + sp.hyper(((V + 1) / 2,), (Rational(1, 2),), Y) / (sqrt(V + Z**2) * sp.gamma(V / 2 + 1))
        ),
    ),
    "product of normals": law(Z, sp.besselk(0, Abs(Z)) / pi),
    "product of exponentials": law(X, 2 * sp.besselk(0, 2 * sqrt(X))),
    "hypoexponential": law(X, 2 * (exp(-X) - exp(-2 * X))),
    "generalised normal": law(Z, K * exp(-(Abs(Z) ** K)) / (2 * sp.gamma(1 / K))),
    "folded normal": law(X, sqrt(2 / pi) * cosh(V * X) * exp(-(X**2 + V**2) / 2)),
    "non-central beta": law(
        X,
        exp(-V / 2) * sp.hyper((Rational(7, 2),), (2,), V * X / 2) * X * sqrt(1 - X) / sp.beta(2, Rational(3, 2)),
        support=(0, 1),
    ),
    "Irwin-Hall": law(X, sp.Sum((-1) ** J * sp.binomial(3, J) * (X - J) ** 2 / 2, (J, 0, sp.floor(X))), support=(0, 3)),
}
FORMULAS = {  # the same laws, renamed and rearranged: nothing here says what family it is
    "normal, variance": law(Z, exp(-((Z - M) ** 2) / (2 * V)) / sqrt(2 * pi * V)),
    "normal, expanded": law(Z, log_density=expand(-((Z - M) ** 2) / (2 * V)) - log(2 * pi * V) / 2),
    "normal, precision": law(Z, sqrt(T / (2 * pi)) * exp(-T * (Z - M) ** 2 / 2)),
    "normal, natural": law(Z, log_density=A * Z + N * Z**2 + A**2 / (4 * N) + log(-N / pi) / 2),
    "normal, log-scale": law(Z, log_density=-((Z - M) ** 2) * exp(-2 * C) / 2 - C - log(2 * pi) / 2),
    "log_normal": law(X, exp(-((log(X) - M) ** 2) / (2 * V)) / (X * sqrt(2 * pi * V))),
    "half_normal": law(X, 2 * sqrt(T / (2 * pi)) * exp(-T * X**2 / 2)),
    "cauchy": law(Z, V / (pi * (V**2 + (Z - M) ** 2))),
    "half_cauchy": law(X, 2 * V / (pi * (V**2 + X**2))),
    "student_t with 4": law(Z, log_density=Rational(-5, 2) * log(4 * V + (Z - M) ** 2) + log(12) + 2 * log(V)),
    "laplace": law(Z, T / 2 * exp(-T * Abs(M - Z))),
    "logistic, hyperbolic": law(Z, 1 / (4 * S * cosh((Z - M) / (2 * S)) ** 2)),
    "logistic, expanded": law(Z, exp(Z / S) * exp(M / S) / (S * (exp(M / S) + exp(Z / S)) ** 2)),
    "gumbel": law(Z, T * exp(T * (M - Z)) * exp(-exp(T * M) * exp(-T * Z))),
    "exponential": law(X, exp(-X / V) / V),
    "weibull": law(X, K * T * X ** (K - 1) * exp(-T * X**K)),
    "pareto": law(X, K * V**K * X ** (-K - 1), support=(V, oo)),
    "frechet": law(X, K * T * X ** (-K - 1) * exp(-T * X ** (-K))),
    "rayleigh": law(X, X / V * exp(-(X**2) / (2 * V))),
    "uniform": law(Z, 1 / (2 * V), support=(M - V, M + V)),
    "kumaraswamy": law(X, S * K * X ** (S - 1) * (1 - X**S) ** (K - 1), support=(0, 1)),
    "triangular": law(
        Z,
        Piecewise((2 * (Z - A) / (V * (V + T)), Z < A + V), (2 * (A + V + T - Z) / (T * (V + T)), True)),
        support=(A, A + V + T),
    ),
}


EPS, POS = sp.Symbol("eps_z", real=True), sp.Symbol("eps_x", positive=True)
EXPECTED = {
    "normal": M + S * EPS,
    "log_normal": exp(M + S * sp.Symbol("eps_x", real=True)),
    "half_normal": S * POS,
    "half_cauchy": S * POS,
    "student_t with 4": M + S * EPS,
    "laplace": M + S * EPS,
    "exponential": POS / S,
    "pareto": S * exp(POS / K),
    "rayleigh": S * POS,
    "uniform": A + (B - A) * sp.Symbol("eps_z", positive=True),
    "kumaraswamy": (1 - POS ** (1 / K)) ** (1 / S),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_best_form_is_the_textbook_one(name: str) -> None:
    assert sp.simplify(derive(FAMILIES[name], RULES).value - EXPECTED[name]) == 0


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_gets_a_proved_form(name: str) -> None:
    form = derive(FAMILIES[name], RULES)
    assert form.verdict.status is Status.PROVED
    assert all(not noise.parameters for noise in form.noise)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_gets_a_proved_form(name: str) -> None:
    assert FORMULAS[name].spelling is None
    form = derive(FORMULAS[name], RULES)
    assert form.verdict.status is Status.PROVED
    assert all(not noise.parameters for noise in form.noise)


def test_ways_to_write_a_normal_law_end_in_the_same_noise() -> None:
    forms = [derive(each, RULES) for name, each in FORMULAS.items() if name.startswith("normal")]
    assert len({form.noise for form in forms}) == 1


@pytest.mark.sweep(5)
@pytest.mark.parametrize("rule", [r for r in RULES if not r.vector], ids=lambda rule: rule.name)
def test_what_a_rule_answers_is_right(rule: Rule) -> None:
    answers = 0
    alone = FAMILIES | OPEN | (COMPOSED if rule in (folded, *COMPOSITIONS) else {})
    for each in (OPEN if rule.last else alone).values():
        charted = chart(replace(each, spelling=None)).law
        for rewrite in rule(charted):
            verdict = verify(charted, rewrite, noise_is_normalised=True)
            if rule is noncentral_t and verdict.status is Status.REFUTED:
                continue  # the other sign of the shift
            answers += 1
            assert verdict.status in (Status.PROVED, Status.CERTIFIED, Status.SAMPLED), (each, rewrite, verdict)
    uniform = chart(f.uniform(X, 0, 1)).law
    answers += sum(1 for _ in rule(uniform))
    assert answers > 0


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_declines_what_is_not_for_it(rule: Rule) -> None:
    for each in (f.bernoulli(sp.Symbol("y", integer=True), V), flat(Z)):
        assert list(rule(each)) == []


def test_a_rule_says_what_it_does() -> None:
    for rule in RULES:
        assert "$" in rule.summary and rule.name.isidentifier()


def test_uniform_noise_is_a_quantile_function() -> None:
    for name in ("normal", "exponential", "cauchy", "weibull", "uniform", "laplace"):
        form = derive(FAMILIES[name], RULES, noise="uniform")
        assert form.noise[0].log_density == 0 and form.verdict.status is Status.PROVED, name
