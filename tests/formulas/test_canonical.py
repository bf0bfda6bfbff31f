"""The canonical form of a formula is equal to it."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.formulas.algebra.canonical import to_canonical_form

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)


def test_one_writing_is_an_identity() -> None:
    w = sp.Symbol("w", real=True)
    formulas = [
        w * sp.exp(z) + sp.Abs(w) * sp.exp(-z),
        w * sp.exp(z) - w * sp.exp(-z),
        w * sp.exp(-z) + w * sp.exp(z) + z,
        sp.log(sp.sqrt(1 + (z - w) ** 2 / 4) + (z - w) / 2) + sp.asinh(sp.sinh(w)),
        sp.exp(w * sp.log(x) + z) + sp.sqrt(sp.sinh(z) ** 2 + 1) + sp.log(1 - sp.tanh(w) ** 2),
        sp.sqrt(sp.tan(z) ** 2 + 1),
    ]
    for point in ({z: 0.7, w: 1.3, x: 2.2}, {z: -2.1, w: -0.4, x: 0.3}, {z: 2.0, w: 0.9, x: 1.5}):
        for formula in formulas:
            assert abs(sp.N((to_canonical_form(formula) - formula).subs(point), 20)) < 1e-12, formula
    assert to_canonical_form(formulas[0]) == formulas[0] and to_canonical_form(formulas[1]) == 2 * w * sp.sinh(z)


Z, R = sp.symbols("z r", real=True)


@pytest.mark.parametrize("x", [sp.asinh(R), -sp.sinh(R), -R, sp.sinh(R)])
def test_angles_of_exponentials_have_one_way_to_be_written(x: sp.Expr) -> None:
    plain, turned = to_canonical_form(sp.atan(sp.exp(x))), to_canonical_form(sp.atan(sp.exp(-x)))
    assert sp.expand(plain + turned) == sp.pi / 2
    at = {R: sp.Rational(7, 10)}
    assert abs((plain - sp.atan(sp.exp(x))).subs(at).evalf(30)) < 1e-25
