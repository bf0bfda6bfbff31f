r"""Evaluate formulas on intervals that may reach to infinity, to bound them in a whole tail; the ends are balls.

>>> y = sp.Symbol("y", positive=True)
>>> found = enclose(-1 / (1 + y**-2) - sp.exp(-y), {y: Span(arb(2), INFINITE)})
>>> found.upper < -0.7, found.lower > -1.2
(True, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy as sp
from flint import arb

from symaux.formulas.functions.record import Shape
from symaux.formulas.functions.registry import record_of
from symaux.formulas.numeric.balls.evaluate import exact_ball
from symaux.formulas.numeric.balls.functions import FUNCTIONS
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.numeric.conditions import holds
from symaux.formulas.symbols.formula import Formula

INFINITE = arb.pos_inf()


@dataclass(frozen=True)
class Span:
    """All real numbers between two ends, of which either may be infinite."""

    lower: arb
    upper: arb

    def __post_init__(self) -> None:
        if self.lower.is_nan() or self.upper.is_nan():
            raise Undecided("an end that is not a number")

    def __add__(self, other: Span) -> Span:
        return Span(self.lower + other.lower, self.upper + other.upper)

    def __mul__(self, other: Span) -> Span:
        found = [_times(a, b) for a in (self.lower, self.upper) for b in (other.lower, other.upper)]
        return Span(reduce(arb.min, found), reduce(arb.max, found))

    def reciprocal(self) -> Span:
        """Return the span of 1/x; raise Undecided if zero is inside."""
        if self.lower > 0 or self.lower.is_zero():
            return Span(_over(self.upper), INFINITE if self.lower.is_zero() else 1 / self.lower)
        if self.upper < 0 or self.upper.is_zero():
            return Span(-INFINITE if self.upper.is_zero() else 1 / self.upper, _over(self.lower))
        raise Undecided("a division by what may be zero")


def _times(a: arb, b: arb) -> arb:
    """Return the product of two ends; zero times infinity is zero, since the numbers in a span are finite."""
    return arb(0) if a.is_zero() or b.is_zero() else a * b


def _over(end: arb) -> arb:
    return 1 / end if end.is_finite() else arb(0)


def enclose(formula: Any, values: Mapping[Any, Span]) -> Span:
    """Return a span that contains all values of a formula whose symbols run over spans."""
    if formula in values:
        return values[formula]
    match formula:
        case sp.Number() | sp.NumberSymbol():
            return Span(exact_ball(formula), exact_ball(formula))
        case sp.Add():
            return reduce(Span.__add__, (enclose(arg, values) for arg in formula.args))
        case sp.Mul():
            return reduce(Span.__mul__, (enclose(arg, values) for arg in formula.args))
        case sp.Pow():
            return _power(enclose(formula.base, values), formula.exp, values)
        case sp.Piecewise():
            return _branch(formula, values)
    return _function(formula, [enclose(arg, values) for arg in formula.args])


def _branch(formula: Formula, values: Mapping[Any, Span]) -> Span:
    """Return the span of the branch that holds on the whole span; raise Undecided if none does."""
    for branch, condition in formula.args:
        if condition == sp.true or _holds(condition, values):
            return enclose(branch, values)
    raise Undecided("no branch holds")


def _holds(condition: Any, values: Mapping[Any, Span]) -> bool:
    """Return whether a condition holds on the whole span; raise Undecided where it holds on a part of it."""

    def sign_of_difference(left: Formula, right: Formula) -> int:
        difference = enclose(sp.expand(left - right), values)
        if difference.lower > 0:
            return 1
        if difference.upper < 0:
            return -1
        raise Undecided(f"the sign of {left} - {right} is not decided")

    return holds(condition, sign_of_difference)


def _sign(x: Span) -> Span:
    if x.lower > 0:
        return Span(arb(1), arb(1))
    return Span(arb(-1), arb(-1) if x.upper < 0 else arb(1))


def _power(base: Span, exponent: Formula, values: Mapping[Any, Span]) -> Span:
    if isinstance(exponent, sp.Integer) and exponent < 0:
        return _power(base, -exponent, values).reciprocal()
    if isinstance(exponent, sp.Integer):
        if exponent % 2 and not base.lower >= 0:
            return Span(_integer_power(base.lower, int(exponent)), _integer_power(base.upper, int(exponent)))
        size = _absolute_value(base)
        return Span(_integer_power(size.lower, int(exponent)), _integer_power(size.upper, int(exponent)))
    if not base.lower >= 0:
        raise Undecided("a power of what may be negative")
    return _exp(enclose(exponent, values) * _log(base))


def _integer_power(end: arb, n: int) -> arb:
    return end**n if end.is_finite() else (INFINITE if end > 0 or n % 2 == 0 else -INFINITE)


def _absolute_value(base: Span) -> Span:
    if base.lower >= 0:
        return base
    if base.upper <= 0:
        return Span(-base.upper, -base.lower)
    return Span(arb(0), (-base.lower).max(base.upper))


def _exp(x: Span) -> Span:
    return Span(x.lower.exp(), x.upper.exp())


def _log(x: Span) -> Span:
    if not x.lower >= 0:
        raise Undecided("a logarithm of what may be negative")
    return Span(-INFINITE if x.lower.is_zero() else x.lower.log(), x.upper.log())


def _function(formula: Any, args: list[Span]) -> Span:
    function = formula.func
    if function is sp.exp:
        return _exp(args[0])
    if function is sp.log:
        return _log(args[0])
    if function is sp.Abs:
        return _absolute_value(args[0])
    if function is sp.sign:
        return _sign(args[0])
    if function in (sp.sin, sp.cos) and not (args[0].lower.is_finite() and args[0].upper.is_finite()):
        return Span(arb(-1), arb(1))
    if function is sp.cosh:
        args = [_absolute_value(args[0])]
    found = _monotone(formula, args)
    if found is not None:
        return found
    if function not in FUNCTIONS or not all(a.lower.is_finite() and a.upper.is_finite() for a in args):
        raise Undecided(f"no span for {function}")
    hull = FUNCTIONS[function](*(a.lower.union(a.upper) for a in args))
    return Span(hull.lower(), hull.upper())


def _monotone(formula: Any, args: list[Span]) -> Span | None:
    """Return the span of a function that its record says to be monotone, from its values or limits at two ends; else None."""
    record = record_of(formula.func)
    if record is None or record.shape is None or formula.func not in FUNCTIONS:
        return None
    others = [arg for place, arg in enumerate(formula.args) if place != record.varies % len(formula.args)]
    if not all(other.is_number and other.is_positive for other in others):
        return None
    shape, x = record.shape(*others), args[record.varies]
    at_lower, at_upper = (_value_or_limit(formula, args, record.varies, shape, end) for end in (x.lower, x.upper))
    if at_lower is None or at_upper is None:
        return None
    low, high = (at_lower, at_upper) if shape.rises else (at_upper, at_lower)
    return Span(low.lower() if low.is_finite() else low, high.upper() if high.is_finite() else high)


def _value_or_limit(formula: Any, args: list[Span], place: int, shape: Shape, end: arb) -> arb | None:
    """Return the value of a monotone function at an end of a span, or its limit there; None outside of its domain."""
    for bound, limit, inwards in ((shape.lower, shape.at_lower, 1), (shape.upper, shape.at_upper, -1)):
        if bound.is_infinite:
            if not end.is_finite() and inwards * end < 0:
                return _number_or_infinity(limit)
        elif bound.is_Rational and end == exact_ball(bound):
            return _number_or_infinity(limit)
        elif not inwards * (end - _number_or_infinity(bound)) > 0:
            return None
    balls = [end if k == place % len(args) else a.lower.union(a.upper) for k, a in enumerate(args)]
    return FUNCTIONS[formula.func](*balls)


def _number_or_infinity(number: Formula) -> arb:
    if number.is_infinite:
        return INFINITE if number > 0 else -INFINITE
    span = enclose(number, {})
    return span.lower.union(span.upper)
