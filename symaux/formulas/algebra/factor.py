r"""Factor formulas within a time limit: to sympy $e^{-1/10^9}$ beside $e^{-1}$ is a polynomial of degree $10^9$.

>>> x = sp.Symbol("x", positive=True)
>>> factor_formula(x**2 + 2*x + 1), has_small_exponents(x**2), has_small_exponents(sp.exp(-x/10**9))
((x + 1)**2, True, False)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.sandbox import run_bounded, value_or

SECONDS, LARGE = 2.0, 100  # time to factor; numbers in exponents below LARGE need no time limit


def factor_formula(formula: Any) -> Any:
    """Return the formula factored by sympy, or unchanged if that takes too long."""
    if has_small_exponents(formula):
        return sp.factor(formula)
    return value_or(run_bounded(sp.factor, formula, seconds=SECONDS), formula)


def has_small_exponents(formula: Any) -> bool:
    """Return whether all exponents have only small numerators and denominators."""
    exponents = [e.args[0] if isinstance(e, sp.exp) else e.exp for e in formula.atoms(sp.exp, sp.Pow)]
    numbers = {n for e in exponents for n in e.atoms(sp.Rational)}
    return all(abs(n.p) < LARGE and n.q < LARGE for n in numbers)
