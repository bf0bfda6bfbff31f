"""Write functions that a target lacks in terms of others that it may have: cot x is 1/tan x."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy.functions.combinatorial.factorials import factorial

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special

Respelling = Callable[..., Any]


def _as_it_is(function: Any, *arguments: Any) -> Any:
    """Return a function that sympy does not evaluate, so that sympy does not rewrite it back."""
    return function(*arguments, evaluate=False)


RESPELLED: Mapping[Any, Respelling] = {
    sp.cot: lambda x: 1 / sp.tan(x),
    sp.sec: lambda x: 1 / sp.cos(x),
    sp.csc: lambda x: 1 / sp.sin(x),
    sp.acot: lambda x: sp.atan(1 / x),
    sp.coth: lambda x: 1 / sp.tanh(x),
    sp.sech: lambda x: 1 / sp.cosh(x),
    sp.csch: lambda x: 1 / sp.sinh(x),
    sp.ceiling: lambda x: -_as_it_is(sp.floor, -x),
    sp.sign: lambda x: sp.Piecewise((1, x > 0), (-1, x < 0), (0, True)),
    sp.Heaviside: lambda x, at_zero=sp.S.Half: sp.Piecewise((1, x > 0), (0, x < 0), (at_zero, True)),
    sp.gamma: lambda x: sp.exp(sp.loggamma(x), evaluate=False),
    factorial: lambda x: sp.exp(sp.loggamma(x + 1), evaluate=False),
    sp.beta: lambda a, b=None: sp.exp(sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b), evaluate=False),
    sp.lowergamma: lambda a, x: sp.exp(sp.loggamma(a), evaluate=False) * special.gammainc(a, x, evaluate=False),
    sp.uppergamma: lambda a, x: sp.exp(sp.loggamma(a), evaluate=False) * special.gammaincc(a, x, evaluate=False),
    sp.binomial: lambda n, k: sp.exp(sp.loggamma(n + 1) - sp.loggamma(k + 1) - sp.loggamma(n - k + 1), evaluate=False),
    sp.betainc: special.IN_REGULARISED[sp.betainc],
    sp.betainc_regularized: special.IN_REGULARISED[sp.betainc_regularized],
    special.gammaincc: lambda a, x: 1 - _as_it_is(special.gammainc, a, x),
    special.betaincc: lambda a, b, x: special.betainc(b, a, 1 - x, evaluate=False),
    special.gammainccinv: lambda a, u: special.gammaincinv(a, own.complement(u), evaluate=False),
    special.betainccinv: lambda a, b, u: 1 - _as_it_is(special.betaincinv, b, a, u),
    special.log_iv: lambda q, x: sp.log(sp.besseli(q, x, evaluate=False), evaluate=False),
    special.log_kv: lambda q, x: sp.log(sp.besselk(q, x, evaluate=False), evaluate=False),
    sp.erfinv: lambda x: _as_it_is(own.ndtri, (1 + x) / 2) / sp.sqrt(2),
    sp.erfcinv: lambda x: -_as_it_is(own.ndtri, x / 2) / sp.sqrt(2),
    own.log1mexp: lambda x: sp.log(-_as_it_is(own.expm1, x), evaluate=False),
    own.log_ndtr: lambda x: sp.log(own.ndtr(x), evaluate=False),
}


def respelled(expr: Any) -> Any | None:
    """Return the same value by other functions, or None.

    >>> respelled(sp.cot(sp.Symbol("x"))), respelled(sp.sin(sp.Symbol("x")))
    (1/tan(x), None)
    """
    if expr.func in RESPELLED:
        return RESPELLED[expr.func](*expr.args)
    return expr.definition() if isinstance(expr, own.Defined | special.tanpi | special.cotpi) else None
