"""Lower Bessel, hypergeometric, beta, binomial and polygamma functions to the functions that jax has."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.codegen.lower.array_code import Piece, add, call
from symaux.codegen.lower.scope import Lower, Scope
from symaux.errors import UnknownFunction


def log_bessel(formula: Any, scope: Scope, lower: Lower) -> Piece:
    r"""Return the code of $\log I_n(x)$ for n = 0 or 1, from $\log(e^{-|x|}I_n(x)) + |x|$, which does not overflow."""
    order, argument = formula.args
    inner = lower(argument, scope)
    scaled = call(f"jnp.log(special.i{order}e({{0}}))", [inner], scope.order)
    return add([scaled, call("jnp.abs({0})", [inner], scope.order)], scope.order)


def log_hyper(formula: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of the logarithm of a hypergeometric function; raise UnknownFunction where its series may diverge."""
    above, below, x = formula.args
    if len(above) == 2 and len(below) == 1:
        return _log_gauss(formula, scope, lower)
    if len(above) > len(below):
        raise UnknownFunction(f"no JAX code for {formula}: its series may not converge")
    scope.use("log_hyper")
    places = iter(range(len(above) + len(below)))
    rows = ["(" + "".join(f"{{{next(places)}}}, " for _ in row) + ")" for row in (above, below)]
    given = [lower(argument, scope) for argument in (*above, *below, x)]
    return call(f"log_hyper({', '.join(rows)}, {{{len(given) - 1}}})", given, scope.order)


def _log_gauss(formula: Any, scope: Scope, lower: Lower) -> Piece:
    (a, b), (c,), x = formula.args
    scope.use("log_gauss_hyper")
    return call("log_gauss_hyper({0}, {1}, {2}, {3})", [lower(p, scope) for p in (a, b, c, x)], scope.order)


def in_gammas(formula: Any) -> sp.Expr:
    """Return a binomial coefficient or a beta function by logarithms of gamma functions."""
    if isinstance(formula, sp.binomial):
        n: Any = formula.args[0]
        k: Any = formula.args[1]
        return sp.exp(sp.loggamma(n + 1) - sp.loggamma(k + 1) - sp.loggamma(n - k + 1))
    a, b = formula.args if len(formula.args) == 2 else formula.args * 2
    return sp.exp(sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b))


def polygamma(formula: Any, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a polygamma function; that of order 0 is the digamma function."""
    order, argument = formula.args
    if order == 0:
        return call("special.digamma({0})", [lower(argument, scope)], scope.order)
    return call("special.polygamma({0}, {1})", [lower(order, scope), lower(argument, scope)], scope.order)
