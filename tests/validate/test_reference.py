"""The independent reading of a model: long chains, conditions, and functions that only some backends had."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.formulas.numeric.evaluate import NotReal, evaluate_indexed, number
from symaux.validate import reference

x, y = sp.symbols("x y", real=True)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (~((x > 0) & (y > 0)), False),
        (sp.Eq(x, y), True),
        (sp.Ne(x, y), False),
        (sp.Or(x > 2, sp.Not(y > 2)), True),
        ((x >= 1) & (y <= 1), True),
    ],
)
def test_conditions_are_read_as_sympy_reads_them(condition: sp.Basic, expected: bool) -> None:
    """``Not`` had been read as its argument, and an equality not at all."""
    formula = sp.Piecewise((1, condition), (2, True))
    value = number(formula, {x: mp.mpf(1), y: mp.mpf(1)})
    assert value == (1 if expected else 2) == formula.subs({x: 1, y: 1})


def test_what_is_not_real_is_not_compared() -> None:
    with pytest.raises(NotReal):
        number(sp.Piecewise((1, sp.log(x) > 0), (2, True)), {x: mp.mpf(-1)})


def test_a_chain_of_a_thousand_steps_needs_no_deep_stack() -> None:
    z, eps, t = *sa.arrays("z eps"), sa.plate("t", 1000)
    model = sa.Model.of(
        sa.normal(eps[t], 0, 1), sa.deterministic(z[0], eps[0]), sa.deterministic(z[t], z[t - 1] / 2 + eps[t])
    )
    noise = np.linspace(-1, 1, 1000)
    values = reference.Deterministics(model, {"eps": noise}, {"t": 1000})
    expected = 0.0
    for each in noise:
        expected = expected / 2 + each
    assert float(values.element("z", (999,))) == pytest.approx(expected, rel=1e-13)


def test_elements_that_depend_on_each_other_are_refused_and_not_followed_for_ever() -> None:
    a, b = sa.arrays("a b")
    model = sa.Model.of(sa.normal(x, 0, 1), sa.deterministic(y, x))
    values = reference.Deterministics(model, {"x": 1.0}, {})
    values.statement["a", (0,)] = b[0] + 1, {}
    values.statement["b", (0,)] = a[0] + 1, {}
    values.model.nodes.setdefault("a", values.model.nodes["y"])
    values.model.nodes.setdefault("b", values.model.nodes["y"])
    with pytest.raises(ArithmeticError, match="depends on itself"):
        values.element("a", (0,))


def test_a_whole_array_is_evaluated_once() -> None:
    z, k = sa.arrays("z"), sa.plate("k", 3)
    assert evaluate_indexed(sp.Sum(z[k] ** 2, k), {"z": np.array([1.0, 2.0, 3.0])}, {}, {"k": 3}) == 14


def test_a_step_keeps_its_value_at_the_jump() -> None:
    """The second argument of Heaviside had been lost in generated code and in exports."""
    model = sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, 3 * sp.Heaviside(x, 1), 1), observed=[y])
    value = float(sa.log_density(model, {"y": 0.0})({"x": 0.0}))
    assert value == pytest.approx(-4.5 - np.log(2 * np.pi), rel=1e-12)
    assert float(number(sp.Heaviside(x, 1), {x: mp.mpf(0)})) == 1 and number(sp.Heaviside(x), {x: mp.mpf(0)}) == 0.5
    assert "? 1 :" in sa.exported(model, "stan") and "0.5" not in sa.exported(model, "stan")


FUNCTIONS = {
    "coth": sp.coth(x),
    "csch": sp.csch(x),
    "acot": sp.acot(x),
    "erfi": sp.erfi(x / 4),
    "besselj": sp.besselj(0, sp.exp(x)),
    "hyp1f1": sp.hyper((1,), (2,), sp.exp(x)),
    "hypergeometric of a parent": sp.hyper((2,), (sp.Rational(7, 2),), x**2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_a_model_is_computed_verified_and_exported(name: str) -> None:
    """Some were exported and not computed, others accepted by the language and computed by nothing."""
    model = sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, FUNCTIONS[name], 1), observed=[y])
    value = float(sa.log_density(model, {"y": 0.5})({"x": 0.7}))
    mean = float(number(FUNCTIONS[name], {x: mp.mpf("0.7")}))
    assert value == pytest.approx(-(0.7**2) / 2 - (0.5 - mean) ** 2 / 2 - np.log(2 * np.pi), rel=1e-11)
    assert sa.auxiliary(model, keep_roots=False).verify().status is sa.Status.PROVED
    if "hyp" not in name:
        assert "def model" in sa.exported(model, "numpyro")
