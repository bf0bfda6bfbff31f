r"""Shorten formulas and make them stable: numbers in one logarithm, tail probabilities without cancellation.

>>> x = sp.Symbol("x", real=True)
>>> tidy_formula(-x**2/2 - sp.log(2)/2 + sp.log(1/sp.pi)/2, x)
-x**2/2 - log(2*pi)/2
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import log_ndtr, ndtr, ndtri
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.laws.law import Law


def tidy(law: Law) -> Law:
    """Return the law with its log-density tidied."""
    return replace(law, log_density=tidy_formula(law.log_density, law.value))


def tidy_formula(formula: Formula, variable: Formula) -> Formula:
    """Return the formula with the logarithms of its constant part combined, where that is shorter."""
    expanded: Any = sp.expand_mul(formula)
    constant, rest = expanded.as_independent(variable, as_Add=True)
    shorter = sp.Add(gather_logarithms(constant), rest)
    plain = sp.Add(*formula.as_independent(variable, as_Add=True))
    return shorter if sp.count_ops(shorter) <= sp.count_ops(plain) else plain


def shorten_formula(formula: Formula) -> Formula:
    r"""Return the formula with powers combined where that is shorter, $\Phi(-x)$ for $1 - \Phi(x)$, and $\log\Phi$ as one
    function.

    >>> x = sp.Symbol("x", real=True)
    >>> shorten_formula(sp.log(1 - ndtr(x))), shorten_formula(ndtri(1 - x))
    (log_ndtr(-x), -ndtri(x))
    """
    for wanted, better in _BETTER:
        formula = formula.replace(wanted, better)
    shorter = sp.powsimp(sp.powdenest(formula))
    return shorter if sp.count_ops(shorter) < sp.count_ops(formula) else formula


def _upper_tail(formula: sp.Basic) -> bool:
    return isinstance(formula, sp.Add) and isinstance(1 - formula, ndtr)


_BETTER: tuple[tuple[Any, Any], ...] = (
    (_upper_tail, lambda e: ndtr(-(1 - e).args[0])),
    (lambda e: isinstance(e, ndtri) and _one_minus(e.args[0]), lambda e: _negative(ndtri(1 - e.args[0]))),
    (lambda e: isinstance(e, sp.log) and isinstance(e.args[0], ndtr), lambda e: log_ndtr(e.args[0].args[0])),
)


def _negative(formula: Formula) -> Formula:
    return -formula


def _one_minus(formula: Formula) -> bool:
    return isinstance(formula, sp.Add) and sp.count_ops(1 - formula) < sp.count_ops(formula)


def gather_logarithms(constant: Formula) -> Formula:
    """Combine the logarithms of numbers with the same weight into one logarithm."""
    weights: dict[Formula, Formula] = defaultdict(lambda: sp.S.Zero)
    others = sp.S.Zero
    for term in sp.Add.make_args(_split(constant)):
        weight, logarithm = term.as_coeff_Mul()
        if isinstance(logarithm, sp.log) and logarithm.is_number:
            weights[logarithm.args[0]] += weight
        else:
            others += term
    products: dict[Formula, Formula] = defaultdict(lambda: sp.S.One)
    for base, weight in weights.items():
        products[abs(weight)] *= base if weight > 0 else 1 / base
    return others + sp.Add(*(_one(weight, product) for weight, product in products.items()))


def _split(constant: Formula) -> Formula:
    def primes(logarithm: sp.log) -> Formula:
        argument = logarithm.args[0]
        if not argument.is_number:
            return log_modulus(argument)
        return sp.expand_log(sp.expand_log(log_modulus(argument), factor=True), factor=True)

    return sp.expand_mul(constant.replace(lambda e: isinstance(e, sp.log), primes))


def _one(weight: Formula, product: Formula) -> Formula:
    if product.could_extract_minus_sign() or product < 1:
        return -weight * sp.log(1 / product)
    return weight * sp.log(product)
