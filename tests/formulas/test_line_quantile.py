"""The reference quantile is right across corners of the density, where a quadrature that does not stop there is not."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

from symaux.formulas.numeric.line_quantile import line_quantile

T = sp.Symbol("t", real=True)
LAPLACE = -sp.Abs(T - sp.Rational(1, 3)) - sp.log(2)
STAIRS = -sp.floor(sp.Abs(T)) - sp.Max(T, 0) - sp.log(sp.Rational(5, 2))  # not of mass one: below zero it counts


@pytest.mark.parametrize("level", ["0.01", "0.4", "0.5", "0.77", "0.999"])
def test_laplace(level: str) -> None:
    with mp.workdps(30):
        u = mp.mpf(level)
        exact = mp.mpf(1) / 3 + (mp.log(2 * u) if u < 0.5 else -mp.log(2 - 2 * u))
        assert abs(line_quantile(sp.Rational(level), T, LAPLACE, mp.mp.prec) - exact) < mp.mpf(10) ** -25


def test_stairs() -> None:
    """Below zero the density is exp(-floor(-t))/2.5; the mass below -2 is (e^-2 + e^-3 + ...)/2.5."""
    with mp.workdps(30):
        below = mp.exp(-2) / (1 - mp.exp(-1)) / mp.mpf("2.5")
        level = sp.Float(below + mp.exp(-1) / 5, 30)  # and half of the step from -2 to -1
        assert abs(line_quantile(level, T, STAIRS, mp.mp.prec) + mp.mpf("1.5")) < mp.mpf(10) ** -15
