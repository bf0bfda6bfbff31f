"""What a search has found: noises, a generating function and its steps; and the order in which forms are better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import sympy as sp

from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import Defined, ImplicitQuantile
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.law import Law
from symaux.proof.certificates.total_variation import certified_mass
from symaux.proof.mass.mass import mass
from symaux.rules.derivation import Step
from symaux.rules.verdict import Status, Verdict, weakest

UNIT = Interval(sp.S.Zero, sp.S.One)
SPECIAL = tuple(f for f in special.FUNCTIONS if f not in (special.lambertw0_of_exp, special.lambertwm1_of_exp))
SOLVED = 40  # a special inverse iterates too, in a few steps
ITERATIVE = 400  # a closed formula comes before one that iterates, however long it is


@dataclass(frozen=True)
class Found:
    """Noise laws, generating function and steps, about a kernel's own symbols."""

    noise: tuple[Law, ...]
    value: sp.Expr
    steps: tuple[Step, ...] = ()
    later: tuple[Callable[[], Step], ...] = field(default=(), compare=False, repr=False)  # the steps, with certificates

    def certified(self) -> Found:
        """Return the same with a certificate for every step that has no proof."""
        steps = [
            s if s.verdict.status is Status.PROVED else make() for s, make in zip(self.steps, self.later, strict=True)
        ]
        return replace(self, steps=tuple(steps))

    @property
    def verdict(self) -> Verdict:
        if not self.steps:
            return _own_noise(self.noise)
        if len(self.steps) == 1:
            return self.steps[0].verdict
        lines = [f"{s.rule}: {line}" for s in self.steps for line in s.verdict.evidence]
        return replace(weakest(*(s.verdict for s in self.steps)), evidence=tuple(dict.fromkeys(lines)))

    @property
    def order(self) -> tuple[int, int, bool, int]:
        """Proved before certified, one noise before several, smooth before piecewise, cheap before dear."""
        return (-self.verdict.status.strength, len(self.noise), self.value.has(sp.Piecewise), cost(self.value))


def _own_noise(noise: Sequence[Law]) -> Verdict:
    """Return a law without parameters is its own noise, if it is a law at all: its density must integrate to one."""
    if any(law.parameters for law in noise):
        return Verdict(Status.UNDECIDED, ("nothing was rewritten yet",))
    found = [mass(law) for law in noise]
    if all(m.proved for m in found):
        return Verdict(Status.PROVED, ("the law has no parameters: it is its own noise", "its density integrates to 1"))
    seen = ", ".join(m.seen for m in found)
    if any(m.wrong for m in found):
        return Verdict(Status.REFUTED, (f"the density integrates to {seen}, not to 1",), (), (("integral", seen),))
    shown = [certified_mass(law) for law in noise]
    if all(shown):
        return weakest(*(verdict for verdict in shown if verdict is not None))
    return weakest(
        *(Verdict(status, (told,)) for status, told in (m.unproved("the density") for m in found if not m.proved))
    )


def cost(formula: sp.Expr) -> int:
    """How dear a formula is to evaluate: its operations, with functions that sympy lacks counted as several."""
    return (
        int(sp.count_ops(formula))
        + 3 * len(formula.atoms(Defined, sp.erfinv, sp.erf, sp.LambertW))
        + SOLVED * len(formula.atoms(*SPECIAL))
        + ITERATIVE * len(formula.atoms(ImplicitQuantile))
    )


def iterates(formula: sp.Expr) -> bool:
    """Return whether computing a formula means solving an equation."""
    return formula.has(ImplicitQuantile, *SPECIAL)


def complete(law: Law, kind: str) -> bool:
    """Return whether a noise needs no further rewriting."""
    if law.parameters or not isinstance(law.support, Interval):
        return False
    if kind == "uniform":
        return law.support == UNIT and law.log_density == 0
    return kind == "auto" or (law.support == REALS and law.log_density == -(law.value**2) / 2 - sp.log(2 * sp.pi) / 2)
