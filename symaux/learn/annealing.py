r"""$\log p(x)$ by annealed importance sampling (Neal 2001): from the prior to the posterior through
$\log p(z) + \beta\,\log p(x \mid z)$, with one HMC move of BlackJAX at each temperature.

The logarithm of the estimate falls short of the truth in expectation, more so with few temperatures: raise them and see
whether it moves. Step sizes are found in a pilot run, so that those of the run itself are fixed beforehand and its weights
are unbiased.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symaux.errors import DataError
from symaux.learn.compiled import Arrays, Target, compiled
from symaux.learn.coordinates import given, on_the_real_line
from symaux.learn.packages import needed, numbers
from symaux.learn.pieces import along, back, front

POWER = 4  # temperatures are (k/K)**POWER: the prior is left slowly
WANTED, GAIN = 0.7, 0.1  # acceptance that the pilot aims at, and how fast it gets there


@dataclass(frozen=True)
class Evidence:
    """An estimate of log p(x) with its standard error, and how the annealing went."""

    log_likelihood: float
    standard_error: float
    least_ess: float  # effective particles of the worst element
    particles: int
    temperatures: int
    acceptance: float
    elements: Any = field(repr=False, compare=False, default=None)  # log p(x_n) of each, where the model falls apart

    def __str__(self) -> str:
        return (
            f"log p(x) = {self.log_likelihood:.2f} ± {self.standard_error:.2f} ({self.particles} particles,"
            f" {self.temperatures} temperatures, {self.acceptance:.0%} accepted; effective particles {self.least_ess:.1f}"
            " at least)"
        )


def marginal_likelihood(
    model: Any,
    data: Mapping[str, Any] | None = None,
    at: Mapping[str, Any] | None = None,
    *,
    form: str = "auxiliary",
    independent: Any = None,
    temperatures: int = 500,
    particles: int = 32,
    leapfrog: int = 5,
    step_size: float = 0.1,
    seed: int = 0,
    precision: str = "float64",
) -> Evidence:
    r"""Estimates $\log p(x \mid \theta)$ for parameters ``at`` (natural values by name), everything else integrated out.

    ``independent`` names a plate along which the model falls apart given those parameters, such as that of data points:
    each of its elements is then annealed by itself, which is far more precise than all of them together.
    """
    import jax
    import numpy as np

    at = dict(at or {})
    with numbers(precision):
        made = on_the_real_line(model, form)
        known = [name for name in at if name in made.after.nodes]
        after = given(made.after, known)
        aim = compiled(made.before, after, {**(data or {}), **at})
        group = None if independent is None else along(after, independent)
        run = _annealing(aim, group, temperatures, leapfrog)
        pilot, final = jax.random.split(jax.random.key(seed))
        draw = _prior(after, {**(data or {}), **at}, aim)
        start = draw(pilot, particles)
        sizes = run(pilot, start, np.full(temperatures, step_size), GAIN, aim.data)[2]
        start = draw(final, particles)
        weights, accepted, _ = run(final, start, sizes, 0.0, aim.data)
        return _evidence(np.asarray(weights, dtype=float), float(np.mean(accepted)), temperatures)


def _prior(after: Any, data: Arrays, aim: Target) -> Any:
    """Draws of the latents from the prior, with an axis of particles in front."""
    import jax

    from symaux.defaults import sample_prior

    drawn = sample_prior(after, data)

    def latents(key: Any) -> Arrays:
        made = drawn(key)
        return {name: made[name] for name in after.latents}

    return lambda key, count: jax.jit(jax.vmap(latents))(jax.random.split(key, count))


def _annealing(aim: Target, group: str | None, temperatures: int, leapfrog: int) -> Any:
    """A compiled run: keys, particles, step sizes, gain and data to log-weights, acceptance and step sizes that would suit.

    Weights have an axis of particles, and one of elements behind it.
    """
    import jax
    import jax.numpy as jnp

    blackjax = needed("blackjax")
    kernel = blackjax.hmc.build_kernel()
    betas = (jnp.arange(temperatures + 1) / temperatures) ** POWER
    prior = _without_observed(aim)
    size = sum(v.size for v in jax.tree.leaves(jax.eval_shape(lambda: _element(aim, group, aim.start_shape()))))
    mass = jnp.ones(size)

    def one(key: Any, position: Arrays, beta: Any, step: Any, data: Arrays) -> Any:
        """One move of one element of one particle, from what the last temperature left."""

        def tempered(p: Arrays) -> Any:
            first = prior(p, data)
            return first + beta * (aim.log_density(p, data) - first)

        state, info = kernel(key, blackjax.hmc.init(position, tempered), tempered, step, mass, leapfrog)
        return state.position, info.acceptance_rate

    def run(key: Any, start: Arrays, sizes: Any, gain: Any, data: Arrays) -> Any:
        pass

    return run
