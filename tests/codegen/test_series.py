"""Series in generated code: they have gradients, and they end."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.rules.verdict import Status

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)
SPLINE = (-1) ** k * sp.binomial(n, k) * (z - k) ** (n - 1) / sp.factorial(n - 1)


@pytest.mark.long
def test_irwin_hall_quantiles_are_exact_across_corners() -> None:
    law = sa.law(z, sp.Sum(SPLINE, (k, 0, sp.floor(z))), support=(0, n))
    form = sa.derive(law)
    assert form.verdict.status is Status.PROVED
    levels = np.array([1e-9, 0.2, 0.6, 1 - 1e-9])

    def below(x: Any, count: int) -> Any:
        terms = ((-1) ** j * mp.binomial(count, j) * (x - j) ** count for j in range(int(x) + 1))
        return mp.fsum(terms) / mp.factorial(count)

    with jax.enable_x64(True), mp.workdps(30):
        quantile = jax.jit(jax.vmap(lambda u, count: form.quantile(u, {"n": count}), in_axes=(0, None)))
        for count in (2, 3, 12):
            for u, q in zip(levels, np.asarray(quantile(levels, float(count))), strict=True):
                exact, x = (mp.mpf(u), mp.mpf(q)) if u < 0.5 else (1 - mp.mpf(u), count - mp.mpf(q))
                assert abs(below(x, count) / exact - 1) < 1e-8


def test_generated_series_have_gradients_and_end() -> None:
    from symaux.codegen.library.arrays import bounded_sum
    from symaux.codegen.library.hypergeometric import log_hyper

    with jax.enable_x64(True):
        slope = jax.jit(jax.grad(lambda x: bounded_sum(lambda j: x**j, 0, jnp.inf)))(0.5)
        assert abs(slope - 4) < 1e-12
        assert np.isnan(bounded_sum(lambda j: 0.999**j, 0, jnp.inf)) and np.isnan(bounded_sum(lambda j: j, 0, 500))
        assert bounded_sum(lambda j: j, 1, 10.7) == 55
        for p, q, x in ((0.3, 2.5, 1e-40), (0.3, 2.5, 40.0), (60.0, 0.2, 700.0)):
            with mp.workdps(30):
                exact = mp.log(mp.hyp1f1(p, q, x))
                assert abs(float(log_hyper((p,), (q,), x)) - exact) < 1e-12 * (1 + abs(exact))
                slope = mp.diff(lambda t, q=q, x=x: mp.log(mp.hyp1f1(t, q, x)), p)
            assert abs(float(jax.grad(lambda t, q=q, x=x: log_hyper((t,), (q,), x))(p)) - slope) < 1e-10 * (
                1 + abs(slope)
            )


def model_with_a_sum() -> sa.Model:
    x, y = sp.Symbol("x", positive=True), sp.Symbol("y", real=True)
    term = SPLINE.xreplace({n: sp.Integer(3), z: x})
    return sa.Model.of(sa.law(x, sp.Sum(term, (k, 0, sp.floor(x))), support=(0, 3)), sa.normal(y, x, 1), observed=[y])


def test_a_model_with_a_sum_in_a_law() -> None:
    model = model_with_a_sum()
    log_p = sa.log_density(model, data={"y": 0.7})({"x": 1.25})
    density = 1.25**2 / 2 - 3 * 0.25**2 / 2
    assert abs(float(log_p) - (np.log(density) - 0.55**2 / 2 - np.log(2 * np.pi) / 2)) < 1e-5
    aux = sa.auxiliary(model, keep_roots=False)
    assert not aux.kept and aux.verdict.status is Status.PROVED


@pytest.mark.long
def test_a_model_with_a_sum_in_a_law_is_verified_as_a_whole() -> None:
    assert sa.auxiliary(model_with_a_sum(), keep_roots=False).verify()
