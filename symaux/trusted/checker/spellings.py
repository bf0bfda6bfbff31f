r"""Spell functions by fewer functions, by their definitions: identities that hold wherever both sides are defined.

Every line is a definition or a textbook identity (DLMF 4.28, 5.5, 5.12, 7.2, 8.2). Steps are resolved by the signs on the
region: |u| is u where u is positive, a Piecewise is the branch that holds on the whole region; one that is not decided stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.codegen import cfunctions
from sympy.core.relational import Relational

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions.beta import betainc, betaincc, betainccinv, betaincinv
from symaux.formulas.functions.gamma import gammainc, gammaincc, gammainccinv, gammaincinv
from symaux.formulas.functions.normal import ndtri_exp
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.facts import Unproved

if TYPE_CHECKING:
    from symaux.trusted.checker.signs import Signs

root2 = sp.sqrt(2)


def _normal(x: Formula) -> Formula:
    return (1 + sp.erf(x / root2)) / 2


SPELLINGS: dict[Any, Callable[..., Formula]] = {
    own.log1p: lambda x: sp.log(1 + x),
    own.expm1: lambda x: sp.exp(x) - 1,
    cfunctions.expm1: lambda x: sp.exp(x) - 1,
    own.softplus: lambda x: sp.log(1 + sp.exp(x)),
    own.log1mexp: lambda x: sp.log(1 - sp.exp(x)),
    own.logistic: lambda x: 1 / (1 + sp.exp(-x)),
    own.complement: lambda x: 1 - x,
    own.ndtr: _normal,
    own.ndtri: lambda u: root2 * sp.erfinv(2 * u - 1),
    ndtri_exp: lambda x: root2 * sp.erfinv(2 * sp.exp(x) - 1),
    own.log_ndtr: lambda x: sp.log(_normal(x)),
    sp.erfc: lambda x: 1 - sp.erf(x),
    sp.erfcinv: lambda u: sp.erfinv(1 - u),
    sp.sinh: lambda x: (sp.exp(x) - sp.exp(-x)) / 2,
    sp.cosh: lambda x: (sp.exp(x) + sp.exp(-x)) / 2,
    sp.tanh: lambda x: 1 - 2 / (sp.exp(2 * x) + 1),
    sp.coth: lambda x: 1 + 2 / (sp.exp(2 * x) - 1),
    sp.sech: lambda x: 2 / (sp.exp(x) + sp.exp(-x)),
    sp.csch: lambda x: 2 / (sp.exp(x) - sp.exp(-x)),
    sp.asinh: lambda x: sp.log(x + sp.sqrt(x**2 + 1)),
    sp.acosh: lambda x: sp.log(x + sp.sqrt(x**2 - 1)),
    sp.atanh: lambda x: sp.log((1 + x) / (1 - x)) / 2,
    sp.tan: lambda x: sp.sin(x) / sp.cos(x),
    sp.cot: lambda x: sp.cos(x) / sp.sin(x),
    sp.sec: lambda x: 1 / sp.cos(x),
    sp.csc: lambda x: 1 / sp.sin(x),
    sp.acos: lambda x: sp.pi / 2 - sp.asin(x),
    sp.loggamma: lambda x: sp.log(sp.gamma(x)),
    sp.beta: lambda a, b: sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b),
    sp.factorial: lambda x: sp.gamma(x + 1),
    gammaincc: lambda a, x: 1 - gammainc(a, x),
    betaincc: lambda a, b, x: 1 - betainc(a, b, x),
    gammainccinv: lambda a, u: _upper(gammaincinv, a, u),
    betainccinv: lambda a, b, u: _upper(betaincinv, a, b, u),
}


def _upper(quantile: Any, *arguments: Formula) -> Formula:
    """Return the quantile at one minus the last argument, which the class would turn back."""
    *shapes, u = arguments
    return sp.Function.__new__(quantile, *shapes, 1 - u, evaluate=False)


def resolved(signs: Signs, f: Formula) -> Formula:
    """Return the formula with every step, absolute value and branch replaced that the signs on the region decide.

    What is dropped must be defined on the region: the sign of a number that is not real decides nothing.
    """
    if not f.has(sp.Abs, sp.sign, sp.Max, sp.Min, sp.Piecewise, sp.Heaviside):
        return f
    args = [resolved(signs, arg) if isinstance(arg, sp.Expr) else arg for arg in f.args]
    match f:
        case sp.Piecewise():
            return _branch(signs, f)
        case sp.Abs() | sp.sign() | sp.Heaviside():
            inside = signs.of(args[0])
            if len(inside) == 1 and 0 not in inside and is_defined(signs, args[0]):
                (s,) = inside
                return {sp.Abs: s * args[0], sp.sign: sp.Integer(s), sp.Heaviside: sp.Integer((1 + s) // 2)}[f.func]
        case sp.Max() | sp.Min():
            keep = (0, 1) if isinstance(f, sp.Max) else (-1, 0)
            for arg in args:
                lesser = [other for other in args if other is not arg]
                if all(signs.of(arg - other) <= set(keep) and is_defined(signs, other) for other in lesser):
                    return arg
    return f.func(*args)


def _branch(signs: Signs, f: Formula) -> Formula:
    for value, condition in f.args:
        sides = {side for part in condition.atoms(Relational) for side in part.args}
        decided = signs.decides(condition) if all(is_defined(signs, side) for side in sides) else None
        if decided:
            return resolved(signs, value)
        if decided is None:
            return f
    return f


def is_defined(signs: Signs, f: Formula) -> bool:
    """Return whether a formula is known to be defined and continuous on the whole region."""
    from symaux.trusted.checker.continuity import check_continuous

    try:
        check_continuous(signs, resolved(signs, f))
    except Unproved:
        return False
    return True
