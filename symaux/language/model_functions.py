"""The functions of model texts: those of formulas, and what the Python API and rewritten models add, name by name.

Where a formula to derive spells ``softplus`` in sympy's own functions, a model has the function that Python gives it, so
that a model reads back as the same model.
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
    """Of a large number it stays as it is: sympy would make the logarithm of a whole factorial of it."""
    return sp.loggamma(x, evaluate=not (x.is_Rational and x > LARGE))


MORE = {
    "loggamma": Function(_loggamma),
    "ceiling": Function(sp.ceiling),
    "polygamma": Function(sp.polygamma, 2, 2, limit=FACTORIAL),
    "lambertw": Function(sp.LambertW, 1, 2),
    "kronecker": Function(sp.KroneckerDelta, 2, 2),
    **{f.__name__: Function(f) for f in (sp.cot, sp.acot, sp.coth, sp.sech, sp.csch)},
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
def reserved() -> frozenset[str]:
    """Return the names that no variable of a model has.

    >>> {"sum", "where", "exp", "ndtri"} <= reserved()
    True
    """
    return NAMES | frozenset(model_functions())


@cache
def spelled() -> dict[Any, str]:
    """Return the name in the language of a function of sympy's or of ours.

    >>> spelled()[sp.Abs], spelled()[sp.loggamma]
    ('abs', 'loggamma')
    """
    table = {f.build: name for name, f in reversed(model_functions().items()) if isinstance(f.build, type)}
    return table | {sp.Max: "max", sp.Min: "min", sp.loggamma: "loggamma"}
