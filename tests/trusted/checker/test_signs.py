"""Signs on regions: what is known is right at random points, and what is not true is not claimed."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy as sp

from symaux.formulas.functions.registry import betaincinv, lambertw0_of_exp
from symaux.trusted.checker.facts import Region
from symaux.trusted.checker.signs import Signs

X, M, P, Q = sp.symbols("x m p q", real=True)
A, B, C = sp.symbols("a b c", positive=True)
K = sp.Symbol("k", integer=True, positive=True)
oo, log, exp, sqrt = sp.oo, sp.log, sp.exp, sp.sqrt
D = P + Q - 2


def signs(formula: Any, lower: Any = 0, upper: Any = 1, conditions: Any = ()) -> set[int]:
    return set(Signs(Region(X, sp.sympify(lower), sp.sympify(upper), tuple(conditions))).of(sp.sympify(formula)))


KNOWN = [
    (1 - X, (0, 1), (), {1}),
    (X**2 + 1, (-oo, oo), (), {1}),
    (X**2, (-oo, oo), (), {0, 1}),
    (X**2, (-1, 0), (), {1}),
    (log(X), (0, 1), (), {-1}),
    (log(X), (1, oo), (), {1}),
    (1 - X ** (1 / A), (0, 1), (), {1}),
    (X ** (-1 / A) - 1, (0, 1), (), {1}),
    (A * (1 - exp(-B * X)) + 1, (0, oo), (), {1}),
    (A - lambertw0_of_exp(A + log(A * X)), (0, 1), (), {1}),
    (1 / betaincinv(A, B, X) - 1, (0, 1), (), {1}),
    (log(B) - log(A), (0, 1), (A < B,), {1}),
    (1 - (A / B) ** C, (0, 1), (A < B,), {1}),
    (A ** (-C) - X * (A ** (-C) - B ** (-C)), (0, 1), (A < B,), {1}),
    (M - P, (0, 1), (P < Q, Q < M), {1}),
    (K - sp.Rational(1, 2), (0, 1), (), {1}),
    (sp.cos(X) + 1, (-sp.pi, sp.pi), (), {1}),
    (sp.cos(X) + 1, (-oo, oo), (), {0, 1}),
    (sp.sin(X), (0, sp.pi), (), {1}),
    (X**4 - X + 1, (-oo, oo), (), {1}),
    (X**3 - X - 1, (2, oo), (), {1}),
    (sp.pi - 3, (0, 1), (), {1}),
    (sp.Abs(X - 2), (0, 1), (), {1}),
    (sp.Max(X, 1), (-oo, oo), (), {1}),
    (sp.gamma(A) * sp.besseli(0, B), (0, 1), (), {1}),
    (X * log(X) + 1, (1, 2), (), {1}),
    (-A, (0, 1), (A > 1000,), {-1}),
]


@pytest.mark.parametrize(("formula", "bounds", "conditions", "known"), KNOWN, ids=str)
def test_signs_are_found(formula: Any, bounds: Any, conditions: Any, known: set[int]) -> None:
    assert signs(formula, bounds[0], bounds[1], conditions) == known


UNKNOWN = [
    (X - sp.Rational(1, 2), (0, 1), ()),
    (X * log(X) + sp.Rational(1, 3), (0, 1), ()),  # its least value is 1/3 - 1/e < 0, though both ends are positive
    (X**2 - X + sp.Rational(1, 5), (0, 1), ()),
    (12 * (X - sp.Rational(1, 2)) * (X - sp.Rational(501, 1000)), (0, 1), ()),
    (A - 1, (0, 1), ()),
    (A - B, (0, 1), ()),
    (M, (0, 1), ()),
    (M - P, (0, 1), (P < Q,)),
    (sp.cos(X), (0, sp.pi), ()),
    (sp.tan(X), (0, sp.pi), ()),
    (X**M - 1, (0, 1), ()),
    (log(X / (1 - X)), (0, 1), ()),
    (exp(X) - 2, (0, 1), ()),
    (sp.sqrt(X) - X - sp.Rational(1, 5), (0, 1), ()),
    (sp.Symbol("k", integer=True) - sp.Rational(1, 2), (0, 1), ()),
]


@pytest.mark.parametrize(("formula", "bounds", "conditions"), UNKNOWN, ids=str)
def test_signs_that_change_are_not_claimed(formula: Any, bounds: Any, conditions: Any) -> None:
    assert signs(formula, bounds[0], bounds[1], conditions) >= {-1, 1}


def test_contradictory_conditions_prove_nothing() -> None:
    assert signs(M - 1, 0, 1, (M > 2, M < 0)) == {-1, 0, 1}


def test_no_random_sum_has_a_sign_that_was_excluded() -> None:
    """Build formulas from a grammar, and compare with their values at points of the region."""
    rng = random.Random(19)
    leaves = [X, A, 1 - X, sp.Integer(1), sp.Rational(1, 3), -A, X + A, sp.Integer(-2)]
    unary = [exp, lambda f: f**2, lambda f: sp.Abs(f), lambda f: -f, sp.atan, sp.cos, sp.tanh, lambda f: sqrt(f**2 + 1)]

    def build(depth: int) -> Any:
        if depth == 0:
            return rng.choice(leaves)
        if rng.random() < 0.4:
            return rng.choice(unary)(build(depth - 1))
        left, right = build(depth - 1), build(rng.randrange(depth))
        return left * right if rng.random() < 0.4 else left + right

    decided = 0
    for _ in range(60):
        formula = build(3)
        claim = signs(formula)
        decided += len(claim) < 3
        for _ in range(12):
            point = {X: sp.Rational(rng.randint(1, 99), 100), A: sp.Rational(rng.randint(1, 500), 100)}
            value = sp.N(formula.xreplace(point), 30)
            assert abs(value) < 1e-20 or int(sp.sign(value)) in claim, (formula, point, claim)
    assert decided > 15
