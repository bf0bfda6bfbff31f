"""List the functions of model texts: those of formulas, and those that the Python API and rewritten models add.

In a formula to derive, ``softplus`` is written out in sympy's own functions; in a model it is the function that the
Python API has, so that a printed model parses to the same model.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from symaux.formulas.algebra.convert import LARGE
from symaux.formulas.functions import elementary as functions
from symaux.formulas.functions import registry as special
from symaux.language.formula_functions import EXTENT, FACTORIAL, FUNCTIONS, NAMES, SOLVED, Function

OWN = ("ndtr", "ndtri", "log_ndtr", "softplus", "log1p", "expm1", "log1mexp")


def _loggamma(x: Any) -> Any:
    """Return loggamma, unevaluated for a large number, for which sympy would compute the logarithm of a factorial."""
    return sp.loggamma(x, evaluate=not (x.is_Rational and x > LARGE))


MORE = {
    "loggamma": Function(_loggamma),
    "ceiling": Function(sp.ceiling),
    "polygamma": Function(sp.polygamma, 2, 2, limit=FACTORIAL),
    "lambertw": Function(sp.LambertW, 1, 2),
    "kronecker": Function(sp.KroneckerDelta, 2, 2),
    **{f.__name__: Function(f) for f in (sp.cot, sp.acot, sp.sec, sp.csc, sp.coth, sp.sech, sp.csch)},
    "Heaviside": Function(sp.Heaviside, 1, 2),
    SOLVED: Function(functions.ImplicitQuantile, 3, 3),
    EXTENT: Function(sp.Symbol),
}


@cache
def model_functions() -> dict[str, Function]:
    """Return every function that a model text may call.

    >>> model_functions()["softplus"].build
    softplus
    """
    own = {name: Function(getattr(functions, name)) for name in OWN}
    inverse = {function.__name__: _special(function) for function in special.FUNCTIONS}
    return FUNCTIONS | own | inverse | MORE


def _special(function: Any) -> Function:
    return Function(function, min(function.nargs), max(function.nargs))


@cache
def reserved_names() -> frozenset[str]:
    """Return the names that variables of a model cannot have.

    >>> {"sum", "where", "exp", "ndtri"} <= reserved_names()
    True
    """
    return NAMES | frozenset(model_functions())


@cache
def function_names() -> dict[Any, str]:
    """Return the name in the language of each function of sympy or symaux.

    >>> function_names()[sp.Abs], function_names()[sp.loggamma]
    ('abs', 'loggamma')
    """
    table = {f.build: name for name, f in reversed(model_functions().items()) if isinstance(f.build, type)}
    return table | {sp.Max: "max", sp.Min: "min", sp.loggamma: "loggamma"}
