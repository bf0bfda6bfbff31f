r"""Lower a formula in index notation to an array expression: sums become contractions, and indices axes.

>>> from symaux.formulas.symbols.indices import arrays, plate
>>> W, z, n, i, k = *arrays("W z"), plate("n"), plate("i", 3), plate("k", 3)
>>> scope = Scope({"W": "W", "z": "z"}, size=lambda p: f"size_{p}", order=("n", "i"))
>>> lower(sp.tanh(sp.Sum(W[i, k]*z[n, k], k)), scope).code
"jnp.tanh(jnp.einsum('ik,nk->ni', W, z))"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or
from sympy.tensor.indexed import Idx, Indexed

from symaux.codegen.lower import sums
from symaux.codegen.lower.arithmetic import is_constant, lower_number, lower_power, lower_product
from symaux.codegen.lower.array_code import Piece, add, call
from symaux.codegen.lower.array_functions import lower_array_function
from symaux.codegen.lower.broadcast import lower_broadcast
from symaux.codegen.lower.function_table import FUNCTIONS, LIBRARY
from symaux.codegen.lower.indexing import lower_element
from symaux.codegen.lower.library_calls import library_call
from symaux.codegen.lower.logistic import with_sigmoids
from symaux.codegen.lower.piecewise import lower_condition, lower_delta, lower_extreme, lower_piecewise
from symaux.codegen.lower.quantiles import lower_discrete_quantile, lower_implicit_quantile
from symaux.codegen.lower.scope import Scope
from symaux.codegen.lower.series import lower_chebyshev, lower_series
from symaux.codegen.lower.special_calls import in_gammas, log_bessel, log_hyper, polygamma
from symaux.errors import UnknownFunction
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import DiscreteQuantile, ImplicitQuantile
from symaux.formulas.functions.registry import IN_REGULARISED
from symaux.formulas.functions.series import Series
from symaux.formulas.symbols.array_functions import ArrayFunction, Normalised, StickBreaking
from symaux.formulas.symbols.indices import is_size, label


def lower(formula: Any, scope: Scope) -> Piece:
    """Return the code of a formula with the plates along its axes; raise UnknownFunction where there is no JAX code."""
    if formula in scope.slots:
        return scope.slots[formula]
    match formula:
        case Idx():
            return _plate(formula, scope)
        case Indexed():
            return lower_element(formula, scope, lower)
        case sp.Symbol():
            return _symbol(formula, scope)
        case _ if is_constant(formula):
            return lower_number(formula)
        case sp.Add():
            return add([lower(term, scope) for term in sums.ordered_terms(formula)], scope.order)
        case sp.Mul() | sp.Pow() if (better := with_sigmoids(formula, scope.slots)) != formula:
            return lower(better, scope)
        case sp.Mul():
            return lower_product(formula, scope, lower)
        case sp.Pow():
            return lower_power(formula, scope, lower)
        case sp.Sum():
            return sums.lower_sum(formula.function, formula.limits, scope, lower)
        case sp.Piecewise():
            return lower_piecewise(formula, scope, lower)
        case sp.Max() | sp.Min():
            return lower_extreme(formula, scope, lower)
        case Relational() | And() | Or() | Not() | BooleanTrue() | BooleanFalse():
            return lower_condition(formula, scope, lower)
        case sp.KroneckerDelta():
            return lower_delta(formula, scope, lower)
    return _function(formula, scope)


def _function(formula: Any, scope: Scope) -> Piece:
    """Return the code of a function: a special case, a call of the library, or a template of the table, in this order."""
    inner = formula.args[0] if isinstance(formula, sp.log) else None
    match formula:
        case ArrayFunction():
            return lower_array_function(formula, scope, formula.function, lower)
        case sp.log() if isinstance(inner, StickBreaking | Normalised):
            return lower_array_function(inner, scope, f"log_{inner.function}", lower)
        case ImplicitQuantile():
            return lower_implicit_quantile(formula, scope, lower)
        case DiscreteQuantile():
            return lower_discrete_quantile(formula, scope, lower)
        case Series():
            return lower_series(formula, scope, lower)
        case ChebyshevPieces():
            return lower_chebyshev(formula, scope, lower)
        case sp.log() if sums.is_sum_of_exponentials(inner):
            return sums.lower_log_sum_exp(inner, scope, lower)
        case sp.log() if isinstance(inner, sp.besseli) and inner.args[0] in (0, 1):
            return log_bessel(inner, scope, lower)
        case sp.besseli() if formula.args[0] in (0, 1):
            return call(f"special.i{formula.args[0]}({{0}})", [lower(formula.args[1], scope)], scope.order)
        case sp.log() if isinstance(inner, sp.gamma):  # gamma(172) overflows
            known = inner.args[0].is_positive or inner.args[0].is_integer
            signed = "special.gammaln({0})" if known else "(special.gammaln({0}) + jnp.log(special.gammasgn({0})))"
            return call(signed, [lower(inner.args[0], scope)], scope.order)
        case sp.log() if isinstance(inner, sp.hyper):
            return log_hyper(inner, scope, lower)
        case sp.hyper():
            return call("jnp.exp({0})", [log_hyper(formula, scope, lower)], scope.order)
        case sp.beta() | sp.binomial():
            return lower(in_gammas(formula), scope)
        case sp.lowergamma() | sp.betainc() | sp.betainc_regularized():
            return lower(IN_REGULARISED[type(formula)](*formula.args), scope)
        case sp.polygamma():
            return polygamma(formula, scope, lower)
    if (found := library_call(formula)) is not None:
        return _library(*found, scope)
    if (template := FUNCTIONS.get(type(formula))) is not None:
        return call(template, [lower(arg, scope) for arg in formula.args], scope.order)
    raise UnknownFunction(
        f"no JAX code for {type(formula).__name__} in {formula}\n"
        f"  known: {', '.join(sorted({f.__name__ for f in (*FUNCTIONS, *LIBRARY)}))}\n"
        "  try:   write it with these functions"
    )


def _library(name: str, arguments: Sequence[Any], scope: Scope) -> Piece:
    scope.use(name)
    places = ", ".join(f"{{{number}}}" for number in range(len(arguments)))
    return call(f"{name}({places})", [lower(argument, scope) for argument in arguments], scope.order)


def _symbol(symbol: sp.Symbol, scope: Scope) -> Piece:
    if is_size(symbol):
        return Piece(scope.size(symbol.name.removeprefix("size_")))
    if scope.reader and (piece := scope.reader(symbol, scope)):
        return piece
    return Piece(scope.names[symbol.name])


def _plate(plate: Idx, scope: Scope) -> Piece:
    name, first = label(plate), scope.first(label(plate))
    if scope.reader and (piece := scope.reader(plate, scope)):
        return piece
    ends = f"{first}, {scope.size(name)}" if first else scope.size(name)
    return Piece(f"jnp.arange({ends}, dtype=float)", (name,))


def lower_along(formula: Any, axes: tuple[str, ...], scope: Scope) -> Piece:
    """Return the code of a formula with exactly the given axes."""
    return lower_broadcast(formula, axes, scope, lower)
