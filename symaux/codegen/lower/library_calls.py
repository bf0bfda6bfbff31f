"""Recognise formulas that a library function computes: its name, and its arguments.

>>> a, eps, y = sp.Symbol("a", positive=True), sp.Symbol("eps", real=True), sp.Symbol("y", real=True)
>>> library_call(gammaincinv(a, ndtr(eps)))
('gamma_of_normal', (a, eps))
>>> library_call(sp.LambertW(2*sp.exp(y)))
('lambertw0_of_exp', (y + log(2),))
>>> library_call(sp.log(sp.besselk(a, eps)))
('log_kv', (a, eps))
>>> library_call(log1mexp(-2*sp.exp(y)))
('log1mexp_of_exp', (y + log(2),))
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.codegen.cfunctions import log1p

from symaux.codegen.lower.function_table import LIBRARY
from symaux.formulas.functions.elementary import log1mexp, ndtr
from symaux.formulas.functions.registry import (
    alternating_gaussian,
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    cotpi,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    student_t_cdf,
    student_t_ppf,
    tanpi,
    von_mises_ppf,
)

Call = tuple[str, tuple[Any, ...]]


def library_call(formula: Any) -> Call | None:
    """Return the call that computes a formula best, or None where the library has nothing for it."""
    match formula:
        case gammaincinv() | gammainccinv() | betaincinv() | betainccinv() if isinstance(formula.args[-1], ndtr):
            *shapes, level = formula.args
            eps: Any = level.args[0]
            eps = eps if isinstance(formula, gammaincinv | betaincinv) else -eps
            return ("gamma_of_normal" if len(shapes) == 1 else "beta_of_normal"), (*shapes, eps)
        case student_t_ppf() if isinstance(formula.args[0], ndtr):
            return "student_t_of_normal", (formula.args[1], formula.args[0].args[0])
        case von_mises_ppf() if isinstance(formula.args[0], ndtr):
            return "von_mises_of_normal", (formula.args[0].args[0], formula.args[1])
        case cotpi() if isinstance(formula.args[0], ndtr):
            return "cauchy_of_normal", (_negative(formula.args[0].args[0]),)
        case cotpi() if isinstance(formula.args[0], sp.Pow) and formula.args[0].base.is_positive:
            return "cotpi_of_power", formula.args[0].args
        case tanpi() if isinstance(_twice(formula.args[0]), ndtr):
            return "half_cauchy_of_normal", _twice(formula.args[0]).args
        case cotpi() if isinstance(_twice(formula.args[0]), ndtr):
            return "half_cauchy_of_normal", (_negative(_twice(formula.args[0]).args[0]),)
        case sp.erfinv() if isinstance(formula.args[0], ndtr):
            return "erfinv_of_normal", formula.args[0].args
        case sp.LambertW():
            return _lambert(*formula.args)
        case log1mexp() if (exponent := _exponent(-formula.args[0])) is not None:
            return "log1mexp_of_exp", (exponent,)
        case sp.log() if isinstance(formula.args[0], gammaincinv | gammainccinv):
            return _log_gamma(formula.args[0])
        case sp.log() if (beta := _odds(formula.args[0])) is not None:
            return _logit_beta(beta)
        case sp.log() if isinstance(formula.args[0], gammainc | gammaincc | betainc | betaincc):
            return f"log_{LIBRARY[type(formula.args[0])]}", formula.args[0].args
        case student_t_ppf() if isinstance(formula.args[0], student_t_cdf):
            return "student_t_of_student_t", (formula.args[1], *formula.args[0].args)
        case sp.log() if isinstance(formula.args[0], sp.besseli | sp.besselk):
            return ("log_iv" if isinstance(formula.args[0], sp.besseli) else "log_kv"), formula.args[0].args
        case sp.log() if isinstance(formula.args[0], alternating_gaussian):
            return "log_alternating_gaussian", formula.args[0].args
    name = LIBRARY.get(type(formula))
    return (name, formula.args) if name else None


def _log_gamma(quantile: Any) -> Call:
    """Return the logarithm of a gamma quantile, which underflows for small shapes."""
    name, arguments = library_call(quantile) or ("", ())
    if name == "gamma_of_normal":
        return "log_gamma_of_normal", arguments
    shape, level = quantile.args
    return ("log_gammaincinv" if isinstance(quantile, gammaincinv) else "log_gammainccinv"), (shape, sp.log(level))


def _odds(formula: Any) -> Any:
    """Return the beta quantile x, for x/(1 - x)."""
    found = [f for f in sp.Mul.make_args(formula) if isinstance(f, betaincinv | betainccinv)]
    return found[0] if len(found) == 1 and formula == found[0] / (1 - found[0]) else None


def _logit_beta(quantile: Any) -> Call:
    """Return the logit of a beta quantile, exact at both ends."""
    name, arguments = library_call(quantile) or ("", ())
    if name == "beta_of_normal":
        return "logit_beta_of_normal", arguments
    a, b, level = quantile.args
    levels = (sp.log(level), log1p(-level)) if isinstance(quantile, betaincinv) else (log1p(-level), sp.log(level))
    return "logit_betaincinv", (a, b, *levels)


def _twice(x: Any) -> Any:
    return 2 * x


def _negative(x: Any) -> Any:
    return -x


def _lambert(x: Any, branch: Any = sp.S.Zero) -> Call | None:
    """Return a principal branch, or the other one; from the logarithm where the argument is a multiple of an
    exponential."""
    if branch not in (0, -1):
        return None
    name = "lambertw0" if branch == 0 else "lambertwm1"
    exponent = _exponent(x if branch == 0 else -x)
    return (name, (x,)) if exponent is None else (f"{name}_of_exp", (exponent,))


def _exponent(x: Any) -> Any:
    """Return log x, where x is a positive multiple of an exponential, which may be too large or too small for a number."""
    factors: Any = sp.Mul.make_args(x)
    powers: list[Any] = [f.exp for f in factors if isinstance(f, sp.exp)]
    size = sp.Mul(*(f for f in factors if not isinstance(f, sp.exp)))
    return sp.log(size) + sp.Add(*powers) if powers and size.is_positive else None
