r"""Check a record again, as a whole and without trusting any of it: everything that it says must follow from its formulas.

Every step is verified anew. No name is captured: $z = 2\mu$ is not $\mu + \varepsilon$ with a noise called $\mu$. The steps all
lead from the law to the form, or from one model to the other. Regions and points are those of the laws, and the
readable part of the file says the same. Evidence and reasons are words of the author: the verdict that is returned has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.exchange.archive.records import Record
from symaux.formulas.symbols.names import describe_clash, taken_name
from symaux.laws.densities.charts import region
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import named_formulas
from symaux.proof.verify import verify
from symaux.rules.composition import Composition, compose_steps, same_formula
from symaux.rules.derivation import Derivation, Step
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict, describe_point, weakest
from symaux.sandbox import run_bounded, value_or
from symaux.validate.verify_model import verify_derivation, verify_steps

ALONE = "the form was judged by itself"


@dataclass(frozen=True)
class Rechecked:
    """The verdict that was found, and whether everything that the file says follows; ``flaws`` says what does not."""

    verdict: Verdict
    holds: bool
    flaws: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = "the file's claim holds" if self.holds else "the file's claim does NOT hold"
        return "\n".join([said, *(f"  - {flaw}" for flaw in self.flaws), str(self.verdict)])


def recheck_record(record: Record) -> Rechecked:
    """Return the verdict on what a record claims, and what in it does not follow."""
    flaws = [*record.flaws, *_names(record)]
    if flaws:
        found = Verdict(Status.UNDECIDED, ("the record does not say one thing", *flaws[:3]))
        return Rechecked(found, False, tuple(flaws))
    found, more = _recheck_form(record) if record.law is not None else _recheck_model(record)
    flaws = [*more, *_claims(record.verdict, found, "the whole")]
    return Rechecked(found, not flaws, tuple(flaws))


def _names(record: Record) -> Iterator[str]:
    """Yield two things under one name, and noises with the name of something in sight, anywhere in the record."""
    laws = [record.law, *record.noise, *(law for s in record.steps for law in (s.before, *s.after.noise))]
    formulas = [f for law in laws if law is not None for f in named_formulas(law)]
    formulas += [s.after.value for s in record.steps] + ([] if record.value is None else [record.value])
    models = [model for model in (record.before, record.after) if model is not None]
    formulas += [f for model in models for s in model.statements for f in named_formulas(s)]
    clash = describe_clash(formulas)
    if clash is not None:
        yield clash
    if record.law is None:
        return
    values = [n.value for n in record.noise]
    if len(set(values)) < len(values):
        yield f"two noises have one name: {', '.join(map(str, values))}"
    for value in values:
        if (taken := taken_name(str(getattr(value, "base", value)), named_formulas(record.law))) is not None:
            yield f"the noise {value} is not fresh: the law uses {taken}"


def _recheck_form(record: Record) -> tuple[Verdict, list[str]]:
    law = record.law
    assert law is not None
    flaws = [f"the noise {n.value} depends on {n.parameters[0]}" for n in record.noise if n.parameters]
    flaws += [f"a step is about {s.variable}, not about {law.name}" for s in record.steps if s.variable != law.name]
    if not record.steps:
        return _alone(record, ALONE), [*flaws, *_regions(record.verdict, law, (law, *record.noise), "the whole")]
    made = compose_steps(law, record.steps)
    if not isinstance(made, Composition):
        return _alone(record, ALONE), [*flaws, made or "no step is about the law"]
    flaws += _unlike(record, made)
    verdicts = verify_steps(Derivation(law, None, record.steps))
    for step, found in zip(record.steps, verdicts, strict=True):
        flaws += [*_claims(step.verdict, found, f"the step {step.rule}"), *_step_region(step, law)]
    flaws += _regions(record.verdict, law, (law,), "the whole")
    total = weakest(*verdicts)
    if total.status is Status.REFUTED:
        return total, flaws
    pairs = zip(record.steps, verdicts, strict=True)
    return replace(total, evidence=tuple(f"{s.rule}: {line}" for s, v in pairs for line in v.evidence)), flaws


def _unlike(record: Record, made: Composition) -> Iterator[str]:
    """Yield where the form is not what its steps compose to."""
    if len(made.steps) != len(record.steps):
        yield "a step is about another law"
    if len(made.noise) != len(record.noise) or {n.value: n for n in made.noise} != {n.value: n for n in record.noise}:
        yield "the noises are not those that the steps leave"
    if made.value != record.value and not value_or(run_bounded(_same, made.value, record.value), False):
        yield f"the steps compose to {made.value}, not to {record.value}"


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    return same_formula(a, b) or sp.simplify(a - b) == 0


def _alone(record: Record, reason: str) -> Verdict:
    assert record.law is not None
    whole = verify(record.law, Rewrite(record.noise, record.value))
    return replace(whole, evidence=(reason, *whole.evidence))


def _recheck_model(record: Record) -> tuple[Verdict, list[str]]:
    before, after = record.before, record.after
    assert before is not None and after is not None
    derivation = Derivation(before, after, record.steps, dict(record.kept or {}))
    laws = [s for s in before.statements if isinstance(s, Law)]
    used: list[Step] = []
    for law in laws:
        made = compose_steps(law, record.steps)
        used += made.steps if isinstance(made, Composition) else []
    known = {*before.latents, *(n.name for s in record.steps for n in s.after.noise)}
    flaws = [f"the step {s.rule} of {s.variable} is about another model" for s in record.steps if s not in used]
    flaws += [f"{s.variable} is not a latent variable of the model" for s in record.steps if s.variable not in known]
    flaws += [f"kept {name}: the model has no such latent variable" for name in record.kept or {} if name not in known]
    flaws += _introduced(before, after)
    verdicts = verify_steps(derivation)
    for step, found in zip(record.steps, verdicts, strict=True):
        owner = next((law for law in laws if law.name == step.variable), step.before)
        flaws += [*_claims(step.verdict, found, f"the step {step.rule} of {step.variable}"), *_step_region(step, owner)]
    if derivation.verdict != record.verdict:
        flaws.append("the verdict on the whole is not that of the weakest step")
    found = verify_derivation(derivation)
    return found, flaws


def _introduced(before: Model, after: Model) -> Iterator[str]:
    """Yield a variable that the second model marks as introduced by a rewrite, or does not mark, against the facts."""
    new = {name for name in after.nodes if name not in before.nodes}
    still = {name for name in before.auxiliary if name in after.nodes and after.nodes[name].kind == "stochastic"}
    for name in sorted((new | still) ^ set(after.auxiliary)):
        yield f"{name} is wrongly marked, or not marked, as a variable that a rewrite introduced"


def _step_region(step: Step, law: Law) -> Iterator[str]:
    yield from _regions(step.verdict, step.before, (step.before, law, *step.after.noise), f"the step {step.rule}")


def _regions(verdict: Verdict, least: Law, known: tuple[Law, ...], what: str) -> Iterator[str]:
    """Yield conditions that a verdict leaves out, and those that its laws do not have; a certificate states its points."""
    if verdict.points:
        if verdict.region != tuple(map(describe_point, verdict.points)):
            yield f"{what} states other points than those of its certificate"
        return
    possible = {line for law in known for line in region(law)}
    for line in region(least):
        if line not in verdict.region:
            yield f"{what} leaves out that {line}"
    for line in verdict.region:
        if line not in possible:
            yield f"{what} states the region {line!r}, which its law does not have"


def _claims(claimed: Verdict, found: Verdict, what: str) -> Iterator[str]:
    """Yield what is claimed and was not found again."""
    if Status.REFUTED in (claimed.status, found.status) or found.status.strength < claimed.status.strength:
        yield f"{what} is said to be {claimed.status.name.lower()}, and was found to be {found.status.name.lower()}"
    elif found.status is Status.CERTIFIED and found.points and not set(_keys(claimed)) <= set(_keys(found)):
        yield f"{what} is certified at other points than it says"
    if claimed.witness and claimed.status is not Status.REFUTED:
        yield f"{what} has a witness and is not refuted"


def _keys(verdict: Verdict) -> list[Any]:
    return [frozenset(point) for point in verdict.points]


__all__ = ["Rechecked", "recheck_record"]
