"""Signs of formulas from monotone functions and their ranges; where none is known, none is given."""

from __future__ import annotations

import pytest
import sympy as sp

from symaux.formulas.algebra.signs import is_nonnegative, sign_of
from symaux.formulas.functions.registry import (
    gammainc,
    gammaincc,
)

z, x = sp.Symbol("z", real=True), sp.Symbol("x", positive=True)
a, b, c, k = sp.symbols("a b c k", positive=True)
g = sp.Symbol("g", real=True)


def test_signs_come_from_monotone_functions() -> None:
    w = sp.Symbol("w", positive=True)
    assert sign_of(sp.erf(g + w) - sp.erf(g)) == 1 and sign_of(sp.erf(g) - sp.erf(g + w)) == -1
    assert sign_of((1 + w) ** -a - 1) == -1 and sign_of(1 - sp.erf(g)) == 1
    assert is_nonnegative(w - sp.log(1 + w)) and not is_nonnegative(sp.log(1 + w) - w)
    assert sign_of(sp.erf(g) - sp.erf(z)) is None and not is_nonnegative(w - sp.log(2 + w))


def test_signs_are_not_taken_from_where_a_function_turns() -> None:
    w, n = sp.Symbol("w", positive=True), sp.Symbol("n", nonnegative=True)
    for formula in (
        sp.cosh(g + w) - sp.cosh(g),
        sp.sin(g + w) - sp.sin(g),
        sp.tan(g + w) - sp.tan(g),
        1 - sp.sin(g),
        sp.cosh(g) - 1,
        1 - gammaincc(a, n),
        gammainc(a, g) - 1,
    ):
        assert sign_of(formula) is None
    assert sign_of(sp.cosh(n + w) - sp.cosh(n)) == 1 and sign_of(1 - gammainc(a, n)) == 1


@pytest.mark.parametrize(
    "formula, sign",
    [
        (3 - sp.erfc(z), 1),
        (1 - a / (a + b * (2 - sp.erfc(z))), 1),
        (sp.exp(-(a**2)) * c - c, -1),
        (1 - sp.erfc(z), None),
        (sp.erfc(z) - sp.erfc(g), None),
        (sp.sin(z) + 1, None),
    ],
)
def test_signs_by_the_ranges_of_bounded_functions(formula: sp.Expr, sign: int | None) -> None:
    assert sign_of(formula) == sign


a, b, c = sp.symbols("a b c", positive=True)


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
