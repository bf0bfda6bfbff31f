"""Quantiles of laws that are cut off: every digit near the cuts and in both tails, with gradients in every argument."""

from __future__ import annotations

from typing import Any

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.codegen.library import truncated
from symaux.formulas.functions import registry as special

V = [1e-30, 1e-12, 1e-5, 0.01, 0.3, 0.8, 1 - 1e-6]
CUTS = [-6.0, -1.0, 0.0, 0.7, 8.0]
PAIRS = [(-1.0, 2.0), (2.0, 9.0), (0.4, 0.7), (-9.0, -5.0), (30.0, 40.0)]


def checked(function: Any, code: Any, given: tuple[float, ...], which: list[int], bound: float = 1e-12) -> None:
    """Value and derivatives of the generated code against mpmath, relative to themselves or to the value."""
    value, slopes = jax.value_and_grad(code, argnums=tuple(range(len(given))))(*map(np.float64, given))
    with mp.workdps(80):
        exact, h = [mp.mpf(x) for x in given], mp.mpf(10) ** -30
        right = function.value(*exact)
        assert abs(float(value) - right) <= bound * abs(right), given
        for k in which:
            ahead, behind = (function.value(*(x + d * (j == k) for j, x in enumerate(exact))) for d in (h, -h))
            steep = (ahead - behind) / (2 * h)
            assert abs(float(slopes[k]) - steep) <= 1e3 * bound * max(abs(steep), abs(right)), (given, k)


@pytest.mark.parametrize("b", CUTS)
def test_the_gap_below_a_cut_of_the_normal_law(b: float) -> None:
    for v in V:
        checked(special.ndtri_gap, truncated.ndtri_gap, (1 - v, v, b), [2])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("a", [0.3, 1.5, 20.0])
@pytest.mark.parametrize("x", [0.05, 1.0, 30.0])
def test_the_gap_below_a_cut_of_a_gamma_law(a: float, x: float) -> None:
    for v in V:
        checked(special.gammaincinv_gap, truncated.gammaincinv_gap, (a, 1 - v, v, x), [0, 3], 1e-11)


@pytest.mark.parametrize("cuts", PAIRS)
def test_the_normal_law_between_two_cuts(cuts: tuple[float, float]) -> None:
    for v in V:
        checked(special.normal_between, truncated.normal_between, (1 - v, v, *cuts, 0.0, 1.0), [2, 3, 4, 5])
        checked(special.normal_between, truncated.normal_between, (v, 1 - v, *cuts, 0.7, 2.5), [2, 3, 4, 5])


@pytest.mark.sweep(2)
@pytest.mark.parametrize("noise", ["uniform", "normal"])
def test_a_truncated_normal_keeps_its_upper_tail(noise: str) -> None:
    z, a = sp.symbols("z a", real=True)
    d = sp.Symbol("d", positive=True)
    mass = sp.erf((a + d) / sp.sqrt(2)) / 2 - sp.erf(a / sp.sqrt(2)) / 2
    form = sa.derive(sa.law(z, sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi) / mass, support=(a, a + d)), noise=noise)
    seen = form.quantile(np.float64(1 - 1e-12), {"a": np.float64(2.0), "d": np.float64(7.0)})
    with mp.workdps(40):
        v = 1 - mp.mpf(1 - 1e-12)
        exact = mp.findroot(lambda t: mp.log(mp.ncdf(-t) - mp.ncdf(-9)) - mp.log(v * (mp.ncdf(-2) - mp.ncdf(-9))), 7.5)
    assert abs(float(seen) - exact) < 1e-13 * exact


def test_weights_beyond_one_do_no_harm() -> None:
    """A factor of the level need not be below one: only the level is."""
    u, b = sp.Symbol("u", positive=True), sp.Symbol("b", real=True)
    from rewrites.stable.truncated_normal import truncated_normal

    better = truncated_normal(sa.ndtri(u * sa.ndtr(b)))
    assert abs(better.subs({u: 3, b: -2}).evalf(30) - sa.ndtri(3 * sa.ndtr(sp.Integer(-2))).evalf(30)) < 1e-25
    with_code = float(truncated.ndtri_below(np.float64(3.0), np.float64(-2.0), np.float64(-2.0)))
    assert abs(with_code - float(better.subs({u: 3, b: -2}).evalf(30))) < 1e-14
