r"""Special functions that generating functions need, as sympy functions: inverse incomplete gamma and beta, and others.

Each knows its derivatives where they have a closed form, its inverse, and its value at any precision; generated code
calls the function of the same name in ``symaux/codegen/special``.

>>> a, x, u = sp.symbols("a x u", positive=True)
>>> gammaincinv(a, gammainc(a, x)), gammaincinv(a, 1 - u)
(x, gammainccinv(a, u))
>>> gammainc(a, x).diff(x)
x**(a - 1)*exp(-x)/gamma(a)
>>> gammaincinv(1, sp.Rational(1, 2)).evalf(30) == sp.log(2).evalf(30)
True
"""

from __future__ import annotations

from typing import Any

import sympy as sp

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
from symaux.formulas.functions.gamma import gammainc, gammaincc, gammainccinv, gammaincinv, log_gamma_quantile
from symaux.formulas.functions.gaussian_sums import alternating_gaussian
from symaux.formulas.functions.lambert import lambert_rise, lambertw0_of_exp, lambertwm1_of_exp
from symaux.formulas.functions.normal import ndtri_exp, owens_t
from symaux.formulas.functions.special_function import Special
from symaux.formulas.functions.trig_pi import cotpi, tanpi
from symaux.formulas.functions.truncated import gammaincinv_gap, ndtri_below, ndtri_between, ndtri_gap

FUNCTIONS: tuple[type[Special], ...] = (
    gammainc,
    gammaincc,
    gammaincinv,
    gammainccinv,
    betainc,
    betaincc,
    betaincinv,
    betainccinv,
    student_t_cdf,
    student_t_ppf,
    von_mises_cdf,
    von_mises_ppf,
    ndtri_exp,
    lambertw0_of_exp,
    lambertwm1_of_exp,
    lambert_rise,
    owens_t,
    log_iv,
    log_iv_over_power,
    log_kv,
    log_gamma_quantile,
    logit_betaincinv,
    cotpi,
    tanpi,
    alternating_gaussian,
    ndtri_between,
    ndtri_below,
    ndtri_gap,
    gammaincinv_gap,
)


def regularised(formula: Any) -> Any:
    """Sympy's incomplete gamma and beta functions of positive shapes as multiples of the regularised ones, so that normalisers
    cancel.

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
