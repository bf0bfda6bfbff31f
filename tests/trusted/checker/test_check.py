"""Claims that are false must be refused, and claims that are true proved, by one entry; proofs are replayed."""

from __future__ import annotations

import pytest
import sympy as sp
from trusted.checker.claims import FALSE, FALSE_MASSES, NOT_MONOTONE, TRUE, TRUE_MASSES

from symaux.trusted.checker.check import Refusal, check_mass, check_pushforward
from symaux.trusted.checker.facts import Fact, Normalised, Pushforward
from symaux.trusted.checker.proofs import as_json, replay


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refused(name: str) -> None:
    answer = check_pushforward(*FALSE[name])
    assert isinstance(answer, Refusal) and answer.reason


@pytest.mark.parametrize("name", NOT_MONOTONE)
def test_a_map_that_jumps_or_folds_is_refused(name: str) -> None:
    assert isinstance(check_pushforward(*NOT_MONOTONE[name]), Refusal)


@pytest.mark.parametrize("name", FALSE_MASSES)
def test_a_wrong_mass_is_refused(name: str) -> None:
    answer = check_mass(*FALSE_MASSES[name])
    assert isinstance(answer, Refusal) and answer.reason


@pytest.mark.parametrize("name", TRUE)
def test_a_true_claim_is_proved_and_replayed(name: str) -> None:
    law, noise, value, *_ = TRUE[name]
    fact = check_pushforward(*TRUE[name])
    assert isinstance(fact, Fact), fact.reason
    assert isinstance(fact.statement, Pushforward)
    assert fact.statement.value == value and fact.statement.log_density == law.log_density
    assert fact.statement.noise_log_density == noise.log_density
    assert (fact.statement.law.lower, fact.statement.law.upper) == (law.support.lower, law.support.upper)
    assert replay(as_json(fact)).statement == fact.statement


@pytest.mark.parametrize("name", TRUE_MASSES)
def test_a_mass_of_one_is_proved_and_replayed(name: str) -> None:
    fact = check_mass(*TRUE_MASSES[name])
    assert isinstance(fact, Fact), fact.reason
    assert isinstance(fact.statement, Normalised) and fact.statement.log_density == TRUE_MASSES[name][0].log_density
    assert replay(as_json(fact)).statement == fact.statement


def test_hypotheses_are_stated() -> None:
    fact = check_pushforward(*TRUE["a uniform without its condition"])
    assert isinstance(fact, Fact)
    c, d = sp.symbols("c d", real=True)
    assert sp.StrictLessThan(c, d) in fact.hypotheses and sp.Q.real(c) in fact.hypotheses


def test_the_variable_of_a_law_may_assume_what_its_support_says() -> None:
    """Assumptions of the variable are dropped, not believed: see the false claim about a value said to be positive."""
    z, u = sp.Symbol("z", positive=True), sp.Symbol("u", positive=True)
    law, noise, value = TRUE["an exponential by a uniform"]
    plain = {law.value: z}, {noise.value: u}
    given = type(law)(z, law.log_density.xreplace(plain[0]), law.support)
    answer = check_pushforward(given, type(noise)(u, noise.log_density, noise.support), value.xreplace(plain[1]))
    assert isinstance(answer, Fact)
