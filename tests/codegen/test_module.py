"""Exported modules: what they say, what they offer, and that a formatter, a linter and a type checker leave them alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
import sympy as sp
from support.paths import ROOT

import symaux as sa
from symaux.codegen.load import load

x = sp.Symbol("x", real=True)
mu, beta = sp.symbols("mu beta", real=True)
tau = sp.Symbol("tau", positive=True)
p = sp.Symbol("p", positive=True)
theta, y, z = sa.arrays("theta y z")
n, i, k, t = sa.plate("n"), sa.plate("i", 3), sa.plate("k", 3), sa.plate("t", 5)


def schools() -> sa.Model:
    return sa.Model.of(
        sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.beta(p, 2, 3), sa.normal(theta[n], mu, tau),
        sa.normal(y[n], theta[n], p), observed=[y],
    )  # fmt: skip


def wide() -> sa.Model:
    """Formulas that fill several lines, of every kind that the layout knows."""
    terms = [sp.sin(m * mu) * sp.exp(-((mu - beta) ** 2) / m) for m in range(1, 9)]
    inner = sp.log(1 + sp.cosh(mu * beta + sp.sqrt(1 + mu**2 + beta**4) * sp.tanh(sum(terms[:3]))) ** 2)
    return sa.Model.of(
        sa.normal(mu, 0, 1), sa.normal(beta, 0, 1), sa.factor(sp.Add(*terms)), sa.factor(sp.tanh(inner * sum(terms))),
        sa.normal(z[0], 0, 1), sa.normal(z[t], sp.tanh(inner * z[t - 1]) + sp.sin(z[t - 1]), 1),
        sa.poisson(y[n], sp.exp(sp.sin(inner) + sp.cos(sum(terms) * inner))), observed=[y],
    )  # fmt: skip


@pytest.mark.parametrize("make", [schools, wide])
def test_a_formatter_and_a_linter_leave_it_alone(make, tmp_path: Path) -> None:
    path = tmp_path / "model_aux.py"
    path.write_text(sa.to_source(sa.auxiliary(make())), encoding="utf-8")
    for command in (["format", "--diff"], ["check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", str(ROOT / "pyproject.toml"), str(path)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_a_type_checker_leaves_it_alone() -> None:
    folder = str(ROOT / "gallery" / "generated")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, folder], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_gallerys_modules_are_clean() -> None:
    for command in (["format", "--diff"], ["check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, str(ROOT / "gallery" / "generated")],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


def test_a_wide_model_still_means_the_same() -> None:
    model, rng = wide(), np.random.default_rng(0)
    at = {"mu": 0.3, "beta": -0.2, "z": rng.normal(size=5)}
    data = {"y": np.array([1.0, 0.0, 2.0])}
    broken = float(sa.log_density(model, data)(at))
    values = {mu: 0.3, beta: -0.2}
    terms = [sp.sin(m * mu) * sp.exp(-((mu - beta) ** 2) / m) for m in range(1, 9)]
    inner = sp.log(1 + sp.cosh(mu * beta + sp.sqrt(1 + mu**2 + beta**4) * sp.tanh(sum(terms[:3]))) ** 2)
    total, w = float(sum(terms).subs(values)), float(inner.subs(values))
    rate = np.exp(np.sin(w) + np.cos(total * w))
    means = np.tanh(w * at["z"][:-1]) + np.sin(at["z"][:-1])
    logs = [-0.5 * v**2 - 0.5 * np.log(2 * np.pi) for v in (0.3, -0.2, at["z"][0], *(at["z"][1:] - means))]
    counts = data["y"] * np.log(rate) - rate - np.array([0.0, 0.0, np.log(2)])
    np.testing.assert_allclose(broken, sum(logs) + total + np.tanh(w * total) + counts.sum(), rtol=1e-12)


def test_the_docstring_has_the_derivation_and_every_verdict() -> None:
    told = sa.to_source(sa.auxiliary(schools())).split('"""')[1]
    for line in ("by location_scale: theta[n] = mu + tau*eps_theta[n]", "by unconstrain: tau = exp(log_tau)"):
        assert line in told
    assert told.count("proved: the two laws are equal") == 4 and "mu: kept: a root" in told


def test_functions_agree_with_each_other() -> None:
    module = load(sa.to_source(sa.auxiliary(schools())))
    data = module.prepare({"y": np.array([0.5, -1.0, 2.0])})
    at = {"mu": 0.2, "log_tau": -0.3, "logit_p": 0.4, "eps_theta": np.array([0.1, -0.2, 0.3])}
    at = jax.tree.map(jax.numpy.asarray, at)
    value, slope = jax.jit(module.value_and_grad)(at, data)
    np.testing.assert_allclose(value, module.log_density(at, data), rtol=1e-13)
    assert set(slope) == set(at)
    natural = module.constrain(at, data)
    assert set(natural) == {"mu", "tau", "p", "eps_theta"}
    made = module.generate(at, data)
    np.testing.assert_allclose(
        [natural[v] for v in ("mu", "tau", "p")], [made[v] for v in ("mu", "tau", "p")], rtol=1e-13
    )
    back = module.unconstrain(natural, data)
    assert set(back) == set(at)
    for name in at:
        np.testing.assert_allclose(back[name], at[name], rtol=1e-12)


def test_bounds_of_another_variable() -> None:
    """A uniform law up to a latent: the way back needs that latent, which the values hold."""
    width = sp.Symbol("width", positive=True)
    model = sa.Model.of(sa.gamma(width, 2, 1), sa.uniform(p, 0, width), sa.normal(y[n], p, 1), observed=[y])
    module = load(sa.to_source(sa.unconstrain(model)))
    data = module.prepare({"y": np.zeros(2)})
    at = {"log_width": jax.numpy.asarray(0.7), "logit_p": jax.numpy.asarray(-0.4)}
    back = module.unconstrain(module.constrain(at, data), data)
    for name in at:
        np.testing.assert_allclose(back[name], at[name], rtol=1e-12)


CODE = """
import sympy as sp, symaux as sa
mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, j, k = *sa.arrays("theta y"), sa.plate("j", 4), sa.plate("k", 4)
laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), sa.normal(theta[j], mu, tau)]
model = sa.Model.of(*laws, sa.normal(y[k], sp.tanh(theta[k])*sp.exp(mu) + sp.sin(theta[k]*tau), tau), observed=[y])
print(sa.to_source(sa.auxiliary(model)))
"""


def test_byte_for_byte_the_same_whatever_the_hashes() -> None:
    texts = {
        subprocess.run(
            [sys.executable, "-c", CODE], capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
