"""The parameters at which a certificate is stated."""

from __future__ import annotations

import sympy as sp

from symaux.trusted.parameter_points import stated_points

Z, E, MU = sp.symbols("z e mu", real=True)
X, U, S, K = sp.symbols("x u s k", positive=True)
Q = sp.Rational


def test_points_are_fixed_honour_conditions_and_have_extremes() -> None:
    points = stated_points([S, MU, K], [S < K + 20])
    assert points == stated_points([K, S, MU], [S < K + 20]) and len(points) >= 5
    assert {p[S] for p in points} >= {Q(1, 5), Q(12)}
