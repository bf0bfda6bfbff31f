"""Inference and learning: both forms agree, estimates are those of theory, and a failed run says so."""

from __future__ import annotations

import os
import re
import runpy
import signal
import subprocess
import sys
import time
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import optax
import pytest
import sympy as sp

import symaux as sa
from symaux.learn import optional_packages as packages
from symaux.validate.nuts import Missing

GALLERY = Path(__file__).parents[1] / "gallery"
n = sa.plate("n")
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
z, x, W = sa.arrays("z x W")


def gallery(name: str) -> tuple[sa.Model, dict[str, Any]]:
    script = runpy.run_path(str(GALLERY / f"{name}.py"))
    return script["model"], script["data"]()


@cache
def linear() -> tuple[sa.Model, dict[str, Any], dict[str, Any], np.ndarray]:
    """A linear-Gaussian model, its data, its parameters, and log p(x_n) exactly."""
    k, d = sa.plate("k", 2), sa.plate("d", 3)
    mean = sp.Sum(W[k, d] * z[n, k], k)
    laws = [
        sa.normal(W[k, d], 0, 1),
        sa.log_normal(tau, 0, 1),
        sa.normal(z[n, k], 1, tau),
        sa.normal(x[n, d], mean, 0.5),
    ]
    rng = np.random.default_rng(0)
    weights, seen = rng.normal(size=(2, 3)), rng.normal(size=(5, 3))
    covariance = 0.49 * weights.T @ weights + 0.25 * np.eye(3)
    off = seen - weights.sum(axis=0)
    exact = -0.5 * np.einsum("ni,ij,nj->n", off, np.linalg.inv(covariance), off)
    exact -= 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1]
    return sa.Model.of(*laws, observed=[x]), {"x": seen}, {"W": weights, "tau": 0.7}, exact


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


def test_annealing_gives_log_p_of_a_linear_gaussian_model() -> None:
    model, data, at, exact = linear()
    found = sa.learn.marginal_likelihood(model, data, at, independent=n, temperatures=400)
    assert found.standard_error < 0.5 and abs(found.log_likelihood - exact.sum()) < 4 * found.standard_error
    assert np.max(np.abs(found.elements - exact)) < 0.3


def test_annealing_gives_log_p_of_linear_gaussian_series() -> None:
    """z_t = 0.8 z_{t-1} + 0.6 e_t from N(0, 1) has covariance 0.8^|s-t|, so x = z + 0.5 d is normal with a known one."""
    t = sa.plate("t", 5)
    states = [sa.normal(z[0, n], 0, 1), sa.normal(z[t, n], 0.8 * z[t - 1, n], 0.6)]
    model = sa.Model.of(*states, sa.normal(x[t, n], z[t, n], 0.5), observed=[x])
    seen, lags = np.random.default_rng(5).normal(size=(5, 3)), np.arange(5)
    covariance = 0.8 ** np.abs(lags[:, None] - lags) + 0.25 * np.eye(5)
    exact = -0.5 * np.einsum("tn,ts,sn->n", seen, np.linalg.inv(covariance), seen)
    exact -= 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1]
    found = sa.learn.marginal_likelihood(model, {"x": seen}, independent=n, temperatures=400)
    assert abs(found.log_likelihood - exact.sum()) < 4 * found.standard_error < 2
    assert np.max(np.abs(found.elements - exact)) < 0.3


@pytest.mark.long
def test_annealing_of_everything_together_agrees_in_the_original_form() -> None:
    model, data, at, exact = linear()
    rough = sa.learn.marginal_likelihood(model, data, at, temperatures=400, form="original")
    assert abs(rough.log_likelihood - exact.sum()) < 4 * rough.standard_error < 4


def test_a_model_that_does_not_fall_apart_is_refused() -> None:
    model, data, at, _ = linear()
    with pytest.raises(sa.ModelError, match="must be given"):
        sa.learn.marginal_likelihood(model, data, {"W": at["W"]}, independent=n)
    with pytest.raises(sa.ModelError, match="sums over"):
        sa.learn.marginal_likelihood(model, data, at, independent="k")
    t = sa.plate("t", 4)
    lagged = sa.Model.of(sa.normal(z[0], 0, 1), sa.normal(z[t], z[t - 1], 1), sa.normal(x[t], z[t], 1), observed=[x])
    with pytest.raises(sa.ModelError, match="independent=q"):
        sa.learn.marginal_likelihood(lagged, {"x": np.zeros(4)}, independent="q")
    with pytest.raises(sa.ModelError, match=r"another element|not repeated"):
        sa.learn.marginal_likelihood(lagged, {"x": np.zeros(4)}, independent=t)


