"""Generated source as text: any name, every function, only jax, and no longer for a longer plate."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import sympy as sp
from scipy import special, stats
from support.oracle import agrees, lognorm

import symaux as sa

mu, beta, x0 = sp.symbols("mu beta x0", real=True)
z, y, x, w, v = sa.arrays("z y x w v")
i, j, k, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 5), sa.plate("n")


NAMES = [
    "read", "check", "lengths", "lp", "inside", "data", "position", "values", "lambda", "print", "jnp", "lax", "step",
    "SIZES", "SHAPES", "INDICES", "mixed", "special", "size_n", "k", "unknown", "missing", "uniform", "random", "key",
    "keys", "sizes", "log_density", "prepare", "θ", "2x", "__class__", "x; import os", 'a"""b', "a\\b", "a\nb", "holds",
    "exponents", "carry", "inputs", "name", "float", "wow'", "discrete_quantile", "correlated", "normal_log_density",
]  # fmt: skip


def test_any_name_may_be_a_variable() -> None:
    """Whatever variables are called, they are the variables: in the density, the generator and the sampler."""
    counts, total = sa.arrays("counts", integer=True), sp.Symbol("total", real=True)
    variables = [sp.Symbol(name, real=True) for name in NAMES]
    parts = [(0.5, sa.normal(y[n], total, 1)), (0.25, sa.normal(y[n], 0, 2)), (0.25, sa.cauchy(y[n], variables[0], 1))]
    model = sa.Model.of(
        *(sa.normal(variable, number, 1e-3) for number, variable in enumerate(variables)),
        sa.deterministic(total, sum((1 + number) * variable for number, variable in enumerate(variables)) / 1000),
        sa.poisson(counts[n], sp.exp(variables[NAMES.index("k")] / 6)),
        sa.mixture(y[n], *parts),
        observed=[y, counts],
    )
    ys, cs, means = np.array([0.1, 0.2]), np.array([1, 2]), np.arange(len(NAMES))
    totalled, rate = np.sum((1 + means) * means) / 1000, np.exp(NAMES.index("k") / 6)
    density = 0.5 * stats.norm.pdf(ys, totalled) + 0.25 * stats.norm.pdf(ys, 0, 2) + 0.25 * stats.cauchy.pdf(ys)
    expected = lognorm(means, means, 1e-3) + np.log(density).sum() + stats.poisson.logpmf(cs, rate).sum()
    position = {name: float(number) for number, name in enumerate(NAMES)}
    assert float(sa.log_density(model, {"y": ys, "counts": cs})(position)) == pytest.approx(expected, rel=1e-12)
    assert float(sa.generate(model)(position)["total"]) == pytest.approx(totalled, rel=1e-12)
    draw = sa.sample_prior(model, {"counts": np.zeros(400)})(jax.random.key(0))
    assert abs(float(draw["counts"].mean()) - rate) < 5 * np.sqrt(rate / 400)
    np.testing.assert_allclose([float(draw[name]) for name in NAMES], means, atol=0.01)


def test_an_unknown_function_is_refused_by_name() -> None:
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(sp.elliptic_k(mu)))
    with pytest.raises(sa.UnknownFunction, match="elliptic_k"):
        sa.to_source(model)


def test_the_source_does_not_grow_with_a_plate() -> None:
    def source(size: int) -> str:
        m = sa.plate("m", size)
        return sa.to_source(
            sa.auxiliary(
                sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z[m], mu, 1), sa.normal(y[m], z[m], 1), observed=[y])
            ).after
        )

    small, large = source(10), source(10_000_000)
    assert large.replace("10000000", "10") == small


