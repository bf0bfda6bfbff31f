"""Models print themselves as text, and read back."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
import sympy as sp
from fuzz.strategies import models
from hypothesis import HealthCheck, given, settings
from support.model_texts import EVERYTHING, LAWS, SCHOOLS, VECTORS
from support.models import eight_schools
from support.paths import GALLERY

import symaux as sa
from symaux.language.print_model import display_model
from symaux.laws.family import Positive, Probability, family

SCRIPTS = [path.stem for path in sorted(GALLERY.glob("*.py")) if "model = sa.Model" in path.read_text(encoding="utf-8")]


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(GALLERY / f"{name}.py"))


def round_trip(model: sa.Model) -> None:
    assert sa.parse(model.text) == model, model.text
    assert str(model) == model.text


def test_eight_schools_is_what_python_builds() -> None:
    assert sa.parse(SCHOOLS) == eight_schools()


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_model_of_the_gallery_reads_back(name: str) -> None:
    made = script(name)
    round_trip(made["model"])
    round_trip(sa.auxiliary(made["model"], **made.get("options", {})).after)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(models(most=6))
def test_random_models_read_back(model: sa.Model) -> None:
    round_trip(model)


def test_everything_there_is() -> None:
    model = sa.parse(EVERYTHING)
    W, z, pick, alpha, h = *sa.arrays("W z"), sa.arrays("pick", integer=True), *sa.arrays("alpha h")
    n, i, k, t = sa.plate("n"), sa.plate("i", 3), sa.plate("k", 2), sa.plate("t", 5)
    assert model.inputs == ("W", "offset", "pick") and model.observed == {"y"}
    assert model.nodes["eta"].general.formulas == (sp.Sum(W[i, k] * z[n, k], k) + sp.Symbol("offset", real=True),)
    assert model.nodes["h"].initial[0] == sa.normal(h[0], 0, 1)
    assert model.nodes["h"].general == sa.normal(h[t], sp.Rational(9, 10) * h[t - 1], sp.Rational(1, 10))
    assert alpha[pick[n]] in model.nodes["y"].general.log_density.atoms(sp.Indexed)
    q = sp.Symbol("q", positive=True)
    assert model.nodes["q"].general == sa.kumaraswamy(q, 2, 3)
    round_trip(model)


@pytest.mark.parametrize("text", LAWS)
def test_laws(text: str) -> None:
    model = sa.parse(text)
    assert model.nodes["x"].general == LAWS[text](sp.Symbol("x", positive=True))
    round_trip(model)


@pytest.mark.parametrize("text", VECTORS)
def test_what_else_reads_back(text: str) -> None:
    round_trip(sa.parse(text))


def test_a_family_of_the_users_own_becomes_a_law_of_the_text() -> None:
    @family
    def half_logistic(z: Any, scale: Positive) -> Any:
        return sp.log(2) - z / scale - 2 * sp.log(1 + sp.exp(-z / scale)) - sp.log(scale), sa.Interval(0, sp.oo)

    x = sp.Symbol("x", positive=True)
    model = sa.Model.of(half_logistic(x, 3))
    assert model.text.startswith("law half_logistic(z | scale > 0) on (0, oo) = exp(")
    round_trip(model)


def test_a_family_with_another_domain_is_written_by_its_density() -> None:
    @family
    def geometric(z: Any, p: Probability) -> Any:
        return z * sp.log(1 - p) + sp.log(p), sa.Integers(0, sp.oo)

    n, p = sp.Symbol("n", real=True), sp.Symbol("p", real=True)
    model = sa.Model.of(sa.uniform(p, 0, 1), geometric(n, p), observed=[n])
    assert "on {0, ..., oo} given 0 <= p <= 1" in model.text
    round_trip(model)


def test_an_auxiliary_form_keeps_what_is_auxiliary() -> None:
    aux = sa.auxiliary(sa.parse(SCHOOLS)).after
    assert "auxiliary eps_theta, log_tau" in aux.text
    back = sa.parse(aux.text)
    assert back == aux and back.auxiliary == {"eps_theta", "log_tau"}


def test_what_the_language_cannot_say_is_still_shown() -> None:
    odd, x = sp.Symbol("x; import os", real=True), sp.Symbol("x", real=True)
    model = sa.Model.of(sa.normal(odd, 0, 1), sa.normal(x, odd, 1))
    with pytest.raises(sa.LanguageError, match="cannot express the variable 'x; import os'"):
        _ = model.text
    assert str(model) == display_model(model) == "x; import os ~ normal(0, 1)\nx ~ normal(x; import os, 1)"


def test_a_chain_of_a_thousand() -> None:
    lines = ["z0 ~ normal(0, 1)", *(f"z{k} ~ normal(z{k - 1}, 1)" for k in range(1, 1000))]
    model = sa.parse("\n".join(lines))
    assert len(model.nodes) == 1000 and model.text == "\n".join(lines)


@pytest.mark.parametrize("keep_roots", [True, False])
@pytest.mark.parametrize("text", [text for text in VECTORS if any(w in text for w in ("multi", "diri", "lkj", "wish"))])
def test_auxiliary_forms_of_vectors_read_back(text: str, keep_roots: bool) -> None:
    aux = sa.auxiliary(sa.parse(text), keep_roots=keep_roots).after
    round_trip(aux)
    noises = [law for law in aux.statements if isinstance(law, sa.Law) and str(law).endswith("normal(0, 1)")]
    assert not any(law.value.is_positive for law in noises)  # what a gamma variable is made of has both signs


def test_a_sign_before_a_product_stays_outside() -> None:
    x, y = sp.symbols("x y", real=True)
    for mean in (sp.Mul(-1, 2 - x, sp.tanh(x)), (x - 2) * sp.tanh(x), -sp.tanh(x) / (1 + x**2)):
        round_trip(sa.Model.of(sa.normal(x, 0, 1), sa.normal(y, mean, 1)))


def test_an_input_of_which_only_one_element_is_read_comes_back() -> None:
    tau, limit = sp.Symbol("tau", positive=True), sa.arrays("limit", positive=True)
    text = str(sa.Model.of(sa.exponential(tau, 1), sa.factor(-tau * limit[0])))
    assert "data limit[limit_0] > 0" in text and str(sa.parse(text)) == text
