r"""List every function that formulas may contain, with its record; find records by function.

Special functions of symaux's own know their derivatives where they have a closed form, their inverse, and their value at any
precision; generated code calls the function of the same name in ``symaux/codegen/library``.

>>> a, x, u = sp.symbols("a x u", positive=True)
>>> gammaincinv(a, gammainc(a, x)), gammaincinv(a, 1 - u)
(x, gammainccinv(a, u))
>>> gammainc(a, x).diff(x)
x**(a - 1)*exp(-x)/gamma(a)
>>> gammaincinv(1, sp.Rational(1, 2)).evalf(30) == sp.log(2).evalf(30)
True
>>> record_of(gammaincinv).quantile_of.__name__, record_of(sp.tan).breaks(x)
('gammainc', cos(x))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.functions import elementary_records, special_records
from symaux.formulas.functions.bessel import log_iv, log_iv_over_power, log_kv, von_mises_cdf, von_mises_ppf
from symaux.formulas.functions.beta import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    logit_betaincinv,
    student_t_cdf,
    student_t_ppf,
)
from symaux.formulas.functions.elementary_records import SAME
from symaux.formulas.functions.gamma import gammainc, gammaincc, gammainccinv, gammaincinv, log_gamma_quantile
from symaux.formulas.functions.gaussian_sums import alternating_gaussian
from symaux.formulas.functions.lambert import lambert_rise, lambertw0_of_exp, lambertwm1_of_exp
from symaux.formulas.functions.normal import ndtri_exp, owens_t
from symaux.formulas.functions.ratios import (
    cloglog_exp,
    exprel,
    geometric_mean,
    log1p_scaled,
    log_expm1,
    log_mean_exponent,
    log_ratio,
    log_rising,
    logrel,
    mean_exponent,
    recip_expm1,
    weibull_below,
)
from symaux.formulas.functions.record import FunctionRecord
from symaux.formulas.functions.special_function import Special
from symaux.formulas.functions.trig_pi import cotpi, tanpi
from symaux.formulas.functions.truncated import gammaincinv_gap, ndtri_below, ndtri_gap, normal_between

RECORDS: tuple[FunctionRecord, ...] = (*elementary_records.RECORDS, *special_records.RECORDS)
_BY_FUNCTION = {record.function: record for record in RECORDS}
QUANTILES = tuple(record.function for record in RECORDS if record.quantile_of is not None)
FUNCTIONS: tuple[type[Special], ...] = tuple(r.function for r in RECORDS if issubclass(r.function, Special))

__all__ = [
    "FUNCTIONS",
    "IN_REGULARISED",
    "QUANTILES",
    "RECORDS",
    "alternating_gaussian",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "cloglog_exp",
    "cotpi",
    "exprel",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaincinv_gap",
    "geometric_mean",
    "lambert_rise",
    "lambertw0_of_exp",
    "lambertwm1_of_exp",
    "log1p_scaled",
    "log_expm1",
    "log_gamma_quantile",
    "log_iv",
    "log_iv_over_power",
    "log_kv",
    "log_mean_exponent",
    "log_ratio",
    "log_rising",
    "logit_betaincinv",
    "logrel",
    "mean_exponent",
    "ndtri_below",
    "ndtri_exp",
    "ndtri_gap",
    "normal_between",
    "owens_t",
    "probability_argument",
    "recip_expm1",
    "record_of",
    "regularised",
    "spellings",
    "student_t_cdf",
    "student_t_ppf",
    "tanpi",
    "von_mises_cdf",
    "von_mises_ppf",
    "weibull_below",
]


def record_of(function: Any) -> FunctionRecord | None:
    """Return the record of a sympy function class; None if formulas may not contain it."""
    return _BY_FUNCTION.get(SAME.get(function, function))


def probability_argument(quantile: Any) -> Any:
    """Return the probability at which a quantile function is evaluated.

    >>> u, df = sp.symbols("u df", positive=True)
    >>> probability_argument(student_t_ppf(u, df))
    u
    """
    return quantile.args[_BY_FUNCTION[quantile.func].varies]


def spellings(backend: str) -> dict[Any, Any]:
    """Return what the records say for one backend, by function; functions that it lacks are left out.

    >>> spellings("stan")[sp.loggamma]
    'lgamma'
    """
    return {record.function: value for record in RECORDS if (value := getattr(record, backend))}


def regularised(formula: Any) -> Any:
    """Write sympy's incomplete gamma and beta functions of positive shapes as multiples of the regularised ones.

    Normalisers cancel then.

    >>> a, b, x = sp.symbols("a b x", positive=True)
    >>> regularised(sp.lowergamma(a, x) / sp.gamma(a)), regularised(sp.betainc_regularized(a, b, 0, x))
    (gammainc(a, x), betainc(a, b, x))
    >>> regularised(sp.uppergamma(-a, x))
    uppergamma(-a, x)
    """
    return formula.replace(
        lambda e: type(e) in IN_REGULARISED and all(s.is_positive for s in _shapes(e)), _as_regularised
    )


def _shapes(e: Any) -> tuple[Any, ...]:
    return e.args[: len(e.args) // 2]


def _as_regularised(e: Any) -> Any:
    return IN_REGULARISED[type(e)](*e.args)


IN_REGULARISED: dict[Any, Any] = {
    sp.lowergamma: lambda a, x: sp.gamma(a) * gammainc(a, x),
    sp.uppergamma: lambda a, x: sp.gamma(a) * gammaincc(a, x),
    sp.betainc: lambda a, b, low, x: sp.beta(a, b) * (betainc(a, b, x) - betainc(a, b, low)),
    sp.betainc_regularized: lambda a, b, low, x: betainc(a, b, x) - betainc(a, b, low),
}
