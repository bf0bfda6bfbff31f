r"""Estimate $\log p(x)$ by annealed importance sampling (Neal 2001).

The path from the prior to the posterior is $\log p(z) + \beta\,\log p(x \mid z)$, with one HMC move of BlackJAX at each
temperature.

The logarithm of the estimate falls short of the truth in expectation, more so with few temperatures: raise them and see
whether it moves. Step sizes are found in a pilot run, so that those of the run itself are fixed beforehand and its weights
are unbiased.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from symaux.learn.compiled_model import Arrays, Functions, bind_data
from symaux.learn.coordinates import condition_on, to_real_line
from symaux.learn.plate_independence import axes_along, independent_axis, with_unit_axis
from symaux.learn.precision import use_precision
from symaux.model.model import Model
from symaux.model.statements import Factor
from symaux.validate.blackjax_chain import require

POWER = 4  # temperatures are (k/K)**POWER: the prior is left slowly
WANTED, GAIN = 0.7, 0.1  # acceptance that the pilot aims at, and how fast it gets there
FEW = 16  # particles: up to so many, the pilot run takes all of them, else a quarter


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
    r"""Estimate $\log p(x \mid \theta)$ at parameters ``at`` (natural values by name), with everything else integrated out.

    ``independent`` names a plate along which the model factorises given those parameters, such as that of data points:
    each of its elements is then annealed by itself, which is far more precise than all of them together.
    """
    import jax
    import numpy as np

    with use_precision(precision):
        made, known = to_real_line(model, form), {**(data or {}), **(at or {})}
        after = condition_on(made.after, [name for name in at or {} if name in made.after.nodes])
        aim = bind_data(made.before, after, known)
        group = None if independent is None else independent_axis(after, independent)
        run, draw = compile_annealing(after, group, temperatures, leapfrog), draw_from_prior(after)
        keys = jax.random.split(jax.random.key(seed), 4)  # the same numbers must not be particles and momenta
        few = particles if particles <= FEW else particles // 4  # another number is compiled anew
        shape = () if group is None else (aim.lengths[group],)
        sizes = np.full((*shape, temperatures), step_size)
        sizes = run(keys[0], draw(jax.random.split(keys[1], few), aim.data), sizes, GAIN, aim.data)[2][0]
        weights, accepted, _ = run(keys[2], draw(jax.random.split(keys[3], particles), aim.data), sizes, 0.0, aim.data)
        return _evidence(np.asarray(weights, dtype=float), float(np.mean(accepted)), temperatures, bool(shape))


@lru_cache(maxsize=32)
def draw_from_prior(after: Model) -> Callable[[Any, Arrays], Arrays]:
    """Return draws of the latents from the prior, one for each key."""
    import jax

    from symaux.api import to_source
    from symaux.codegen.load import load

    module = load(to_source(after))

    def latents(key: Any, data: Arrays) -> Arrays:
        made = module.sample_prior(key, data)
        return {name: made[name] for name in after.latents}

    return jax.jit(jax.vmap(latents, in_axes=(0, None)))


def _parts(after: Model) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return log p(z) and log p(x | z), each of a model of its own; factors count as data."""
    own = [s for s in after.statements if not isinstance(s, Factor) and s.name not in after.observed]
    prior = Functions(Model.derived(*own, auxiliary=after.auxiliary))
    return prior.log_density, Functions(condition_on(after, after.latents)).log_density


@lru_cache(maxsize=32)
def compile_annealing(after: Model, group: str | None, temperatures: int, leapfrog: int) -> Callable[..., Any]:
    """Return a compiled run: key, particles, step sizes, gain and data to log-weights, acceptance and the step sizes used.

    Weights have an axis of particles and, where there is a group, one of its elements.
    """
    import jax
    import jax.numpy as jnp

    blackjax = require("blackjax")
    kernel, (prior, likelihood) = blackjax.hmc.build_kernel(), _parts(after)

    def axes(arrays: Arrays) -> dict[str, int | None]:
        return axes_along(after, group, arrays)

    def anneal(key: Any, position: Arrays, sizes: Any, gain: Any, data: Arrays) -> Any:
        """Return the log-weight of one particle of one element."""
        mass = jnp.ones(sum(v.size for v in position.values()))
        betas = (jnp.arange(temperatures + 1) / temperatures) ** POWER
        where, data = axes(position), with_unit_axis(data, axes(data))

        def move(carry: Any, stage: Any) -> Any:
            position, weight, shift = carry
            key, cold, hot, size = stage
            weight = weight + (hot - cold) * likelihood(with_unit_axis(position, where), data)

            def tempered(p: Arrays) -> Any:
                whole = with_unit_axis(p, where)
                return prior(whole, data) + hot * likelihood(whole, data)

            step = size * jnp.exp(shift)
            state, info = kernel(key, blackjax.hmc.init(position, tempered), tempered, step, mass, leapfrog)
            accepted = jax.lax.pmean(info.acceptance_rate, "particles")
            return (state.position, weight, shift + gain * (accepted - WANTED)), (accepted, step)

        stages = (jax.random.split(key, temperatures), betas[:-1], betas[1:], sizes)
        (_, weight, _), (accepted, steps) = jax.lax.scan(move, (position, jnp.zeros(()), jnp.zeros(())), stages)
        return weight, accepted, steps

    def run(key: Any, particles: Arrays, sizes: Any, gain: Any, data: Arrays) -> Any:
        count = len(next(iter(particles.values())))
        keys = jax.random.split(key, (count, *sizes.shape[:-1]))
        mapped = anneal if group is None else jax.vmap(anneal, in_axes=(0, axes(particles), 0, None, axes(data)))
        mapped = jax.vmap(mapped, in_axes=(0, 0, None, None, None), axis_name="particles")
        return mapped(keys, particles, sizes, gain, data)

    return jax.jit(run)


def _evidence(weights: Any, acceptance: float, temperatures: int, elements: bool) -> Evidence:
    """Return the sum over elements of the logarithm of the mean weight, with its standard error by the delta method."""
    import numpy as np

    weights = weights.reshape(len(weights), -1)
    top = weights.max(axis=0)
    scaled = np.exp(weights - top)
    mean = scaled.mean(axis=0)
    each = top + np.log(mean)
    variance = scaled.var(axis=0, ddof=1) / len(weights) / mean**2 if len(weights) > 1 else np.full(len(mean), np.inf)
    ess = scaled.sum(axis=0) ** 2 / (scaled**2).sum(axis=0)
    return Evidence(
        float(each.sum()),
        float(np.sqrt(variance.sum())),
        float(ess.min()),
        len(weights),
        temperatures,
        acceptance,
        each if elements else None,
    )
