"""Chains that are held with their short axes first: the same numbers and derivatives as from those that are not."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
import sympy as sp

import symaux as sa
from symaux.api import _source as source_of

z, y, x, v, w, b = sa.arrays("z y x v w b")
t, n, m = sa.plate("t", 5), sa.plate("n"), sa.plate("m", 4)
i, k, o = sa.plate("i", 3), sa.plate("k", 3), sa.plate("o", 2)
s = sp.Symbol("s", positive=True)


def product(element: Any, weights: Any) -> Any:
    return sp.Sum(element * weights, k)


def coupled() -> list[sa.Law]:
    """Two chains, one that multiplies the other and one that only follows it."""
    return [
        sa.normal(z[0, n, i], 0, 1),
        sa.normal(z[t, n, i], sp.tanh(product(y[t - 1, n, k], w[k, i])) + z[t - 1, n, i] / 2, s),
        sa.normal(y[0, n, k], 0, 1),
        sa.normal(y[t, n, k], sp.sin(z[t - 1, n, k]), s),
        sa.normal(x[t, n, o], product(z[t, n, k], v[k, o]), 1),
    ]


def series(step: Any, seen: sa.Law) -> list[sa.Law]:
    return [sa.normal(z[0, n, i], 0, s), sa.normal(z[t, n, i], step, s), seen]


CASES = {
    "a matrix": series(
        sp.tanh(product(z[t - 1, n, k], w[k, i]) + b[i]),
        sa.normal(x[t, n, o], sp.tanh(product(z[t, n, k], v[k, o])), s),
    ),
    "its transpose": series(
        sp.tanh(product(z[t - 1, n, k], w[i, k])), sa.normal(x[t, n, o], product(z[t, n, k], v[o, k]), s)
    ),
    "functions of it": series(
        sp.tanh(product(z[t - 1, n, k], sp.exp(w[k, i])) / 3), sa.normal(x[t, n, i], z[t, n, i], s)
    ),
    "a lag of two": [
        sa.normal(z[0, n, i], 0, 1),
        sa.normal(z[1, n, i], z[0, n, i], 1),
        sa.normal(z[t, n, i], sp.tanh(product(z[t - 2, n, k], w[k, i])) + z[t - 1, n, i] * b[i], s),
        sa.normal(x[t, n, i], z[t, n, i], s),
    ],
    "time in the middle": [
        sa.normal(z[n, 0, i], 0, 1),
        sa.normal(z[n, t, i], sp.tanh(product(z[n, t - 1, k], w[k, i])), s),
        sa.normal(x[n, t, o], product(z[n, t, k], v[k, o]), s),
    ],
    "two plates beside it": [
        sa.normal(z[0, n, m, i], 0, 1),
        sa.normal(z[t, n, m, i], sp.tanh(product(z[t - 1, n, m, k], w[k, i])), s),
        sa.normal(x[t, n, m, o], product(z[t, n, m, k], v[k, o]), s),
    ],
    "single elements": [
        sa.normal(z[0, n, i], 0, 1),
        sa.normal(z[t, n, i], sp.tanh(product(z[t - 1, n, k], w[k, i])) + z[t - 1, n, 1] * z[0, n, 2], s),
        sa.normal(x[t, n, i], z[t, n, i], s),
    ],
    "no rule for its derivative": series(
        sp.log(1 + product(z[t - 1, n, k], w[k, i]) ** 2), sa.normal(x[t, n, o], product(z[t, n, k], v[k, o]), s)
    ),
    "two chains": coupled(),
}


def numbers(after: sa.Model) -> tuple[dict, dict]:
    lengths = dict(after.axes.lengths) | {after.axes.group["n"]: 6}
    free = [*after.latents, *after.inputs, *after.observed]
    rng = np.random.default_rng(2013)
    made = {name: rng.normal(size=[lengths[g] for g in after.axes.of_array(name)]) / 2 for name in free}
    made |= {"s": np.asarray(0.7)} if "s" in after.inputs else {}
    return {name: made[name] for name in free if name not in after.observed}, {"x": made["x"]}


@pytest.mark.sweep(9)
@pytest.mark.parametrize("case", CASES)
def test_turning_changes_no_number(case: str, rng: np.random.Generator) -> None:
    after = sa.auxiliary(sa.Model.of(*CASES[case], observed=[x]), keep_roots=False).after
    at, data = numbers(after)
    assert "_turned" in sa.to_source(after) and "_turned" not in source_of(after, recursions="spread scan")
    turned, plain = sa.log_density(after, data), sa.log_density(after, data, checkpoint=True)
    value, slope = jax.jit(jax.value_and_grad(turned))(at)
    wanted, slopes = jax.jit(jax.value_and_grad(plain))(at)
    np.testing.assert_allclose(value, wanted, rtol=1e-12)
    for name in at:
        np.testing.assert_allclose(slope[name], slopes[name], rtol=1e-10, atol=1e-11)
    along = {name: rng.normal(size=np.shape(value)) for name, value in at.items()}
    moved = jax.jvp(turned, (at,), (along,))[1]
    np.testing.assert_allclose(moved, sum(np.sum(slope[name] * along[name]) for name in at), rtol=1e-10)
    many = {name: np.stack([value, 2 * value]) for name, value in at.items()}
    np.testing.assert_allclose(jax.vmap(turned)(many), jax.vmap(plain)(many), rtol=1e-12)


def test_a_turned_chain_is_generated_with_the_axes_of_the_model() -> None:
    after = sa.auxiliary(sa.Model.of(*CASES["a matrix"], observed=[x]), keep_roots=False).after
    at, _ = numbers(after)
    found, state = sa.generate(after)(at)["z"], at["s"] * at["eps_z"][0]
    for when in range(5):
        np.testing.assert_allclose(found[when], state, rtol=1e-12)
        state = np.tanh(state @ at["w"] + at["b"]) + at["s"] * at["eps_z"][min(when + 1, 4)]


@pytest.mark.parametrize(
    "mean",
    [
        sp.tanh(sp.Sum(z[t - 1, n, k] * w[n, k, i], k)),  # another matrix for every n
        sp.tanh(sp.Sum(z[t - 1, n, k] * z[t - 1, n, k], k)) + z[t - 1, n, i],  # no matrix
        sp.tanh(z[t - 1, n, i]),  # no product
    ],
)
def test_what_is_not_a_product_with_one_matrix_stays_as_it_is(mean: Any) -> None:
    laws = [sa.normal(z[0, n, i], 0, 1), sa.normal(z[t, n, i], mean, s), sa.normal(x[t, n, i], z[t, n, i], 1)]
    assert "_turned" not in sa.to_source(sa.auxiliary(sa.Model.of(*laws, observed=[x])).after)


@pytest.mark.parametrize(("size", "turned"), [(16, True), (32, False), (None, False)])
def test_only_short_axes_are_turned(size: int | None, turned: bool) -> None:
    a, c = sa.plate("a", size), sa.plate("c", size)
    step = sp.tanh(sp.Sum(z[t - 1, n, c] * w[c, a], c))
    laws = [sa.normal(z[0, n, a], 0, 1), sa.normal(z[t, n, a], step, s), sa.normal(x[t, n, a], z[t, n, a], 1)]
    assert ("_turned" in sa.to_source(sa.auxiliary(sa.Model.of(*laws, observed=[x])).after)) is turned


def test_a_chain_is_made_again_from_what_is_kept_for_its_slopes() -> None:
    """One array of T·n·i less: the scan leaves tanh(…), and z is that plus the noise."""
    after = sa.auxiliary(sa.Model.of(*CASES["a matrix"], observed=[x]), keep_roots=False).after
    assert "return (z_t,), (z_part,)" in sa.to_source(after)
