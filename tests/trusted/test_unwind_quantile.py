"""Certificates through quantile functions: the noise exchanged for Q(u), with its own density, by the definition of Q."""

from __future__ import annotations

import time
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from support.timing import within

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.formulas.numeric.points import evaluate
from symaux.laws import families as f
from symaux.laws.law import law
from symaux.laws.standard_noise import standard_uniform
from symaux.proof.certificates.total_variation import Certificate, Difference, certify_at_point, certify_claim
from symaux.proof.scalar.claim import claim
from symaux.rules.verdict import Status
from symaux.trusted.mass_bound import enclose_mass
from symaux.trusted.unwind_quantile import READERS, unwind_quantile

Q = sp.Rational
U, X, A, B, S = sp.symbols("u x a b s", positive=True)
Z = sp.Symbol("z", real=True)
STEP = mp.mpf(2) ** -40
UNIFORM = standard_uniform(U)
FORMS: dict[Any, sp.Expr] = {
    special.gammaincinv: special.gammaincinv(Q(5, 2), U),
    special.gammainccinv: special.gammainccinv(Q(1, 3), U),
    special.betaincinv: special.betaincinv(Q(1, 2), 3, U),
    special.betainccinv: special.betainccinv(2, Q(1, 3), U),
    special.student_t_ppf: special.student_t_ppf(U, Q(7, 2)),
    special.von_mises_ppf: special.von_mises_ppf(U, 2),
    own.ndtri: own.ndtri(U),
    special.log_gamma_quantile: special.log_gamma_quantile(Q(5, 2), sp.log(U), sp.log(1 - U)),
    special.logit_betaincinv: special.logit_betaincinv(2, 3, sp.log(U), sp.log(1 - U)),
}


def test_every_quantile_function_is_looked_at() -> None:
    assert {*FORMS, own.ImplicitQuantile} == set(READERS)


def test_an_implicit_quantile_becomes_a_variable_with_the_density_that_it_is_the_quantile_of() -> None:
    t = sp.Symbol("t", real=True)
    log_density = -t - 2 * sp.log(1 + sp.exp(-t))
    made = unwind_quantile(UNIFORM, 3 + 2 * own.ImplicitQuantile(U, t, log_density))
    assert made is not None and made.formula == 3 + 2 * made.law.value
    assert made.law.log_density == log_density.xreplace({t: made.law.value})
    assert unwind_quantile(UNIFORM, U + own.ImplicitQuantile(U, t, log_density)) is None


@pytest.mark.parametrize("quantile", FORMS)
def test_the_variable_has_the_law_that_the_quantile_function_gives_it(quantile: Any) -> None:
    """dQ/du = 1/p(Q), up to the sign, and the level of Q(u) is u: by values of mpmath's, at several u."""
    made = unwind_quantile(UNIFORM, FORMS[quantile])
    assert made is not None
    x = made.law.value
    with mp.workdps(40):
        for u in (mp.mpf("0.03"), mp.mpf("0.4"), mp.mpf("0.9")):
            where = _solved(made, evaluate(FORMS[quantile], {U: u}))
            assert mp.almosteq(evaluate(made.level, {x: where}), u, rel_eps=1e-25)
            above, below = (evaluate(made.level, {x: where + h}) for h in (STEP, -STEP))
            density = abs(above - below) / STEP / 2
            assert mp.almosteq(density, mp.exp(evaluate(made.law.log_density, {x: where})), rel_eps=1e-12)


def _solved(made: Any, value: Any) -> Any:
    """The variable at which the formula has this value."""
    match made.formula:
        case sp.log():
            return mp.exp(value)
        case sp.Add():
            return 1 / (1 + mp.exp(-value))
    return value


@pytest.mark.parametrize(
    "formula",
    [
        special.gammaincinv(A, U**2),
        special.gammaincinv(A + U, U),
        U * special.gammaincinv(A, U),
        special.gammaincinv(A, U) + special.betaincinv(A, B, U),
        special.log_gamma_quantile(A, sp.log(U), sp.log(U)),
    ],
)
def test_noise_that_is_read_in_any_other_way_stays(formula: sp.Expr) -> None:
    assert unwind_quantile(UNIFORM, formula) is None


