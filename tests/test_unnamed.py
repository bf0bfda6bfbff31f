"""Densities that nobody has named: the ways in which they are found, proved, and not refused by mistake."""

from __future__ import annotations

import mpmath as mp
import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.ball_evaluate import quick
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.layerwise import settled

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c = sp.symbols("a b c", positive=True)
t = sp.Symbol("t", real=True)
UNIT = Interval(sp.S.Zero, sp.S.One)


def rayleigh_below(s: sp.Expr) -> sp.Expr:
    return 1 - sp.exp(-(s**2) / 2)


LAWS = {
    "a power of F, expanded": (
        sp.expand(a * (1 + sp.erf(z)) ** (a - 1) * sp.exp(-(z**2)) * 2 ** (1 - a) / sp.sqrt(sp.pi)), None, ()),
    "Marshall-Olkin, of a sinh-arcsinh": (
        a * sp.cosh(b * sp.asinh(z)) * b / sp.sqrt(z**2 + 1) * sp.exp(-sp.sinh(b * sp.asinh(z)))
        / (1 + a * sp.exp(-sp.sinh(b * sp.asinh(z)))) ** 2, None, ()),
    "transmuted": (
        sp.expand((1 + t - 2 * t * rayleigh_below(sp.log(1 + x))) * sp.log(1 + x)) * sp.exp(-sp.log(1 + x) ** 2 / 2)
        / (1 + x), (0, sp.oo), (t < 1, t > -1)),
    "truncated": (
        sp.diff(sp.tanh(x / 2) ** a, x) / (sp.tanh((b + c) / 2) ** a - sp.tanh(b / 2) ** a), (b, b + c), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_operations_on_a_distribution_function_are_seen_through(name: str) -> None:
    density, support, conditions = LAWS[name]
    form = sa.derive(sa.law(z if support is None else x, density, support=support, conditions=conditions))
    assert form.verdict.status.name == "PROVED" and not form.value.has(ImplicitQuantile)


def test_a_density_that_is_no_such_law_is_not_proved() -> None:
    """The transmuted law with a wrong weight integrates to something else, and is refused."""
    wrong = (1 + t - 3 * t * rayleigh_below(x)) * x * sp.exp(-(x**2) / 2)
    with pytest.raises(sa.LawError):
        sa.derive(sa.law(x, wrong, support=(0, sp.oo), conditions=(t < sp.Rational(1, 2), t > 0)))


@pytest.mark.parametrize(
    ("formula", "domain", "image"),
    [
        ((1 + t) * x - t * x**2, UNIT, (0, 1)),
        (t * x**2 - (1 + t) * x, UNIT, (-1, 0)),
        (2 * x / (1 + t + sp.sqrt((1 + t) ** 2 - 4 * t * x)), UNIT, (0, 1)),
        (sp.cot(-sp.pi * x), UNIT, (-sp.oo, sp.oo)),
        (t * x**2 - x, UNIT, None),
    ],
)
def test_parabolas_and_what_undoes_them_are_layers(formula: sp.Expr, domain: Interval, image: object) -> None:
    """With the parameter in a chart: t = (1 - w)/(1 + w) lies between -1 and 1."""
    w = sp.Symbol("w", positive=True)
    charted = formula.xreplace({t: (1 - w) / (1 + w)}) if image is not None else formula
    found = Chain.of(charted, x, domain)
    assert found is None if image is None else found is not None
    if found is not None:
        assert (sp.simplify(found.image.lower), sp.simplify(found.image.upper)) == image
        level = found.inverse(charted.subs({x: sp.Rational(1, 3), w: sp.Rational(5, 2)}))
        assert abs(sp.N(level.subs(w, sp.Rational(5, 2))) - 1 / 3) < 1e-12


@pytest.mark.parametrize(
    ("formula", "sign"),
    [
        (sp.exp(a) - 1, 1),
        (1 - sp.exp(a), -1),
        (1 + b * sp.exp(a) - b, 1),
        (sp.log(1 + a) - sp.log(1 + a + b), -1),
        (1 / sp.log(1 + a) - 1 / sp.log(1 + a + b), 1),
        ((1 - sp.exp(a)) ** 2 - (1 - sp.exp(a + b)) ** 2, -1),
        (sp.log(z - 1), None),
        (sp.exp(a) - 2, None),
    ],
)
def test_signs(formula: sp.Expr, sign: int | None) -> None:
    assert sign_of(formula) == sign and is_nonnegative(formula) == (sign == 1)


def test_a_quick_number_keeps_its_sign_and_its_digits() -> None:
    with mp.workdps(30):
        point = {z: mp.mpf("-1e9")}
        exact = mp.asinh(mp.mpf("-1e9"))
        assert abs(quick(sp.log(z + sp.sqrt(z**2 + 1)), point) - exact) < mp.mpf(10) ** -27  # nearly everything cancels
        assert quick(sp.sqrt(z), point) is None and quick(sp.gamma(z), point) is None


def test_logarithms_in_arguments_stay_whole() -> None:
    inner = sp.log(x / (x + a)) ** 2
    assert settled(sp.log(b + sp.exp(inner))).has(sp.log(x / (x + a)))
