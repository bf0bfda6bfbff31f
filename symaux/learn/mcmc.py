"""Sample chains with BlackJAX's NUTS or HMC, each with a step size and a mass matrix adapted in windows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from symaux.errors import DataError
from symaux.learn.compiled_model import Functions
from symaux.validate.blackjax_chain import require, run_chain

ALGORITHMS = ("nuts", "hmc")


@functools.lru_cache(maxsize=32)
def compile_sampler(
    functions: Functions,
    *,
    algorithm: str,
    draws: int,
    warmup: int,
    acceptance: float,
    leapfrog: int,
    doublings: int,
) -> Callable[..., Any]:
    """Return a compiled function of keys, starting positions (both with an axis of chains) and data: values and statistics."""
    import jax

    blackjax = require("blackjax")
    if algorithm not in ALGORITHMS:
        raise DataError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
    method, options = (
        (blackjax.nuts, {"max_num_doublings": doublings})
        if algorithm == "nuts"
        else (blackjax.hmc, {"num_integration_steps": leapfrog})
    )

    def one(key: Any, start: Any, data: Any) -> Any:
        def log_density(position: Any) -> Any:
            return functions.log_density(position, data)

        def record(state: Any, info: Any) -> Any:
            return (functions.generate(state.position, data), state.position), statistics(state, info)

        drawn, adapted, warm = run_chain(
            method, log_density, record, key, start,
            warmup=warmup, draws=draws, acceptance=acceptance, warmup_options=options, options=options,
        )  # fmt: skip
        return *drawn, {"step_size": adapted["step_size"], "warmup_steps": warm.num_integration_steps.sum()}

    return jax.jit(functools.partial(_run_all, one))


def _run_all(one: Callable[..., Any], keys: Any, starts: Any, data: Any) -> Any:
    """Return all chains: one after another on a CPU, where a batch of trees costs several times as much, else as a batch."""
    import jax

    if jax.default_backend() != "cpu":
        return jax.vmap(one, in_axes=(0, 0, None))(keys, starts, data)
    return jax.lax.map(lambda chain: one(*chain, data), (keys, starts))


def statistics(state: Any, info: Any) -> dict[str, Any]:
    """Return the statistics of one move under ArviZ's names; ``n_steps`` counts its gradients."""
    return {
        "lp": state.logdensity,
        "diverging": info.is_divergent,
        "acceptance_rate": info.acceptance_rate,
        "n_steps": info.num_integration_steps,
        "energy": info.energy,
    }
