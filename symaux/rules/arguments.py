"""Check the arguments of public calls: a model, a derivation, a law or a form; for anything else say what to pass instead.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> z = sp.Symbol("z", real=True)
>>> as_model(normal(z, 0, 1))
Traceback (most recent call last):
symaux.errors.ModelError: expected a model, not a law: sa.Model.of(law, ...) makes one of laws
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.errors import DataError, LawError, ModelError
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.rules.derivation import Derivation
from symaux.rules.form import AuxiliaryForm

NOT_A_MODEL = {
    Law: "a law: sa.Model.of(law, ...) makes one of laws",
    AuxiliaryForm: "the form of one law: form.sample, form.generate and form.quantile run it, sa.to_source(form) has its code",
    Derivation: "a derivation: its .before and its .after are models",
}
NOT_A_LAW = {
    Model: "a model: sa.auxiliary(model) rewrites the laws of its variables",
    AuxiliaryForm: "a form: its .law is one",
    str: "text: sa.parse reads models, sa.law(z, density, support=...) takes formulas of sympy",
}


def as_model(given: Any) -> Model:
    """Return the argument if it is a model; raise ModelError otherwise, saying what to pass instead."""
    if isinstance(given, Model):
        return given
    raise ModelError(f"expected a model, not {_describe(given, NOT_A_MODEL)}")


def as_final_model(given: Any) -> Model:
    """Return the argument if it is a model, or the model that a derivation ends in."""
    return as_model(given.after if isinstance(given, Derivation) else given)


def as_law(given: Any) -> Law:
    """Return the argument if it is a law; raise LawError otherwise, saying what to pass instead."""
    if isinstance(given, Law):
        return given
    raise LawError(f"expected a law, not {_describe(given, NOT_A_LAW)}")


def as_form(given: Any) -> Any:
    """Return the argument if it has a noise and a value, as forms and rewrites do; raise LawError otherwise."""
    if hasattr(given, "noise") and hasattr(given, "value"):
        return given
    raise LawError(
        f"expected a form, not {type(given).__name__}: sa.derive(law), or sa.Rewrite(noise, value) of your own"
    )


def as_data_by_name(given: Any) -> Any:
    """Return the argument if it is a mapping or None; raise DataError otherwise."""
    if given is None or isinstance(given, Mapping):
        return given
    raise DataError(f"data are given by name, as a dictionary, not as {type(given).__name__}")


def _describe(given: Any, known: Mapping[type, str]) -> str:
    return next((words for kind, words in known.items() if isinstance(given, kind)), type(given).__name__)
