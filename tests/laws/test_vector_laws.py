"""Vectors and matrices: densities against scipy."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import sympy as sp
from scipy import integrate, stats

import symaux as sa

z, mu, K, L, S, x, y = sa.arrays("z mu K L S x y")
w, a = sa.arrays("w a", positive=True)
i, j, k, n = sa.plate("i", 3), sa.plate("j", 3), sa.plate("k", 3), sa.plate("n", 2)
MATRIX = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])


def at(law: sa.Law, position: dict[str, Any], data: dict[str, Any]) -> float:
    return float(sa.log_density(sa.Model.of(law), data)(position))


def test_densities_are_those_of_scipy() -> None:
    v, s = MATRIX, np.array([[1.5, 0.2, 0.0], [0.2, 0.8, -0.1], [0.0, -0.1, 2.0]])
    point, chol = np.array([0.3, -1.0, 2.0]), np.linalg.cholesky(MATRIX)
    zero = np.zeros(3)
    expected = stats.multivariate_normal.logpdf(point, zero, v)
    for given in ({"covariance": K[i, j]}, {"precision": K[i, j]}, {"cholesky": K[i, j]}):
        matrix = {"covariance": v, "precision": np.linalg.inv(v), "cholesky": chol + np.triu(v, 1)}[next(iter(given))]
        assert at(sa.multivariate_normal(z[i], 0, **given), {"z": point}, {"K": matrix}) == pytest.approx(
            expected, rel=1e-12
        )
    expected = stats.multivariate_t.logpdf(point, zero, v, df=3.5)
    assert at(sa.multivariate_student_t(z[i], 3.5, 0, K[i, j]), {"z": point}, {"K": v}) == pytest.approx(
        expected, rel=1e-12
    )
    expected = stats.wishart.logpdf(s, 4.5, v)
    assert at(sa.wishart(S[i, j], 4.5, K[i, j]), {"S": s}, {"K": v}) == pytest.approx(expected, rel=1e-12)
    assert at(sa.wishart(S[i, j], 4.5, cholesky=K[i, j]), {"S": s}, {"K": chol}) == pytest.approx(expected, rel=1e-12)
    expected = stats.invwishart.logpdf(s, 4.5, v)
    assert at(sa.inverse_wishart(S[i, j], 4.5, K[i, j]), {"S": s}, {"K": v}) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("shape", [0.7, 1.0, 3.0])
def test_the_lkj_density_integrates_to_one(shape: float) -> None:
    """In dimension 3 it is a function of one element of the second row times one of two elements of the third."""
    log_density = jax.jit(sa.log_density(sa.Model.of(sa.lkj_cholesky(L[i, j], shape))))

    def density(r: float, p: float, angle: float) -> float:
        c, s = p * np.cos(angle), p * np.sin(angle)
        rows = [[1, 0, 0], [r, np.sqrt(1 - r * r), 0], [c, s, np.sqrt(1 - p * p)]]
        return float(np.exp(log_density({"L": np.array(rows)})))

    fixed = density(0.0, 0.5, 0.3)
    second = integrate.quad(lambda t: density(np.tanh(t), 0.5, 0.3) * (1 - np.tanh(t) ** 2), -30, 30)[0]
    third = integrate.quad(lambda p: density(0.0, p, 0.3) * 2 * np.pi * p, 0, 1, epsabs=1e-9)[0]
    assert second * third / fixed == pytest.approx(1, abs=1e-5)


def test_off_the_support_the_density_is_nothing() -> None:
    simplex = sa.log_density(sa.Model.of(sa.dirichlet(w[k], 2)))
    assert np.isfinite(simplex({"w": np.array([0.2, 0.3, 0.5])}))
    for off in ([0.2, 0.3, 0.6], [-0.2, 0.7, 0.5], [0.0, 0.5, 0.5]):
        assert simplex({"w": np.array(off)}) == -np.inf
    factor = sa.log_density(sa.Model.of(sa.lkj_cholesky(L[i, j], 2)))
    good = np.linalg.cholesky(np.array([[1, 0.3, 0.1], [0.3, 1, 0.2], [0.1, 0.2, 1]]))
    assert np.isfinite(factor({"L": good}))
    for off in (good * 1.01, good.T, -good, good * np.array([[1], [1], [-1]])):
        assert factor({"L": off}) == -np.inf
    matrix = sa.log_density(sa.Model.of(sa.wishart(S[i, j], 4, sp.KroneckerDelta(i, j))))
    assert np.isfinite(matrix({"S": MATRIX}))
    assert matrix({"S": -MATRIX}) == -np.inf and matrix({"S": np.tril(MATRIX)}) == -np.inf
