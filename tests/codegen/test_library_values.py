"""Special functions in JAX against flint's balls and mpmath: values, gradients in every argument, both formats.

The error of a quantile x is (F(x) - u)/p(x), with F and p from flint at that very x, relative to x itself.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
from support.flint_oracle import (
    LEVELS,
    SHAPES,
    Beta,
    Gamma,
    columns,
    gradient_errors,
    grid,
    mp_errors,
    quantile_errors,
    with_gradient,
    worst,
)

from symaux.codegen.library import beta, gamma, lambert, normal, von_mises
from symaux.formulas.functions import mpmath_values as precise

pytestmark = pytest.mark.usefixtures("precision")


@pytest.mark.long
def test_quantiles_over_the_whole_grid() -> None:
    errors, slopes = quantile_errors(gamma.gammaincinv, Gamma, grid(Gamma, SHAPES, LEVELS), "float64")
    assert worst(errors) < 1e-12 and worst(slopes) < 1e-12
    errors, slopes = quantile_errors(beta.betaincinv, Beta, grid(Beta, SHAPES, LEVELS), "float64")
    assert worst(errors) < 1e-12 and worst(slopes) < 1e-11


@pytest.mark.long
@pytest.mark.parametrize("shapes", [(1e3,), (1e6,), (1e4, 1e4), (1e4, 2.5), (2.5, 1e4)])
def test_quantiles_of_large_shapes(shapes: tuple[float, ...]) -> None:
    """By quadrature in a coordinate in which the density is log-concave: flint's series are slow here."""
    f = gamma.gammaincinv if len(shapes) == 1 else beta.betaincinv
    for u in (1e-300, 1e-12, 0.01, 0.3, 0.99, 1 - 1e-12):
        x, (*found, _) = with_gradient(f)(*columns([(*shapes, u)], "float64"))
        at, level, upper = mp.mpf(float(x[0])), mp.mpf(u), u > 0.5
        given = [mp.mpf(s) for s in shapes]
        density = concave(*given)[1](at)
        excess = tail_mass(given, at, upper) - (1 - level if upper else level)
        shift = (-excess if upper else excess) / density
        assert abs(shift / at) < 1e-12
        for i, s in enumerate(given):
            ends = [
                tail_mass([*given[:i], s + h, *given[i + 1 :]], at - shift, upper) for h in (s / 10**14, -s / 10**14)
            ]
            truth = (ends[1] - ends[0]) / (2 * s / 10**14) / density
            assert float(found[i][0]) == pytest.approx(float(-truth if upper else truth), rel=1e-10)


def concave(*shapes: Any) -> tuple[Any, Any, Any]:
    """The density of log x or of log(x/(1 - x)), the one of x, and the coordinate."""
    if len(shapes) == 1:
        (a,) = shapes
        constant = mp.loggamma(a)
        return (lambda t: a * t - mp.exp(t) - constant), (lambda x: mp.exp((a - 1) * mp.log(x) - x - constant)), mp.log
    a, b = shapes
    constant = mp.log(mp.beta(a, b))
    return (
        lambda t: -a * mp.log1p(mp.exp(-t)) - b * mp.log1p(mp.exp(t)) - constant,
        lambda x: mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - constant),
        lambda x: mp.log(x) - mp.log1p(-x),
    )


def tail_mass(shapes: Any, x: Any, upper: bool) -> Any:
    log_density, _, coordinate = concave(*shapes)
    t, spread = coordinate(x), mp.sqrt(sum(1 / s for s in shapes))
    width = 1 / (1 / spread + abs(mp.diff(log_density, t)))
    ends = [t + k * width if upper else t - k * width for k in (0, 1, 3, 9, 27, 81, 150)]
    top = log_density(t)
    return abs(mp.quad(lambda s: mp.exp(log_density(s) - top), ends)) * mp.exp(top)


def log_phi(x: Any) -> Any:
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) if x < 0 else mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)


