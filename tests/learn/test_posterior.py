"""Draws from the posterior: both forms agree, and a failed run says so."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import sympy as sp
from support.models import gallery
from support.paths import GALLERY

import symaux as sa

n = sa.plate("n")
z, x, W = sa.arrays("z x W")


def agree(model: sa.Model, data: dict[str, Any], names: list[str], **settings: Any) -> None:
    """Both forms converge, and then have the same means and spreads within Monte Carlo error."""
    import arviz

    results = [sa.learn.sample(model, data, form=form, quiet=True, **settings) for form in ("auxiliary", "original")]
    for result in results:
        found = sa.learn.diagnose(result, only=names)
        assert found.r_hat[1] < 1.05, found
        assert found.ess_bulk[1] > 100, found
    for method, summary in (("mean", lambda v: v.mean(("chain", "draw"))), ("sd", lambda v: v.std(("chain", "draw")))):
        one, other = (summary(r.posterior) for r in results)
        errors = [arviz.mcse(r.posterior, method=method) for r in results]
        for name in names:
            error = np.sqrt(sum(np.asarray(e[name]) ** 2 for e in errors))
            assert np.all(np.abs(np.asarray(one[name] - other[name])) < 4.5 * error), (method, name)


def test_both_forms_agree_on_eight_schools() -> None:
    agree(*gallery("eight_schools"), ["mu", "tau", "theta"], draws=2000, warmup=1000, acceptance=0.98)


@pytest.mark.long
def test_both_forms_agree_on_the_funnel() -> None:
    """Its neck is out of reach for the original form, so this one is cut off at small scales by data."""
    v, u, y = sp.Symbol("v", real=True), sa.arrays("u"), sa.arrays("y")
    i = sa.plate("i", 9)
    model = sa.Model.of(
        sa.normal(v, 0, 3), sa.normal(u[i], 0, sp.exp(v / 2)), sa.normal(y[i], u[i], 1), observed=[y]
    )  # fmt: skip
    data = {"y": np.linspace(-3, 4, 9)}
    agree(model, data, ["v", "u"], draws=4000, warmup=2000, acceptance=0.95)


@pytest.mark.long
def test_the_funnel_itself_has_its_known_law_in_auxiliary_form_and_fails_in_the_original() -> None:
    model, data = gallery("funnel")
    result = sa.learn.sample(model, data, draws=2000, quiet=True)
    assert sa.learn.diagnose(result)
    values = result.posterior["v"].values
    assert abs(values.mean()) < 0.2 and abs(values.std() - 3) < 0.15
    assert not sa.learn.diagnose(sa.learn.sample(model, data, form="original", quiet=True))


@pytest.mark.long
def test_both_forms_agree_on_a_radon_style_hierarchy() -> None:
    model, _ = gallery("radon")
    rng = np.random.default_rng(1)
    county, floor, uranium = rng.integers(0, 85, size=400), rng.integers(0, 2, size=400) * 1.0, rng.normal(size=85)
    alpha = 1.5 + 0.7 * uranium + 0.5 * rng.normal(size=85)
    y = alpha[county] - 0.6 * floor + 0.8 * rng.normal(size=400)
    data = {"county": county, "floor": floor, "uranium": uranium, "y": y}
    agree(model, data, ["gamma0", "gamma1", "beta", "sigma_alpha", "sigma_y", "alpha"], draws=2000, acceptance=0.9)


@pytest.mark.long
def test_both_forms_agree_on_a_small_dbn() -> None:
    t, a, r = sa.plate("t", 5), sp.Symbol("a", real=True), sp.Symbol("r", positive=True)
    model = sa.Model.of(
        sa.normal(a, 0, 1), sa.log_normal(r, -1, 0.5), sa.normal(z[0, n], 0, 1),
        sa.normal(z[t, n], sp.tanh(a * z[t - 1, n]), r), sa.normal(x[t, n], z[t, n], 0.5), observed=[x],
    )  # fmt: skip
    state = np.random.default_rng(2).normal(size=8)
    seen = []
    for step in range(5):
        seen.append(state + 0.5 * np.random.default_rng(10 + step).normal(size=8))
        state = np.tanh(0.8 * state) + 0.4 * np.random.default_rng(20 + step).normal(size=8)
    agree(model, {"x": np.stack(seen)}, ["a", "r", "z"], draws=2000, acceptance=0.95)


def test_a_run_that_failed_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    model, data = gallery("funnel")
    result = sa.learn.sample(model, data, form="original", draws=50, warmup=50, chains=2, algorithm="hmc", leapfrog=3)
    assert capsys.readouterr().out.startswith("NOT CONVERGED")
    assert not sa.learn.diagnose(result)
    assert set(result.posterior.data_vars) == {"v", "x"}
    assert result.posterior["x"].dims == ("chain", "draw", "i")
    assert result.sample_stats["n_steps"].values.sum() == 2 * 50 * 3


@pytest.mark.long
@pytest.mark.parametrize("form", ["auxiliary", "original"])
def test_the_five_lines_of_the_readme_work(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In either form; that the original one converges on eight schools is not promised, but that it says whether it did."""
    code = re.findall(r"^```py\n(.*?)^```$", (GALLERY.parent / "README.md").read_text(), re.DOTALL | re.MULTILINE)[0]
    assert len(code.strip().splitlines()) <= 6
    code = code.replace('"gallery/', f'"{GALLERY}/').replace('["data"]())', f'["data"](), form="{form}")')
    found: dict[str, Any] = {}
    exec(code, found)
    said = capsys.readouterr().out
    assert said.startswith(
        "converged: 4 chains of 1000 draws" if form == "auxiliary" else ("converged", "NOT CONVERGED")
    )
    assert {"mu", "tau", "theta"} <= set(found["draws"].posterior.data_vars)
    assert found["draws"].posterior["theta"].shape == (4, 1000, 8)
