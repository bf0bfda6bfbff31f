r"""Declare a named family by a function from a value and parameters to a log-density (and its support).

The annotations of the parameters state their domains. Calling the family substitutes the arguments into its formula and
checks them; what cannot be decided about an argument becomes a side condition of the law.

>>> @family
... def triangle(z, width: Positive):
...     return sp.log(2 * z) - 2 * sp.log(width), Interval(0, width)
>>> print(triangle(sp.Symbol("z", positive=True), 3).log_density)
log(2*z) - 2*log(3)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_origin

import sympy as sp

from symaux.errors import LawError
from symaux.formulas.algebra.convert import as_formula
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.names import check_names
from symaux.formulas.symbols.support import REALS, Integers, Interval
from symaux.laws.law import Law, Spelling, as_value
from symaux.laws.support import check_support
from symaux.laws.template_cache import TemplateCache


@dataclass(frozen=True)
class Domain:
    """The values that a parameter may take: the assumptions of its symbol, and the condition on an argument."""

    words: str
    assumptions: tuple[str, ...]
    condition: Callable[[Formula], Any]


REAL = Domain("real", ("real",), lambda x: sp.true)
POSITIVE = Domain("positive", ("positive",), lambda x: x > 0)
NONNEGATIVE = Domain("at least 0", ("positive",), lambda x: x >= 0)
PROBABILITY = Domain("a probability, between 0 and 1", ("positive",), lambda x: sp.And(x >= 0, x <= 1))
COUNT = Domain("an integer of at least 0", ("integer", "nonnegative"), lambda x: x >= 0)

Real = Annotated[Formula, REAL]
Positive = Annotated[Formula, POSITIVE]
NonNegative = Annotated[Formula, NONNEGATIVE]
Probability = Annotated[Formula, PROBABILITY]
Count = Annotated[Formula, COUNT]


def family(formula: Callable[..., Any]) -> Callable[..., Law]:
    """Return a family from its formula; the decorated function takes the variable first, then the parameters."""
    parameters = list(inspect.signature(formula, eval_str=True).parameters.items())[1:]
    domains = {name: domain_of(parameter.annotation) for name, parameter in parameters}
    signature = inspect.signature(formula)

    @functools.cache
    def template() -> tuple[Law, tuple[sp.Symbol, ...]]:
        symbols = tuple(sp.Symbol(n, **dict.fromkeys(d.assumptions, True)) for n, d in domains.items())
        stated = formula(sp.Symbol("z", real=True), *symbols)
        support = stated[1] if isinstance(stated, tuple) else REALS
        # z has the support's assumption from the start, so that everything derived from the template has it too
        z = sp.Symbol("z", **_assumptions(support))
        stated = formula(z, *symbols)
        log_density = stated[0] if isinstance(stated, tuple) else stated
        return Law(z, log_density, _as_formulas(support)), symbols

    @functools.cache
    def cache() -> TemplateCache:
        return TemplateCache(lambda value, given: apply_family(formula.__name__, *template(), domains, value, given))

    @functools.wraps(formula)
    def of(*args: Any, **kwargs: Any) -> Law:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as failure:
            raise LawError(f"{formula.__name__}{signature_text(formula)}: {failure}") from None
        value, *given = bound.arguments.values()
        value, arguments = as_value(value), tuple(as_formula(a) for a in given)
        check_names((value, *arguments), f"{formula.__name__}({value}, ...)")
        try:
            known = cache().law(value, arguments)
        except LawError:  # raised again below, in the user's names
            known = None
        return known or apply_family(formula.__name__, *template(), domains, value, arguments)

    of.__wrapped__ = formula  # type: ignore[attr-defined]
    return of


def domain_of(annotation: Any) -> Domain:
    """Return the domain in an annotation: a ``Domain`` itself, or the one inside ``Annotated[..., Domain(...)]``."""
    return annotation.__metadata__[0] if get_origin(annotation) is Annotated else annotation


def apply_family(
    family: str,
    pattern: Law,
    symbols: tuple[sp.Symbol, ...],
    domains: Mapping[str, Domain],
    value: Any,
    given: tuple[Any, ...],
) -> Law:
    """Return a family's law with arguments for its symbols; raise LawError for an argument outside its domain."""
    return _applied(
        family, pattern, symbols, tuple(domains.items()), as_value(value), tuple(as_formula(a) for a in given)
    )