def test_generated_source_imports_only_jax() -> None:
    import ast

    model = sa.Model.of(sa.normal(z[n], 0, 1), sa.poisson(y[n], sp.exp(z[n])), observed=[y])
    imported = set()
    for node in ast.walk(ast.parse(sa.to_source(model))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported == {"jax"}


FUNCTIONS = [
    (sp.exp, np.exp, (-1, 1)), (sp.log, np.log, (0.1, 3)), (sp.sin, np.sin, (-2, 2)), (sp.cos, np.cos, (-2, 2)),
    (sp.tan, np.tan, (-1, 1)), (sp.asin, np.arcsin, (-0.9, 0.9)), (sp.acos, np.arccos, (-0.9, 0.9)),
    (sp.atan, np.arctan, (-2, 2)), (sp.sinh, np.sinh, (-2, 2)), (sp.cosh, np.cosh, (-2, 2)), (sp.tanh, np.tanh, (-2, 2)),
    (sp.asinh, np.arcsinh, (-2, 2)), (sp.acosh, np.arccosh, (1.1, 3)), (sp.atanh, np.arctanh, (-0.9, 0.9)),
    (sp.cot, lambda t: 1 / np.tan(t), (0.2, 1.4)), (sp.sec, lambda t: 1 / np.cos(t), (-1, 1)),
    (sp.csc, lambda t: 1 / np.sin(t), (0.2, 1.4)), (sp.sech, lambda t: 1 / np.cosh(t), (-2, 2)), (sp.Abs, np.abs, (0.1, 2)),
    (sp.sqrt, np.sqrt, (0.1, 3)), (sp.erf, special.erf, (-2, 2)), (sp.erfc, special.erfc, (-2, 2)),
    (sp.erfinv, special.erfinv, (-0.9, 0.9)), (sp.gamma, special.gamma, (0.3, 4)), (sp.loggamma, special.gammaln, (0.3, 4)),
    (sp.digamma, special.digamma, (0.3, 4)), (sp.factorial, lambda t: special.gamma(t + 1), (0.3, 4)),
    (lambda t: sp.polygamma(1, t), lambda t: special.polygamma(1, t), (0.3, 4)),
    (lambda t: sp.besseli(0, t), special.i0, (0.2, 3)),
    (lambda t: sp.log(sp.besseli(1, t)), lambda t: np.log(special.i1(t)), (0.2, 3)),
    (lambda t: sp.beta(t, 2), lambda t: special.beta(t, 2), (0.3, 4)),
    (lambda t: sp.atan2(t, 2), lambda t: np.arctan2(t, 2), (-2, 2)),
    (sa.ndtr, special.ndtr, (-3, 3)), (sa.ndtri, special.ndtri, (0.05, 0.95)), (sa.log_ndtr, special.log_ndtr, (-3, 3)),
    (sa.softplus, lambda t: np.logaddexp(0, t), (-3, 3)), (sa.sigmoid, special.expit, (-3, 3)),
    (lambda t: t**sp.Rational(-3, 2), lambda t: t**-1.5, (0.4, 2)), (lambda t: 2**t, lambda t: 2.0**t, (-2, 2)),
    (lambda t: t**t, lambda t: t**t, (0.4, 2)), (lambda t: (t - 3) ** 3, lambda t: (t - 3) ** 3, (-2, 2)),
    (lambda t: -((t - 1) ** -2) / (t + 5), lambda t: -((t - 1) ** -2.0) / (t + 5), (-2, 0.5)),
    (lambda t: sp.Heaviside(t) * t, lambda t: np.heaviside(t, 0.5) * t, (0.2, 2)),
    (lambda t: sp.sign(t) * t, lambda t: np.abs(t), (0.2, 2)),
    (lambda t: sp.floor(t) * t, lambda t: np.floor(t) * t, (0.2, 0.9)),
    (lambda t: sp.ceiling(t) * t, lambda t: np.ceil(t) * t, (0.2, 0.9)),
]  # fmt: skip


def test_every_function_of_the_table_against_scipy(rng: np.random.Generator) -> None:
    """One model holds them all, so that they compile once."""
    t = sa.arrays("t")
    statements, position = [], {}
    for number, (make, _, (low, high)) in enumerate(FUNCTIONS):
        statements.append(sa.factor(make(sp.Symbol(f"t{number}", real=True)) / (number + 1)))
        position[f"t{number}"] = rng.uniform(low, high)
    model = sa.Model.of(sa.normal(t[n], 0, 1), *statements)
    for number, (_, known, _) in enumerate(FUNCTIONS):
        assert np.isfinite(known(position[f"t{number}"]))

    def oracle(p):
        parts = [known(p[f"t{number}"]) / (number + 1) for number, (_, known, _) in enumerate(FUNCTIONS)]
        return lognorm(p["t"]) + float(sum(parts))

    agrees(model, {"t": np.zeros(2), **position}, {}, oracle, rtol=1e-10)


def test_a_skew_normal_keeps_its_digits_in_the_tail() -> None:
    slant = sp.Symbol("slant", real=True)
    model = sa.Model.of(sa.skew_normal(y[n], 0, 1, slant), observed=[y])
    ys = np.array([-30.0, 8.0])

    def oracle(p):
        return np.sum(np.log(2) + stats.norm.logpdf(ys) + special.log_ndtr(p["slant"] * ys))

    agrees(model, {"slant": 3.0}, {"y": ys}, oracle)
