"""Sums over data collapse to sufficient statistics: generated code agrees with the long sum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from symaux.cli.main import cli
from symaux.codegen.load import load

mu, nu = sp.symbols("mu nu", real=True)
s, r = sp.symbols("s r", positive=True)
y, x, X, b, alpha, sd = sa.arrays("y x X b alpha sd")
w = sa.arrays("w", positive=True)
g = sa.arrays("g", integer=True)
n, k, j, c = sa.plate("n"), sa.plate("k", 3), sa.plate("j", 4), sa.plate("c", 5)


def of(*laws: Any) -> sa.Model:
    return sa.Model.of(sa.normal(mu, 0, 1), sa.half_cauchy(s, 1), *laws, observed=[y])


group = [sa.normal(alpha[c], 0, 1)]
linear = [sa.normal(b[k], 0, 1)]
MODELS = {
    "the same mean": of(sa.normal(y[n], mu, s)),
    "a regression": of(*linear, sa.normal(y[n], mu + sp.Sum(X[n, k] * b[k], k), s)),
    "known scales": of(sa.normal(y[n], mu, s * sd[n])),
    "groups": of(*group, sa.normal(y[n], alpha[g[n]] + mu * x[n], s)),
    "groups with scales": of(
        *group, sa.half_cauchy(r, 1), sa.log_normal(w[c], 0, r), sa.normal(y[n], alpha[g[n]], w[g[n]])
    ),
    "a matrix": of(sa.normal(b[j], 0, 1), sa.normal(y[n, j], b[j], s)),
    "a matrix by groups": of(sa.normal(b[c, j], 0, 1), sa.normal(y[n, j], b[g[n], j] + mu * x[n], s)),
    "a node between": of(
        *linear, sa.deterministic(alpha[n], mu + sp.Sum(X[n, k] * b[k], k)), sa.normal(y[n], alpha[n], s)
    ),
    "a trend": of(sa.normal(y[n], mu * n + 1, s)),
    "an autoregression": of(sa.normal(y[0], 0, 1), sa.normal(y[n], mu * y[n - 1], s)),
    "counts": of(sa.poisson(y[n], s)),
    "coins": of(sa.bernoulli(y[n], sa.sigmoid(mu))),
    "waiting": of(sa.exponential(r, 1), sa.gamma(y[n], r, s)),
    "positive": of(sa.log_normal(y[n], mu, s)),
    "two at once": of(
        sa.normal(y[n], mu, s), sa.factor(-((y[n] - mu) * (x[n] - s)) / (1 + s**2) - (x[n] - mu) ** 2 * s)
    ),
}
WHOLE = {"counts", "coins"}


def numbers_for(model: sa.Model, name: str, length: int = 60, dtype: Any = np.float64) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    lengths = {"n": length} | dict(model.axes.lengths)
    data = {}
    for each in (*model.inputs, *model.observed):
        shape = [lengths[a] for a in model.axes.of_array(each)]
        data[each] = (rng.integers(0, 5, shape) if each == "g" else np.abs(rng.normal(size=shape)) + 0.1).astype(dtype)
        if each == "y" and name in WHOLE:
            data[each] = rng.integers(0, 2, shape).astype(dtype)
    return data


def position_for(model: sa.Model, data: dict[str, Any], dtype: Any = np.float64) -> dict[str, Any]:
    rng = np.random.default_rng(6)
    lengths = model.axes.resolved({name: np.shape(v) for name, v in data.items()})
    return {v: rng.normal(size=[lengths[a] for a in model.axes.of_array(v)]).astype(dtype) for v in model.latents}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", MODELS)
def test_statistics_say_the_same_as_the_data(name: str) -> None:
    after = sa.auxiliary(MODELS[name]).after
    module, data = load(sa.to_source(after)), numbers_for(after, name)
    ready, position = module.prepare(data), position_for(after, data)
    assert set(ready) > set(data)
    assert set(module.prepare(ready)) == set(ready)
    long = jax.value_and_grad(module.log_density)(position, data)
    short = jax.jit(jax.value_and_grad(module.log_density))(position, ready)
    for one, other in zip(jax.tree.leaves(long), jax.tree.leaves(short), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)


def test_the_gradient_does_not_touch_the_data() -> None:
    """A compiled gradient that is given ten times the data has not a flop more."""
    after = sa.auxiliary(MODELS["a regression"]).after
    module = load(sa.to_source(after))
    flops = []
    for length in (100, 1000):
        ready = module.prepare(numbers_for(after, "", length))
        run = jax.jit(jax.grad(module.log_density)).lower(position_for(after, ready), ready).compile()
        flops.append(run.cost_analysis()["flops"])
    assert flops[0] == flops[1]


@pytest.mark.parametrize("name", ["the same mean", "a regression", "groups"])
def test_no_digits_are_lost_far_from_zero(name: str) -> None:
    """In single precision, data far from 0 and a position near them: as exact as the long sum, where squares are not."""
    after = sa.auxiliary(MODELS[name]).after
    module, data = load(sa.to_source(after)), numbers_for(after, name, 2000)
    position = position_for(after, data)
    far = 3000.0
    if name == "groups":
        position["alpha"] = position["alpha"] + far
    else:
        position["mu"] = np.asarray(far + 0.3)
    data["y"] = data["y"] + far
    exact = jax.grad(module.log_density)(position, data)
    single = {k: v if k == "g" else v.astype(np.float32) for k, v in data.items()}
    at = {k: v.astype(np.float32) for k, v in position.items()}
    errors = []
    for given in (single, module.prepare(single)):
        slopes = {name: np.asarray(v) for name, v in jax.grad(module.log_density)(at, given).items()}
        assert all(v.dtype == np.float32 for v in slopes.values())
        gaps = {name: np.max(np.abs(slopes[name] - np.asarray(v))) for name, v in exact.items()}
        errors.append(max(gap / (1 + np.max(np.abs(exact[name]))) for name, gap in gaps.items()))
    assert errors[1] < 2 * errors[0] + 1e-5


def test_what_stands_in_the_position_is_not_taken_from_the_data() -> None:
    after = sa.auxiliary(MODELS["known scales"]).after
    module, data = load(sa.to_source(after)), numbers_for(after, "")
    position = position_for(after, data) | {"sd": 2 * data["sd"]}
    other = data | {"sd": 2 * data["sd"]}
    assert float(module.log_density(position, module.prepare(data))) == float(module.log_density(position, other))


def test_few_data_and_what_is_not_linear_stay_as_they_are() -> None:
    after = sa.auxiliary(MODELS["a regression"]).after
    module, few = load(sa.to_source(after)), numbers_for(after, "", 8)
    assert set(module.prepare(few)) == set(few)
    logistic = of(*linear, sa.bernoulli(y[n], sa.sigmoid(mu + sp.Sum(X[n, k] * b[k], k))))
    assert "statistics" not in sa.to_source(sa.auxiliary(logistic).after)


def test_terms_in_data_alone_are_made_once() -> None:
    """The factorials of a regression of counts are a number that ``prepare`` leaves."""
    counts = of(*linear, sa.poisson(y[n], sp.exp(mu + sp.Sum(X[n, k] * b[k], k))))
    after = sa.auxiliary(counts).after
    module, data = load(sa.to_source(after)), numbers_for(after, "counts")
    ready, position = module.prepare(data), position_for(after, data)
    assert [np.shape(v) for name, v in ready.items() if name not in data] == [()]
    np.testing.assert_allclose(module.log_density(position, data), module.log_density(position, ready), rtol=1e-12)


def test_constants_are_dropped_on_request() -> None:
    """What is left differs by a number, has no loggamma and no logarithm of 2 pi, and has the same gradient."""
    counts = of(*linear, sa.poisson(y[n], sp.exp(mu + sp.Sum(X[n, k] * b[k], k))))
    after = sa.auxiliary(counts).after
    data = numbers_for(after, "counts")
    whole, less = sa.log_density(after, data), sa.log_density(after, data, drop_constants=True)
    places = [position_for(after, data), {name: v + 0.5 for name, v in position_for(after, data).items()}]
    gaps = [float(whole(p) - less(p)) for p in places]
    assert abs(gaps[0]) > 1 and abs(gaps[0] - gaps[1]) < 1e-9
    for one, other in zip(*(jax.tree.leaves(jax.grad(f)(places[0])) for f in (whole, less)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    source = sa.to_source(after, drop_constants=True)
    density = source.partition("def sample_prior")[0]  # to draw counts takes their masses whole
    assert "gammaln" not in density and "0.918" not in source and "up to a constant" in source


def test_an_input_in_the_position_is_not_a_constant() -> None:
    """Its terms are dropped where the data hold it, and stay where a position does."""
    model = of(sa.normal(y[n], mu, s * sd[n]))
    after, rng = sa.auxiliary(model).after, np.random.default_rng(0)
    scales, seen = rng.random(9) + 0.5, rng.normal(size=9)
    at = position_for(after, {"y": seen, "sd": scales})
    free = sa.log_density(after, {"y": seen}, drop_constants=True)
    held = sa.log_density(after, {"y": seen, "sd": scales}, drop_constants=True)
    assert float(free(at | {"sd": scales}) - held(at)) == pytest.approx(-np.log(scales).sum())


def test_export_drops_constants_when_asked(tmp_path: Path) -> None:
    text = "plate n[20]\nmu ~ Normal(0, 1)\nobserve y[n] ~ Normal(mu, 2)\n"
    (tmp_path / "model.symaux").write_text(text)
    for options, kept in ((["--drop-constants"], False), ([], True)):
        done = CliRunner().invoke(cli, ["export", str(tmp_path / "model.symaux"), *options])
        assert done.exit_code == 0 and ("0.918" in done.output) == kept
    refused = CliRunner().invoke(cli, ["export", str(tmp_path / "model.symaux"), "--to", "stan", "--drop-constants"])
    assert refused.exit_code == 2


def test_a_number_whose_sign_is_not_known_keeps_it() -> None:
    """-3 softplus(...) of sums over a plate of constants: sympy does not say that it is negative."""
    shifted = "sin(sum(t, a[t,i]))/2 + sum(t, a[t,i])/(2*(sum(t, a[t,i])^2 + 1))"
    text = (
        "plate i[3]\nplate t[4]\nb ~ normal(0, 1)\na[t,i] = 1/2\n"
        + f"observe y[i] ~ bernoulli(1/(1 + exp(-({shifted}))))"
    )
    logp = sa.log_density(sa.parse(text), {"y": np.array([0.0, 0.0, 1.0])})
    logit = np.sin(2.0) / 2 + 0.2
    exact = logit - 3 * np.log1p(np.exp(logit)) - 0.3**2 / 2 - np.log(2 * np.pi) / 2
    assert float(logp({"b": 0.3})) == pytest.approx(exact, rel=1e-12)
    assert float(logp.of({"b": 0.3}, {"y": np.array([0.0, 0.0, 1.0])})) == pytest.approx(exact, rel=1e-12)


def test_a_sum_of_numbers_needs_no_data() -> None:
    """The scales 1 + t/2 of all elements add up without any data: a set of no names."""
    model = sa.parse("plate t[5]\nplate i[3]\nb[t, i] ~ normal(0, 1)\nobserve y[t, i] ~ normal(b[t, i], 1 + t/2)")
    b, y = np.random.default_rng(0).normal(size=(2, 5, 3))
    z = np.stack([b, (y - b) / (1 + np.arange(5)[:, None] / 2)])
    exact = -np.sum(z**2) / 2 - 15 * np.log(2 * np.pi) - 3 * np.sum(np.log(1 + np.arange(5) / 2))
    assert float(sa.log_density(model, {"y": y})({"b": b})) == pytest.approx(exact, rel=1e-12)
