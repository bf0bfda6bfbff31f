"""REFUTED needs a witness: finite, inside of every support, and beyond rounding; nothing else refutes, and lies still are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.api import source_without_sampler
from symaux.rules.derivation import Derivation
from symaux.rules.verdict import Status
from symaux.validate import pointwise, reference
from symaux.validate.witness import exact_difference

MU, Z, Y, E = sp.symbols("mu z y eps_z", real=True)
N = sa.normal

RIGHT = {
    "draws that underflow": "mu ~ normal(0, 1)\nz ~ normal(mu, 1)\ng ~ gamma(1e-4, 1e-4)\nobserve y ~ normal(z, 1 + g)",
    "a tiny scale": "mu ~ normal(0, 1)\nz ~ normal(mu, 1e-12)\nobserve y ~ normal(z, 1)",
    "a tiny scale of the data": "mu ~ normal(0, 1)\nz ~ normal(mu, 1)\nobserve y ~ normal(z, 1e-12)",
    "a huge scale": "mu ~ normal(0, 1e200)\nz ~ normal(mu, 1e200)\nobserve y ~ normal(z, 1)",
    "a hundred turns": "mu ~ normal(0, 1)\nu ~ uniform(0, 200*pi)\nz ~ normal(mu + cos(u), 1/1000)\nobserve y ~ normal(z, 1)",
    "bounds in the wrong order": "lo ~ normal(0, 1)\nhi ~ normal(0, 1)\nz ~ uniform(lo, hi)\nobserve y ~ normal(z, 1)",
    "nothing was changed": "mu ~ normal(0, 1)\nobserve y ~ normal(mu, exp(-1000*mu**2))",
    "nothing was changed, and overflows": "mu ~ normal(0, 1)\nobserve y ~ normal(exp(1000*mu), 1)",
    "a logarithm of what may be negative": "mu ~ normal(0, 1)\nz ~ normal(mu, 1)\nobserve y ~ normal(log(z), 1)",
    "a scale that may be negative": "s ~ normal(0, 1)\nz ~ normal(0, s)\nobserve y ~ normal(z, 1)",
    "certain counts": "mu ~ normal(0, 1)\nz ~ normal(mu, 1)\nobserve k ~ binomial(5, 0)\nobserve y ~ normal(z, 1)",
    "a certain event": "mu ~ normal(0, 1)\nz ~ normal(mu, 1)\nobserve k ~ bernoulli(1)\nobserve y ~ normal(z, 1)",
    "rates that overflow": "mu ~ normal(0, 100)\nz ~ normal(mu, 100)\nobserve y ~ poisson(exp(z))",
    "a mean of 1e15": "mu ~ normal(1e15, 1)\nz ~ normal(mu, 1)\nobserve y ~ normal(z, 1)",
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")
@pytest.mark.parametrize("case", RIGHT)
def test_what_is_right_is_not_refuted(case: str) -> None:
    verdict = sa.auxiliary(sa.parse(RIGHT[case])).verify()
    assert verdict.status in (Status.PROVED, Status.UNDECIDED), verdict


def test_an_infinite_log_density_is_not_an_error() -> None:
    cut = sp.Piecewise((-sp.oo, Y < Z), (-(Y - Z), True))
    laws = (N(MU, 0, 1), N(Z, MU, 1), sa.law(Y, log_density=cut, support=(-sp.oo, sp.oo)))
    model = sa.Model.of(*laws, observed=[Y])
    assert sa.auxiliary(model).verify().status is not Status.REFUTED
    wall = sa.factor(sp.Piecewise((-sp.oo, Z > 0), (0, True)))
    assert sa.auxiliary(sa.Model.of(N(MU, 0, 1), N(Z, MU, 1), wall)).verify().status is not Status.REFUTED


def claimed(before: sa.Model, *after: Any) -> Derivation:
    return Derivation(before, sa.Model.of(*after, observed=sorted(before.observed)))


CHAIN = sa.Model.of(N(MU, 0, 1), N(Z, MU, 2), N(Y, Z, 1), observed=[Y])
NOISE, OBSERVED, ROOT = N(E, 0, 1), N(Y, Z, 1), N(MU, 0, 1)
WRONG: dict[str, tuple[Any, ...]] = {
    "a scale": (ROOT, NOISE, sa.deterministic(Z, MU + 3 * E), OBSERVED),
    "a scale, by a millionth": (ROOT, NOISE, sa.deterministic(Z, MU + (2 + sp.Rational(1, 10**6)) * E), OBSERVED),
    "a parent": (ROOT, NOISE, sa.deterministic(Z, 2 * E), OBSERVED),
    "the noise": (ROOT, N(E, 0, 2), sa.deterministic(Z, MU + 2 * E), OBSERVED),
    "the root": (N(MU, 0, 2), NOISE, sa.deterministic(Z, MU + 2 * E), OBSERVED),
    "the data": (ROOT, NOISE, sa.deterministic(Z, MU + 2 * E), N(Y, Z, 2)),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refuted_by_a_finite_witness(case: str) -> None:
    derivation = claimed(CHAIN, *WRONG[case])
    seen = pointwise.compare_pointwise(CHAIN, derivation.after, source_without_sampler(derivation.after))
    assert seen.refuted and seen.worst > pointwise.TOLERANCE, seen
    numbers = dict(seen.where)
    assert np.isfinite(float(numbers["mu"])) and np.isfinite(float(numbers["eps_z"]))
    assert not derivation.verify(), "and the derivation does not hold"


def test_a_wrong_form_is_refuted_at_tiny_and_huge_scales_too() -> None:
    for scale in (sp.Rational(1, 10**12), sp.Integer(10) ** 200):
        before = sa.Model.of(N(MU, 0, 1), N(Z, MU, scale))
        after = sa.Model.of(N(MU, 0, 1), NOISE, sa.deterministic(Z, MU + 2 * scale * E))
        seen = pointwise.compare_pointwise(before, after, source_without_sampler(after))
        assert seen.refuted, seen


NOT_A_NUMBER = """

