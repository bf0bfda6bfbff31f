"""The verdict on a whole derivation: every step judged anew, the structural argument, and a numerical check.

The verdict is that of the weakest step; the numerical check of a whole model can only refute it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symaux.model.model import Model
from symaux.proof.verify import is_law, verify
from symaux.rules.derivation import Derivation
from symaux.rules.verdict import Status, Verdict, weakest
from symaux.validate.forward_draws import forward_draws
from symaux.validate.pointwise import agreement
from symaux.validate.structure import MOVES, flaws

STRUCTURE = "structure: one fresh root per noise, each read by one variable, and every other statement unchanged"

PARTIAL = "structure: each new variable is read by one variable only, whose parents it has, and every other statement unchanged"


def verified(derivation: Derivation, source: Callable[[Model], str] | None = None) -> Verdict:
    """Judges a derivation without trusting it; ``source`` gives the generated code of its result."""
    verdicts = [_judged(derivation, number) for number in range(len(derivation.steps))]
    refuted = next((v for v in verdicts if v.status is Status.REFUTED), None)
    if refuted is not None:
        return refuted
    result = weakest(*verdicts) if verdicts else derivation.verdict
    summary = _counted(derivation, verdicts)
    if not isinstance(derivation.before, Model):
        return replace(result, evidence=(summary, *result.evidence))
    wrong = flaws(derivation)
    if wrong:
        return Verdict(Status.REFUTED, tuple(wrong), result.region)
    if source is None:
        return replace(result, evidence=(summary, _structure(derivation)))
    seen = agreement(derivation.before, derivation.after, source(derivation.after))
    if seen.points and seen.refuted:
        return Verdict(Status.REFUTED, (seen.difference,), result.region, seen.where)
    if seen.unreal:
        return Verdict(Status.UNDECIDED, (summary, seen.reason), result.region)
    drawn = forward_draws(derivation.before, derivation.after, source)
    if drawn.refuted:
        return Verdict(Status.REFUTED, (drawn.difference,), result.region)
    return replace(result, evidence=(summary, _structure(derivation), str(seen), str(drawn)))


def _structure(derivation: Derivation) -> str:
    """Return the structural argument in words; what a partial form brings in is no root."""
    return PARTIAL if any(step.rule in ("partial", "interpolation") for step in derivation.steps) else STRUCTURE


def _judged(derivation: Derivation, number: int) -> Verdict:
    """Return the verdict on a step; what is only called a move of a variable must show that what it moves is a law."""
    step = derivation.steps[number]
    if step.rule not in MOVES or isinstance(derivation.before, Model) or not is_law(step.before):
        trusted = _followed(derivation, number) and (step.rule not in MOVES or isinstance(derivation.before, Model))
        return verify(step.before, step.after, noise_is_normalised=trusted)
    return verify(step.before, step.after, noise_is_normalised=True)


def _followed(derivation: Derivation, number: int) -> bool:
    """Return whether a later step rewrites the noise of this one, and so shows that it is normalised; or nothing is
    noise."""
    step = derivation.steps[number]
    if step.rule in MOVES:
        return True
    return all(any(later.before == noise for later in derivation.steps[number + 1 :]) for noise in step.after.noise)


def _counted(derivation: Derivation, verdicts: list[Verdict]) -> str:
    counts = {status: sum(v.status is status for v in verdicts) for status in Status}
    listed = ", ".join(f"{count} {status.name.lower()}" for status, count in counts.items() if count)
    return f"{len(verdicts)} steps: {listed}" if verdicts else "nothing was rewritten"
