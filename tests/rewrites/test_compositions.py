"""Rules that give a form several noises: what they find, and that it is proved."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath as mp
import numpy as np
import pytest
import sympy as sp
import sympy.stats
from sympy import Abs, Rational, besseli, besselk, erfc, exp, gamma, pi, sqrt

import symaux as sa
from rewrites import COMPOSITIONS
from rewrites.compositions.noncentral_ratio import noncentral_ratio
from rewrites.location_scale import location_scale
from symaux.api import forms
from symaux.formulas.numeric.evaluate import number
from symaux.formulas.symbols.support import REALS
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.proof.verify import verify
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

Z, E1, E2 = sp.symbols("z e1 e2", real=True)
X, T1, T2, T3 = sp.symbols("x t1 t2 t3", positive=True)
A, B, C, L, S, V = sp.symbols("a b c l s v", positive=True)
M, K = sp.symbols("m k", real=True)

EX_GAUSSIAN = L / 2 * exp(L * (2 * M + L * S**2 - 2 * Z) / 2) * erfc((M + L * S**2 - Z) / (sqrt(2) * S))

NDTR = L * exp(L**2 * S**2 / 2 - L * (Z - M)) * sa.ndtr((Z - M) / S - L * S)
LAWS = {  # the formula, the rule that takes it apart, and numbers for the parameters
    "ex-Gaussian of sympy.stats": (law(Z, sympy.stats.ExGaussian("q", M, S, L)), "ex_gaussian", {M: 1, S: 0.5, L: 2}),
    "ex-Gaussian with Phi": (law(Z, NDTR), "ex_gaussian", {M: 1, S: 0.5, L: 2}),
    "ex-Gaussian to the left": (law(Z, EX_GAUSSIAN.subs(Z, -Z)), "ex_gaussian", {M: 1, S: 0.5, L: 2}),
    "exponnorm of SciPy": (
        law(Z, exp(1 / (2 * A**2) - Z / A) * erfc(-(Z - 1 / A) / sqrt(2)) / (2 * A)),
        "ex_gaussian",
        {A: 1.5},
    ),
    "skew-normal": (f.skew_normal(Z, M, S, K), "skew_normal", {M: 0.5, S: 2, K: -1.5}),
    "skew-normal, expanded": (
        law(Z, sp.expand(exp(-(Z**2) / 2) / sqrt(2 * pi) * (1 + sp.erf(K * Z / sqrt(2))))),
        "skew_normal",
        {K: 2},
    ),
    "Cauchy": (f.cauchy(Z, M, S), "student", {M: 0.5, S: 2}),
    "Student t with 2": (f.student_t(Z, 2, M, S), "student", {M: 0.5, S: 2}),
    "Rice": (
        law(X, X / S**2 * exp(-(X**2 + V**2) / (2 * S**2)) * besseli(0, V * X / S**2)),
        "noncentral",
        {S: 0.5, V: 1.25},
    ),
    "non-central chi of sympy.stats": (law(X, sympy.stats.ChiNoncentral("q", 3, L)), "noncentral", {L: 1.5}),
    "non-central chi-square": (
        law(X, exp(-(X + L) / 2) * sp.hyper((), (Rational(3, 2),), L * X / 4) * sqrt(X / (2 * pi))),
        "noncentral",
        {L: 1.5},
    ),
    "product of two normals": (law(Z, besselk(0, Abs(Z) / S) / (pi * S)), "normal_mixture", {S: 2}),
    "variance-gamma": (
        law(Z, S * Abs(Z - M) * besselk(1, S * Abs(Z - M)) * S / pi),
        "normal_mixture",
        {S: 2, M: 1},
    ),
    "product of exponentials": (law(X, 2 * besselk(0, 2 * sqrt(X / A)) / A), "gamma_product", {A: 2}),
    "Lomax": (law(X, 2 * S**2 / (S + X) ** 3), "gamma_ratio", {S: 2}),
    "Laplace": (f.laplace(Z, M, S), "exponential_difference", {M: 0.5, S: 2}),
    "asymmetric Laplace": (
        law(Z, sp.Piecewise((A * B / (A + B) * exp(A * Z), Z < 0), (A * B / (A + B) * exp(-B * Z), True))),
        "exponential_difference",
        {A: 1, B: 3},
    ),
    "hypoexponential": (
        law(X, A * (A + B) / B * (exp(-A * X) - exp(-(A + B) * X))),
        "exponential_sum",
        {A: 1, B: 2},
    ),
    "generalised normal": (
        law(Z, exp(-(Abs((Z - M) / S) ** 4)) / (2 * S * gamma(Rational(5, 4)))),
        "generalised_normal",
        {M: 1, S: 2},
    ),
}
CENTRE = (location_scale,)


def composed(case: str) -> AuxiliaryForm:
    """The form that the rule alone gives, with location and scale taken out where it needs that."""
    given, name, _ = LAWS[case]
    (own,) = (r for r in COMPOSITIONS if r.name == name)
    return next(form for form in forms(given, (own, *CENTRE)) if len(form.noise) > 1)


LONG = {"variance-gamma", "product of two normals"}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("case", [pytest.param(case, marks=pytest.mark.long if case in LONG else ()) for case in LAWS])
def test_the_rule_finds_a_proved_form_whose_draws_have_the_law(case: str) -> None:
    given, _, numbers = LAWS[case]
    form = composed(case)
    assert form.verdict.status is Status.PROVED, form.verdict
    assert [n.name for n in form.noise] == [f"eps_{given.name}_{k}" for k in (1, 2)]
    at = {str(symbol): float(value) for symbol, value in numbers.items()}
    draws = np.sort(np.asarray(form.sample(jax.random.key(7), at, shape=(40_000,))))
    for level in (0.1, 0.35, 0.6, 0.9):
        quantile = float(draws[int(level * draws.size)])
        assert abs(probability(given, numbers, quantile) - level) < 0.012, (case, level)


def probability(given: Law, numbers: dict[sp.Symbol, float], quantile: float) -> float:
    """The mass below a point, by quadrature of the law's own density."""
    lower = -mp.inf if given.support == REALS else mp.mpf(0)
    density = exp(given.log_density)
    corners = sorted({x for x in (-20, -4, 0, 1) if lower < x < quantile})

    def height(x: mp.mpf) -> mp.mpf:
        try:
            return mp.re(number(density, {**numbers, given.value: x}))
        except OverflowError:  # far out
            return mp.mpf(0)

    return float(mp.quad(height, [lower, *corners, quantile]))


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("given", "name"),
    [
        (f.student_t(Z, V, M, S), "student"),
        (f.beta(X, A, B), "gamma_ratio"),
        (law(X, sympy.stats.FDistribution("q", A, B)), "gamma_ratio"),
        (law(X, sympy.stats.BetaPrime("q", A, B)), "gamma_ratio"),
        (law(X, 2 * X ** ((A + B) / 2 - 1) * besselk(A - B, 2 * sqrt(X)) / (gamma(A) * gamma(B))), "gamma_product"),
        (law(Z, B * exp(-((Abs(Z - M) / S) ** B)) / (2 * S * gamma(1 / B))), "generalised_normal"),
        (
            law(
                X,
                exp(-(X + L) / 2) * (X / L) ** (A / 2 - Rational(1, 4)) * besseli(A - Rational(1, 2), sqrt(L * X)) / 2,
            ),
            "noncentral",
        ),
    ],
    ids=["Student t", "beta", "F", "beta prime", "K", "generalised normal", "non-central chi-square"],
)
def test_a_shape_of_its_own_stays_with_the_noise(given: Law, name: str) -> None:
    (own,) = (r for r in COMPOSITIONS if r.name == name)
    (rewrite,) = own(given)
    found = verify(given, rewrite)
    assert found.status is Status.PROVED, found


