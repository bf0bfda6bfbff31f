"""Quotients and means whose terms vanish together: values and slopes against mpmath."""

from __future__ import annotations

from typing import Any

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.codegen.library import exponent_means, ratios
from symaux.formulas.functions import registry as special

SMALL = (1e-200, 1e-12, 1e-3)
TINY = mp.mpf(10) ** -307  # what is smaller may be zero
U = (1e-200, 1e-9, 0.3, 0.5, 0.999)
CASES: list[tuple[Any, Any, list[tuple[float, ...]], tuple[int, ...]]] = [
    (special.exprel, ratios.exprel, [(x, c) for x in (-3.0, 0.7) for c in (*SMALL, -1e-12, 2.0, 40.0)], (0, 1)),
    (special.logrel, ratios.logrel, [(x, c) for x in (-0.3, 0.7) for c in (*SMALL, -1e-12, 2.0)], (0, 1)),
    (
        special.log1p_scaled,
        ratios.log1p_scaled,
        [(m, x) for m in (1e-9, 3.0) for x in (*SMALL, 1.0, 1e15, 1e300)],
        (0, 1),
    ),
    (special.recip_expm1, ratios.recip_expm1, [(x,) for x in (-30.0, -1e-9, 1e-9, 2.0, 600.0)], (0,)),
    (special.log_expm1, ratios.log_expm1, [(x,) for x in (1e-200, 1e-9, 0.5, 3.0, 1e15)], (0,)),
    (special.cloglog_exp, ratios.cloglog_exp, [(x,) for x in (-700.0, -41.0, -39.0, -1.0, -1e-9)], (0,)),
    (
        special.log_rising,
        ratios.log_rising,
        [(x, n) for x in (1e-12, 0.5, 12.0, 1e15) for n in (0.5, 3.0, 1000.0)],
        (0, 1),
    ),
    (
        special.mean_exponent,
        exponent_means.mean_exponent,
        [(u, 1 - u, x) for u in U for x in (*SMALL, -1e-12, -2.0, 5.0, -900.0, 900.0)],
        (2,),
    ),
    (
        special.log_mean_exponent,
        exponent_means.log_mean_exponent,
        [(u, 1 - u, x) for u in U for x in (1e-9, -3.0)],
        (2,),
    ),
    (special.log_ratio, exponent_means.log_ratio, [(2.0, 2.000000001), (1e300, 1e-300), (3.0, 7.0)], (0, 1)),
    (special.geometric_mean, exponent_means.geometric_mean, [(1e-140, 1e140, 1 - u, u) for u in U], (0, 1)),
    (
        special.weibull_below,
        exponent_means.weibull_below,
        [(u, 1 - u, w, k) for u in U for w in (0.1, 3.0) for k in (-2.0, 0.5, 20.0)],
        (2, 3),
    ),
]


@pytest.mark.parametrize(("function", "code", "rows", "slopes"), CASES, ids=lambda c: getattr(c, "__name__", ""))
def test_values_and_slopes(function: Any, code: Any, rows: list[tuple[float, ...]], slopes: tuple[int, ...]) -> None:
    for row in rows:
        value, found = jax.value_and_grad(code, argnums=slopes)(*map(np.float64, row))
        with mp.workdps(700):
            exact = [mp.mpf(x) for x in row]
            if len(row) > 2:  # u and 1 - u, or weights: the smaller one is exact
                _make_complementary(exact, row)
            right = function.value(*exact)
            assert abs(float(value) - right) <= 1e-12 * abs(right) + TINY, row
            for place, slope in zip(slopes, found, strict=True):
                step = mp.mpf(10) ** -150 * abs(exact[place])
                up, down = (function.value(*(x + d * (i == place) for i, x in enumerate(exact))) for d in (step, -step))
                steep = (up - down) / (2 * step)
                unit = max(abs(steep), 1e-4 * abs(right) / max(1, abs(exact[place])))
                assert abs(float(slope) - steep) <= 1e-10 * unit + TINY, (row, place, float(slope), float(steep))


def _make_complementary(exact: list[Any], row: tuple[float, ...]) -> None:
    first = 2 if row[0] + row[1] != 1 else 0
    small, large = (first, first + 1) if row[first] < row[first + 1] else (first + 1, first)
    exact[large] = 1 - exact[small]


