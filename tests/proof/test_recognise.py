"""Densities with sums that are recognised to integrate to one."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.functions.series import Series
from symaux.formulas.numeric.evaluate import real
from symaux.proof.mass.recognise import integrates_to_one

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)
POISSON = sp.exp(-lam / 2) * (lam / 2) ** k / sp.factorial(k)
CHI = z ** (nu / 2 + k - 1) * sp.exp(-z / 2) / (2 ** (nu / 2 + k) * sp.gamma(nu / 2 + k))
HALF_BESSEL = sp.exp(-(lam + z) / 2) * (z / lam) ** ((nu - 2) / 4) / 2

WRITINGS = {
    "a sum": sp.Sum(POISSON * CHI, (k, 0, sp.oo)),
    "a Bessel function": HALF_BESSEL * sp.besseli(nu / 2 - 1, sp.sqrt(lam * z)),
    "0F1": sp.exp(-(lam + z) / 2)
    * (z / 2) ** (nu / 2 - 1)
    / 2
    / sp.gamma(nu / 2)
    * sp.hyper((), (nu / 2,), lam * z / 4),
}
AT = {z: sp.Rational(7, 3), a: sp.Rational(3, 2), b: 2, lam: 3, nu: sp.Rational(5, 2), n: 4}


@pytest.mark.parametrize("writing", WRITINGS)
def test_non_central_chi_square_in_all_writings(writing: str) -> None:
    law = sa.law(z, WRITINGS[writing])
    with mp.workdps(30):
        term = (POISSON * CHI).xreplace(AT)
        direct = mp.fsum(mp.mpmathify(sp.N(term.xreplace({k: sp.Integer(j)}), 30)) for j in range(80))
        assert mp.almosteq(real(law.density, AT), direct, 1e-25)
    assert not law.log_density.has(sp.Sum, Series)
    assert integrates_to_one(law)


def test_weights_that_do_not_add_up_are_not_proved() -> None:
    off = sp.exp(-lam / 2 * sp.Rational(1000001, 1000000))
    kummer = sp.hyper((a + b,), (a,), lam * z / 2) * z ** (a - 1) * (1 - z) ** (b - 1) / sp.beta(a, b)
    assert integrates_to_one(sa.law(z, sp.exp(-lam / 2) * kummer, support=(0, 1)))
    assert not integrates_to_one(sa.law(z, off * kummer, support=(0, 1)))
    other = kummer.replace(sp.hyper, lambda top, bottom, x: sp.hyper(top, (a + 1,), x))
    assert not integrates_to_one(sa.law(z, sp.exp(-lam / 2) * other, support=(0, 1)))
