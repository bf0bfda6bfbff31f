"""Record the special functions: gamma, beta, Bessel, Lambert and hypergeometric functions, and quantile functions."""

from __future__ import annotations

from typing import Any

import mpmath as mp
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
from symaux.formulas.functions.mpmath_functions import besselk
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
from symaux.formulas.functions.record import POSITIVE, REAL, UNIT, FunctionRecord, Shape
from symaux.formulas.functions.special_function import Special
from symaux.formulas.functions.trig_pi import cotpi, tanpi
from symaux.formulas.functions.truncated import gammaincinv_gap, ndtri_below, ndtri_gap, normal_between

oo, ZERO, ONE, PI = sp.oo, sp.S.Zero, sp.S.One, sp.pi
Q = sp.Rational
NEGATIVE = (-oo, ZERO)


NO_PYMC = "PyTensor has no such function"
NO_SHAPE_GRADIENT = "PyTensor has no gradient in the shapes, so that they must be numbers"
NO_STAN = "Stan has no such function"
WHOLE_ORDERS = "Stan has Bessel functions of whole orders only"
AS_REGULARISED = "laws and texts hold multiples of the regularised function instead (registry.regularised)"
REGULARISED = {"text": AS_REGULARISED}
IN_GAMMAS = {"text": "texts build it from gamma functions, so that it would be read back as those"}
AS_POLYGAMMA = {b: "sympy turns it into polygamma(0, x)" for b in ("numpyro", "pymc", "stan", "text", "archive")}
NO_RULE = "no rule or family produces it"
WRITTEN = {"pymc": "", "stan": ""}
NO_SHAPES = {"pymc": NO_SHAPE_GRADIENT}
FIXED_SHAPES = {"pymc": NO_SHAPE_GRADIENT, "stan": ""}
BESSEL_LIMITS = {"pymc": NO_SHAPE_GRADIENT, "stan": WHOLE_ORDERS}
UNUSED = {b: NO_RULE for b in ("balls", "jax", "numpyro", "pymc", "stan", "text")}


def _special(function: type[Special], domain: Any, **known: Any) -> FunctionRecord:
    """Return the record of a special function of symaux's own: its value is its class's, its code has its name."""
    absent = {"pymc": NO_PYMC, "stan": NO_STAN, **known.pop("absent", {})}
    absent = {backend: reason for backend, reason in absent.items() if reason}
    return FunctionRecord(function, domain, function.value, library=function.__name__, absent=absent, **known)