@pytest.mark.parametrize("dispersion", [1e-12, 0.3, 1e6, 1e15, 1e300])
def test_a_negative_binomial_at_extreme_dispersion(dispersion: float) -> None:
    """At large dispersion the law is a Poisson law, and the terms of its formula are larger than their sum by any factor."""
    mean, phi = sp.symbols("mean phi", positive=True)
    y = sp.Symbol("y", integer=True)
    model = sa.Model.of(
        sa.log_normal(mean, 0, 1), sa.log_normal(phi, 0, 1000), sa.neg_binomial_2(y, mean, phi), observed=["y"]
    )
    value, slope = jax.value_and_grad(sa.log_density(model, {"y": 7}))({"mean": 3.0, "phi": dispersion})

    def log_density(m: Any, d: Any) -> Any:
        prior = -(mp.log(m) ** 2) / 2 - mp.log(m) - (mp.log(d) / 1000) ** 2 / 2 - mp.log(d) - mp.log(2000 * mp.pi)
        return (
            prior + mp.loggamma(7 + d) - mp.loggamma(d) - mp.loggamma(8) + 7 * mp.log(m / (m + d)) - d * mp.log1p(m / d)
        )

    with mp.workdps(700):
        m, d, h = mp.mpf(3), mp.mpf(dispersion), mp.mpf(10) ** -150
        right = log_density(m, d)
        in_mean = (log_density(m + h, d) - log_density(m - h, d)) / (2 * h)
        in_phi = (log_density(m, d * (1 + h)) - log_density(m, d * (1 - h))) / (2 * d * h)
        assert abs(float(value) - right) < 1e-12 * abs(right)
        assert abs(float(slope["mean"]) - in_mean) < 1e-12 * abs(in_mean)
        assert abs(float(slope["phi"]) - in_phi) < 1e-9 * abs(in_phi)


@pytest.mark.parametrize(
    ("law", "at", "exact"),
    [
        (lambda z, a, b: sa.uniform(z, a, b), {"a": -1.0, "b": 2.0}, lambda u: -1 + 3 * u),
        (lambda z, a, b: sa.uniform(z, a, b), {"a": -1.0, "b": 0.0}, lambda u: u - 1),
        (lambda z, a, b: sa.uniform(z, a, a + b**2), {"a": 5.0, "b": 0.5}, lambda u: 5 + u / 4),
        (lambda z, a, b: sa.law(z, 2 * (z - a) / (b - a) ** 2, support=(a, b)), {"a": 1.0, "b": 3.0}, lambda u: 1 + 2 * u**0.5),
        (lambda z, a, b: sa.law(z, 2 * (b - z) / (b - a) ** 2, support=(a, b)), {"a": 1.0, "b": 3.0},
         lambda u: 3 - 2 * (1 - u)**0.5),
    ],
)  # fmt: skip
def test_a_quantile_function_of_a_law_between_parameters_increases(law: Any, at: dict[str, float], exact: Any) -> None:
    """Whether a form increases is asked inside of the region of the law: a point with a > b tells nothing."""
    form = sa.derive(law(*sp.symbols("z a b", real=True)))
    for u in (1e-9, 0.25, 0.75, 1 - 2.0**-30):
        assert float(form.quantile(np.float64(u), at)) == pytest.approx(exact(u), rel=1e-12)


def test_zero_times_a_logarithm_keeps_the_slope_of_the_factor() -> None:
    """0 log x is 0 and has the slope log x in its factor; only at x = 0, where there is none, it is cut."""
    from symaux.codegen.library.ratios import times_log, times_log1p

    assert jax.grad(times_log)(0.0, 3.0) == pytest.approx(np.log(3.0))
    assert jax.grad(times_log1p)(0.0, 3.0) == pytest.approx(np.log(4.0))
    for function, end in ((times_log, 0.0), (times_log1p, -1.0)):
        assert function(0.0, end) == 0 and function(1.0, end) == -np.inf
        assert np.all(np.isfinite(jax.grad(function, (0, 1))(0.0, end)))
