"""Evidence as JSON: there and back, checked again, and files that lie or attack."""

from __future__ import annotations

import copy
import json

import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from symaux.cli.main import cli
from symaux.exchange.archive import from_json, recheck_record, to_json
from symaux.exchange.archive.formulas import ArchiveError, decode, encode
from symaux.exchange.archive.records import as_data, from_data
from symaux.formulas.functions import registry as special
from symaux.formulas.functions.elementary import ImplicitQuantile, ndtr
from symaux.rules.verdict import Status

Z, M = sp.symbols("z m", real=True)
X, S, K = sp.symbols("x s k", positive=True)
N = sp.Symbol("n", integer=True, nonnegative=True)
THETA = sa.arrays("theta")
J = sa.plate("j", 8)
FORMULAS = [
    X ** sp.Rational(-3, 7) + sp.pi * sp.exp(-(Z**2)) - sp.oo,
    sp.Piecewise((sp.log(X), X < S / 2), (ndtr(Z), True)),
    special.gammaincinv(K, X) + sp.Max(X, 2) + sp.LambertW(-X, -1) + sp.loggamma(N + 1),
    ImplicitQuantile(X, Z, -(Z**2) / K),
    THETA[J] * sp.Sum(THETA[J] ** 2, J),
    sp.hyper([1, K], [S], -X),
]


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda e: str(e)[:30])
def test_a_formula_comes_back_as_it_was(formula: sp.Expr) -> None:
    again = decode(json.loads(json.dumps(encode(formula))))
    assert again == formula and hash(again) == hash(formula)


@pytest.fixture(scope="module")
def form() -> sa.AuxiliaryForm:
    return sa.derive(sa.half_cauchy(X, S), noise="normal")


def test_a_form_comes_back_and_holds(form: sa.AuxiliaryForm) -> None:
    record = from_json(to_json(form))
    assert (record.law, record.noise, record.value) == (form.law, form.noise, form.value)
    assert record.verdict == form.verdict and len(record.steps) == len(form.steps)
    found = recheck_record(record)
    assert found.holds and found.verdict.status is Status.PROVED


def test_the_derivation_of_a_model_comes_back_and_holds() -> None:
    y = sp.Symbol("y", real=True)
    model = sa.Model.of(sa.normal(M, 0, 1), sa.normal(THETA[J], M, 2), sa.normal(y, THETA[3], 1), observed=[y])
    found = recheck_record(from_json(to_json(sa.auxiliary(model))))
    assert found.holds and found.verdict.status is Status.PROVED


@pytest.mark.long
def test_a_certificate_comes_back_with_its_points() -> None:
    u = sp.Symbol("u", positive=True)
    lindley = sa.law(X, S**2 / (S + 1) * (1 + X) * sp.exp(-S * X))

    def quantile(of):
        value = -1 - 1 / S - sp.LambertW(-(S + 1) * (1 - u) * sp.exp(-S - 1), -1) / S
        return sa.Rewrite((sa.uniform(u, 0, 1),), value.xreplace({S: of.parameters[0]}))

    form = sa.derive(lindley, rules=(quantile,))
    assert form.verdict.status is Status.CERTIFIED
    record = from_json(to_json(form))
    assert record.verdict.points == form.verdict.points
    found = recheck_record(record)
    assert found.holds and found.verdict.status is Status.CERTIFIED
    beyond = copy.deepcopy(as_data(form))
    beyond["verdict"]["points"][0][0][1] = 1000
    assert not recheck_record(from_data(beyond)).holds


def tampered(form: sa.AuxiliaryForm, change) -> dict:
    data = copy.deepcopy(as_data(form))
    change(data)
    return json.loads(json.dumps(data))


def test_a_file_that_lies_is_found_out(form: sa.AuxiliaryForm) -> None:
    twice = tampered(form, lambda d: d.update(value=["Mul", 2, d["value"]]))
    assert not recheck_record(from_data(twice)).holds

    def wrong_step(data) -> None:
        data["steps"][0]["value"] = ["Mul", 2, data["steps"][0]["value"]]

    assert not recheck_record(from_data(tampered(form, wrong_step))).holds
    bare = recheck_record(from_data(tampered(form, lambda d: d.update(steps=[]))))
    assert bare.holds and bare.verdict.status is Status.PROVED, "the form itself is judged, whatever the steps say"
    other = tampered(form, lambda d: d["law"].update(log_density=["Symbol", "x", ["positive"]]))
    assert not recheck_record(from_data(other)).holds
    refuted = tampered(form, lambda data: data["verdict"].update(status="REFUTED"))
    assert not recheck_record(from_data(refuted)).holds, "what is proved was not refuted"


HOSTILE = {
    "no JSON": "{",
    "another JSON": "[1, 2]",
    "deep": "[" * 100_000 + "]" * 100_000,
    "no steps": json.dumps({"format": "symaux evidence 1", "verdict": {}}),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(ArchiveError):
        from_json(text)


FORMULAS_OF_AN_ENEMY = {
    "unknown function": ["__import__", "os"],
    "lambda": ["Lambda", ["Symbol", "x", []], 1],
    "name": ["Symbol", "__import__('os')", []],
    "word": ["Symbol", "x", ["finite or exit()"]],
    "number": 10**3000,
    "tower": ["Pow", 10, ["Pow", 10, 10]],
    "factorial": ["gamma", 10**9],
    "text": "x + 1",
    "float": 0.5,
    "nothing": [],
    "arguments": ["exp", 1, 2, 3],
    "constant": ["constant", "zoo"],
    "fraction": ["Rational", 1, 0],
}


SLOW = {"tower"}  # eight seconds, as the factorial takes


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.long if n in SLOW else ()) for n in FORMULAS_OF_AN_ENEMY]
)
def test_hostile_formulas_are_refused_in_time(form: sa.AuxiliaryForm, name: str) -> None:
    with pytest.raises(ArchiveError):
        from_data(tampered(form, lambda d: d.update(value=FORMULAS_OF_AN_ENEMY[name])))


def test_status_of_ones_own_making_is_refused(form: sa.AuxiliaryForm) -> None:
    with pytest.raises(ArchiveError, match="SURELY"):
        from_data(tampered(form, lambda d: d["verdict"].update(status="SURELY")))


def test_the_command_line_checks_what_it_wrote(tmp_path) -> None:
    run = CliRunner()
    made = run.invoke(cli, ["derive", "exponential", "--json"])
    path = tmp_path / "exponential.json"
    path.write_text(made.output)
    again = run.invoke(cli, ["verify", str(path)])
    assert again.exit_code == 0 and "holds" in again.output and "proved" in again.output
    data = json.loads(made.output)
    data["record"]["value"] = ["Mul", 3, data["record"]["value"]]
    path.write_text(json.dumps(data))
    assert run.invoke(cli, ["verify", str(path)]).exit_code == 1
    path.write_text("no")
    refused = run.invoke(cli, ["verify", str(path)])
    assert refused.exit_code == 2 and "[archive]" in refused.output
