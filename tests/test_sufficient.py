"""Sums over data collapse to sufficient statistics: each rule is an equality, and generated code agrees with the long sum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from click.testing import CliRunner

import symaux as sa
from rewrites import COLLAPSES
from symaux.cli.main import cli
from symaux.codegen.load import load
from symaux.formulas.algebra.data_sides import ROW, DataSides, Slot

mu, nu = sp.symbols("mu nu", real=True)
s, r = sp.symbols("s r", positive=True)
y, x, X, b, alpha, sd = sa.arrays("y x X b alpha sd")
w = sa.arrays("w", positive=True)
g = sa.arrays("g", integer=True)
n, k, j, c = sa.plate("n"), sa.plate("k", 3), sa.plate("j", 4), sa.plate("c", 5)
ELEMENTS = 7  # of plate n in the proofs by numbers
RULES = {rule.__name__: rule for rule in COLLAPSES}
TERMS = {
    "total": [
        3 * y[n] * sp.log(r),
        (1 - y[n]) * sp.log(1 - r),
        -sp.loggamma(y[n] + 1),
        y[n] * (mu + sp.Sum(X[n, k] * b[k], k)),
        sp.log(s),
        n * mu,
    ],
    "product_of_residuals": [
        (y[n] - mu) ** 2 / s**2,
        (y[n] - mu - sp.Sum(X[n, k] * b[k], k)) ** 2,
        ((y[n] - mu) / x[n]) ** 2,
        (y[n] - mu) * (x[n] - nu) * r,
        (sp.log(w[n]) - mu * n - nu) ** 2 * w[n],
        s * (y[n] - 2 * mu * (x[n] + nu)) ** 2,
    ],
}


@pytest.mark.parametrize("rule,term", [(rule, t) for rule, terms in TERMS.items() for t in terms], ids=str)
def test_every_rule_is_an_equality(rule: str, term: sp.Expr) -> None:
    sides = DataSides(frozenset({"y", "x", "X", "w"}), (), (n,), count=sp.Integer(ELEMENTS))
    made = RULES[rule](term, sides)
    assert made is not None
    rng = np.random.default_rng(3)
    arrays = {name: rng.normal(size=ELEMENTS) for name in "yx"}
    arrays |= {"w": rng.random(ELEMENTS) + 0.5, "X": rng.normal(size=(ELEMENTS, 3)), "b": rng.normal(size=3)}
    arrays["y"] = np.abs(arrays["y"])
    point = {mu: mp.mpf("0.7"), nu: mp.mpf("-1.1"), s: mp.mpf("1.3"), r: mp.mpf("0.4")}
    with mp.workdps(40):
        long = mp.fsum(value(term, arrays, point, at) for at in range(ELEMENTS))
        short = collapsed_value(made, sides, arrays, point)
        assert abs(long - short) < mp.mpf(10) ** -30 * (1 + abs(long))


def value(formula: sp.Expr, arrays: dict[str, Any], point: dict[Any, Any], at: int) -> Any:
    """The formula at an element of plate n, by mpmath."""
    doit = formula.xreplace({t: sp.Add(*(t.function.subs(k, i) for i in range(3))) for t in formula.atoms(sp.Sum)})
    plain = doit.subs(n, at)
    found = {e: mp.mpf(float(arrays[str(e.base)][tuple(map(int, e.indices))])) for e in plain.atoms(sp.Indexed)}
    names = {symbol: sp.Dummy() for symbol in (*found, *point)}
    numbers = {names[symbol]: v for symbol, v in (found | point).items()}
    return sp.lambdify(list(numbers), plain.xreplace(names), "mpmath")(*numbers.values())


def collapsed_value(made: sp.Expr, sides: DataSides, arrays: dict[str, Any], point: dict[Any, Any]) -> Any:
    """The collapsed formula: totals by sums, rows by the triangle of mpmath's QR decomposition, any centres."""
    slots = list(sides.slots.values())
    centres = {(s.about, s.column, i): mp.mpf(i + 2) / 7 for s in slots for i in range(3)}
    columns = [(slot, i) for slot in slots if slot.is_row for i in places(slot)]
    triangle = mp.matrix(0, 0)
    if columns:
        entries = [[entry(slot, i, arrays, point, at, sides, centres) for slot, i in columns] for at in range(ELEMENTS)]
        triangle = mp.qr(mp.matrix(entries), mode="full")[1]
    rows = made.xreplace({t: sp.Add(*(t.function.subs(ROW, q) for q in range(len(columns)))) for t in row_sums(made)})
    flat = rows.xreplace({t: sp.Add(*(t.function.subs(k, i) for i in range(3))) for t in rows.atoms(sp.Sum)})
    numbers: dict[Any, Any] = dict(point)
    for slot, i in [(each, at) for each in slots for at in places(each)]:
        if slot.kind == "total":
            numbers[slot.symbol.subs(k, i)] = mp.fsum(column(slot.column, i, arrays, point, e) for e in range(ELEMENTS))
        if slot.kind == "centre":
            numbers[slot.symbol.subs(k, i)] = centres[slot.about, slot.column, i]
        for q in range(len(columns) if slot.is_row else 0):
            numbers[slot.symbol.subs({ROW: q, k: i})] = triangle[q, columns.index((slot, i))]
    for element in flat.atoms(sp.Indexed):
        if str(element.base) in arrays:
            numbers[element] = mp.mpf(float(arrays[str(element.base)][tuple(map(int, element.indices))]))
    names = {symbol: sp.Dummy() for symbol in numbers}
    return sp.lambdify(list(names.values()), flat.xreplace(names), "mpmath")(*numbers.values())


def places(slot: Slot) -> range:
    return range(3 if slot.bound else 1)


def entry(
    slot: Slot,
    i: int,
    arrays: dict[str, Any],
    point: dict[Any, Any],
    at: int,
    sides: DataSides,
    centres: dict[Any, Any],
) -> Any:
    """An element of a column; an offset has the others added to it, as often as their centres say."""
    own = column(slot.column, i, arrays, point, at)
    fits = [s for s in sides.slots.values() if s.kind == "centre" and slot.kind == "offset" and s.about == slot.column]
    more = [(s, m) for s in fits for m in places(s)]
    return own + mp.fsum(centres[s.about, s.column, m] * column(s.column, m, arrays, point, at) for s, m in more)


def row_sums(formula: sp.Expr) -> list[Any]:
    return [t for t in formula.atoms(sp.Sum) if t.variables == [ROW]]


def column(formula: Any, i: int, arrays: dict[str, Any], point: dict[Any, Any], at: int) -> Any:
    return value(sp.S(formula).subs(k, i), arrays, point, at)


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


def test_an_input_in_the_position_is_no_constant() -> None:
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
