"""Integrals of densities enclosed by balls, with their tails."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.formulas.numeric.balls.signs import Undecided
from symaux.laws import families as f
from symaux.laws.law import Law
from symaux.proof.certificates.total_variation import certify_mass
from symaux.trusted.mass_bound import enclose_mass
from symaux.trusted.parameter_points import stated_points
from symaux.trusted.tail_bound import Tail

Z, E, MU = sp.symbols("z e mu", real=True)
X, U, S, K = sp.symbols("x u s k", positive=True)
UNIFORM, NORMAL = f.uniform(U, 0, 1), f.normal(E, 0, 1)
Q = sp.Rational

LAWS = [
    f.normal(Z, MU, S),
    f.log_normal(X, MU, S),
    f.cauchy(Z, MU, S),
    f.student_t(Z, K, MU, S),
    f.laplace(Z, MU, S),
    f.logistic(Z, MU, S),
    f.gumbel(Z, MU, S),
    f.gamma(X, K, S),
    f.inverse_gamma(X, K, S),
    f.weibull(X, K, S),
    f.pareto(X, S, K),
    f.beta(X, K, S),
    f.kumaraswamy(X, K, S),
    f.von_mises(Z, MU, K),
    f.inverse_gaussian(X, S, K),
    f.skew_normal(Z, MU, S, K),
    f.triangular(Z, MU, MU + S, MU + S + K),
]


@pytest.mark.parametrize("of", LAWS, ids=lambda of: of.spelling.family)
def test_integrals_of_densities_are_enclosed_with_their_tails(of: Law) -> None:
    points = stated_points(of.parameters)
    assert len(points) >= 5
    for point in (points[0], points[3]):
        total = enclose_mass(of.substituted(point))
        assert total.contains(1) and total.rad() < 1e-14, (point, total)


def test_an_integral_that_is_not_one_is_told() -> None:
    off = Law(Z, f.normal(Z, 0, 1).log_density + sp.log(1 + Q(1, 10**12)), NORMAL.support)
    assert not enclose_mass(off).contains(1)
    assert certify_mass(Law(Z, f.normal(Z, 0, 1).log_density + sp.log(1 + Q(1, 10**9)), NORMAL.support)) is None


def test_a_tail_without_a_majorant_is_undecided() -> None:
    with pytest.raises(Undecided):
        enclose_mass(Law(X, -sp.log(1 + X), f.exponential(X, 1).support))
    y = sp.Symbol("y", positive=True)
    with pytest.raises(Undecided):
        Tail(-sp.log(y), y, "far").exponent(100.0)
