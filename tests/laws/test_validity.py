"""What is no density is refused with a witness, and an unusual one is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from support.timing import within

import symaux as sa
from symaux.errors import LawError
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.validity import refuse_bad_mass

Z, R = sp.symbols("z r", real=True)


def _power_from_log_two(a: sp.Rational) -> Law:
    """F(z) = (exp(z) - 2)**a from log 2 to log 3."""
    return Law(Z, sp.log(sp.exp(Z) - 2) * (a - 1) + Z + sp.log(a), Interval(sp.log(2), sp.log(3)))


def test_digits_that_are_lost_at_an_end_are_no_reason_to_refuse_a_density() -> None:
    refuse_bad_mass(_power_from_log_two(sp.Rational(1, 8)))
    thrice = replace(
        _power_from_log_two(sp.Rational(1, 2)), log_density=_power_from_log_two(sp.Rational(1, 2)).log_density + 1
    )
    with pytest.raises(LawError, match="does not integrate to one"):
        refuse_bad_mass(thrice)


z = sp.Symbol("z", real=True)
m, s = sp.Symbol("m", real=True), sp.Symbol("s", positive=True)
NORMAL = sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


@pytest.mark.parametrize(
    ("density", "words"),
    [(-NORMAL, "negative"), (z * NORMAL, "negative"), (sp.I * NORMAL, "complex"), (sp.sqrt(z) * NORMAL, "complex")],
)
def test_a_formula_that_is_negative_or_complex_is_refused_with_a_witness(density: sp.Expr, words: str) -> None:
    with pytest.raises(sa.LawError, match=rf"because it is {words}[\s\S]*at z = "):
        sa.law(z, density)


@pytest.mark.parametrize(
    ("density", "support", "integral"),
    [
        (NORMAL * sp.Rational(10001, 10000), None, "1.0001"),
        ((NORMAL * sp.Rational(9999, 10000)).subs(z, (z - m) / s) / s, None, "0.9999"),
        (1 / (1 + z**2), None, "3.14159"),
        (1 / z, (1, sp.oo), "infinity"),
        (1 / (1 + sp.Abs(z)), None, "infinity"),
    ],
)
def test_a_density_that_does_not_integrate_to_one_is_never_derived(
    density: sp.Expr, support: object, integral: str
) -> None:
    with pytest.raises(sa.LawError, match=f"its integral is {integral}"):
        sa.derive(sa.law(z, density, support=support))


def test_a_law_without_parameters_is_its_own_noise_only_if_it_is_normalised() -> None:
    assert sa.derive(sa.law(z, NORMAL)).verdict.status is sa.Status.PROVED
    rules = ()  # no rule is needed, so none can have checked it
    with pytest.raises(sa.LawError):
        sa.derive(sa.law(z, 2 * NORMAL), rules)


@pytest.mark.parametrize("power", [1, 2])
def test_a_density_that_explodes_is_refused_and_one_whose_inner_exponential_does_is_not(power: int) -> None:
    z = sp.Symbol("z", real=True)
    with pytest.raises(sa.LawError, match="its integral is infinity"):
        sa.derive(sa.law(z, sp.exp(z**power)))
    assert sa.derive(sa.law(z, sp.exp(z - sp.exp(z)))).verdict


@pytest.mark.speed
def test_sums_over_plates_are_not_extrapolated_to_look_at_a_sign() -> None:
    n, t, v, w = sa.plate("n"), sa.plate("t", 4), *sa.arrays("v w")
    scale = sp.exp(sp.tanh(sa.softplus(sp.Sum(sp.tanh(w[n]), n)) + sp.sin(w[t])) / 2)
    with within(5):
        law = sa.law(v[t], log_density=-(v[t] ** 2) * scale / 2 + sp.log(scale) / 2 - sp.log(2 * sp.pi) / 2)
    assert sa.derive(law).verdict


def test_rational_shapes_written_out() -> None:
    z, k, s = sp.Symbol("z", positive=True), sp.Rational(13, 12), sp.Rational(25, 12)
    law = sa.law(z, k / s * (z / s) ** (k - 1) * sp.exp(-((z / s) ** k)))
    assert sa.derive(law, noise="uniform").value == s * (-sp.log(sp.Symbol("eps_z", positive=True))) ** (1 / k)


def test_heavy_tails_are_fine() -> None:
    assert sa.derive(sa.law(z, 1 / (sp.pi * (1 + (z - m) ** 2)))).verdict


def test_parameters_at_which_a_density_is_negative_are_no_part_of_a_claim() -> None:
    """(1 - r**2)/... is negative for |r| > 1, and so is no density there: the law is that with |r| < 1."""
    x, r, n, m = sp.symbols("x r n m", real=True)
    poisson = sa.law(x, (1 - r**2) / (2 * sp.pi * (1 + r**2 - 2 * r * sp.cos(x))), support=(-sp.pi, sp.pi))
    assert poisson.conditions == (1 - r**2 > 0,)
    assert not poisson.log_density.has(sp.Abs)
    natural = sa.law(x, sp.exp(m * x + n * x**2 + m**2 / (4 * n)) * sp.sqrt(-n / sp.pi))
    assert natural.conditions == (-n > 0,)
    form = sa.derive(natural)
    assert form.verdict.status is sa.Status.PROVED and "n" in "".join(map(str, form.verdict.region))


def test_a_support_that_is_empty_where_signs_change_needs_no_condition() -> None:
    x, a, b = sp.symbols("x a b", real=True)
    assert sa.law(x, 1 / (b - a), support=(a, b)).conditions == ()


def test_a_scale_that_needs_a_correlation_within_bounds_is_proved_for_those() -> None:
    """The first state of a stationary series: its scale is σ/sqrt(1 - φ²), so that -1 < φ < 1."""
    h, mu, phi = sp.symbols("h mu phi", real=True)
    sigma = sp.Symbol("sigma", positive=True)
    first = sa.normal(h, mu, sigma / sp.sqrt(1 - phi**2))
    form = sa.derive(first)
    verdict = sa.verify(first, form)
    assert verdict.status is sa.Status.PROVED and {"1 > phi", "phi + 1 > 0"} <= set(verdict.region)


def test_a_density_of_hyperbolic_functions_is_integrated_although_they_overflow() -> None:
    """cosh(1e9) cannot be worked out, log(cosh(1e9)) can: sech(x)**(2a)/B(a, a) is off by the factor 2**(2a - 1)."""
    x, a = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)
    kernel = sp.cosh(x) ** (-2 * a) * sp.gamma(2 * a) / sp.gamma(a) ** 2
    with pytest.raises(sa.LawError, match="does not integrate to one"):
        sa.derive(sa.law(x, kernel), accept="sampled")
    assert sa.derive(sa.law(x, kernel * 2 ** (1 - 2 * a))).verdict


def test_what_nobody_could_integrate_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that is only called one: its form is right if it is a law, and nobody knows whether it is."""
    from symaux.proof.mass import mass as normalised

    x, a = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)
    monkeypatch.setattr(normalised, "_quadrature", lambda *_: None)
    monkeypatch.setattr("symaux.proof.verify.certify_mass", lambda *_: None)
    odd = sa.law(x, a * sp.exp(-(x**4) * a**4 - sp.cos(a * x)) / sp.pi)
    eps = sp.Symbol("eps", real=True)
    claimed = sa.Rewrite((sa.law(eps, sp.exp(-(eps**4) - sp.cos(eps)) / sp.pi),), eps / a)
    normalised.mass.cache_clear()
    verdict = sa.verify(odd, claimed)
    normalised.mass.cache_clear()
    assert verdict.status is sa.Status.UNDECIDED and "no number" in str(verdict)
