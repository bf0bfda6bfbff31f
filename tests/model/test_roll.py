"""Separately named variables rolled into plates and lags: the same densities, and code that does not grow with them."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import jax
import networkx as nx
import numpy as np
import pytest
import sympy as sp

import symaux as sa

mu = sp.Symbol("mu", real=True)
tau = sp.Symbol("tau", positive=True)


def chain(length: int, start: int = 1, make=lambda f, *a: f(*a)) -> tuple[list, list]:
    zs, xs = sp.symbols(f"z{start}:{start + length}", real=True), sp.symbols(f"x{start}:{start + length}", real=True)
    states = [make(sa.normal, zs[0], 0, 1), *(make(sa.normal, b, sp.tanh(a), 1) for a, b in pairwise(zs))]
    return [*states, *(make(sa.normal, b, a, 1) for a, b in zip(zs, xs, strict=True))], list(xs)


@pytest.mark.parametrize("start", [0, 1, 7])
def test_the_papers_chain_keeps_its_density(start: int) -> None:
    laws, xs = chain(12, start)
    model = sa.Model.of(*laws, observed=xs)
    rolled = sa.roll(model)
    assert str(rolled.model).splitlines()[2] == "z[t] ~ normal(tanh(z[t - 1]), 1)"
    rng = np.random.default_rng(0)
    data = {x.name: rng.normal() for x in xs}
    separate = sa.auxiliary(model, keep_roots=False).after
    at = {name: rng.normal() for name in separate.latents}
    whole = sa.auxiliary(rolled.model, keep_roots=False).after
    expected, slope = jax.value_and_grad(sa.log_density(separate, data))(at)
    found, slopes = jax.value_and_grad(sa.log_density(whole, rolled.stack_values(data)))(rolled.stack_values(at))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    apart = rolled.separately(slopes)
    assert set(apart) == set(slope)
    for name in slope:
        np.testing.assert_allclose(apart[name], slope[name], rtol=1e-10)


def test_a_graph_is_rolled_too_and_plates_without_lags() -> None:
    thetas, ys = sp.symbols("theta1:9", real=True), sp.symbols("y1:9", real=True)
    laws = [sa.normal(mu, 0, 5), sa.half_cauchy(tau, 5), *(sa.normal(t, mu, tau) for t in thetas)]
    graph = sa.Model.of(*laws, *(sa.normal(b, a, 1) for a, b in zip(thetas, ys, strict=True)), observed=ys).graph
    rolled = sa.roll(graph)
    assert str(rolled.model).splitlines()[3:] == ["theta[n] ~ normal(mu, tau)", "observe y[n] ~ normal(theta[n], 1)"]
    assert isinstance(graph, nx.DiGraph) and rolled.places["y8"] == ("y", 7)


def test_second_order_and_coupled_chains_and_a_reader_of_one_element() -> None:
    a, b = sp.symbols("a0:9", real=True), sp.symbols("b0:9", real=True)
    laws = [sa.normal(a[0], 0, 1), sa.normal(a[1], a[0], 2), sa.normal(b[0], a[0], 1)]
    laws += [sa.normal(a[k], mu * a[k - 1] + a[k - 2] * sp.sin(b[k - 1]), 1) for k in range(2, 9)]
    laws += [sa.normal(b[k], a[k] - b[k - 1], 1) for k in range(1, 9)]
    y = sp.Symbol("y", real=True)
    rolled = sa.roll([*laws, sa.normal(y, a[3] + b[8], 1)], observed=[y])
    lines = str(rolled.model).splitlines()
    assert "a[t] ~ normal(mu*a[t - 1] + sin(b[t - 1])*a[t - 2], 1)" in lines
    assert "b[t] ~ normal(a[t] - b[t - 1], 1)" in lines and "observe y ~ normal(a[3] + b[8], 1)" in lines
    rng = np.random.default_rng(1)
    at = {f"{s}{k}": rng.normal() for s in "ab" for k in range(9)} | {"mu": 0.4}
    expected = sa.log_density(sa.Model.of(*laws, sa.normal(y, a[3] + b[8], 1), observed=[y]), {"y": 0.3})(at)
    np.testing.assert_allclose(sa.log_density(rolled.model, {"y": 0.3})(rolled.stack_values(at)), expected, rtol=1e-12)


def test_a_law_by_its_formula_and_a_deterministic_node() -> None:
    zs, es = sp.symbols("z0:5", positive=True), sp.symbols("e0:5", real=True)
    laws = [sa.law(z, sp.exp(-z)) for z in zs]
    made = [sa.deterministic(e, 2 * sp.log(z)) for e, z in zip(es, zs, strict=True)]
    rolled = sa.roll([*laws, *made])
    assert len(rolled.model.statements) == 2 and "e[n] = 2*log(z[n])" in str(rolled.model)


def test_what_follows_no_template_is_left_alone() -> None:
    zs = sp.symbols("z0:30", real=True)
    laws = [sa.normal(z, 0, 1 + (k == 15)) for k, z in enumerate(zs)]
    rolled = sa.roll(laws)
    assert not rolled.places and "template" in rolled.reasons["z"] and len(rolled.model.nodes) == 30
    backward = [sa.normal(zs[29], 0, 1), *(sa.normal(a, b, 1) for a, b in pairwise(zs))]
    assert not sa.roll(backward).places
    es = sp.symbols("e0:31", real=True)
    crossed = [*(sa.normal(e, 0, 1) for e in es[:30]), *(sa.normal(z, es[(k + 1) % 30], 1) for k, z in enumerate(zs))]
    assert "z" not in {array for array, _ in sa.roll(crossed).places.values()}


def test_a_family_with_its_arguments_is_enough_and_time_grows_with_the_names_only() -> None:
    laws, xs = chain(3000, 0, partial)
    rolled = sa.roll(laws, observed=xs)
    after = sa.auxiliary(rolled.model, keep_roots=False).after
    small, small_xs = chain(30, 0, partial)
    assert sa.to_source(after).replace("3000", "30") == sa.to_source(
        sa.auxiliary(sa.roll(small, observed=small_xs).model, keep_roots=False).after
    )
