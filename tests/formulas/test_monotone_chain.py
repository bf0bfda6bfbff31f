"""Formulas as chains of monotone layers: direction, image and inverse."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.symbols.support import Interval

HALF, oo = sp.S.Half, sp.oo


def test_lambert_layers_know_their_branch() -> None:
    t = sp.Symbol("t", positive=True)
    falling = MonotoneChain.of(t * sp.exp(-t), t, Interval(sp.S.One, oo))
    rising = MonotoneChain.of(t * sp.exp(-t), t, Interval(sp.S.Zero, sp.S.One))
    assert falling is not None and falling.direction == -1 and rising is not None and rising.direction == 1
    assert MonotoneChain.of(t * sp.exp(-t), t, Interval(sp.S.Zero, sp.S(2))) is None


P, Q, W = sp.symbols("p q w", positive=True)
Z, R = sp.symbols("z r", real=True)
U = sp.Symbol("u", positive=True)
UNIT = Interval(sp.S.Zero, sp.S.One)


def test_a_power_of_a_product_with_an_exponential_is_one_power() -> None:
    z = sp.Symbol("z", positive=True)
    chain = MonotoneChain.of((1 / (sp.exp(z) - 1)) ** (1 / P) * sp.exp(z / P), z, Interval(sp.S.Zero, sp.oo))
    assert chain is not None and (chain.image, chain.direction) == (Interval(sp.S.One, sp.oo), -1)


def test_the_end_of_a_scaled_interval_is_cancelled() -> None:
    angle = sp.atan(sp.exp(R))
    formula = sp.tan((U**P + 2 * angle / (sp.pi - 2 * angle)) * (sp.pi / 2 - angle))
    chain = MonotoneChain.of(formula, U, UNIT)
    assert chain is not None and chain.image == Interval(sp.exp(R), sp.oo)


z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
t = sp.Symbol("t", real=True)


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
    found = MonotoneChain.of(charted, x, domain)
    assert found is None if image is None else found is not None
    if found is not None:
        assert (sp.simplify(found.image.lower), sp.simplify(found.image.upper)) == image
        level = found.inverse(charted.subs({x: sp.Rational(1, 3), w: sp.Rational(5, 2)}))
        assert abs(sp.N(level.subs(w, sp.Rational(5, 2))) - 1 / 3) < 1e-12