_right = log_density


def log_density(position, data):
    return _right(position, data) * jnp.nan
"""


def test_code_that_is_wrong_is_told_from_rounding() -> None:
    aux = sa.auxiliary(CHAIN)
    source = source_without_sampler(aux.after)
    wrong = source.replace("2 * eps_z", "2.00001 * eps_z").replace("eps_z * 2", "eps_z * 2.00001")
    assert wrong != source
    assert "generated code" in pointwise.compare_pointwise(CHAIN, aux.after, wrong).difference
    broken = (
        source
        + "\n\n_right = log_density\n\n\ndef log_density(position, data):\n    return _right(position, data) * jnp.nan\n"
    )
    seen = pointwise.compare_pointwise(CHAIN, aux.after, broken)
    assert not seen.refuted and pointwise.OVERFLOW in str(seen), "not a number is not a witness, and is said"


@pytest.mark.filterwarnings("ignore::symaux.errors.DomainWarning")
def test_a_point_outside_is_not_a_witness() -> None:
    lo, hi = sp.symbols("lo hi", real=True)
    before = sa.Model.of(N(lo, 0, 1), N(hi, 0, 1), sa.uniform(Z, lo, hi))
    outside = {"lo": np.array(1.0), "hi": np.array(0.0), "z": np.array(0.5)}
    assert not reference.is_inside(before, outside, {})
    assert reference.is_inside(before, {**outside, "hi": np.array(2.0), "z": np.array(1.5)}, {})
    u = sp.Symbol("eps_z", positive=True)
    after = sa.Model.of(N(lo, 0, 1), N(hi, 0, 1), sa.uniform(u, 0, 1), sa.deterministic(Z, lo + 2 * (hi - lo) * u))
    position = {"lo": np.array(1.0), "hi": np.array(0.0), "eps_z": np.array(0.3)}
    assert exact_difference(before, after, position, {}, {}) is None
    inside = {**position, "hi": np.array(2.0)}
    found = exact_difference(before, after, inside, {}, {})
    assert found is not None and abs(found[0] - np.log(2)) < 1e-12


def test_draws_alone_leave_a_model_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from symaux.validate import verify_model
    from symaux.validate.forward_draws import JointDraws

    def draws(*_: Any) -> JointDraws:
        return JointDraws(250, 3, "draws of z differ")

    monkeypatch.setattr(verify_model, "compare_forward_draws", draws)
    verdict = sa.auxiliary(CHAIN).verify()
    assert verdict.status is Status.UNDECIDED and "does not refute" in str(verdict)


def test_no_coverage_is_said() -> None:
    aux = sa.auxiliary(CHAIN)
    seen = pointwise.compare_pointwise(aux.before, aux.after, source_without_sampler(aux.after), points=0)
    assert "undecided" in str(replace(seen, points=0, reason="no points"))
