r"""Learn by Monte Carlo EM (Kingma 2013): parameters by the mode of $p(\theta \mid x)$, latents by HMC, on either form."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symaux.errors import DataError
from symaux.learn.checkpoint import fingerprint, restore, store
from symaux.learn.compiled_model import Arrays, Target, as_target
from symaux.learn.coordinates import names_of
from symaux.learn.initial_values import draw_from_conditional, to_coordinates
from symaux.learn.monte_carlo_em_step import Plan, compile_block
from symaux.learn.plate_independence import plate_name
from symaux.learn.precision import use_precision
from symaux.learn.progress_bar import show_progress
from symaux.validate.blackjax_chain import require

CLOCKS = ("seconds", "processor_seconds")
SPREAD = 0.1  # of the parameters' starting coordinates


@dataclass(frozen=True)
class Learnt:
    """The learnt parameters under the user's names, the last values of the latents, and a trace of the iterations.

    ``trace`` has arrays of one number per iteration: ``log_joint``, which is log p(x, latents, parameters) in the
    coordinates that were moved, ``acceptance``, and so far, compilation left out, ``gradients``, ``seconds`` and
    ``processor_seconds``, which others on the machine do not change.
    """

    parameters: Arrays
    position: Arrays = field(repr=False)
    trace: dict[str, Any] = field(repr=False)
    iterations: int

    def __str__(self) -> str:
        return f"{self.iterations} iterations: {_estimate(self.trace, self.parameters)}"


def mcem(
    model: Any,
    data: Mapping[str, Any],
    parameters: Any = None,
    *,
    form: str = "auxiliary",
    iterations: int = 1000,
    leapfrog: int = 5,
    step_size: float = 0.01,
    climbs: int = 5,
    optimiser: Any = None,
    independent: Any = None,
    start: Mapping[str, Any] | None = None,
    seed: int = 0,
    precision: str = "float64",
    checkpoint: str | Path | None = None,
    every: int = 50,
    progress: bool | None = None,
    watch: Callable[[Learnt], None] | None = None,
) -> Learnt:
    """Learn parameters: alternate an HMC move of the latents with ``climbs`` steps of an Optax optimiser (Adagrad 0.1).

    ``parameters`` are latents, whose priors count, or inputs without data, which have none; left out, all of the latter.
    ``independent`` names a plate along which latents accept or reject by themselves; otherwise they do so together.
    With a ``checkpoint`` file, which is written after ``every`` iterations, a run that was killed goes on where it
    stopped, to the same result. ``watch`` is called then too. ``start`` gives values by name.
    """
    import jax
    import numpy as np

    with use_precision(precision):
        aim = as_target(model, data, form, learning=True)
        names = _parameters(aim, parameters)
        plan = Plan(
            aim.functions, names, leapfrog, step_size, climbs, None if independent is None else plate_name(independent)
        )
        climber = require("optax").adagrad(0.1) if optimiser is None else optimiser
        state, trace = _begin(aim, plan, climber, start or {}, seed), _nothing()
        settings = {**{k: v for k, v in vars(plan).items() if k != "functions"}, "seed": seed, "precision": precision}
        settings["start"] = fingerprint("", {k: np.asarray(v) for k, v in (start or {}).items()}, {})
        mark = fingerprint(str(plan.functions.after), aim.data, settings)
        if checkpoint is not None and (found := restore(checkpoint, mark, state)):
            state, trace = found
        run = compile_block(plan, climber, every)
        jax.block_until_ready(run(state, aim.data, 0))  # compiles
        with show_progress("mcem", iterations, progress) as advance:
            while (done := int(state["count"])) < iterations:
                count, began = min(every, iterations - done), _clocks()
                state, seen = jax.block_until_ready(run(state, aim.data, count))
                trace = _append_trace(trace, seen, count, plan.gradients, _clocks() - began)
                if checkpoint is not None:
                    store(checkpoint, mark, state, trace)
                now = _learnt(aim, names, state, trace)
                advance(done + count, _estimate(trace, now.parameters))
                if watch is not None:
                    watch(now)
        return _learnt(aim, names, state, trace)


def _parameters(aim: Target, parameters: Any) -> tuple[str, ...]:
    """Return the names of what is learnt; inputs without data always are."""
    names = names_of(parameters) if parameters is not None else aim.functions.free
    if not names:
        raise DataError("mcem: name the parameters to learn; the model has no inputs without data")
    if missing := sorted(set(aim.functions.free) - set(names)):
        raise DataError(f"{', '.join(missing)}: an input without data that is not among the parameters")
    return names


def _begin(aim: Target, plan: Plan, optimiser: Any, start: Mapping[str, Any], seed: int) -> Any:
    """Return the state before the first iteration."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    drawn = {**aim.start(np.random.default_rng(seed), SPREAD), **to_coordinates(aim, start)}
    theta = {key: drawn[key] for key in plan.theta}
    first, chain = jax.random.split(jax.random.PRNGKey(seed))  # the same numbers must not be noise and momentum
    latents = draw_from_conditional(aim, theta, first)
    latents |= {key: drawn[key] for key in to_coordinates(aim, start) if key in latents}
    if not latents:
        raise DataError(
            "mcem: no latent variable is left that is not a parameter; sa.learn.map climbs without sampling"
        )
    return {
        "theta": theta,
        "latents": latents,
        "optimiser": optimiser.init(theta),
        "key": chain,
        "count": jnp.zeros((), dtype=jnp.int32),
    }


def _nothing() -> dict[str, Any]:
    import numpy as np

    return {name: np.zeros(0) for name in ("log_joint", "acceptance", "gradients", *CLOCKS)}


def _clocks() -> Any:
    """Return wall time and processor time."""
    import numpy as np

    return np.array([time.perf_counter(), time.process_time()])


def _append_trace(trace: dict[str, Any], seen: dict[str, Any], count: int, gradients: int, took: Any) -> dict[str, Any]:
    """Return the traces with those of a block appended."""
    import numpy as np

    steps = np.arange(1, count + 1)
    new = {name: np.asarray(values)[:count] for name, values in seen.items()}
    new["gradients"] = gradients * (len(trace["gradients"]) + steps)
    for name, seconds in zip(CLOCKS, took, strict=True):
        new[name] = (trace[name][-1] if len(trace[name]) else 0.0) + seconds * steps / count
    return {name: np.concatenate([trace[name], new[name]]) for name in trace}


def _learnt(aim: Target, names: tuple[str, ...], state: Any, trace: dict[str, Any]) -> Learnt:
    import numpy as np

    position = {**state["theta"], **state["latents"]}
    values = aim.functions.generate(position, aim.data)
    found = {name: np.asarray(values[name]) for name in names}
    return Learnt(found, {k: np.asarray(v) for k, v in position.items()}, trace, int(state["count"]))


def _estimate(trace: dict[str, Any], parameters: Arrays) -> str:
    """Return one line of text: the log-density, the acceptance, and scalar parameters."""
    import numpy as np

    if not len(trace["log_joint"]):
        return "nothing yet"
    scalars = [f"{name} = {float(value):.3g}" for name, value in parameters.items() if np.ndim(value) == 0]
    value, accepted = trace["log_joint"][-1], trace["acceptance"][-50:].mean()
    return ", ".join([f"log p(x, z) = {value:.6g}", f"accepted {accepted:.0%}", *scalars[:4]])
