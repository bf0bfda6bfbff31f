r"""Define the auxiliary form of a law: parameter-free noise and a generating function $z = g(\mathrm{pa}, \varepsilon)$.

Statisticians call it the non-centred parameterisation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symaux.formulas.symbols.formula import Formula
from symaux.laws.law import Law
from symaux.rules.derivation import Derivation, Step
from symaux.rules.verdict import Verdict


@dataclass(frozen=True)
class AuxiliaryForm:
    """The generating function ``value`` of a law, its ``noise``, and the steps that led there with their evidence."""

    law: Law
    noise: tuple[Law, ...]
    value: Formula
    steps: tuple[Step, ...]
    verdict: Verdict

    @property
    def derivation(self) -> Derivation:
        """Return the steps from the law to this form."""
        return Derivation(self.law, self, self.steps)

    def __str__(self) -> str:
        lines = [
            f"{self.law.value} = {self.value}",
            *(f"  {noise}" for noise in self.noise),
            f"  {self.verdict.status.value}",
        ]
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        from symaux.show.display.latex import latex

        return rf"$\displaystyle {latex(self.law.value)} = {latex(self.value)}$"

    def _repr_html_(self) -> str:
        from symaux.show.display.explain import form_html

        return form_html(self)

    def explain(self, format: str = "text") -> str:
        """Return the numbered derivation with rules, side conditions and evidence: ``text``, ``latex`` or ``html``."""
        return self.derivation.explain(format)

    def sample(self, key: Any, at: Any = None, shape: tuple[int, ...] = ()) -> Any:
        """Draw samples of the given shape, differentiable in the parameters ``at``."""
        from symaux.api_forms import sample_form

        return sample_form(self, key, at or {}, shape)

    def generate(self, eps: Any, at: Any = None) -> Any:
        """Evaluate the generating function at noises given by name."""
        from symaux.api_forms import generate_form

        return generate_form(self, eps, at or {})

    def quantile(self, u: Any, at: Any = None) -> Any:
        """Evaluate the law's quantile function, for a form with one noise; it increases in u even where g decreases."""
        from symaux.api_forms import quantile_form

        return quantile_form(self, u, at or {})