def test_parameters_without_priors_are_learnt() -> None:
    """The maximum-likelihood estimates of x ~ N(mu, tau² + 1) are known; the steps of Adagrad shrink."""
    model = sa.Model.of(sa.normal(z[n], mu, tau), sa.normal(x[n], z[n], 1), observed=[x])
    seen = np.random.default_rng(3).normal(2.0, 2.0, size=200)
    learnt = sa.learn.mcem(model, {"x": seen}, iterations=400, step_size=0.5, independent=n, every=200)
    assert set(learnt.parameters) == {"mu", "tau"}
    assert abs(learnt.parameters["mu"] - seen.mean()) < 0.15
    assert abs(learnt.parameters["tau"] - np.sqrt(seen.var() - 1)) < 0.25
    assert 0.5 < learnt.trace["acceptance"].mean() < 1
    assert len(learnt.trace["log_joint"]) == 400 and learnt.trace["gradients"][-1] == 400 * 11
    with pytest.raises(sa.DataError, match="without data"):
        sa.learn.sample(model, {"x": seen})


RUN = """
import sys, time
import numpy as np
sys.path.insert(0, {tests!r})
import test_learn, symaux as sa
model, data, _, _ = test_learn.linear()
pause = float(sys.argv[2])
learnt = sa.learn.mcem(model, data, ["W", "tau"], iterations=60, every=7, independent="n", step_size=0.1, seed=3,
                       start={{"tau": 0.5}}, checkpoint=sys.argv[1], watch=lambda now: time.sleep(pause))
np.savez(sys.argv[1] + ".result.npz", **learnt.position, log_joint=learnt.trace["log_joint"])
"""


def test_killed_in_the_middle_a_run_resumes_to_the_same_bits(tmp_path: Path) -> None:
    code = RUN.format(tests=str(Path(__file__).parent))

    def begin(name: str, pause: float) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", code, str(tmp_path / name), str(pause)], env=os.environ.copy())

    killed, path = begin("cut.npz", 30.0), tmp_path / "cut.npz"
    deadline = time.monotonic() + 200
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert path.exists() and not (tmp_path / "cut.npz.result.npz").exists()
    for name in ("cut.npz", "whole.npz"):
        assert begin(name, 0.0).wait(200) == 0
    cut, whole = (dict(np.load(tmp_path / f"{name}.npz.result.npz")) for name in ("cut", "whole"))
    assert cut.keys() == whole.keys() and len(whole["log_joint"]) == 60
    assert all(cut[name].tobytes() == whole[name].tobytes() for name in whole)
    model, data, _, _ = linear()
    with pytest.raises(sa.DataError, match="another model, other data or other settings"):
        sa.learn.mcem(model, data, ["W", "tau"], independent="n", seed=4, checkpoint=path)
    path.write_bytes(b"no checkpoint")
    with pytest.raises(sa.DataError, match="is no checkpoint"):
        sa.learn.mcem(model, data, ["W", "tau"], independent="n", seed=3, checkpoint=path)


def test_a_joint_mode_is_found_and_its_absence_is_said() -> None:
    model, data = gallery("eight_schools")
    mode = sa.learn.map(model, data)
    assert mode, mode
    again = sa.learn.map(model, data, optimiser=optax.adam(0.05), steps=2000)
    assert abs(mode.log_density - again.log_density) < 0.01
    with pytest.warns(sa.learn.UnboundedDensity, match="log_tau goes to minus infinity"):
        assert not sa.learn.map(model, data, form="original")


def test_a_scale_that_its_prior_holds_is_no_cause_for_a_warning() -> None:
    law = sa.normal(x[n], z[n], 1)
    model = sa.Model.of(sa.normal(mu, 0, 5), sa.log_normal(tau, 0, 1), sa.normal(z[n], mu, tau), law, observed=[x])
    with warnings.catch_warnings():
        warnings.simplefilter("error", sa.learn.UnboundedDensity)
        assert sa.learn.map(model, {"x": np.array([1.0, 2.0, 3.0])}, form="original")


def test_a_maximum_likelihood_estimate_has_no_jacobian() -> None:
    model = sa.Model.of(sa.normal(x[n], mu, tau), observed=[x])
    seen = np.array([1.0, 2.0, 4.0, 7.0])
    values = sa.learn.map(model, {"x": seen}).values
    np.testing.assert_allclose([values["mu"], values["tau"]], [seen.mean(), seen.std()], rtol=1e-6)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blackjax", None)
    with pytest.raises(Missing, match=r"needs blackjax.*symaux\[infer\]"):
        packages.needed("blackjax")


def test_the_package_loads_nothing_heavy() -> None:
    code = "import sys, symaux; symaux.learn; print({'jax', 'blackjax', 'optax', 'arviz', 'sympy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"
    assert {"sample", "map", "mcem", "marginal_likelihood"} <= set(dir(sa.learn))


def test_the_callers_precision_is_left_alone() -> None:
    model, data, at, _ = linear()
    learnt = sa.learn.mcem(model, data, ["W", "tau"], iterations=2, every=2, precision="float32", start=at)
    assert learnt.position["z" if "z" in learnt.position else "eps_z"].dtype == np.float32
    assert jax.numpy.zeros(1).dtype == np.float64


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
