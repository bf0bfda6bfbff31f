"""Steps compose only if no name is captured, and each is used once."""

from __future__ import annotations

import pytest
import sympy as sp

import symaux as sa
from symaux.rules.composition import Composition, compose_steps, same_formula
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict

Z, MU, E, F = sp.symbols("z mu e f", real=True)
PROVED = Verdict(Status.PROVED)


def step(before: sa.Law, noise: tuple[sa.Law, ...], value: sp.Expr) -> Step:
    return Step("z", "by hand", before, Rewrite(noise, value), PROVED)


LAW = sa.normal(Z, MU, 2)
ONE = sa.normal(E, 0, 2)
SHIFT = step(LAW, (ONE,), MU + E)
CAPTURED = {
    "the parent": [step(LAW, (sa.normal(MU, 0, 2),), 2 * MU)],
    "the parent, in a later step": [SHIFT, step(ONE, (sa.normal(MU, 0, 1),), 2 * MU)],
    "the parent, with other assumptions": [SHIFT, step(ONE, (sa.normal(sp.Symbol("mu"), 0, 1),), 2 * sp.Symbol("mu"))],
    "the value": [SHIFT, step(ONE, (sa.normal(Z, 0, 1),), 2 * Z)],
    "itself": [step(LAW, (LAW,), Z)],
    "one name for two noises": [step(LAW, (sa.normal(E, 0, 1), sa.normal(E, 0, 1)), MU + 2 * E)],
    "one name for two noises of a look": [
        step(LAW, (sa.normal(E, 0, 1), sa.normal(sp.Symbol("\u0435", real=True), 0, 1)), MU + E)
    ],
    "a condition": [
        step(
            sa.law(Z, sp.exp(-((Z - MU) ** 2) / 2) / sp.sqrt(2 * sp.pi), conditions=(F > 0,)),
            (sa.normal(F, 0, 1),),
            MU + F,
        )
    ],
}


@pytest.mark.parametrize("case", CAPTURED)
def test_a_captured_name_is_found_on_the_whole(case: str) -> None:
    steps = CAPTURED[case]
    assert isinstance(compose_steps(steps[0].before, steps), str)


def test_steps_are_used_once_and_in_any_order() -> None:
    scale = step(ONE, (sa.normal(F, 0, 1),), 2 * F)
    for steps in ([SHIFT, scale], [scale, SHIFT]):
        made = compose_steps(LAW, steps)
        assert isinstance(made, Composition)
        assert made.value == MU + 2 * F and made.steps == (SHIFT, scale)
    assert compose_steps(sa.normal(Z, 0, 1), [SHIFT, scale]) is None, "no step is about this law"


def test_formulas_are_compared_by_algebra() -> None:
    x = sp.Symbol("x", positive=True)
    assert same_formula(sp.exp(2 * sp.log(x)) * (1 + x), x**2 + x**3)
    assert not same_formula(x, x + sp.Rational(1, 10**9))
