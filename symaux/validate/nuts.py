"""Run BlackJAX's NUTS, one chain for each data set in parallel, with step size and mass matrix adapted for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symaux.validate.blackjax_chain import require, run_chain

Arrays = Mapping[str, Any]
DOUBLINGS = 7  # of the tree of a draw; the warm-up has BlackJAX's own limit
TARGET = 0.9  # acceptance; funnels diverge at the usual 0.8


@dataclass(frozen=True)
class Chains:
    """The draws of the chains, by quantity, as arrays (chain, draw), with their diagnostics."""

    values: dict[str, Any]
    divergent: Any  # the number of divergent transitions of each chain
    ess: Any  # effective draws of each chain, by the worst quantity
    split_r: Any  # the halves of each chain compared (Gelman and Rubin), by the worst quantity


def nuts_runner(
    log_density: Callable[..., Any], quantities: Callable[..., Any], warmup: int, count: int
) -> Callable[..., Any]:
    """Return a compiled function of a key, starting positions and data, all with a leading axis of data sets.

    ``log_density`` and ``quantities`` are functions of a position and data; every chain has its own data set.
    """
    import jax

    nuts = require("blackjax", "calibration").nuts

    def one(key: Any, start: Any, data: Any) -> Any:
        def target(position: Any) -> Any:
            return log_density(position, data)

        def record(state: Any, info: Any) -> Any:
            return quantities(state.position, data), info.is_divergent

        options = {"max_num_doublings": DOUBLINGS}
        return run_chain(
            nuts, target, record, key, start,
            warmup=warmup, draws=count, acceptance=TARGET, warmup_options={}, options=options,
        )[0]  # fmt: skip

    return jax.jit(jax.vmap(one))


def with_diagnostics(values: Mapping[str, Any], divergent: Any) -> Chains:
    """Return the draws of chains with their diagnostics."""
    import numpy as np

    ess, split_r = [], []
    for array in values.values():
        effective, reduction = _diagnostics(np.asarray(array))
        ess.append(effective)
        split_r.append(reduction)
    return Chains(dict(values), np.asarray(divergent).sum(axis=1), np.min(ess, axis=0), np.max(split_r, axis=0))


def _diagnostics(array: Any) -> tuple[Any, Any]:
    """Return effective draws and split R-hat of each row, by its two halves; a constant row has no effective draw."""
    import numpy as np

    diagnostics = require("blackjax.diagnostics", "calibration")
    half = array.shape[1] // 2
    halves = np.stack([array[:, :half], array[:, half : 2 * half]])
    with np.errstate(all="ignore"):
        effective = np.asarray(diagnostics.effective_sample_size(halves, chain_axis=0, sample_axis=2))
        reduction = np.asarray(diagnostics.potential_scale_reduction(halves, chain_axis=0, sample_axis=2))
    return np.nan_to_num(effective, nan=0.0), np.nan_to_num(reduction, nan=np.inf)
