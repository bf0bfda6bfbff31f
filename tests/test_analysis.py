"""Distances on templates, gains of rewrites, measured flow, and blankets against the Hessian that JAX computes."""

from __future__ import annotations

import math
import random
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.analysis.gain import rewritten
from symaux.cli.demo import chain

mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
theta, y, w, z, x, r = sa.arrays("theta y w z x r")


def schools(size: int) -> sa.Model:
    j = sa.plate("j", size)
    seen = sa.normal(y[j], theta[j], 1)
    return sa.Model.of(sa.normal(mu, 0, 5), sa.half_normal(tau, 5), sa.normal(theta[j], mu, tau), seen, observed=[y])


def layers(size: int) -> sa.Model:
    """Weights whose two axes are of one kind, and a sum over all of them."""
    n, i, k = sa.plate("n", size), sa.plate("i", size), sa.plate("k", size)
    first = [sa.normal(z[n, i], 0, 1), sa.normal(w[k, i], 0, 1)]
    seen = sa.normal(x[n, i], sp.Sum(w[k, i] * z[n, k], k), 1)
    return sa.Model.of(*first, seen, observed=[x])


def walk(steps: int, size: int) -> sa.Model:
    t, n = sa.plate("t", steps), sa.plate("n", size)
    states = [sa.normal(z[0, n], 0, 1), sa.normal(z[t, n], z[t - 1, n], 1)]
    return sa.Model.of(*states, sa.normal(x[t, n], z[t, n], 1), observed=[x])


@pytest.mark.parametrize("auxiliary", [False, True])
@pytest.mark.parametrize(
    ("make", "whole", "pairs"),
    [
        (schools, 5, [(y[1], theta[1]), (y[1], theta[4]), (theta[0], theta[2]), (y[3], mu), (y[0], y[4])]),
        (
            layers,
            4,
            [(x[0, 1], z[0, 3]), (x[0, 1], z[2, 3]), (x[0, 1], w[2, 1]), (x[0, 1], w[2, 3]), (w[0, 1], w[3, 2])],
        ),
        (lambda size: walk(6, size), 3, [(x[5, 1], z[0, 1]), (x[5, 1], z[0, 2]), (x[2, 0], z[4, 0])]),
    ],
)
def test_templates_answer_as_the_unrolled_model_does(make: Any, whole: int, pairs: Any, auxiliary: bool) -> None:
    model = sa.auxiliary(make(whole), keep_roots=False).after if auxiliary else make(whole)
    graph = model.unroll()
    for source, target in pairs:
        expected = sa.information_distance(graph, source, target)
        assert sa.element_distance(model, source, target) == sa.information_distance(model, source, target) == expected


def test_the_size_of_a_plate_does_not_matter() -> None:
    huge = schools(10**12)
    assert sa.element_distance(huge, y[1], theta[10**11]) == 3
    assert sa.element_distance(sa.auxiliary(huge).after, y[1], theta[10**11]) == 2
    n = sa.plate("n")
    assert sa.element_distance(sa.Model.of(sa.normal(z[n], 0, 1)), z[1], z[2]) == math.inf


def test_elements_that_do_not_exist_are_refused() -> None:
    with pytest.raises(sa.ModelError, match="has 5 elements"):
        sa.element_distance(schools(5), y[5], mu)
    with pytest.raises(sa.ModelError, match="has 1 indices"):
        sa.element_distance(schools(5), y, mu)
    with pytest.raises(sa.ModelError, match="nobody is no variable"):
        sa.element_distance(schools(5), sp.Symbol("nobody"), mu)


def test_a_rewritten_graph_is_that_of_the_rewritten_model() -> None:
    model = chain()
    for name in model.latents:
        derived = sa.auxiliary(model, only=[name]).after
        for other in ("z1", "z2", "z3", "x1", "x2", "x3"):
            assert sa.markov_blanket(rewritten(model, [name]), other) == sa.markov_blanket(derived, other)
    everything = sa.auxiliary(model, keep_roots=False).after
    assert sa.diameter(rewritten(model, model.latents)) == sa.diameter(everything)


def test_gains() -> None:
    found = sa.gains(chain())
    assert found["z2"].farthest == (3, 2) and found["z1"].farthest == (3, 3)
    model = sa.Model.of(sa.normal(mu, 0, 1), sa.factor(-(mu**4)))
    assert sa.gains(model)["mu"].blanket == (0, 0)
    with pytest.raises(sa.ModelError, match="no latent"):
        rewritten(chain(), ["x1"])


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


@pytest.mark.parametrize("seed", range(3))
def test_random_models_fill_their_blankets(seed: int) -> None:
    model = random_model(seed)
    data = {name: 0.4 for name in model.observed}
    for side in (model, sa.auxiliary(model).after):
        filled, possible = check_hessian(side, data)
        assert filled == possible


def test_flow_is_the_mean_size_of_the_slope() -> None:
    """In the chain d log p(x1 | z1)/dz1 = x1 - z1, a standard normal under the prior: its mean size is √(2/π)."""
    aux = sa.auxiliary(chain(), keep_roots=False)
    found = sa.measured_flow(aux.before, draws=4000)
    assert set(found) == set(aux.before.graph.edges)
    assert all(value == pytest.approx(math.sqrt(2 / math.pi), abs=0.05) for value in found.values())
    after = sa.measured_flow(aux.after, draws=4000)
    assert after["z3", "x3"] == pytest.approx(math.sqrt(2 / math.pi), abs=0.05)
    assert after["z2", "z3"] == pytest.approx(after["z3", "x3"])  # what x3 says travels on undiminished
    assert after["eps_z1", "z1"] == pytest.approx(math.sqrt(3) * math.sqrt(2 / math.pi), abs=0.08)


def test_flow_at_given_positions_and_through_plates_and_lags() -> None:
    model = walk(4, 2)
    seen = {"x": np.zeros((4, 2))}
    found = sa.measured_flow(model, seen, positions={"z": np.ones((3, 4, 2))})
    assert found == {("z", "x"): 1.0, ("z", "z"): 0.0}
    assert set(sa.measured_flow(sa.auxiliary(model).after)) == {("eps_z", "z"), ("z", "x"), ("z", "z")}
    sigma = sp.Symbol("sigma", positive=True)
    with pytest.raises(sa.DataError, match="sigma"):
        sa.measured_flow(sa.Model.of(sa.normal(mu, 0, sigma)))


def test_broad_arrows_carry_much() -> None:
    a, b, c = sp.symbols("a b c", real=True)
    model = sa.Model.of(sa.normal(a, 0, 1), sa.normal(b, 0, 1), sa.normal(c, a + b, 1), observed=[c])
    text = sa.render(model, flow={("a", "c"): 4.0, ("b", "c"): 0.01})
    widths = {line.split('"')[3]: None for line in text.splitlines() if 'class="edge"' in line}
    assert set(widths) == {"a", "b"}
    strokes = sorted(
        float(line.split('stroke-width="')[1].split('"')[0]) for line in text.splitlines() if "<path d=" in line
    )
    assert strokes[1] > 5 * strokes[0]
    assert "line width=4.80pt" in sa.render(model, format="tikz", flow={("a", "c"): 4.0})
