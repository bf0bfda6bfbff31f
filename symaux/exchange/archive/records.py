"""Write a form or a derivation with its evidence as JSON, and read it; what is read is a claim, not a proof.

>>> import sympy as sp
>>> from symaux.api import derive
>>> from symaux.laws.families import exponential
>>> form = derive(exponential(sp.Symbol("z", positive=True), sp.Symbol("r", positive=True)))
>>> from_json(to_json(form)).value == form.value
True
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from symaux.exchange.archive.formulas import ArchiveError, decode, encode
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.rules.derivation import Derivation, Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import Done, run_bounded

FORMAT, MAX_TEXT, SECONDS = "symaux evidence 1", 5_000_000, 8.0


@dataclass(frozen=True)
class Record:
    """The content of a file: the steps with the evidence that it claims, and for one law the form that they end in."""

    steps: tuple[Step, ...]
    verdict: Verdict
    law: Law | None = None
    noise: tuple[Law, ...] = ()
    value: Any = None


def to_json(thing: AuxiliaryForm | Derivation) -> str:
    """Return the text of a record; raise ArchiveError for formulas that cannot be stored."""
    return json.dumps(as_data(thing), indent=1)


def as_data(thing: AuxiliaryForm | Derivation) -> dict[str, Any]:
    """Return a form, or the derivation of a law or a model, as plain data."""
    made = thing.after if isinstance(thing, Derivation) and isinstance(thing.after, AuxiliaryForm) else thing
    data = {"format": FORMAT, "steps": [_step(s) for s in made.steps], "verdict": _verdict(made.verdict)}
    if isinstance(made, AuxiliaryForm):
        data |= {"law": _law(made.law), "noise": [_law(n) for n in made.noise], "value": encode(made.value)}
    return data


def from_json(text: str) -> Record:
    """Return the record of a text, built within limits of time and memory; raise ArchiveError if it is invalid."""
    if len(text) > MAX_TEXT:
        raise ArchiveError(f"the file has more than {MAX_TEXT} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise ArchiveError(f"the file is not valid JSON: {failure}") from failure
    return from_data(data)


def from_data(data: Any) -> Record:
    """Return the record of plain data; raise ArchiveError if it is invalid."""
    if isinstance(data, dict) and "record" in data:
        data = data["record"]
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArchiveError(f"the file is not a record of evidence: its format is not {FORMAT!r}")
    outcome = run_bounded(_checked, data, seconds=SECONDS)
    if not isinstance(outcome, Done):
        raise ArchiveError(f"the file cannot be read: {outcome.why}: {outcome.detail}")
    if isinstance(outcome.value, str):
        raise ArchiveError(outcome.value)
    return outcome.value


def _checked(data: dict[str, Any]) -> Record | str:
    """Return the record, or what is wrong with it: an exception would lose its message on the way back."""
    try:
        return _record(data)
    except ArchiveError as failure:
        return str(failure)
    except (KeyError, TypeError, ValueError, AttributeError) as failure:
        return f"the record lacks a part or has a wrong one: {type(failure).__name__}: {failure}"


def _record(data: dict[str, Any]) -> Record:
    steps = tuple(_step_back(s) for s in data["steps"])
    verdict = _verdict_back(data["verdict"])
    if "law" not in data:
        return Record(steps, verdict)
    noise = tuple(_law_back(n) for n in data["noise"])
    return Record(steps, verdict, _law_back(data["law"]), noise, decode(data["value"]))


def _law(law: Law) -> dict[str, Any]:
    if not isinstance(law.support, Interval) or law.event:
        raise ArchiveError(f"a law on {law.support} cannot be stored")
    return {
        "value": encode(law.value),
        "log_density": encode(law.log_density),
        "support": [encode(law.support.lower), encode(law.support.upper)],
        "conditions": [encode(c) for c in law.conditions],
        "proper": law.proper,
    }


def _law_back(data: dict[str, Any]) -> Law:
    lower, upper = (decode(end) for end in data["support"])
    conditions = tuple(decode(c) for c in data["conditions"])
    return Law(
        decode(data["value"]),
        decode(data["log_density"]),
        Interval(lower, upper),
        conditions,
        proper=data["proper"] is True,
    )


def _step(step: Step) -> dict[str, Any]:
    return {
        "variable": step.variable,
        "rule": step.rule,
        "before": _law(step.before),
        "noise": [_law(n) for n in step.after.noise],
        "value": encode(step.after.value),
        "verdict": _verdict(step.verdict),
    }


def _step_back(data: dict[str, Any]) -> Step:
    after = Rewrite(tuple(_law_back(n) for n in data["noise"]), decode(data["value"]))
    return Step(
        str(data["variable"]), str(data["rule"]), _law_back(data["before"]), after, _verdict_back(data["verdict"])
    )


def _verdict(verdict: Verdict) -> dict[str, Any]:
    points = [[[encode(formula), encode(value)] for formula, value in point] for point in verdict.points]
    return {**verdict.as_dict(), "points": points}


def _verdict_back(data: dict[str, Any]) -> Verdict:
    if data["status"] not in Status.__members__:
        raise ArchiveError(f"unknown status {str(data['status'])[:40]!r}")
    return Verdict(
        Status[data["status"]],
        tuple(map(str, data["evidence"])),
        tuple(map(str, data["region"])),
        tuple((str(name), str(value)) for name, value in dict(data["witness"]).items()),
        tuple(tuple((decode(f), decode(v)) for f, v in point) for point in data["points"]),
    )
