r"""Replace a uniform noise that is only read through a quantile function by a variable with that function's law.

$Q(u)$ for a uniform u has the density $1/Q'(u)$ at $x = Q(u)$, by the definition of a quantile function.

>>> a, u = sp.symbols("a u", positive=True)
>>> made = unwind_quantile(Law(u, sp.S.Zero, Interval(sp.S.Zero, sp.S.One)), sp.log(gammaincinv(a, u)))
>>> print(made.formula, made.law.log_density)
log(symaux x) -symaux x + (a - 1)*log(symaux x) - loggamma(a)
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from symaux.formulas.functions.registry import betaincinv, gammaincinv
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform

UNWOUND = (gammaincinv, betaincinv)  # the quantiles whose laws ``_law`` knows
X = sp.Symbol("symaux x", positive=True)


@dataclass(frozen=True)
class Unwound:
    """A variable, its law, and the formula in terms of it."""

    law: Law
    formula: Formula


def unwind_quantile(noise: Law, formula: Formula, variable: Formula = X) -> Unwound | None:
    """Return the formula with Q(u) replaced by a variable of its own; None where u is read in any other way."""
    if not is_standard_uniform(noise):
        return None
    quantiles = [q for q in formula.atoms(*UNWOUND) if q.args[-1] == noise.value]
    if len(quantiles) != 1 or any(shape.has(noise.value) for shape in quantiles[0].args[:-1]):
        return None
    rest = formula.xreplace({quantiles[0]: variable})
    return None if rest.has(noise.value) else Unwound(_law(quantiles[0], variable), rest)


def _law(quantile: Formula, x: Formula) -> Law:
    *shapes, _ = quantile.args
    if isinstance(quantile, gammaincinv):
        (a,) = shapes
        return Law(x, (a - 1) * sp.log(x) - x - sp.loggamma(a), Interval(sp.S.Zero, sp.oo))
    a, b = shapes
    constant = sp.loggamma(a + b) - sp.loggamma(a) - sp.loggamma(b)
    return Law(x, (a - 1) * sp.log(x) + (b - 1) * sp.log(1 - x) + constant, Interval(sp.S.Zero, sp.S.One))
