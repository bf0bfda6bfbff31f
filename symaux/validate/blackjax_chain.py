"""Run one chain of a BlackJAX sampler whose step size and mass matrix are adapted in windows: for learning and for calibration.

BlackJAX, Optax and ArviZ belong to the extra ``infer``; they are loaded where they are used, with an error that says how
to install them.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from symaux.errors import SymauxError


class Missing(SymauxError):
    """A package that only some commands need is not installed."""

    code = "missing"


def require(package: str, purpose: str = "sa.learn") -> Any:
    """Return a package of the extra ``infer``, or raise Missing.

    >>> require("blackjay")
    Traceback (most recent call last):
    symaux.validate.blackjax_chain.Missing: sa.learn needs blackjay, which is not installed: pip install 'symaux[infer]'
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ArviZ announces its next version when it is imported
            return importlib.import_module(package)
    except ImportError as none:
        top = package.split(".")[0]
        message = f"{purpose} needs {top}, which is not installed: pip install 'symaux[infer]'"
        raise Missing(message) from none


def run_chain(
    method: Any,
    log_density: Callable[[Any], Any],
    record: Callable[[Any, Any], Any],
    key: Any,
    start: Any,
    *,
    warmup: int,
    draws: int,
    acceptance: float,
    warmup_options: Mapping[str, Any],
    options: Mapping[str, Any],
) -> tuple[Any, dict[str, Any], Any]:
    """Return the records of the draws, the adapted parameters, and BlackJAX's information on the warm-up.

    ``method`` is ``blackjax.nuts`` or ``blackjax.hmc``, with options of its own for the warm-up and for the draws;
    ``record`` is a function of the state after a draw and of BlackJAX's information on it.
    """
    import jax

    first, second = jax.random.split(key)
    adaptation = require("blackjax").window_adaptation(
        method, log_density, target_acceptance_rate=acceptance, **warmup_options
    )
    (state, adapted), warm = adaptation.run(first, start, num_steps=warmup)
    kernel = method(log_density, **{**adapted, **options})

    def step(state: Any, key: Any) -> Any:
        state, info = kernel.step(key, state)
        return state, record(state, info)

    return jax.lax.scan(step, state, jax.random.split(second, draws))[1], adapted, warm.info
