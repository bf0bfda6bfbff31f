"""Chosen forms: weights by a derived criterion or by a variational run, frozen in a verified model, drawn and told."""

from __future__ import annotations

import json
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from support.paths import GALLERY

import symaux as sa
from symaux.api import apply_choice
from symaux.cli.main import cli
from symaux.rules.choice import Choice

TEXT = """plate j
data sigma[j] > 0
mu ~ Normal(0, 5)
tau ~ HalfCauchy(5)
theta[j] ~ Normal(mu, tau)
observe y[j] ~ Normal(theta[j], sigma[j])
"""


def hierarchy() -> sa.Model:
    return sa.parse(TEXT)


def data(*sigma: float) -> dict[str, Any]:
    """Twenty groups with these errors in turn."""
    rng, errors = np.random.default_rng(1), np.resize(sigma, 20)
    return {"y": 1 + rng.normal(size=20) + errors * rng.normal(size=20), "sigma": errors}


def test_weak_and_sharp_data_give_the_pure_forms_themselves() -> None:
    model = hierarchy()
    weak = sa.auxiliary(model, choose="advise", data=data(30.0))
    sharp = sa.auxiliary(model, choose="advise", data=data(0.02))
    assert weak.after == sa.auxiliary(model).after and weak.choice.weights == {"theta": 0.0}
    assert sharp.after == sa.unconstrain(model).after and sharp.choice.weights == {"theta": 1.0}
    assert weak.choice.reasons["theta"].startswith("auxiliary form: the data are weaker")
    assert "sharper than its prior" in sharp.kept["theta"] and "root" in sharp.choice.reasons["mu"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("how", ["advise", "learn"])
def test_elements_go_their_own_ways_and_the_model_is_proved(how: str) -> None:
    given = data(0.02, 20.0)
    made = sa.auxiliary(hierarchy(), choose=how, data=given)
    weights = np.asarray(made.choice.weights["theta"])
    assert weights[::2].min() > 0.9 and weights[1::2].max() < 0.3
    assert made.verify().status is sa.Status.PROVED
    assert set(made.choice.inputs) == {"lambda_theta"} and 0 < made.choice.gradients < 12000
    result = sa.learn.sample(made, given, draws=20, warmup=20, chains=2, quiet=True)  # the weights are known to it
    assert np.isfinite(result.posterior["theta"].values).all()


def test_elements_alike_share_a_number_that_stands_in_the_formulas() -> None:
    made = apply_choice(hierarchy(), {"theta": 0.4}, {}, "normal")
    assert made.after.inputs == ("sigma",) and "partial_theta" in made.after.latents
    assert made.verify().status is sa.Status.PROVED


@pytest.mark.sweep(4)
@pytest.mark.parametrize("second", [1, pytest.param(sp.Symbol("b", positive=True), marks=pytest.mark.long)], ids=str)
@pytest.mark.parametrize("how", ["advise", "learn"])
def test_a_law_with_shapes_only_goes_part_of_the_way(how: str, second: Any) -> None:
    a, b = sp.Symbol("a", positive=True), sp.Integer(1) if second == 1 else second
    v, (k, n), j = sa.arrays("v", positive=True), sa.arrays("k n", integer=True, positive=True), sa.plate("j")
    law = sa.law(v[j], a * b * v[j] ** (a - 1) * (1 - v[j] ** a) ** (b - 1), support=(0, 1))
    priors = [sa.log_normal(a, 1, 1), *([] if second == 1 else [sa.log_normal(b, 1, 1)])]
    model = sa.Model.of(*priors, law, sa.binomial(k[j], n[j], v[j]), observed=[k])
    rng, trials = np.random.default_rng(3), np.resize([1, 3000], 20)
    seen = rng.binomial(trials, (1 - rng.uniform(size=20) ** (1 if second == 1 else 0.25)) ** 0.4)
    made = sa.auxiliary(model, choose=how, data={"k": seen, "n": trials})
    weights = np.asarray(made.choice.weights["v"])
    assert (
        weights[1::2].min() > 0.9 and weights[::2].max() < 0.6 and weights[::2].mean() < 0.35
    )  # 3,000 trials, and one
    assert made.verdict.status is sa.Status.PROVED and made.steps[-1].rule == "interpolation"
    assert "sharp for some elements" in made.choice.reasons["v"] or how == "learn"
    result = sa.learn.sample(made, {"k": seen, "n": trials}, draws=20, warmup=20, chains=2, quiet=True)
    assert np.isfinite(result.posterior["v"].values).all()


@pytest.mark.long
def test_a_law_without_a_closed_form_in_between_takes_one_of_the_pure_forms() -> None:
    a, v, k = sp.Symbol("a", positive=True), sa.arrays("v", positive=True), sa.arrays("k", integer=True)
    j = sa.plate("j", 6)
    model = sa.Model.of(sa.gamma(a, 2, 1), sa.beta(v[j], a, 2), sa.binomial(k[j], 400, v[j]), observed=[k])
    made = sa.auxiliary(model, choose="advise", data={"k": np.array([100, 150, 220, 80, 300, 120])})
    assert made.choice.weights["v"] == 1.0 and "no closed form part of the way" in made.choice.reasons["v"]
    assert made.after == sa.unconstrain(model).after


def test_what_is_missing_is_said_with_what_to_do() -> None:
    with pytest.raises(sa.DataError, match=r"needs sigma, y\n  try: sa.auxiliary"):
        sa.auxiliary(hierarchy(), choose="advise")
    with pytest.raises(sa.ModelError, match="only=nobody: the model has no such latent"):
        sa.auxiliary(hierarchy(), only=["nobody"], choose="advise", data=data(1.0))
    with pytest.raises(sa.ModelError, match="one of all, advise, learn"):
        sa.auxiliary(hierarchy(), choose="some")
    funnel = runpy.run_path(str(GALLERY / "funnel.py"))["model"]
    assert sa.auxiliary(funnel, choose="advise").choice.weights == {"x": 0.0}  # nothing is observed: nothing is missing


def chosen() -> sa.Derivation:
    made = apply_choice(hierarchy(), {"theta": 0.25}, {}, "normal")
    reasons = {"mu": "a root", "tau": "a root", "theta": "in between, weight 0.25: the data are <weak>"}
    return replace(made, choice=Choice("advise", {"theta": 0.25}, reasons, {}, 1234))


def test_pictures_are_shaded_by_weights() -> None:
    drawn = sa.render(chosen())
    assert "theta, λ = 0.25" in drawn and 'fill="#80c7ee"' in drawn  # three quarters of the way from white
    assert drawn.count("λ = 0, auxiliary form") == 1 and "chosen forms" in drawn
    assert "λ = " not in sa.render(sa.auxiliary(hierarchy()))
    assert "fill=symauxshade!75" in sa.render(chosen(), format="tikz")
    assert sa.render(chosen(), format="png")[:4] == b"\x89PNG"


def test_reports_say_why() -> None:
    page = sa.report(chosen(), "schools")
    assert "the data are &lt;weak&gt;" in page and "1,234 gradients" in page and "Chosen forms" in page
    assert "How far, and why" not in sa.report(sa.auxiliary(hierarchy()), "schools")


def test_forms_with_interpolated_parameters_are_drawn_reported_and_explained() -> None:
    a, v, j = sp.Symbol("a", positive=True), sa.arrays("v", positive=True), sa.plate("j", 3)
    model = sa.Model.of(sa.log_normal(a, 0, 1), sa.law(v[j], a * v[j] ** (a - 1), support=(0, 1)))
    made = apply_choice(model, {"v": sp.Rational(1, 2)}, {}, "normal")
    made = replace(made, choice=Choice("advise", {"v": 0.5}, {"v": "in between, weight 0.50"}, {}, 12))
    assert made.verify().status is sa.Status.PROVED
    assert "v′" in sa.render(made) and r"v'_{j}" in sa.render(made, format="tikz")
    assert "in between, weight 0.50" in sa.report(made, "shapes")
    assert "interpolation" in made.explain() and "interpolation" in made.explain("html")
    assert "partial_v" in sa.to_source(made)


def test_the_command_line_chooses(tmp_path: Path) -> None:
    model, values = tmp_path / "schools.symaux", tmp_path / "schools.json"
    model.write_text(TEXT, encoding="utf-8")
    values.write_text(json.dumps({n: v.tolist() for n, v in data(0.02, 20.0).items()}), encoding="utf-8")
    bare = CliRunner().invoke(cli, ["derive", str(model), "--choose", "advise"])
    assert bare.exit_code == 2 and "--data FILE" in bare.output
    done = CliRunner().invoke(cli, ["derive", str(model), "--choose", "advise", "--data", str(values), "--json"])
    choice = json.loads(done.output)["choice"]
    assert done.exit_code == 0 and choice["weights"]["theta"][:2] == [1.0, 0.0] and choice["gradients"] > 0
    out = tmp_path / "made.py"
    written = CliRunner().invoke(
        cli, ["export", str(model), "--choose", "advise", "--data", str(values), "-o", str(out)]
    )
    assert written.exit_code == 0, written.output
    assert json.loads(out.with_suffix(".weights.json").read_text())["lambda_theta"][:2] == [1.0, 0.0]
    wrong = CliRunner().invoke(cli, ["derive", str(model), "--data", str(values)])
    assert wrong.exit_code == 2 and "--choose advise" in wrong.output
