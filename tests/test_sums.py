"""Densities with sums: how they are read, integrated, proved, folded, and generated as code."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from rewrites.compositions.noncentral_ratio import noncentral_ratio
from symaux.exchange.archive.formulas import decoded, encoded
from symaux.formulas.functions.gaussian_sums import value as gaussian
from symaux.formulas.functions.series import Series, series
from symaux.formulas.numeric.evaluate import number, real
from symaux.language import formula, names
from symaux.laws.densities.folding import turns_back
from symaux.laws.standard_noise import standard_uniform
from symaux.proof.mass.gaussian_sums import by_theta
from symaux.proof.mass.recognise import integrates_to_one
from symaux.proof.mass.stepwise_sums import by_steps
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)
POISSON = sp.exp(-lam / 2) * (lam / 2) ** k / sp.factorial(k)
CHI = z ** (nu / 2 + k - 1) * sp.exp(-z / 2) / (2 ** (nu / 2 + k) * sp.gamma(nu / 2 + k))
BETA = z ** (a + k - 1) * (1 - z) ** (b - 1) / sp.beta(a + k, b)
SPLINE = (-1) ** k * sp.binomial(n, k) * (z - k) ** (n - 1) / sp.factorial(n - 1)
SMIRNOV = sp.binomial(n, k) * sp.diff(z * (z + k / n) ** (k - 1) * (1 - z - k / n) ** (n - k), z)
HALF_BESSEL = sp.exp(-(lam + z) / 2) * (z / lam) ** ((nu - 2) / 4) / 2

WRITINGS = {
    "a sum": sp.Sum(POISSON * CHI, (k, 0, sp.oo)),
    "a Bessel function": HALF_BESSEL * sp.besseli(nu / 2 - 1, sp.sqrt(lam * z)),
    "0F1": sp.exp(-(lam + z) / 2)
    * (z / 2) ** (nu / 2 - 1)
    / 2
    / sp.gamma(nu / 2)
    * sp.hyper((), (nu / 2,), lam * z / 4),
}
AT = {z: sp.Rational(7, 3), a: sp.Rational(3, 2), b: 2, lam: 3, nu: sp.Rational(5, 2), n: 4}


@pytest.mark.parametrize("writing", WRITINGS)
def test_non_central_chi_square_in_all_writings(writing: str) -> None:
    law = sa.law(z, WRITINGS[writing])
    with mp.workdps(30):
        term = (POISSON * CHI).xreplace(AT)
        direct = mp.fsum(mp.mpmathify(sp.N(term.xreplace({k: sp.Integer(j)}), 30)) for j in range(80))
        assert mp.almosteq(real(law.density, AT), direct, 1e-25)
    assert not law.log_density.has(sp.Sum, Series)
    assert integrates_to_one(law)


def test_weights_that_do_not_add_up_are_not_proved() -> None:
    off = sp.exp(-lam / 2 * sp.Rational(1000001, 1000000))
    kummer = sp.hyper((a + b,), (a,), lam * z / 2) * z ** (a - 1) * (1 - z) ** (b - 1) / sp.beta(a, b)
    assert integrates_to_one(sa.law(z, sp.exp(-lam / 2) * kummer, support=(0, 1)))
    assert not integrates_to_one(sa.law(z, off * kummer, support=(0, 1)))
    other = kummer.replace(sp.hyper, lambda top, bottom, x: sp.hyper(top, (a + 1,), x))
    assert not integrates_to_one(sa.law(z, sp.exp(-lam / 2) * other, support=(0, 1)))


def test_non_central_ratios_are_proved_and_their_mutants_are_not() -> None:
    law = sa.law(z, sp.Sum(POISSON * BETA, (k, 0, sp.oo)), support=(0, 1))
    (found,) = noncentral_ratio(law)
    assert verify(law, found, noise_is_normalised=True).status is Status.PROVED
    x, t = (noise.value for noise in found.noise)
    wrong = Rewrite(found.noise, x / (x + 2 * t * sp.Rational(1000001, 1000000)))
    assert not verify(law, wrong, noise_is_normalised=True)


def test_terms_that_come_in_one_by_one() -> None:
    assert by_steps(sa.law(z, sp.Sum(SPLINE, (k, 0, sp.floor(z))), support=(0, n)))
    assert by_steps(sa.law(z, -sp.Sum(SMIRNOV, (k, 0, sp.floor(n * (1 - z)))), support=(0, 1)))
    three = sp.Sum(SPLINE.xreplace({n: sp.Integer(3)}), (k, 0, sp.floor(z)))
    assert by_steps(sa.law(z, three, support=(0, 3)))
    assert not by_steps(sa.law(z, three * sp.Rational(1000001, 1000000), support=(0, 3)))
    assert not by_steps(sa.law(z, sp.Sum(SPLINE, (k, 0, sp.floor(z))), support=(0, n - 1)))
    assert not by_steps(sa.law(z, sp.Sum(SPLINE * z / n * 2, (k, 0, sp.floor(z))), support=(0, n)))


def test_kolmogorov() -> None:
    term = (-1) ** k * (k + 1) ** 2 * sp.exp(-2 * (k + 1) ** 2 * z**2)
    law = sa.law(z, 8 * z * sp.Sum(term, (k, 0, sp.oo)))
    assert by_theta(law)
    assert not by_theta(sa.law(z, 8 * z * sp.Sum(term, (k, 1, sp.oo)) * -1))
    with mp.workdps(30):
        for m, at in ((0, "0.3"), (1, "0.3"), (2, "0.7"), (1, "2.5")):
            direct = mp.nsum(lambda j, m=m, at=at: (-1) ** (j - 1) * j ** (2 * m) * mp.exp(-mp.mpf(at) * j**2), [1, 40])
            assert mp.almosteq(gaussian(m, mp.mpf(at)), direct, 1e-20)


def test_a_sum_is_read_with_all_digits_or_not_at_all() -> None:
    x = sp.Symbol("x", positive=True)
    alternating = series(sp.Sum((-1) ** k * x**k / sp.factorial(k), (k, 0, sp.oo)))
    with mp.workdps(20):
        assert mp.almosteq(number(alternating, {x: mp.mpf(60)}), mp.exp(-60), 1e-15)
        assert real(series(sp.Sum(1 / (k + x), (k, 0, sp.oo))), {x: mp.mpf(1)}) is None
        assert real(series(sp.Sum(1 / (k + x) ** 2, (k, 0, sp.oo))), {x: mp.mpf(1)}) is None  # falls too slowly
    assert decoded(encoded(alternating)) == alternating


def test_folded_normal() -> None:
    c = sp.Symbol("c", positive=True)
    law = sa.law(z, sp.sqrt(2 / sp.pi) * sp.cosh(c * z) * sp.exp(-(z**2 + c**2) / 2))
    form = sa.derive(law)
    assert form.value == sp.Abs(form.noise[0].value + c) and form.verdict.status is Status.PROVED
    assert turns_back(form.value, form.noise[0], law.parameters)
    with jax.enable_x64(True):
        levels = np.array([1e-6, 0.3, 0.999])
        for u, q in zip(levels, np.asarray(form.quantile(levels, {"c": 0.7})), strict=True):
            assert abs(mp.ncdf(mp.mpf(q) - 0.7) - mp.ncdf(-mp.mpf(q) - 0.7) - u) < 1e-12


def test_a_fold_is_judged_by_all_of_its_branches() -> None:
    e, u = sp.Symbol("e", real=True), sp.Symbol("u", positive=True)
    noise = sa.normal(e, 0, 1)
    assert verify(sa.half_normal(z, 1), Rewrite((noise,), sp.Abs(e))).status is Status.PROVED
    half = sa.law(z, log_density=sa.half_normal(z, 1).log_density - sp.log(2))
    assert not verify(half, Rewrite((noise,), sp.Abs(e)))
    assert not verify(sa.half_normal(z, 1), Rewrite((sa.normal(e, 0, sp.Rational(1000001, 1000000)),), sp.Abs(e)))
    assert not verify(sa.uniform(z, 0, 1), Rewrite((standard_uniform(u),), sp.Abs(u - sp.S.Half)))
    assert verify(sa.uniform(z, 0, sp.S.Half), Rewrite((standard_uniform(u),), sp.Abs(u - sp.S.Half)))
    assert not verify(sa.uniform(z, 0, sp.S.Half), Rewrite((standard_uniform(u),), sp.Abs(u - sp.Rational(1, 3))))


def test_irwin_hall_with_a_number_is_a_sum_of_uniforms() -> None:
    law = sa.law(z, sp.Sum(SPLINE.xreplace({n: sp.Integer(3)}), (k, 0, sp.floor(z))), support=(0, 3))
    form = sa.derive(law, noise="uniform")
    assert form.value == sp.Add(*(e.value for e in form.noise)) and len(form.noise) == 3
    assert form.verdict.status is Status.PROVED
    assert not verify(sa.law(z, 2 * z / 9, support=(0, 3)), Rewrite(form.noise, form.value))


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


def test_sums_in_text() -> None:
    x = sp.Symbol("x", positive=True)
    assert formula("sum(x^k/k, k, 1, oo)", {"x": x}).doit() == sp.Sum(x**k / k, (k, 1, sp.oo)).doit()
    assert names("sum(a^k, k, 0, floor(z))") == ("a", "z") and names("k + sum(k, k, 0, 3)") == ("k",)
    for text in (
        "sum(x)",
        "sum(x^k, 2*k, 0, 3)",
        "sum(x^k, x, 0, 3)",
        "sum(x^k, k, 0, 1e9)",
        "sum(oo, k, 0, 3)",
        "sum(1, exp, 0, 3)",
    ):
        with pytest.raises(sa.SymauxError):
            formula(text, {"x": x})


def test_a_model_with_a_sum_in_a_law() -> None:
    x, y = sp.Symbol("x", positive=True), sp.Symbol("y", real=True)
    term = SPLINE.xreplace({n: sp.Integer(3), z: x})
    model = sa.Model.of(sa.law(x, sp.Sum(term, (k, 0, sp.floor(x))), support=(0, 3)), sa.normal(y, x, 1), observed=[y])
    log_p = sa.log_density(model, data={"y": 0.7})({"x": 1.25})
    density = 1.25**2 / 2 - 3 * 0.25**2 / 2
    assert abs(float(log_p) - (np.log(density) - 0.55**2 / 2 - np.log(2 * np.pi) / 2)) < 1e-5
    aux = sa.auxiliary(model, keep_roots=False)
    assert aux.verify()


def test_a_sum_of_numbers_needs_no_data() -> None:
    """The scales 1 + t/2 of all elements add up without any data: a set of no names."""
    model = sa.parse("plate t[5]\nplate i[3]\nb[t, i] ~ normal(0, 1)\nobserve y[t, i] ~ normal(b[t, i], 1 + t/2)")
    b, y = np.random.default_rng(0).normal(size=(2, 5, 3))
    z = np.stack([b, (y - b) / (1 + np.arange(5)[:, None] / 2)])
    exact = -np.sum(z**2) / 2 - 15 * np.log(2 * np.pi) - 3 * np.sum(np.log(1 + np.arange(5) / 2))
    assert float(sa.log_density(model, {"y": y})({"b": b})) == pytest.approx(exact, rel=1e-12)
