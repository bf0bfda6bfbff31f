r"""How a named family is declared: a function from a value and parameters to a log-density (and its support).

The annotations of the parameters are their domains. Calling the family substitutes the arguments into its formula and
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
from typing import Any

import sympy as sp

from symaux.errors import LawError
from symaux.formulas.algebra.convert import expression
from symaux.formulas.symbols.support import REALS, Integers, Interval
from symaux.laws.law import Law, Spelling, as_value
from symaux.laws.support import check
from symaux.laws.template_cache import Namesakes


@dataclass(frozen=True)
class Domain:
    """What a parameter must be: the assumption its symbol carries, and the condition an argument must meet."""

    words: str
    assumptions: tuple[str, ...]
    condition: Callable[[sp.Expr], Any]


Real = Domain("real", ("real",), lambda x: sp.true)
Positive = Domain("positive", ("positive",), lambda x: x > 0)
Probability = Domain("a probability, between 0 and 1", ("positive",), lambda x: sp.And(x >= 0, x <= 1))
Count = Domain("a whole number of at least 0", ("integer", "nonnegative"), lambda x: x >= 0)


def family(formula: Callable[..., Any]) -> Callable[..., Law]:
    """Return a family from its formula; the decorated function takes the variable first, then the parameters."""
    domains = {n: p.annotation for n, p in list(inspect.signature(formula, eval_str=True).parameters.items())[1:]}
    signature = inspect.signature(formula)

    @functools.cache
    def template() -> tuple[Law, tuple[sp.Symbol, ...]]:
        symbols = tuple(sp.Symbol(n, **dict.fromkeys(d.assumptions, True)) for n, d in domains.items())
        stated = formula(sp.Symbol("z", real=True), *symbols)
        support = stated[1] if isinstance(stated, tuple) else REALS
        # born with the assumption that the support gives, so that everything derived from the template has it too
        z = sp.Symbol("z", **_assumptions(support))
        stated = formula(z, *symbols)
        log_density = stated[0] if isinstance(stated, tuple) else stated
        return Law(z, log_density, _as_formulas(support)), symbols

    @functools.cache
    def namesakes() -> Namesakes:
        return Namesakes(lambda value, given: applied(formula.__name__, *template(), domains, value, given))

    @functools.wraps(formula)
    def of(*args: Any, **kwargs: Any) -> Law:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as failure:
            raise LawError(f"{formula.__name__}{signature_text(formula)}: {failure}") from None
        value, *given = bound.arguments.values()
        value, arguments = as_value(value), tuple(expression(a) for a in given)
        try:
            known = namesakes().law(value, arguments)
        except LawError:  # told again, in the names of the user
            known = None
        return known or applied(formula.__name__, *template(), domains, value, arguments)

    of.__wrapped__ = formula  # type: ignore[attr-defined]
    return of


def applied(
    family: str,
    pattern: Law,
    symbols: tuple[sp.Symbol, ...],
    domains: Mapping[str, Domain],
    value: Any,
    given: tuple[Any, ...],
) -> Law:
    """Return a family's law with arguments for its symbols; what is outside their domains is refused."""
    return _applied(
        family, pattern, symbols, tuple(domains.items()), as_value(value), tuple(expression(a) for a in given)
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
        if (c := admitted(family, value, name, domain, argument)) is not None
    )
    check(made.support, value)
    if made.log_density.has(sp.I):  # a logarithm of a negative number: together the arguments make no density
        stated = ", ".join(f"{name} = {a}" for (name, _), a in zip(domains, arguments, strict=True))
        raise LawError(f"{family}({value}, ...): no density for {stated}")
    return replace(made, conditions=conditions, spelling=Spelling(family, arguments, pattern, symbols))


def signature_text(formula: Callable[..., Any]) -> str:
    return f"({', '.join(inspect.signature(formula).parameters)})"


def admitted(family: str, value: sp.Expr, name: str, domain: Domain, argument: sp.Expr) -> Any:
    """Return the side condition that is left to check, None if there is none; refuses an argument outside its domain.

    >>> admitted("normal", sp.Symbol("z"), "scale", Positive, sp.Integer(-1))
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
    if condition == sp.false or (domain is Positive and argument.is_positive is False):
        raise refusal
    return None if condition == sp.true else condition


def _assumptions(support: Any) -> dict[str, bool]:
    if isinstance(support, Integers):
        return {"integer": True} | ({"nonnegative": True} if sp.S(support.lower).is_nonnegative else {})
    return {"positive": True} if sp.S(support.lower).is_nonnegative else {"real": True}


def _as_formulas(support: Any) -> Any:
    return replace(support, lower=sp.S(support.lower), upper=sp.S(support.upper))


__all__ = [
    "Count", "Domain", "Integers", "Interval", "Positive", "Probability", "Real", "admitted", "applied", "family",
]  # fmt: skip
