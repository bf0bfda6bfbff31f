"""How generated code is compared with a log-density written by hand in numpy: value, gradient, jit and vmap at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy import stats

import symaux as sa

Values = Mapping[str, Any]
Oracle = Callable[[dict[str, np.ndarray]], float]


def lognorm(value: Any, loc: Any = 0.0, scale: Any = 1.0) -> float:
    """The log-density of independent normal values, by scipy."""
    return float(np.sum(stats.norm.logpdf(value, loc, scale)))


def agrees(model: sa.Model, position: Values, data: Values, oracle: Oracle, *, rtol: float = 1e-11) -> None:
    """Whether the generated log-density and its gradient are those of the oracle, under jit, grad and vmap."""
    at = {name: np.asarray(value, dtype=float) for name, value in position.items()}
    expected = float(oracle(at))
    logp = sa.log_density(model, data)
    np.testing.assert_allclose(float(logp(at)), expected, rtol=rtol, atol=rtol)
    if not at:
        return
    rng = np.random.default_rng(7)
    direction = {name: np.asarray(rng.normal(size=value.shape)) for name, value in at.items()}
    batch = {name: jnp.stack([value, value + 1e-3 * direction[name]]) for name, value in at.items()}
    values, gradients = jax.jit(jax.vmap(jax.value_and_grad(logp)))(batch)
    moved = {name: np.asarray(value + 1e-3 * direction[name]) for name, value in at.items()}
    np.testing.assert_allclose(np.asarray(values), [expected, oracle(moved)], rtol=rtol, atol=rtol)
    slope = sum(float(np.sum(np.asarray(gradients[name])[0] * direction[name])) for name in at)
    np.testing.assert_allclose(slope, _slope(oracle, at, direction), rtol=2e-6, atol=2e-6)


def _slope(oracle: Oracle, at: dict[str, np.ndarray], direction: dict[str, np.ndarray]) -> float:
    """The derivative of the oracle along a direction, by central differences of fourth order."""

    def along(step: float) -> float:
        return float(oracle({name: np.asarray(value + step * direction[name]) for name, value in at.items()}))

    h = 1e-4
    return (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
