"""Models of the kinds that collections of posteriors hold verify without a false word or a crash."""

from __future__ import annotations

import pytest
from support.posterior_models import MODELS

import symaux as sa

SLOW = {"state space with bounded levels", "pumps", "hidden Markov, by a forward recursion", "the end of a long walk"}


@pytest.mark.filterwarnings("ignore::symaux.errors.DomainWarning")  # dogs: a**n*b**m <= 1 is not proved
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long if n in SLOW else ()) for n in MODELS])
def test_a_model_verifies(name: str) -> None:
    verdict = sa.auxiliary(sa.parse(MODELS[name])).verify()
    assert verdict.status is sa.Status.PROVED, verdict
    assert any("agree at 3 random points" in line for line in verdict.evidence), "and something was compared"
