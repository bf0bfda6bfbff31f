r"""Signs that can be shown: by assumptions, by monotone functions at ordered points, by the ranges of bounded functions, by
$\\log t \\le t - 1$.

>>> x, w = sp.Symbol("x", real=True), sp.Symbol("w", positive=True)
>>> sign_of(1 - sp.erf(x)), sign_of(sp.erf(x + w) - sp.erf(x)), is_nonnegative(w - sp.log(1 + w))
(1, 1, True)
>>> sign_of(2*w + 3 - sp.erfc(x)*(1 + w))
1
>>> positive(sp.expand((x - 3)**2 + w)/w), positive(x**2 - w)
(True, False)
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import sympy as sp

from symaux.formulas.algebra.factor import factored
from symaux.formulas.functions.monotone import Shape, argument, shape_of

ODD = (sp.atan, sp.tan, sp.asin, sp.sin, sp.asinh, sp.sinh, sp.atanh, sp.tanh, sp.erf, sp.erfinv)
LARGE = 80  # operations: to factor a longer sum takes too long


@functools.lru_cache(maxsize=1024)
def sign_of(formula: sp.Expr) -> int | None:
    """Return the sign of a formula, if it can be shown; it is never zero then."""
    for form in _forms(formula):
        if form.is_positive:
            return 1
        if form.is_negative:
            return -1
    found = _of_wave(formula) or _of_difference(formula)
    for way in (_by_ranges, _of_factors, _of_product) if found is None else ():
        found = way(formula)
        if found is not None:
            break
    return found


def is_nonnegative(formula: sp.Expr) -> bool:
    """Return whether a formula can be shown to be at least zero."""
    if any(form.is_nonnegative for form in _forms(formula)):
        return True
    return sign_of(formula) == 1 or _above_logarithm(formula)


def positive(formula: sp.Expr) -> bool:
    """Return whether a formula is known to be positive for all values of its symbols; False says nothing."""
    if sign_of(formula) == 1:
        return True
    above, below = sp.fraction(factored(formula))
    if below != 1:
        return positive(above) and positive(below)
    return any(_without_roots(above, x) for x in sorted(above.free_symbols, key=str) if x.is_real)


def _without_roots(formula: sp.Expr, x: sp.Expr) -> bool:
    r"""$ax^2 + bx + c$ with $a > 0$ and $4ac > b^2$."""
    if not formula.is_polynomial(x) or sp.degree(formula, x) != 2:
        return False
    a, b, c = (sp.Poly(formula, x).coeff_monomial(x**n) for n in (2, 1, 0))
    return sign_of(a) == 1 and sign_of(sp.expand(4 * a * c - b**2)) == 1


def _forms(formula: sp.Expr) -> Iterator[sp.Expr]:
    yield formula
    if formula.is_positive is None and formula.is_negative is None:
        yield sp.expand(formula)
        yield factored(formula)


def _of_wave(formula: sp.Expr) -> int | None:
    r"""Return the sign of $\\sin x$ for $0 < x < \\pi$, and of $\\cos x = \\sin(x + \\tfrac\\pi2)$.

    >>> w = sp.Symbol("w", positive=True)
    >>> sign_of(sp.sin(sp.pi*w/(1 + w))), sign_of(sp.cos(sp.pi*w/(2 + 2*w))), sign_of(sp.sin(w))
    (1, 1, None)
    """
    if not isinstance(formula, sp.sin | sp.cos) or not formula.args[0].is_real:
        return None
    x = formula.args[0] if isinstance(formula, sp.sin) else formula.args[0] + sp.pi / 2
    return 1 if sign_of(x) == 1 and sign_of(sp.pi - x) == 1 else None


def _of_difference(formula: sp.Expr) -> int | None:
    """Return the sign of c(f(x) - f(y)), or of c(f(x) - f(end)), for a monotone f."""
    opened = formula if formula.is_Add and len(formula.args) == 2 else sp.expand(formula)
    terms = opened.args if opened.is_Add else ()
    if len(terms) != 2:
        return _of_product(formula)
    for way in (_of_powers, _of_exponentials, _of_roots):
        found = way(*terms)
        if found is not None:
            return found
    for one, other in (terms, reversed(terms)):
        factor, function = _as_function(one)
        if function is None:
            continue
        sign = sign_of(factor)
        other = -other / factor if factor.is_number else sp.cancel(-other / factor)
        shape = _shape(function)
        if sign is None or shape is None:
            continue
        way = _compared(function, other, shape)
        if way is not None:
            return sign * way
    return None


def _of_powers(one: sp.Expr, other: sp.Expr) -> int | None:
    """Return the sign of x**p - y**p for positive x and y."""
    positive, negative = (other, one) if one.could_extract_minus_sign() else (one, other)
    (x, p), (y, q) = positive.as_base_exp(), (-negative).as_base_exp()
    if positive == 1:
        x, p = sp.S.One, q
    if -negative == 1:
        y, q = sp.S.One, p
    if p.is_even:
        x, y = (-each if sign_of(each) == -1 else each for each in (x, y))
    sign = sign_of(p) if p == q and p != 1 and sign_of(x) == sign_of(y) == 1 else None
    way = None if sign is None else sign_of(x - y)
    return None if way is None or sign is None else sign * way


def _of_exponentials(one: sp.Expr, other: sp.Expr) -> int | None:
    """Return the sign of q(exp(x) - exp(y))."""
    (q, x), (r, y) = (_as_exponential(term) for term in (one, other))
    if x == y == 0 or sp.cancel(q + r) != 0:
        return None
    signs = sign_of(q), sign_of(sp.expand(x - y))
    return None if None in signs else sp.prod(signs)


def _of_roots(one: sp.Expr, other: sp.Expr) -> int | None:
    r"""Return the sign of $x - y$ for positive x and y with square roots, that of $x^2 - y^2$.

    >>> c = sp.Symbol("c", positive=True)
    >>> sign_of(1 - c/sp.sqrt(c**2 + 1)), sign_of(c - sp.sqrt(c**2 + 1)), sign_of(c + 1 - sp.sqrt(c))
    (1, -1, None)
    """
    roots = [f for f in (*sp.Mul.make_args(one), *sp.Mul.make_args(other)) if f.is_Pow and abs(f.exp) == sp.S.Half]
    signs = sign_of(one), sign_of(other)
    if not any(root.base.is_Add for root in roots) or None in signs or sum(signs) != 0:
        return None
    way = sign_of(sp.cancel(sp.expand(one**2 - other**2)))
    return None if way is None else way * signs[0]


def _as_exponential(term: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """q and x of q exp(x), with every exponential in x."""
    found = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    return term / sp.Mul(*found), sp.Add(*(f.args[0] for f in found))


def _of_factors(formula: sp.Expr) -> int | None:
    """Return the sign of a sum that is a product of differences, as 1/x - 1/y is; of a logarithm or an exponential
    less one."""
    if isinstance(formula, sp.log):
        return sign_of(formula.args[0] - 1) if sign_of(formula.args[0]) == 1 else None
    if formula.is_Pow:
        return 1 if formula.exp.is_real and sign_of(formula.base) == 1 else None
    if not formula.is_Add or len(formula.args) > 4 or sp.count_ops(formula) > LARGE:
        return None
    for way in (sp.factor_terms, factored):
        product = way(formula)
        if sum(not f.is_number for f in sp.Mul.make_args(product)) > 1:
            found = _of_product(product)
            if found is not None:
                return found
    return _of_collected(formula)


def _of_collected(formula: sp.Expr) -> int | None:
    """Return the sign of a sum like 1 + a(e^b - 1), whose terms have one sign once they are collected by a symbol."""
    for symbol in sorted(formula.free_symbols, key=str) if len(formula.args) > 2 else ():
        terms = sp.collect(sp.expand(formula), symbol, evaluate=False)
        signs = {sign_of(power * coefficient) for power, coefficient in terms.items()} if len(terms) > 1 else {None}
        if len(signs) == 1 and None not in signs:
            return signs.pop()
    return None


def _of_product(formula: sp.Expr) -> int | None:
    if not formula.is_Mul:
        return None
    signs = [sign_of(factor) for factor in formula.args]
    return None if None in signs else sp.prod(signs)


def _as_function(term: sp.Expr) -> tuple[sp.Expr, sp.Expr | None]:
    """Return the term as a factor times a monotone function."""
    for factor in sp.Mul.make_args(term):
        if argument(factor) is not None:
            return term / factor, factor
    return term, None


def _shape(function: sp.Expr) -> Shape | None:
    mark = sp.Dummy(real=True)
    inner = argument(function)
    return shape_of(function.func(*(mark if arg is inner else arg for arg in function.args)), mark)


def _compared(function: sp.Expr, other: sp.Expr, shape: Shape) -> int | None:
    """Return the sign of f(x) - other, where other is an end of f's range, or f at another point, all where f is
    monotone."""
    x, rise = argument(function), 1 if shape.rises else -1
    if not _within(x, shape):
        return None
    if other == shape.at_upper:
        return -rise if _short_of(shape.upper, x) else None
    if other == shape.at_lower:
        return rise if _short_of(x, shape.lower) else None
    if isinstance(function, ODD) and (-other).func is function.func:
        return _compared_at(x, -argument(-other), shape, rise)  # sympy writes f(-y) as -f(y)
    y = argument(other) if other.func is function.func else _undone(function, other)
    if other.func is function.func and [a for a in other.args if a is not y] != [
        a for a in function.args if a is not x
    ]:
        return None
    return None if y is None else _compared_at(x, y, shape, rise)


def _compared_at(x: sp.Expr, y: sp.Expr, shape: Shape, rise: int) -> int | None:
    sign = sign_of(x - y) if _within(y, shape) else None
    return None if sign is None else sign * rise


def _undone(function: sp.Expr, other: sp.Expr) -> sp.Expr | None:
    """Return the y with f(y) = other for a number other, where f is an exponential or a logarithm."""
    if isinstance(function, sp.exp) and other.is_positive and other.is_number:
        return sp.log(other)
    return sp.exp(other) if isinstance(function, sp.log) and other.is_number and other.is_real else None


def _within(x: sp.Expr, shape: Shape) -> bool:
    """Return whether a point is known to lie where the function is monotone."""
    above = shape.lower == -sp.oo or is_nonnegative(x - shape.lower)
    return bool(x.is_real and above and (shape.upper == sp.oo or is_nonnegative(shape.upper - x)))


def _short_of(upper: sp.Expr, lower: sp.Expr) -> bool:
    """Return whether one point is strictly below another; a real number is below infinity."""
    return upper == sp.oo or lower == -sp.oo or sign_of(upper - lower) == 1


def _by_ranges(formula: sp.Expr) -> int | None:
    r"""Return the sign with each bounded function $f \\in (a, b)$ as $(a + bs)/(1 + s)$ for a positive s of its own."""
    found = {e: _range(e) for e in formula.atoms(sp.Function) if argument(e) is not None}
    known = {e: _between(*ends) for e, ends in found.items() if ends is not None}
    for form in (formula, factored(formula)) if known else ():
        signs = [_of_sum(part) for part in sp.fraction(sp.together(form.xreplace(known)))]
        if None not in signs:
            return sp.prod(signs)
    return None


def _range(function: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """Return the open interval of a monotone function's values, if it is bounded; half of it where the argument has
    a sign."""
    x, shape = argument(function), _shape(function)
    if shape is None or not (x.is_real and _short_of(x, shape.lower) and _short_of(shape.upper, x)):
        return None
    ends = [shape.at_lower, shape.at_upper]
    if shape.lower == -sp.oo and (x.is_positive or x.is_negative):
        ends[0 if x.is_positive else 1] = _at_zero(function)
    return (ends[0], ends[1]) if all(end.is_finite for end in ends) else None


def _at_zero(function: sp.Expr) -> sp.Expr:
    inner = argument(function)
    return function.func(*(sp.S.Zero if arg is inner else arg for arg in function.args))


def _between(one: sp.Expr, other: sp.Expr) -> sp.Expr:
    s = sp.Dummy(positive=True)
    return (one + other * s) / (1 + s)


def _of_sum(formula: sp.Expr) -> int | None:
    settled = sp.expand(formula)
    return 1 if settled.is_positive else -1 if settled.is_negative else None


def _above_logarithm(formula: sp.Expr) -> bool:
    r"""$t - 1 - \\log t + \\text{something non-negative}$, also where the logarithm of t is taken apart.

    >>> w = sp.Symbol("w", positive=True)
    >>> is_nonnegative((w + 1)/w - 1 - sp.log((w + 1)/w)), is_nonnegative((w + 1)/w - 2 - sp.log((w + 1)/w))
    (True, False)
    """
    terms = [term.as_coeff_Mul() for term in sp.Add.make_args(sp.expand(formula))]
    logarithms = [(c, log) for c, log in terms if isinstance(log, sp.log)]
    if not logarithms or not all(c.is_Integer and log.args[0].is_positive for c, log in logarithms):
        return False
    t = sp.Mul(*(log.args[0] ** -c for c, log in logarithms))
    rest = sp.expand(formula - sp.Add(*(c * log for c, log in logarithms)) - t + 1)
    return bool(rest.is_nonnegative or sp.cancel(rest).is_nonnegative)
