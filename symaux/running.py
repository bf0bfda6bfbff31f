"""A form that runs, by the default rules: its module, its values, its draws and its quantiles.

>>> import sympy as sp
>>> from symaux.defaults import derive
>>> from symaux.families import exponential
>>> form = derive(exponential(sp.Symbol("z", positive=True), sp.Symbol("r", positive=True)))
>>> float(quantile_form(form, 0.75, {"r": 2.0})) == float(form.quantile(0.75, {"r": 2.0}))
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from symaux.calculus.turning import turns_back
from symaux.defaults import derive, forms
from symaux.form import AuxiliaryForm
from symaux.plugins import default_rules, default_simplifications
from symaux.standard import is_standard_normal, is_standard_uniform


def form_source(form: AuxiliaryForm) -> str:
    """The text of a module with the generating function of a form."""
    from symaux.codegen.forms import to_source

    return to_source(form, simplify())


def generate_form(form: AuxiliaryForm, eps: Mapping[str, Any], at: Mapping[str, Any]) -> Any:
    """The generating function of a form at given noise and parameters."""
    from symaux.codegen.forms import generate

    return generate(form, simplify(), eps, at)


def sample_form(form: AuxiliaryForm, key: Any, at: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    """Draws from a form."""
    from symaux.codegen.forms import sample

    return sample(_standardised(form), simplify(), key, at, shape)


def quantile_form(form: AuxiliaryForm, u: Any, at: Mapping[str, Any]) -> Any:
    """The quantile function of a form with one noise."""
    from symaux.codegen.forms import quantile

    if len(form.noise) == 1 and not form.law.event:
        form = _standardised(_in_order(form))
    return quantile(form, simplify(), u, at)


@lru_cache(maxsize=256)
def _in_order(form: AuxiliaryForm) -> AuxiliaryForm:
    """The form itself, or, where it folds, one that solves for the quantile of the same law."""
    if not turns_back(form.value, form.noise[0], form.law.parameters, form.law.conditions):
        return form
    return next(forms(form.law, rules=tuple(rule for rule in default_rules() if rule.last)))


@lru_cache(maxsize=256)
def _standardised(form: AuxiliaryForm) -> AuxiliaryForm:
    """The form itself if its noises are standard normal or uniform; otherwise with each put through its quantile."""
    value, noises, steps = form.value, [], list(form.steps)
    for noise in form.noise:
        if is_standard_normal(noise) or is_standard_uniform(noise):
            noises.append(noise)
            continue
        inner = derive(noise, noise="uniform")
        value = value.xreplace({noise.value: inner.value})
        noises += inner.noise
        steps += inner.steps
    return replace(form, value=value, noise=tuple(noises), steps=tuple(steps))


@lru_cache(maxsize=1)
def simplify() -> Any:
    """The default simplifications as one function of a formula."""
    from symaux.codegen.simplify import simplifier

    return simplifier(default_simplifications())
