r"""Forms of laws on vectors: a rule takes the whole vector apart, and what noise it leaves is rewritten element by element.

The rules see the law as it stands, with its parents in it; a vector has one noise per element, named after the variable,
and a noise that is not of the kind that is asked for goes through the search for scalar laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.errors import NoRuleApplies
from symaux.formulas.symbols.indices import renamed
from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.charts import region
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform, spelled
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite, Rule
from symaux.rules.verdict import Status, weakest

Derive = Callable[..., AuxiliaryForm]


def vector_forms(law: Law, rules: Sequence[Rule], kind: str, derive: Derive) -> Iterator[AuxiliaryForm]:
    """Yield every form that the rules give for a vector, in their order; those that are not proved come last."""
    doubtful = []
    for rule in rules:
        for raw in rule(law):
            form = _form(law, rule, raw, kind, derive)
            if form is None or form.verdict.status is Status.REFUTED:
                continue
            if form.verdict:
                yield form
            else:
                doubtful.append(form)
    yield from doubtful


def _form(law: Law, rule: Rule, raw: Rewrite, kind: str, derive: Derive) -> AuxiliaryForm | None:
    done = [_wanted(noise, kind) for noise in raw.noise]
    names = {
        n.value: _name(law, n, number, len(raw.noise), final)
        for number, (n, final) in enumerate(zip(raw.noise, done, strict=True), 1)
    }
    noise = tuple(spelled(n.substituted(names)) for n in raw.noise)
    made = Rewrite(noise, raw.value.xreplace(names))
    verdict = verify(law, made, noise_is_normalised=not all(done))
    verdict = replace(verdict, region=tuple(dict.fromkeys((*region(law), *verdict.region))))
    state = _State(noise, made.value, (Step(law.name, rule.name, law, made, verdict),))
    for number, (n, final) in enumerate(zip(noise, done, strict=True), 1):
        if not final:
            try:
                state = state.continued(
                    n, f"eps_{law.name}{_tail(number, len(noise))}", derive(replace(n, spelling=None), noise=kind)
                )
            except NoRuleApplies:
                return None
    total = weakest(*(step.verdict for step in state.steps))
    evidence = tuple(f"{s.rule}: {line}" for s in state.steps for line in s.verdict.evidence)
    total = replace(total, region=verdict.region, evidence=evidence if len(state.steps) > 1 else verdict.evidence)
    return AuxiliaryForm(law, state.noise, state.value, state.steps, total)


@dataclass(frozen=True)
class _State:
    """A form on its way: its noises, its generating function, and the steps so far."""

    noise: tuple[Law, ...]
    value: sp.Expr
    steps: tuple[Step, ...]

    def continued(self, noise: Law, name: str, form: AuxiliaryForm) -> _State:
        """Return one of the noises replaced by a form of it, whose own noise gets the final name and keeps its own
        sign."""
        (inner,) = form.noise
        mapping = {inner.value: renamed(noise.value, name, inner.value)}
        final = spelled(inner.substituted(mapping))
        steps = tuple(_about(step, mapping) for step in form.steps)
        value = self.value.xreplace({noise.value: form.value.xreplace(mapping)})
        return _State(tuple(final if n is noise else n for n in self.noise), value, (*self.steps, *steps))


def _about(step: Step, mapping: dict[Any, Any]) -> Step:
    noise = tuple(spelled(n.substituted(mapping)) for n in step.after.noise)
    after = Rewrite(noise, step.after.value.xreplace(mapping))
    before = step.before.substituted(mapping) if step.before.value in mapping else step.before
    return replace(step, before=before, after=after)


def _wanted(noise: Law, kind: str) -> bool:
    if noise.parameters:
        return False
    match kind:
        case "normal":
            return noise.support == REALS
        case "uniform":
            return is_standard_uniform(noise)
    return is_standard_normal(noise) or is_standard_uniform(noise)


def _name(law: Law, noise: Law, number: int, count: int, final: bool) -> Any:
    """eps_z for the noise of z, eps_z_1 and so on for several; partial_z_1 for what is rewritten further."""
    name = f"eps_{law.name}{_tail(number, count)}" if final else f"partial_{law.name}_{number}"
    return renamed(noise.value, name, noise.value)


def _tail(number: int, count: int) -> str:
    return f"_{number}" if count > 1 else ""
