"""Proofs as data: a proof is replayed, and one that was tampered with anywhere does not hold."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import sympy as sp
from trusted.checker.claims import TRUE, TRUE_MASSES

from symaux.trusted.checker.check import check_mass, check_pushforward
from symaux.trusted.checker.facts import Fact
from symaux.trusted.checker.proofs import ProofError, as_json, replay


def proof(name: str) -> Any:
    fact = check_pushforward(*TRUE[name])
    assert isinstance(fact, Fact)
    return json.loads(as_json(fact))


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Every number and every name inside of a proof, by its place."""
    if isinstance(data, dict):
        return [place for key, part in data.items() for place in places(part, (*path, key))]
    if isinstance(data, list):
        return [place for key, part in enumerate(data) for place in places(part, (*path, key))]
    return [(path, data)]


def changed(data: Any, path: tuple[Any, ...], value: Any) -> str:
    copied = copy.deepcopy(data)
    target = copied
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return json.dumps(copied)


@pytest.mark.parametrize("name", ["a normal", "a Weibull", "a Laplace by a uniform"])
def test_every_number_counts(name: str) -> None:
    """Change one number or name at a time: the proof fails, or it proves something else and says so."""
    data = proof(name)
    original = replay(json.dumps(data)).statement
    tampered = 0
    for path, value in places(data)[:: 2 if name == "a normal" else 5]:
        if isinstance(value, bool) or not isinstance(value, int | str):
            continue
        other = value + 1 if isinstance(value, int) else value + "x"
        try:
            assert replay(changed(data, path, other)).statement != original or path[2] != "statement"
        except ProofError:
            tampered += 1
    assert tampered > 20


def test_a_statement_that_was_exchanged_is_refused() -> None:
    data = proof("a normal")
    data["facts"][-1]["statement"] = proof("a normal, falling")["facts"][-1]["statement"]
    with pytest.raises(ProofError, match="states something else"):
        replay(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format": "symaux proof 1", "facts": []}',
        '{"format": "symaux proof 1", "facts": [{"rule": "eval"}]}',
        '{"format": "symaux proof 1", "facts": [{"rule": "mass_total", "arguments": [{"fact": 0}], "statement": {}}]}',
        '{"format": "symaux proof 1", "facts": [{"rule": "mass_axiom", "arguments": [{"text": "x"}], "statement": {}}]}',
    ],
)
def test_what_is_not_a_proof_is_refused(text: str) -> None:
    with pytest.raises(ProofError):
        replay(text)


def test_a_later_fact_is_not_a_premise() -> None:
    data = proof("a normal")
    data["facts"] = data["facts"][::-1]
    with pytest.raises(ProofError):
        replay(json.dumps(data))


def test_a_proof_keeps_its_conditions() -> None:
    data = proof("a far region")
    assert any("1000" in str(value) for _, value in places(data))
    fact = replay(json.dumps(data))
    assert (sp.Symbol("a", positive=True) > 1000) in fact.hypotheses


def test_masses_are_stored_too() -> None:
    fact = check_mass(*TRUE_MASSES["a mixture"])
    assert isinstance(fact, Fact) and replay(as_json(fact)).statement == fact.statement