def test_one_noise_comes_before_several() -> None:
    form = sa.derive(f.cauchy(Z, M, S))
    assert len(form.noise) == 1
    assert len(sa.derive(law(Z, EX_GAUSSIAN)).noise) == 2


@pytest.mark.xfail(raises=sa.NoRuleApplies, reason="a proof is found, and balls do not confirm it yet")
def test_a_shape_that_is_left_is_rewritten_further() -> None:
    """The normal-inverse Gaussian: its mixing law has no closed quantile, so the last resort finishes it."""
    density = A * C / pi * exp(A * C) * besselk(1, A * sqrt(C**2 + Z**2)) / sqrt(C**2 + Z**2)
    form = sa.derive(law(Z, density))
    assert form.verdict.status is Status.PROVED
    assert not any(n.parameters for n in form.noise)
    assert "normal_mixture" in [step.rule for step in form.steps]


def test_several_noises_have_no_quantile_function() -> None:
    form = sa.derive(law(Z, EX_GAUSSIAN))
    with pytest.raises(sa.DataError, match="2 noises has no quantile function: z ="):
        form.quantile(0.5, {"m": 0.0, "s": 1.0, "l": 1.0})


def test_draws_are_differentiable_in_the_parameters() -> None:
    form = sa.derive(law(Z, EX_GAUSSIAN))
    eps = {"eps_z_1": 0.25, "eps_z_2": 1.5}
    slopes = jax.jit(jax.grad(lambda at: form.generate(eps, at)))({"m": 1.0, "s": 0.5, "l": 2.0})
    assert {name: float(slope) for name, slope in slopes.items()} == pytest.approx({"m": 1, "s": 0.25, "l": -0.375})


