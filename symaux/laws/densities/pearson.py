r"""Pearson's system: densities with $\frac{d}{dy}\log p(y) = \frac{b_1 y + b_0}{a_2 y^2 + a_1 y + a_0}$, and their integrals.

The roots of the denominator say which law it is: none gives an exponential or a Gaussian, one a power or a gamma law, a
double one an inverse gamma law, two real ones a beta law or one of the second kind, two complex ones a Student t. Each has
an antiderivative in elementary functions or in one incomplete gamma or beta function.

>>> y, a, b = sp.symbols("y a b", positive=True)
>>> primitive((a - 1)/y - b, y, Interval(sp.S(0), sp.oo))
gammainc(a, b*y)
>>> primitive((a - 1)/y - (a + b)/(1 + y), y, Interval(sp.S(0), sp.oo))
betainc(a, b, y/(y + 1))
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symaux.formulas.algebra.canonical import canonical
from symaux.formulas.algebra.monotone_map import at_least
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.functions.elementary import ndtr
from symaux.formulas.functions.registry import betainc, gammainc, student_t_cdf
from symaux.formulas.symbols.support import Interval

LARGE = 60  # operations: to simplify a longer formula takes too long


def primitive(slope: sp.Expr, y: sp.Symbol, where: Interval) -> sp.Expr | None:
    """Return an antiderivative, up to a constant factor, of the density with this slope of its logarithm; None if
    none is known."""
    slope = sp.cancel(sp.together(slope))
    found = next(_antiderivatives(slope, y, where), None)
    if isinstance(found, gammainc | betainc) and not all(arg.is_positive for arg in found.args[:-1]):
        return None
    return found


def rational(formula: sp.Expr, y: sp.Symbol) -> sp.Expr | None:
    """Return the formula as one fraction of polynomials in y of degrees at most one and two; None if it is not one."""
    ways = [lambda f: f, sp.expand, lambda f: sp.powsimp(sp.expand(f))]
    if sp.count_ops(formula) < LARGE:
        ways.append(sp.simplify)
    for way in ways:
        form = sp.cancel(sp.together(way(formula)))
        if form.is_rational_function(y):
            above, below = sp.fraction(form)
            small = sp.degree(above, y) <= 1 and sp.degree(below, y) <= 2
            return form if small or above == 0 else None
    return None


def _antiderivatives(slope: sp.Expr, y: sp.Symbol, where: Interval) -> Iterator[sp.Expr]:
    above, below = sp.fraction(slope)
    numerator, denominator = sp.Poly(above, y), sp.Poly(below, y)
    match denominator.degree():
        case 0:
            yield from _entire(numerator.as_expr() / below, y)
        case 1:
            yield from _one_root(numerator, denominator, y, where)
        case 2:
            yield from _two_roots(numerator, denominator, y, where)


def _entire(slope: sp.Expr, y: sp.Symbol) -> Iterator[sp.Expr]:
    r"""$e^{ky}$ and $e^{-(y-m)^2/2s^2}$."""
    curvature = slope.diff(y)
    if curvature == 0:
        yield sp.exp(slope * y) if slope else y
    elif curvature.is_negative:
        centre = sp.factor(slope.subs(y, 0) / -curvature)
        yield ndtr(sp.sqrt(-curvature) * (y - centre))


def _one_root(numerator: sp.Poly, denominator: sp.Poly, y: sp.Symbol, where: Interval) -> Iterator[sp.Expr]:
    r"""$|y - r|^e\,e^{ky}$."""
    lead, constant = denominator.all_coeffs()
    root = sp.factor(-constant / lead)
    side = _side(root, where)
    rate = sp.factor(numerator.nth(1) / lead)
    exponent = sp.factor(sp.cancel((numerator.nth(0) + numerator.nth(1) * root) / lead))
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
    lead: sp.Expr, constant: sp.Expr, rate: sp.Expr, exponent: sp.Expr, y: sp.Symbol, where: Interval
) -> Iterator[sp.Expr]:
    r"""$\int (a_1 y + a_0)^{-2}\,dy = \frac{y - l}{(a_1 l + a_0)(a_1 y + a_0)}$ and $\int (a_1 y + a_0)\,dy$, whatever side.

    The first, from the lower end l on, is also $-\frac{1}{a_1(a_1 y + a_0)}$: a chain where the sign of $a_1$ is known.
    """
    if rate == 0 and exponent == -2:
        start = where.lower if where.lower.is_finite else sp.S.Zero
        rest = sp.expand(constant + lead * start)
        yield 1 / (lead * y + constant) if sign_of(lead) is not None else (y - start) / (lead * (y - start) + rest)
    elif rate == 0 and exponent == 1:
        yield constant * y + lead * y**2 / 2


def _two_roots(numerator: sp.Poly, denominator: sp.Poly, y: sp.Symbol, where: Interval) -> Iterator[sp.Expr]:
    a2, a1, a0 = denominator.all_coeffs()
    discriminant = sp.factor(a1**2 - 4 * a2 * a0)
    if discriminant == 0:
        yield from _double_root(numerator, a2, sp.factor(-a1 / (2 * a2)), y, where)
    elif (sign := sign_of(discriminant)) == 1:
        roots = [sp.factor((-a1 + s * sp.sqrt(discriminant)) / (2 * a2)) for s in (-1, 1)]
        yield from _distinct(numerator, a2, roots, y, where)
    elif sign == -1:
        yield from _complex(numerator, a2, sp.factor(-a1 / (2 * a2)), -discriminant / (4 * a2**2), y)


def _double_root(numerator: sp.Poly, lead: sp.Expr, root: sp.Expr, y: sp.Symbol, where: Interval) -> Iterator[sp.Expr]:
    r"""$|y - r|^e\,e^{-c/(y - r)}$: a gamma law of the reciprocal."""
    side = _side(root, where)
    exponent = sp.factor(numerator.nth(1) / lead)
    pole = sp.factor((numerator.nth(0) + numerator.nth(1) * root) / lead)
    if side is not None and (side * pole).is_positive:
        yield _gamma(_shape(-exponent - 1), side * pole / (side * (y - root)))


def _distinct(
    numerator: sp.Poly, lead: sp.Expr, roots: list[sp.Expr], y: sp.Symbol, where: Interval
) -> Iterator[sp.Expr]:
    r"""$|y - r_1|^{e_1}|y - r_2|^{e_2}$, between the roots or beyond them."""
    (r1, r2), top = roots, numerator.as_expr()
    e1, e2 = (sp.factor(top.subs(y, r) / (lead * (r - other))) for r, other in ((r1, r2), (r2, r1)))
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


def _ratio(y: sp.Symbol, r1: sp.Expr, r2: sp.Expr, sides: tuple[int | None, int | None]) -> sp.Expr | None:
    match sides:
        case (1, -1):
            return (y - r1) / (r2 - y)
        case (1, 1):
            return (y - r1) / (y - r2)
        case (-1, -1):
            return (r1 - y) / (r2 - y)
    return None


def _complex(numerator: sp.Poly, lead: sp.Expr, centre: sp.Expr, square: sp.Expr, y: sp.Symbol) -> Iterator[sp.Expr]:
    r"""$((y - m)^2 + d^2)^{-c}$: a Student t with $2c - 1$ degrees of freedom; a Cauchy for c = 1."""
    if sp.simplify(numerator.as_expr().subs(y, centre)) != 0:
        return
    df = _shape(-numerator.nth(1) / lead - 1)
    width = canonical(sp.sqrt(sp.expand(square))) if square.has(sp.sin, sp.cos) else sp.sqrt(sp.factor(square))
    if df == 1:
        yield sp.atan((y - centre) / width)
    elif df.is_positive:
        yield student_t_cdf(sp.sqrt(df) * (y - centre) / width, df)


def _gamma(a: sp.Expr, x: sp.Expr) -> sp.Expr:
    """P(a, x), elementary where it is."""
    if a == 1:
        return sp.exp(-x)
    return sp.erfc(sp.sqrt(x)) if a == sp.S.Half else gammainc(a, x)


def _beta(a: sp.Expr, b: sp.Expr, x: sp.Expr) -> sp.Expr:
    """I_x(a, b), elementary where it is."""
    if a == 1:
        return (1 - x) ** b
    if b == 1:
        return x**a
    return sp.asin(sp.sqrt(x)) if a == b == sp.S.Half else betainc(a, b, x)


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
    return sp.log(base) if exponent == -1 else base ** _shape(exponent + 1)


def _shape(formula: sp.Expr) -> sp.Expr:
    """Return a shape parameter in a form that shows its sign, the shortest one."""
    ways = [formula, sp.expand(formula), sp.expand(sp.cancel(formula)), sp.factor(formula)]
    return min(ways, key=lambda way: (way.is_positive is None and way.is_negative is None, sp.count_ops(way)))


def _side(root: sp.Expr, where: Interval) -> int | None:
    """On which side of a root the interval lies: 1 above, -1 below."""
    if where.lower != -sp.oo and at_least(where.lower, root):
        return 1
    return -1 if where.upper != sp.oo and at_least(root, where.upper) else None
