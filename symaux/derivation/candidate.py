"""Define ``Candidate``, a state of the search: noises, a generating function and the steps so far, and how they compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import sympy as sp

from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import Defined, ImplicitQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.law import Law
from symaux.proof.certificates.total_variation import certify_mass
from symaux.proof.mass.mass import mass
from symaux.proof.shadowed import confirm
from symaux.rules.derivation import Step
from symaux.rules.verdict import Status, Verdict, weakest

UNIT = Interval(sp.S.Zero, sp.S.One)
SPECIAL = tuple(f for f in special.FUNCTIONS if f not in (special.lambertw0_of_exp, special.lambertwm1_of_exp))
SOLVED = 40  # in operations: a special inverse iterates too, in a few steps
ITERATIVE = 400  # in operations: a closed formula comes before one that iterates, however long it is


@dataclass(frozen=True)
class Candidate:
    """Noise laws, a generating function and its steps, in the symbols of a kernel."""

    noise: tuple[Law, ...]
    value: Formula
    steps: tuple[Step, ...] = ()
    later: tuple[Callable[[], Step], ...] = field(
        default=(), compare=False, repr=False
    )  # make the steps, with certificates

    def certified(self) -> Candidate:
        """Return the candidate with a certificate for every step that is not proved."""
        steps = [
            s if s.verdict.status is Status.PROVED else make() for s, make in zip(self.steps, self.later, strict=True)
        ]
        return replace(self, steps=tuple(steps))

    doubt: Verdict | None = field(
        default=None, compare=False, repr=False
    )  # where ball arithmetic does not confirm a proof

    def examined(self, law: Law) -> Candidate:
        """Return the candidate for a law, with a doubt where it is proved and ball arithmetic does not confirm it."""
        if self.verdict.status is not Status.PROVED:
            return self
        confirmed = confirm(self.verdict, law, self.noise, self.value)
        return self if confirmed.status is Status.PROVED else replace(self, doubt=confirmed)

    @property
    def verdict(self) -> Verdict:
        if self.doubt is not None:
            return self.doubt
        if not self.steps:
            return _verdict_without_steps(self.noise)
        if len(self.steps) == 1:
            return self.steps[0].verdict
        lines = [f"{s.rule}: {line}" for s in self.steps for line in s.verdict.evidence]
        return replace(weakest(*(s.verdict for s in self.steps)), evidence=tuple(dict.fromkeys(lines)))

    @property
    def order(self) -> tuple[int, int, bool, int]:
        """Return a sort key: proved before certified, one noise before several, smooth before piecewise, then by cost."""
        return (-self.verdict.status.strength, len(self.noise), self.value.has(sp.Piecewise), cost(self.value))


def _verdict_without_steps(noise: Sequence[Law]) -> Verdict:
    """Return the verdict of laws taken as their own noise: they must be free of parameters and integrate to one."""
    if any(law.parameters for law in noise):
        return Verdict(Status.UNDECIDED, ("nothing was rewritten yet",))
    masses = [mass(law) for law in noise]
    if all(m.proved for m in masses):
        return Verdict(Status.PROVED, ("the law has no parameters: it is its own noise", "its density integrates to 1"))
    integrals = ", ".join(m.seen for m in masses)
    if any(m.wrong for m in masses):
        witness = (("integral", integrals),)
        return Verdict(Status.REFUTED, (f"the density integrates to {integrals}, not to 1",), (), witness)
    certified = [certify_mass(law) for law in noise]
    if all(certified):
        return weakest(*(verdict for verdict in certified if verdict is not None))
    unproved = (m.unproved("the density") for m in masses if not m.proved)
    return weakest(*(Verdict(status, (reason,)) for status, reason in unproved))


def cost(formula: Formula) -> int:
    """Return the cost of evaluating a formula: its operations, with functions that sympy lacks counted as several."""
    return (
        int(sp.count_ops(formula))
        + 3 * len(formula.atoms(Defined, sp.erfinv, sp.erf, sp.LambertW))
        + SOLVED * len(formula.atoms(*SPECIAL))
        + ITERATIVE * len(formula.atoms(ImplicitQuantile))
    )


def needs_solver(formula: Formula) -> bool:
    """Return whether evaluating a formula means solving an equation."""
    return formula.has(ImplicitQuantile, *SPECIAL)


def is_final_noise(law: Law, kind: str) -> bool:
    """Return whether a noise needs no further rewriting."""
    if law.parameters or not isinstance(law.support, Interval):
        return False
    if kind == "uniform":
        return law.support == UNIT and law.log_density == 0
    return kind == "auto" or (law.support == REALS and law.log_density == -(law.value**2) / 2 - sp.log(2 * sp.pi) / 2)
