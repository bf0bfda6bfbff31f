"""Forms with several noises: what is proved, what must not be, and the rules that find them."""

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
from rewrites.location_scale import location_scale
from symaux.api import forms
from symaux.formulas.numeric.evaluate import number
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.proof.mass.definite_integrals import log_integral
from symaux.proof.verify import verify
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status

Z, E1, E2 = sp.symbols("z e1 e2", real=True)
X, T1, T2, T3 = sp.symbols("x t1 t2 t3", positive=True)
A, B, C, L, S, V = sp.symbols("a b c l s v", positive=True)
M, K = sp.symbols("m k", real=True)


def normal(e: sp.Symbol) -> Law:
    return f.normal(e, 0, 1)


def half(t: sp.Symbol) -> Law:
    return f.half_normal(t, 1)


def rate_one(t: sp.Symbol, shape: sp.Expr = sp.S.One) -> Law:
    return f.exponential(t, 1) if shape == 1 else f.gamma(t, shape, 1)


EX_GAUSSIAN = L / 2 * exp(L * (2 * M + L * S**2 - 2 * Z) / 2) * erfc((M + L * S**2 - Z) / (sqrt(2) * S))
RICE = X * exp(-(X**2 + V**2) / 2) * besseli(0, V * X)

TRUE = {
    "N/|N|": (f.cauchy(Z, 0, 1), (normal(E1), half(T1)), E1 / T1),
    "N/sqrt(gamma)": (f.student_t(Z, V, 0, 1), (normal(E1), rate_one(T1, V / 2)), sqrt(V / 2) * E1 / sqrt(T1)),
    "difference of exponentials": (f.laplace(Z, 0, 1), (rate_one(T1), rate_one(T2)), T1 - T2),
    "|N| and N": (f.skew_normal(Z, 0, 1, K), (half(T1), normal(E2)), (K * T1 + E2) / sqrt(1 + K**2)),
    "N and exponential": (law(Z, EX_GAUSSIAN), (normal(E1), rate_one(T1)), M + S * E1 + T1 / L),
    "share of gammas": (f.beta(X, A, B), (rate_one(T1, A), rate_one(T2, B)), 1 / (1 + T2 / T1)),
    "sum of gammas": (f.gamma(X, A + B, 1), (rate_one(T1, A), rate_one(T2, B)), T1 + T2),
    "N|N|": (law(Z, besselk(0, Abs(Z)) / pi), (normal(E1), half(T2)), E1 * T2),
    "product of gammas": (
        law(X, 2 * X ** ((A + B) / 2 - 1) * besselk(A - B, 2 * sqrt(X)) / (gamma(A) * gamma(B))),
        (rate_one(T1, A), rate_one(T2, B)),
        T1 * T2,
    ),
    "length of a vector": (law(X, RICE), (normal(E1), half(T2)), sqrt((V + E1) ** 2 + T2**2)),
    "uniform times a power": (
        law(Z, B * exp(-(Abs(Z) ** B)) / (2 * gamma(1 / B))),
        (f.uniform(E1, -1, 1), rate_one(T1, 1 + 1 / B)),
        E1 * T1 ** (1 / B),
    ),
    "three exponentials": (f.gamma(X, 3, 1), (rate_one(T1), rate_one(T2, sp.S(2))), T1 + T2),
}


@pytest.mark.parametrize("case", TRUE)
def test_classical_compositions_are_proved(case: str) -> None:
    given, noise, value = TRUE[case]
    found = verify(given, Rewrite(noise, value))
    assert found.status is Status.PROVED, found


