"""Verify a whole derivation: every step again, the structural argument, and a numerical check.

The verdict is that of the weakest step; the numerical check of a whole model can only refute it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symaux.errors import SymauxError
from symaux.model.model import Model
from symaux.proof.verify import is_law, verify
from symaux.rules.derivation import Derivation
from symaux.rules.verdict import Status, Verdict, weakest
from symaux.validate.forward_draws import compare_forward_draws
from symaux.validate.pointwise import Agreement, compare_pointwise
from symaux.validate.structure import MOVES, structural_flaws

STRUCTURE = "structure: one fresh root per noise, each read by one variable, and every other statement unchanged"

PARTIAL = "structure: each new variable is read by one variable only, whose parents it has, and every other statement unchanged"


def verify_derivation(derivation: Derivation, source: Callable[[Model], str] | None = None) -> Verdict:
    """Return the verdict on a derivation, without trusting it; ``source`` returns the generated code of its result."""
    verdicts = verify_steps(derivation)
    refuted = next((v for v in verdicts if v.status is Status.REFUTED), None)
    if refuted is not None:
        return refuted
    result = weakest(*verdicts) if verdicts else derivation.verdict
    summary = _summary(derivation, verdicts)
    if not isinstance(derivation.before, Model):
        return replace(result, evidence=(summary, *result.evidence))
    wrong = structural_flaws(derivation)
    if wrong:
        return Verdict(Status.REFUTED, tuple(wrong), result.region)
    if source is None:
        return replace(result, evidence=(summary, _structure(derivation)))
    compared = _bounded(compare_pointwise, derivation.before, derivation.after, source)
    if compared.refuted:
        return Verdict(Status.REFUTED, (compared.difference,), result.region, compared.where)
    if compared.unreal:
        return Verdict(Status.UNDECIDED, (summary, compared.reason), result.region)
    drawn = compare_forward_draws(derivation.before, derivation.after, source)
    evidence = (summary, _structure(derivation), str(compared), str(drawn))
    if drawn.differs:  # draws alone do not refute: they may be too coarse, or underflow
        return Verdict(Status.UNDECIDED, (str(drawn), *evidence[:-1]), result.region)
    return replace(result, evidence=evidence)


def _bounded(
    compare: Callable[..., Agreement], before: Model, after: Model, source: Callable[[Model], str]
) -> Agreement:
    """Return the comparison, or the reason why it could not be made."""
    try:
        return compare(before, after, source(after))
    except (SymauxError, ArithmeticError, ValueError, TypeError, LookupError, RecursionError) as failure:
        return Agreement(0, reason=f"{type(failure).__name__}: {failure}".split("\n", 1)[0][:300])


def verify_steps(derivation: Derivation) -> list[Verdict]:
    """Return a verdict on every step, without trusting it: a noise is taken to be normalised only if later steps show it."""
    return [_verify_step(derivation, number) for number in range(len(derivation.steps))]


def _structure(derivation: Derivation) -> str:
    """Return the structural argument in words; a variable that a partial form introduces is not a root."""
    return PARTIAL if any(step.rule in ("partial", "interpolation") for step in derivation.steps) else STRUCTURE


def _verify_step(derivation: Derivation, number: int) -> Verdict:
    """Return the verdict on a step; a step that claims to move a variable must show that the variable has a law."""
    step = derivation.steps[number]
    if step.rule not in MOVES or isinstance(derivation.before, Model) or not is_law(step.before):
        trusted = _is_rewritten_later(derivation, number) and (
            step.rule not in MOVES or isinstance(derivation.before, Model)
        )
        return verify(step.before, step.after, noise_is_normalised=trusted)
    return verify(step.before, step.after, noise_is_normalised=True)


def _is_rewritten_later(derivation: Derivation, number: int) -> bool:
    """Return whether later steps rewrite the noise of this one, and so show that it is normalised; True for moves."""
    step = derivation.steps[number]
    if step.rule in MOVES:
        return True
    return all(any(later.before == noise for later in derivation.steps[number + 1 :]) for noise in step.after.noise)


def _summary(derivation: Derivation, verdicts: list[Verdict]) -> str:
    counts = {status: sum(v.status is status for v in verdicts) for status in Status}
    listed = ", ".join(f"{count} {status.name.lower()}" for status, count in counts.items() if count)
    return f"{len(verdicts)} steps: {listed}" if verdicts else "nothing was rewritten"
