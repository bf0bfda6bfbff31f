"""From a law to its form: names, noises, caching and refusals."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from support.timing import within

from rewrites import RULES
from symaux.derivation.law import derive, forms
from symaux.errors import NoRuleApplies, SymauxError
from symaux.formulas.functions.registry import student_t_ppf
from symaux.formulas.symbols.indices import arrays, plate
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws import families as f
from symaux.laws.law import Law, flat, law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

Z, MU, A, B = sp.symbols("z mu a b", real=True)
X, S, K = sp.symbols("x s k", positive=True)
THETA, TAU, SIGMA = arrays("theta tau sigma")
J = plate("j", 8)
STANDARD = -(sp.Symbol("eps_x", real=True) ** 2) / 2 - sp.log(2 * sp.pi) / 2

CLOSED = tuple(rule for rule in RULES if not rule.last)


def test_the_noise_has_the_indices_of_the_value() -> None:
    form = derive(f.normal(THETA[J], MU, SIGMA[J]), RULES)
    (noise,) = form.noise
    assert str(noise.value) == "eps_theta[j]" and noise.value.is_real
    assert form.value == MU + SIGMA[J] * noise.value
    assert form.steps[0].variable == "theta" and form.steps[0].before is form.law


def test_positive_noise_is_known_to_be_positive() -> None:
    (noise,) = derive(f.exponential(TAU[J], S), RULES).noise
    assert noise.value.is_positive and noise.support == Interval(sp.S.Zero, sp.oo)


@pytest.mark.parametrize(
    "of",
    [
        f.half_cauchy(X, 5),
        f.exponential(X, S),
        f.half_normal(X, S),
        f.uniform(X, 0, S),
        f.pareto(X, S, K),
        f.kumaraswamy(X, S, K),
    ],
    ids=lambda of: of.spelling.family,
)
def test_normal_noise_puts_bounded_noise_on_the_real_line(of: Law) -> None:
    form = derive(of, RULES, noise="normal")
    assert form.noise[0].support == REALS
    assert form.noise[0].log_density == STANDARD
    assert form.verdict.status is Status.PROVED
    at = {symbol: sp.Rational(7, 5) for symbol in (S, K)}
    low, high = (sp.N(form.value.subs(at).subs(form.noise[0].value, e)) for e in (-1, 1))
    assert low < high, "increasing noise increases the value"


def test_noise_on_the_real_line_stays_as_it_is() -> None:
    for of in (f.normal(Z, MU, S), f.cauchy(Z, MU, S), f.gumbel(Z, MU, S)):
        assert derive(of, RULES, noise="normal").value == derive(of, RULES).value


def test_a_chain_of_steps_composes_to_a_verified_form() -> None:
    form = derive(f.half_cauchy(X, S), RULES, noise="normal")
    assert [step.rule for step in form.steps] == ["location_scale", "inverse_cdf", "probit"]
    assert verify(form.law, form).status is Status.PROVED
    assert "partial_x_1" in str(form.derivation)


@pytest.mark.speed
def test_one_derivation_serves_every_node_with_the_kernel() -> None:
    derive(f.normal(Z, MU, S), RULES)
    made = [f.normal(sp.Symbol(f"z{n}", real=True), sp.Symbol(f"z{n - 1}", real=True), S) for n in range(1, 201)]
    with within(0.01 * len(made)):
        for each in made:
            derive(each, RULES)


def test_a_symbolic_shape_is_a_special_inverse_and_a_number_stays_with_the_noise() -> None:
    assert derive(f.student_t(Z, K, MU, S), CLOSED).value.has(student_t_ppf)
    form = derive(f.student_t(Z, 4, MU, S), RULES)
    assert form.value == MU + S * form.noise[0].value


def test_the_refusal_says_what_was_tried() -> None:
    with pytest.raises(NoRuleApplies) as refusal:
        derive(f.von_mises(Z, 0, K), CLOSED)
    text = str(refusal.value)
    assert "gives a generating function for z" in text
    assert "log p(z | k) = " in text and "support = (-pi, pi)" in text
    assert "tried: location_scale, monotone, inverse_cdf, probit" in text and "try:" in text


def test_what_has_no_noise_is_refused_with_the_reason() -> None:
    for of, word in (
        (f.poisson(sp.Symbol("n", integer=True, nonnegative=True), S), "discrete"),
        (flat(Z), "improper"),
    ):
        with pytest.raises(NoRuleApplies, match=word):
            derive(of, RULES)


def test_a_wrong_rule_is_never_used() -> None:
    def wrong(of: Law) -> Rewrite:
        eps = sp.Symbol("eps", real=True)
        return Rewrite((f.normal(eps, 0, 1),), MU + S**2 * eps)

    with pytest.raises(NoRuleApplies):
        derive(f.normal(Z, MU, S), (wrong,))


def test_a_users_own_rule_is_a_function() -> None:
    def mine(of: Law) -> Rewrite | None:
        loc, scale = sorted(of.parameters, key=lambda p: bool(p.is_positive))
        eps = sp.Symbol("eps", real=True)
        return Rewrite((f.normal(eps, 0, 1),), loc - scale * eps)

    form = derive(f.normal(Z, MU, S), (mine,))
    assert form.value == MU - S * form.noise[0].value and form.steps[0].rule == "mine"


def test_forms_come_best_first() -> None:
    found = []
    for form in forms(f.exponential(X, S), RULES):
        found.append(form)
        if len(found) == 2:
            break
    assert all(form.verdict for form in found)
    assert sp.count_ops(found[0].value) <= min(sp.count_ops(form.value) for form in found)
    assert len({form.value for form in found}) == 2


def test_a_law_without_parameters_is_its_own_noise() -> None:
    form = derive(law(Z, log_density=-(Z**4) - sp.log(2 * sp.gamma(sp.Rational(5, 4)))), RULES)
    assert form.value == form.noise[0].value == sp.Symbol("eps_z", real=True)
    assert form.steps == () and form.verdict


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(SymauxError, match="noise must be one of"):
        derive(f.normal(Z, 0, 1), RULES, noise="gaussian")
    with pytest.raises(SymauxError, match="accept must be"):
        derive(f.normal(Z, 0, 1), RULES, accept="anything")


@pytest.mark.parametrize("location", [0, 1, sp.Rational(-1, 3), sp.Symbol("m", real=True)])
def test_a_student_t_has_one_noise_whatever_its_location_is(location: Any) -> None:
    z, s = sp.Symbol("z", real=True), sp.Symbol("s", positive=True)
    form = derive(f.student_t(z, 4, location, s), RULES, noise="normal")
    assert len(form.noise) == 1 and form.value == location + s * form.noise[0].value
