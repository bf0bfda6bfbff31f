r"""Change variables: the law of y when z = h(y) has a given law is $\log p_Y(y) = \log p_Z(h(y)) + \log|h'(y)|$.

>>> from symaux.laws.families import half_cauchy
>>> tau, y = sp.Symbol("tau", positive=True), sp.Symbol("y", real=True)
>>> change_variable(half_cauchy(tau, 5), y, sp.exp(y), Interval(-sp.oo, sp.oo)).log_density
y - log(exp(2*y)/25 + 1) - log(5) + log(2/pi)
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import sign_on
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import Sign, known_sign, log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law


def change_variable(law: Law, variable: Formula, formula: Formula, support: Interval) -> Law:
    """Return the law of ``variable`` on ``support`` when ``formula`` in it has the given law."""
    jacobian, sign = factor_formula(sp.together(formula.diff(variable))), sign_on(variable, support)
    density = law.log_density.xreplace({law.value: formula}) + log_modulus(jacobian, sign)
    return replace(law, value=variable, log_density=expand_logarithms(density, sign), support=support, spelling=None)


def expand_logarithms(formula: Formula, sign: Sign = known_sign) -> Formula:
    """Expand logarithms of products and powers where the signs are known, and combine the powers in each term."""
    split = formula.replace(lambda e: isinstance(e, sp.log), lambda e: _expand_logarithm(e, sign))
    return _with_combined_powers(sp.powdenest(split))


def _expand_logarithm(logarithm: Formula, sign: Sign) -> Formula:
    argument = logarithm.args[0]
    if isinstance(argument, sp.Abs) and sign(argument.args[0]):
        return expand_logarithms(log_modulus(argument, sign), sign)
    if not argument.free_symbols:
        return logarithm
    product = factor_formula(sp.together(defined(argument)))
    _, factors = product.as_coeff_mul()
    if not factors:
        return log_modulus(product, sign)
    if sum(not factor.is_number for factor in factors) <= 1 and not isinstance(factors[-1], sp.Pow | sp.exp):
        return logarithm
    return log_modulus(product, sign)


def _with_combined_powers(formula: Formula) -> Formula:
    if not formula.is_Add:
        return formula
    return sp.Add(*(sp.powsimp(term) for term in sp.Add.make_args(sp.expand(formula, deep=False))))
