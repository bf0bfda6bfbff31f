"""The normal form: equal formulas have the difference zero, and formulas that differ somewhere never do."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from symaux.formulas.functions.elementary import ndtr, softplus
from symaux.formulas.functions.registry import betainc, betaincc, gammainc, gammaincc, lambertw0_of_exp
from symaux.trusted.checker.facts import Region
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs

X, M, Y = sp.symbols("x m y", real=True)
A, B, C = sp.symbols("a b c", positive=True)
log, exp, sqrt, pi = sp.log, sp.exp, sp.sqrt, sp.pi
HALF = sp.Rational(1, 2)


def is_zero(formula: Any, lower: Any = 0, upper: Any = 1, conditions: Any = ()) -> bool:
    region = Region(X, sp.sympify(lower), sp.sympify(upper), tuple(conditions))
    return NormalForm(Signs(region)).is_zero(formula)


EQUAL = [
    exp(A) * exp(M) - exp(A + M),
    X**A * X ** (1 - A) - X,
    log(X * A) - log(X) - log(A),
    log((1 - X) * X) - log(X) - log(1 - X),
    log(X**A) - A * log(X),
    exp(A * log(X)) - X**A,
    sqrt(X) * sqrt(X) - X,
    sqrt(1 - X**2) ** 2 - 1 + X**2,
    sqrt(X) / X - 1 / sqrt(X),
    (X / A) ** B - X**B / A**B,
    1 / (1 + exp(-M)) - exp(M) / (1 + exp(M)),
    softplus(M) - log(1 + exp(M)),
    sp.gamma(A + 3) - (A + 2) * (A + 1) * A * sp.gamma(A),
    sp.gamma(A) * sp.gamma(A + HALF) - 2 ** (1 - 2 * A) * sqrt(pi) * sp.gamma(2 * A),
    sp.loggamma(A + 1) - sp.loggamma(A) - log(A),
    sp.beta(A, B) - sp.gamma(A) * sp.gamma(B) / sp.gamma(A + B),
    sp.sin(M) ** 2 + sp.cos(M) ** 2 - 1,
    sp.cos(2 * M) - 1 + 2 * sp.sin(M) ** 2,
    sp.sin(3 * M) - 3 * sp.sin(M) + 4 * sp.sin(M) ** 3,
    sp.tanh(M) - (exp(2 * M) - 1) / (exp(2 * M) + 1),
    sp.cosh(M) ** 2 - sp.sinh(M) ** 2 - 1,
    gammainc(A, X) + gammaincc(A, X) - 1,
    betainc(A, B, X) + betaincc(A, B, X) - 1,
    ndtr(M) + ndtr(-M) - 1,
    lambertw0_of_exp(M) + log(lambertw0_of_exp(M)) - M,
    sp.Abs(A * M) - A * sp.Abs(M),
    sp.Abs(M) ** 2 - M**2,
    sqrt((X - 1) ** 2) - 1 + X,
    2**A * 3**A - 6**A,
    sqrt(8) - 2 * sqrt(2),
    sp.E * exp(M) - exp(M + 1),
    sp.Piecewise((X, X < 2), (0, True)) - X,
]


@pytest.mark.parametrize("formula", EQUAL)
def test_equal_formulas_have_the_difference_zero(formula: Any) -> None:
    assert is_zero(formula)


DIFFERENT = [
    exp(A) * exp(M) - exp(A - M),
    X**A - X ** (A + sp.Rational(1, 10**9)),
    log(X + A) - log(X) - log(A),
    sqrt(M**2) - M,
    sp.Abs(M) - M,
    sp.Abs(X - HALF) - X + HALF,
    sp.sign(M) - 1,
    sp.gamma(A + 1) - sp.gamma(A),
    sp.cos(M) - sqrt(1 - sp.sin(M) ** 2),
    sp.atan(M) + sp.atan(1 / M) - pi / 2,
    sp.atan(sp.tan(M)) - M,
    sp.asin(sp.sin(M)) - M,
    log(exp(M) + 1) - M,
    gammainc(A, X) - gammainc(B, X),
    ndtr(M) - ndtr(-M),
    sp.Piecewise((X, X < HALF), (X**2, True)) - X,
    sp.floor(M) - M,
    M - Y,
    (M**2) ** HALF - M,
    X - X * (1 + sp.Rational(1, 10**12)),
    sp.Symbol("m", positive=True) - M,
    sp.besseli(0, A) - sp.besseli(1, A),
    sp.zeta(A + 1) - sp.zeta(A + 2),
]


@pytest.mark.parametrize("formula", DIFFERENT)
def test_different_formulas_never_have_the_difference_zero(formula: Any) -> None:
    assert not is_zero(formula)


def test_signs_come_from_the_region() -> None:
    assert is_zero(sp.Abs(M - Y) - M + Y, conditions=(M > Y,))
    assert not is_zero(sp.Abs(M - Y) - M + Y)
    assert is_zero(sqrt(M - Y) * sqrt((M - Y) ** 3) - (M - Y) ** 2, conditions=(M > Y,))


def test_large_powers_are_not_multiplied_out() -> None:
    assert is_zero((1 + X) ** 100 * (1 + X) - (1 + X) ** 101)
    assert not is_zero((1 + X) ** (10**6) - (1 + X) ** (10**6 + 1))
    assert not is_zero((1 + X + M + A) ** 60 - (1 + X + M + B) ** 60)
