"""Check that the text of a model is the model: parsed again, it has the same statements.

A text that says something else would be worse than none: an improper prior without its Jacobian is another model.
"""

from __future__ import annotations

import warnings
from typing import Any

import sympy as sp

from symaux.errors import DomainWarning, LanguageError, SymauxError
from symaux.formulas.functions.elementary import defined
from symaux.language.parse import parse
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Statement, target


def check_round_trip(model: Model, text: str) -> None:
    """Raise LanguageError if the text of a model would be another model.

    >>> from symaux.laws.law import flat
    >>> check_round_trip(Model.of(flat(sp.Symbol("s", positive=True))), "s ~ flat on (0, oo)")
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DomainWarning)
            again = parse(text)
    except SymauxError as failure:
        raise LanguageError(f"the language cannot express this model: its text does not parse: {failure}") from None
    if (difference := first_difference(model, again)) is not None:
        raise LanguageError(f"the language cannot express this model: {difference}")


def first_difference(model: Model, other: Model) -> str | None:
    """Return a sentence about the first difference of two models; None if they are the same, up to the spelling of formulas."""
    if model == other:
        return None
    if (model.observed, model.auxiliary & set(model.nodes)) != (other.observed, other.auxiliary):
        return "other variables are observed or auxiliary"
    if len(model.statements) != len(other.statements):
        return f"it has {len(other.statements)} statements, not {len(model.statements)}"
    for one, two in zip(_ordered(model), _ordered(other), strict=True):
        if not _same(one, two):
            return f"{one} would be read as {two}"
    return None


def _ordered(model: Model) -> list[Statement]:
    return [s for node in model.nodes.values() for s in node.statements] + list(model.factors)


def _same(one: Statement, other: Statement) -> bool:
    if one == other:
        return True
    if type(one) is not type(other) or target(one) != target(other):
        return False
    if isinstance(one, Law) and isinstance(other, Law):
        own = [(law.support, set(law.conditions), law.event, law.proper) for law in (one, other)]
        if own[0] != own[1]:
            return False
    return all(_equal(a, b) for a, b in zip(one.formulas, other.formulas, strict=True))


def _equal(one: Any, other: Any) -> bool:
    """Return whether two formulas are equal as written, or after functions are expanded and products multiplied out."""
    return one == other or sp.expand(defined(one) - defined(other)) == 0
