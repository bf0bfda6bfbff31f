r"""Analyse one strictly monotone map of an interval: its direction, its exact image, and its inverse.

>>> y = as_monotone_map(sp.exp(SLOT), Interval(sp.S.Zero, sp.oo))
>>> y.image, y.direction, y.inverse(sp.Symbol("t", positive=True))
(Interval(lower=1, upper=oo), 1, log(t))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from symaux.formulas.algebra.angles import undo_arctangent
from symaux.formulas.algebra.factor import factor_formula, has_small_exponents
from symaux.formulas.algebra.regroup import SLOT
from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.functions import registry as special
from symaux.formulas.functions.monotone import shape_of
from symaux.formulas.functions.record import Shape
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

oo = sp.oo
LARGE = 60  # operations: longer formulas are not simplified


@dataclass(frozen=True)
class Layer:
    """One map: a formula in ``SLOT``, its direction on the interval where it is used, its image and its inverse."""

    formula: Formula
    direction: int
    image: Interval
    inverse: Callable[[Formula], Formula]


def as_monotone_map(outer: Formula, where: Interval) -> Layer | None:
    """Return the layer of a map on an interval, if it is known to be strictly monotone and continuous there."""
    match outer:
        case sp.Add() if outer.has(sp.log(SLOT)):
            return _lambert(outer, where)
        case sp.Add() if outer.has(SLOT**2):
            return _parabola(outer, where)
        case sp.Add():
            shift = outer - SLOT
            image = Interval(shortest_form(where.lower + shift), shortest_form(where.upper + shift))
            return Layer(outer, 1, image, lambda y: y - shift) if not shift.has(SLOT) else None
        case sp.Mul() if (outer / SLOT).has(SLOT):
            return _root(outer, where)
        case sp.Mul():
            return _scaled(outer, outer / SLOT, where)
        case sp.Pow() if outer.base == SLOT and not outer.exp.has(SLOT):
            return _power(outer, outer.exp, where)
        case sp.Pow() if outer.exp == SLOT and outer.base.is_positive:
            return _exponential(outer, outer.base, where)
        case sp.Abs() if is_at_least(where.lower, sp.S.Zero):
            return Layer(outer, 1, where, lambda y: y)
        case sp.Abs() if is_at_least(sp.S.Zero, where.upper):
            return Layer(outer, -1, Interval(-where.upper, -where.lower), lambda y: -y)
        case sp.cot() if outer.args == (SLOT,) and _within(where, -sp.pi, sp.S.Zero):
            ends = [oo if where.lower == -sp.pi else outer.xreplace({SLOT: where.lower})]
            ends += [-oo if where.upper == 0 else outer.xreplace({SLOT: where.upper})]
            return _layer(outer, -1, ends, lambda y: -sp.pi / 2 - sp.atan(y))
    shape = shape_of(outer, SLOT)
    if shape is None or not _within(where, shape.lower, shape.upper):
        return None
    ends = [_at(outer, end, shape) for end in (where.lower, where.upper)]
    return _layer(outer, 1 if shape.rises else -1, ends, shape.inverse)


def _parabola(outer: Formula, where: Interval) -> Layer | None:
    r"""Return the layer of $bt + at^2$ on an interval where it is monotone from a finite lower end, whatever the sign of a."""
    parabola, start = sp.Poly(outer, SLOT), where.lower
    if parabola.degree() != 2 or parabola.nth(0) != 0 or start == -oo or where.upper == oo:
        return None
    a = parabola.nth(2)
    b = shortest_form(parabola.nth(1) + 2 * a * start)  # the derivative at the start
    sign = sign_of(b)
    if sign is None or not is_at_least(shortest_form(sign * (b + 2 * a * (where.upper - start))), sp.S.Zero):
        return None
    a, b = sign * a, sign * b
    ends = [shortest_form(outer.xreplace({SLOT: end})) for end in (start, where.upper)]

    def inverse(y: Formula) -> Formula:
        rise = sign * (y - ends[0])
        return start + 2 * rise / (b + sp.sqrt(b**2 + 4 * a * rise))

    return _layer(outer, sign, ends, inverse)


def shortest_form(end: Formula) -> Formula:
    """Return the shortest of a few equal forms of an end of an interval, so that terms that cancel do."""
    if (not end.is_Add and not end.is_Mul) or sp.count_ops(end) > LARGE or not has_small_exponents(end):
        return end
    return min((end, sp.expand(end), factor_formula(end), sp.cancel(sp.together(end))), key=sp.count_ops)


def _root(outer: Formula, where: Interval) -> Layer | None:
    r"""Return the layer of $y = t/(b + \sqrt{b^2 + kt})$ for b > 0 where the root is real: the inverse of $2by + ky^2$."""
    b, k = _root_coefficients(outer)
    if b is None or where.lower == -oo or where.upper == oo or sign_of(b) != 1:
        return None
    squares = [factor_formula(sp.expand(b**2 + k * end)) for end in (where.lower, where.upper)]
    if not all(is_at_least(square, sp.S.Zero) for square in squares):
        return None
    ends = [shortest_form(end / (b + sp.sqrt(s))) for end, s in zip((where.lower, where.upper), squares, strict=True)]
    return Layer(outer, 1, Interval(*ends), lambda y: 2 * b * y + k * y**2)


def _root_coefficients(outer: Formula) -> tuple[Formula | None, Formula]:
    """Return b and k of t/(b + sqrt(b**2 + k*t)); b is None if the formula is not of this form."""
    below = SLOT / outer
    terms = sp.Add.make_args(below)
    root = next((term for term in terms if isinstance(term, sp.Pow) and term.exp == sp.S.Half), None)
    if root is None or (below - root).has(SLOT):
        return None, sp.S.Zero
    b, k = below - root, root.base.diff(SLOT)
    return (None if k.has(SLOT) or sp.expand(root.base - b**2 - k * SLOT) != 0 else b), k


def _lambert(outer: Formula, where: Interval) -> Layer | None:
    r"""Return the layer of $t + \log t$ for t > 0, or of $t - \log t$ on either side of 1: Lambert's W is the inverse."""
    if outer == SLOT + sp.log(SLOT) and is_at_least(where.lower, sp.S.Zero):
        ends = [-oo if where.lower == 0 else outer.xreplace({SLOT: where.lower})]
        ends += [oo if where.upper == oo else outer.xreplace({SLOT: where.upper})]
        return _layer(outer, 1, ends, special.lambertw0_of_exp)
    if outer != SLOT - sp.log(SLOT) or not is_at_least(where.lower, sp.S.Zero):
        return None
    ends = [oo if end in (0, oo) else outer.xreplace({SLOT: end}) for end in (where.lower, where.upper)]
    if is_at_least(where.lower, sp.S.One):
        return _layer(outer, 1, ends, lambda y: -special.lambertwm1_of_exp(-y))  # pyright: ignore[reportOperatorIssue]  # sympy hints that Function returns a class
    return _layer(outer, -1, ends, lambda y: -sp.LambertW(-sp.exp(-y))) if is_at_least(sp.S.One, where.upper) else None


