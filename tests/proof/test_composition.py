"""Forms with several noises: what is proved, and what must not be."""

from __future__ import annotations

import pytest
import sympy as sp
import sympy.stats
from sympy import Abs, Rational, besseli, besselk, erfc, exp, gamma, pi, sqrt

from symaux.formulas.symbols.support import Interval
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.proof.verify import verify
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


def test_a_shape_that_reads_the_noise_is_not_unwound() -> None:
    """Its quantile does not have the law of a fixed shape."""
    from symaux.formulas.functions.registry import gammaincinv
    from symaux.laws.standard_noise import standard_uniform
    from symaux.proof.composition.unwind_quantile import unwind_quantile

    u, a = sp.symbols("u a", positive=True)
    assert unwind_quantile(standard_uniform(u), gammaincinv(a, u)) is not None
    assert unwind_quantile(standard_uniform(u), gammaincinv(a + u, u)) is None


def test_a_noise_whose_mass_is_not_proved_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict that is not PROVED is false in a condition: ``masses or proved`` had forgotten it."""
    from symaux.proof.composition import verify as composition
    from symaux.proof.mass.mass import Mass

    z, m = sp.Symbol("z", real=True), sp.Symbol("m", real=True)
    one, two = (f.normal(sp.Symbol(f"e{k}", real=True), 0, 1) for k in (1, 2))
    claim = (f.normal(z, m, sp.sqrt(2)), (one, two), m + one.value + two.value, False)
    assert composition.verify_composition(*claim).status is Status.PROVED
    monkeypatch.setattr(composition, "mass", lambda noise: Mass(False))
    assert composition.verify_composition(*claim).status is not Status.PROVED
