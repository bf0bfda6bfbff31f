"""Models as text: what the language means, that models print themselves in it and read back, and where errors point."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from test_random_models import models

import symaux as sa
from symaux.language.assumptions import WORDS
from symaux.language.grammar import KEYWORDS
from symaux.language.model_functions import model_functions
from symaux.language.print_model import display
from symaux.laws.family import Positive, Probability, family

GALLERY = Path(__file__).parents[1] / "gallery"
SCRIPTS = [path.stem for path in sorted(GALLERY.glob("*.py")) if "model = sa.Model" in path.read_text(encoding="utf-8")]
SCHOOLS = """
# eight schools
plate j[8]
data sigma[j] > 0
mu ~ Normal(0, 5)
tau ~ HalfCauchy(5)
theta[j] ~ Normal(mu, tau)
observe y[j] ~ Normal(theta[j], sigma[j])
"""


def script(name: str) -> dict[str, Any]:
    return runpy.run_path(str(GALLERY / f"{name}.py"))


def round_trip(model: sa.Model) -> None:
    assert sa.parse(model.text) == model, model.text
    assert str(model) == model.text


def test_eight_schools_is_what_python_builds() -> None:
    mu, tau, j = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True), sa.plate("j", 8)
    (theta, y), sigma = sa.arrays("theta y"), sa.arrays("sigma", positive=True)
    assert sa.parse(SCHOOLS) == sa.Model.of(
        sa.normal(mu, 0, 5),
        sa.half_cauchy(tau, 5),
        sa.normal(theta[j], mu, tau),
        sa.normal(y[j], theta[j], sigma[j]),
        observed=[y],
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_model_of_the_gallery_reads_back(name: str) -> None:
    made = script(name)
    round_trip(made["model"])
    round_trip(sa.auxiliary(made["model"], **made.get("options", {})).after)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(models(most=6))
def test_random_models_read_back(model: sa.Model) -> None:
    round_trip(model)


EVERYTHING = """
plate n            # sized by data
plate i[3]
plate k[2]
plate t[5]
data W[i, k]
data pick[n]
param offset
law Kuma(z | a > 0, b > 0) on (0, 1) = a*b*z^(a-1)*(1-z^a)^(b-1)
z[n, k] ~ normal(0, 1)
eta[n, i] = sum(k, W[i,k]*z[n,k]) +
    offset