def _layer(outer: Formula, direction: int, ends: list[Formula], inverse: Callable[[Formula], Formula]) -> Layer:
    lower, upper = ends if direction == 1 else reversed(ends)
    return Layer(outer, direction, Interval(lower, upper), inverse)


def _at(outer: Formula, end: Formula, shape: Shape) -> Formula:
    if end == shape.lower:
        return shape.at_lower
    if end == shape.upper:
        return shape.at_upper
    value = outer.xreplace({SLOT: end})
    match value:
        case sp.log():
            return sp.expand_log(value)
        case sp.atan():
            return undo_arctangent(value)
        case sp.cot():
            return sp.cos(*value.args) / sp.sin(*value.args)
    return value


def _within(where: Interval, lower: Formula, upper: Formula) -> bool:
    """Return whether an interval is known to lie inside another."""
    above = lower == -oo or is_at_least(where.lower, lower)
    return above and (upper == oo or is_at_least(upper, where.upper))


def is_at_least(a: Formula, b: Formula) -> bool:
    """Return whether a ≥ b can be proved."""
    if a in (b, oo) or b == -oo:
        return True
    if a == -oo or b == oo:
        return False
    return is_nonnegative(a - b)


def _scaled(outer: Formula, factor: Formula, where: Interval) -> Layer | None:
    sign = sign_of(factor)
    if sign is None or factor.has(SLOT):
        return None
    ends = [sign * end if end in (oo, -oo) else shortest_form(factor * end) for end in (where.lower, where.upper)]
    return _layer(outer, sign, ends, lambda y: y / factor)


def _exponential(outer: Formula, base: Formula, where: Interval) -> Layer | None:
    rate = sp.log(base)
    sign = sign_of(rate) or sign_of(base - 1)
    if sign is None:
        return None
    ends = [_exp_at(sign * end) if end in (oo, -oo) else base**end for end in (where.lower, where.upper)]
    return _layer(outer, sign, ends, lambda y: sp.log(y) / rate)


def _exp_at(infinity: Formula) -> Formula:
    return oo if infinity == oo else sp.S.Zero


def _power(outer: Formula, exponent: Formula, where: Interval) -> Layer | None:
    sign = sign_of(exponent)
    if sign is None:
        return None
    if is_at_least(where.lower, sp.S.Zero):
        ends = [_power_at(end, exponent, sign) for end in (where.lower, where.upper)]
        return _layer(outer, sign, ends, lambda y: y ** (1 / exponent))
    if is_at_least(sp.S.Zero, where.upper) and exponent.is_integer and (exponent.is_even or exponent.is_odd):
        flip = 1 if exponent.is_even else -1
        ends = [flip * _power_at(-end, exponent, sign) for end in (where.lower, where.upper)]
        return _layer(outer, -flip * sign, ends, lambda y: -((flip * y) ** (1 / exponent)))
    if exponent.is_odd and sign == 1:
        ends = [end if end in (oo, -oo) else end**exponent for end in (where.lower, where.upper)]
        return _layer(outer, 1, ends, lambda y: sp.sign(y) * sp.Abs(y) ** (1 / exponent))
    return None


def _power_at(end: Formula, exponent: Formula, sign: int) -> Formula:
    if end == 0:
        return sp.S.Zero if sign == 1 else oo
    if end == oo:
        return oo if sign == 1 else sp.S.Zero
    base, inner = end.as_base_exp()
    if inner != 1 and not base.is_positive and sign_of(base) == 1:
        return base ** sp.expand(inner * exponent)  # sympy does this only for bases it knows to be positive
    return end**exponent
