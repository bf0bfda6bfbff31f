"""Write a form or a derivation with its evidence as JSON, and read it; what is read is a claim, not a proof.

A file may hold a record alone, or what ``symaux derive --json`` writes: the same in words, with the record in the field
``record``. Then the words are written anew from the record and compared.

>>> import sympy as sp
>>> from symaux.api import derive
>>> from symaux.laws.families import exponential
>>> form = derive(exponential(sp.Symbol("z", positive=True), sp.Symbol("r", positive=True)))
>>> from_json(to_json(form)).value == form.value
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from symaux.exchange.archive.laws import (
    fields,
    law_from_data,
    law_to_data,
    listed,
    model_from_data,
    model_to_data,
    texts,
)
from symaux.exchange.archive.readable import readable_derivation, readable_form
from symaux.formulas.algebra.encoding import ArchiveError, decode, encode
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.rules.derivation import Derivation, Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import Done, run_bounded

FORMAT, MAX_TEXT, SECONDS = "symaux evidence 2", 5_000_000, 8.0
FORM = ("format", "law", "noise", "value", "steps", "verdict")
DERIVATION = ("format", "before", "after", "steps", "kept", "choice", "verdict")
STEP = ("variable", "rule", "before", "noise", "value", "verdict")
VERDICT = ("status", "evidence", "region", "witness", "points")


@dataclass(frozen=True)
class Record:
    """The content of a file: the form of a law, or two models, with the steps and the evidence that it claims.

    ``kept`` and ``choice`` are the author's words about a model; ``flaws`` is where the readable part says something else.
    """

    steps: tuple[Step, ...]
    verdict: Verdict
    law: Law | None = None
    noise: tuple[Law, ...] = ()
    value: Any = None
    before: Model | None = None
    after: Model | None = None
    kept: Mapping[str, str] | None = None
    choice: Mapping[str, Any] | None = None
    flaws: tuple[str, ...] = ()

    def readable(self) -> dict[str, Any]:
        """Return what the record says in words, written from its formulas."""
        if self.law is not None:
            return readable_form(AuxiliaryForm(self.law, self.noise, self.value, self.steps, self.verdict))
        derivation = Derivation(self.before, self.after, self.steps, dict(self.kept or {}))
        return readable_derivation(derivation, self.choice)


def to_json(thing: AuxiliaryForm | Derivation) -> str:
    """Return the text of a record; raise ArchiveError for formulas that cannot be stored."""
    return json.dumps(as_data(thing), indent=1)


def as_data(thing: AuxiliaryForm | Derivation) -> dict[str, Any]:
    """Return a form, or the derivation of a law or a model, as plain data; raise ArchiveError unless it reads back as it is."""
    made = thing.after if isinstance(thing, Derivation) and isinstance(thing.after, AuxiliaryForm) else thing
    data: dict[str, Any] = {"format": FORMAT}
    if isinstance(made, AuxiliaryForm):
        data |= {
            "law": law_to_data(made.law),
            "noise": [law_to_data(n) for n in made.noise],
            "value": encode(made.value),
        }
        parts: tuple[Any, ...] = (made.law, made.noise, made.value)
    else:
        data |= {"before": model_to_data(made.before), "after": model_to_data(made.after)}
        data |= {"kept": dict(sorted(made.kept.items())), "choice": made.choice.as_dict() if made.choice else None}
        parts = (made.before, made.after, dict(made.kept))
    data |= {"steps": [_step(s) for s in made.steps], "verdict": _verdict(made.verdict)}
    again = _record(json.loads(json.dumps(data)))
    read = (again.law, again.noise, again.value) if again.law else (again.before, again.after, again.kept)
    if read != parts or again.steps != tuple(made.steps) or again.verdict != made.verdict:
        raise ArchiveError("a formula does not come back as it was, so the evidence cannot be stored")
    return data


def with_words(thing: AuxiliaryForm | Derivation) -> dict[str, Any]:
    """Return a form or a derivation in words, with its record where the formulas can be stored."""
    try:
        data = as_data(thing)
        return {**_record(data).readable(), "record": data}
    except ArchiveError:
        if isinstance(thing, AuxiliaryForm):
            return readable_form(thing)
        return readable_derivation(thing, thing.choice.as_dict() if thing.choice else None)


def from_json(text: str) -> Record:
    """Return the record of a text, built within limits of time and memory; raise ArchiveError if it is invalid."""
    return from_data(parse_json(text))


def parse_json(text: str) -> Any:
    """Return the data of a JSON text; raise ArchiveError if it is not valid, or gives one field twice."""
    if len(text) > MAX_TEXT:
        raise ArchiveError(f"the file has more than {MAX_TEXT} characters")
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as failure:
        raise ArchiveError(f"the file is not valid JSON: {failure}") from failure


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object: a reader of the text may see the first of two fields, and a program the second."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise ArchiveError(f"the file gives the field {next(n for n in names if names.count(n) > 1)[:80]!r} twice")
    return made


def from_data(data: Any) -> Record:
    """Return the record of plain data; raise ArchiveError if it is invalid."""
    words = None
    if isinstance(data, dict) and "record" in data:
        words = {name: part for name, part in data.items() if name != "record"}
        data = data["record"]
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ArchiveError(f"the file is not a record of evidence: its format is not {FORMAT!r}")
    outcome = run_bounded(_checked, data, words, seconds=SECONDS)
    if not isinstance(outcome, Done):
        raise ArchiveError(f"the file cannot be read: {outcome.why}: {outcome.detail}")
    if isinstance(outcome.value, str):
        raise ArchiveError(outcome.value)
    return outcome.value


def _checked(data: dict[str, Any], words: dict[str, Any] | None) -> Record | str:
    """Return the record, or what is wrong with it: an exception would lose its message on the way back."""
    try:
        record = _record(data)
        return record if words is None else replace(record, flaws=tuple(_differences(record.readable(), words, "")))
    except ArchiveError as failure:
        return str(failure)
    except (KeyError, TypeError, ValueError, AttributeError) as failure:
        return f"the record has a wrong part: {type(failure).__name__}: {failure}"


def _differences(said: Any, words: Any, where: str) -> list[str]:
    """Return where the readable part of a file is not what its record says."""
    if isinstance(said, dict) and isinstance(words, dict):
        names = [*said, *(name for name in words if name not in said)]
        missing = object()
        pairs = [(name, said.get(name, missing), words.get(name, missing)) for name in names]
        odd = [f"{where}{n} is in one part of the file only" for n, a, b in pairs if missing in (a, b)]
        return odd + [d for n, a, b in pairs if missing not in (a, b) for d in _differences(a, b, f"{where}{n}.")]
    if isinstance(said, list) and isinstance(words, list) and len(said) == len(words):
        return [d for k, (a, b) in enumerate(zip(said, words, strict=True)) for d in _differences(a, b, f"{where}{k}.")]
    if type(said) is type(words) and said == words:
        return []
    return [f"{where.rstrip('.')} reads {str(words)[:80]!r}, and the record says {str(said)[:80]!r}"]


def _record(data: dict[str, Any]) -> Record:
    if "law" in data:
        read = fields(data, FORM, "the record of a form")
        noise = tuple(law_from_data(n) for n in listed(read["noise"], "noise"))
        return Record(*_claimed(read), law_from_data(read["law"]), noise, decode(read["value"]))
    read = fields(data, DERIVATION, "the record of a model")
    kept, choice = read["kept"], read["choice"]
    if not isinstance(kept, dict) or not all(isinstance(reason, str) for reason in kept.values()):
        raise ArchiveError("kept is not an object of reasons by name")
    if choice is not None and not isinstance(choice, dict):
        raise ArchiveError("choice is not an object")
    before, after = (model_from_data(read[part]) for part in ("before", "after"))
    return Record(*_claimed(read), before=before, after=after, kept=kept, choice=choice)


def _claimed(read: dict[str, Any]) -> tuple[tuple[Step, ...], Verdict]:
    return tuple(_step_back(s) for s in listed(read["steps"], "steps")), _verdict_back(read["verdict"])


def _step(step: Step) -> dict[str, Any]:
    return {
        "variable": step.variable,
        "rule": step.rule,
        "before": law_to_data(step.before),
        "noise": [law_to_data(n) for n in step.after.noise],
        "value": encode(step.after.value),
        "verdict": _verdict(step.verdict),
    }


def _step_back(data: Any) -> Step:
    read = fields(data, STEP, "a step")
    variable, rule = texts([read["variable"], read["rule"]], "the variable and the rule of a step")
    after = Rewrite(tuple(law_from_data(n) for n in listed(read["noise"], "noise")), decode(read["value"]))
    return Step(variable, rule, law_from_data(read["before"]), after, _verdict_back(read["verdict"]))


def _verdict(verdict: Verdict) -> dict[str, Any]:
    points = [[[encode(formula), encode(value)] for formula, value in point] for point in verdict.points]
    return {**verdict.as_dict(), "points": points}


def _verdict_back(data: Any) -> Verdict:
    read = fields(data, VERDICT, "a verdict")
    if read["status"] not in Status.__members__:
        raise ArchiveError(f"unknown status {str(read['status'])[:40]!r}")
    witness = read["witness"]
    if not isinstance(witness, dict):
        raise ArchiveError("a witness is not an object")
    return Verdict(
        Status[read["status"]],
        texts(read["evidence"], "evidence"),
        texts(read["region"], "a region"),
        tuple(zip(witness, texts(list(witness.values()), "a witness"), strict=True)),
        tuple(tuple((decode(f), decode(v)) for f, v in point) for point in listed(read["points"], "points")),
    )


__all__ = ["ArchiveError", "Record", "as_data", "from_data", "from_json", "parse_json", "to_json", "with_words"]
