"""Quantile functions from nothing but a density: parts of the formula, special inverses, exact evidence."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.functions.registry import (
    betaincinv,
    gammainccinv,
    lambertw0_of_exp,
    lambertwm1_of_exp,
    student_t_ppf,
)

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c, k = sp.symbols("a b c k", positive=True)
g = sp.Symbol("g", real=True)
HALF, oo = sp.S.Half, sp.oo

LAWS = {  # a density, where it lives, and a function that the generating function must be made of
    "gamma": (x, b**a * x ** (a - 1) * sp.exp(-b * x) / sp.gamma(a), (0, oo), gammainccinv),
    "beta of the second kind": (x, x ** (a - 1) * (1 + x) ** (-a - b) / sp.beta(a, b), (0, oo), sp.Function),
    "Student": (z, (1 + z**2 / k) ** (-(k + 1) / 2) / (sp.sqrt(k) * sp.beta(k / 2, HALF)), (-oo, oo), student_t_ppf),
    "skewed t": (
        z,
        (1 + z / sp.sqrt(a + b + z**2)) ** (a + HALF)
        * (1 - z / sp.sqrt(a + b + z**2)) ** (b + HALF)
        / (sp.beta(a, b) * sp.sqrt(a + b) * 2 ** (a + b - 1)),
        (-oo, oo),
        betaincinv,
    ),
    "Lindley": (x, a**2 / (1 + a) * (1 + x) * sp.exp(-a * x), (0, oo), lambertwm1_of_exp),
    "Gompertz-Makeham": (
        x,
        (c + a * sp.exp(b * x)) * sp.exp(-c * x - a / b * (sp.exp(b * x) - 1)),
        (0, oo),
        lambertw0_of_exp,
    ),
    "Birnbaum-Saunders": (
        x,
        (x + 1) / (2 * c * sp.sqrt(2 * sp.pi * x**3)) * sp.exp(-((x - 1) ** 2) / (2 * x * c**2)),
        (0, oo),
        sp.asinh,
    ),
    "sinh-arcsinh by logarithms": (
        z,
        b
        * sp.cosh(g + b * sp.log(z + sp.sqrt(z**2 + 1)))
        / sp.sqrt(2 * sp.pi * (1 + z**2))
        * sp.exp(-(sp.sinh(g + b * sp.log(z + sp.sqrt(z**2 + 1))) ** 2) / 2),
        (-oo, oo),
        sp.sinh,
    ),
    "Marshall-Olkin of either sign": (x, c / (c + (1 - c) * x) ** 2, (0, 1), sp.Pow),
    "truncated normal": (
        x,
        sp.exp(-((x - g) ** 2) / 2) / (sp.sqrt(2 * sp.pi) * (1 - sp.erfc(g / sp.sqrt(2)) / 2)),
        (0, oo),
        sp.Function,
    ),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", LAWS)
def test_a_closed_form_is_found_and_proved(name: str) -> None:
    value, density, support, function = LAWS[name]
    form = sa.derive(sa.law(value, density, support=support))
    assert form.verdict.status is sa.Status.PROVED
    assert not form.value.has(ImplicitQuantile) and form.value.has(function)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ["skewed t", "Gompertz-Makeham", "truncated normal"])
def test_the_generated_quantile_solves_the_integral_of_the_density(name: str) -> None:
    value, density, support, _ = LAWS[name]
    law = sa.law(value, density, support=support)
    at = {"a": 1.5, "b": 0.7, "c": 0.4, "g": -0.6}
    form = sa.derive(law)
    known = {s: sp.Float(at[s.name], 30) for s in density.free_symbols - {value}}
    formula = sp.lambdify(value, density.subs(known), "mpmath")
    low = -mp.inf if support[0] == -oo else mp.mpf(0)
    for u in (1e-6, 0.3, 0.9):
        quantile = float(form.quantile(u, {s.name: at[s.name] for s in known}))
        ends = [low, -1.0, quantile] if low < -1 < quantile else [low, quantile]
        assert abs(mp.quad(formula, ends) - u) < 1e-9


def test_a_slightly_wrong_special_inverse_is_refuted() -> None:
    law, u = sa.gamma(x, a, 1), sp.Symbol("u", positive=True)
    right = sa.Rewrite((sa.uniform(u, 0, 1),), gammainccinv(a, u))
    wrong = sa.Rewrite((sa.uniform(u, 0, 1),), gammainccinv(a, u) * (1 + sp.Rational(1, 10**7)))
    assert sa.verify(law, right).status is sa.Status.PROVED
    assert sa.verify(law, wrong).status is sa.Status.REFUTED


@pytest.mark.long
def test_a_tail_may_be_joined_to_a_normal_density() -> None:
    """Gaisser's Crystal Ball: a power law below -b, a normal density above, with the factor that makes it one law."""
    m = sp.Symbol("m", positive=True)  # the tail's exponent is m + 1
    tail = ((m + 1) / b) ** (m + 1) * sp.exp(-(b**2) / 2) * ((m + 1) / b - b - z) ** (-m - 1)
    whole = (m + 1) / (b * m) * sp.exp(-(b**2) / 2) + sp.sqrt(2 * sp.pi) * (1 + sp.erf(b / sp.sqrt(2))) / 2
    density = sp.Piecewise((sp.exp(-(z**2) / 2), z > -b), (tail, True)) / whole
    form = sa.derive(sa.law(z, density=density))
    assert (
        form.verdict.status.name == "PROVED" and form.value.has(sp.Piecewise) and not form.value.has(ImplicitQuantile)
    )


def test_a_trapezoid_comes_out_as_written_by_hand() -> None:
    """With parameters under a condition, what was worked out in a chart comes back in lowest terms."""
    lower, upper = sp.symbols("c d", positive=True)
    height = 2 / (1 + upper - lower)
    density = sp.Piecewise((height * x / lower, x < lower), (height, x < upper), (height * (1 - x) / (1 - upper), True))
    law = sa.law(x, density=density, support=(0, 1), conditions=(lower < upper, upper < 1))
    form = sa.derive(law)
    assert form.verdict.status.name == "PROVED" and sp.count_ops(form.value) < 45, form.value


def test_a_sign_in_the_density_is_two_branches() -> None:
    """The skew Cauchy: location and scale are seen through the sign, and the quantile has two branches."""
    m, s, skew = sp.Symbol("m", real=True), sp.Symbol("s", positive=True), sp.Symbol("r", real=True)
    log_density = -sp.log(sp.pi * s) - sp.log(1 + (z - m) ** 2 / (s * (1 + skew * sp.sign(z - m))) ** 2)
    form = sa.derive(sa.law(z, log_density=log_density, conditions=(skew < 1, skew > -1)))
    assert form.verdict.status.name == "PROVED" and not form.value.has(ImplicitQuantile)
