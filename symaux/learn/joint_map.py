r"""Find joint modes of parameters and latents, $\max_{\theta, z}\,\log p(x, z, \theta)$, by any optimiser of Optax.

The mode is that of the density in the coordinates that are moved, as the logarithm of a scale: another form of the same
model has another mode. A joint mode overfits, and the original form of a hierarchy often has none.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from symaux.learn.compiled_model import Arrays, Functions, as_target
from symaux.learn.initial_values import to_coordinates
from symaux.learn.precision import use_precision
from symaux.learn.unbounded_modes import Ray, UnboundedDensity, unbounded_rays
from symaux.validate.blackjax_chain import require

FLAT = 1e-4  # the largest partial derivative, per unit of 1 + |log p|, at a point that is called a mode
TINY = -15.0  # the logarithm of a scale that has gone


@dataclass(frozen=True)
class Mode:
    """The end of an optimisation, under the user's names; ``rays`` are directions in which the density is unbounded."""

    values: Arrays
    position: Arrays = field(repr=False)
    log_density: float
    slope: float
    trace: Any = field(repr=False)
    rays: tuple[Ray, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Return the reasons why this is not a mode, as text."""
        flat = self.slope <= FLAT * (1 + abs(self.log_density))
        return (*map(str, self.rays), *(() if flat else (f"not converged: the gradient is {self.slope:.3g} still",)))

    def __bool__(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        words = "; ".join(self.problems) or "converged"
        return f"log p = {self.log_density:.6g}, {len(self.trace)} steps, largest slope {self.slope:.2g}: {words}"


def joint_map(
    model: Any,
    data: Mapping[str, Any] | None = None,
    *,
    form: str = "auxiliary",
    optimiser: Any = None,
    steps: int = 500,
    start: Mapping[str, Any] | None = None,
    seed: int = 0,
    precision: str = "float64",
) -> Mode:
    """Maximise the joint density of everything that is not observed (L-BFGS by default); warn where it has no mode."""
    import numpy as np

    with use_precision(precision):
        aim = as_target(model, data, form, learning=True)
        rays = tuple(unbounded_rays(aim))
        for ray in rays:
            message = f"{ray}: there is no joint mode in this form; try the auxiliary form, or sa.learn.sample"
            warnings.warn(message, UnboundedDensity, stacklevel=2)
        climber = require("optax").lbfgs() if optimiser is None else optimiser
        begin = {**aim.start(np.random.default_rng(seed), 0.1), **to_coordinates(aim, start or {})}
        position, trace, slope = compile_climb(aim.functions, climber, steps)(begin, aim.data)
        values = {name: np.asarray(v) for name, v in aim.functions.generate(position, aim.data).items()}
        found = Mode(
            values,
            {k: np.asarray(v) for k, v in position.items()},
            float(trace[-1]),
            float(slope),
            np.asarray(trace),
            rays,
        )
    if not rays:
        for name in _vanished_scales(found):
            message = (
                f"{name} went to zero while log p rose: the latents fit the data without it, and there is no joint mode"
            )
            warnings.warn(message, UnboundedDensity, stacklevel=2)
    return found


def _vanished_scales(found: Mode) -> list[str]:
    """Return the scales that went to zero."""
    import numpy as np

    return [key for key, v in found.position.items() if key.startswith("log_") and np.min(v) < TINY]


@lru_cache(maxsize=16)
def compile_climb(functions: Functions, optimiser: Any, steps: int) -> Any:
    """Return a compiled function of a start and data to the end, log p of every step, and the largest gradient at the end."""
    import jax
    import jax.numpy as jnp

    optax = require("optax")

    def run(start: Arrays, data: Arrays) -> Any:
        def loss(position: Arrays) -> Any:
            return -functions.log_density(position, data)

        def step(carry: Any, _: Any) -> Any:
            position, memory = carry
            value, slope = jax.value_and_grad(loss)(position)
            change, memory = optimiser.update(slope, memory, position, value=value, grad=slope, value_fn=loss)
            return (optax.apply_updates(position, change), memory), -value

        (end, _), heights = jax.lax.scan(step, (start, optimiser.init(start)), None, length=steps)
        value, slope = jax.value_and_grad(loss)(end)
        largest = jnp.max(jnp.stack([jnp.max(jnp.abs(s)) for s in jax.tree.leaves(slope)]))
        return end, jnp.append(heights, -value), largest

    optimiser = optax.with_extra_args_support(optimiser)
    return jax.jit(run)
