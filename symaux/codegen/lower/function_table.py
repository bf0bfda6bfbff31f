"""The whole translation of functions, as one table: sympy's function on the left, JAX on the right.

``{0}`` and ``{1}`` stand for the arguments. A function that is not here is refused when code is generated.
"""

from __future__ import annotations

import sympy as sp
from sympy.codegen import cfunctions

from symaux.codegen.lower.fused_terms import softplus_known, softplus_term
from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import (
    complement,
    expm1,
    log1mexp,
    log1p,
    log_ndtr,
    logistic,
    ndtr,
    ndtri,
    softplus,
)

SPECIAL = "special."  # jax.scipy.special

FUNCTIONS: dict[type, str] = {
    sp.exp: "jnp.exp({0})",
    sp.log: "jnp.log({0})",
    sp.sin: "jnp.sin({0})",
    sp.cos: "jnp.cos({0})",
    sp.tan: "jnp.tan({0})",
    sp.asin: "jnp.arcsin({0})",
    sp.acos: "jnp.arccos({0})",
    sp.atan: "jnp.arctan({0})",
    sp.atan2: "jnp.arctan2({0}, {1})",
    complement: "(1.0 - {0})",
    logistic: "jax.nn.sigmoid({0})",
    sp.sinh: "jnp.sinh({0})",
    sp.cosh: "jnp.cosh({0})",
    sp.tanh: "jnp.tanh({0})",
    sp.asinh: "jnp.arcsinh({0})",
    sp.acosh: "jnp.arccosh({0})",
    sp.atanh: "jnp.arctanh({0})",
    sp.cot: "1 / jnp.tan({0})",
    sp.sec: "1 / jnp.cos({0})",
    sp.csc: "1 / jnp.sin({0})",
    sp.sech: "1 / jnp.cosh({0})",
    sp.Abs: "jnp.abs({0})",
    sp.sign: "jnp.sign({0})",
    sp.floor: "jnp.floor({0})",
    sp.ceiling: "jnp.ceil({0})",
    sp.Heaviside: "jnp.heaviside({0}, 0.5)",
    sp.erf: "special.erf({0})",
    sp.erfc: "special.erfc({0})",
    sp.gamma: "special.gamma({0})",
    sp.loggamma: "special.gammaln({0})",
    sp.digamma: "special.digamma({0})",
    sp.factorial: "special.gamma({0} + 1)",
    log1p: "jnp.log1p({0})",
    expm1: "jnp.expm1({0})",
    cfunctions.expm1: "jnp.expm1({0})",
    ndtr: "special.ndtr({0})",
    ndtri: "special.ndtri({0})",
}

# Functions of codegen/library, which generated modules carry with them: the same arguments in the same order.
LIBRARY: dict[type, str] = {
    **{function: function.__name__ for function in special.FUNCTIONS},
    log_ndtr: "log_ndtr",
    softplus: "softplus",
    softplus_known: "softplus_known",
    softplus_term: "softplus_term",
    log1mexp: "log1mexp",
    sp.erfinv: "erfinv",
    sp.besseli: "iv",
    sp.besselk: "kv",
    sp.zeta: "hurwitz",
    sp.uppergamma: "upper_gamma",
    sp.erfcinv: "erfcinv",
}

RELATIONS: dict[type, str] = {
    sp.StrictLessThan: "<",
    sp.StrictGreaterThan: ">",
    sp.LessThan: "<=",
    sp.GreaterThan: ">=",
    sp.Equality: "==",
    sp.Unequality: "!=",
}
