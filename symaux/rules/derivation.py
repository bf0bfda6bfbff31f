"""Define ``Derivation`` and ``Step``: the rewrites that lead from a law or model to an equal one, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symaux.laws.law import Law
from symaux.rules.choice import Choice
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict, weakest


@dataclass(frozen=True)
class Step:
    """One rewrite of one variable: the rule, the law before, the rewrite after, and the evidence."""

    variable: str
    rule: str
    before: Law
    after: Rewrite
    verdict: Verdict

    def __str__(self) -> str:
        noises = "; ".join(map(str, self.after.noise))
        after = f"{self.before.value} = {self.after.value}, {noises}"
        return f"{self.rule}: {self.before}\n    {after}\n    {self.verdict.status.value}"


@dataclass(frozen=True)
class Derivation:
    """The steps from ``before`` to ``after``; ``kept`` says why a variable of a model was left as it was.

    Where each variable was rewritten by a weight of its own, ``choice`` holds the weights and the reasons.
    """

    before: Any  # a Law, or a Model
    after: Any  # an AuxiliaryForm, or a Model
    steps: tuple[Step, ...] = ()
    kept: dict[str, str] = field(default_factory=dict)
    choice: Choice | None = None

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the weakest step; a derivation without steps changes nothing and is proved."""
        if not self.steps:
            return Verdict(Status.PROVED, ("nothing was rewritten",))
        return weakest(*(step.verdict for step in self.steps))

    def verify(self) -> Verdict:
        """Verify every step and the structure again and, for a model, check its generated code at random points."""
        from symaux.api import verify_derivation

        return verify_derivation(self)

    def explain(self, format: str = "text") -> str:
        """Return the numbered steps with rules, side conditions and evidence: ``text``, ``latex`` or ``html``."""
        from symaux.show.display.explain import explain

        return explain(self, format)

    def _repr_html_(self) -> str:
        """Return a model's picture above its steps: where there is HTML, a notebook shows it and not the SVG."""
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
        reasons = self.choice.reasons if self.choice else {}
        lines += [f"chose {name}: {reason}" for name, reason in reasons.items() if name not in self.kept]
        return "\n".join(lines)