def _log_levels(*rows: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return rows of shapes and u with log u and log(1 - u) in place of u."""
    return tuple((*shapes, sp.log(u), sp.log(1 - u)) for *shapes, u in rows)


GAMMA = (
    FunctionRecord(
        sp.gamma, (POSITIVE,), mp.gamma, image=POSITIVE,
        jax="special.gamma({0})", numpyro="special.gamma", pymc="pt.gamma", stan="tgamma",
    ),
    FunctionRecord(
        sp.loggamma, (POSITIVE,), mp.loggamma,
        jax="special.gammaln({0})", numpyro="special.gammaln", pymc="pt.gammaln", stan="lgamma",
    ),
    FunctionRecord(sp.digamma, (POSITIVE,), mp.digamma, jax="special.digamma({0})", absent=AS_POLYGAMMA),
    FunctionRecord(
        sp.polygamma, (POSITIVE, POSITIVE), mp.polygamma, joint=True, points=((1, Q(3, 2)), (2, Q(1, 4)), (3, 5)),
        numpyro="special.polygamma", pymc="pt.polygamma", absent={"stan": "Stan has orders 0 and 1 only"},
    ),
    FunctionRecord(sp.factorial, ((-ONE, oo),), mp.factorial, image=POSITIVE, jax="special.gamma({0} + 1)", absent=IN_GAMMAS),
    FunctionRecord(sp.beta, (POSITIVE, POSITIVE), mp.beta, image=POSITIVE, absent=IN_GAMMAS),
    FunctionRecord(
        sp.binomial, (POSITIVE, POSITIVE), mp.binomial, joint=True, points=((7, 3), (Q(9, 2), Q(5, 3)), (40, 11)),
    ),
    FunctionRecord(sp.lowergamma, (POSITIVE, POSITIVE), lambda a, x: mp.gammainc(a, 0, x), image=POSITIVE),
    FunctionRecord(sp.uppergamma, (POSITIVE, POSITIVE), lambda a, x: mp.gammainc(a, x), image=POSITIVE, library="upper_gamma"),
    _special(
        gammainc, (POSITIVE, POSITIVE), varies=1, pymc="gamma_lower", stan="@gamma_lower", absent=WRITTEN,
        shape=lambda a: Shape(ZERO, oo, ZERO, ONE, lambda y: gammaincinv(a, y)),
    ),
    _special(
        gammaincc, (POSITIVE, POSITIVE), varies=1, pymc="gamma_upper", stan="@gamma_upper", absent=WRITTEN,
        shape=lambda a: Shape(ZERO, oo, ONE, ZERO, lambda y: gammainccinv(a, y)),
    ),
    _special(
        gammaincinv, (POSITIVE, UNIT), varies=1, quantile_of=gammainc, pymc="pt.gammaincinv", absent=NO_SHAPES,
        shape=lambda a: Shape(ZERO, ONE, ZERO, oo, lambda y: gammainc(a, y)),
    ),
    _special(
        gammainccinv, (POSITIVE, UNIT), varies=1, quantile_of=gammaincc, pymc="pt.gammainccinv", absent=NO_SHAPES,
        shape=lambda a: Shape(ZERO, ONE, oo, ZERO, lambda y: gammaincc(a, y)),
    ),
    _special(
        log_gamma_quantile, (POSITIVE, NEGATIVE, NEGATIVE), joint=True,
        points=_log_levels((Q(1, 2), Q(1, 3)), (3, Q(7, 8))),
    ),
    _special(
        gammaincinv_gap, (POSITIVE, UNIT, UNIT, POSITIVE), joint=True,
        points=((2, Q(1, 3), Q(2, 3), 4), (Q(1, 2), Q(3, 4), Q(1, 4), Q(3, 2))),
    ),
)  # fmt: skip

BETA = (
    FunctionRecord(
        sp.betainc, (POSITIVE, POSITIVE, UNIT, UNIT), lambda a, b, low, x: mp.betainc(a, b, low, x), joint=True,
        absent={**REGULARISED, "archive": AS_REGULARISED},
        points=((2, 3, 0, Q(1, 3)), (Q(1, 2), 4, Q(1, 8), Q(3, 4))),
    ),
    FunctionRecord(
        sp.betainc_regularized, (POSITIVE, POSITIVE, UNIT, UNIT),
        lambda a, b, low, x: mp.betainc(a, b, low, x, regularized=True), joint=True, absent=REGULARISED,
        points=((2, 3, 0, Q(1, 3)), (Q(1, 2), 4, Q(1, 8), Q(3, 4))),
    ),
    _special(
        betainc, (POSITIVE, POSITIVE, UNIT), varies=2, pymc="pt.betainc", stan="@beta_lower", absent=WRITTEN,
        shape=lambda a, b: Shape(ZERO, ONE, ZERO, ONE, lambda y: betaincinv(a, b, y)),
    ),
    _special(
        betaincc, (POSITIVE, POSITIVE, UNIT), varies=2, stan="@beta_upper", absent=WRITTEN,
        shape=lambda a, b: Shape(ZERO, ONE, ONE, ZERO, lambda y: betainccinv(a, b, y)),
    ),
    _special(
        betaincinv, (POSITIVE, POSITIVE, UNIT), varies=2, quantile_of=betainc, pymc="pt.betaincinv",
        stan="inv_inc_beta", absent=FIXED_SHAPES,  # its slopes in shapes that are both 40 or more are wrong, or an error
        shape=lambda a, b: Shape(ZERO, ONE, ZERO, ONE, lambda y: betainc(a, b, y)),
    ),
    _special(
        betainccinv, (POSITIVE, POSITIVE, UNIT), varies=2, quantile_of=betaincc, absent=FIXED_SHAPES,
        shape=lambda a, b: Shape(ZERO, ONE, ONE, ZERO, lambda y: betaincc(a, b, y)),
    ),
    _special(
        logit_betaincinv, (POSITIVE, POSITIVE, NEGATIVE, NEGATIVE), joint=True,
        points=_log_levels((Q(1, 2), 2, Q(1, 3)), (3, 5, Q(7, 8))),
    ),
    _special(
        student_t_cdf, (REAL, POSITIVE),
        shape=lambda df: Shape(-oo, oo, ZERO, ONE, lambda y: student_t_ppf(y, df)),
    ),
    _special(
        student_t_ppf, (UNIT, POSITIVE), quantile_of=student_t_cdf,
        shape=lambda df: Shape(ZERO, ONE, -oo, oo, lambda y: student_t_cdf(y, df)),
    ),
)  # fmt: skip

BESSEL = (
    FunctionRecord(
        sp.besseli, ((-ONE, oo), POSITIVE), mp.besseli, image=POSITIVE, library="iv", pymc="pt.iv", absent=BESSEL_LIMITS,
        points=((Q(1, 4), Q(1, 2)), (Q(5, 4), Q(3, 2)), (3, Q(13, 4))),
    ),
    FunctionRecord(
        sp.besselj, (POSITIVE, POSITIVE), mp.besselj, points=((0, Q(1, 4)), (1, 3), (Q(5, 2), 12), (4, 60)),
        library="jv", pymc="pt.jv", absent=BESSEL_LIMITS,
    ),
    FunctionRecord(
        sp.besselk, (REAL, POSITIVE), besselk, image=POSITIVE, library="kv", pymc="pt.kv", absent=BESSEL_LIMITS,
        points=((Q(1, 4), Q(1, 2)), (Q(5, 4), Q(3, 2)), (3, Q(13, 4))),
    ),
    FunctionRecord(sp.bessely, (POSITIVE, POSITIVE), mp.bessely, absent=UNUSED),
    _special(log_iv, (POSITIVE, POSITIVE), absent=FIXED_SHAPES),
    _special(log_iv_over_power, (POSITIVE, POSITIVE)),
    _special(log_kv, (POSITIVE, POSITIVE), absent=BESSEL_LIMITS),
    _special(
        von_mises_cdf, ((-PI, PI), POSITIVE),
        shape=lambda k: Shape(-PI, PI, ZERO, ONE, lambda y: von_mises_ppf(y, k)),
    ),
    _special(
        von_mises_ppf, (UNIT, POSITIVE), quantile_of=von_mises_cdf,
        shape=lambda k: Shape(ZERO, ONE, -PI, PI, lambda y: von_mises_cdf(y, k)),
    ),
)  # fmt: skip

LAMBERT = (
    FunctionRecord(
        sp.LambertW, ((-sp.exp(-1), oo),), lambda x, branch=0: mp.lambertw(x, int(branch)), most=2,
        shape=lambda: Shape(-sp.exp(-1), oo, -ONE, oo, lambda y: y * sp.exp(y)),
        points=((Q(-1, 4),), (Q(1, 3),), (20,)),
        library="lambertw0", stan="lambert_w0", absent={"pymc": NO_PYMC},
    ),
    _special(
        lambertw0_of_exp, (REAL,), shape=lambda: Shape(-oo, oo, ZERO, oo, lambda y: y + sp.log(y)),
    ),
    _special(
        lambertwm1_of_exp, ((-oo, -ONE),), shape=lambda: Shape(-oo, -ONE, -oo, -ONE, lambda y: y + sp.log(-y)),
    ),
    _special(lambert_rise, (POSITIVE, POSITIVE), joint=True),
)  # fmt: skip

TURNS = ((Q(-7, 5),), (Q(1, 3),), (Q(11, 8),))

SHARES = ((Q(1, 3), Q(2, 3), 2), (Q(7, 8), Q(1, 8), -1), (Q(1, 5), Q(4, 5), Q(1, 10**9)))

OTHERS = (
    FunctionRecord(
        sp.zeta, ((ONE, oo),), mp.zeta, image=(ONE, oo), most=2, library="hurwitz", absent={"pymc": NO_PYMC, "stan": NO_STAN},
    ),
    FunctionRecord(sp.expint, (POSITIVE, POSITIVE), mp.expint, absent=UNUSED),
    FunctionRecord(sp.polylog, (POSITIVE, UNIT), mp.polylog, absent=UNUSED),
    _special(ndtri_exp, (NEGATIVE,)),
    _special(owens_t, (REAL, REAL), stan="owens_t", absent={"stan": ""}),
    _special(tanpi, (REAL,), breaks=lambda x: sp.cos(PI * x), points=TURNS, absent=WRITTEN),
    _special(cotpi, (REAL,), breaks=lambda x: sp.sin(PI * x), points=TURNS, absent=WRITTEN),
    _special(alternating_gaussian, (POSITIVE, POSITIVE), joint=True, points=((0, Q(1, 2)), (1, 2), (0, Q(1, 20)))),
    _special(
        normal_between, (UNIT, UNIT, REAL, REAL, REAL, POSITIVE), joint=True,
        points=((*SHARES[0], 3, 1, 2), (*SHARES[1], Q(1, 2), 3, 5)),
    ),
    _special(ndtri_below, (UNIT, UNIT, REAL), joint=True, points=((Q(1, 3), Q(2, 3), 2), (Q(7, 8), Q(1, 8), -1))),
    _special(ndtri_gap, (UNIT, UNIT, REAL), joint=True, points=((Q(1, 3), Q(2, 3), 2), (Q(7, 8), Q(1, 8), -1))),
)  # fmt: skip

WEIBULLS = ((Q(1, 3), Q(2, 3), 2, 3), (Q(7, 8), Q(1, 8), 5, -Q(1, 2)), (Q(1, 5), Q(4, 5), Q(1, 9), 1))
RATIOS = (
    _special(exprel, (REAL, REAL)),
    _special(logrel, (POSITIVE, POSITIVE)),
    _special(log1p_scaled, (POSITIVE, POSITIVE)),
    _special(recip_expm1, (POSITIVE,)),
    _special(log_expm1, (POSITIVE,)),
    _special(cloglog_exp, (NEGATIVE,)),
    _special(weibull_below, (UNIT, UNIT, POSITIVE, REAL), joint=True, points=WEIBULLS),
    _special(mean_exponent, (UNIT, UNIT, REAL), joint=True, points=SHARES),
    _special(log_mean_exponent, (UNIT, UNIT, REAL), points=SHARES),
    _special(log_ratio, (POSITIVE, POSITIVE)),
    _special(log_rising, (POSITIVE, POSITIVE)),
    _special(
        geometric_mean, (POSITIVE, POSITIVE, UNIT, UNIT), joint=True,
        points=((2, 5, Q(1, 3), Q(2, 3)), (Q(7, 2), 9, Q(3, 4), Q(1, 4))),
    ),
)  # fmt: skip

RECORDS = (*GAMMA, *BETA, *BESSEL, *LAMBERT, *OTHERS, *RATIOS)
