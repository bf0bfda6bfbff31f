r"""Expand $f(c + d) = f(c) + r$ by addition formulas, so that r is not a difference of nearly equal numbers.

>>> c, d = sp.symbols("c d", positive=True)
>>> expand_by_addition(sp.sinh, (), Expansion(c, d, c + d), sp.sinh(c + d)).rest
2*sinh(d/2)*cosh(c + d/2)
>>> expand_by_addition(ndtri, (), Expansion(sp.S.One, -d, 1 - d), ndtri(1 - d)).value
-ndtri(d)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symaux.formulas.algebra.expansion_point import Expansion, diverging, vanishing, without_limit
from symaux.formulas.functions.elementary import expm1, log1p, ndtr, ndtri
from symaux.formulas.functions.registry import (
    betainccinv,
    betaincinv,
    gammainccinv,
    gammaincinv,
    lambert_rise,
    lambertw0_of_exp,
    lambertwm1_of_exp,
)

oo, ZERO, ONE, QUARTER = sp.oo, sp.S.Zero, sp.S.One, sp.pi / 2


def expand_by_addition(function: Any, shapes: tuple[Any, ...], x: Expansion, whole: Any) -> Expansion:
    """Return the expansion of f(c + d) at a finite c, by a known formula or else with the remainder f(c + d) - f(c).

    ``whole`` is f(c + d) as a formula; ``shapes`` are the arguments before the last.
    """
    c, d = x.limit, x.rest
    special = (
        QUANTILE_EXPANSIONS[function](shapes, c, d) if function in QUANTILE_EXPANSIONS else _special(function, c, d)
    )
    if special is not None:
        return special
    limit = function(*shapes, c)
    if limit.is_infinite or limit.has(sp.nan, sp.zoo):
        return without_limit(whole)
    return Expansion(limit, ADDED[function](c, d, x.value) if function in ADDED else whole - limit, whole)


def _special(function: Any, c: Any, d: Any) -> Expansion | None:
    """Return the expansion of f near a point where f is zero or infinite; None if there is none."""
    if c == 0 and function in ZERO_AT_ZERO:
        return vanishing(function(d))
    return SPECIAL[function](c, d) if function in SPECIAL else None


def _tan(c: Any, d: Any) -> Expansion | None:
    return diverging({QUARTER: oo, -QUARTER: -oo}[c], -sp.cot(d)) if c in (QUARTER, -QUARTER) else None


def _cot(c: Any, d: Any) -> Expansion | None:
    if c in (QUARTER, -QUARTER):
        return vanishing(-sp.tan(d))
    return diverging({ZERO: oo, sp.pi: -oo, -sp.pi: None}[c], sp.cot(d)) if c in (ZERO, sp.pi, -sp.pi) else None


def _atanh(c: Any, d: Any) -> Expansion | None:
    return diverging(c * oo, c * (sp.log(2 + c * d) - sp.log(-c * d)) / 2) if c in (ONE, -ONE) else None


def _asin(c: Any, d: Any) -> Expansion | None:
    if c not in (ONE, -ONE):
        return None
    rest = -c * 2 * sp.asin(sp.sqrt(-c * d / 2))
    return Expansion(c * QUARTER, rest, c * QUARTER + rest)


def _acos(c: Any, d: Any) -> Expansion | None:
    return vanishing(2 * sp.asin(sp.sqrt(-d / 2))) if c == 1 else None


def _erfcinv(c: Any, d: Any) -> Expansion | None:
    return {
        ZERO: diverging(oo, sp.erfcinv(d)),
        ONE: vanishing(-sp.erfinv(d)),
        2 * ONE: diverging(-oo, -sp.erfcinv(-d)),
    }.get(c)


def _erfinv(c: Any, d: Any) -> Expansion | None:
    return diverging(c * oo, c * sp.erfcinv(-c * d)) if c in (ONE, -ONE) else None


def _ndtri(c: Any, d: Any) -> Expansion | None:
    return {ZERO: diverging(-oo, ndtri(d)), ONE: diverging(oo, -ndtri(-d))}.get(c)  # pyright: ignore[reportOperatorIssue]  # sympy hints that Function returns a class


def _log1p(c: Any, d: Any) -> Expansion | None:
    return diverging(-oo, sp.log(d)) if c == -1 else None


ZERO_AT_ZERO = (
    sp.sin,
    sp.tan,
    sp.atan,
    sp.asin,
    sp.sinh,
    sp.tanh,
    sp.asinh,
    sp.atanh,
    sp.erf,
    sp.erfinv,
    sp.LambertW,
    log1p,
    expm1,
)

SPECIAL: dict[Any, Callable[[Any, Any], Expansion | None]] = {
    sp.tan: _tan,
    sp.cot: _cot,
    sp.asin: _asin,
    sp.acos: _acos,
    sp.atanh: _atanh,
    sp.erfinv: _erfinv,
    sp.erfcinv: _erfcinv,
    ndtri: _ndtri,
    log1p: _log1p,
}


def _asinh(c: Any, d: Any, x: Any) -> Any:
    r"""Solve $x - c = 2\cosh\frac{A + C}2\sinh\frac{A - C}2$ for $A - C$, $A = \operatorname{asinh} x$."""
    return 2 * sp.asinh(d / (2 * sp.cosh((sp.asinh(x) + sp.asinh(c)) / 2)))


ADDED: dict[Any, Callable[[Any, Any, Any], Any]] = {  # (limit c, offset d, x = c + d) -> f(x) - f(c)
    sp.sin: lambda c, d, x: 2 * sp.cos(c + d / 2) * sp.sin(d / 2),
    sp.cos: lambda c, d, x: -2 * sp.sin(c + d / 2) * sp.sin(d / 2),
    sp.tan: lambda c, d, x: sp.sin(d) / (sp.cos(c) * sp.cos(x)),
    sp.cot: lambda c, d, x: -sp.sin(d) / (sp.sin(x) * sp.sin(c)),
    sp.atan: lambda c, d, x: sp.atan2(d, 1 + c * x),
    sp.sinh: lambda c, d, x: 2 * sp.cosh(c + d / 2) * sp.sinh(d / 2),
    sp.cosh: lambda c, d, x: 2 * sp.sinh(c + d / 2) * sp.sinh(d / 2),
    sp.tanh: lambda c, d, x: sp.tanh(d) * (1 - sp.tanh(c) * sp.tanh(x)),
    sp.asinh: _asinh,
    sp.atanh: lambda c, d, x: sp.atanh(d / (1 - c * x)),
    log1p: lambda c, d, x: log1p(d / (1 + c)),
    expm1: lambda c, d, x: sp.exp(c) * expm1(d),
    lambertw0_of_exp: lambda c, d, x: lambert_rise(lambertw0_of_exp(c), d),
    lambertwm1_of_exp: lambda c, d, x: lambert_rise(lambertwm1_of_exp(c), d),
    sp.LambertW: lambda c, d, x: lambert_rise(sp.LambertW(c), log1p(d / c)),
}


def _gamma(shapes: tuple[Any, ...], c: Any, d: Any) -> Expansion | None:
    return {ZERO: vanishing(gammaincinv(*shapes, d)), ONE: diverging(oo, gammainccinv(*shapes, -d))}.get(c)


def _gamma_above(shapes: tuple[Any, ...], c: Any, d: Any) -> Expansion | None:
    return _gamma(shapes, 1 - c, -d)


def _beta(shapes: tuple[Any, ...], c: Any, d: Any) -> Expansion | None:
    a, b = shapes
    if c == 0:
        return vanishing(betaincinv(a, b, d))
    rest = -betaincinv(b, a, -d)  # pyright: ignore[reportOperatorIssue]  # sympy hints that Function returns a class
    return Expansion(ONE, rest, 1 + rest) if c == 1 else None


def _beta_above(shapes: tuple[Any, ...], c: Any, d: Any) -> Expansion | None:
    return _beta(shapes, 1 - c, -d)


QUANTILE_EXPANSIONS: dict[Any, Callable[[tuple[Any, ...], Any, Any], Expansion | None]] = {
    gammaincinv: _gamma,
    gammainccinv: _gamma_above,
    betaincinv: _beta,
    betainccinv: _beta_above,
}


def _diverging_function(function: Any, limit: Any) -> Callable[[Any], Expansion]:
    return lambda x: diverging(limit, function(x))


AT_INFINITY: dict[Any, Callable[[Any], Expansion]] = {  # an identity for every x; accurate where |x| is large
    (sp.atan, oo): lambda x: Expansion(QUARTER, -sp.atan2(1, x), sp.atan(x)),
    (sp.atan, -oo): lambda x: Expansion(-QUARTER, sp.atan2(1, -x), sp.atan(x)),
    (sp.tanh, oo): lambda x: Expansion(ONE, -2 / (sp.exp(2 * x) + 1), sp.tanh(x)),
    (sp.tanh, -oo): lambda x: Expansion(-ONE, 2 / (sp.exp(-2 * x) + 1), sp.tanh(x)),
    (sp.erf, oo): lambda x: Expansion(ONE, -sp.erfc(x), sp.erf(x)),
    (sp.erf, -oo): lambda x: Expansion(-ONE, sp.erfc(-x), sp.erf(x)),
    (sp.erfc, oo): lambda x: vanishing(sp.erfc(x)),
    (sp.erfc, -oo): lambda x: Expansion(2 * ONE, -sp.erfc(-x), sp.erfc(x)),
    (ndtr, oo): lambda x: Expansion(ONE, -ndtr(-x), ndtr(x)),  # pyright: ignore[reportOperatorIssue]  # sympy hints that Function returns a class
    (ndtr, -oo): lambda x: vanishing(ndtr(x)),
    (log1p, oo): _diverging_function(log1p, oo),
    (expm1, oo): _diverging_function(expm1, oo),
    (expm1, -oo): lambda x: Expansion(-ONE, sp.exp(x), expm1(x)),
    (lambertw0_of_exp, -oo): lambda x: vanishing(lambertw0_of_exp(x)),
    (lambertw0_of_exp, oo): _diverging_function(lambertw0_of_exp, oo),
    (lambertwm1_of_exp, -oo): _diverging_function(lambertwm1_of_exp, -oo),
    (sp.cosh, oo): _diverging_function(sp.cosh, oo),
    (sp.cosh, -oo): _diverging_function(sp.cosh, oo),
    **{(f, end): _diverging_function(f, end) for f in (sp.sinh, sp.asinh) for end in (oo, -oo)},
}