def erfc_inverse(x: Any) -> Any:
    return -precise.normal_log_quantile(mp.log(x / 2)) / mp.sqrt(2)


BRANCH = (-0.3678794, -0.36, -0.3, -0.2501, -0.2499, -0.1, -1e-5)
REAL_FUNCTIONS: dict[str, tuple[Any, Any, tuple[float, ...]]] = {
    "lambertw0": (lambert.lambertw0, lambda x: mp.lambertw(x).real, (*BRANCH, -1e-30, 1e-30, 0.1, 1.0, 10.0, 1e30)),
    "lambertwm1": (lambert.lambertwm1, lambda x: mp.lambertw(x, -1).real, (*BRANCH, -1e-12)),
    "lambertw0_of_exp": (lambert.lambertw0_of_exp, precise.omega, (-10.0, -1.0, 0.5, 1.0, 2.0, 30.0, 1e4, 1e9)),
    "lambertwm1_of_exp": (lambert.lambertwm1_of_exp, precise.other_omega, (-1.001, -1.1, -2.0, -100.0, -1e5)),
    "log_ndtr": (normal.log_ndtr, log_phi, (-1e4, -31.0, -29.0, -20.0, -11.0, -9.0, -5.0, -1.0, 0.5, 2.0, 5.0, 8.0)),
    "ndtri_exp": (normal.ndtri_exp, precise.normal_log_quantile, (-700.0, -87.0, -41.0, -39.0, -10.0, -0.5, -1e-6)),
    "erfcinv": (normal.erfcinv, erfc_inverse, (1e-30, 1e-5, 0.3, 1.5)),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", sorted(REAL_FUNCTIONS))
def test_functions_of_one_argument(name: str) -> None:
    f, truth, points = REAL_FUNCTIONS[name]
    assert mp_errors(f, truth, [(p,) for p in points], "float64") < 1e-13
    assert mp_errors(f, truth, [(p,) for p in points], "float32") < 3e-6
    assert gradient_errors(f, truth, [(p,) for p in points]) < 1e-10


def test_far_tails() -> None:
    assert float(normal.erfcinv(1e-300)) == pytest.approx(26.209469960516124, rel=1e-14)
    assert float(normal.ndtri_exp(-1e10)) == pytest.approx(-np.sqrt(2e10), rel=1e-8)
    assert float(lambert.lambertwm1(-1e-300)) == pytest.approx(
        float(mp.lambertw(mp.mpf("-1e-300"), -1).real), rel=1e-14
    )


def test_owens_t() -> None:
    points = [(h, a) for h in (0.1, 1.0, 4.0) for a in (0.1, 1.0, 1.5, 5.0, -2.0)]
    assert mp_errors(normal.owens_t, precise.owen, points, "float64") < 1e-12
    assert gradient_errors(normal.owens_t, precise.owen, points) < 1e-9


@pytest.mark.long
def test_noise_may_be_normal() -> None:
    """From a normal's own tails: exact where 1 - u would be rounded off."""
    eps = jnp.asarray([-1.0, 0.0, 3.0, 20.0])
    q = jax.scipy.special.ndtr(-eps)
    np.testing.assert_allclose(gamma.gamma_of_normal(2.5, eps), gamma.gammainccinv(2.5, q), rtol=1e-11)
    np.testing.assert_allclose(beta.beta_of_normal(2.5, 0.5, eps), beta.betainccinv(2.5, 0.5, q), rtol=1e-11)
    np.testing.assert_allclose(beta.student_t_of_normal(4.0, -eps), beta.student_t_ppf(q, 4.0), rtol=1e-9, atol=1e-15)
    mirrored = von_mises.von_mises_ppf(q[1:], 3.0)
    np.testing.assert_allclose(von_mises.von_mises_of_normal(-eps[1:], 3.0), mirrored, rtol=1e-9, atol=1e-15)
