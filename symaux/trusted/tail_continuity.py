r"""Show that a formula is continuous on a whole tail: a composition of functions that do not jump there.

Continuity never follows from a derivative: $\arctan(1/y)$ has one everywhere but at its jump, and so has $\sqrt{y^2}/y$.
Divisors are shown not to be zero, arguments to lie in the domains of their functions and off the points where the records
of the functions say that they jump.

>>> y = sp.Symbol("y", positive=True)
>>> require_continuous(sp.atan(1/y), {y: Span(arb(1), INFINITE)}, y)
>>> require_continuous(sp.atan(1/(y - 5)), {y: Span(arb(1), INFINITE)}, y)
Traceback (most recent call last):
    ...
symaux.formulas.numeric.balls.signs.Undecided: y - 5 may be zero
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import sympy as sp
from flint import arb

from symaux.formulas.functions.registry import record_of
from symaux.formulas.numeric.balls.evaluate import exponential_terms
from symaux.formulas.numeric.balls.intervals import INFINITE, Span, enclose
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.numeric.balls.stable_form import root_conjugate
from symaux.formulas.numeric.conditions import holds
from symaux.formulas.symbols.formula import Formula

Values = Mapping[Any, Span]
MOST_TERMS = 6  # of a sum of exponentials are tried as the largest one
LARGEST = 1e3  # by which an exponent may exceed the one that is taken out
EVERYWHERE = (sp.Abs, sp.Max, sp.Min)
STEPS = (sp.Piecewise, sp.sign, sp.Heaviside, *EVERYWHERE)


def require_continuous(formula: Any, values: Values, y: Any) -> None:
    """Raise Undecided unless a formula is shown to be continuous where y runs over its span."""
    if not formula.has(y):
        return
    match formula:
        case sp.Symbol():
            return
        case sp.Piecewise():
            return require_continuous(_only_branch(formula, values, y), values, y)
        case sp.Pow():
            _require_power(formula, values, y)
        case sp.Add() | sp.Mul():
            pass
        case _ if not isinstance(formula, EVERYWHERE):
            _require_function(formula, values, y)
    for argument in formula.args:
        require_continuous(argument, values, y)


def resolve_steps(formula: Any, values: Values, y: Any) -> Any:
    """Return a continuous formula with each step, modulus and branch replaced that one sign decides on the whole span.

    The logarithm of a sum in which a square root cancels is written by the conjugate, and that of a sum of exponentials about
    the largest of them.

    >>> y = sp.Symbol("y", positive=True)
    >>> resolve_steps(sp.sign(y - 2)*sp.exp(-sp.Abs(y - 2)), {y: Span(arb(3), INFINITE)}, y)
    exp(2 - y)
    """
    if not formula.has(*STEPS, sp.log) or not formula.has(y):
        return formula
    arguments: Any = formula.args
    with suppress(Undecided):
        match formula:
            case sp.Piecewise():
                return resolve_steps(_only_branch(formula, values, y), values, y)
            case sp.log():
                return _logarithm(resolve_steps(arguments[0], values, y), values, y)
            case sp.sign():
                return sp.Integer(_sign(arguments[0], values, y))
            case sp.Heaviside():
                return sp.Integer((1 + _sign(arguments[0], values, y)) // 2)
            case sp.Abs():
                return _sign(arguments[0], values, y) * resolve_steps(arguments[0], values, y)
            case sp.Max() | sp.Min():
                larger = 1 if isinstance(formula, sp.Max) else -1
                for arg in arguments:
                    if all(_sign(arg - other, values, y) == larger for other in arguments if other is not arg):
                        return resolve_steps(arg, values, y)
    return formula.func(*(resolve_steps(arg, values, y) if isinstance(arg, sp.Expr) else arg for arg in arguments))


def _logarithm(inner: Any, values: Values, y: Any) -> Any:
    """Return a logarithm: by the conjugate if a square root cancels, or about the largest of a sum of exponentials."""
    conjugate = root_conjugate(inner)
    if conjugate is not None:
        rest, root, difference = conjugate
        first, second = _sign(rest, values, y), _sign(root, values, y)
        if first != second:  # rest + root = difference/(rest - root), where the divisor has the sign of the rest
            return sp.log(_sign(difference, values, y) * difference) - sp.log(first * (rest - root))
    top = _largest_exponent(inner, values, y)
    if top is None:
        return sp.log(inner)
    return top + sp.log(sp.Add(*(f * sp.exp(sp.expand(x - top)) for f, x in exponential_terms(inner))))


def _largest_exponent(total: Any, values: Values, y: Any) -> Any:
    """Return an exponent of a sum of exponentials that the others exceed by a constant at most; None where there is none."""
    exponents = [exponent for _, exponent in exponential_terms(total)]
    for top in dict.fromkeys(exponents):
        if not top.has(y) or top.has(*STEPS):
            continue
        with suppress(Undecided):
            if all(_is_bounded_above(sp.expand(other - top), values, y) for other in exponents):
                return top
    return None


def _is_bounded_above(difference: Any, values: Values, y: Any) -> bool:
    return any(enclose(written, values).upper < LARGEST for written in _writings(difference, y))


def _require_power(formula: sp.Pow, values: Values, y: Any) -> None:
    base, exponent = formula.args
    if isinstance(exponent, sp.Integer):
        if exponent < 0:
            _require_sign(base, values, y, either=True)
    else:
        _require_sign(base, values, y)


def _require_function(formula: Any, values: Values, y: Any) -> None:
    record = record_of(formula.func)
    if record is None:
        raise Undecided(f"nothing is known of where {formula.func} jumps")
    for argument, (lower, upper) in zip(formula.args, record.domain, strict=False):
        if lower != -sp.oo:
            _require_sign(argument - lower, values, y)
        if upper != sp.oo:
            _require_sign(upper - argument, values, y)
    if record.breaks is not None:
        _require_sign(record.breaks(*formula.args), values, y, either=True)


def _only_branch(formula: Formula, values: Values, y: Any) -> Formula:
    """Return the branch that holds on the whole span."""

    def sign_of_difference(left: Formula, right: Formula) -> int:
        return _sign(left - right, values, y)

    for branch, condition in formula.args:
        if condition == sp.true or holds(condition, sign_of_difference):
            return branch
    raise Undecided("no branch holds")


def _require_sign(formula: Any, values: Values, y: Any, either: bool = False) -> None:
    """Raise Undecided unless a formula is positive on the whole (open) span, or negative where either sign will do."""
    sign = _sign(formula, values, y)
    if sign != 1 and not either:
        raise Undecided(f"{formula} is negative")


def _sign(formula: Any, values: Values, y: Any) -> int:
    """Return the sign of a formula at all finite points of the span, whatever its limit at an end is."""
    with suppress(Undecided):
        return _sign_by_parts(formula, values, y)
    for written in _writings(formula, y):
        try:
            found = enclose(written, values)
        except Undecided:
            continue
        if found.lower > 0 or (found.lower.is_zero() and _is_monomial(written, y)):
            return 1
        if found.upper < 0 or (found.upper.is_zero() and _is_monomial(written, y)):
            return -1
    return _sign_from_zero(formula, values, y)


def _sign_from_zero(formula: Any, values: Values, y: Any) -> int:
    """Return the sign of a continuous formula with a derivative of one sign that is zero at y = 0, where the span begins."""
    slopes = _slopes_from_zero(formula, y) if values[y].lower.is_zero() else ()
    if slopes:
        require_continuous(formula, values, y)
    for written in slopes:
        try:
            found = enclose(written, values)
        except Undecided:
            continue
        if found.lower > 0 or found.upper < 0:
            return 1 if found.lower > 0 else -1
    raise Undecided(f"{formula} may be zero")


@functools.lru_cache(maxsize=1024)
def _slopes_from_zero(formula: Any, y: Any) -> tuple[Formula, ...]:
    """Return the derivative in two writings, if the formula is zero at y = 0."""
    if sp.expand(formula.xreplace({y: sp.S.Zero})) != 0:
        return ()
    slope = formula.diff(y)
    return slope, sp.factor_terms(sp.expand(slope))


def _sign_by_parts(formula: Any, values: Values, y: Any) -> int:
    """Return the sign of a product of factors, or of a sum of terms, that all have a known sign."""
    match formula:
        case sp.exp() | sp.cosh():
            return 1
        case sp.Function() if _is_positive_by_record(formula):
            return 1
        case sp.Mul():
            return math.prod(_sign(factor, values, y) for factor in formula.args)
        case sp.Pow():
            sign = _sign(formula.base, values, y)
            if sign == 1 or formula.exp.is_even:
                return 1
            if formula.exp.is_odd:
                return -1
        case sp.Add():
            conjugate = root_conjugate(formula)
            if conjugate is not None:
                return _sign_of_root_sum(*conjugate, values, y)
            signs = {_sign(term, values, y) for term in formula.args}
            if len(signs) == 1:
                return signs.pop()
    raise Undecided("no sign by parts")


def _sign_of_root_sum(rest: Any, root: Any, difference: Any, values: Values, y: Any) -> int:
    """Return the sign of a sum with a square root: that of the larger part, which the difference of the squares tells."""
    first, second = _sign(rest, values, y), _sign(root, values, y)
    return first if first == second else first * _sign(difference, values, y)


def _is_positive_by_record(formula: Any) -> bool:
    """Return whether a strictly monotone function has a limit of at least zero at both ends of its open domain.

    That its argument lies in the domain is required of every part by the caller.
    """
    record = record_of(formula.func)
    if record is None or record.shape is None:
        return False
    others = [arg for place, arg in enumerate(formula.args) if place != record.varies % len(formula.args)]
    if not all(other.is_number and other.is_positive for other in others):
        return False
    shape = record.shape(*others)
    inside = (shape.lower, shape.upper) == record.domain[record.varies]  # the shape holds on the whole domain
    return bool(inside and shape.at_lower >= 0 and shape.at_upper >= 0)


def _is_monomial(formula: Any, y: Any) -> bool:
    """Return whether a formula is a number times a power of y, which is positive: it is zero at an end of the span only."""
    _, rest = formula.as_independent(y, as_Add=False)
    return rest == y or (isinstance(rest, sp.Pow) and rest.base == y and not rest.exp.has(y))


@functools.lru_cache(maxsize=1024)
def _writings(formula: Any, y: Any) -> tuple[Formula, ...]:
    """Return a formula in several writings: how narrow its enclosure is depends on the writing."""
    return tuple(_written(formula, y))


def _written(formula: Any, y: Any) -> Iterator[Formula]:
    yield formula
    if formula.is_polynomial(y):
        leading = sp.degree(formula, y)
        if leading > 0:
            yield sp.Mul(y**leading, sp.expand(formula / y**leading), evaluate=False)
            yield sp.horner(formula)
    yield sp.factor_terms(formula)
    terms = exponential_terms(formula)
    for _, top in terms[:MOST_TERMS]:  # over one of its exponentials, which is positive
        yield sp.Add(*(factor * sp.exp(sp.expand(exponent - top)) for factor, exponent in terms))


__all__ = ["INFINITE", "Span", "arb", "require_continuous", "resolve_steps"]
