"""Build a law from what a user types: a formula, the names of its value and parameters, two bounds; or a family's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from symaux.errors import LanguageError
from symaux.language.formula_functions import NAMES
from symaux.language.formulas import condition, formula, names
from symaux.language.grammar import condition_tree
from symaux.language.law_names import canonical_name, families, template
from symaux.language.names import check_name, check_twins, suggest
from symaux.laws.law import Law, law

USUAL_VALUES = ("z", "x", "y")


def law_from_text(
    text: str,
    value: str | None = None,
    *,
    positive: Iterable[str] = (),
    real: Iterable[str] = (),
    support: Sequence[str] | None = None,
    given: Iterable[str] = (),
    logarithm: bool = False,
) -> Law:
    """Return the law whose density (or its logarithm) is given as text. A parameter that is not declared is real.

    ``given`` holds conditions on the parameters, such as ``0 < p < 1``.

    >>> print(law_from_text("a*exp(-a*z)", positive=["a"], support=("0", "oo")))
    z ~ exp(-a*z + log(a)) on (0, oo)
    """
    positive, real = tuple(positive), tuple(real)
    read = set(names(text)).union(*(names(bound) for bound in support or ()))
    value = check_name(value, NAMES) if value else _usual(read)
    if support and any(value in names(bound) for bound in support):
        raise LanguageError(f"the support ({', '.join(support)}) of {value} contains {value} itself")
    given = tuple(given)
    for text_of in given:
        if unknown := set(names(text_of, condition_tree)) - (read - {value}):
            name = min(unknown)
            raise LanguageError(
                f"--given {text_of}: {name!r} is not a parameter of the law{suggest(name, read - {value})}"
            )
    _check_declared(read | {value}, positive, real)
    symbols = {name: sp.Symbol(name, **_assumed(name in positive)) for name in read - {value}}
    bounds = None if support is None else tuple(formula(bound, symbols) for bound in support)
    above = value in positive or (bounds is not None and value not in real and bool(bounds[0].is_nonnegative))
    symbols[value] = sp.Symbol(value, **_assumed(above))
    stated = formula(text, symbols)
    conditions = tuple(_condition(each, symbols) for each in given)
    if logarithm:
        return law(symbols[value], log_density=stated, support=bounds, conditions=conditions)
    return law(symbols[value], stated, support=bounds, conditions=conditions)


def _condition(text: str, symbols: dict[str, sp.Symbol]) -> Any:
    made = condition(text, symbols)
    if made in (sp.true, sp.false):
        raise LanguageError(f"--given {text} is always {str(made).lower()}, so it does not constrain the parameters")
    return made


def _assumed(positive: bool) -> dict[str, bool]:
    return {"positive": True} if positive else {"real": True}


def _usual(read: set[str]) -> str:
    for name in USUAL_VALUES:
        if name in read:
            return name
    raise LanguageError(f"which name is the variable? say --value NAME, one of {', '.join(sorted(read)) or 'none'}")


def _check_declared(read: set[str], positive: tuple[str, ...], real: tuple[str, ...]) -> None:
    for name in (*positive, *real):
        if check_name(name, NAMES) not in read:
            raise LanguageError(f"{name!r} is declared but does not occur in the formula{suggest(name, read)}")
    if both := set(positive) & set(real):
        raise LanguageError(f"{', '.join(sorted(both))} is declared both positive and real")
    check_twins(read)


def family_law(name: str) -> Law | None:
    """Return the family of this name, in any case and with or without underscores, with symbols for its parameters.

    >>> print(family_law("LogNormal"))
    z ~ log_normal(loc, scale)
    >>> family_law("a*b") is None
    True
    """
    family = families().get(canonical_name(name))
    return None if family is None else template(family)
