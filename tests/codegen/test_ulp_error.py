"""Quantiles as the engine finds them keep their digits in generated code: both tails, both formats, two noises."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from rewrites import SIMPLIFICATIONS
from symaux.codegen.stabilise import ulp_error as stability
from symaux.codegen.stabilise.simplify import simplifier
from symaux.codegen.stabilise.ulp_error import NORMAL_LEVELS, ulp_losses, worst_loss
from symaux.formulas.functions.elementary import ndtr, ndtri
from symaux.formulas.functions.registry import betaincinv, gammaincinv

u, a, b, c, s = sp.symbols("u a b c s", positive=True)
m, e = sp.symbols("m e", real=True)
HALF = sp.Rational(1, 2)
AT = ({a: 0.5, b: 2.25, c: 0.375, m: 1.5, s: 0.75}, {a: 6.0, b: 0.5, c: 5.0, m: 4.0, s: 0.5})
SIMPLIFY = simplifier(SIMPLIFICATIONS)

QUANTILES = {
    "burr": (1 / (-1 + u ** (-1 / c))) ** (1 / a),
    "generalised logistic": -sp.log(-1 + u ** (-1 / c)),
    "kumaraswamy": (1 - (1 - u) ** (1 / b)) ** (1 / a),
    "power of a normal": sp.sqrt(2) * sp.erfinv(1 - 2 * u ** (1 / c)),
    "cauchy": m + s * sp.tan(sp.pi * (u - HALF)),
    "half cauchy": s * sp.tan(sp.pi * u / 2),
    "half normal": s * sp.sqrt(2) * sp.erfinv(u),
    "generalised pareto": m - s / c + s / (c * u**c),
    "generalised extreme value": m - s * ((-sp.log(u)) ** c - 1) / c,
    "half logistic": m - s * ((-1 + 2 / (u + 1)) ** c - 1) / c,
    "kappa": m - s * ((1 - u**a) / a) ** c / c + s / c,
    "gompertz": m + s * sp.log((c - sp.log(u)) / c),
    "benini": s * sp.exp((-a + sp.sqrt(a**2 - 4 * b * sp.log(u))) / (2 * b)),
    "lomax": m - s + s / u ** (1 / c),
    "logistic": -sp.log(1 / u - 1),
    "log-logistic": s * (1 / u - 1) ** (1 / c),
    "weibull": s * (-sp.log(1 - u)) ** (1 / c),
    "gumbel": sp.log(-sp.log(1 - u)),
    "exponentiated weibull": (-sp.log(1 - u ** (1 / a))) ** (1 / c),
    "cube root": -sp.log(1 - sp.cbrt(u)),
    "double weibull": sp.Piecewise((-((-sp.log(2 * u)) ** (1 / c)), u < HALF), ((-sp.log(2 - 2 * u)) ** (1 / c), True)),
}
LOSES = {"kumaraswamy", "power of a normal", "cauchy", "weibull", "gumbel", "exponentiated weibull", "cube root"}


def point(formula: sp.Expr, number: int) -> dict[sp.Symbol, float]:
    return {symbol: value for symbol, value in AT[number].items() if symbol in formula.free_symbols}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("name", QUANTILES)
def test_uniform_noise(name: str, number: int, kind: str) -> None:
    found = worst_loss(QUANTILES[name], u, point(QUANTILES[name], number), kind, SIMPLIFY)
    assert np.isfinite(found.seen) and found.finite and found.units < 128, found


@pytest.mark.parametrize("name", sorted(LOSES))
def test_the_measure_sees_what_the_plain_formula_loses(name: str) -> None:
    seen = ulp_losses(QUANTILES[name], u, point(QUANTILES[name], 0), "float32")
    assert any(not np.isfinite(loss.seen) or loss.units > 1e4 for loss in seen)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", QUANTILES)
def test_normal_noise(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 12 standard deviations in float32 and 30 in float64, where 1 - Phi is 5e-198."""
    monkeypatch.setattr(stability, "DIGITS", 450)
    formula = QUANTILES[name].xreplace({u: ndtr(e)})
    found = worst_loss(formula, e, point(formula, 0), kind, SIMPLIFY, NORMAL_LEVELS[kind])
    assert np.isfinite(found.seen) and found.finite and found.units < 128, found


SPECIAL = {
    "beta prime": (-1 + 1 / (1 - betaincinv(a, b, u)), 1e-20),
    "f": ((-b - b / (betaincinv(a / 2, b / 2, u) - 1)) / a, 1e-20),
    "fisher z": (sp.log((-b - b / (betaincinv(a / 2, b / 2, u) - 1)) / a) / 2, 1e-20),
    "log-gamma": (sp.log(gammaincinv(a, u)), 1e-20),
    "generalised gamma": (gammaincinv(a, u) ** (1 / c), 1e-20),
    "exponentiated gamma": (gammaincinv(a, u ** (1 / c)), 1e-6),
    "skewed t": (
        sp.sqrt(a + b) * (2 * betaincinv(a, b, u) - 1) / sp.sqrt(1 - (2 * betaincinv(a, b, u) - 1) ** 2),
        1e-10,
    ),
    "truncated normal": (m - s * ndtri(u * ndtr(m / s)), 1e-20),
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_inverses(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stability, "DIGITS", 60)
    formula, small = SPECIAL[name]
    levels = (small, 1e-4, 0.3, 0.9, 1 - 1e-6)
    found = worst_loss(formula, u, point(formula, 0), kind, SIMPLIFY, levels)
    assert np.isfinite(found.seen) and found.finite and found.units < 128, found


def test_a_form_that_falls_keeps_the_digits_of_a_small_level() -> None:
    """log(-log(eps)) falls in eps: at u = 1e-30 its argument is not 1 - u, which would be one."""
    z, w = sp.Symbol("z", real=True), sp.Symbol("w", positive=True)
    form = sa.derive(sa.law(z, w * sp.exp(w * z - sp.exp(w * z))), noise="uniform")
    levels = np.array([1e-30, 1e-12, 0.5])
    seen = form.quantile(levels, {"w": 2.0})
    assert np.allclose(seen, np.log(-np.log1p(-levels)) / 2, rtol=1e-14, atol=0)


def test_a_branch_that_is_not_taken_does_no_harm() -> None:
    """The power of a negative number in the other branch is not a number, and so is its gradient."""
    value = stability.compile_formula(QUANTILES["double weibull"], SIMPLIFY)
    slopes = jax.vmap(jax.grad(value, argnums=(0, 1)), in_axes=(None, 0))(1.5, np.array([1e-9, 0.2, 0.7, 1 - 1e-9]))
    assert all(np.all(np.isfinite(slope)) for slope in slopes)


def test_branches_may_meet_at_any_formula() -> None:
    """A triangular law, whose branches meet at a quotient."""
    at = c / ((1 - c) * (c / (1 - c) + 1))
    formula = sp.Piecewise((sp.sqrt(u * c), u < at), (1 - sp.sqrt((1 - u) * (1 - c)), True))
    slopes = jax.vmap(jax.grad(stability.compile_formula(formula, SIMPLIFY), argnums=(0, 1)), in_axes=(None, 0))
    assert all(np.all(np.isfinite(slope)) for slope in slopes(0.25, np.array([1e-9, 0.2, 0.7, 1 - 1e-9])))
