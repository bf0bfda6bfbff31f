"""The text of a model is the model: improper priors keep their density, and a text that says something else is an error."""

from dataclasses import replace

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.errors import LanguageError
from symaux.language.print_model import checked_text
from symaux.language.round_trip import first_difference

FLAT = {
    "sigma ~ flat on (0, oo)\nobserve x ~ normal(0, sigma)": "log_sigma ~ improper(exp(log_sigma)) on (-oo, oo)",
    "p ~ flat on (0, 1)\nobserve x ~ bernoulli(p)": "logit_p ~ improper(exp(logit_p - 2*softplus(logit_p))) on (-oo, oo)",
    "b ~ flat on (-oo, 1)\nobserve x ~ normal(b, 1)": "log_b ~ improper(exp(log_b)) on (-oo, oo)",
    "plate j[3]\ns[j] ~ flat on (0, oo)\nobserve x[j] ~ normal(0, s[j])": "log_s[j] ~ improper(exp(log_s[j])) on (-oo, oo)",
    "plate t[3]\nh[0] ~ flat on (0, oo)\nh[t] ~ flat on (0, oo)\nobserve x[t] ~ normal(0, h[t])": "log_h[0] ~ improper(",
    "u ~ improper(exp(-u)/u) on (0, oo)\nobserve x ~ normal(0, u)": "log_u ~ improper(exp(-exp(log_u))) on (-oo, oo)",
    "a ~ flat on (-oo, oo)\nz ~ flat on (a, a + 1)\nobserve x ~ normal(z, 1)": "logit_z ~ improper(",
}


@pytest.mark.parametrize("text", FLAT)
def test_an_improper_prior_keeps_its_jacobian_in_text(text):
    model = sa.parse(text)
    after = sa.auxiliary(model).after
    assert FLAT[text] in after.text and FLAT[text] in str(after)
    assert sa.parse(model.text) == model and sa.parse(after.text) == after
    shape = tuple(model.axes.lengths.values())
    data = {"x": np.ones(shape)}
    position = {n: np.full(tuple(after.axes.lengths[a] for a in after.axes.of_array(n)), 0.4) for n in after.latents}
    assert sa.log_density(sa.parse(after.text), data)(position) == sa.log_density(after, data)(position)


def test_the_density_of_an_improper_law_is_exported():
    model = sa.parse("u ~ improper(exp(-u)/u) on (0, oo)\nobserve x ~ normal(0, u)")
    assert "target += -u - log(u)" in sa.exported(model, "stan")
    text, made = sa.exported(model, "numpyro"), {}
    exec(text, made)
    from numpyro.infer.util import log_density

    value, _ = log_density(made["model"], (1.3,), {}, {"u": jax.numpy.asarray(0.7)})
    assert np.isclose(value, sa.log_density(model, {"x": 1.3})({"u": 0.7}), rtol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "z ~ improper(exp(z))",
        "z ~ improper on (0, 1)",
        "z ~ improper(1, 2) on (0, 1)",
        "z ~ mixture(0.5, improper(1), 0.5, normal(0, 1))",
    ],
)
def test_improper_needs_one_density_and_a_support(text):
    with pytest.raises(LanguageError, match="improper"):
        sa.parse(text)


def test_a_text_that_would_be_another_model_is_an_error(monkeypatch):
    from symaux.language import print_model

    model = sa.auxiliary(sa.parse("sigma ~ flat on (0, oo)\nobserve x ~ normal(0, sigma)")).after
    lost = print_model.print_model(model).replace("improper(exp(log_sigma))", "flat")
    monkeypatch.setattr(print_model, "print_model", lambda _: lost)
    with pytest.raises(LanguageError, match="would be read as"):
        checked_text(model)


def test_differences_are_found_statement_by_statement():
    model = sa.parse("m ~ normal(0, 1)\nobserve x ~ normal(m, 2)")
    assert first_difference(model, model) is None
    assert "would be read as" in (first_difference(model, sa.parse("m ~ normal(0, 2)\nobserve x ~ normal(m, 2)")) or "")
    assert "observed" in (first_difference(model, sa.parse("m ~ normal(0, 1)\nx ~ normal(m, 2)")) or "")
    assert "statements" in (
        first_difference(model, sa.parse("m ~ normal(0, 1)\nobserve x ~ normal(m, 2)\nfactor -m^2")) or ""
    )
    law = model.statements[0]
    assert first_difference(model, replace(model, statements=(replace(law, proper=False), *model.statements[1:])))
    other = replace(law, log_density=sp.expand(law.log_density * 2) / 2)
    assert first_difference(model, replace(model, statements=(other, *model.statements[1:]))) is None
