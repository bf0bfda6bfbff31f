"""Write forms and derivations as data for people: formulas as text. Beside a record, this part is compared with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.laws.law import Law
from symaux.rules.derivation import Derivation, Step
from symaux.rules.form import AuxiliaryForm


def readable_law(given: Law) -> dict[str, Any]:
    """Return a law as text.

    >>> import sympy as sp
    >>> from symaux.laws.families import exponential
    >>> readable_law(exponential(sp.Symbol("z", positive=True), 2))["log_density"]
    '-2*z + log(2)'
    """
    return {"value": str(given.value), "log_density": str(given.log_density), "support": str(given.support)}


def readable_step(step: Step) -> dict[str, Any]:
    """Return a step as text."""
    return {
        "variable": step.variable,
        "rule": step.rule,
        "before": readable_law(step.before),
        "value": str(step.after.value),
        "noise": [readable_law(n) for n in step.after.noise],
        "verdict": step.verdict.as_dict(),
    }


def readable_form(form: AuxiliaryForm) -> dict[str, Any]:
    """Return the form of a law as text."""
    return {
        "law": readable_law(form.law),
        "value": str(form.value),
        "noise": [readable_law(n) for n in form.noise],
        "verdict": form.verdict.as_dict(),
        "steps": [readable_step(s) for s in form.steps],
    }


def readable_derivation(derivation: Derivation, choice: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a model's derivation as text."""
    return {
        "before": str(derivation.before).split("\n"),
        "after": str(derivation.after).split("\n"),
        "steps": [readable_step(s) for s in derivation.steps],
        "kept": dict(sorted(derivation.kept.items())),
        "verdict": derivation.verdict.as_dict(),
        **({"choice": dict(choice)} if choice else {}),
    }
