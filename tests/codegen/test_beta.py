"""The functions of the beta law and of Student's in JAX against flint's balls: values and gradients, both formats."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from flint import arb  # pyright: ignore[reportMissingImports]
from support.flint_oracle import FEW, LEVELS, LEVELS32, Beta, forward, grid, quantile_errors, slope, worst

from symaux.codegen.library import beta

pytestmark = pytest.mark.usefixtures("precision")


def test_beta_quantile() -> None:
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, (0.01, 2.5, 100.0), LEVELS[:-2]), "float64")
    assert worst(errors) < 1e-11
    assert worst(slopes) < 1e-10


@pytest.mark.long
def test_beta_quantile_in_float32() -> None:
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, (0.5, 2.5, 100.0), LEVELS32), "float32")
    assert worst(errors) < 2e-5
    assert worst(slopes) < 1e-4


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_incomplete_beta(kind: str) -> None:
    points = [(a, b, x) for a in FEW for b in FEW for x in (1e-6, 0.1, 0.5, 0.9, 0.999)]
    forward(beta.betainc, Beta, points, kind, 1e-11 if kind == "float64" else 1e-4)


@pytest.mark.parametrize("df", [0.5, 3.0])
def test_student_quantile(df: float) -> None:
    """The tail beyond t is half of I_{df/(df + t²)}(df/2, 1/2)."""
    half, v = arb(0.5), arb(df)
    for u in (1e-100, 1e-12, 0.01, 0.3, 0.5 - 1e-9):
        t = float(beta.student_t_ppf(u, df))
        size = arb(-t)
        square = size * size
        far = bool(square > v / 10)

        def tail(v: arb, square: arb = square, far: bool = far) -> arb:
            if far:
                return (v / (v + square)).beta_lower(v / 2, half, 1) / 2
            return half - (square / (v + square)).beta_lower(half, v / 2, 1) / 2

        density = (
            (1 + square / v) ** (-(v + 1) / 2)
            / v.sqrt()
            / (half.lgamma() + (v / 2).lgamma() - ((v + 1) / 2).lgamma()).exp()
        )
        assert abs(float(((tail(v) - arb(u)) / density / size).mid())) < 1e-12
        by_df = jax.grad(beta.student_t_ppf, 1)(u, df)
        assert float(by_df) == pytest.approx(float((-slope(tail, v) / density).mid()), rel=1e-8)
        assert float(beta.student_t_ppf(1 - 0.3, df)) == pytest.approx(-float(beta.student_t_ppf(0.3, df)), rel=1e-12)
    assert float(beta.student_t_ppf(0.5, df)) == 0.0 and np.isfinite(jax.grad(beta.student_t_ppf)(0.5, df))
