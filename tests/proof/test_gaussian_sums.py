"""Sums of Gaussian terms: Kolmogorov's law."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

import symaux as sa
from symaux.formulas.functions.gaussian_sums import value as gaussian
from symaux.proof.mass.gaussian_sums import integrates_by_gaussian_sum

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)


def test_kolmogorov() -> None:
    term = (-1) ** k * (k + 1) ** 2 * sp.exp(-2 * (k + 1) ** 2 * z**2)
    law = sa.law(z, 8 * z * sp.Sum(term, (k, 0, sp.oo)))
    assert integrates_by_gaussian_sum(law)
    assert not integrates_by_gaussian_sum(sa.law(z, 8 * z * sp.Sum(term, (k, 1, sp.oo)) * -1))
    with mp.workdps(30):
        for m, at in ((0, "0.3"), (1, "0.3"), (2, "0.7"), (1, "2.5")):
            direct = mp.nsum(lambda j, m=m, at=at: (-1) ** (j - 1) * j ** (2 * m) * mp.exp(-mp.mpf(at) * j**2), [1, 40])
            assert mp.almosteq(gaussian(m, mp.mpf(at)), direct, 1e-20)