@pytest.mark.long
def test_a_model_with_a_composition_runs() -> None:
    z, y = sa.arrays("z y", real=True)
    j = sa.plate("j", 3)
    shifted = EX_GAUSSIAN.xreplace({Z: z[j], S: sp.S.Half, L: sp.S(2)})
    model = sa.Model.of(sa.normal(M, 0, 1), sa.law(z[j], shifted), sa.normal(y[j], z[j], 1), observed=[y])
    aux = sa.auxiliary(model)
    assert aux.verify().status is Status.PROVED
    logp = sa.log_density(aux.after, data={"y": jnp.array([0.5, 1.0, -1.0])})
    position = {"m": jnp.array(0.1), "eps_z_1": jnp.ones(3) / 4, "eps_z_2": jnp.zeros(3)}
    assert np.isfinite(float(jax.jit(logp)(position)))
    assert jax.grad(logp)(position)["eps_z_2"].shape == (3,)
    made = sa.generate(aux.after)(position)["z"]
    np.testing.assert_allclose(made, 0.1 + 0.125 + np.log(2) / 2, rtol=1e-12)  # an exponential of median log 2
    assert "def sample_prior" in sa.to_source(aux.after)
    assert sa.sample_prior(aux.after)(jax.random.key(0))["z"].shape == (3,)


z, a, b, lam, nu = sp.symbols("z a b lam nu", positive=True)
n, k = sp.Symbol("n", integer=True, positive=True), sp.Symbol("k", integer=True, nonnegative=True)
POISSON = sp.exp(-lam / 2) * (lam / 2) ** k / sp.factorial(k)
BETA = z ** (a + k - 1) * (1 - z) ** (b - 1) / sp.beta(a + k, b)
SPLINE = (-1) ** k * sp.binomial(n, k) * (z - k) ** (n - 1) / sp.factorial(n - 1)


def test_non_central_ratios_are_proved_and_their_mutants_are_not() -> None:
    law = sa.law(z, sp.Sum(POISSON * BETA, (k, 0, sp.oo)), support=(0, 1))
    (found,) = noncentral_ratio(law)
    assert verify(law, found, noise_is_normalised=True).status is Status.PROVED
    x, t = (noise.value for noise in found.noise)
    wrong = Rewrite(found.noise, x / (x + 2 * t * sp.Rational(1000001, 1000000)))
    assert not verify(law, wrong, noise_is_normalised=True)


@pytest.mark.xfail(raises=sa.NoRuleApplies, reason="a proof is found, and balls do not confirm it yet")
def test_irwin_hall_with_a_number_is_a_sum_of_uniforms() -> None:
    law = sa.law(z, sp.Sum(SPLINE.xreplace({n: sp.Integer(3)}), (k, 0, sp.floor(z))), support=(0, 3))
    form = sa.derive(law, noise="uniform")
    assert form.value == sp.Add(*(e.value for e in form.noise)) and len(form.noise) == 3
    assert form.verdict.status is Status.PROVED
    assert not verify(sa.law(z, 2 * z / 9, support=(0, 3)), Rewrite(form.noise, form.value))