def test_another_noise_stays() -> None:
    assert unwind_quantile(f.beta(U, 2, 1), special.gammaincinv(A, U)) is None


SMALL = {
    "beta": (f.beta(X, A, B), UNIFORM, special.betaincinv(A, B, U)),
    "gamma": (f.gamma(X, A, S), UNIFORM, special.gammainccinv(A, U) / S),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_shapes_are_certified(name: str) -> None:
    verdict = certify_claim(claim(*SMALL[name]), "not tried")
    assert verdict is not None and verdict.status is Status.CERTIFIED and len(verdict.points) >= 5
    assert any("a = 1/5" in words for words in verdict.region)


@pytest.mark.speed
@pytest.mark.parametrize("name", SMALL)
def test_small_shapes_are_certified_in_seconds(name: str) -> None:
    with within(10, tasks=True):
        certify_claim(claim(*SMALL[name]), "not tried")


def test_a_witness_is_a_value_of_the_noise() -> None:
    wrong = claim(f.gamma(X, 3, 2), UNIFORM, special.gammainccinv(3, U) / 2 * (1 + Q(1, 10**9)))
    found = certify_at_point(wrong, {}, time.process_time() + 10)
    assert isinstance(found, Difference)
    with mp.workdps(40):
        u = mp.mpf(found.noise)
        assert 0 < u < 1
        x = evaluate(special.gammainccinv(3, U), {U: u})
        ratio = 2 * mp.log(x) - x - mp.log(1 + mp.mpf(10) ** -9) - 2 * mp.log(x) - 2 * mp.log1p(mp.mpf(10) ** -9)
        assert ratio + x * (1 + mp.mpf(10) ** -9) > 0


def test_digits_near_an_end_that_is_no_binary_fraction() -> None:
    third = Q(1, 3)
    arcsine = law(Z, 1 / (sp.pi * sp.sqrt((Z - third) * (1 + third - Z))), support=(third, 1 + third))
    base = law(U, 1 / (sp.pi * sp.sqrt(U * (1 - U))), support=(0, 1))
    assert isinstance(certify_at_point(claim(arcsine, base, third + U), {}, time.process_time() + 10), Certificate)
    off = certify_at_point(claim(arcsine, base, third + U * (1 - Q(1, 10**9))), {}, time.process_time() + 10)
    assert not isinstance(off, Certificate)


def test_a_tail_that_falls_like_a_power_that_grows() -> None:
    """Benini's: exp(-log(z)^2), whose logarithmic slope is itself a logarithm."""
    benini = law(X, sp.exp(-sp.log(X) - sp.log(X) ** 2) * (1 / X + 2 * sp.log(X) / X), support=(1, sp.oo))
    total = enclose_mass(benini)
    assert total.contains(1) and total.rad() < 1e-13


@pytest.mark.parametrize(
    "of",
    [
        law(X, 12 * (X - Q(1, 2)) ** 2, support=(0, 1)),
        law(Z, (1 + sp.cos(sp.pi * (Z - Q(1, 3)))) / 2, support=(Q(-2, 3), Q(4, 3))),
    ],
    ids=["inside", "at both ends"],
)
def test_a_density_with_a_zero_of_order_two(of: Any) -> None:
    total = enclose_mass(of)
    assert total.contains(1) and total.rad() < 1e-13


@pytest.mark.long
def test_a_value_next_to_an_end_takes_the_digits_that_it_needs() -> None:
    """1 - z is exp(-100) in the tail of a logit-normal law with a large scale."""
    e = sp.Symbol("e", real=True)
    logit_normal = law(
        X, sp.exp(-((sp.log(X / (1 - X)) / 12) ** 2) / 2) / (12 * sp.sqrt(2 * sp.pi) * X * (1 - X)), support=(0, 1)
    )
    made = claim(logit_normal, f.normal(e, 0, 1), 1 / (1 + sp.exp(-12 * e)))
    assert isinstance(certify_at_point(made, {}, time.process_time() + 30), Certificate)
