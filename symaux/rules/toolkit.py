"""Collect what authors of rules use, in one public module: ``from symaux.rules.toolkit import Law, Rewrite, rule``.

The rule library ``rewrites`` imports this module and ``symaux`` and nothing else of symaux, and so can yours: names here stay
stable between versions, and changes are announced in the changelog. It re-exports only what lies above this room, so that
a rule can read laws and formulas, but neither models, proofs nor generated code.

>>> @rule
... def never(law: Law) -> Rewrite | None:
...     "$z = z$, which never applies."
...     return None
>>> never.name
'never'
"""

from __future__ import annotations

from symaux.formulas.algebra.data_linear import LinearPart, linear_parts, split_factors
from symaux.formulas.algebra.data_sides import ROW, DataSides
from symaux.formulas.functions.chebyshev import ChebyshevPieces, logit, map_line_onto
from symaux.formulas.functions.elementary import (
    ImplicitQuantile,
    complement,
    expm1,
    log1mexp,
    log1p,
    log_ndtr,
    ndtr,
    ndtri,
    sigmoid,
    softplus,
)
from symaux.formulas.functions.registry import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    cloglog_exp,
    cotpi,
    exprel,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaincinv_gap,
    geometric_mean,
    log1p_scaled,
    log_expm1,
    log_gamma_quantile,
    log_iv_over_power,
    log_mean_exponent,
    log_ratio,
    log_rising,
    logit_betaincinv,
    logrel,
    mean_exponent,
    ndtri_below,
    ndtri_exp,
    ndtri_gap,
    normal_between,
    recip_expm1,
    tanpi,
    weibull_below,
)
from symaux.formulas.functions.series import Series
from symaux.formulas.functions.special_function import one_minus
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.array_functions import (
    Correlated,
    GaussianLogDensity,
    Head,
    LogSoftmaxAt,
    Normalised,
    StickBreaking,
    StudentLogDensity,
    Tail,
)
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import Bound, arrays, at_index, extent, free_plates, indices_of, is_gather, plate
from symaux.formulas.symbols.log import is_surely_positive, log_modulus
from symaux.formulas.symbols.matrix_functions import (
    Bartlett,
    CorrelationFactor,
    InverseBartlett,
    InverseWishartLogDensity,
    LKJLogDensity,
    PairColumn,
    WishartLogDensity,
)
from symaux.formulas.symbols.support import REALS, Interval, Simplex, pair_plate, stick_plate
from symaux.laws.approximation.quantile_tables import fit_quantile_box, fit_quantile_table
from symaux.laws.densities.change_of_variables import change_variable
from symaux.laws.densities.exponential_terms import exponential_terms
from symaux.laws.densities.parameter_box import parameter_box
from symaux.laws.densities.quantile import quantile_formula
from symaux.laws.densities.real_line import on_real_line
from symaux.laws.densities.special_factor import (
    SpecialFactor,
    as_line,
    as_power,
    find_special_factor,
    rational_log_derivative,
    split_at_corner,
    with_standard_functions,
)
from symaux.laws.densities.symmetry import Fields, derivative_along, scaling_fields, translation_fields
from symaux.laws.densities.tidy import tidy
from symaux.laws.families import (
    beta,
    cauchy,
    exponential,
    gamma,
    half_normal,
    inverse_gaussian,
    laplace,
    log_normal,
    normal,
    skew_normal,
    uniform,
)
from symaux.laws.kernel import value_symbol
from symaux.laws.law import Law, law
from symaux.laws.matrix_laws import lkj_cholesky, wishart
from symaux.laws.standard_noise import is_standard_uniform, standard_uniform
from symaux.laws.vector_laws import dirichlet, multivariate_normal, multivariate_student_t
from symaux.rules.rule import Rewrite, Rule, finishing_rule, last_resort, rule, vector_rule

__all__ = [
    "REALS",
    "ROW",
    "Bartlett",
    "Bound",
    "ChebyshevPieces",
    "Correlated",
    "CorrelationFactor",
    "DataSides",
    "Fields",
    "Formula",
    "GaussianLogDensity",
    "Head",
    "ImplicitQuantile",
    "Interval",
    "InverseBartlett",
    "InverseWishartLogDensity",
    "LKJLogDensity",
    "Law",
    "LinearPart",
    "LogSoftmaxAt",
    "Normalised",
    "PairColumn",
    "Rewrite",
    "Rule",
    "Series",
    "Simplex",
    "SpecialFactor",
    "StickBreaking",
    "StudentLogDensity",
    "Tail",
    "WishartLogDensity",
    "arrays",
    "as_line",
    "as_power",
    "at_index",
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "cauchy",
    "change_variable",
    "cloglog_exp",
    "complement",
    "cotpi",
    "derivative_along",
    "dirichlet",
    "expm1",
    "exponential",
    "exponential_terms",
    "exprel",
    "extent",
    "find_special_factor",
    "finishing_rule",
    "fit_quantile_box",
    "fit_quantile_table",
    "free_plates",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaincinv_gap",
    "geometric_mean",
    "half_normal",
    "indices_of",
    "inverse_gaussian",
    "is_gather",
    "is_standard_uniform",
    "is_surely_positive",
    "laplace",
    "last_resort",
    "law",
    "linear_parts",
    "lkj_cholesky",
    "log1mexp",
    "log1p",
    "log1p_scaled",
    "log_expm1",
    "log_gamma_quantile",
    "log_iv_over_power",
    "log_mean_exponent",
    "log_modulus",
    "log_ndtr",
    "log_normal",
    "log_ratio",
    "log_rising",
    "logit",
    "logit_betaincinv",
    "logrel",
    "map_line_onto",
    "mean_exponent",
    "multivariate_normal",
    "multivariate_student_t",
    "ndtr",
    "ndtri",
    "ndtri_below",
    "ndtri_exp",
    "ndtri_gap",
    "normal",
    "normal_between",
    "on_real_line",
    "one_minus",
    "pair_plate",
    "parameter_box",
    "plate",
    "quantile_formula",
    "rational_log_derivative",
    "recip_expm1",
    "rule",
    "scaling_fields",
    "sigmoid",
    "sign_on",
    "skew_normal",
    "softplus",
    "split_at_corner",
    "split_factors",
    "standard_uniform",
    "stick_plate",
    "tanpi",
    "tidy",
    "translation_fields",
    "uniform",
    "value_symbol",
    "vector_rule",
    "weibull_below",
    "wishart",
    "with_standard_functions",
]
