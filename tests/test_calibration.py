"""Simulation-based calibration: the draws are those of the densities, right forms pass, and wrong ones do not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner
from scipy import stats

import symaux as sa
from symaux.api import _source, without_sampler
from symaux.cli.main import cli
from symaux.validate import ancestral, ranks
from symaux.validate import nuts as chains
from symaux.validate.calibration import calibrated

pytest.importorskip("blackjax")

ROOT = Path(__file__).resolve().parent.parent
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


def uniform_levels(name: str, law: sa.Law, at: dict[str, float], cdf: stats.rv_continuous) -> None:
    model = sa.Model.of(law)
    drawn = ancestral.draws(model, at, {}, 400, np.random.default_rng(3), without_sampler)[name]
    assert stats.kstest(cdf(drawn), "uniform").pvalue > 1e-3


X, U = sp.Symbol("x", positive=True), sp.Symbol("u", positive=True)
W = sp.Symbol("w", real=True)
LAWS = {
    "narrow and far": (sa.normal(W, 5000, sp.Rational(1, 1000)), stats.norm(5000, 1e-3).cdf),
    "cauchy": (sa.cauchy(W, -3, 40), stats.cauchy(-3, 40).cdf),
    "singular at both ends": (sa.beta(U, sp.Rational(1, 5), sp.Rational(3, 10)), stats.beta(0.2, 0.3).cdf),
    "singular at zero": (sa.gamma(X, sp.Rational(1, 20), 3), stats.gamma(0.05, scale=1 / 3).cdf),
    "two humps": (
        sa.law(W, (sp.exp(-((W - 5) ** 2) / 2) + 3 * sp.exp(-((W + 5) ** 2) / 2)) / sp.sqrt(2 * sp.pi) / 4),
        lambda x: 0.25 * stats.norm(5).cdf(x) + 0.75 * stats.norm(-5).cdf(x),
    ),
}


@pytest.mark.parametrize("name", LAWS)
def test_draws_by_densities_have_the_law(name: str) -> None:
    law, cdf = LAWS[name]
    uniform_levels(law.name, law, {}, cdf)


def test_counts_are_drawn_too() -> None:
    k = sp.Symbol("k", integer=True, nonnegative=True)
    model = sa.Model.of(sa.poisson(k, 3), observed=[k])
    drawn = ancestral.draws(model, {}, {}, 2000, np.random.default_rng(3), without_sampler)["k"]
    assert abs(drawn.mean() - 3) < 0.15 and abs(drawn.var() - 3) < 0.35


def test_parents_are_drawn_first_in_a_series() -> None:
    model = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], 3 * z[t - 1], sp.Rational(1, 100)))
    drawn = ancestral.draws(model, {}, {"t": 4}, 200, np.random.default_rng(3), without_sampler)["z"]
    assert np.all(np.abs(drawn[:, 3] - 27 * drawn[:, 0]) < 1) and 0.8 < drawn[:, 0].std() < 1.2


def test_a_test_sees_in_four_of_five_cases_what_it_says() -> None:
    """Ranks of truths N(0, 1) among draws of a posterior with the bias that would just be seen."""
    rng, n, level = np.random.default_rng(0), 100, 0.001
    promised = ranks.uniformity(rng.uniform(size=n), level).bias_seen
    seen = [ranks.uniformity(stats.norm.cdf(rng.normal(size=n) + promised), level).p_mean < level for _ in range(200)]
    assert np.mean(seen) > 0.75


def test_a_wrong_form_is_not_calibrated() -> None:
    wrong = stretched(SMALL, sp.Integer(2))
    found = calibrated(SMALL, wrong, without_sampler, _source, replicates=50, seed=1)
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


def test_without_blackjax_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blackjax", None)
    done = CliRunner().invoke(cli, ["verify", str(ROOT / "gallery/eight_schools.py"), "--calibrate"])
    assert done.exit_code == 2 and "[missing]" in done.stderr and "symaux[infer]" in done.stderr


def test_calibration_is_for_models_with_something_to_infer() -> None:
    assert CliRunner().invoke(cli, ["verify", "Gumbel", "--calibrate"]).exit_code == 2
    with pytest.raises(sa.SymauxError, match="no posterior"):
        sa.calibrate(sa.auxiliary(sa.Model.of(sa.normal(mu, 0, 1))))
    with pytest.raises(sa.SymauxError, match="not normalised"):
        factored = sa.Model.of(sa.normal(mu, 0, 1), sa.normal(y[j], mu, 1), sa.factor(-(mu**4)), observed=[y])
        sa.calibrate(sa.auxiliary(factored))


def test_chains_that_do_not_move_are_seen() -> None:
    stuck = np.zeros((3, 100))
    found = chains.judged({"a": stuck}, np.zeros((3, 100), dtype=bool))
    assert np.all(found.ess < 2) or not np.all(found.split_r < 1.1)


@pytest.mark.long
def test_a_right_form_is_calibrated_and_one_that_is_a_little_wrong_is_not() -> None:
    right, wrong = sa.auxiliary(SMALL).after, stretched(SMALL, sp.Rational(5, 4))
    assert calibrated(SMALL, right, without_sampler, _source, replicates=400, seed=2).status == "uniform"
    assert calibrated(SMALL, wrong, without_sampler, _source, replicates=400, seed=2).status == "not uniform"
