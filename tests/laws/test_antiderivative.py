"""Substitutions that make an antiderivative elementary."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.antiderivative import substitutions
from symaux.laws.law import Law

Z, R = sp.symbols("z r", real=True)


def test_the_hyperbolic_secant_of_a_sinh_has_the_angle_as_distribution_function() -> None:
    law = Law(Z, -sp.log(sp.cosh(Z)) - sp.log(sp.pi), REALS)
    assert any(
        sp.atan in {f.func for f in found.antiderivative.atoms(sp.Function)} for found in substitutions(law, REALS)
    )
