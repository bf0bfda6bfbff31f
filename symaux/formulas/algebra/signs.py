r"""Prove signs of formulas: by assumptions, by monotone functions at ordered points, by the ranges of bounded functions,
and by $\log t \le t - 1$.

>>> x, w = sp.Symbol("x", real=True), sp.Symbol("w", positive=True)
>>> sign_of(1 - sp.erf(x)), sign_of(sp.erf(x + w) - sp.erf(x)), is_nonnegative(w - sp.log(1 + w))
(1, 1, True)
>>> sign_of(2*w + 3 - sp.erfc(x)*(1 + w))
1
>>> is_always_positive(sp.expand((x - 3)**2 + w)/w), is_always_positive(x**2 - w)
(True, False)
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.functions.monotone import Shape, monotone_argument, shape_of
from symaux.formulas.symbols.formula import Formula

ODD = (sp.atan, sp.tan, sp.asin, sp.sin, sp.asinh, sp.sinh, sp.atanh, sp.tanh, sp.erf, sp.erfinv)
LARGE = 80  # operations: factoring a longer sum takes too long


@functools.lru_cache(maxsize=1024)
def sign_of(formula: Formula) -> int | None:
    """Return 1 or -1 if the formula can be proved to be positive or negative for all values of its symbols; else None."""
    for form in _forms(formula):
        if form.is_positive:
            return 1
        if form.is_negative:
            return -1
    sign = _of_sine(formula) or _of_difference(formula)
    for method in (_by_ranges, _of_factors, _of_product) if sign is None else ():
        sign = method(formula)
        if sign is not None:
            break
    return sign


def is_nonnegative(formula: Formula) -> bool:
    """Return whether a formula can be proved to be non-negative."""
    if any(form.is_nonnegative for form in _forms(formula)):
        return True
    return sign_of(formula) == 1 or _above_logarithm(formula)


def is_always_positive(formula: Formula) -> bool:
    """Return whether a formula is proved to be positive for all values of its symbols; False means unknown.

    In addition to ``sign_of``, looks for quadratics without real roots in numerator and denominator.
    """
    if sign_of(formula) == 1:
        return True
    above, below = sp.fraction(factor_formula(formula))
    if below != 1:
        return is_always_positive(above) and is_always_positive(below)
    return any(_without_roots(above, x) for x in sorted(above.free_symbols, key=str) if x.is_real)


def _without_roots(formula: Formula, x: Formula) -> bool:
    r"""Return whether a formula is $ax^2 + bx + c$ with $a > 0$ and $4ac > b^2$."""
    if not formula.is_polynomial(x) or sp.degree(formula, x) != 2:
        return False
    a, b, c = (sp.Poly(formula, x).coeff_monomial(x**n) for n in (2, 1, 0))
    return sign_of(a) == 1 and sign_of(sp.expand(4 * a * c - b**2)) == 1


def _forms(formula: Formula) -> Iterator[Formula]:
    yield formula
    if formula.is_positive is None and formula.is_negative is None:
        yield sp.expand(formula)
        yield factor_formula(formula)


def _of_sine(formula: Formula) -> int | None:
    r"""Return the sign of $\sin x$ for $0 < x < \pi$, and of $\cos x = \sin(x + \tfrac\pi2)$.

    >>> w = sp.Symbol("w", positive=True)
    >>> sign_of(sp.sin(sp.pi*w/(1 + w))), sign_of(sp.cos(sp.pi*w/(2 + 2*w))), sign_of(sp.sin(w))
    (1, 1, None)
    """
    if not isinstance(formula, sp.sin | sp.cos) or not formula.args[0].is_real:
        return None
    x = formula.args[0] if isinstance(formula, sp.sin) else formula.args[0] + sp.pi / 2
    return 1 if sign_of(x) == 1 and sign_of(sp.pi - x) == 1 else None


def _of_difference(formula: Formula) -> int | None:
    """Return the sign of c(f(x) - f(y)), or of c(f(x) - f(end)), for a monotone f."""
    total = formula if formula.is_Add and len(formula.args) == 2 else sp.expand(formula)
    terms = total.args if total.is_Add else ()
    if len(terms) != 2:
        return _of_product(formula)
    for method in (_of_powers, _of_exponentials, _of_roots):
        found = method(*terms)
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
        way = _sign_against(function, other, shape)
        if way is not None:
            return sign * way
    return None


def _of_powers(one: Formula, other: Formula) -> int | None:
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


def _of_exponentials(one: Formula, other: Formula) -> int | None:
    """Return the sign of q(exp(x) - exp(y))."""
    (q, x), (r, y) = (_as_exponential(term) for term in (one, other))
    if x == y == 0 or sp.cancel(q + r) != 0:
        return None
    signs = sign_of(q), sign_of(sp.expand(x - y))
    return None if None in signs else sp.prod(signs)


def _of_roots(one: Formula, other: Formula) -> int | None:
    r"""Return the sign of $x - y$ for positive x and y with square roots, that of $x^2 - y^2$.

    >>> c = sp.Symbol("c", positive=True)
    >>> sign_of(1 - c/sp.sqrt(c**2 + 1)), sign_of(c - sp.sqrt(c**2 + 1)), sign_of(c + 1 - sp.sqrt(c))
    (1, -1, None)
    """
    factors = (*sp.Mul.make_args(one), *sp.Mul.make_args(other))
    roots = [f for f in factors if isinstance(f, sp.Pow) and abs(f.exp) == sp.S.Half]
    sign, sign_of_other = sign_of(one), sign_of(other)
    if (
        not any(root.base.is_Add for root in roots)
        or sign is None
        or sign_of_other is None
        or sign + sign_of_other != 0
    ):
        return None
    difference = sign_of(sp.cancel(sp.expand(one**2 - other**2)))
    return None if difference is None else difference * sign


def _as_exponential(term: Formula) -> tuple[Formula, Formula]:
    """Return q and x of a term q exp(x), with all exponentials combined."""
    exponentials: list[Formula] = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]
    return term / sp.Mul(*exponentials), sp.Add(*(f.args[0] for f in exponentials))


def _of_factors(formula: Formula) -> int | None:
    """Return the sign of a logarithm, of a power, or of a sum that factors into differences, as 1/x - 1/y does."""
    if isinstance(formula, sp.log):
        return sign_of(formula.args[0] - 1) if sign_of(formula.args[0]) == 1 else None
    if formula.is_Pow:
        return 1 if formula.exp.is_real and sign_of(formula.base) == 1 else None
    if not formula.is_Add or len(formula.args) > 4 or sp.count_ops(formula) > LARGE:
        return None
    for factor in (sp.factor_terms, factor_formula):
        product = factor(formula)
        if sum(not f.is_number for f in sp.Mul.make_args(product)) > 1:
            found = _of_product(product)
            if found is not None:
                return found
    return _of_collected(formula)


def _of_collected(formula: Formula) -> int | None:
    """Return the sign of a sum like 1 + a(e^b - 1), whose terms have one sign once they are collected by a symbol."""
    for symbol in sorted(formula.free_symbols, key=str) if len(formula.args) > 2 else ():
        terms = sp.collect(sp.expand(formula), symbol, evaluate=False)
        signs = {sign_of(power * coefficient) for power, coefficient in terms.items()} if len(terms) > 1 else {None}
        if len(signs) == 1 and None not in signs:
            return signs.pop()
    return None


def _of_product(formula: Formula) -> int | None:
    if not formula.is_Mul:
        return None
    signs = [sign_of(factor) for factor in formula.args]
    return None if None in signs else sp.prod(signs)


def _as_function(term: Formula) -> tuple[Formula, Formula | None]:
    """Return the term as a factor times a monotone function."""
    for factor in sp.Mul.make_args(term):
        if monotone_argument(factor) is not None:
            return term / factor, factor
    return term, None


def _shape(function: Formula) -> Shape | None:
    mark = sp.Dummy(real=True)
    inner = monotone_argument(function)
    return shape_of(function.func(*(mark if arg is inner else arg for arg in function.args)), mark)


def _sign_against(function: Formula, other: Formula, shape: Shape) -> int | None:
    """Return the sign of f(x) - other for a monotone f, where other is an end of f's range or f at another point."""
    x, rise = monotone_argument(function), 1 if shape.rises else -1
    if not _within(x, shape):
        return None
    if other == shape.at_upper:
        return -rise if _is_above(shape.upper, x) else None
    if other == shape.at_lower:
        return rise if _is_above(x, shape.lower) else None
    if isinstance(function, ODD) and (-other).func is function.func:
        minus_y = monotone_argument(-other)  # sympy writes f(-y) as -f(y)
        assert minus_y is not None, "the same function as f, which has a monotone argument"
        return _sign_of_rise(x, -minus_y, shape, rise)
    y = monotone_argument(other) if other.func is function.func else _preimage(function, other)
    if other.func is function.func and [a for a in other.args if a is not y] != [
        a for a in function.args if a is not x
    ]:
        return None
    return None if y is None else _sign_of_rise(x, y, shape, rise)


