r"""Log-densities as people write them: numbers gathered into one logarithm.

>>> x = sp.Symbol("x", real=True)
>>> tidied(-x**2/2 - sp.log(2)/2 + sp.log(1/sp.pi)/2, x)
-x**2/2 - log(2*pi)/2
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import sympy as sp

from symaux.law import Law
from symaux.logarithm import log_modulus


def tidy(law: Law) -> Law:
    """The law with its log-density tidied."""
    return replace(law, log_density=tidied(law.log_density, law.value))


def tidied(formula: sp.Expr, variable: sp.Expr) -> sp.Expr:
    """The same formula with its constant part gathered."""
    constant, rest = sp.expand_mul(formula).as_independent(variable, as_Add=True)
    shorter = sp.Add(gathered(constant), rest)
    plain = sp.Add(*formula.as_independent(variable, as_Add=True))
    return shorter if sp.count_ops(shorter) <= sp.count_ops(plain) else plain


def gathered(constant: sp.Expr) -> sp.Expr:
    """The logarithms of numbers with the same weight as one logarithm."""
    weights: dict[sp.Expr, sp.Expr] = defaultdict(lambda: sp.S.Zero)
    others = sp.S.Zero
    for term in sp.Add.make_args(_split(constant)):
        weight, logarithm = term.as_coeff_Mul()
        if isinstance(logarithm, sp.log) and logarithm.is_number:
            weights[logarithm.args[0]] += weight
        else:
            others += term
    products: dict[sp.Expr, sp.Expr] = defaultdict(lambda: sp.S.One)
    for base, weight in weights.items():
        products[abs(weight)] *= base if weight > 0 else 1 / base
    return others + sp.Add(*(_one(weight, product) for weight, product in products.items()))


def _split(constant: sp.Expr) -> sp.Expr:
    def primes(logarithm: sp.log) -> sp.Expr:
        argument = logarithm.args[0]
        if not argument.is_number:
            return log_modulus(argument)
        return sp.expand_log(sp.expand_log(log_modulus(argument), factor=True), factor=True)

    return sp.expand_mul(constant.replace(lambda e: isinstance(e, sp.log), primes))


def _one(weight: sp.Expr, product: sp.Expr) -> sp.Expr:
    if product.could_extract_minus_sign() or product < 1:
        return -weight * sp.log(1 / product)
    return weight * sp.log(product)
