"""0·log 0 is 0 in the masses of discrete laws: in generated code, its gradients, mpmath and exports."""

import jax
import numpy as np
import pytest
from jax import numpy as jnp
from scipy import stats

import symaux as sa
from symaux.validate import reference

INF = -np.inf
# a text, data, log p, and the gradient in the parameter (None: there is none)
CASES = {
    "bernoulli, sure success": ("param p\nobserve x ~ bernoulli(p)", {"x": 1.0, "p": 1.0}, 0.0, 1.0),
    "bernoulli, sure failure": ("param p\nobserve x ~ bernoulli(p)", {"x": 0.0, "p": 0.0}, 0.0, -1.0),
    "bernoulli, impossible": ("param p\nobserve x ~ bernoulli(p)", {"x": 0.0, "p": 1.0}, INF, INF),
    "binomial, all": ("param p\nobserve x ~ binomial(5, p)", {"x": 5.0, "p": 1.0}, 0.0, 5.0),
    "binomial, none": ("param p\nobserve x ~ binomial(5, p)", {"x": 0.0, "p": 0.0}, 0.0, -5.0),
    "binomial, no trials": (
        "param p\nparam n >= 0 integer\nobserve x ~ binomial(n, p)",
        {"x": 0.0, "p": 0.0, "n": 0.0},
        0.0,
        0.0,
    ),
    "poisson, rate 0": ("param p\nobserve x ~ poisson(p)", {"x": 0.0, "p": 0.0}, 0.0, -1.0),
    "poisson, impossible": ("param p\nobserve x ~ poisson(p)", {"x": 2.0, "p": 0.0}, INF, np.inf),
    "plate": ("param p\nplate i[3]\nobserve x[i] ~ bernoulli(p)", {"x": np.ones(3), "p": 1.0}, 0.0, 3.0),
    "rates as data": (
        "plate i[2]\ndata q[i]\nobserve x[i] ~ poisson(q[i])",
        {"x": np.array([0.0, 1.0]), "q": np.array([0.0, 2.0])},
        np.log(2) - 2,
        None,
    ),
    "number": ("observe x ~ binomial(5, 0)", {"x": 0.0}, 0.0, None),
    "another number": ("observe x ~ bernoulli(1)", {"x": 0.0}, INF, None),
    "by its mass": (
        "param p\nobserve x ~ p^x*(1-p)^(1-x) on {0, ..., 1} given 0 <= p <= 1",
        {"x": 1.0, "p": 1.0},
        0.0,
        1.0,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_masses_at_the_ends_of_a_domain(name):
    text, data, expected, slope = CASES[name]
    model = sa.parse(text)
    assert np.isclose(sa.log_density(model, data)({}), expected, atol=1e-14)
    if slope is not None:
        rest = {k: v for k, v in data.items() if k != "p"}
        found = jax.jit(jax.grad(sa.log_density(model, rest)))({"p": jnp.asarray(data["p"])})
        assert found["p"] == slope
    lengths = dict(model.axes.lengths)
    given = {k: np.asarray(v) for k, v in data.items()}
    exact = reference.log_density(model, reference.Deterministics(model, given, lengths), lengths)
    assert np.isclose(float(exact), expected, atol=1e-14)


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case[2] == 0])
def test_exports_agree(name):
    from numpyro.infer.util import log_density

    text, data, expected, _ = CASES[name]
    model, made = sa.parse(text), {}
    exec(sa.exported(model, "numpyro"), made)
    value, _ = log_density(made["model"], (), {k: jnp.asarray(v) for k, v in data.items()}, {})
    assert np.isclose(value, expected, atol=1e-14)
    assert "model {" in sa.exported(model, "stan")


def test_a_mass_by_its_formula_says_so_in_stan():
    text = CASES["by its mass"][0]
    assert "x*log((x == 0 ? 1 : p))" in sa.exported(sa.parse(text), "stan")


def test_inside_of_the_domain_nothing_changes():
    x, p = np.array([0.0, 1.0, 4.0]), 0.3
    model = sa.parse("plate i[3]\nparam p\nobserve x[i] ~ binomial(4, p)")
    assert np.isclose(sa.log_density(model, {"x": x})({"p": p}), stats.binom.logpmf(x, 4, p).sum(), rtol=1e-14)


def test_a_logit_that_rounds_to_a_sure_event_keeps_its_gradient():
    model = sa.parse("e1 ~ normal(0, 1)\nq = 1/(1 + exp(-e1))\nobserve x ~ bernoulli(q)")
    value, slope = jax.value_and_grad(sa.log_density(model, {"x": 1.0}))({"e1": 60.0})
    assert np.isclose(value, stats.norm.logpdf(60.0)) and slope["e1"] == -60.0


def test_zero_times_another_infinity_is_not_a_number():
    import mpmath as mp
    import sympy as sp

    from symaux.formulas.numeric.evaluate import number

    z, p = sp.symbols("z p", real=True)
    assert number(z * sp.log(p), {z: 0, p: 0}) == 0
    assert mp.isnan(number(z * sp.Function("f")(p), {z: 0, sp.Function("f")(p): mp.inf}))


def test_a_law_at_the_end_of_its_domain_is_verified_and_read_back():
    model = sa.parse("z ~ normal(0, 1)\nobserve x ~ binomial(5, 0)\nobserve y ~ normal(z, 1)")
    assert sa.parse(model.text) == model
    assert sa.auxiliary(model, keep_roots=False).verify().status.name == "PROVED"
