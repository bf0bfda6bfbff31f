"""The gamma law's functions in JAX against flint's balls: values, gradients in every argument, both formats."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest
from support.flint_oracle import FEW, LEVELS, LEVELS32, Gamma, forward, grid, quantile_errors, worst

from symaux.codegen.library import gamma

pytestmark = pytest.mark.usefixtures("precision")


def test_gamma_quantile() -> None:
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, FEW, LEVELS), "float64")
    assert worst(errors) < 1e-12
    assert worst(slopes) < 1e-11


def test_gamma_quantile_in_float32() -> None:
    """u to the power 1/a: at a = 0.01 one unit in the last place of u or a is already 1e-4 of x."""
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, (0.5, 2.5, 100.0), LEVELS32), "float32")
    assert worst(errors) < 1e-5
    assert worst(slopes) < 2e-5


def test_gamma_quantile_on_the_scale_of_logarithms() -> None:
    """P(a, x) = x**a / Gamma(a + 1) where x is far below what a float can hold."""
    a, log_u = 0.01, np.log(1e-12)
    assert float(gamma.log_gammaincinv(a, log_u)) == pytest.approx((log_u + float(mp.loggamma(1.01))) / a, rel=1e-13)
    assert float(gamma.gammaincinv(a, 1e-12)) == 0.0
    assert float(jax.grad(gamma.log_gammaincinv, 1)(a, log_u)) == pytest.approx(100.0)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_incomplete_gamma(kind: str) -> None:
    points = [(a, a * r) for a in FEW for r in (1e-6, 0.1, 0.9, 1.0, 1.2, 3.0, 10.0)]
    forward(gamma.gammainc, Gamma, points, kind, 1e-12 if kind == "float64" else 2e-5)
