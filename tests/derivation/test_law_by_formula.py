"""Densities as a stranger writes them, one for each way of writing or proving that was missing once."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

import symaux as sa
from symaux.rules.verdict import Status

z, a, c, s = sp.symbols("z a c s", positive=True)
x, mu = sp.symbols("x mu", real=True)
w = sp.Symbol("w", positive=True)
TURN = (mu > -sp.pi / 2, mu < sp.pi / 2)
LAWS: dict[str, tuple[Any, Any, Any, tuple[Any, ...]]] = {
    "cut off, with sympy's own incomplete gamma": (z, z ** (a - 1) * sp.exp(-z) / sp.lowergamma(a, c), (0, c), ()),
    "cut off, with a root in its normaliser": (
        x,
        (1 + x**2) ** sp.Rational(-3, 2) / (1 - c / sp.sqrt(1 + c**2)),
        (c, sp.oo),
        (),
    ),
    "folded, with corners": (z, sp.exp(-abs(z - mu)) / 2 + sp.exp(-abs(z + mu)) / 2, (0, sp.oo), ()),
    "mixed, one with a corner": (
        x,
        w * sp.exp(-((x - mu) ** 2) / 2) / sp.sqrt(2 * sp.pi) + (1 - w) * sp.exp(-abs(x)) / 2,
        (-sp.oo, sp.oo),
        (w < 1,),
    ),
    "the excess of a gamma law": (z, sp.uppergamma(a, z) / sp.gamma(a + 1), (0, sp.oo), ()),
    "an arcsine law with a shape": (z, sp.sin(sp.pi * a) / sp.pi * z ** (a - 1) * (1 - z) ** (-a), (0, 1), (a < 1,)),
    "two factors raised to one power": (z, 2 * a * (1 - z) * z ** (a - 1) * (2 - z) ** (a - 1), (0, 1), ()),
    "the excess of a normal law": (z, sp.sqrt(sp.pi) * sp.erfc(z / s) / s, (0, sp.oo), ()),
    "a parameter that is an angle": (
        x,
        s * sp.sin(a) / (2 * a * (sp.cosh(s * (x - mu)) + sp.cos(a))),
        (-sp.oo, sp.oo),
        (a < sp.pi,),
    ),
    "a skewed hyperbolic secant": (
        x,
        sp.exp(mu * x) * sp.cos(mu) / (2 * sp.cosh(sp.pi * x / 2)),
        (-sp.oo, sp.oo),
        TURN,
    ),
    "a Cauchy law cut off on both sides": (
        x,
        1 / (s * (1 + ((x - mu) / s) ** 2) * (sp.atan((a + c - mu) / s) - sp.atan((a - mu) / s))),
        (a, a + c),
        (),
    ),
    "a Cauchy law wrapped around a circle": (
        x,
        sp.sinh(s) / (2 * sp.pi * (sp.cosh(s) - sp.cos(x - mu))),
        (mu - sp.pi, mu + sp.pi),
        (),
    ),
    "numbers with factors": (x, 12 / (4 + x**2) ** sp.Rational(5, 2), (-sp.oo, sp.oo), ()),
    "a power with a cutoff": (
        z,
        z ** (-a) * sp.exp(-s * z) * s ** (1 - a) / sp.uppergamma(1 - a, s * c),
        (c, sp.oo),
        (),
    ),
    "a tail through Lambert's function": (
        x,
        sp.sqrt(sp.LambertW(a * x**2) / (2 * sp.pi * a))
        * sp.exp(-sp.LambertW(a * x**2) / (2 * a))
        / (abs(x) * (1 + sp.LambertW(a * x**2))),
        (-sp.oo, sp.oo),
        (),
    ),
    "three waiting times": (
        z,
        a * c * s * sp.exp(-a * z) / ((c - a) * (s - a))
        + a * c * s * sp.exp(-c * z) / ((a - c) * (s - c))
        + a * c * s * sp.exp(-s * z) / ((a - s) * (c - s)),
        (0, sp.oo),
        (a < c, c < s),
    ),
    "Muth's law": (z, (sp.exp(a * z) - a) * sp.exp(a * z - (sp.exp(a * z) - 1) / a), (0, sp.oo), (a <= 1,)),
    "a beta law by mode and concentration": (
        z,
        z ** (w * (c - 2)) * (1 - z) ** ((1 - w) * (c - 2)) / sp.beta(w * (c - 2) + 1, (1 - w) * (c - 2) + 1),
        (0, 1),
        (w < 1, c > 2),
    ),
    "a log-normal law by a mean of which a condition tells the sign": (
        z,
        sp.exp(-((sp.log(z / mu) + sp.log(1 + c**2) / 2) ** 2) / (2 * sp.log(1 + c**2)))
        / (z * sp.sqrt(2 * sp.pi * sp.log(1 + c**2))),
        (0, sp.oo),
        (mu > 0,),
    ),
}

LONG = {"a Cauchy law wrapped around a circle", "a tail through Lambert's function"}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long if n in LONG else ()) for n in LAWS])
def test_a_form_is_found_and_proved(name: str) -> None:
    value, density, support, conditions = LAWS[name]
    form = sa.derive(sa.law(value, density, support=support, conditions=conditions))
    assert form.verdict.status is Status.PROVED


SLOW = LONG | {"folded, with corners", "an arcsine law with a shape", "Muth's law"}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long if n in SLOW else ()) for n in LAWS])
def test_a_density_that_is_off_by_a_little_is_refused(name: str) -> None:
    value, density, support, conditions = LAWS[name]
    with pytest.raises(sa.SymauxError):
        sa.derive(sa.law(value, density * sp.Rational(10001, 10000), support=support, conditions=conditions))


@pytest.mark.parametrize(
    ("density", "conditions"),
    [
        (w * a * sp.exp(-a * z) + (1 - w) * c * sp.exp(-c * z), ()),
        (sp.exp(-z) * (1 + mu - 2 * mu * (1 - sp.exp(-z))), (mu < 2, mu > -2)),
        ((sp.exp(a * z) - a) * sp.exp(a * z - (sp.exp(a * z) - 1) / a), (a < 2,)),
    ],
)
def test_parameters_at_which_a_density_is_negative_are_told(density: Any, conditions: tuple[Any, ...]) -> None:
    """A mixture with a weight above one was certified once, at parameters where both parts are the same."""
    with pytest.raises(sa.NoRuleApplies, match=r"it is negative at .*\n  try:   conditions="):
        sa.derive(sa.law(z, density, conditions=conditions))


def test_the_integral_is_told_where_exponentials_overflow() -> None:
    logistic = sp.Float("0.9999") * sp.exp(-x) / (1 + sp.exp(-x)) ** 2
    with pytest.raises(sa.LawError, match=r"its integral is 0\.9999"):
        sa.derive(sa.law(x, logistic))