def _sign_of_rise(x: Formula, y: Formula, shape: Shape, rise: int) -> int | None:
    sign = sign_of(x - y) if _within(y, shape) else None
    return None if sign is None else sign * rise


def _preimage(function: Formula, other: Formula) -> Formula | None:
    """Return y with f(y) = other, if f is exp or log and other a number; else None."""
    if isinstance(function, sp.exp) and other.is_positive and other.is_number:
        return sp.log(other)
    return sp.exp(other) if isinstance(function, sp.log) and other.is_number and other.is_real else None


def _within(x: Formula, shape: Shape) -> bool:
    """Return whether a point is known to lie where the function is monotone."""
    above = shape.lower == -sp.oo or is_nonnegative(x - shape.lower)
    return bool(x.is_real and above and (shape.upper == sp.oo or is_nonnegative(shape.upper - x)))


def _is_above(upper: Formula, lower: Formula) -> bool:
    """Return whether one point is strictly above another; infinity is above every real number."""
    return upper == sp.oo or lower == -sp.oo or sign_of(upper - lower) == 1


def _by_ranges(formula: Formula) -> int | None:
    r"""Return the sign after replacing each bounded function $f \in (a, b)$ by $(a + bs)/(1 + s)$, s > 0, one s for each."""
    found = {e: _range(e) for e in formula.atoms(sp.Function) if monotone_argument(e) is not None}
    known = {e: _between(*ends) for e, ends in found.items() if ends is not None}
    for form in (formula, factor_formula(formula)) if known else ():
        signs = [_of_sum(part) for part in sp.fraction(sp.together(form.xreplace(known)))]
        if None not in signs:
            return sp.prod(signs)
    return None


