"""Exports have no density where a condition on parameters fails that the model does not imply."""

import warnings

import jax.numpy as jnp
import numpy as np
import pytest
from numpyro.infer.util import log_density

import symaux as sa
from symaux.errors import DomainWarning

# a text, and a line of Stan that rejects points outside
MODELS = {
    "s ~ normal(0, 1)\nz ~ normal(0, s)\nobserve x ~ normal(z, 1)": 'if (!(s > 0)) reject("s > 0 does not hold");',
    "a ~ normal(0, 1)\nb ~ normal(0, 1)\nz ~ uniform(a, b)\nobserve x ~ normal(z, 1)": "if (!(a < b)) reject",
    "s ~ normal(0, 1)\nz ~ exponential(s)\nobserve x ~ normal(z, 1)": "if (!(s > 0)) reject",
    "p ~ normal(0.5, 1)\nobserve x ~ bernoulli(p)": "if (!(p >= 0)) reject",
    "s ~ normal(0, 1)\nt = s + 1\nz ~ normal(0, sqrt(t))\nobserve x ~ normal(z, 1)": "if (!(sqrt(t) > 0)) reject",
    "plate k[2]\nw[k] ~ dirichlet(2)\ns[k] ~ cauchy(0, 1)\nobserve x ~ mixture(w[k], normal(0, s[k]))": "(!(s[k] > 0)) reject",
}


def parsed(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DomainWarning)
        return sa.parse(text)


@pytest.mark.filterwarnings("ignore:Out-of-support")
@pytest.mark.parametrize("text", MODELS)
def test_numpyro_agrees_inside_and_outside(text):
    model, made = parsed(text), {}
    exec(sa.exported(model, "numpyro"), made)
    mine = sa.log_density(model, {"x": 1.0})
    rng, finite = np.random.default_rng(0), 0
    for _ in range(20):
        at = {
            n: jnp.asarray(rng.normal(size=tuple(model.axes.lengths[a] for a in model.axes.of_array(n))))
            for n in model.latents
        }
        if "w" in at:
            at["w"] = jnp.array([0.3, 0.7])
        if "z" in at and "exponential" in text:
            at["z"] = jnp.abs(at["z"])
        if "uniform" in text:
            at["z"] = (at["a"] + at["b"]) / 2
        theirs, _ = log_density(made["model"], (), {"x": jnp.asarray(1.0)}, at)
        assert np.isclose(mine(at), theirs, rtol=1e-10) or mine(at) == theirs == -np.inf
        finite += bool(np.isfinite(theirs))
    assert 0 < finite < 20


@pytest.mark.parametrize("text", MODELS)
def test_the_auxiliary_form_in_numpyro_has_the_same_region(text):
    made, after = {}, sa.auxiliary(parsed(text))
    exec(sa.exported(after, "numpyro"), made)
    mine = sa.log_density(after.after, {"x": 1.0})
    rng, seen = np.random.default_rng(1), set()
    if "w[k]" in text:
        pytest.skip("its kept weights are exported in other coordinates")
    for _ in range(20):
        at = {n: jnp.asarray(rng.normal()) for n in after.after.latents}
        theirs, _ = log_density(made["model"], (), {"x": jnp.asarray(1.0)}, at)
        assert np.isclose(mine(at), theirs, rtol=1e-10) or mine(at) == theirs == -np.inf
        seen.add(bool(np.isfinite(theirs)))
    assert seen == {True, False}


@pytest.mark.parametrize("text", MODELS)
def test_stan_rejects_and_pymc_has_a_potential(text):
    model = parsed(text)
    for form in (model, sa.auxiliary(model)):
        assert MODELS[text] in sa.exported(form, "stan")
        if "dirichlet" not in text:
            assert "pt.switch(" in sa.exported(form, "pymc") and "-math.inf" in sa.exported(form, "pymc")


def test_what_is_implied_is_not_written():
    model = sa.parse("tau ~ half_cauchy(1)\nz ~ normal(0, tau)\nobserve x ~ normal(z, 1)")
    assert "reject" not in sa.exported(model, "stan") and "where" not in sa.exported(sa.auxiliary(model), "numpyro")
