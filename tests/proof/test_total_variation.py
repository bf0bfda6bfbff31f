"""Certificates by total variation: for what is true, and the known ways to a false one."""

from __future__ import annotations

import time

import mpmath as mp
import pytest
import sympy as sp
from support.timing import within

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.proof.certificates.total_variation import Certificate, Difference, certify_at_point, certify_claim
from symaux.proof.scalar.claim import claim
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict, weakest
from symaux.trusted.cover import Hopeless, cover_noise
from symaux.trusted.density import Pushforward
from symaux.trusted.parameter_points import stated_points

Z, E, MU = sp.symbols("z e mu", real=True)
X, U, S, K = sp.symbols("x u s k", positive=True)
UNIFORM, NORMAL = f.uniform(U, 0, 1), f.normal(E, 0, 1)
Q = sp.Rational

LINDLEY = law(X, S**2 / (S + 1) * (1 + X) * sp.exp(-S * X))
LINDLEY_QUANTILE = -1 - 1 / S - sp.LambertW(-(S + 1) * (1 - U) * sp.exp(-S - 1), -1) / S
TRUE = {
    "normal, decreasing": (f.normal(Z, MU, S), NORMAL, MU - S * E),
    "laplace": (
        f.laplace(Z, MU, S),
        UNIFORM,
        sp.Piecewise((MU + S * sp.log(2 * U), Q(1, 2) > U), (MU - S * sp.log(2 - 2 * U), True)),
    ),
    "weibull": (f.weibull(X, K, S), UNIFORM, S * (-sp.log(1 - U)) ** (1 / K)),
    "uniform from a normal": (UNIFORM, NORMAL, own.ndtr(E)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_certified_without_any_algebra(name: str) -> None:
    made = claim(*TRUE[name])
    verdict = certify_claim(made, "not tried")
    assert verdict is not None and verdict.status is Status.CERTIFIED and verdict
    assert len(verdict.points) >= 5 or not made.parameters
    assert "total-variation distance is at most" in verdict.evidence[-1]


def test_a_form_that_algebra_does_not_reach_is_certified_at_stated_parameters() -> None:
    verdict = verify(LINDLEY, Rewrite((UNIFORM,), LINDLEY_QUANTILE))
    assert verdict.status is Status.CERTIFIED and len(verdict.points) >= 5
    assert "s = 1/5" in verdict.region and "s = 12" in verdict.region


@pytest.mark.speed
def test_a_form_that_algebra_does_not_reach_is_certified_in_seconds() -> None:
    with within(20):
        verify(LINDLEY, Rewrite((UNIFORM,), LINDLEY_QUANTILE))


MILLION = sp.Integer(10**6)
GAMMAS = sp.loggamma((MILLION + 1) / 2, evaluate=False) - sp.loggamma(MILLION / 2, evaluate=False)
T_MILLION = law(Z, log_density=GAMMAS - sp.log(MILLION * sp.pi) / 2 - (MILLION + 1) / 2 * sp.log(1 + Z**2 / MILLION))
TWO_SIDED = law(Z, log_density=-sp.Abs(Z) / 2 - sp.log(2) - sp.log(2 * sp.pi * sp.Abs(Z)) / 2)
HALF_CHI = law(X, log_density=-X / 2 - sp.log(2) - sp.log(2 * sp.pi * X) / 2)
HEAVY = Law(E, NORMAL.log_density + sp.log(Q(10001, 10000)), NORMAL.support)
FALSE = {
    "folded map": (law(X, 1, support=(0, 1)), UNIFORM, sp.Abs(U - Q(1, 2))),
    "square against half the chi-squared density": (HALF_CHI, NORMAL, E**2),
    "square against a two-sided density": (TWO_SIDED, NORMAL, E**2),
    "scale off by 1e-9": (f.normal(Z, 0, 1 + Q(1, 10**9)), NORMAL, E),
    "t with a million degrees of freedom": (T_MILLION, NORMAL, E),
    "laplace of unit variance": (f.laplace(Z, 0, 1 / sp.sqrt(2)), NORMAL, E),
    "outside the support": (f.half_normal(X, S), NORMAL, S * E),
    "half of the support": (f.laplace(Z, 0, 1), f.exponential(X, 1), X),
    "both sides too heavy": (Law(Z, HEAVY.log_density.subs(E, Z), HEAVY.support), HEAVY, E),
    "off by 1e-9 in a special function": (
        f.gamma(X, K, S),
        UNIFORM,
        special.gammaincinv(K, U) / S * (1 + Q(1, 10**9)),
    ),
    "a jump": (UNIFORM.substituted({U: X}), UNIFORM, sp.Piecewise((U + Q(1, 2), Q(1, 2) > U), (U - Q(1, 2), True))),
    "not a number": (f.half_normal(X, 1), NORMAL, sp.sqrt(-1 - E**2)),
}
NO_WITNESS = {"a jump", "not a number"}  # the first has the right law; it is only no continuous function


@pytest.mark.parametrize("name", FALSE)
def test_the_known_traps_are_neither_proved_nor_certified(name: str) -> None:
    verdict = verify(FALSE[name][0], Rewrite((FALSE[name][1],), FALSE[name][2]))
    assert verdict.status not in (Status.PROVED, Status.CERTIFIED)
    assert name in NO_WITNESS or (verdict.status is Status.REFUTED and verdict.witness)


@pytest.mark.parametrize("name", FALSE)
def test_the_known_traps_do_not_pass_ball_arithmetic_alone(name: str) -> None:
    """Without the search for witnesses: the certificate itself must not be given."""
    made = claim(*FALSE[name])
    for point in stated_points(made.parameters)[:3]:
        assert not isinstance(certify_at_point(made, point, time.process_time() + 10), Certificate)


def test_what_balls_refute_has_a_larger_density_at_the_witness() -> None:
    made = claim(*FALSE["scale off by 1e-9"])
    found = certify_at_point(made, {}, time.process_time() + 10)
    assert isinstance(found, Difference)
    e, off = mp.mpf(found.noise), Q(1, 10**9)
    with mp.workdps(40):
        r = mp.log(1 + mp.mpf(off.p) / off.q) - e**2 / 2 + e**2 / 2 / (1 + mp.mpf(off.p) / off.q) ** 2
    assert r > 0 and mp.almosteq(r, mp.mpf(found.residual), rel_eps=1e-4)


def test_a_fold_has_a_zero_residual_and_is_still_found() -> None:
    made = claim(*FALSE["folded map"])
    with pytest.raises(Hopeless, match="turns back"):
        cover_noise(Pushforward.of(made).substituted({}), time.process_time() + 10)


def test_a_branch_that_a_parameter_chooses_is_not_certified() -> None:
    switched = sp.Piecewise((MU + S * E, MU > 7), (MU - S * E, True))
    assert certify_claim(claim(f.normal(Z, MU, S), NORMAL, switched), "not tried") is None


def test_a_certificate_moves_with_its_parameters_and_not_beyond() -> None:
    found = Verdict(Status.CERTIFIED, ("by balls",), ("s = 1", "s = 2"), (), (((S, Q(1)),), ((S, Q(2)),)))
    assert found.about({S: sp.Integer(2)}, ("all",)) == Verdict(Status.CERTIFIED, ("by balls",), ("all",))
    assert found.about({S: sp.Integer(3)}, ()).status is Status.SAMPLED
    both = Verdict(Status.CERTIFIED, (), (), (), (((S, Q(1)), (K, Q(5))), ((S, Q(3)), (K, Q(5)))))
    assert weakest(found, both).points == (((S, Q(1)), (K, Q(5))),)
    assert weakest(found, Verdict(Status.PROVED)) == found
    apart = Verdict(Status.CERTIFIED, (), (), (), (((S, Q(7)),),))
    assert not weakest(found, apart)
