"""Conditions on parameters that a model does not imply make its log-density −∞ where they fail, in every form."""

import math
import warnings

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.errors import DomainWarning, ModelError
from symaux.model.domains import guards, indicated, indicator

# a text, the open conditions, data, and positions of the original: outside, then inside
OPEN = {
    "scale": (
        "s ~ normal(0, 1)\nz ~ normal(0, s)\nobserve x ~ normal(z, 1)",
        ["s > 0"],
        1.0,
        {"s": -0.5, "z": 0.3},
        {"s": 0.5},
    ),
    "order": (
        "a ~ normal(0, 1)\nb ~ normal(0, 1)\nz ~ uniform(a, b)\nobserve x ~ normal(z, 1)",
        ["a < b"],
        1.0,
        {"a": 1.0, "b": 0.2, "z": 0.5},
        {"a": 0.1, "b": 0.9},
    ),
    "rate": (
        "s ~ normal(0, 1)\nz ~ exponential(s)\nobserve x ~ normal(z, 1)",
        ["s > 0"],
        1.0,
        {"s": -1.0, "z": 0.3},
        {"s": 2.0},
    ),
    "probability": ("p ~ normal(0, 1)\nobserve x ~ bernoulli(p)", ["p >= 0", "p <= 1"], 1.0, {"p": 1.5}, {"p": 0.5}),
    "computed": (
        "s ~ normal(0, 1)\nt = s + 1\nz ~ normal(0, sqrt(t))\nobserve x ~ normal(z, 1)",
        ["sqrt(t) > 0"],
        1.0,
        {"s": -2.0, "z": 0.1},
        {"s": 0.0},
    ),
    "declared": (
        "s ~ normal(0, 1)\nvar t > 0\nt = s - 1\nobserve x ~ normal(0, t)",
        ["s - 1 > 0"],
        1.0,
        {"s": 0.5},
        {"s": 1.5},
    ),
    "plate": (
        "plate i[2]\na ~ normal(0, 1)\nb[i] ~ normal(0, 1)\nobserve x[i] ~ weibull(a + b[i], 2)",
        ["a + b[i] > 0"],
        [1.0, 2.0],
        {"a": 0.1, "b": np.array([1.0, -1.0])},
        {"b": np.array([1.0, 2.0])},
    ),
    "mixture": (
        "plate k[2]\nw[k] ~ dirichlet(1)\ns[k] ~ normal(0, 1)\nobserve x ~ mixture(w[k], normal(0, s[k]))",
        ["s[k] > 0"],
        1.0,
        {"w": np.array([0.4, 0.6]), "s": np.array([1.0, -1.0])},
        {"s": np.array([1.0, 2.0])},
    ),
}
CLOSED = [
    "tau ~ half_cauchy(1)\nobserve x ~ normal(0, tau)",
    "p ~ beta(2, 2)\nobserve x ~ normal(0, 1 - p)",
    "e1 ~ normal(0, 1)\nobserve x ~ bernoulli(1/(1 + exp(-e1)))",
    "u ~ uniform(-3, -2)\nobserve x ~ normal(0, -u)",
    "plate t[4]\nh[0] = 1\nh[t] = exp(log(h[t-1])/2)\ns ~ normal(0, 1)\nobserve x[t] ~ normal(s, h[t])",
    "plate k[3]\nw[k] ~ dirichlet(1)\nq[k] ~ beta(1, 1)\nobserve x ~ bernoulli(sum(k, w[k]*q[k]))",
    "plate i[3]\nr ~ half_normal(1)\nobserve x[i] ~ poisson(r + i)",
    "a ~ normal(0, 1)\nd ~ half_normal(1)\nz ~ uniform(a, a + d)\nobserve x ~ normal(z, 1)",
]


def parsed(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DomainWarning)
        return sa.parse(text)


@pytest.mark.parametrize("name", OPEN)
def test_open_conditions_are_found_and_a_warning_names_the_variable(name):
    text, conditions, *_, outside, _ = OPEN[name]
    with pytest.warns(DomainWarning) as seen:
        model = sa.parse(text)
    assert [str(opened) for opened in model.domain] == conditions
    assert any(f"law of {n}" in str(w.message) or f", {n}" in str(w.message) for w in seen for n in [*outside, "t"])


