"""Branches that are not taken do not disturb gradients, whatever they contain; nor do terms where there is no density."""

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import symaux as sa

NORMAL = "x ~ normal(0, 1)\nd ~ normal(0, 1)\n"
# a text and a position at which a branch that is not taken has an infinite value or derivative
CASES = {
    "logarithm": (f"{NORMAL}m = where(x <= d, 0, log(x - d))\nobserve y ~ normal(m, 1)", {"x": 0.5, "d": 0.5}),
    "quotient": ("x ~ normal(0, 1)\nm = where(x == 0, 1, sin(x)/x)\nobserve y ~ normal(m, 1)", {"x": 0.0}),
    "root": ("x ~ normal(0, 1)\nm = where(x > 0, sqrt(x), 0)\nobserve y ~ normal(m, 1)", {"x": 0.0}),
    "nested": (
        f"{NORMAL}m = where(x > 0, where(d > 0, log(x*d), log(x)), 0)\nobserve y ~ normal(m, 1)",
        {"x": 0.0, "d": 0.0},
    ),
    "repeated": (
        f"{NORMAL}m = where(x <= d, 0, log(x - d)) + where(x <= d, 1, log(x - d)^2)\nobserve y ~ normal(m, 1)",
        {"x": 0.5, "d": 0.5},
    ),
    "plate": (
        "plate i[3]\nx[i] ~ normal(0, 1)\nd ~ normal(0, 1)\nobserve y[i] ~ normal(where(x[i] <= d, 0, log(x[i] - d)), 1)",
        {"x": np.array([0.5, 0.2, 1.0]), "d": 0.5},
    ),
    "sum": (
        "plate i[2]\nplate k[3]\nx[i, k] ~ normal(0, 1)\nd[i] ~ normal(0, 1)\n"
        "observe y[i] ~ normal(where(d[i] <= 0, 0, sum(k, log(d[i]*x[i, k]^2))), 1)",
        {"x": np.ones((2, 3)), "d": np.array([0.0, 1.0])},
    ),
    "series": (
        "plate t[4]\nh[0] ~ normal(0, 1)\nh[t] ~ normal(where(h[t-1] > 0, sqrt(h[t-1]), 0), 1)\nobserve y[t] ~ normal(h[t], 1)",
        {"h": np.array([0.0, 0.0, 1.0, 0.0])},
    ),
    "gather": (
        "plate i[3]\nplate j[2]\ndata g[i]\nx[j] ~ normal(0, 1)\n"
        "observe y[i] ~ normal(where(x[g[i]] > 0, log(x[g[i]]), 0), 1)",
        {"x": np.array([0.0, 1.0])},
    ),
    "special function": ("x ~ normal(0, 1)\nm = where(x > 0, lgamma(x), 0)\nobserve y ~ normal(m, 1)", {"x": 0.0}),
    "power": (
        "x ~ normal(0, 1)\na ~ normal(0, 1)\nm = where(x > 0, x^a, 1)\nobserve y ~ normal(m, 1)",
        {"x": 0.0, "a": 0.5},
    ),
    "overflow": ("x ~ normal(0, 1)\nm = where(x < 1, exp(x), 0)\nobserve y ~ normal(m, 1)", {"x": 1000.0}),
    "factor": ("x ~ normal(0, 1)\nfactor where(x < 1, log(1 - x), -5)", {"x": 1.0}),
    "beside a guarded variable": (
        "u ~ uniform(0, 1)\nx ~ normal(0, 1)\nobserve y ~ normal(where(u < 0.5, log(u) + log(x), 0), 1)",
        {"u": 0.7, "x": 0.0},
    ),
}


