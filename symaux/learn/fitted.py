r"""Weights of partial forms by a short variational run: $\max_{\lambda, q}\,E_q[\log p(x, w; \lambda) - \log q(w)]$.

For independent normals q, the bound is tight to the extent that the coordinates w are independent and normal, so that the
best weights untie them (Gorinova, Moore and Hoffman 2020). Two things make a short run enough, also for thousands of
elements, of which each says little. q is held in the coordinates of $\lambda = 1/2$, so that a change of the weights leaves the
law of z about as it was: $w = \lambda m + s^{\lambda - 1/2}(u - m/2)$ at the mean of the parents. And the elements' own noise
is not drawn: its expectation is taken from their curvature, $E f(w) \approx f(\bar w) + \sum_j\sigma_j^2 f_{jj}/2$.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from symaux.derivation import Derivation
from symaux.halfway import location_and_slope
from symaux.indices import indices_of
from symaux.learn.compiled import Arrays, Functions, Target
from symaux.learn.packages import needed
from symaux.model import Model
from symaux.statements import Deterministic

STEPS, PAIRS = 300, 1  # of antithetic draws of everything but the elements
RATE, OWN_RATE = 0.05, 0.03  # of everything, and of what single elements add to their variable's weight
COST = 6  # gradients that a slope of a curvature is worth, with a margin (measured: about 4)
EDGE = 0.02


def fitted(derivation: Derivation, aim: Target, positions: Arrays, first: Arrays, seed: int) -> tuple[Arrays, int]:
    """Weights by variable, from first ones and positions about the posterior, with weights of one half; and their cost."""
    import jax
    import numpy as np

    start = np.clip
    mean = {key: np.mean(drawn, axis=0) for key, drawn in positions.items()}
    spread = {key: np.log(np.std(drawn, axis=0) + 1e-6) for key, drawn in positions.items()}
    odds = {n: start(w, EDGE, 1 - EDGE) for n, w in first.items()}
    shared = {n: float(np.mean(np.log(w / (1 - w)))) for n, w in odds.items()}
    own = {n: np.log(w / (1 - w)) - shared[n] for n, w in odds.items()}
    fit = {"mean": mean, "spread": spread, "shared": shared, "own": own}
    functions = Functions(_with_lines(derivation, aim.after, tuple(first)))
    end = climb(functions, tuple(first))(fit, aim.data, jax.random.key(seed))
    return {n: np.asarray(w) for n, w in _weights(end).items()}, STEPS * 2 * PAIRS * COST


def _with_lines(derivation: Derivation, after: Model, names: Iterable[str]) -> Model:
    """The model with m and s of each variable as variables of their own: ``location_v`` and ``scale_v``."""
    lines = []
    for step in derivation.steps:
        (noise,) = step.after.noise
        name = noise.name.removeprefix("partial_")
        if noise.name.startswith("partial_") and name in names:
            parts = location_and_slope(step.after, f"lambda_{name}")
            lines += [Deterministic(_named(noise.value, f"{k}_{name}"), v) for k, v in zip(LINE, parts, strict=True)]
    return Model.of(*after.statements, *lines, observed=sorted(after.observed), auxiliary=after.auxiliary)


LINE = ("location", "scale")


def _named(value: Any, name: str) -> Any:
    import sympy as sp

    from symaux.indices import arrays

    indices = indices_of(value)
    return arrays(name)[indices] if indices else sp.Symbol(name, real=True)


def _weights(fit: Arrays) -> Arrays:
    import jax

    return {n: jax.nn.sigmoid(fit["shared"][n] + own) for n, own in fit["own"].items()}


@functools.lru_cache(maxsize=32)
def climb(functions: Functions, names: tuple[str, ...]) -> Callable[..., Any]:
    """A compiled run of Adam on the bound, from a first fit, data and a key to the last fit."""
    import jax
    import jax.numpy as jnp

    optax = needed("optax")
    inner = {f"partial_{n}": n for n in names}

    def placed(fit: Arrays, data: Arrays, weights: Arrays) -> tuple[Arrays, Arrays]:
        """Means and log-spreads of q in the coordinates of these weights."""
        middle = {**data, **{f"lambda_{n}": jnp.full(jnp.shape(w), 0.5) for n, w in weights.items()}}
        values = functions.generate(fit["mean"], middle)
        mean, spread = dict(fit["mean"]), dict(fit["spread"])
        for key, n in inner.items():
            m, s = (values[f"{part}_{n}"] for part in LINE)
            longer = (weights[n] - 0.5) * jnp.log(s)
            mean[key] = weights[n] * m + jnp.exp(longer) * (mean[key] - m / 2)
            spread[key] = spread[key] + longer
        return mean, spread

    def loss(fit: Arrays, data: Arrays, key: Any) -> Any:
        weights = _weights(fit)
        mean, spread = placed(fit, data, weights)
        known = {**data, **{f"lambda_{n}": w for n, w in weights.items()}}
        keys = dict(zip(mean, jax.random.split(key, len(mean)), strict=True))
        half = {n: jax.random.normal(keys[n], (PAIRS, *jnp.shape(m)), float) for n, m in mean.items() if n not in inner}
        signs = {n: jax.random.rademacher(keys[n], jnp.shape(mean[n]), float) for n in inner}
        elements = {n: mean[n] for n in inner}

        def density(eps: Arrays) -> Any:
            at = {n: mean[n] + jnp.exp(spread[n]) * e for n, e in eps.items()}
            slope = jax.value_and_grad(lambda own: functions.log_density({**at, **own}, known))
            (value, _), (_, bend) = jax.jvp(slope, (elements,), (signs,))
            return value + sum(jnp.sum(jnp.exp(2 * spread[n]) * signs[n] * bend[n]) / 2 for n in inner)

        drawn = jax.vmap(density)({n: jnp.concatenate([e, -e]) for n, e in half.items()}) if half else density({})
        return -jnp.mean(drawn) - sum(jnp.sum(s) for s in spread.values())

    rates = {"shared": RATE, "own": OWN_RATE, "mean": RATE, "spread": RATE}
    climbers = {name: optax.adam(optax.cosine_decay_schedule(rate, STEPS)) for name, rate in rates.items()}
    optimiser = optax.multi_transform(climbers, {name: name for name in rates})

    def run(first: Arrays, data: Arrays, key: Any) -> Any:
        first = jax.tree.map(lambda v: jnp.asarray(v, dtype=float), first)

        def step(state: Any, key: Any) -> Any:
            fit, memory = state
            slope = jax.tree.map(lambda g: jnp.nan_to_num(g, posinf=0.0, neginf=0.0), jax.grad(loss)(fit, data, key))
            moves, memory = optimiser.update(slope, memory, fit)
            return (optax.apply_updates(fit, moves), memory), None

        return jax.lax.scan(step, (first, optimiser.init(first)), jax.random.split(key, STEPS))[0][0]

    return jax.jit(run)