ALMOST = 1 + Rational(1, 10**6)
TWO_SIDED = law(Z, exp(-Abs(Z) / 2) / (2 * sqrt(2 * pi * Abs(Z))))  # the sign is lost in a square
FALSE = {
    "a wrong weight": (f.skew_normal(Z, 0, 1, K), (half(T1), normal(E2)), (K * T1 + E2) / sqrt(2 + K**2)),
    "a density off by a millionth": (law(Z, EX_GAUSSIAN * ALMOST), (normal(E1), rate_one(T1)), M + S * E1 + T1 / L),
    "a scale off by a millionth": (f.laplace(Z, 0, 1), (rate_one(T1), rate_one(T2)), T1 - ALMOST * T2),
    "half of the support": (
        Law(X, -X - sp.log(2), Interval(sp.S.Zero, sp.oo)),
        (rate_one(T1), rate_one(T2)),
        T1 - T2,
    ),
    "a sum for a difference": (f.laplace(Z, 0, 1), (rate_one(T1), rate_one(T2)), T1 + T2),
    "a fold": (f.normal(Z, 0, 1), (normal(E1), normal(E2)), Abs(E1) * E2 / Abs(E2)),
    "a folded square": (TWO_SIDED, (normal(E1), half(T1)), E1**2 * T1 / T1**2),
    "a sign that jumps": (f.laplace(Z, 0, 1), (rate_one(T1), normal(E2)), T1 * sp.sign(E2)),
    "one noise twice": (f.normal(Z, 0, sqrt(2)), (normal(E1), normal(E1)), 2 * E1),
    "one symbol for two noises": (f.normal(Z, 0, sqrt(2)), (normal(E1), normal(E1)), E1 + E2),
    "a noise that is not read": (f.normal(Z, 0, 1), (normal(E1), normal(E2)), E1),
    "a noise that reads another": (f.normal(Z, 0, sqrt(2)), (normal(E1), f.normal(E2, E1, 1)), E1 + E2),
    "a function that reads its own value": (f.normal(Z, 0, 1), (normal(E1), normal(E2)), Z + 0 * E1 + E1 - E2),
    "weights that cancel": (
        f.laplace(Z, 0, 1),
        (Law(T1, -T1 + sp.log(2), Interval(sp.S.Zero, sp.oo)), Law(T2, -T2 - sp.log(2), Interval(sp.S.Zero, sp.oo))),
        T1 - T2,
    ),
    "a shape of its own": (f.student_t(Z, V, 0, 1), (normal(E1), rate_one(T1, A / 2)), sqrt(V / 2) * E1 / sqrt(T1)),
    "a uniform too short": (
        law(Z, B * exp(-(Abs(Z) ** B)) / (2 * gamma(1 / B))),
        (f.uniform(E1, 0, 1), rate_one(T1, 1 + 1 / B)),
        E1 * T1 ** (1 / B),
    ),
}


@pytest.mark.parametrize("case", FALSE)
def test_what_is_not_so_is_not_proved(case: str) -> None:
    given, noise, value = FALSE[case]
    found = verify(given, Rewrite(noise, value))
    assert found.status in (Status.REFUTED, Status.UNDECIDED), found


@pytest.mark.parametrize("case", ["a wrong weight", "a density off by a millionth", "a scale off by a millionth"])
def test_a_difference_has_a_witness(case: str) -> None:
    given, noise, value = FALSE[case]
    found = verify(given, Rewrite(noise, value))
    assert found.status is Status.REFUTED
    assert found.witness, found


def test_agreement_without_a_known_integral_is_only_sampled() -> None:
    """Slash: a normal over a uniform. Its integral over a bounded interval is not in the handbook."""
    slash = law(Z, (1 - exp(-(Z**2) / 2)) / (Z**2 * sqrt(2 * pi)))
    found = verify(slash, Rewrite((normal(E1), f.uniform(T1, 0, 1)), E1 / T1))
    assert found.status is Status.SAMPLED, found


@pytest.mark.parametrize(
    ("formula", "where"),
    [
        ((A - 1) * sp.log(T1) - B * T1, Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) - B * T1 - C / T1, Interval(sp.S.Zero, sp.oo)),
        (-(A + 1) * sp.log(T1) - C / T1**2, Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) - (A + B) * sp.log(T1 + C), Interval(sp.S.Zero, sp.oo)),
        ((A - 1) * sp.log(T1) + B * sp.log(C - T1), Interval(sp.S.Zero, C)),
        (M * E1 - A * E1**2, REALS),
        (M * E1 - A * E1**2, Interval(K, sp.oo)),
        (M * E1 - A * E1**2, Interval(-sp.oo, K)),
        (M * E1 - A * E1**2, Interval(K, K + C)),
        (-A * T1, Interval(B, B + C)),
        (-(A + 1) * sp.log(B + (E1 - M) ** 2), REALS),
        (A * E1 - B * exp(2 * E1), REALS),
        (V * E1 + A * sp.log(C**2 - E1**2), Interval(-C, C)),
    ],
)
def test_classical_integrals_agree_with_quadrature(formula: sp.Expr, where: Interval) -> None:
    at = {A: 1.25, B: 2.5, C: 0.75, V: 1.5, M: -0.5, K: 0.25}
    (t,) = formula.free_symbols - set(at)
    found = log_integral(formula, t, where)
    assert found is not None
    ends = [_number(end, at) for end in (where.lower, where.upper)]
    middle = [0] if where == REALS else []

    def height(x: mp.mpf) -> mp.mpf:
        try:
            return number(exp(formula), {**at, t: x})
        except OverflowError:  # exp(-exp(x)) far out
            return mp.mpf(0)

    total = mp.quad(height, [ends[0], *middle, ends[1]])
    assert abs(total - number(exp(found), at)) < 1e-12


def _number(end: sp.Expr, at: dict[sp.Symbol, float]) -> mp.mpf:
    if end in (sp.oo, -sp.oo):
        return mp.inf if end == sp.oo else -mp.inf
    return number(end, at)


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