def _range(function: Formula) -> tuple[Formula, Formula] | None:
    """Return the open interval of a monotone function's values, if it is bounded.

    For an argument of known sign, it is the half of the range on that side of zero.
    """
    x, shape = monotone_argument(function), _shape(function)
    if x is None or shape is None or not (x.is_real and _is_above(x, shape.lower) and _is_above(shape.upper, x)):
        return None
    ends = [shape.at_lower, shape.at_upper]
    if shape.lower == -sp.oo and (x.is_positive or x.is_negative):
        ends[0 if x.is_positive else 1] = _at_zero(function)
    return (ends[0], ends[1]) if all(end.is_finite for end in ends) else None


def _at_zero(function: Formula) -> Formula:
    inner = monotone_argument(function)
    return function.func(*(sp.S.Zero if arg is inner else arg for arg in function.args))


def _between(one: Formula, other: Formula) -> Formula:
    s = sp.Dummy(positive=True)
    return (one + other * s) / (1 + s)


def _of_sum(formula: Formula) -> int | None:
    expanded = sp.expand(formula)
    return 1 if expanded.is_positive else -1 if expanded.is_negative else None


def _above_logarithm(formula: Formula) -> bool:
    r"""Return whether a formula is $t - 1 - \log t + r$ with $r \ge 0$, also where $\log t$ is expanded.

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
