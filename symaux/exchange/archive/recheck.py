"""Check a record again: verify every step anew, and check that the steps lead to the form that the file claims."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sp

from symaux.exchange.archive.records import Record
from symaux.proof.verify import verify
from symaux.rules.derivation import Derivation
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or
from symaux.validate.verify_model import verify_derivation

ASTRAY = "the steps of the file do not lead to its form, which was judged by itself"


@dataclass(frozen=True)
class Rechecked:
    """The verdict that was found, and whether it is at least as strong as the one that the file claims."""

    verdict: Verdict
    holds: bool

    def __str__(self) -> str:
        said = "the file's claim holds" if self.holds else "the file's claim does NOT hold"
        return f"{said}\n{self.verdict}"


def recheck_record(record: Record) -> Rechecked:
    """Return the verdict on what a record claims, without trusting any of it."""
    astray = record.law is not None and bool(record.steps) and not _leads_there(record)
    found = _alone(record, ASTRAY) if astray else _found(record)
    claimed = record.verdict.status
    holds = not astray and found.status.strength >= claimed.strength and Status.REFUTED not in (found.status, claimed)
    if found.status is Status.CERTIFIED and found.points and not set(_keys(record.verdict)) <= set(_keys(found)):
        holds = False
    return Rechecked(found, holds)


def _keys(verdict: Verdict) -> list[frozenset[tuple[sp.Expr, sp.Expr]]]:
    return [frozenset(point) for point in verdict.points]


def _found(record: Record) -> Verdict:
    if record.law is None:
        if not record.steps:
            return Verdict(Status.PROVED, ("nothing was rewritten",))
        return verify_derivation(Derivation(None, None, record.steps))
    if record.steps:
        return verify_derivation(Derivation(record.law, None, record.steps))
    return _alone(record, "the form was judged by itself")


def _alone(record: Record, reason: str) -> Verdict:
    assert record.law is not None
    whole = verify(record.law, Rewrite(record.noise, record.value))
    return replace(whole, evidence=(reason, *whole.evidence))


def _leads_there(record: Record) -> bool:
    """Return whether the steps, one after the other, make the form's formula and noise out of its law."""
    assert record.law is not None
    laws, value = [record.law], record.law.value
    for step in record.steps:
        if step.before not in laws:
            return False
        laws = [law for law in laws if law != step.before] + list(step.after.noise)
        value = value.xreplace({step.before.value: step.after.value})
    if {law.value: law for law in laws} != {law.value: law for law in record.noise}:
        return False
    return value == record.value or bool(value_or(run_bounded(_same, value, record.value), False))


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    return sp.simplify(a - b) == 0


__all__ = ["Rechecked", "recheck_record"]
