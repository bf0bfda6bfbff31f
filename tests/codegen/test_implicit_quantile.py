"""The numerical quantile in generated code agrees with an independent one, and so do its gradients."""

import jax
import mpmath as mp
import numpy as np
import pytest
import scipy.stats as st
import sympy as sp

import symaux as sa
from rewrites.implicit import implicit
from rewrites.location_scale import location_scale
from rewrites.probit import probit
from symaux.formulas.functions.elementary import ImplicitQuantile

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, s = sp.symbols("a b s", positive=True)
m = sp.Symbol("m", real=True)
LEVELS = np.array([1e-12, 1e-6, 0.01, 0.3, 0.5, 0.8, 0.99, 1 - 1e-6, 1 - 1e-12])

CASES = {
    "gamma": (sa.gamma(x, a, b), {"a": 2.5, "b": 1.5}, st.gamma(2.5, scale=1 / 1.5)),
    "small shape": (sa.gamma(x, a, b), {"a": 0.1, "b": 1.0}, st.gamma(0.1)),
    "large shape": (sa.gamma(x, a, b), {"a": 1e4, "b": 1.0}, st.gamma(1e4)),
    "inverse gamma": (sa.inverse_gamma(x, a, b), {"a": 2.5, "b": 1.5}, st.invgamma(2.5, scale=1.5)),
    "beta": (sa.beta(x, a, b), {"a": 0.5, "b": 0.3}, st.beta(0.5, 0.3)),
    "student": (sa.student_t(z, a, m, s), {"a": 2.0, "m": 0.3, "s": 2.0}, st.t(2.0, 0.3, 2.0)),
    "skew normal": (sa.skew_normal(z, m, s, b), {"m": 0.3, "s": 2.0, "b": 1.5}, st.skewnorm(1.5, 0.3, 2.0)),
}


@pytest.mark.sweep(7)
@pytest.mark.parametrize("name", CASES)
def test_the_quantile_agrees_with_an_independent_distribution_function(name: str) -> None:
    law, at, independent = CASES[name]
    form = sa.derive(law, rules=(location_scale, implicit))
    assert form.value.has(ImplicitQuantile) and form.verdict.status is sa.Status.PROVED
    levels = LEVELS[LEVELS < 0.995] if name == "beta" else LEVELS  # beyond that the quantile is the float 1.0
    found = np.asarray(form.quantile(levels, at))
    low = levels < 0.5
    mass = np.where(low, independent.cdf(found), independent.sf(found))
    assert np.allclose(mass, np.where(low, levels, 1 - levels), rtol=1e-7, atol=0)


def test_gradients_in_the_parameters_are_those_of_the_exact_quantile() -> None:
    form = sa.derive(sa.gamma(x, a, b), rules=(implicit,))
    slope = jax.grad(lambda shape: form.quantile(0.3, {"a": shape, "b": 1.5}))(2.5)

    def quantile(shape: mp.mpf) -> mp.mpf:
        return mp.findroot(lambda t: mp.gammainc(shape, 0, 1.5 * t, regularized=True) - mp.mpf("0.3"), 1.0)

    with mp.workdps(30):
        assert abs(slope - float(mp.diff(quantile, mp.mpf("2.5")))) < 1e-9


@pytest.mark.long
@pytest.mark.parametrize("mean", [0.3, 1.0, 2.5])
def test_far_tails_keep_their_digits_and_their_gradients(mean: float) -> None:
    """An inverse Gaussian falls double-exponentially in log z: beyond the mass of 1e-12 there is still an exact answer."""
    form = sa.derive(sa.inverse_gaussian(x, a, b), rules=(implicit,))
    levels = [1e-12, 1e-9, 1e-3, 1 - 1e-9, 1 - 1e-12]

    def below(t: mp.mpf, mu: mp.mpf) -> mp.mpf:
        root = mp.sqrt(1 / t)
        return mp.ncdf(root * (t / mu - 1)) + mp.exp(2 / mu) * mp.ncdf(-root * (t / mu + 1))

    both = jax.vmap(jax.value_and_grad(lambda mu, u: form.quantile(u, {"a": mu, "b": 1.0})), in_axes=(None, 0))
    for u, value, slope in zip(levels, *both(mean, np.array(levels)), strict=True):
        with mp.workdps(50):
            mu = mp.mpf(mean)
            exact = mp.findroot(lambda t: below(t, mu) - mp.mpf(u), mp.mpf(float(value)))  # noqa: B023
            steep = -mp.diff(lambda k: below(exact, k), mu) / mp.diff(lambda t: below(t, mu), exact)  # noqa: B023
            assert abs(float(value) / exact - 1) < 1e-11 and abs(float(slope) / steep - 1) < 1e-9


@pytest.mark.long
def test_draws_are_differentiable_and_batched() -> None:
    form = sa.derive(sa.beta(x, a, b), rules=(implicit, probit), noise="normal")
    at = {"a": 2.0, "b": 3.0}
    draws = form.sample(jax.random.key(0), at, shape=(200,))
    assert st.kstest(np.asarray(draws), st.beta(2, 3).cdf).pvalue > 1e-3
    slope = jax.jit(jax.grad(lambda at: form.sample(jax.random.key(0), at, shape=(5,)).sum()))(at)
    assert all(np.isfinite(v) for v in slope.values())


@pytest.mark.long
def test_single_precision_stays_single_where_double_is_allowed() -> None:
    mixed = sp.exp(-(z**2) / 2) / (2 * sp.sqrt(2 * sp.pi)) + sp.exp(-abs(z - a)) / 4
    form = sa.derive(sa.law(z, mixed), rules=(implicit,), accept="sampled")

    def at(kind: type) -> tuple[jax.Array, jax.Array]:
        return jax.value_and_grad(lambda shift: form.quantile(kind(0.01), {"a": shift}))(kind(1.5))

    (single, slope), (double, exact) = at(np.float32), at(np.float64)
    assert single.dtype == slope.dtype == np.float32
    assert float(single) == pytest.approx(float(double), rel=1e-5) and float(slope) == pytest.approx(
        float(exact), rel=1e-4
    )


def test_a_cut_off_that_is_sharp_in_the_logarithm_keeps_its_digits() -> None:
    """An inverse Gaussian with a heavy tail: far wider on the line than the half-width at its peak tells."""
    wald = sp.sqrt(s / (2 * sp.pi * x**3)) * sp.exp(-s * (x - a) ** 2 / (2 * a**2 * x))
    form = sa.derive(sa.law(x, wald), rules=(implicit,), accept="sampled")
    with mp.workdps(30):
        mean, shape = mp.mpf(12), mp.mpf(0.4)

        def below(t: mp.mpf) -> mp.mpf:
            root = mp.sqrt(shape / t)
            return mp.ncdf(root * (t / mean - 1)) + mp.exp(2 * shape / mean) * mp.ncdf(-root * (t / mean + 1))

        exact = mp.findroot(lambda t: below(t) - mp.mpf(0.9), (20, 40), solver="anderson")
    assert abs(float(form.quantile(0.9, {"a": 12.0, "s": 0.4})) / exact - 1) < 1e-11
