r"""Weights of partial forms by a short variational run: $\max_{\lambda, q}\,E_q[\log p(x, w; \lambda) - \log q(w)]$.

For independent normals q, the bound is tight to the extent that the coordinates w are independent and normal, so that the
best weights untie them (Gorinova, Moore and Hoffman 2020). The logit of a weight is a number for its variable plus one for
each element: what all elements say together is learnt soon, and single ones move away where their data say so clearly.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from symaux.derivation import Derivation
from symaux.learn.compiled import Arrays, Functions, Target, target
from symaux.learn.packages import needed

STEPS, SAMPLES = 800, 2
RATE, OWN_RATE = 0.08, 0.04  # of everything, and of what single elements add to their variable's weight
DRAWS = 50


def fitted(derivation: Derivation, data: Arrays, names: Iterable[str], seed: int) -> tuple[Arrays, Arrays, int, Target]:
    """Weights by variable, draws from q, the gradients that it took, and what was fitted, with the weights one half."""
    import jax
    import numpy as np

    aim = target(derivation, data, "auxiliary")
    start = aim.start(np.random.default_rng(seed), 0.1)
    spread = {key: np.full(np.shape(value), -1.0) for key, value in start.items()}
    shapes = {f"lambda_{n}": np.shape(aim.data[f"lambda_{n}"]) for n in names}
    own = {key: np.zeros(shape) for key, shape in shapes.items()}
    first = {"mean": start, "spread": spread, "shared": dict.fromkeys(own, 0.0), "own": own}
    end = climb(aim.functions)(first, aim.data, jax.random.key(seed))
    learnt = {n: np.asarray(_weights(end)[f"lambda_{n}"]) for n in names}
    rng = np.random.default_rng(seed)
    draws = {k: _draws(end["mean"][k], end["spread"][k], rng) for k in start}
    return learnt, draws, STEPS * SAMPLES, replaced(aim, learnt)


def replaced(aim: Target, learnt: Arrays) -> Target:
    """The target with the weights that were learnt: draws from q are positions of that form."""
    from dataclasses import replace

    return replace(aim, data={**aim.data, **{f"lambda_{n}": w for n, w in learnt.items()}})


def _draws(mean: Any, spread: Any, rng: Any) -> Any:
    import numpy as np

    mean = np.asarray(mean)
    return mean + np.exp(np.asarray(spread)) * rng.normal(size=(DRAWS, *mean.shape))


def _weights(fit: Arrays) -> Arrays:
    import jax

    return {key: jax.nn.sigmoid(fit["shared"][key] + own) for key, own in fit["own"].items()}


@functools.lru_cache(maxsize=32)
def climb(functions: Functions) -> Callable[..., Any]:
    """A compiled run of Adam on the bound, from a first fit, data and a key to the last fit."""
    import jax
    import jax.numpy as jnp

    optax = needed("optax")

    def loss(fit: Arrays, data: Arrays, key: Any) -> Any:
        keys = dict(zip(fit["mean"], jax.random.split(key, len(fit["mean"])), strict=True))
        noise = {n: jax.random.normal(keys[n], (SAMPLES, *jnp.shape(m)), m.dtype) for n, m in fit["mean"].items()}
        known = {**data, **_weights(fit)}

        def density(eps: Arrays) -> Any:
            return functions.log_density({n: m + jnp.exp(fit["spread"][n]) * eps[n] for n, m in fit["mean"].items()}, known)

        entropy = sum(jnp.sum(s) for s in fit["spread"].values())
        return -jnp.mean(jax.vmap(density)(noise)) - entropy

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
