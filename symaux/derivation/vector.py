r"""Derive the forms of laws on vectors: a rule rewrites the whole vector, then its noise is rewritten element by element.

The rules read the law as stated, with its parents in it. A vector has one noise per element, named after the variable;
a noise that is not of the wanted kind goes through the search for scalar laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symaux.derivation.form_of_law import check_fresh, with_checked_verdict
from symaux.errors import NoRuleApplies
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import rename_variable
from symaux.formulas.symbols.names import check_names
from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.charts import region
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform, with_family_name
from symaux.model.statements import named_formulas
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite, Rule
from symaux.rules.verdict import Status, weakest

Derive = Callable[..., AuxiliaryForm]


def vector_forms(law: Law, rules: Sequence[Rule], kind: str, derive: Derive) -> Iterator[AuxiliaryForm]:
    """Yield every form that the rules give for a vector, in their order; those that are not proved come last."""
    check_names(named_formulas(law), f"the law of {law.value}")
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
    done = [_is_of_kind(noise, kind) for noise in raw.noise]
    names = {
        n.value: _name(law, n, number, len(raw.noise), final)
        for number, (n, final) in enumerate(zip(raw.noise, done, strict=True), 1)
    }
    check_fresh(law, names.values())
    noise = tuple(with_family_name(n.substituted(names)) for n in raw.noise)
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
    return with_checked_verdict(AuxiliaryForm(law, state.noise, state.value, state.steps, total))


@dataclass(frozen=True)
class _State:
    """An unfinished form: its noises, its generating function, and the steps so far."""

    noise: tuple[Law, ...]
    value: Formula
    steps: tuple[Step, ...]

    def continued(self, noise: Law, name: str, form: AuxiliaryForm) -> _State:
        """Return the state with one noise replaced by its form, whose own noise gets the final name and keeps its sign."""
        (inner,) = form.noise
        mapping = {inner.value: rename_variable(noise.value, name, inner.value)}
        final = with_family_name(inner.substituted(mapping))
        steps = tuple(_about(step, mapping) for step in form.steps)
        value = self.value.xreplace({noise.value: form.value.xreplace(mapping)})
        return _State(tuple(final if n is noise else n for n in self.noise), value, (*self.steps, *steps))


def _about(step: Step, mapping: dict[Any, Any]) -> Step:
    noise = tuple(with_family_name(n.substituted(mapping)) for n in step.after.noise)
    after = Rewrite(noise, step.after.value.xreplace(mapping))
    before = step.before.substituted(mapping) if step.before.value in mapping else step.before
    return replace(step, before=before, after=after)


def _is_of_kind(noise: Law, kind: str) -> bool:
    if noise.parameters:
        return False
    match kind:
        case "normal":
            return noise.support == REALS
        case "uniform":
            return is_standard_uniform(noise)
    return is_standard_normal(noise) or is_standard_uniform(noise)


def _name(law: Law, noise: Law, number: int, count: int, final: bool) -> Any:
    """Return the name of a noise of z: eps_z, or eps_z_1 and so on if several; partial_z_1 if it is rewritten further."""
    name = f"eps_{law.name}{_tail(number, count)}" if final else f"partial_{law.name}_{number}"
    return rename_variable(noise.value, name, noise.value)


def _tail(number: int, count: int) -> str:
    return f"_{number}" if count > 1 else ""
