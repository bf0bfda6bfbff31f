"""Corners of formulas: in order, or not split at all."""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.symbols.support import Interval

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c, k = sp.symbols("a b c k", positive=True)
HALF, oo = sp.S.Half, sp.oo


def test_corners_are_not_put_in_order_by_guesswork() -> None:
    p, q = sp.symbols("p q", real=True)
    assert split_at_corners((sp.Abs(z - p) + sp.Abs(z - q),), z, Interval(-oo, oo)) is None
    total = a + b + 2 * c
    bent = sp.Piecewise((1, z < a / total), (2, z < (a + 2 * c) / total), (3, True))
    found = split_at_corners((bent,), z, Interval(sp.S.Zero, sp.S.One))
    assert found is not None and [formula for _, (formula,) in found] == [1, 2, 3]


def test_a_branch_that_does_not_hold_has_no_corners() -> None:
    """The modulus changes sign at 1, but only the other branch holds there."""
    formula = sp.Piecewise((z**2, z > 0), (sp.Abs(z - 1), True))
    assert split_at_corners((formula,), z, Interval(-oo, oo)) == [
        (Interval(-oo, sp.S.Zero), (1 - z,)),
        (Interval(sp.S.Zero, oo), (z**2,)),
    ]


def test_conditions_may_be_joined() -> None:
    formula = sp.Piecewise((1, (z > 0) & (z < 1)), (2, True))
    found = split_at_corners((formula,), z, Interval(-oo, oo))
    assert found is not None and [f for _, (f,) in found] == [2, 1, 2]
