"""The rule library. ``RULES`` is tried in this order; ``SIMPLIFICATIONS`` is what code generation uses.

>>> [rule.name for rule in RULES if not rule.vector]
['location_scale', 'monotone', 'inverse_cdf', 'probit', 'implicit']
>>> [rule.name for rule in RULES if rule.vector]
['multivariate_normal', 'multivariate_student_t', 'dirichlet', 'lkj', 'bartlett']
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewrites.bartlett import bartlett
from rewrites.dirichlet import dirichlet
from rewrites.implicit import implicit
from rewrites.inverse_cdf import inverse_cdf
from rewrites.lkj import lkj
from rewrites.location_scale import location_scale
from rewrites.monotone import monotone
from rewrites.multivariate_normal import multivariate_normal
from rewrites.multivariate_student_t import multivariate_student_t
from rewrites.probit import probit
from rewrites.stable.exp_minus_one import exp_minus_one
from rewrites.stable.log_of_power import log_of_power
from rewrites.stable.log_plus_one import log_plus_one
from rewrites.stable.normal_tail import normal_tail
from rewrites.stable.sigmoid_complement import sigmoid_complement
from symaux.rewrite import Rule

RULES: tuple[Rule, ...] = (
    location_scale,
    monotone,
    inverse_cdf,
    probit,
    multivariate_normal,
    multivariate_student_t,
    dirichlet,
    lkj,
    bartlett,
    implicit,
)
SIMPLIFICATIONS: tuple[Callable[[Any], Any | None], ...] = (
    sigmoid_complement,
    normal_tail,
    log_of_power,
    log_plus_one,
    exp_minus_one,
)
