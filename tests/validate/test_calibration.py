"""Simulation-based calibration: right forms pass, and wrong ones do not."""

from __future__ import annotations

import json

import pytest
import sympy as sp
from click.testing import CliRunner
from support.paths import ROOT

import symaux as sa
from symaux.api import _source, source_without_sampler
from symaux.cli.main import cli
from symaux.validate.calibration import calibrate

pytest.importorskip("blackjax")

mu = sp.Symbol("mu", real=True)
s = sp.Symbol("s", positive=True)
z, y = sa.arrays("z y")
j, t = sa.plate("j", 4), sa.plate("t", 4)
SMALL = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(z[j], mu, 1), sa.normal(y[j], z[j], sp.Rational(1, 2)), observed=[y])


def stretched(model: sa.Model, factor: sp.Expr) -> sa.Model:
    """The auxiliary form with the noise of z multiplied by a factor."""
    after = sa.auxiliary(model).after
    eps = next(st.value for st in after.statements if isinstance(st, sa.Law) and st.name == "eps_z")
    statements = [
        sa.deterministic(st.target, st.formula.xreplace({eps: factor * eps})) if st.name == "z" else st
        for st in after.statements
    ]
    return sa.Model.of(*statements, observed=[y])


def test_a_wrong_form_is_not_calibrated() -> None:
    wrong = stretched(SMALL, sp.Integer(2))
    found = calibrate(SMALL, wrong, source_without_sampler, _source, replicates=50, seed=1)
    assert found.status == "not uniform" and not found, str(found)


@pytest.mark.long
def test_eight_schools_on_the_command_line() -> None:
    args = [
        "verify",
        str(ROOT / "gallery/eight_schools.py"),
        "--calibrate",
        "--replicates",
        "50",
        "--seed",
        "3",
        "--json",
    ]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output + repr(done.exception)
    found = json.loads(done.stdout)["calibration"]
    assert found["status"] == "uniform" and found["replicates"] == 50 and "densities alone" in found["source"]
    assert len(found["quantities"]) == 11 and found["failed"] <= 5


def test_calibration_is_for_models_with_something_to_infer() -> None:
    assert CliRunner().invoke(cli, ["verify", "Gumbel", "--calibrate"]).exit_code == 2
    with pytest.raises(sa.SymauxError, match="no posterior"):
        sa.calibrate(sa.auxiliary(sa.Model.of(sa.normal(mu, 0, 1))))
    with pytest.raises(sa.SymauxError, match="not normalised"):
        factored = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(y[j], mu, 1), sa.factor(-(mu**4)), observed=[y])
        sa.calibrate(sa.auxiliary(factored))


@pytest.mark.long
def test_a_right_form_is_calibrated_and_one_that_is_a_little_wrong_is_not() -> None:
    right, wrong = sa.auxiliary(SMALL).after, stretched(SMALL, sp.Rational(5, 4))
    assert calibrate(SMALL, right, source_without_sampler, _source, replicates=400, seed=2).status == "uniform"
    assert calibrate(SMALL, wrong, source_without_sampler, _source, replicates=400, seed=2).status == "not uniform"