h[0] ~ normal(0, 1)
h[t] ~ normal(0.9*h[t-1], 0.1)
q ~ Kuma(2, b=3)
alpha[i] ~ student_t(df=4, loc=0, scale=q)
observe y[n, i] ~ normal(eta[n, i] + alpha[pick[n]], exp(h[2]))
factor -q**2
""".replace("+\n    offset", "+ (\n    offset)")


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


LAWS = {
    "x ~ 3*x**2 on (0, 1)": lambda x: sa.law(x, 3 * x**2, support=(0, 1)),
    "x ~ exp(-x) on (0, oo)": lambda x: sa.law(x, sp.exp(-x)),
    "x ~ flat on (0, 1)": lambda x: sa.flat(x, (0, 1)),
    "x ~ flat on (0, oo)": lambda x: sa.flat(x),
    "x ~ mixture(0.3, exponential(1), 0.7, exponential(2))": lambda x: sa.mixture(
        x, (0.3, sa.exponential(x, 1)), (0.7, sa.exponential(x, 2))
    ),
    "x ~ Uniform(lower=0, upper=1)": lambda x: sa.uniform(x, 0, 1),
    "x ~ INVERSE_GAMMA(2, 3)": lambda x: sa.inverse_gamma(x, 2, 3),
}


@pytest.mark.parametrize("text", LAWS)
def test_laws(text: str) -> None:
    model = sa.parse(text)
    assert model.nodes["x"].general == LAWS[text](sp.Symbol("x", positive=True))
    round_trip(model)


VECTORS = [
    "plate i[3]\nplate j[3]\nK = 1\ndata x[i]\nf[i] ~ multivariate_normal(0, exp(-(x[i] - x[j])^2) + kronecker(i, j))",
    "plate i[3]\nplate j[3]\ndata L[i, j]\nf[i] ~ multivariate_normal(2*i, cholesky=L[i, j])",
    "plate i[3]\nplate j[3]\ndata L[i, j]\nf[i] ~ multivariate_student_t(4, 1, precision=L[i, j])",
    "plate k[3]\np[k] ~ dirichlet(2)\nplate n\nobserve y[n] ~ categorical(p[k])",
    "plate k\ndata a[k] > 0\np[k] ~ dirichlet(a[k])",
    "plate i[3]\nplate j[3]\nL[i, j] ~ lkj_cholesky(2)",
    "plate i[3]\nplate j[3]\ndata V[i, j]\nS[i, j] ~ wishart(5, V[i, j])",
    "plate i[3]\nplate j[3]\ndata V[i, j]\nS[i, j] ~ inverse_wishart(5, cholesky=V[i, j])",
    "plate k[3]\ndata w[k] > 0\ndata m[k]\ny ~ mixture(w[k], normal(m[k], 1))",
    "var x any\nx ~ normal(0, 1)",
    "var n real\nobserve n ~ poisson(3)\nvar m integer\nobserve m ~ poisson(3)",
    "plate j[3]\ndata s[j]\nx ~ normal(0, 1)\nobserve y[j] ~ normal(where(x < 0, 0, x <= 1, x, 1), s[j])",
    "data k\nx ~ normal(0, 1)\nobserve y ~ normal(where(k < 0, x, k > 0, x, 2*x), 1)",  # sympy joins the first two
    "data k\nx ~ normal(0, 1)\nobserve y ~ normal(where(k == 0, x, k != 3 and x < 1 or x > 2, 1, 2*x), 1)",
    "x ~ normal(0, 1)\nobserve k ~ exp(-loggamma(k + 1) + k*softplus(x) - exp(softplus(x))) on {0, ..., oo}",
    "param a\nparam b\nx ~ exp(-log(b - a)) on (a, b) given a < b",
]


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


def test_words_that_begin_lines_may_be_names() -> None:
    model = sa.parse(
        "data ~ normal(0, 1)\nfactor = 2*data\nobserve on ~ normal(factor, 1)\nobserve given ~ normal(on, 1)"
    )
    assert model.latents == ("data",) and model.observed == {"on", "given"}
    round_trip(model)


def test_what_the_language_cannot_say_is_still_shown() -> None:
    odd, x = sp.Symbol("x; import os", real=True), sp.Symbol("x", real=True)
    model = sa.Model.of(sa.normal(odd, 0, 1), sa.normal(x, odd, 1))
    with pytest.raises(sa.LanguageError, match="no variable 'x; import os'"):
        _ = model.text
    assert str(model) == display(model) == "x; import os ~ normal(0, 1)\nx ~ normal(x; import os, 1)"


def test_a_chain_of_a_thousand() -> None:
    lines = ["z0 ~ normal(0, 1)", *(f"z{k} ~ normal(z{k - 1}, 1)" for k in range(1, 1000))]
    model = sa.parse("\n".join(lines))
    assert len(model.nodes) == 1000 and model.text == "\n".join(lines)


POINTS = {
    "mu ~ normal(0, 5)\ntheta ~ normal(mu, tua)\ntau ~ half_cauchy(5)": (
        "line 2, column 20: unknown name 'tua'; did you mean tau?\n  theta ~ normal(mu, tua)\n" + " " * 21 + "^"
    ),
    "mu ~ nromal(0, 5)": "line 1, column 6: unknown law 'nromal'; did you mean normal?\n  mu ~ nromal(0, 5)\n"
    + " " * 7
    + "^",
    "mu ~ normal(0, -5)": "line 1, column 1: normal(mu, ...): scale must be positive, but is -5\n  mu ~ normal(0, -5)\n  ^",
    "a ~ normal(b, 1)\nb ~ normal(a, 1)": "line 1, column 1: the model has a cycle: b -> a -> b\n  a ~ normal(b, 1)\n  ^",
    "plate j[8]\nplate j[9]\nx ~ normal(0, 1)": "line 2, column 7: j is a plate already\n  plate j[9]\n"
    + " " * 8
    + "^",
    "x ~ normal(0,\n 1\ny ~ normal(0, 1)": "line 1, column 11: this '(' is never closed\n  x ~ normal(0,\n"
    + " " * 12
    + "^",
}


@pytest.mark.parametrize("text", POINTS)
def test_errors_point_at_the_place(text: str) -> None:
    with pytest.raises(sa.SymauxError) as caught:
        sa.parse(text)
    assert str(caught.value) == POINTS[text]


LANGUAGE = Path(sa.__file__).parent / "language"


def test_the_examples_of_the_reference_are_models_and_its_functions_are_those_there_are() -> None:
    page = (LANGUAGE / "reference.md").read_text(encoding="utf-8")
    examples = re.findall(r"```symaux\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        round_trip(sa.parse(example))
    (listed,) = re.findall(r"the functions\n`(.*?)`", page, re.DOTALL)
    assert set(listed.split()) <= set(model_functions())
    assert all(f"| `{word} " in page or f"`{word} " in page for word in KEYWORDS if word not in ("on", "given"))


def test_the_editor_grammar_knows_every_word() -> None:
    grammar = json.loads((LANGUAGE / "symaux.tmLanguage.json").read_text(encoding="utf-8"))
    patterns = json.dumps(grammar)
    assert grammar["fileTypes"] == ["symaux"]
    for word in (*KEYWORDS, *WORDS, "any", "pi", "oo"):
        assert re.search(rf"[(|]{word}[)|]", patterns), word
    for match in re.findall(r'"match": "((?:[^"\\\\]|\\\\.)*)"', patterns):
        re.compile(json.loads(f'"{match}"'))


def test_a_model_from_text_runs() -> None:
    made = script("eight_schools")
    position = {"mu": 1.0, "tau": 2.0, "theta": np.arange(8.0)}
    text = sa.log_density(sa.parse(SCHOOLS), made["data"]())(position)
    python = sa.log_density(made["model"], made["data"]())(position)
    assert float(text) == float(python)


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


@pytest.mark.parametrize(
    "line",
    [
        "f[i] = correlated(d[i], K[i, j], i)",
        "f[i] = correlated(d[i], K[i, j], i, j, upside_down)",
        "f[i] = correlated(d[i], K[i, j], i, x)",
        "f[i] ~ exp(-sum(i, f[i]^2)) on reals(x)",
        "f[i] ~ exp(-sum(i, f[i]^2)) on things(i)",
        "f[i] ~ exp(-sum(j, d[j]^2)) on reals(j)",
        "f[i] ~ 2*exp(-sum(i, f[i]^2)) on reals(i)",
    ],
)
def test_functions_and_densities_of_vectors_are_checked(line: str) -> None:
    with pytest.raises(sa.LanguageError, match="line 5"):
        sa.parse(f"plate i[3]\nplate j[3]\ndata K[i, j]\nd[i] ~ normal(K[i, i], 1)\n{line}")


def test_an_input_of_which_only_one_element_is_read_comes_back() -> None:
    tau, limit = sp.Symbol("tau", positive=True), sa.arrays("limit", positive=True)
    text = str(sa.Model.of(sa.exponential(tau, 1), sa.factor(-tau * limit[0])))
    assert "data limit[limit_0] > 0" in text and str(sa.parse(text)) == text
