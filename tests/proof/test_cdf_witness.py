"""Witnesses by distribution functions: lost digits are none."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import standard_uniform
from symaux.proof.scalar.cdf_witness import find_cdf_witness
from symaux.proof.scalar.claim import claim

Z, R = sp.symbols("z r", real=True)
U = sp.Symbol("u", positive=True)


def _power_from_log_two(a: sp.Rational) -> Law:
    """F(z) = (exp(z) - 2)**a from log 2 to log 3."""
    return Law(Z, sp.log(sp.exp(Z) - 2) * (a - 1) + Z + sp.log(a), Interval(sp.log(2), sp.log(3)))


def test_digits_that_are_lost_at_an_end_are_no_witness() -> None:
    """Next to log 2 the last digit of z hides a mass of 1e-25 to the power of 3/7, in every subdivision."""
    law = _power_from_log_two(sp.Rational(3, 7))
    assert find_cdf_witness(claim(law, standard_uniform(U), sp.log(2 + U ** sp.Rational(7, 3)))) is None
    wrong = find_cdf_witness(claim(law, standard_uniform(U), sp.log(2 + U ** sp.Rational(5, 3))))
    assert wrong is not None and "mass" in wrong[0]
