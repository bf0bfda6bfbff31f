r"""Check that a formula is defined, real and continuous on a region, and find its derivative there.

*Statement.* Sums and products of continuous formulas are continuous; $b^e$ is where b is positive, or e is a whole number and b
is not zero (or e is positive), or b is not negative and e is a positive constant; a function is where every argument is
continuous and inside of the open domain of its record, and the ``breaks`` of the record are not zero. *Why.* Composition of
continuous functions; the records say where a function jumps. *Stops.* $\\arctan(1/y)$ and acot across zero, tan across a pole,
sign, floor, x/|x|, branches, and logarithms of what may be negative: a derivative is never asked whether there is a jump.

The derivative is that of the rules of calculus, with the derivatives of functions by their classes, and holds on the whole
region because every argument is in the open domain, absolute values are of nothing that vanishes, and steps are refused.
"""

from __future__ import annotations

import sympy as sp
from sympy.core.function import ArgumentIndexError

from symaux.formulas.functions.registry import record_of
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.facts import Unproved
from symaux.trusted.checker.sign_sets import NOT_NEGATIVE
from symaux.trusted.checker.signs import Signs, is_positive_series

STEPS = (sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Max, sp.Min, sp.Piecewise)


def check_continuous(signs: Signs, f: Formula) -> None:
    """Check that a formula is defined and continuous on the region; raise Unproved with the part that may not be."""
    match f:
        case sp.Rational() | sp.Symbol() | sp.NumberSymbol():
            return
        case sp.Add() | sp.Mul() | sp.Max() | sp.Min() | sp.Abs():
            pass
        case sp.hyper():
            if not is_positive_series(signs, f) or any(signs.region.variable in a.free_symbols for a in (*f.ap, *f.bq)):
                raise Unproved(f"{f} is not known to converge")
            return check_continuous(signs, f.argument)
        case sp.Pow():
            if not _is_defined_power(signs, f):
                raise Unproved(f"{f} may jump or not be real: the sign of {f.base} is not known")
        case _:
            _check_function(signs, f)
    for arg in f.args:
        check_continuous(signs, arg)


def _is_defined_power(signs: Signs, f: sp.Pow) -> bool:
    if isinstance(f.exp, sp.Integer):
        return f.exp > 0 or signs.is_nonzero(f.base)
    base = signs.of(f.base)
    constant = signs.region.variable not in f.exp.free_symbols
    return base == {1} or (base <= NOT_NEGATIVE and constant and signs.is_positive(f.exp))


def _check_function(signs: Signs, f: Formula) -> None:
    record = record_of(f.func)
    if record is None or record.joint or len(f.args) != len(record.domain):
        raise Unproved(f"nothing is known of the continuity of {f.func.__name__} in {f}")
    for arg, (lower, upper) in zip(f.args, record.domain, strict=True):
        if not signs.is_between(arg, lower, upper):
            raise Unproved(f"{arg} may leave the domain ({lower}, {upper}) of {f.func.__name__}")
    if record.breaks is not None and not signs.is_nonzero(record.breaks(*f.args)):
        raise Unproved(f"{f} may jump where {record.breaks(*f.args)} is zero")


def derivative(signs: Signs, f: Formula) -> Formula:
    """Return the derivative of a formula in the variable of the region, at every point of it."""
    x = signs.region.variable
    if x not in f.free_symbols:
        return sp.S.Zero
    match f:
        case sp.Symbol():
            return sp.S.One
        case sp.Add():
            return sp.Add(*(derivative(signs, arg) for arg in f.args))
        case sp.Mul():
            slopes = [derivative(signs, arg) for arg in f.args]
            rest = [sp.Mul(*f.args[:n], *f.args[n + 1 :]) for n in range(len(f.args))]
            return sp.Add(*(slope * other for slope, other in zip(slopes, rest, strict=True)))
        case sp.Pow():
            return _power_derivative(signs, f)
        case sp.Abs():
            inner = f.args[0]
            sign = signs.of(inner)
            if len(sign) != 1 or 0 in sign:
                raise Unproved(f"{f} may have a kink on the region")
            return next(iter(sign)) * derivative(signs, inner)
    if isinstance(f, STEPS) or not isinstance(f, sp.Function):
        raise Unproved(f"{f} has no derivative on the whole region")
    _check_function(signs, f)
    moving = [(n, arg) for n, arg in enumerate(f.args) if x in arg.free_symbols]
    try:
        total = sp.Add(*(f.fdiff(n + 1) * derivative(signs, arg) for n, arg in moving))
    except ArgumentIndexError:
        raise Unproved(f"the derivative of {f} is not known") from None
    if total.has(sp.Derivative, sp.Subs):
        raise Unproved(f"the derivative of {f} is not a formula")
    return total


def _power_derivative(signs: Signs, f: sp.Pow) -> Formula:
    base, exponent = f.base, f.exp
    if isinstance(exponent, sp.Integer):
        return exponent * base ** (exponent - 1) * derivative(signs, base)
    if not signs.is_positive(base):
        raise Unproved(f"{f} has no derivative where {base} is zero")
    inner = exponent * derivative(signs, base) / base if base.has(signs.region.variable) else sp.S.Zero
    return f * (derivative(signs, exponent) * sp.log(base) + inner)