def target(text):
    model = sa.parse(text)
    data = {n: np.zeros(tuple(model.axes.lengths[a] for a in model.axes.of_array(n))) for n in model.observed}
    return model, sa.log_density(model, data | ({"g": np.array([0, 1, 0])} if "g" in model.inputs else {}))


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_the_branch_that_is_taken(name):
    text, position = CASES[name]
    _, logp = target(text)
    position = {k: jnp.asarray(v) for k, v in position.items()}
    value, slopes = jax.jit(jax.value_and_grad(logp))(position)
    assert np.isfinite(value)
    forward = jax.jacfwd(logp)(position)
    for key, slope in slopes.items():
        assert np.all(np.isfinite(slope))
        assert np.allclose(slope, forward[key])
    batch = {k: jnp.stack([v, v]) for k, v in position.items()}
    for key, slope in jax.vmap(jax.grad(logp))(batch).items():
        assert np.allclose(slope[0], slopes[key])


def test_where_a_branch_is_taken_its_gradient_is_unchanged():
    _, logp = target(CASES["plate"][0])
    found = jax.grad(logp)({"x": jnp.array([2.0, 0.2, 1.0]), "d": jnp.array(0.5)})
    taken = np.array([2.0, 1.0]) - 0.5
    pull = np.log(taken) / taken
    assert np.allclose(found["x"], [-2.0 - pull[0], -0.2, -1.0 - pull[1]]) and np.isclose(found["d"], -0.5 + pull.sum())


@pytest.mark.parametrize("name", ["series", "logarithm", "plate"])
def test_the_auxiliary_form_is_safe_too(name):
    after = sa.auxiliary(sa.parse(CASES[name][0])).after
    data = {n: np.zeros(tuple(after.axes.lengths[a] for a in after.axes.of_array(n))) for n in after.observed}
    zeros = {n: jnp.zeros(tuple(after.axes.lengths[a] for a in after.axes.of_array(n))) for n in after.latents}
    assert all(np.all(np.isfinite(s)) for s in jax.grad(sa.log_density(after, data))(zeros).values())


OUTSIDE = {
    "s ~ half_normal(1)\nobserve y ~ normal(sqrt(s), 1)": {"s": -1.0},
    "s ~ gamma(2, 1)\nobserve y ~ normal(0, s^1.5)": {"s": -2.0},
    "p ~ beta(2, 2)\nobserve y ~ normal(log(p/(1 - p)), 1)": {"p": 1.5},
    "u ~ uniform(2, 3)\nobserve y ~ normal(acosh(u), 1)": {"u": 0.5},
    "s ~ inverse_gamma(2, 1)\nr ~ normal(0, 1)\nobserve y ~ normal(r*s^0.3, 1)": {"s": -1.0, "r": 0.2},
}


@pytest.mark.parametrize("text", OUTSIDE)
def test_outside_of_a_support_the_gradient_is_finite(text):
    _, logp = target(text)
    value, slopes = jax.jit(jax.value_and_grad(logp))(OUTSIDE[text])
    assert value == -np.inf and all(np.isfinite(s) for s in slopes.values())


KINDS = ["float16", "bfloat16", "int8", "uint8", "int16", "int64", "bool", "float32"]


@pytest.mark.parametrize("kind", KINDS)
def test_data_of_any_kind_are_read_with_at_least_single_precision(kind):
    numbers = np.array([1.0, 0.0, 1.0]) if kind == "bool" else np.array([100.0, 90.0, 110.0])
    x = jnp.asarray(numbers, jnp.bfloat16) if kind == "bfloat16" else numbers.astype(kind)
    model = sa.parse("plate i[3]\nm ~ normal(0, 1)\nobserve x[i] ~ normal(m, 1)")
    exact = sa.log_density(model, {"x": numbers})({"m": 0.5})
    assert np.isclose(sa.log_density(model, {"x": x})({"m": 0.5}), exact, rtol=1e-6)
    from symaux.codegen.load import load

    module = load(sa.to_source(model))
    assert np.isclose(module.log_density({"m": 0.5}, {"x": x}), exact, rtol=1e-6)
    assert np.isclose(
        module.log_density({"m": 0.5 if kind == "float32" else np.float16(0.5)}, module.prepare({"x": x})),
        exact,
        rtol=1e-6,
    )
