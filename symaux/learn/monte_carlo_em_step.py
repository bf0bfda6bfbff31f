r"""Compile one iteration of Monte Carlo EM: an HMC move of the latents at fixed parameters, then k steps of an optimiser on
$\log p(x, \varepsilon; \theta) + \log p(\theta)$ at fixed latents. The chains are carried over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from symaux.laws.law import Law
from symaux.learn.compiled_model import Arrays, Functions
from symaux.learn.coordinates import condition_on
from symaux.learn.plate_independence import axes_along, independent_axis, with_unit_axis
from symaux.model.model import Model
from symaux.model.statements import Factor
from symaux.validate.blackjax_chain import require


@dataclass(frozen=True)
class Plan:
    """The settings of an iteration, without the optimiser."""

    functions: Functions
    parameters: tuple[str, ...]  # the user's names
    leapfrog: int
    step_size: float
    climbs: int
    independent: str | None

    @property
    def theta(self) -> tuple[str, ...]:
        """Return the coordinates that the optimiser moves."""
        return self.functions.keys(self.parameters)

    @property
    def gradients(self) -> int:
        """Return the gradients of an iteration: one where HMC begins, then one for each leapfrog and optimiser step."""
        return 1 + self.leapfrog + self.climbs


@lru_cache(maxsize=16)
def compile_block(plan: Plan, optimiser: Any, length: int) -> Callable[..., Any]:
    """Return a compiled function of state, data and a number of iterations, at most ``length``: the new state, and the traces.

    The number is an argument and keys come from the count of iterations, so that it does not matter where a run is cut.
    """
    import jax
    import jax.numpy as jnp

    move = _joint_move(plan) if plan.independent is None else _separate_moves(plan)
    climb = _climb(plan, optimiser)

    def one(state: Any, data: Arrays) -> Any:
        key = jax.random.fold_in(state["key"], state["count"])
        latents, accepted, value = move(key, state["theta"], state["latents"], data)
        theta, memory = climb(state["theta"], state["optimiser"], latents, data)
        new = {**state, "theta": theta, "latents": latents, "optimiser": memory, "count": state["count"] + 1}
        return new, {"log_joint": value, "acceptance": accepted}

    def run(state: Any, data: Arrays, count: Any) -> Any:
        empty = {name: jnp.zeros(length) for name in ("log_joint", "acceptance")}

        def body(n: Any, carry: Any) -> Any:
            state, seen = one(carry[0], data)
            return state, {name: carry[1][name].at[n].set(value) for name, value in seen.items()}

        return jax.lax.fori_loop(0, count, body, (state, empty))

    return jax.jit(run)


def _climb(plan: Plan, optimiser: Any) -> Callable[..., Any]:
    """Return the function that takes steps of the optimiser on the parameters.

    It computes gradients alone: the value is known from the move before.
    """
    import jax

    optax = require("optax")

    def climb(theta: Arrays, memory: Any, latents: Arrays, data: Arrays) -> Any:
        def loss(theta: Arrays) -> Any:
            return -plan.functions.log_density({**theta, **latents}, data)

        def step(carry: Any, _: Any) -> Any:
            theta, memory = carry
            change, memory = optimiser.update(jax.grad(loss)(theta), memory, theta)
            return (optax.apply_updates(theta, change), memory), None

        return jax.lax.scan(step, (theta, memory), None, length=plan.climbs)[0]

    return climb


def _joint_move(plan: Plan) -> Callable[..., Any]:
    """Return one HMC move of all latents together."""
    import jax.numpy as jnp

    blackjax = require("blackjax")
    kernel = blackjax.hmc.build_kernel()

    def move(key: Any, theta: Arrays, latents: Arrays, data: Arrays) -> Any:
        def aim(latents: Arrays) -> Any:
            return plan.functions.log_density({**theta, **latents}, data)

        mass = jnp.ones(sum(v.size for v in latents.values()))
        state, info = kernel(key, blackjax.hmc.init(latents, aim), aim, plan.step_size, mass, plan.leapfrog)
        return state.position, info.acceptance_rate, state.logdensity

    return move


def _separate_moves(plan: Plan) -> Callable[..., Any]:
    """Return one HMC move of each element along a plate, accepted or rejected by itself."""
    import jax
    import jax.numpy as jnp

    blackjax = require("blackjax")
    kernel, after, functions = blackjax.hmc.build_kernel(), plan.functions.after, plan.functions
    conditional = Functions(condition_on(after, [p for p in plan.parameters if p in after.nodes]))
    group = independent_axis(conditional.after, plan.independent)
    prior = _prior(plan)

    def move(key: Any, theta: Arrays, latents: Arrays, data: Arrays) -> Any:
        values = functions.generate({**theta, **latents}, data)
        shared = {**data, **{name: values[name] for name in plan.parameters}}
        where, rest = axes_along(after, group, latents), axes_along(conditional.after, group, shared)

        def one(key: Any, latents: Arrays, shared: Arrays) -> Any:
            whole = with_unit_axis(shared, rest)

            def aim(latents: Arrays) -> Any:
                return conditional.log_density(with_unit_axis(latents, where), whole)

            mass = jnp.ones(sum(v.size for v in latents.values()))
            state, info = kernel(key, blackjax.hmc.init(latents, aim), aim, plan.step_size, mass, plan.leapfrog)
            return state.position, info.acceptance_rate, state.logdensity

        name = next(iter(latents))
        keys = jax.random.split(key, latents[name].shape[where[name]])
        mapped = jax.vmap(one, in_axes=(0, where, rest), out_axes=(where, 0, 0))
        latents, accepted, values = mapped(keys, latents, shared)
        return latents, jnp.mean(accepted), jnp.sum(values) + prior(theta, data)

    return move


def _prior(plan: Plan) -> Callable[..., Any]:
    """Return log p(θ) of the parameters that have a prior, in the coordinates that are moved."""
    after, keys = plan.functions.after, set(plan.theta)
    own = [s for s in after.statements if not isinstance(s, Factor) and s.name in {*keys, *plan.parameters}]
    if not any(isinstance(s, Law) for s in own):
        return lambda theta, data: 0.0
    alone = Functions(Model.derived(*own, auxiliary=after.auxiliary & keys))
    return lambda theta, data: alone.log_density({k: v for k, v in theta.items() if k in alone.after.latents}, data)
