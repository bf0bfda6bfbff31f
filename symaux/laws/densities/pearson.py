r"""Integrate densities of Pearson's system, $\frac{d}{dy}\log p(y) = \frac{b_1 y + b_0}{a_2 y^2 + a_1 y + a_0}$.

The roots of the denominator say which law it is: none gives an exponential or a Gaussian, one a power or a gamma law, a
double one an inverse gamma law, two real ones a beta law or one of the second kind, two complex ones a Student t. Each has
an antiderivative in elementary functions or in one incomplete gamma or beta function.

>>> y, a, b = sp.symbols("y a b", positive=True)
>>> pearson_antiderivative((a - 1)/y - b, y, Interval(sp.S(0), sp.oo))
gammainc(a, b*y)
>>> pearson_antiderivative((a - 1)/y - (a + b)/(1 + y), y, Interval(sp.S(0), sp.oo))
betainc(a, b, y/(y + 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symaux.formulas.algebra.canonical import to_canonical_form
from symaux.formulas.algebra.monotone_map import is_at_least
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import ndtr
from symaux.formulas.functions.registry import betainc, gammainc, student_t_cdf
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

LARGE = 60  # operations: to simplify a longer formula takes too long


def pearson_antiderivative(log_derivative: Formula, y: sp.Symbol, where: Interval) -> Formula | None:
    """Return an antiderivative, up to a constant factor, of the density with this logarithmic derivative; None if none is
    known."""
    log_derivative = sp.cancel(sp.together(log_derivative))
    found = next(_antiderivatives(log_derivative, y, where), None)
    if isinstance(found, gammainc | betainc) and not all(arg.is_positive for arg in found.args[:-1]):
        return None
    return found


def as_pearson_fraction(formula: Formula, y: sp.Symbol) -> Formula | None:
    """Return the formula as one fraction of polynomials in y of degrees at most one and two; None if it is not one."""
    ways = [lambda f: f, sp.expand, lambda f: sp.powsimp(sp.expand(f))]
    if sp.count_ops(formula) < LARGE:
        ways.append(sp.simplify)
    for way in ways:
        form = sp.cancel(sp.together(way(formula)))
        if form.is_rational_function(y):
            above, below = sp.fraction(form)
            small = _degree(above, y) <= 1 and _degree(below, y) <= 2
            return form if small or above == 0 else None
    return None


def _degree(formula: Formula, y: Formula) -> Any:
    return sp.degree(formula, y)


def _factor(formula: Formula) -> Formula:
    return sp.factor(formula)


def _antiderivatives(log_derivative: Formula, y: sp.Symbol, where: Interval) -> Iterator[Formula]:
    above, below = sp.fraction(log_derivative)
    numerator, denominator = sp.Poly(above, y), sp.Poly(below, y)
    match denominator.degree():
        case 0:
            yield from _entire(numerator.as_expr() / below, y)
        case 1:
            yield from _one_root(numerator, denominator, y, where)
        case 2:
            yield from _two_roots(numerator, denominator, y, where)


def _entire(log_derivative: Formula, y: sp.Symbol) -> Iterator[Formula]:
    r"""Integrate $e^{ky}$ and $e^{-(y-m)^2/2s^2}$."""
    curvature = log_derivative.diff(y)
    if curvature == 0:
        yield sp.exp(log_derivative * y) if log_derivative else y
    elif curvature.is_negative:
        centre = _factor(log_derivative.subs(y, 0) / -curvature)
        yield ndtr(sp.sqrt(-curvature) * (y - centre))


def _one_root(numerator: sp.Poly, denominator: sp.Poly, y: sp.Symbol, where: Interval) -> Iterator[Formula]:
    r"""Integrate $|y - r|^e\,e^{ky}$."""
    lead, constant = denominator.all_coeffs()
    root = _factor(-constant / lead)
    side = _side(root, where)
    rate = _factor(numerator.nth(1) / lead)
    exponent = _factor(sp.cancel((numerator.nth(0) + numerator.nth(1) * root) / lead))
    if side is None:
        yield from _any_side(lead, constant, rate, exponent, y, where)
        return
    distance = side * (y - root)
    if rate == 0:
        yield _power(distance, exponent)
    elif exponent == 1:
        yield (y - _shape(root + 1 / rate)) * sp.exp(rate * y)
    elif (side * rate).is_negative:
        yield _gamma(_shape(exponent + 1), -side * rate * distance)


def _any_side(
    lead: Formula, constant: Formula, rate: Formula, exponent: Formula, y: sp.Symbol, where: Interval
) -> Iterator[Formula]:
    r"""Integrate $(a_1 y + a_0)^{-2}$, to $\frac{y - l}{(a_1 l + a_0)(a_1 y + a_0)}$, and $a_1 y + a_0$, on any side.

    The first, from the lower end l on, is also $-\frac{1}{a_1(a_1 y + a_0)}$: a chain where the sign of $a_1$ is known.
    """
    if rate == 0 and exponent == -2:
        start = where.lower if where.lower.is_finite else sp.S.Zero
        rest = sp.expand(constant + lead * start)
        yield 1 / (lead * y + constant) if sign_of(lead) is not None else (y - start) / (lead * (y - start) + rest)
    elif rate == 0 and exponent == 1:
        yield constant * y + lead * y**2 / 2


def _two_roots(numerator: sp.Poly, denominator: sp.Poly, y: sp.Symbol, where: Interval) -> Iterator[Formula]:
    a2, a1, a0 = denominator.all_coeffs()
    discriminant = _factor(a1**2 - 4 * a2 * a0)
    if discriminant == 0:
        yield from _double_root(numerator, a2, _factor(-a1 / (2 * a2)), y, where)
    elif (sign := sign_of(discriminant)) == 1:
        roots = [_factor((-a1 + s * sp.sqrt(discriminant)) / (2 * a2)) for s in (-1, 1)]
        yield from _distinct(numerator, a2, roots, y, where)
    elif sign == -1:
        yield from _complex(numerator, a2, _factor(-a1 / (2 * a2)), -discriminant / (4 * a2**2), y)


def _double_root(numerator: sp.Poly, lead: Formula, root: Formula, y: sp.Symbol, where: Interval) -> Iterator[Formula]:
    r"""Integrate $|y - r|^e\,e^{-c/(y - r)}$: a gamma law of the reciprocal."""
    side = _side(root, where)
    exponent = _factor(numerator.nth(1) / lead)
    pole = _factor((numerator.nth(0) + numerator.nth(1) * root) / lead)
    if side is not None and (side * pole).is_positive:
        yield _gamma(_shape(-exponent - 1), side * pole / (side * (y - root)))


def _distinct(
    numerator: sp.Poly, lead: Formula, roots: list[Formula], y: sp.Symbol, where: Interval
) -> Iterator[Formula]:
    r"""Integrate $|y - r_1|^{e_1}|y - r_2|^{e_2}$, between the roots or beyond them."""
    (r1, r2), top = roots, numerator.as_expr()
    e1, e2 = (_factor(top.subs(y, r) / (lead * (r - other))) for r, other in ((r1, r2), (r2, r1)))
    order = sign_of(r2 - r1)
    if order is None:
        return
    if order == -1:
        (r1, r2), (e1, e2) = (r2, r1), (e2, e1)
    sides = _side(r1, where), _side(r2, where)
    if sp.expand(e1 + e2 + 2) == 0:
        ratio = _ratio(y, r1, r2, sides)
        if ratio is not None:
            yield _power(ratio, e1)
        return
    match sides:
        case (1, -1):
            yield _beta(_shape(e1 + 1), _shape(e2 + 1), (y - r1) / (r2 - r1))
        case (1, 1):
            yield _beta(_shape(e2 + 1), _shape(-e1 - e2 - 1), (y - r2) / (y - r1))
        case (-1, -1):
            yield _beta(_shape(e1 + 1), _shape(-e1 - e2 - 1), (r1 - y) / (r2 - y))


def _ratio(y: sp.Symbol, r1: Formula, r2: Formula, sides: tuple[int | None, int | None]) -> Formula | None:
    match sides:
        case (1, -1):
            return (y - r1) / (r2 - y)
        case (1, 1):
            return (y - r1) / (y - r2)
        case (-1, -1):
            return (r1 - y) / (r2 - y)
    return None


def _complex(numerator: sp.Poly, lead: Formula, centre: Formula, square: Formula, y: sp.Symbol) -> Iterator[Formula]:
    r"""Integrate $((y - m)^2 + d^2)^{-c}$: a Student t with $2c - 1$ degrees of freedom; a Cauchy for c = 1."""
    if sp.simplify(numerator.as_expr().subs(y, centre)) != 0:
        return
    df = _shape(-numerator.nth(1) / lead - 1)
    width = to_canonical_form(sp.sqrt(sp.expand(square))) if square.has(sp.sin, sp.cos) else sp.sqrt(_factor(square))
    if df == 1:
        yield sp.atan((y - centre) / width)
    elif df.is_positive:
        yield student_t_cdf(sp.sqrt(df) * (y - centre) / width, df)


def _gamma(a: Formula, x: Formula) -> Formula:
    """Return P(a, x) up to a constant and a factor, in elementary functions where possible."""
    if a == 1:
        return sp.exp(-x)
    return sp.erfc(sp.sqrt(x)) if a == sp.S.Half else gammainc(a, x)


def _beta(a: Formula, b: Formula, x: Formula) -> Formula:
    """Return I_x(a, b) up to a constant and a factor, in elementary functions where possible."""
    if a == 1:
        return (1 - x) ** b
    if b == 1:
        return x**a
    return sp.asin(sp.sqrt(x)) if a == b == sp.S.Half else betainc(a, b, x)


def _power(base: Formula, exponent: Formula) -> Formula:
    return sp.log(base) if exponent == -1 else base ** _shape(exponent + 1)


def _shape(formula: Formula) -> Formula:
    """Return a shape parameter in the shortest form whose sign sympy knows."""
    ways = [formula, sp.expand(formula), sp.expand(sp.cancel(formula)), _factor(formula)]
    return min(ways, key=lambda way: (way.is_positive is None and way.is_negative is None, sp.count_ops(way)))


def _side(root: Formula, where: Interval) -> int | None:
    """Return the side of a root on which the interval lies: 1 above, -1 below, None if unknown."""
    if where.lower != -sp.oo and is_at_least(where.lower, root):
        return 1
    return -1 if where.upper != sp.oo and is_at_least(root, where.upper) else None
