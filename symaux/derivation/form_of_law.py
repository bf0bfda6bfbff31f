r"""State a form that was proved of a kernel as a form of the law: parents put back, noises under fresh names, and checked.

What a caller gets is an instance of what was proved, and this is shown here of the very object that is returned: the kernel
with its arguments is the law; every argument is what the proof took its parameter to be; the noises are new to everything in
sight; and the steps, one after the other, compose to the generating function. If one of these cannot be shown, the verdict
of the search does not count, and the form is verified by itself.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from symaux.derivation.candidate import Candidate
from symaux.errors import LawError
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of, rename_variable
from symaux.formulas.symbols.names import check_names, taken_name
from symaux.formulas.symbols.support import bounds
from symaux.laws.densities.charts import region
from symaux.laws.kernel import Kernel
from symaux.laws.law import Law
from symaux.laws.parameter_signs import inherited_sign
from symaux.laws.standard_noise import with_family_name
from symaux.model.statements import named_formulas
from symaux.proof.verify import verify
from symaux.rules.composition import compose_steps, same_formula
from symaux.rules.derivation import Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite


def form_of_law(law: Law, made: Kernel, found: Candidate) -> AuxiliaryForm:
    """Return a form of the kernel as a form of the law; raise LawError if a name that it needs is the user's."""
    check_names(named_formulas(law), f"the law of {law.value}")
    names = _names(law, found)
    check_fresh(law, names.values())
    mapping = made.inverse | names
    noise = tuple(with_family_name(n.substituted(mapping)) for n in found.noise)
    steps = tuple(_step_about(law, step, mapping, first=number == 0) for number, step in enumerate(found.steps))
    value = _proved_value(made.law, found).xreplace(mapping)
    form = AuxiliaryForm(law, noise, value, steps, found.verdict.about(mapping, region(law)))
    return with_checked_verdict(form, _differences(law, made))


def check_fresh(law: Law, values: Iterable[Any]) -> None:
    """Raise LawError if the law has a variable, a parameter, a condition or a plate with the name of a new variable.

    >>> import sympy as sp
    >>> from symaux.laws.families import normal
    >>> e = sp.Symbol("eps_z", real=True)
    >>> check_fresh(normal(sp.Symbol("z", real=True), sp.Symbol("eps_z", positive=True), 1), [e])
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: the form of z needs the name eps_z for a noise, and z ~ normal(eps_z, 1) uses eps_z already
      try:  another name for yours
    """
    for value in values:
        name = name_of(value)
        taken = taken_name(name, named_formulas(law))
        if taken is not None:
            raise LawError(
                f"the form of {law.value} needs the name {name} for a noise, and {law} uses {taken} already\n"
                "  try:  another name for yours"
            )


def with_checked_verdict(form: AuxiliaryForm, differences: Iterable[str] = ()) -> AuxiliaryForm:
    """Return the form with its verdict, if it is an instance of what was proved; otherwise with a verdict on it by itself."""
    reason = next(itertools.chain(differences, _gaps(form)), None) if form.verdict else None
    if reason is None:
        return form
    alone = verify(form.law, Rewrite(form.noise, form.value))
    return replace(form, verdict=replace(alone, evidence=(f"judged by itself: {reason}", *alone.evidence)))


def _differences(law: Law, made: Kernel) -> Iterator[str]:
    """Yield where the kernel with its arguments is not the law, or an argument not what its parameter is declared to be."""
    if not same_law(made.law.substituted(made.inverse), law):
        yield f"the kernel {made.law} with its arguments was not seen to be {law}"
    for parameter, argument in made.arguments.items():
        sign = next((word for word in ("positive", "negative") if getattr(parameter, f"is_{word}")), None)
        if sign and inherited_sign(argument, law.conditions) != sign:
            yield f"{argument} is not known to be {sign}"
        if parameter.is_integer and not argument.is_integer:
            yield f"{argument} is not known to be an integer"


def same_law(one: Law, other: Law) -> bool:
    """Return whether two laws of one variable are equal by their formulas; conditions are not compared."""
    if one.value != other.value or type(one.support) is not type(other.support) or one.proper != other.proper:
        return False
    if one.event != other.event:
        return False
    ends = zip(bounds(one.support), bounds(other.support), strict=True)
    return same_formula(one.log_density, other.log_density) and all(same_formula(a, b) for a, b in ends)


def _gaps(form: AuxiliaryForm) -> Iterator[str]:
    """Yield why the steps do not lead from the law to the form."""
    if not form.steps:
        return
    made = compose_steps(form.law, form.steps)
    if made is None or isinstance(made, str):
        yield made or "no step is about the law"
    elif len(made.steps) != len(form.steps):
        yield "a step is about another law"
    elif {n.value: n for n in made.noise} != {n.value: n for n in form.noise} or len(made.noise) != len(form.noise):
        yield "the noises are not those that the steps leave"
    elif not same_formula(made.value, form.value):
        yield "the formula is not the one that the steps compose to"


@functools.lru_cache(maxsize=1024)
def _proved_value(law: Law, found: Candidate) -> Formula:
    """Return the candidate's formula if it is seen to be what its steps compose to, and otherwise the composition."""
    made = compose_steps(law, found.steps)
    if made is None or isinstance(made, str) or same_formula(made.value, found.value):
        return found.value
    return made.value


def _step_about(law: Law, step: Step, mapping: dict[Any, Any], first: bool) -> Step:
    before = law if first else step.before.substituted(mapping)
    noise = tuple(with_family_name(n.substituted(mapping)) for n in step.after.noise)
    after = Rewrite(noise, step.after.value.xreplace(mapping))
    return Step(law.name, step.rule, before, after, step.verdict.about(mapping, region(before)))


def _names(law: Law, found: Candidate) -> dict[Any, Any]:
    """Return names: eps_v for the noise of v, eps_v_1 and so on for several, partial_v_1 for intermediate noises."""
    final = {n.value for n in found.noise}
    between = [n for step in found.steps for n in step.after.noise if n.value not in final]
    several = len(found.noise) > 1
    names = {n.value: f"eps_{law.name}" + (f"_{k}" if several else "") for k, n in enumerate(found.noise, 1)}
    names |= {n.value: f"partial_{law.name}_{k}" for k, n in enumerate(between, 1)}
    return {symbol: rename_variable(law.value, name, symbol) for symbol, name in names.items()}


__all__ = ["check_fresh", "form_of_law", "same_law", "with_checked_verdict"]
