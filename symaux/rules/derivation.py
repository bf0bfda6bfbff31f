"""A derivation: the steps from one thing to an equal one, each with its rule, before, after and evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symaux.laws.law import Law
from symaux.rules.choice import Choice
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict, weakest


@dataclass(frozen=True)
class Step:
    """One rewrite of one variable: the rule, what stood there, what stands there now, and the evidence."""

    variable: str
    rule: str
    before: Law
    after: Rewrite
    verdict: Verdict

    def __str__(self) -> str:
        noises = "; ".join(map(str, self.after.noise))
        made = f"{self.before.value} = {self.after.value}, {noises}"
        return f"{self.rule}: {self.before}\n    {made}\n    {self.verdict.status.value}"


@dataclass(frozen=True)
class Derivation:
    """From ``before`` to ``after`` by ``steps``; ``kept`` says why a variable of a model was left as it was.

    Where it was chosen how far to rewrite each variable, ``choice`` holds the weights and the reasons.
    """

    before: Any  # a Law, or a Model
    after: Any  # an AuxiliaryForm, or a Model
    steps: tuple[Step, ...] = ()
    kept: dict[str, str] = field(default_factory=dict)
    choice: Choice | None = None

    @property
    def verdict(self) -> Verdict:
        """That of the weakest step; a derivation without steps changes nothing."""
        if not self.steps:
            return Verdict(Status.PROVED, ("nothing was rewritten",))
        return weakest(*(step.verdict for step in self.steps))

    def verify(self) -> Verdict:
        """Judges every step anew, the structure of the whole, and, for a model, its generated code at random points."""
        from symaux.api import verified

        return verified(self)

    def explain(self, format: str = "text") -> str:
        """Return the numbered steps with rules, side conditions and evidence: ``text``, ``latex`` or ``html``."""
        from symaux.show.display.explain import explained

        return explained(self, format)

    def _repr_html_(self) -> str:
        """Return a model's picture above its steps: a notebook shows the HTML where there is some, and not the SVG."""
        picture = self._repr_svg_() if hasattr(self.before, "nodes") else ""
        return (picture or "") + self.explain("html")

    def _repr_latex_(self) -> str:
        return self.explain("latex")

    def _repr_svg_(self) -> str | None:
        from symaux.show.display.notebook import picture

        return picture(self if hasattr(self.before, "nodes") else self.before)

    def __str__(self) -> str:
        lines = [f"{number}. {step}" for number, step in enumerate(self.steps, 1)]
        lines += [f"kept {name}: {reason}" for name, reason in sorted(self.kept.items())]
        told = self.choice.reasons if self.choice else {}
        lines += [f"chose {name}: {reason}" for name, reason in told.items() if name not in self.kept]
        return "\n".join(lines)
