"""Logarithmic derivatives of densities as fractions, each on a formula that was not seen through once."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.densities.log_derivative import LogDerivatives
from symaux.laws.law import Law

P, Q, W = sp.symbols("p q w", positive=True)
Z, R = sp.symbols("z r", real=True)
Y = sp.Symbol("y", real=True)


def test_numbers_far_out_do_not_hide_the_slope_of_a_hyperbolic_secant() -> None:
    s = sp.sinh(P * sp.asinh(Z) - 2 * R)
    density = sp.log(P) - sp.log(Z**2 + 1) / 2 + sp.log(sp.cosh(P * sp.asinh(Z) - 2 * R)) - sp.log(sp.cosh(s))
    where = Interval(2 * Q, 2 * Q + W)
    seen = LogDerivatives(Law(Z, density, where), where)
    assert seen.pearson(sp.sinh(s))
    assert sp.simplify(seen.fraction(sp.sinh(s), Y) + 2 * Y / (Y**2 + 1)) == 0
    assert not seen.pearson(sp.asinh(Z))


def test_the_slope_of_a_marshall_olkin_family_is_a_ratio_over_pi() -> None:
    density = -sp.log(Z**2 + 1) - 2 * sp.log(2 * P * sp.atan(Z) + sp.pi * P - 2 * sp.atan(Z) + sp.pi)
    seen = LogDerivatives(Law(Z, density, REALS), REALS)
    wanted = -4 * (P - 1) / (2 * (P - 1) * Y + sp.pi * (P + 1))
    assert sp.simplify(seen.fraction(sp.atan(Z), Y) - wanted) == 0


def test_powers_of_pi_with_a_parameter_are_no_units() -> None:
    law = Law(Z, -sp.log(Z**2 + 1) + (P - 1) * sp.log(sp.atan(Z) / sp.pi**P + sp.pi ** (1 - P) / 2), REALS)
    assert LogDerivatives(law, REALS).units == (1, 1 / sp.pi, sp.pi)
