"""What a public call is given: a model or the one that a derivation ends in, a law, a form; for anything else, what to do.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> z = sp.Symbol("z", real=True)
>>> a_model(normal(z, 0, 1))
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

NO_MODEL = {
    Law: "a law: sa.Model.of(law, ...) makes one of laws",
    AuxiliaryForm: "the form of one law: form.sample, form.generate and form.quantile run it, sa.to_source(form) has its code",
    Derivation: "a derivation: its .before and its .after are models",
}
NO_LAW = {
    Model: "a model: sa.auxiliary(model) rewrites the laws of its variables",
    AuxiliaryForm: "a form: its .law is one",
    str: "text: sa.parse reads models, sa.law(z, density, support=...) takes formulas of sympy",
}


def a_model(given: Any) -> Model:
    """Return a model, or ModelError with what to give instead."""
    if isinstance(given, Model):
        return given
    raise ModelError(f"expected a model, not {_told(given, NO_MODEL)}")


def a_last_model(given: Any) -> Model:
    """Return a model, or the one after a derivation."""
    return a_model(given.after if isinstance(given, Derivation) else given)


def a_law(given: Any) -> Law:
    """Return a law, or LawError with what to give instead."""
    if isinstance(given, Law):
        return given
    raise LawError(f"expected a law, not {_told(given, NO_LAW)}")


def a_form(given: Any) -> Any:
    """Noise and a generating function, as a form or a rewrite has them, or LawError."""
    if hasattr(given, "noise") and hasattr(given, "value"):
        return given
    raise LawError(
        f"expected a form, not {type(given).__name__}: sa.derive(law), or sa.Rewrite(noise, value) of your own"
    )


def data_by_name(given: Any) -> Any:
    """Data as a dictionary, or none."""
    if given is None or isinstance(given, Mapping):
        return given
    raise DataError(f"data are given by name, as a dictionary, not as {type(given).__name__}")


def _told(given: Any, known: Mapping[type, str]) -> str:
    return next((words for kind, words in known.items() if isinstance(given, kind)), type(given).__name__)
