"""Hold the rule library: which rules there are, and the order in which they are tried.

``RULES`` turn laws into rewrites and are tried in this order; ``APPROXIMATIONS`` have forms that are not exact and are tried
only for ``accept="approximate"``. ``SIMPLIFICATIONS`` are the equal formulas that code generation uses, and ``COLLAPSES`` its
rules for sums over data, to an equal formula in their sufficient statistics. Rules use the public API of symaux and
``symaux.rules.toolkit`` alone, and nothing that they answer is trusted. Read ``location_scale.py`` first.

>>> [rule.name for rule in RULES if rule not in (*COMPOSITIONS, *VECTORS)]
['location_scale', 'monotone', 'inverse_cdf', 'probit', 'folded', 'implicit']
>>> [rule.name for rule in VECTORS if rule.vector]
['multivariate_normal', 'multivariate_student_t', 'dirichlet', 'lkj', 'bartlett']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrites.approximation import approximation
from rewrites.bartlett import bartlett
from rewrites.compositions.ex_gaussian import ex_gaussian
from rewrites.compositions.exponential_difference import exponential_difference
from rewrites.compositions.exponential_sum import exponential_sum
from rewrites.compositions.gamma_product import gamma_product
from rewrites.compositions.gamma_ratio import gamma_ratio
from rewrites.compositions.generalised_normal import generalised_normal
from rewrites.compositions.noncentral import noncentral
from rewrites.compositions.noncentral_ratio import noncentral_ratio
from rewrites.compositions.noncentral_t import noncentral_t
from rewrites.compositions.normal_mixture import normal_mixture
from rewrites.compositions.skew_normal import skew_normal
from rewrites.compositions.student import student
from rewrites.compositions.uniform_sum import uniform_sum
from rewrites.dirichlet import dirichlet
from rewrites.folded import folded
from rewrites.implicit import implicit
from rewrites.inverse_cdf import inverse_cdf
from rewrites.lkj import lkj
from rewrites.location_scale import location_scale
from rewrites.monotone import monotone
from rewrites.multivariate_normal import multivariate_normal
from rewrites.multivariate_student_t import multivariate_student_t
from rewrites.probit import probit
from rewrites.stable.beta_quantile import beta_quantile
from rewrites.stable.exp_minus_one import exp_minus_one
from rewrites.stable.gamma_gap import gamma_gap
from rewrites.stable.gamma_quantile import gamma_quantile
from rewrites.stable.hyperbolic import hyperbolic
from rewrites.stable.log_of_bessel import log_of_bessel
from rewrites.stable.log_of_cosh import log_of_cosh
from rewrites.stable.log_of_difference import log_of_difference
from rewrites.stable.log_of_power import log_of_power
from rewrites.stable.log_of_product import log_of_product
from rewrites.stable.log_of_sum import log_of_sum
from rewrites.stable.log_plus_one import log_plus_one
from rewrites.stable.mirrored_spline import mirrored_spline
from rewrites.stable.near_difference import near_difference
from rewrites.stable.normal_quantile import normal_quantile
from rewrites.stable.normal_tail import normal_tail
from rewrites.stable.parameters.geometric_interpolation import geometric_interpolation
from rewrites.stable.parameters.log_of_gammas import log_of_gammas
from rewrites.stable.parameters.log_of_mixture import log_of_mixture
from rewrites.stable.parameters.relative_exponential import relative_exponential
from rewrites.stable.parameters.square_difference import square_difference
from rewrites.stable.power_of_reciprocal import power_of_reciprocal
from rewrites.stable.quarter_turn import quarter_turn
from rewrites.stable.quotient_difference import quotient_difference
from rewrites.stable.root_difference import root_difference
from rewrites.stable.sigmoid_complement import sigmoid_complement
from rewrites.stable.softmax_at import softmax_at
from rewrites.stable.softplus_pair import softplus_pair
from rewrites.stable.truncated_normal import truncated_normal
from rewrites.sufficient.product_of_residuals import product_of_residuals
from rewrites.sufficient.total import total
from symaux.rules.toolkit import Rule

COMPOSITIONS: tuple[Rule, ...] = (
    ex_gaussian,
    skew_normal,
    student,
    noncentral,
    noncentral_t,
    noncentral_ratio,
    normal_mixture,
    gamma_ratio,
    gamma_product,
    exponential_difference,
    exponential_sum,
    generalised_normal,
    uniform_sum,
)
VECTORS: tuple[Rule, ...] = (multivariate_normal, multivariate_student_t, dirichlet, lkj, bartlett)
RULES: tuple[Rule, ...] = (location_scale, monotone, inverse_cdf, probit, folded, *COMPOSITIONS, *VECTORS, implicit)
APPROXIMATIONS: tuple[Rule, ...] = (approximation,)
SIMPLIFICATIONS: tuple[Callable[[Any], Any | None], ...] = (
    sigmoid_complement,
    normal_tail,
    log_of_power,
    power_of_reciprocal,
    truncated_normal,
    normal_quantile,
    gamma_gap,
    gamma_quantile,
    beta_quantile,
    log_of_mixture,
    geometric_interpolation,
    quotient_difference,
    square_difference,
    root_difference,
    near_difference,
    log_of_bessel,
    log_of_cosh,
    log_of_difference,
    log_of_gammas,
    log_of_product,
    log_of_sum,
    log_plus_one,
    relative_exponential,
    softplus_pair,
    softmax_at,
    exp_minus_one,
    quarter_turn,
    hyperbolic,
    mirrored_spline,
)
COLLAPSES: tuple[Callable[[Any, Any], Any | None], ...] = (total, product_of_residuals)
