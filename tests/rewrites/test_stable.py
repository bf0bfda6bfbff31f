"""Simplification rules of code generation: each fires, and each is an equality at high precision."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from rewrites import SIMPLIFICATIONS
from symaux.codegen.stabilise.simplify import simplifier
from symaux.formulas.functions.elementary import defined, expm1, log1mexp, log1p, ndtri
from symaux.formulas.functions.registry import (
    betainccinv,
    betaincinv,
    cotpi,
    gammainc,
    gammainccinv,
    gammaincinv,
    mean_exponent,
    ndtri_below,
    normal_between,
)
from symaux.formulas.functions.series import Series
from symaux.formulas.symbols.array_functions import LogSoftmaxAt
from symaux.formulas.symbols.indices import at_index

x, p = sp.symbols("x p", real=True)
q = sp.Symbol("q", positive=True)
u = sp.Symbol("u", positive=True)  # a probability
w, k = sa.arrays("w"), sa.plate("k", 3)
v, i = sa.arrays("v", integer=True), sa.plate("i", 4)
j, count = sp.symbols("j count", integer=True)


def spline(n: int, at: sp.Expr) -> sp.Expr:
    """(n - 1)! times the density of a sum of n uniforms."""
    return Series((-1) ** j * sp.binomial(n, j, evaluate=False) * (at - j) ** (n - 1), j, sp.S.Zero, sp.floor(at))


RULES = {rule.__name__: rule for rule in SIMPLIFICATIONS}

FIRES = {
    "truncated_normal": [
        ndtri(sa.ndtr(x) + u * (sa.ndtr(x + q) - sa.ndtr(x))),
        ndtri(u * sa.ndtr(x)),
        ndtri(sa.ndtr(x) + u * sa.ndtr(-x)),
        x - ndtri_below(u, 1 - u, x),
        x + q * ndtri_below(u, 1 - u, (p - x) / q),
        x - q * ndtri_below(u, 1 - u, (x - p) / q),
        -ndtri_below(u, 1 - u, -x),
        x + q * normal_between(u, 1 - u, -x / q, (5 - x) / q, 0, 1),
        x - q * normal_between(u, 1 - u, -2, x / q, 0, 1),
        2 * q * normal_between(u, 1 - u, p / q, 7, 0, 1) / 2,
        p / q - ndtri_below(sa.ndtr(x), sa.ndtr(-x), p) / q,
    ],
    "log_of_mixture": [
        sp.log(u * sp.exp(x) - u + 1),
        log1p(u * expm1(-q)),
        sp.log((1 - u) * sp.exp(x) + u * sp.exp(p)),
        sp.log(sa.ndtr(x) * sp.exp(-q) + sa.ndtr(-x)),
        (q ** (x**2) + u * (3 ** (x**2) - q ** (x**2))) ** (1 / x**2),
        (1 - u + u * sp.exp(x)) ** p,
        q - q * mean_exponent(u, 1 - u, x) + x,
        mean_exponent(u, 1 - u, x) ** p,
        sp.log(mean_exponent(u, 1 - u, -q)),
        (q**x * mean_exponent(u, 1 - u, -(q**x))) ** (1 / x),
        (q**x * mean_exponent(1 - u, u, -(q**x))) ** p,
    ],
    "log_of_gammas": [
        sp.loggamma(q + count) - sp.loggamma(q) + x,
        2 * sp.loggamma(q / 2) - 2 * sp.loggamma((q + 1) / 2),
        sp.loggamma(q + 3 * u + sp.Rational(1, 3)) - sp.loggamma(q + 3 * u),
        q * sp.log(q) - (q + x) * sp.log(q + u) + p,
        3 * q * sp.log(q) - 3 * q * sp.log(q + u),
    ],
    "geometric_interpolation": [q * (3 / q) ** u, 2 * q * p * (u / q) ** x, q**2 * (5 / q) ** (1 - u) / q],
    "relative_exponential": [
        q * expm1(-x * u) / x,
        log1p(q * u) / q,
        p * q * log1p(3 * u / q) / 2,
        log1p(q * x**2 * u) / u,
    ],
    "square_difference": [(1 + 2 * q) ** 2 - 1, (x - 3) ** 2 - 9, sp.Rational(-1, 4) + (sp.exp(x) + sp.S.Half) ** 2],
    "gamma_gap": [1 - gammaincinv(q, u * gammainc(q, 2)) / 2, 3 * u - 3 * gammaincinv(2, gammainc(2, u) * u)],
    "sigmoid_complement": [1 - sa.sigmoid(x), 1 - sa.sigmoid(-2 * x + p), 1 - 1 / (1 + sp.exp(x * p))],
    "normal_tail": [
        1 - sa.ndtr(x),
        sp.log(sa.ndtr(x)),
        sa.ndtr(x) ** p,
        sp.log(sp.erfc(x)),
        sp.log(sp.erfc(-p * x / sp.sqrt(2))),
    ],
    "log_of_power": [
        sp.log(sa.sigmoid(x)),
        sp.log(q**p, evaluate=False),
        sp.log(1 / (1 + q)),
        sp.log((2 + sp.exp(x)) ** -p),
    ],
    "log_plus_one": [
        sp.log(1 + sp.exp(x)),
        sp.log(1 + x**2),
        sp.log(1 - sa.ndtr(x) / 2),
        sp.log(1 + q),
        sp.log(1 + 2 * q + q**2),
    ],
    "log_of_sum": [sp.log(25 + sp.exp(2 * x)), sp.log(sp.Rational(1, 3) + sp.exp(-x))],
    "softplus_pair": [
        -u * sa.softplus(-x) - (1 - u) * sa.softplus(x),
        2 * sa.softplus(x) + 3 * sa.softplus(-x) + p,
        u * sa.softplus(x - p) - sa.softplus(p - x) + sa.softplus(x),
    ],
    "softmax_at": [
        w[i, v[i]] - sp.log(sp.Sum(sp.exp(w[i, k]), k)),
        p + 2 * w[v[i]] + x * i - sp.log(sp.Sum(sp.exp(2 * w[k] + x * i), k)),
    ],
    "exp_minus_one": [sp.exp(x) - 1, 1 - sp.exp(x), sp.exp(-p * x) - 1],
    "near_difference": [
        u ** (-1 / q) - 1,
        1 - (1 - u) ** (1 / q),
        x - q / p + q * u**-p / p,
        2 * sp.exp(x) - 2,
        sp.sqrt(1 + x**2) - 1,
        q * sp.exp(-x) * u**p - q,
        3 - 3 * sp.sqrt(u) * q**p,
    ],
    "quotient_difference": [
        1 / (1 - u) - 1,
        1 / (1 - u) - 2,
        2 / (1 + u) - 1,
        -q - q / (u - 1),
        1 / u - 1,
        x - q / u + q,
        2 / (1 + sa.ndtr(x)) - 1,
        -1 + 1 / (1 - betaincinv(2, 3, u)),
    ],
    "log_of_difference": [
        sp.log(-expm1(-q)),
        sp.log(expm1(q)),
        (-expm1(-q)) ** p,
        expm1(q) ** (p / 3),
        sp.sqrt(expm1(q)),
    ],
    "log_of_product": [
        sp.log(q * sp.exp(x), evaluate=False),
        sp.log(2 * expm1(q) / (1 + q)),
        sp.log(-q * expm1(-u)),
        sp.log((1 - u) / u),
        ((1 - u) / u) ** p,
        sp.log(3 * sa.ndtr(x)),
        sp.log(gammaincinv(2, u) / q),
    ],
    "power_of_reciprocal": [(1 / expm1(q)) ** (p / 3), (expm1(q) ** -3) ** p, sp.sqrt(1 / (1 - u))],
    "root_difference": [sp.sqrt(q**2 + x**2) - q, q - sp.sqrt(q**2 - sp.log(u)), -2 * q + sp.sqrt(4 * q**2 + u)],
    "gamma_quantile": [
        sp.log(gammaincinv(2, u)),
        sp.log(gammainccinv(2, u)),
        gammaincinv(2, u) ** p,
        1 / gammainccinv(2, u),
        gammaincinv(3, sp.sqrt(u)),
        gammainccinv(3, -expm1(-q)),
        sp.sqrt(gammaincinv(2, sa.ndtr(x))),
    ],
    "beta_quantile": [
        1 - betaincinv(2, 3, u),
        q * betainccinv(2, 3, u) - q + x,
        2 * betaincinv(2, 3, u) - 1,
        betaincinv(2, 3, u) / (1 - betaincinv(2, 3, u)),
        q * betaincinv(2, 3, u) / (betaincinv(2, 3, u) - 1),
        sp.log(betainccinv(2, 3, u)),
        betaincinv(2, 3, u) ** p,
        betaincinv(2, 3, sp.sqrt(u)),
    ],
    "normal_quantile": [
        sp.erfinv(1 - 2 * u),
        sp.erfinv(2 * u - 1),
        sp.erfcinv(2 * u),
        ndtri(1 - u),
        ndtri(u ** (1 / q)),
        ndtri(u * sa.ndtr(x)),
        ndtri(-expm1(-q)),
        ndtri(u * sp.exp(-q)),
    ],
    "quarter_turn": [
        sp.tan(sp.pi * u - sp.pi / 2, evaluate=False),
        sp.tan(sp.pi * u / 2),
        sp.cot(sp.pi * u),
        sp.cot(sp.pi * (u + sp.Rational(1, 2)), evaluate=False),
        sp.tan(sp.pi * (u / 2 + sp.Rational(1, 8))),
    ],
    "hyperbolic": [1 - sp.tanh(x) ** 2, 3 * sp.tanh(x) ** 2 - 3, sp.tanh(x) * sp.cosh(x) * p],
    "log_of_bessel": [sp.log(sp.besseli(q, 3 * sp.exp(x))), sp.log(sp.besseli(0, q * sp.exp(x - p)))],
    "log_of_cosh": [sp.log(sp.cosh(x)), sp.log(sp.cosh(p * x - 1))],
    "mirrored_spline": [spline(4, 4 * u)],
}
SILENT = {
    "log_of_mixture": [
        x,
        sp.log(1 + u * q),
        log1p(q * sp.exp(x)),
        sp.log(1 + u**2 * expm1(x)),
        (q + u * (3 - q)) ** p,
        q - mean_exponent(u, 1 - u, x),
        (q * mean_exponent(u, 1 - u, x)) ** p,
    ],
    "log_of_gammas": [
        x,
        sp.loggamma(q + u) - sp.loggamma(q),
        sp.loggamma(q) - sp.loggamma(u),
        q * sp.log(q) + q * sp.log(q + u),
        q * sp.log(q) - u * sp.log(q + u),
    ],
    "geometric_interpolation": [x, q * (q / u) ** p, q * (u / q) ** 2, x * (u / x) ** p, q * u**x],
    "relative_exponential": [
        x,
        expm1(x) / p,
        q * expm1(x * p),
        expm1(x) / x * 0,
        log1p(x + p) / p,
        expm1(2 * x) / 2,
        x * expm1(p / x),
    ],
    "square_difference": [x, q**2 - 1, (1 + q) ** 2 - 4, (1 + q) ** 2 + 1, (1 + q) ** 3 - 1],
    "truncated_normal": [ndtri(u * q), ndtri(sa.ndtr(x) ** 2), x - ndtri_below(u, 1 - u, p)],
    "gamma_gap": [1 - gammaincinv(q, u * gammainc(q, 3)), q - gammaincinv(q, u)],
    "log_of_bessel": [x, sp.log(sp.besseli(q, q)), sp.log(sp.besselk(q, sp.exp(x))), sp.besseli(q, sp.exp(x))],
    "log_of_cosh": [x, sp.cosh(x), sp.log(sp.sinh(q)), sp.log(x)],
    "mirrored_spline": [x, sp.floor(x), Series((-1) ** j * u**j, j, sp.S.Zero, sp.floor(4 * u))],
    "sigmoid_complement": [x, 1 - x, 2 - sa.sigmoid(x), 1 + sa.sigmoid(x), 1 - sa.sigmoid(x) ** 2],
    "normal_tail": [x, 2 - sa.ndtr(x), 1 + sa.ndtr(x), sp.log(x), sp.erfc(x)],
    "log_of_power": [x, sp.log(q), sp.log(x**2), sp.log((x - 1) ** 2), sp.log(x)],
    "log_plus_one": [x, sp.log(x), sp.log(2 + x), sp.log(x + p)],
    "log_of_sum": [
        x,
        sp.log(1 + sp.exp(x)),
        sp.log(x + sp.exp(x)),
        sp.log(2 + x),
        sp.log(-2 + sp.exp(x)),
        sp.exp(x) + 2,
    ],
    "softplus_pair": [x, sa.softplus(x), sa.softplus(x) + sa.softplus(-2 * x), sa.softplus(x) * sa.softplus(-x) + 1],
    "softmax_at": [
        x,
        w[v[i]] - sp.log(sp.Sum(sp.exp(w[k]), k)),
        w[i, v[i]] + sp.log(sp.Sum(sp.exp(w[i, k]), k)),
        w[i, v[i]] - sp.log(sp.Sum(sp.exp(2 * w[i, k]), k)),
        2 * w[i, v[i]] - sp.log(sp.Sum(sp.exp(w[i, k]), k)),
    ],
    "exp_minus_one": [x, sp.exp(x), sp.exp(x) + 1, 2 - sp.exp(x), sp.exp(x) - 2, sp.exp(x) - sp.exp(p) - 1],
    "near_difference": [x, 1 - u, 1 - x**2, u**q + 1, 2 - u**q, sp.exp(x) - sp.exp(p), x - x * p, sp.sqrt(2) - 1],
    "quotient_difference": [x, 1 - u, 1 / u + 1, 1 / (1 + sp.exp(x)) - 1, 1 / q - 1 / (1 + q)],
    "log_of_difference": [x, sp.log(x), sp.log(expm1(x) + 2), expm1(x) ** 2, 1 / expm1(x) ** 2, log1mexp(x)],
    "log_of_product": [
        x,
        sp.log(x * p),
        sp.log(q * (2 + q)),
        sp.log(sp.exp(x) * p * (x - 7)),
        sp.log(-2 * p, evaluate=False),
    ],
    "power_of_reciprocal": [x, (x**2) ** p, 1 / x, (1 / (x - 1)) ** 2, q**p],
    "root_difference": [x, sp.sqrt(x**2 + q) - x, sp.sqrt(q**2 + x) + q, sp.sqrt(q) - q, sp.sqrt(q + u) - q],
    "gamma_quantile": [x, gammaincinv(2, u), gammaincinv(2, 2 * u), sp.log(u), gammaincinv(2, sa.ndtr(x))],
    "beta_quantile": [
        x,
        betaincinv(2, 3, u),
        2 - betaincinv(2, 3, u),
        1 + betaincinv(2, 3, u),
        1 / betaincinv(2, 3, u),
    ],
    "normal_quantile": [x, ndtri(u), sp.erfinv(u), sp.erfinv(u - 2), ndtri(2 * u), ndtri(u + q)],
    "quarter_turn": [x, sp.tan(x), sp.tan(sp.pi * x + 1), cotpi(x), sp.sin(sp.pi * u)],
    "hyperbolic": [x, 1 - sp.tanh(x), 2 - sp.tanh(x) ** 2, sp.tanh(x) * sp.cosh(p), 1 + sp.tanh(x) ** 2],
}


def spelled(formula: sp.Expr) -> sp.Expr:
    """The formula with sums written out, for one element of plate i, and some numbers for elements of arrays."""
    if not formula.has(sp.Indexed):
        return formula
    apart = formula.replace(
        lambda e: isinstance(e, LogSoftmaxAt),
        lambda e: at_index(e.args[0], e.args[2], e.args[1]) - sp.log(sp.Sum(sp.exp(e.args[0]), e.args[2])),
    )
    long = apart.replace(lambda e: isinstance(e, sp.Sum), lambda e: sp.Add(*(e.function.subs(k, m) for m in range(3))))
    element = long.subs({v[i]: 2, i: 3})
    return element.xreplace({e: sp.Rational(sum(map(ord, str(e))) % 23, 7) for e in element.atoms(sp.Indexed)})


def same(one: sp.Expr, other: sp.Expr) -> bool:
    """Equality at random points, to 40 digits."""
    one, other = spelled(one), spelled(other)
    one, other = (f.replace(sp.erfcinv, lambda t: sp.erfinv(1 - t)) for f in (one, other))  # sympy has no number for it
    with mp.workdps(50):
        for number in range(6):
            at = {
                x: sp.Rational(7 * number - 16, 11),
                p: sp.Rational(5 - 3 * number, 7),
                q: sp.Rational(2 * number + 1, 9),
                u: sp.Rational(2 * number + 1, 13),
                count: sp.Integer(number),
            }
            left, right = (sp.N(defined(f).xreplace(at), 50) for f in (one, other))
            if abs(left - right) > sp.Float("1e-40", 50) * max(1, abs(left)):
                return False
    return True


def test_every_rule_is_tested() -> None:
    assert set(RULES) == set(FIRES) == set(SILENT)


@pytest.mark.parametrize(("name", "formula"), [(n, f) for n, fs in FIRES.items() for f in fs], ids=str)
def test_rules_fire_and_are_equalities(name: str, formula: sp.Expr) -> None:
    better = RULES[name](formula)
    assert better is not None and better != formula
    assert same(formula, better)


@pytest.mark.parametrize(("name", "formula"), [(n, f) for n, fs in SILENT.items() for f in fs], ids=str)
def test_rules_answer_none_where_they_do_not_apply(name: str, formula: sp.Expr) -> None:
    assert RULES[name](formula) is None


@pytest.mark.parametrize(
    "formula",
    [f for fs in FIRES.values() for f in fs]
    + [
        sp.log(1 - sa.sigmoid(x)) * p + sp.log(sa.sigmoid(x)),
        sp.log(1 - sp.exp(-q)),
        sp.sqrt(1 - sa.ndtr(x)),
        sp.log(1 - sa.ndtr(x)),
        sp.exp(sp.log(1 + sp.exp(x)) - p),
        (sp.exp(x) - 1) / (sp.exp(x) + 1),
    ],
    ids=str,
)
def test_all_together_are_an_equality(formula: sp.Expr) -> None:
    assert same(formula, simplifier(SIMPLIFICATIONS)(formula))


def test_a_bernoulli_with_a_logit_is_fused() -> None:
    """No probability is formed: both branches become one softplus of the logit."""
    y = sp.Symbol("y", integer=True)
    simple = simplifier(SIMPLIFICATIONS)(sa.bernoulli(y, sa.sigmoid(x)).log_density)
    assert simple == x * y - sa.softplus(x)
    assert not simple.has(sp.log)


def test_a_categorical_law_with_a_softmax_is_fused() -> None:
    """No probability is formed, also where a variable stands between; extreme logits keep their gradient."""
    n, level, a = sa.plate("n"), sa.arrays("level", integer=True), sa.arrays("a")
    q, other = sa.arrays("q", positive=True), sa.plate("l", 3)
    chance = sp.exp(a[n, k]) / sp.Sum(sp.exp(a[n, other]), other)
    models = [
        sa.Model.of(sa.normal(a[n, k], 0, 1), sa.categorical(level[n], chance), observed=[level]),
        sa.Model.of(
            sa.normal(a[n, k], 0, 1),
            sa.deterministic(q[n, k], chance),
            sa.categorical(level[n], q[n, k]),
            observed=[level],
        ),
    ]
    logits = np.array([[0.0, 1000.0, -1000.0], [2.0, 1.0, 0.5]])
    data, at = {"level": np.array([2, 0])}, {"a": logits}
    prior = -0.5 * np.sum(logits**2) - 3 * np.log(2 * np.pi)
    expected = prior - 2000.0 + 2.0 - np.log(np.sum(np.exp(logits[1])))
    for model in models:
        logp = sa.log_density(model, data)
        assert float(logp(at)) == pytest.approx(expected)
        soft = np.array([[0.0, 1.0, 0.0], np.exp(logits[1]) / np.sum(np.exp(logits[1]))])
        slope = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]) - soft - logits
        np.testing.assert_allclose(jax.grad(logp)(at)["a"], slope, rtol=1e-12)
        assert "log_softmax_at" in sa.to_source(model)


def test_a_bernoulli_law_of_a_variable_is_fused() -> None:
    n, eta, q = sa.plate("n"), sa.arrays("eta"), sa.arrays("q", positive=True)
    seen = sa.arrays("seen", integer=True)
    model = sa.Model.of(
        sa.normal(eta[n], 0, 1),
        sa.deterministic(q[n], sa.sigmoid(eta[n])),
        sa.bernoulli(seen[n], q[n]),
        observed=[seen],
    )
    value = sa.log_density(model, {"seen": np.array([1.0])})({"eta": np.array([-800.0])})
    assert float(value) == pytest.approx(-800.0 - 0.5 * 800.0**2 - 0.5 * np.log(2 * np.pi))


def test_sums_are_left_in_place() -> None:
    total = sp.Sum(w[k] * sp.log(1 + sp.exp(w[k])), k)
    simple = simplifier(SIMPLIFICATIONS)(total)
    assert isinstance(simple, sp.Sum) and simple.has(sa.softplus)


def test_a_rule_that_keeps_firing_is_stopped() -> None:
    made = simplifier([lambda e: e + 1 if isinstance(e, sp.Add) else None])(x + p)
    assert made.has(x)
