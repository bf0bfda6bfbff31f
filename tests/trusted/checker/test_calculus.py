"""Continuity, derivatives, limits and directions: functions with jumps, poles and folds are not called smooth."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from symaux.formulas.functions.registry import gammaincinv, tanpi
from symaux.trusted.checker.continuity import check_continuous, derivative
from symaux.trusted.checker.facts import Region, Unproved
from symaux.trusted.checker.limits import Limits
from symaux.trusted.checker.monotone import direction
from symaux.trusted.checker.signs import Signs

X, M = sp.symbols("x m", real=True)
A, B = sp.symbols("a b", positive=True)
oo, log, exp, pi = sp.oo, sp.log, sp.exp, sp.pi
LINE, UNIT, RIGHT = (-oo, oo), (0, 1), (0, oo)


def on(bounds: tuple[Any, Any]) -> Signs:
    return Signs(Region(X, sp.sympify(bounds[0]), sp.sympify(bounds[1])))


JUMPS = [
    (sp.atan(1 / X), LINE),
    (sp.atan(X) + sp.atan(1 / X), LINE),
    (sp.acot(X), LINE),
    (sp.sign(X), LINE),
    (sp.floor(X), LINE),
    (sp.ceiling(3 * X), UNIT),
    (sp.Heaviside(X - A), LINE),
    (X / sp.Abs(X), LINE),
    (sp.tan(X), (0, pi)),
    (tanpi(X), UNIT),
    (1 / X, LINE),
    (1 / (X - A), RIGHT),
    (log(X), LINE),
    (log(X - A), RIGHT),
    (sp.sqrt(X), LINE),
    (X**A, LINE),
    (X**M, (-1, 1)),
    (sp.asin(X), LINE),
    (sp.gamma(X), LINE),
    (sp.Piecewise((0, X < 0), (1, True)), LINE),
    (sp.Function("f")(X), LINE),
    (sp.atan2(X, -1), LINE),
    (sp.Sum(X ** sp.Symbol("k", integer=True), (sp.Symbol("k", integer=True), 0, 3)), LINE),
    (sp.zeta(X), UNIT),
    (sp.LambertW(X, -1), (-sp.Rational(1, 4), 0)),
    (sp.I * X, LINE),
    (X + sp.oo, LINE),
]


@pytest.mark.parametrize(("formula", "bounds"), JUMPS, ids=str)
def test_what_may_jump_is_not_continuous(formula: Any, bounds: Any) -> None:
    with pytest.raises(Unproved):
        check_continuous(on(bounds), formula)


SMOOTH = [
    (sp.atan(1 / X), RIGHT),
    (sp.acot(X), RIGHT),
    (sp.tan(pi * (X - sp.Rational(1, 2))), UNIT),
    (log(X) / X, RIGHT),
    (X**M, RIGHT),
    (sp.sqrt(1 - X), UNIT),
    (gammaincinv(A, X), UNIT),
    (sp.Max(X, 0) + sp.Abs(X), LINE),
    (X**A, (0, 1)),
    (sp.sqrt(sp.Abs(X)), LINE),
    (sp.besseli(A - 1, X), RIGHT),
    (sp.hyper((A,), (B,), X), RIGHT),
]


@pytest.mark.parametrize(("formula", "bounds"), SMOOTH, ids=str)
def test_what_is_continuous_is_found_to_be(formula: Any, bounds: Any) -> None:
    check_continuous(on(bounds), formula)


@pytest.mark.parametrize(
    ("formula", "bounds"),
    [
        (sp.Abs(X), LINE),
        (sp.Max(X, 0), LINE),
        (sp.sqrt(sp.Abs(X)), LINE),
        (sp.sign(X), RIGHT),
        (gammaincinv(X, A), UNIT),
    ],
    ids=str,
)
def test_a_kink_has_no_derivative(formula: Any, bounds: Any) -> None:
    with pytest.raises(Unproved):
        derivative(on(bounds), formula)


@pytest.mark.parametrize(
    "formula",
    [
        X**3 * exp(-A * X),
        log(X) ** 2,
        X**X,
        A**X,
        sp.atan(1 / X),
        sp.Abs(X),
        sp.erf(X / A),
        (1 + X**2) ** (-A),
        sp.sin(X) / X,
    ],
    ids=str,
)
def test_derivatives_agree_with_difference_quotients(formula: Any) -> None:
    slope = derivative(on(RIGHT), formula)
    h = sp.Rational(1, 10**12)
    for x in (sp.Rational(1, 3), sp.Rational(7, 5)):
        at = {A: sp.Rational(5, 4)}
        quotient = (formula.xreplace({X: x + h, **at}) - formula.xreplace({X: x - h, **at})) / (2 * h)
        assert abs(sp.N(quotient - slope.xreplace({X: x, **at}), 40)) < 1e-15


LIMITS = [
    (exp(-X), RIGHT, (1, 0)),
    (1 / X, RIGHT, (oo, 0)),
    (1 / X, (-oo, 0), (0, -oo)),
    (X ** (-1 / A) - 1, UNIT, (oo, 0)),
    (sp.tan(pi * (X - sp.Rational(1, 2))), UNIT, (-oo, oo)),
    (log(X / (1 - X)), UNIT, (-oo, oo)),
    (gammaincinv(A, X), UNIT, (0, oo)),
    ((1 - X ** (1 / B)) ** (1 / A), UNIT, (1, 0)),
    (X**2, LINE, (oo, oo)),
    (-(X**3), LINE, (oo, -oo)),
    (A**X, RIGHT, None),
    (X * exp(-X), RIGHT, None),
    (X - log(X), RIGHT, None),
    (sp.sin(X), RIGHT, None),
    (X**M, UNIT, None),
]


@pytest.mark.parametrize(("formula", "bounds", "ends"), LIMITS, ids=str)
def test_limits_are_right_or_unknown(formula: Any, bounds: Any, ends: Any) -> None:
    signs = on(bounds)
    both = (Limits(signs, sp.sympify(end)) for end in bounds)
    if ends is None:
        with pytest.raises(Unproved):
            [limit.of(formula) for limit in both]
    else:
        assert tuple(limit.of(formula) for limit in both) == ends


@pytest.mark.parametrize(
    ("formula", "bounds", "expected"),
    [
        (X**3 + X, LINE, 1),
        (-log(X), UNIT, -1),
        (1 / (1 + exp(-X)), LINE, 1),
        (1 / X, (-oo, 0), -1),
        (X * exp(X), RIGHT, 1),
        (sp.sinh(X) + X, LINE, 1),
        (A, LINE, 0),
        (sp.cos(X), (0, pi), -1),
        (X**2, (-oo, 0), -1),
        ((1 + X**2) / X, UNIT, -1),
    ],
    ids=str,
)
def test_directions(formula: Any, bounds: Any, expected: int) -> None:
    assert direction(on(bounds), formula) == expected


@pytest.mark.parametrize(
    ("formula", "bounds"),
    [(X**2, LINE), (sp.sin(X), (0, pi)), (X - X**2, UNIT), (X * exp(-X), RIGHT), (M * X, LINE), (A**X, LINE)],
    ids=str,
)
def test_what_turns_back_has_no_direction(formula: Any, bounds: Any) -> None:
    with pytest.raises(Unproved):
        direction(on(bounds), formula)
