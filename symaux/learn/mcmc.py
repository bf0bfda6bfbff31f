"""Chains of BlackJAX's NUTS or HMC, each with a step size and a mass matrix adapted in windows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from symaux.errors import DataError
from symaux.learn.compiled_model import Functions
from symaux.learn.optional_packages import needed

ALGORITHMS = ("nuts", "hmc")


@functools.lru_cache(maxsize=32)
def runner(
    functions: Functions,
    *,
    algorithm: str,
    draws: int,
    warmup: int,
    acceptance: float,
    leapfrog: int,
    doublings: int,
) -> Callable[..., Any]:
    """Return a compiled function of keys, starting positions (both with an axis of chains) and data: values and
    statistics."""
    import jax

    blackjax = needed("blackjax")
    if algorithm not in ALGORITHMS:
        raise DataError(f"algorithm is one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
    method, options = (
        (blackjax.nuts, {"max_num_doublings": doublings})
        if algorithm == "nuts"
        else (blackjax.hmc, {"num_integration_steps": leapfrog})
    )

    def one(key: Any, start: Any, data: Any) -> Any:
        def aim(position: Any) -> Any:
            return functions.log_density(position, data)

        first, second = jax.random.split(key)
        adaptation = blackjax.window_adaptation(method, aim, target_acceptance_rate=acceptance, **options)
        (state, tuned), seen = adaptation.run(first, start, num_steps=warmup)
        kernel = method(aim, **tuned)

        def step(state: Any, key: Any) -> Any:
            state, info = kernel.step(key, state)
            return state, ((functions.generate(state.position, data), state.position), statistics(state, info))

        drawn = jax.lax.scan(step, state, jax.random.split(second, draws))[1]
        return *drawn, {"step_size": tuned["step_size"], "warmup_steps": seen.info.num_integration_steps.sum()}

    return jax.jit(functools.partial(_every, one))


def _every(one: Callable[..., Any], keys: Any, starts: Any, data: Any) -> Any:
    """Return all chains: one after another on a processor, where a batch of trees costs several times as much, else
    side by side."""
    import jax

    if jax.default_backend() != "cpu":
        return jax.vmap(one, in_axes=(0, 0, None))(keys, starts, data)
    return jax.lax.map(lambda chain: one(*chain, data), (keys, starts))


def statistics(state: Any, info: Any) -> dict[str, Any]:
    """ArviZ's names for what happened in one move; ``n_steps`` counts its gradients."""
    return {
        "lp": state.logdensity,
        "diverging": info.is_divergent,
        "acceptance_rate": info.acceptance_rate,
        "n_steps": info.num_integration_steps,
        "energy": info.energy,
    }
