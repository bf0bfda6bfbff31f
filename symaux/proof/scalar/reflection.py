r"""Apply Euler's reflection formula, $\Gamma(x)\,\Gamma(1 - x) = \pi/\sin\pi x$ for $0 < x < 1$, with angles written in
one way.

>>> a = sp.Symbol("a", positive=True)
>>> reflect_gammas(sp.loggamma(a/(1 + a)) + sp.loggamma(1/(1 + a)))
-log(Abs(sin(pi/(a + 1)))) + log(pi)
"""

from __future__ import annotations

import itertools
from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus

FEW = 6  # gamma functions in which pairs are looked for


def reflect_gammas(formula: Formula) -> Formula:
    """Return the formula with every pair of gamma functions whose arguments add up to one as a sine."""
    formula = sp.expand(formula.replace(lambda e: isinstance(e, sp.sin | sp.cos), _turned))
    found = sorted((each for each in formula.atoms(sp.loggamma) if each.args[0].free_symbols), key=str)
    for one, other in itertools.combinations(found, 2) if len(found) <= FEW else ():
        weight = formula.coeff(one)
        if weight != 0 and weight == formula.coeff(other) and _complementary(one.args[0], other.args[0]):
            sine = log_modulus(_turned(sp.sin(sp.pi * one.args[0])))
            return reflect_gammas(formula - weight * (one + other) + weight * (sp.log(sp.pi) - sine))
    return formula


def _complementary(x: Any, y: Any) -> bool:
    """Return whether two numbers between zero and one add up to one."""
    return sp.cancel(x + y) == 1 and all(sp.cancel(each).is_positive for each in (x, y))


def _turned(function: Formula) -> Formula:
    r"""Return a sine or cosine of partial fractions, so that whole and quarter turns come out: $\cos\frac{\pi a}{2(a + 1)}$."""
    angle = function.args[0]
    if len(angle.free_symbols) != 1 or not (angle / sp.pi).is_rational_function():
        return function
    return function.func(sp.expand(sp.pi * sp.apart(sp.cancel(angle / sp.pi))))
