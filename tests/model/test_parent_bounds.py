"""A law in its model: its parents' supports bound its parameters, so that densities which need that are not refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import symaux as sa

INFLATED = """
plate n
rate ~ Gamma(2, 1)
gate ~ Beta(2, 2)
observe y[n] ~ where(y[n] == 0, gate + (1 - gate)*exp(-rate), (1 - gate)*rate^y[n]*exp(-rate)/gamma(y[n] + 1)) on {0, ..., oo}
"""
MIXED = "gate ~ Beta(2, 2)\ny ~ gate*exp(-y) + (1 - gate)*2*exp(-2*y) on (0, oo)"


def test_a_zero_inflated_law_by_its_masses() -> None:
    model = sa.parse(INFLATED)
    assert sa.auxiliary(model).verify().status is sa.Status.PROVED
    y, rate, gate = np.array([0, 2, 0, 1]), 1.7, 0.3
    masses = [gate * (k == 0) + (1 - gate) * math.exp(-rate) * rate**k / math.factorial(k) for k in y]
    prior = math.log(rate * math.exp(-rate)) + math.log(6 * gate * (1 - gate))
    seen = float(sa.log_density(model, {"y": y})({"rate": rate, "gate": gate}))
    assert seen == pytest.approx(sum(map(math.log, masses)) + prior, rel=1e-12)


def test_a_mixture_by_a_weight_that_has_a_law_is_proved() -> None:
    aux = sa.auxiliary(sa.parse(MIXED))
    assert aux.verify().status is sa.Status.PROVED and not aux.after.nodes["y"].latent and "y" not in aux.kept


@pytest.mark.long
def test_so_is_one_up_to_the_last_weight_that_makes_a_density() -> None:
    aux = sa.auxiliary(sa.parse(MIXED.replace("Beta(2, 2)", "uniform(0, 2)")))  # at y = 0 it is 2 - gate
    assert aux.verify().status is sa.Status.PROVED


@pytest.mark.parametrize("weight", ["normal(0, 1)", "half_normal(1)", "uniform(0, 3)"])
def test_a_weight_that_may_leave_the_interval_is_not(weight: str) -> None:
    aux = sa.auxiliary(sa.parse(MIXED.replace("Beta(2, 2)", weight)))
    assert "y" in aux.kept


def test_what_is_not_a_law_anywhere_inside_of_the_support_is_refused() -> None:
    with pytest.raises(sa.LawError, match="does not integrate to one"):
        sa.auxiliary(
            sa.parse("gate ~ Beta(2, 2)\nz ~ normal(0, 1)\ny ~ gate*exp(-y) + (1 - gate)*3*exp(-2*y) on (0, oo)")
        )


def test_what_is_computed_tells_its_sign_too() -> None:
    """A rate that is an exponential is positive, and a share that is a sigmoid below one, without a var line."""
    text = INFLATED.replace(
        "rate ~ Gamma(2, 1)\ngate ~ Beta(2, 2)", "a ~ normal(0, 1)\nrate = exp(a)\ngate = sigmoid(a)"
    )
    model = sa.parse(text)
    assert sa.auxiliary(model, keep_roots=False).verify().status is sa.Status.PROVED and sa.parse(model.text) == model
