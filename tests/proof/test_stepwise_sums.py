"""Densities whose terms come in one by one integrate to one."""

from __future__ import annotations

import sympy as sp

import symaux as sa
from symaux.proof.mass.stepwise_sums import integrates_by_steps

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)
SPLINE = (-1) ** k * sp.binomial(n, k) * (z - k) ** (n - 1) / sp.factorial(n - 1)
SMIRNOV = sp.binomial(n, k) * sp.diff(z * (z + k / n) ** (k - 1) * (1 - z - k / n) ** (n - k), z)


def test_terms_that_come_in_one_by_one() -> None:
    assert integrates_by_steps(sa.law(z, sp.Sum(SPLINE, (k, 0, sp.floor(z))), support=(0, n)))
    assert integrates_by_steps(sa.law(z, -sp.Sum(SMIRNOV, (k, 0, sp.floor(n * (1 - z)))), support=(0, 1)))
    three = sp.Sum(SPLINE.xreplace({n: sp.Integer(3)}), (k, 0, sp.floor(z)))
    assert integrates_by_steps(sa.law(z, three, support=(0, 3)))
    assert not integrates_by_steps(sa.law(z, three * sp.Rational(1000001, 1000000), support=(0, 3)))
    assert not integrates_by_steps(sa.law(z, sp.Sum(SPLINE, (k, 0, sp.floor(z))), support=(0, n - 1)))
    assert not integrates_by_steps(sa.law(z, sp.Sum(SPLINE * z / n * 2, (k, 0, sp.floor(z))), support=(0, n)))
