r"""Factors of a formula, within limits: $e^{-1/10^9}$ beside $e^{-1}$ is a polynomial of degree $10^9$ to computer algebra.

>>> x = sp.Symbol("x", positive=True)
>>> factored(x**2 + 2*x + 1), tame(x**2), tame(sp.exp(-x/10**9))
((x + 1)**2, True, False)
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.sandbox import bounded, value_of

SECONDS, LARGE = 2.0, 100


def factored(formula: Any) -> Any:
    """sympy's factors, or the formula as it stands where they take too long."""
    if tame(formula):
        return sp.factor(formula)
    return value_of(bounded(sp.factor, formula, seconds=SECONDS), formula)


def tame(formula: Any) -> bool:
    """Return whether no exponent has large numbers, or large denominators, in it."""
    exponents = [e.args[0] if isinstance(e, sp.exp) else e.exp for e in formula.atoms(sp.exp, sp.Pow)]
    numbers = {n for e in exponents for n in e.atoms(sp.Rational)}
    return all(abs(n.p) < LARGE and n.q < LARGE for n in numbers)
