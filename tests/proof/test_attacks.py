"""A hundred false claims: none is true, none crashes, and most are refuted; what is honest about its region is not false."""

from __future__ import annotations

import pytest
import sympy as sp
from support.attacks import ATTACKS, NORMAL, REALS, ROOT, TINY, E, Z, one
from support.timing import within

import symaux as sa
from symaux.laws.law import Law
from symaux.proof.scalar.claim import plain_symbols
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict

SLOW = (
    "parameter: a bump where nothing is",
    "several: three noises with the wrong spread",
    "mass: noise without a mass",
    "mass: noise that is too light by 1e-15",
)


def judged(name: str, certify: bool) -> Verdict:
    law, noise, g = ATTACKS[name]
    return verify(law, Rewrite(noise, g), certify=certify)


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in SLOW])
def test_a_false_claim_does_not_come_out_true(name: str) -> None:
    assert not judged(name, certify=False), name


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_nor_with_certificates(name: str) -> None:
    assert not judged(name, certify=True), name


@pytest.mark.sweep(7)
@pytest.mark.parametrize(
    "name",
    [
        *("jump: a sign of a parent", "jump: a branch by a parent", "mass: noise that is too heavy by 1e-9"),
        *(name for name in ATTACKS if name.startswith(("beyond", "dip", "declared"))),
    ],
)
def test_nor_with_certificates_where_the_law_is_right(name: str) -> None:
    assert not judged(name, certify=True), name


def test_a_sum_of_both_signs_is_a_density_where_it_does_not_dip() -> None:
    z, e = sp.symbols("z e", positive=True)
    mass = sp.Rational(1, 12) + sp.Rational(1, 10**10)
    formula = (sp.exp(-3 * z) - sp.exp(-2 * z) + (sp.Rational(1, 4) + sp.Rational(1, 10**10)) * sp.exp(-z)) / mass
    law = sa.law(z, formula)
    assert verify(law, Rewrite((law.substituted({z: e}),), e)).status is Status.PROVED
    below = formula * mass - sp.exp(-z) / 10**9
    with pytest.raises(sa.LawError, match="negative"):
        sa.law(z, below / (mass - sp.Rational(1, 10**9)))


@pytest.mark.speed
def test_corners_close_to_each_other_are_no_hang() -> None:
    height = sp.exp(-(Z**2) / 2)
    law = Law(Z, sp.log(sp.Piecewise((height, Z < 1), (3 * height, 1 + TINY > Z), (height, True))) - ROOT, REALS)
    with within(20, tasks=True):
        assert not verify(law, Rewrite((NORMAL,), E), certify=False)


def test_a_scale_of_any_sign_is_proved_only_where_its_logarithm_is_one() -> None:
    mu = sp.Symbol("mu", real=True)
    law, noise, g = one(Law(Z, -(Z**2) / (2 * mu**2) - sp.log(mu) - ROOT, REALS), NORMAL, mu * E)
    assert verify(law, Rewrite(noise, g)).region == ("mu > 0",)


@pytest.mark.parametrize("name", ["z", "eps", "x", "e", "w", "w1", "s_", "t_", "t_line", "y", "z_", "eps_1_"])
def test_a_parent_may_have_any_name(name: str) -> None:
    parent, value, noise = sp.Symbol(name, real=True), sp.Symbol("value", real=True), sp.Symbol("noise", real=True)
    form = Rewrite((sa.normal(noise, 0, 1),), parent + noise)
    assert verify(sa.normal(value, parent, 1), form).status is Status.PROVED


def test_no_two_plain_symbols_are_alike() -> None:
    given = [sp.Symbol("m"), sp.Symbol("m", real=True), sp.Dummy("m", real=True), sp.Symbol("m'", real=True)]
    assert len(set(plain_symbols(given).values())) == 4


SHARED = {
    "two variables share a noise": lambda e, z, y, mu: [sa.deterministic(z, e), sa.deterministic(y, mu + e)],
    "a noise is read twice": lambda e, z, y, mu: [sa.deterministic(z, e), sa.deterministic(y, mu + z)],
}


@pytest.mark.parametrize("name", SHARED)
def test_models_that_share_noise_are_refuted(name: str) -> None:
    z, y, mu, e = sp.symbols("z y mu e", real=True)
    before = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z, 0, 1), sa.normal(y, mu, 1))
    after = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(e, 0, 1), *SHARED[name](e, z, y, mu))
    assert not sa.Derivation(before, after).verify()


def test_a_noise_shared_along_a_plate_of_a_model_is_refuted() -> None:
    mu, e = sp.symbols("mu e", real=True)
    z, i = sa.arrays("z"), sa.plate("i", 3)
    before = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z[i], mu, 1))
    after = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(e, 0, 1), sa.deterministic(z[i], mu + e))
    assert not sa.Derivation(before, after).verify()


def test_a_step_that_is_called_a_move_to_the_real_line_is_not_trusted() -> None:
    x, e = sp.symbols("x e", positive=True)
    half_line = sa.Interval(sp.S.Zero, sp.oo)
    twice, noise = Law(x, sp.log(2) - x, half_line), Law(e, sp.log(2) - e, half_line)
    forged = sa.Step("x", "unconstrain", twice, Rewrite((noise,), e), Verdict(Status.PROVED))
    for before in (twice, None):
        assert not sa.Derivation(before, None, (forged,)).verify()
    y = sp.Symbol("y", real=True)
    moved = Law(y, y - sp.exp(y), REALS)
    honest = sa.Step("x", "unconstrain", sa.exponential(x, 1), Rewrite((moved,), sp.exp(y)), Verdict(Status.PROVED))
    assert sa.Derivation(None, None, (honest,)).verify()
