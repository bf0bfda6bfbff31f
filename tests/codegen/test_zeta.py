"""Zeta functions in generated code, alone and in Planck's law."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.codegen.library.tails import log1mexp_of_exp
from symaux.codegen.library.zeta import hurwitz


@pytest.mark.parametrize("s", [-1.5, 0.3, 1.001, 2.0, 3.7, 40.0, 150.0])
def test_values_and_gradients_are_those_of_mpmath(s: float) -> None:
    with jax.enable_x64(True), mp.workdps(40):
        for a in (0.01, 1.0, 2.5, 30.0):
            exact, slope = mp.zeta(mp.mpf(s), mp.mpf(a)), -mp.mpf(s) * mp.zeta(mp.mpf(s) + 1, mp.mpf(a))
            in_s, in_a = jax.grad(hurwitz, (0, 1))(s, a)
            assert float(hurwitz(s, a)) == pytest.approx(float(exact), rel=1e-11)
            assert float(in_s) == pytest.approx(float(mp.zeta(mp.mpf(s), mp.mpf(a), 1)), rel=1e-9)
            assert float(in_a) == pytest.approx(float(slope), rel=1e-9)


def test_where_there_is_no_value_there_is_no_number() -> None:
    assert np.isnan(hurwitz(1.0)) and np.isnan(hurwitz(2.0, -0.5))


@pytest.mark.long
def test_plancks_law_has_code() -> None:
    z, n = sp.symbols("z n", positive=True)
    planck = z ** (n - 1) / (sp.exp(z) - 1) / sp.gamma(n) / sp.zeta(n)
    form = sa.derive(sa.law(z, planck, support=(0, sp.oo), conditions=(n > 1,)))
    with jax.enable_x64(True), mp.workdps(20):
        for order, level in ((2.5, 0.1), (4.0, 0.9)):
            where = float(form.quantile(level, {"n": order}))
            mass = mp.quad(lambda t, n=order: t ** (n - 1) / mp.expm1(t), [0, where]) / mp.gamma(order) / mp.zeta(order)
            assert float(mass) == pytest.approx(level, abs=1e-11)


@pytest.mark.parametrize("y", [-800.0, -39.0, 0.0, 39.0, 800.0])
def test_a_logarithm_of_a_tower_has_slopes_where_its_exponential_has_no_number(y: float) -> None:
    with jax.enable_x64(True), mp.workdps(30):
        exact = mp.exp(y) / mp.expm1(mp.exp(y)) if y < 7 else mp.mpf(0)
        assert float(log1mexp_of_exp(y)) == pytest.approx(
            float(mp.log(-mp.expm1(-mp.exp(y))) if y < 7 else 0), abs=1e-12
        )
        assert float(jax.grad(log1mexp_of_exp)(y)) == pytest.approx(float(exact), rel=1e-12)
