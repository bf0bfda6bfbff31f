"""Markov blankets against the Hessian that JAX computes."""

from __future__ import annotations

import random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from support.templates import layers, schools, walk

import symaux as sa
from symaux.cli.demo import chain


def hessian(model: sa.Model, data: dict[str, Any], seed: int = 0) -> dict[tuple[str, str], float]:
    """The second derivatives of log p between elements of latents, in absolute value, the largest over a few points."""
    graph, density = model.unroll(data), sa.log_density(model, data)
    lengths = model.axes.resolved({name: np.shape(value) for name, value in data.items()})
    rng, worst = np.random.default_rng(seed), {}
    for _ in range(2):
        at = {
            n: 0.3 + 0.5 * np.abs(rng.normal(size=[lengths[g] for g in model.axes.of_array(n)])) for n in model.latents
        }
        second = jax.jit(jax.hessian(density))({n: jnp.asarray(v) for n, v in at.items()})
        for a in (n for n in graph if graph.nodes[n]["variable"] in model.latents):
            for b in (n for n in graph if graph.nodes[n]["variable"] in model.latents):
                one, other = graph.nodes[a], graph.nodes[b]
                entry = abs(float(second[one["variable"]][other["variable"]][(*one["index"], *other["index"])]))
                worst[a, b] = max(worst.get((a, b), 0.0), entry)
    return worst


def check_hessian(model: sa.Model, data: dict[str, Any]) -> tuple[int, int]:
    """No second derivative outside the blankets; how many pairs have one, and how many could."""
    graph = model.unroll(data)
    found = hessian(model, data)
    blankets = {name: sa.markov_blanket(graph, name) for name in {a for a, _ in found}}
    outside = {pair: v for pair, v in found.items() if pair[0] != pair[1] and pair[1] not in blankets[pair[0]]}
    assert max(outside.values(), default=0.0) == 0.0
    inside = [v for (a, b), v in found.items() if b in blankets[a]]
    return sum(v > 1e-12 for v in inside), len(inside)


def test_the_hessian_lies_inside_the_blankets() -> None:
    xs = {"x1": 0.3, "x2": -1.0, "x3": 2.0}
    aux = sa.auxiliary(chain(), keep_roots=False)
    assert check_hessian(aux.before, xs) == (4, 4)
    assert check_hessian(aux.after, xs) == (6, 6)
    ys = {"y": np.linspace(-1, 1, 3)}
    for model in (schools(3), sa.auxiliary(schools(3)).after):
        filled, possible = check_hessian(model, ys)
        assert 0 < filled <= possible
    for model in (layers(2), walk(3, 2), sa.auxiliary(walk(3, 2)).after):
        seen = {"x": np.ones([model.axes.lengths[g] for g in model.axes.of_array("x")])}
        check_hessian(model, seen)


def test_additive_factors_have_zero_cross_terms() -> None:
    """Contained, not equal: a and b share a factor in which they only add up."""
    a, b = sp.symbols("a b", real=True)
    model = sa.Model.of(sa.normal(a, 0, 1), sa.normal(b, 0, 1), sa.factor(-(a**2) - b**2))
    assert check_hessian(model, {}) == (0, 2)


def random_model(seed: int) -> sa.Model:
    """A DAG of normals whose means and scales mix all parents, so that no second derivative vanishes by chance."""
    chance = random.Random(seed)
    names = [sp.Symbol(f"v{k}", real=True) for k in range(6)]
    laws, observed = [], []
    for k, v in enumerate(names):
        parents = chance.sample(names[:k], min(k, chance.choice([0, 1, 2, 2])))
        total = sum(((k + 2) * p for k, p in enumerate(parents)), sp.S.Zero)
        laws.append(sa.normal(v, sp.tanh(total), sp.exp(sp.sin(total) / 3)))
        if parents and chance.random() < 0.4:
            observed.append(v)
    return sa.Model.of(*laws, observed=observed)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(3))
def test_random_models_fill_their_blankets(seed: int) -> None:
    model = random_model(seed)
    data = {name: 0.4 for name in model.observed}
    for side in (model, sa.auxiliary(model).after):
        filled, possible = check_hessian(side, data)
        assert filled == possible
