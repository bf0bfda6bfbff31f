"""Map functions to JAX by their records: to templates of jax's own functions, or to names of library functions.

In a template ``{0}`` and ``{1}`` stand for the arguments. A function without either is refused when code is generated.
"""

from __future__ import annotations

import sympy as sp
from sympy.codegen import cfunctions

from symaux.codegen.lower.boundary import times_log, times_log1p
from symaux.codegen.lower.fused_terms import softplus_known, softplus_term
from symaux.codegen.lower.steep_slopes import steep_expm1, steep_logistic
from symaux.formulas.functions.registry import spellings

FUNCTIONS: dict[type, str] = {**spellings("jax"), cfunctions.expm1: "jnp.expm1({0})"}

# Functions of codegen/library, which generated modules carry with them: the same arguments in the same order.
LIBRARY: dict[type, str] = {
    **spellings("library"),
    softplus_known: "softplus_known",
    times_log: "times_log",
    times_log1p: "times_log1p",
    softplus_term: "softplus_term",
    steep_expm1: "steep_expm1",
    steep_logistic: "steep_logistic",
}

RELATIONS: dict[type, str] = {
    sp.StrictLessThan: "<",
    sp.StrictGreaterThan: ">",
    sp.LessThan: "<=",
    sp.GreaterThan: ">=",
    sp.Equality: "==",
    sp.Unequality: "!=",
}
