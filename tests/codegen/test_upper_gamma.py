"""The upper incomplete gamma function in generated code, of shapes of any sign: power laws with a cutoff need it."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.codegen.library.upper_gamma import upper_gamma


@pytest.mark.parametrize("s", [-30.0, -2.5, -1.0, 0.0, 0.4, 3.0, 20.0])
def test_values_and_gradients_are_those_of_mpmath(s: float) -> None:
    with jax.enable_x64(True), mp.workdps(40):
        for x in (1e-4, 0.3, 1.0, 12.0, 300.0):
            exact, slope = mp.gammainc(s, x), -(mp.mpf(x) ** (s - 1)) * mp.exp(-x)
            in_s, in_x = jax.grad(upper_gamma, (0, 1))(s, x)
            assert float(upper_gamma(s, x)) == pytest.approx(float(exact), rel=2e-12)
            assert float(in_s) == pytest.approx(float(mp.diff(lambda t, x=x: mp.gammainc(t, x), s)), rel=1e-9)
            assert float(in_x) == pytest.approx(float(slope), rel=1e-9)


@pytest.mark.long
def test_a_power_law_with_a_cutoff_is_generated() -> None:
    z, a, c, s = sp.symbols("z a c s", positive=True)
    density = z ** (-a) * sp.exp(-s * z) * s ** (1 - a) / sp.uppergamma(1 - a, s * c)
    form = sa.derive(sa.law(z, density, support=(c, sp.oo)))
    at = {"a": 2.3, "s": 0.7, "c": 0.5}
    with jax.enable_x64(True):
        where = float(form.quantile(0.87, at))
        gradient = jax.grad(lambda given: form.quantile(0.87, given))(at)
    below = mp.quad(lambda t: t**-2.3 * mp.exp(-0.7 * t), [0.5, where])
    assert float(below * mp.mpf("0.7") ** -1.3 / mp.gammainc(-1.3, 0.35)) == pytest.approx(0.87, rel=1e-12)
    assert np.all(np.isfinite(list(gradient.values())))
