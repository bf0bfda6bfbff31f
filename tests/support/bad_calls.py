"""Calls of the Python API that are refused, each with the code of its error; a part of the corpus of ``bad_inputs``."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
import sympy.stats

import symaux as sa

x, y, z = sp.symbols("x y z", real=True)
i, j, t = sa.plate("i", 3), sa.plate("j", 4), sa.plate("t", 5)
w, v = sa.arrays("w v")
a, b, p = sp.Symbol("a", real=True), sp.Symbol("b", real=True), sp.Symbol("p", positive=True)
NOISE, LOCATED = sa.normal(y, 0, 1), sa.normal(z, a, 1)


def answered(answer: Any) -> Any:
    """A derivation by a rule that gives this answer."""

    @sa.rule
    def given(law: sa.Law) -> Any:
        return answer(law)

    return lambda: sa.derive(LOCATED, rules=(given,))


def with_data(**data: Any) -> Any:
    n = sa.plate("n")
    return lambda: sa.log_density(sa.Model.of(sa.normal(w[n], v[n], 1), observed=[w]), data)


CALLS: dict[str, tuple[Any, str]] = {
    "a string for a parameter": (lambda: sa.normal(x, "0", 1), "law"),
    "code for a parameter": (lambda: sa.normal(x, "__import__('os').system('touch run')", 1), "law"),
    "bytes for a parameter": (lambda: sa.normal(x, b"0", 1), "law"),
    "None for a parameter": (lambda: sa.normal(x, None, 1), "law"),
    "a list for a parameter": (lambda: sa.normal(x, [0], 1), "law"),
    "a truth value": (lambda: sa.normal(x, True, 1), "law"),
    "sympy's truth value": (lambda: sa.normal(x, sp.true, 1), "law"),
    "NaN": (lambda: sa.normal(x, float("nan"), 1), "law"),
    "sympy's NaN": (lambda: sa.normal(x, sp.nan, 1), "law"),
    "infinity": (lambda: sa.normal(x, 0, float("inf")), "law"),
    "sympy's infinity": (lambda: sa.normal(x, sp.oo, 1), "law"),
    "complex infinity": (lambda: sa.normal(x, sp.zoo, 1), "law"),
    "an imaginary location": (lambda: sa.normal(x, sp.I, 1), "law"),
    "a complex number": (lambda: sa.normal(x, 1j, 1), "law"),
    "a negative scale": (lambda: sa.normal(x, 0, -1), "law"),
    "a scale that is never positive": (lambda: sa.normal(x, 0, -sp.exp(y)), "law"),
    "a zero scale": (lambda: sa.normal(x, 0, 0), "law"),
    "itself as its location": (lambda: sa.normal(x, x + 1, 1), "law"),
    "a string for the value": (lambda: sa.normal("x", 0, 1), "law"),
    "a number for the value": (lambda: sa.normal(3, 0, 1), "law"),
    "a formula for the value": (lambda: sa.normal(x + 1, 0, 1), "law"),
    "an array for the value": (lambda: sa.normal(w, 0, 1), "law"),
    "a plate for the value": (lambda: sa.normal(i, 0, 1), "law"),
    "too many parameters": (lambda: sa.normal(x, 0, 1, 2), "law"),
    "an unknown parameter": (lambda: sa.normal(x, 0, sigma=1), "law"),
    "no density": (lambda: sa.law(x), "law"),
    "two densities": (lambda: sa.law(x, sp.exp(-x), log_density=-x), "law"),
    "a density as text": (lambda: sa.law(x, "exp(-x)"), "law"),
    "a reversed support": (lambda: sa.law(x, sp.exp(-x), support=(1, 0)), "law"),
    "a support of itself": (lambda: sa.law(x, sp.exp(-x), support=(0, x)), "law"),
    "a support of text": (lambda: sa.law(x, sp.exp(-x), support="01"), "law"),
    "an imaginary support": (lambda: sa.law(x, sp.exp(-x), support=(0, sp.I)), "law"),
    "a support of NaN": (lambda: sa.law(x, sp.exp(-x), support=(0, float("nan"))), "law"),
    "a negative density": (lambda: sa.law(x, -sp.exp(-(x**2))), "law"),
    "a complex density": (lambda: sa.law(x, sp.sqrt(x), support=(-1, 0)), "law"),
    "an unnormalised density": (lambda: sa.derive(sa.law(x, sp.exp(-(x**2)))), "law"),
    "a divergent density": (lambda: sa.derive(sa.law(x, 1 / (1 + sp.Abs(x)))), "law"),
    "an expression of random variables": (lambda: sa.law(x, sympy.stats.Normal("n", 0, 1) + 1), "law"),
    "no statements": (lambda: sa.Model.of(3), "model"),
    "a formula for a statement": (lambda: sa.Model.of(x + 1), "model"),
    "the same variable twice": (lambda: sa.Model.of(sa.normal(x, 0, 1), sa.normal(x, 1, 1)), "model"),
    "two symbols of one name": (
        lambda: sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, sp.Symbol("x", positive=True), 1)), "model"),
    "a scalar and an array of one name": (
        lambda: sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, sa.arrays("x")[0], 1)), "model"),
    "a cycle": (lambda: sa.Model.of(sa.normal(x, y, 1), sa.normal(y, x, 1)), "model"),
    "a self-loop": (lambda: sa.Model.of(sa.deterministic(x, x + 1)), "model"),
    "a discrete latent": (lambda: sa.Model.of(sa.poisson(x, 3)), "model"),
    "an unknown observation": (lambda: sa.Model.of(sa.normal(x, 0, 1), observed=["y"]), "model"),
    "an observed formula": (lambda: sa.Model.of(sa.deterministic(x, y), observed=[x]), "model"),
    "a number for an observation": (lambda: sa.Model.of(sa.normal(x, 0, 1), observed=[3]), "model"),
    "an undefined index": (lambda: sa.Model.of(sa.normal(x, w[i], 1)), "model"),
    "two lengths of one axis": (lambda: sa.Model.of(sa.normal(w[i], 0, 1), sa.normal(v[j], w[j], 1)), "model"),
    "a lag without a start": (lambda: sa.Model.of(sa.normal(w[t], w[t - 1], 1)), "model"),
    "a look ahead": (lambda: sa.Model.of(sa.normal(w[0], 0, 1), sa.normal(w[t], w[t + 1], 1)), "model"),
    "a plate of size 0": (lambda: sa.plate("i", 0), "model"),
    "a plate of a negative size": (lambda: sa.plate("i", -3), "model"),
    "a plate of half a size": (lambda: sa.plate("i", 1.5), "model"),
    "a plate of a true size": (lambda: sa.plate("i", True), "model"),
    "a plate without a name": (lambda: sa.plate(""), "model"),
    "a plate of code": (lambda: sa.plate(3), "model"),
    "arrays without a name": (lambda: sa.arrays(""), "model"),
    "a name that noise needs": (
        lambda: sa.auxiliary(sa.Model.of(
            sa.normal(x, 0, 1), sa.normal(y, x, 1), sa.normal(sp.Symbol("eps_y", real=True), y, 1))), "model"),
    "an only that is not there": (lambda: sa.auxiliary(sa.Model.of(sa.normal(x, 0, 1)), only=["q"]), "model"),
    "an unknown function": (
        lambda: sa.to_source(sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, sp.Function("f")(x), 1))),
        "unknown-function"),
    "missing data": (lambda: sa.log_density(sa.Model.of(sa.normal(x, 0, 1), observed=[x])), "data"),
    "data of text": (lambda: sa.log_density(sa.Model.of(sa.normal(x, y, 1)), {"y": "1"}), "data"),
    "data of objects": (lambda: sa.log_density(sa.Model.of(sa.normal(x, y, 1)), {"y": object()}), "data"),
    "data for nobody": (lambda: sa.log_density(sa.Model.of(sa.normal(x, y, 1)), {"q": 1.0}), "data"),
    "a position without a key": (lambda: sa.log_density(sa.Model.of(sa.normal(x, 0, 1)))({}), "data"),
    "a position with one too many": (
        lambda: sa.log_density(sa.Model.of(sa.normal(x, 0, 1)))({"x": 0.0, "y": 0.0}), "data"),
    "a text that is no text": (lambda: sa.parse(b"x ~ normal(0, 1)"), "language"),
    "a path for a text": (lambda: sa.parse("model.symaux"), "language"),
    "conditions that contradict each other": (
        lambda: sa.law(p, a * sp.exp(-a * p), conditions=(a > 0, a < 0)), "law"),
    "a condition against the support": (
        lambda: sa.law(z, 1 / (b - a), support=(a, b), conditions=(a > b,)), "law"),
    "a density that dips below zero": (
        lambda: sa.law(p, ((p - sp.pi) ** 2 - sp.Rational(1, 10**9)) * sp.exp(-p), support=(0, sp.oo)), "law"),
    "elements picked by a continuous variable": (
        lambda: sa.Model.of(sa.normal(w[j], 0, 1), sa.normal(v[i], 0, 1), sa.normal(x, w[v[0]], 1)), "model"),
    "elements picked by what is computed from one": (
        lambda: sa.Model.of(
            sa.normal(x, 0, 1), sa.normal(w[j], 0, 1), sa.deterministic(v[i], x), sa.normal(y, w[v[0]], 1)), "model"),
    "a rule that answers a number": (answered(lambda law: 3), "symaux"),
    "a rule that answers a law": (answered(lambda law: (NOISE,)), "symaux"),
    "a rule that answers text": (answered(lambda law: sa.Rewrite((NOISE,), "a + y")), "symaux"),  # type: ignore[arg-type]
    "a rule that answers a matrix": (answered(lambda law: sa.Rewrite((NOISE,), sp.Matrix([y]))), "symaux"),  # type: ignore[arg-type]
    "a rule with noise of text": (answered(lambda law: sa.Rewrite(("y",), a + y)), "symaux"),  # type: ignore[arg-type]
    "a rule with noise that is no tuple": (answered(lambda law: sa.Rewrite(NOISE, a + y)), "symaux"),  # type: ignore[arg-type]
    "a rule that fails": (answered(lambda law: 1 / 0), "symaux"),
    "a rule that is wrong": (answered(lambda law: sa.Rewrite((NOISE,), 2 * y)), "no-rule"),
    "data without elements": (with_data(w=np.zeros(0), v=np.zeros(0)), "data"),
    "data that are a list": (lambda: sa.log_density(sa.Model.of(sa.normal(x, y, 1)), [1]), "data"),  # type: ignore[arg-type]
    "data with holes": (with_data(w=np.ma.masked_array([1.0, 2.0], [0, 1]), v=np.zeros(2)), "data"),
    "data with fields": (with_data(w=np.zeros(2, dtype=[("a", "f8")]), v=np.zeros(2)), "data"),
    "an unknown kind of picture": (lambda: sa.render(sa.Model.of(sa.normal(x, 0, 1)), format="exe"), "render"),
    "an unknown focus": (lambda: sa.render(sa.Model.of(sa.normal(x, 0, 1)), focus="q"), "model"),
}  # fmt: skip
