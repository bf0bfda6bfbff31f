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
from symaux.exchange.archive.records import as_data, from_data
from symaux.formulas.algebra.encoding import ArchiveError, decode, encode
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
    with pytest.raises(ArchiveError, match="says that it is x ~ half_cauchy"):
        from_data(other)
    other["law"]["family"] = None
    assert not recheck_record(from_data(other)).holds
    refuted = tampered(form, lambda data: data["verdict"].update(status="REFUTED"))
    assert not recheck_record(from_data(refuted)).holds, "what is proved was not refuted"


HOSTILE = {
    "no JSON": "{",
    "another JSON": "[1, 2]",
    "deep": "[" * 100_000 + "]" * 100_000,
    "no steps": json.dumps({"format": "symaux evidence 2", "verdict": {}}),
    "an older format": json.dumps({"format": "symaux evidence 1", "steps": [], "verdict": {}}),
    "a field twice": '{"format": "symaux evidence 2", "format": "symaux evidence 2"}',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_not_a_record_is_refused(text: str) -> None:
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


def change(path: str, value):
    """Return a change of one field of a record; a value may be a function of the field's old content."""

    def apply(data) -> None:
        *front, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        for part in front:
            data = data[part]
        data[last] = value(data[last]) if callable(value) else value

    return apply


MU = ["Symbol", "mu", ["real"]]


@pytest.fixture(scope="module")
def shifted() -> sa.AuxiliaryForm:
    return sa.derive(sa.normal(Z, sp.Symbol("mu", real=True), 1))


def as_noise(data, symbol) -> None:
    """Call the noise by another symbol everywhere, as someone would who wants it captured."""
    text = json.dumps(data).replace(json.dumps(["Symbol", "eps_z", ["real"]]), json.dumps(symbol))
    data.clear()
    data.update(json.loads(text))


CAPTURED = {
    "the parent is captured": MU,
    "the value is captured": ["Symbol", "z", ["real"]],
    "the parent with other assumptions": ["Symbol", "mu", ["positive"]],
}


@pytest.mark.parametrize("case", CAPTURED)
def test_a_captured_name_does_not_hold(shifted: sa.AuxiliaryForm, case: str) -> None:
    data = tampered(shifted, lambda d: as_noise(d, CAPTURED[case]))
    try:
        found = recheck_record(from_data(data))
    except ArchiveError:
        return
    assert not found.holds and found.verdict.status is not Status.PROVED


def test_twice_the_mean_is_not_a_normal_variable() -> None:
    """The record of z = 2*mu, a noise called mu, for N(mu, 1)."""
    mu = sp.Symbol("mu", real=True)
    law, noise = sa.normal(Z, mu, 1), sa.normal(mu, 0, 1)
    form = sa.AuxiliaryForm(law, (noise,), 2 * mu, (), sa.verify(law, sa.Rewrite((noise,), 2 * mu)))
    lie = tampered(form, lambda d: d["verdict"].update(status="PROVED", evidence=[], region=["mu real"]))
    found = recheck_record(from_data(lie))
    assert not found.holds and "not fresh" in str(found)


def test_two_noises_under_one_name_do_not_hold() -> None:
    e = sp.Symbol("e", real=True)
    law, noise = sa.normal(Z, 0, sp.sqrt(2)), sa.normal(e, 0, 1)
    claimed = sa.derive(law).verdict
    for value in (sp.sqrt(2) * e, 2 * e):
        form = sa.AuxiliaryForm(law, (noise, noise), value, (), claimed)
        assert not recheck_record(from_json(to_json(form))).holds


LIES = {
    "a stronger region": change("verdict.region", []),
    "a region of another symbol": change("verdict.region", ["s positive", "q > 0"]),
    "a region beside the form": change("verdict.region", ["s > 1000"]),
    "a step's region": change("steps.0.verdict.region", ["s real"]),
    "the variable of a step": change("steps.0.variable", "y"),
    "steps in part": change("steps", lambda steps: steps[:1]),
    "a step twice": change("steps", lambda steps: [*steps, steps[0]]),
    "another noise": change("noise.0.support", ["interval", 0, ["constant", "oo"]]),
    "a witness of what is proved": change("verdict.witness", {"z": "1"}),
    "the status of a step": change("steps.0.verdict.status", "REFUTED"),
    "a condition of a step": change(
        "steps.0.before.conditions", [["StrictGreaterThan", ["Symbol", "s", ["positive"]], 1000]]
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_everything_that_a_record_says_must_follow(form: sa.AuxiliaryForm, lie: str) -> None:
    assert recheck_record(from_data(tampered(form, lambda d: None))).holds
    data = tampered(form, LIES[lie])
    try:
        found = recheck_record(from_data(data))
    except ArchiveError:
        return
    assert not found.holds and found.flaws


UNKNOWN = {
    "a field of the record": change("colour", "red"),
    "a field of the law": change("law.colour", "red"),
    "a field of a step": change("steps.0.colour", "red"),
    "a field of the verdict": change("verdict.colour", "red"),
    "no noise": lambda d: d.pop("noise"),
    "no steps": lambda d: d.pop("steps"),
    "no law": lambda d: d.pop("law"),
    "no region": lambda d: d["verdict"].pop("region"),
    "no conditions": lambda d: d["law"].pop("conditions"),
    "a family of its own making": change("law.family", ["surely_normal", 0, 1]),
    "a family with other arguments": change("law.family", ["half_cauchy", 2]),
    "evidence that is not text": change("verdict.evidence", [1]),
    "proper is a number": change("law.proper", 1),
    "a name that is normalised away": change("law.value", ["Symbol", "\u212a", ["positive"]]),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_unknown_and_missing_fields_are_refused(form: sa.AuxiliaryForm, case: str) -> None:
    with pytest.raises(ArchiveError):
        from_data(tampered(form, UNKNOWN[case]))


def words(*arguments: str) -> dict:
    return json.loads(CliRunner().invoke(cli, ["derive", *arguments, "--json"]).output)


SAID = {
    "value": "2*eps_z/rate",
    "law": {"value": "z", "log_density": "-z", "support": "(0, oo)"},
    "verdict": {"status": "PROVED", "evidence": ["by decree"], "region": [], "witness": {}},
    "noise": [],
    "steps": [],
    "remark": "checked by a committee",
}


@pytest.mark.parametrize("field", SAID)
def test_the_readable_part_must_say_what_the_record_says(field: str) -> None:
    data = words("exponential")
    assert recheck_record(from_data(data)).holds
    lie = recheck_record(from_data({**data, field: SAID[field]}))
    assert not lie.holds and field in str(lie)
    lacking = {name: part for name, part in data.items() if name != field}
    assert field not in data or not recheck_record(from_data(lacking)).holds


@pytest.fixture(scope="module")
def aux() -> sa.Derivation:
    y = sp.Symbol("y", real=True)
    tau = sp.Symbol("tau", positive=True)
    model = sa.Model.of(
        *(sa.normal(M, 0, 1), sa.half_cauchy(tau, 1), sa.normal(THETA[J], M, tau), sa.normal(y, THETA[3], 1)),
        observed=[y],
    )
    return sa.auxiliary(model)


def other_steps(data) -> None:
    y = sp.Symbol("y", real=True)
    model = sa.Model.of(sa.normal(M, 0, 1), sa.normal(THETA[J], M, 7), sa.normal(y, THETA[3], 1), observed=[y])
    data["steps"] = as_data(sa.auxiliary(model))["steps"]


def swap_models(data) -> None:
    data["before"], data["after"] = data["after"], data["before"]


MODEL_LIES = {
    "steps of another model": other_steps,
    "no steps": change("steps", []),
    "a step missing": change("steps", lambda steps: steps[:-1]),
    "a step of nothing": change("steps", lambda steps: [*steps, {**steps[-1], "variable": "m"}]),
    "the model before": change(
        "before.statements.0.law.conditions", [["StrictGreaterThan", ["Symbol", "s", ["positive"]], 1]]
    ),
    "another observed variable": change("before.observed", []),
    "a formula after": change(
        "after.statements", lambda s: [t if "target" not in t else {**t, "formula": 0} for t in s]
    ),
    "what a rewrite introduced": change("after.auxiliary", []),
    "before and after": swap_models,
    "a kept stranger": change("kept", {"stranger": "a root"}),
    "the verdict": change("verdict.status", "CERTIFIED"),
}


def test_the_derivation_of_a_model_holds(aux: sa.Derivation) -> None:
    found = recheck_record(from_json(to_json(aux)))
    assert found.holds and found.verdict.status is Status.PROVED, str(found)


@pytest.mark.parametrize("lie", MODEL_LIES)
def test_everything_that_a_record_of_a_model_says_must_follow(aux: sa.Derivation, lie: str) -> None:
    data = copy.deepcopy(as_data(aux))
    MODEL_LIES[lie](data)
    try:
        found = recheck_record(from_data(data))
    except ArchiveError:
        return
    assert not found.holds and found.flaws


def test_a_record_with_neither_a_law_nor_models_is_refused() -> None:
    with pytest.raises(ArchiveError):
        from_data({"format": "symaux evidence 2", "steps": [], "verdict": {"status": "PROVED"}})


def test_the_command_line_checks_the_record_of_a_model(tmp_path) -> None:
    path = tmp_path / "model.symaux"
    path.write_text("mu ~ normal(0, 1)\nz ~ normal(mu, 2)\nobserve y ~ poisson(exp(z))\n")
    data = words(str(path))
    file = tmp_path / "model.json"
    file.write_text(json.dumps(data))
    again = CliRunner().invoke(cli, ["verify", str(file)])
    assert again.exit_code == 0 and "holds" in again.output, again.output
    data["before"][0] = "mu ~ normal(0, 100)"
    file.write_text(json.dumps(data))
    lie = CliRunner().invoke(cli, ["verify", str(file)])
    assert lie.exit_code == 1 and "NOT hold" in lie.output and "normal(0, 100)" in lie.output
