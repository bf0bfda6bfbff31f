"""Chains of BlackJAX's NUTS, one for each data set, run side by side; step size and mass matrix adapted for each."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symaux.errors import SymauxError

Arrays = Mapping[str, Any]
DOUBLINGS = 7
TARGET = 0.9  # acceptance; funnels diverge at the usual 0.8


class Missing(SymauxError):
    """A package that only some commands need is not installed."""

    code = "missing"


@dataclass(frozen=True)
class Chains:
    """The values that the chains went through, by quantity, as arrays (chain, draw); and which moves diverged."""

    values: dict[str, Any]
    divergent: Any  # of each chain, how many
    ess: Any  # effective draws of each chain, by the worst quantity
    split_r: Any  # the halves of each chain compared (Gelman and Rubin), by the worst quantity


def sampler() -> Any:
    """BlackJAX, or an error that says how to get it."""
    try:
        return importlib.import_module("blackjax")
    except ImportError as none:
        raise Missing("--calibrate needs BlackJAX, which is not installed: pip install 'symaux[infer]'") from none


def runner(
    log_density: Callable[..., Any], quantities: Callable[..., Any], warmup: int, count: int
) -> Callable[..., Any]:
    """Return a compiled function of a key, starting positions and data, all with a leading axis of data sets.

    ``log_density`` and ``quantities`` are functions of a position and data; the data sets are what chains differ in.
    """
    import jax

    blackjax = sampler()

    def one(key: Any, start: Any, data: Any) -> Any:
        def target(position: Any) -> Any:
            return log_density(position, data)

        first, second = jax.random.split(key)
        adaptation = blackjax.window_adaptation(blackjax.nuts, target, target_acceptance_rate=TARGET)
        (state, parameters), _ = adaptation.run(first, start, num_steps=warmup)
        kernel = blackjax.nuts(target, **parameters, max_num_doublings=DOUBLINGS)

        def step(state: Any, key: Any) -> Any:
            state, info = kernel.step(key, state)
            return state, (quantities(state.position, data), info.is_divergent)

        return jax.lax.scan(step, state, jax.random.split(second, count))[1]

    return jax.jit(jax.vmap(one))


def judged(values: Mapping[str, Any], divergent: Any) -> Chains:
    """What chains went through, with their diagnostics."""
    import numpy as np

    ess, split_r = [], []
    for array in values.values():
        effective, reduction = _diagnosed(np.asarray(array))
        ess.append(effective)
        split_r.append(reduction)
    return Chains(dict(values), np.asarray(divergent).sum(axis=1), np.min(ess, axis=0), np.max(split_r, axis=0))


def _diagnosed(array: Any) -> tuple[Any, Any]:
    """Effective draws and split R-hat of each row, by its two halves; a constant row has no effective draw."""
    import numpy as np

    diagnostics = importlib.import_module("blackjax.diagnostics")
    half = array.shape[1] // 2
    halves = np.stack([array[:, :half], array[:, half : 2 * half]])
    with np.errstate(all="ignore"):
        effective = np.asarray(diagnostics.effective_sample_size(halves, chain_axis=0, sample_axis=2))
        reduction = np.asarray(diagnostics.potential_scale_reduction(halves, chain_axis=0, sample_axis=2))
    return np.nan_to_num(effective, nan=0.0), np.nan_to_num(reduction, nan=np.inf)