@functools.lru_cache(maxsize=256)
def _applied(
    family: str,
    pattern: Law,
    symbols: tuple[sp.Symbol, ...],
    domains: tuple[tuple[str, Domain], ...],
    value: Any,
    arguments: tuple[Any, ...],
) -> Law:
    made = pattern.substituted({pattern.value: value, **dict(zip(symbols, arguments, strict=True))})
    conditions = tuple(
        c
        for (name, domain), argument in zip(domains, arguments, strict=True)
        if (c := check_argument(family, value, name, domain, argument)) is not None
    )
    check_support(made.support, value)
    made = _at_one_point(made, domains, arguments)
    if made.log_density.has(sp.I):  # the logarithm of a negative number: the arguments together do not give a density
        stated = ", ".join(f"{name} = {a}" for (name, _), a in zip(domains, arguments, strict=True))
        raise LawError(f"{family}({value}, ...): no density for {stated}")
    return replace(made, conditions=conditions, spelling=Spelling(family, arguments, pattern, symbols))


def _at_one_point(made: Law, domains: tuple[tuple[str, Domain], ...], arguments: tuple[Any, ...]) -> Law:
    """Return a discrete law whose parameter is at the end of its domain: all mass is at one end of the support.

    With p = 0 no trial succeeds; the formula has log 0, of which sympy makes a complex infinity.
    """
    for (_, domain), argument in zip(domains, arguments, strict=True):
        if not made.discrete or domain not in (PROBABILITY, NONNEGATIVE):
            continue
        end = {0: made.support.lower, 1: made.support.upper if domain is PROBABILITY else None}.get(argument)  # type: ignore[union-attr]
        if end is not None:
            return replace(made, log_density=sp.Piecewise((sp.S.Zero, sp.Eq(made.value, end)), (-sp.oo, True)))
    return made


def signature_text(formula: Callable[..., Any]) -> str:
    return f"({', '.join(inspect.signature(formula).parameters)})"


def check_argument(family: str, value: Formula, name: str, domain: Domain, argument: Formula) -> Any:
    """Return the side condition that is undecided, None if there is none; raise LawError if the argument violates it.

    >>> check_argument("normal", sp.Symbol("z"), "scale", POSITIVE, sp.Integer(-1))
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: normal(z, ...): scale must be positive, but is -1
    """
    refusal = LawError(f"{family}({value}, ...): {name} must be {domain.words}, but is {argument}")
    if argument == value or argument.has(value):
        raise LawError(f"{family}({value}, ...): {name} = {argument} contains {value} itself")
    if argument.is_extended_real is False:
        raise refusal
    if "integer" in domain.assumptions and argument.is_integer is False:
        raise refusal
    try:
        condition = domain.condition(argument)
    except TypeError:
        raise refusal from None
    if condition == sp.false or (domain is POSITIVE and argument.is_positive is False):
        raise refusal
    return None if condition == sp.true else condition


def _assumptions(support: Any) -> dict[str, bool]:
    if isinstance(support, Integers):
        return {"integer": True} | ({"nonnegative": True} if sp.S(support.lower).is_nonnegative else {})
    return {"positive": True} if sp.S(support.lower).is_nonnegative else {"real": True}


def _as_formulas(support: Any) -> Any:
    return replace(support, lower=sp.S(support.lower), upper=sp.S(support.upper))


__all__ = [
    "COUNT", "NONNEGATIVE", "POSITIVE", "PROBABILITY", "REAL", "Count", "Domain", "Integers", "Interval", "NonNegative",
    "Positive", "Probability", "Real", "apply_family", "check_argument", "domain_of", "family",
]  # fmt: skip
