"""Store proofs as JSON and replay them: every rule runs again, nothing that the text says is believed.

A proof lists facts, premises first. Each has the name of its rule, its arguments (formulas as plain data, regions, numbers of
earlier facts) and its statement, which must be what the rule concludes when it is run again.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import sympy as sp

from symaux.formulas.algebra.encoding import ArchiveError, decode, encode
from symaux.trusted.checker.facts import Fact, Region, Unproved
from symaux.trusted.checker.rules import RULES

FORMAT = "symaux proof 1"
MOST_FACTS, MOST_CHARACTERS = 200, 2_000_000


class ProofError(ValueError):
    """A stored proof is not a proof of what it states, or a fact cannot be stored."""


def as_json(fact: Fact) -> str:
    """Return a fact with its whole derivation as JSON."""
    numbers: dict[int, int] = {}
    steps: list[Any] = []

    def stored(part: Any) -> Any:
        match part:
            case Fact():
                return {"fact": step(part)}
            case Region():
                return {
                    "region": [
                        _formula(part.variable),
                        *map(_formula, (part.lower, part.upper)),
                        stored(part.conditions),
                    ]
                }
            case tuple():
                return {"list": [stored(item) for item in part]}
            case str() | int():
                return {"text": part}
        return {"formula": _formula(part)}

    def step(known: Fact) -> int:
        if id(known) not in numbers:
            arguments = [stored(argument) for argument in known.arguments]
            parts = [stored(getattr(known.statement, f.name)) for f in fields(known.statement)]
            conclusion = {type(known.statement).__name__: parts}
            steps.append({"rule": known.rule, "arguments": arguments, "statement": conclusion})
            numbers[id(known)] = len(steps) - 1
        return numbers[id(known)]

    step(fact)
    return json.dumps({"format": FORMAT, "facts": steps})


def _formula(formula: Any) -> Any:
    """Return a formula as plain data, if it is the same when it is read back."""
    data = encode(formula)
    if decode(data) != formula:
        raise ProofError(f"{formula} would not be read back as it is")
    return data


def replay(text: str) -> Fact:
    """Return the last fact of a stored proof, made anew by its rules; raise ProofError if any step does not hold."""
    try:
        data = json.loads(text) if len(text) <= MOST_CHARACTERS else None
        if not isinstance(data, dict) or data["format"] != FORMAT or not 0 < len(data["facts"]) <= MOST_FACTS:
            raise ProofError("not a proof in the format that this version reads")
        facts: list[Fact] = []
        for number, entry in enumerate(data["facts"]):
            facts.append(_replayed(entry, facts, number))
        return facts[-1]
    except (Unproved, ArchiveError, KeyError, TypeError, IndexError, AttributeError, json.JSONDecodeError) as failure:
        raise ProofError(f"the stored proof does not hold: {type(failure).__name__}: {failure}"[:500]) from failure


def _replayed(entry: Any, facts: list[Fact], number: int) -> Fact:
    fact = RULES[entry["rule"]](*(_read(argument, facts) for argument in entry["arguments"]))
    ((kind, parts),) = entry["statement"].items()
    stated = tuple(_read(part, facts) for part in parts)
    concluded = tuple(getattr(fact.statement, f.name) for f in fields(fact.statement))
    if kind != type(fact.statement).__name__ or stated != concluded:
        raise ProofError(f"fact {number} states something else than the rule {entry['rule']} concludes")
    return fact


def _read(data: Any, facts: list[Fact]) -> Any:
    ((kind, content),) = data.items()
    match kind:
        case "fact":
            if not isinstance(content, int) or isinstance(content, bool) or not 0 <= content < len(facts):
                raise ProofError(f"there is not a fact {content} before this one")
            return facts[content]
        case "region":
            variable, lower, upper = map(decode, content[:3])
            return Region(variable, lower, upper, _read(content[3], facts))
        case "list":
            return tuple(_read(item, facts) for item in content)
        case "text" if isinstance(content, str | int):
            return content
        case "formula":
            formula = decode(content)
            if not isinstance(formula, sp.Basic):
                raise ProofError("a stored formula is not a formula")
            return formula
    raise ProofError(f"unknown part {str(kind)[:80]!r} of a stored proof")