@pytest.mark.parametrize("text", CLOSED)
def test_what_the_model_implies_is_not_guarded(text):
    model = sa.parse(text)  # warnings are errors
    assert model.domain == ()
    after = sa.auxiliary(model).after
    assert after.domain == () and "inside" not in sa.to_source(after).split("def log_density")[1]


@pytest.mark.parametrize(
    "text", ["s ~ uniform(-2, -1)\nz ~ normal(0, s)", "u ~ beta(1, 1)\nv = -u\nobserve x ~ bernoulli(v)"]
)
def test_what_the_model_rules_out_is_refused(text):
    with pytest.raises(ModelError, match="implies the opposite"):
        parsed(text)


@pytest.mark.parametrize("name", OPEN)
def test_generated_code_and_mpmath_are_minus_infinity_outside_with_finite_gradients(name):
    from symaux.validate import reference

    text, _, x, outside, inside = OPEN[name]
    model = parsed(text)
    logp = sa.log_density(model, {"x": x})
    value, slopes = jax.jit(jax.value_and_grad(logp))(outside)
    assert value == -math.inf and all(np.all(np.isfinite(s)) for s in slopes.values())
    assert np.isfinite(jax.jit(logp)({**outside, **inside}))
    given = {"x": np.asarray(x), **{k: np.asarray(v) for k, v in outside.items()}}
    lengths = {g: n for g, n in model.axes.lengths.items()}
    exact = reference.log_density(model, reference.Deterministics(model, given, lengths), lengths)
    assert exact == -math.inf


@pytest.mark.parametrize("name", OPEN)
def test_both_forms_have_the_same_region(name):
    text, _, x, outside, inside = OPEN[name]
    made = sa.auxiliary(parsed(text))
    aux = sa.log_density(made.after, {"x": x})
    rng = np.random.default_rng(1)
    position = {
        n: rng.normal(size=tuple(made.after.axes.lengths[a] for a in made.after.axes.of_array(n)))
        for n in made.after.latents
    }
    for values, finite in ((outside, False), ({**outside, **inside}, True)):
        at = {**position, **{k: v for k, v in values.items() if k in position}}
        value, slopes = jax.value_and_grad(aux)(jax.tree.map(np.asarray, at))
        assert bool(np.isfinite(value)) is finite
        assert all(np.all(np.isfinite(s)) for s in slopes.values())


def test_a_rewritten_law_leaves_an_indicator_and_the_text_keeps_it():
    made = sa.auxiliary(parsed(OPEN["order"][0]))
    assert [str(indicated(f)) for f in made.after.factors] == ["a < b"]
    again = parsed(made.after.text)
    assert again == made.after and again.domain == () and len(guards(again)) == 1
    verdict = made.verify()
    assert verdict.status.name == "PROVED"


def test_a_form_without_the_indicator_is_refuted():
    from dataclasses import replace

    made = sa.auxiliary(parsed(OPEN["scale"][0]))
    bare = sa.Model.derived(
        *(s for s in made.after.statements if not hasattr(s, "formula") or hasattr(s, "target")),
        observed=["x"],
        auxiliary=made.after.auxiliary,
    )
    assert not bare.factors
    assert replace(made, after=bare).verify().status.name == "REFUTED"


@pytest.mark.parametrize("name", ["scale", "order", "rate"])
def test_no_draw_of_the_posterior_is_outside(name):
    text, conditions, x, *_ = OPEN[name]
    for form in ("original", "auxiliary"):
        drawn = sa.learn.sample(parsed(text), {"x": x}, form=form, chains=2, draws=100, warmup=100, seed=3, quiet=True)
        values = {n: drawn.posterior[n].values for n in drawn.posterior}
        holds = sp.lambdify(sorted(values), sp.sympify(conditions[0]))(*(values[n] for n in sorted(values)))
        assert np.all(holds)


@pytest.mark.parametrize("name", OPEN)
def test_there_are_no_draws_from_a_prior_that_is_not_normalised(name):
    draw = sa.sample_prior(parsed(OPEN[name][0]))
    with pytest.raises(sa.SymauxError, match="does not imply"):
        draw(jax.random.key(0))


def test_an_indicator_is_recognised_and_nothing_else():
    s = sp.Symbol("s", real=True)
    assert indicated(indicator(s > 0)) == (s > 0)
    assert indicated(sa.factor(sp.Piecewise((0, s > 0), (-1, True)))) is None
    assert indicated(sa.factor(-s)) is None
