"""The same cells by NumPyro: LocScaleReparam with a fixed weight, or with weights learnt by SVI with an AutoNormal guide.

Its own NUTS, with the acceptance, the depth and the chains of ours.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

STEPS, RATE = 2000, 0.01  # of SVI


def reparametrised(kind: str) -> Any:
    """A NumPyro model as a function of data and of the weight, None to learn it; None for a law it has no form for."""
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer.reparam import LocScaleReparam

    def latent(name: str, loc: Any, scale: Any, shape: Any, centered: Any) -> Any:
        law = dist.Normal(jnp.broadcast_to(loc, shape), scale).to_event(len(shape))
        with numpyro.handlers.reparam(config={name: LocScaleReparam(centered)}):
            return numpyro.sample(name, law)

    def funnel(data: Any, centered: Any) -> None:
        v = numpyro.sample("v", dist.Normal(0.0, 3.0))
        latent("x", 0.0, jnp.exp(v / 2), (9,), centered)

    def groups(data: Any, centered: Any) -> None:
        mu, tau = numpyro.sample("mu", dist.Normal(0.0, 5.0)), numpyro.sample("tau", dist.HalfCauchy(5.0))
        theta = latent("theta", mu, tau, data["y"].shape, centered)
        numpyro.sample("y", dist.Normal(theta, data["sigma"]), obs=data["y"])

    def logarithms(data: Any, centered: Any) -> None:
        mu, tau = numpyro.sample("mu", dist.Normal(0.0, 2.0)), numpyro.sample("tau", dist.HalfCauchy(1.0))
        theta = jnp.exp(latent("log_theta", mu, tau, data["y"].shape, centered))
        numpyro.sample("y", dist.Normal(theta, data["sigma"]), obs=data["y"])

    def network(data: Any, centered: Any) -> None:
        count = data["x"].shape[1]
        z = [numpyro.sample("z0", dist.Normal(jnp.zeros((count, 10)), 1.0).to_event(2))]
        for t in range(1, 10):
            weight = None if centered is None else jnp.broadcast_to(centered, (10, count, 10))[t]
            z.append(latent(f"z{t}", jnp.tanh(z[-1] @ data["Wz"] + data["bz"]), data["sz"], (count, 10), weight))
        means = jnp.tanh(jnp.stack(z) @ data["Wx"] + data["bx"])
        numpyro.sample("x", dist.Normal(means, data["sx"]), obs=data["x"])

    known = {"funnel": funnel, "gamma": None, "Kumaraswamy": None, "log-normal": logarithms, "dynamic network": network}
    return known.get(kind, groups)


@lru_cache(maxsize=64)
def sampler(kind: str, shape: tuple[int, ...], draws: int, doublings: int) -> Any:
    """NumPyro's NUTS, compiled once for all weights and data of a shape: chains one after another, as ours."""
    import jax
    from numpyro.infer.hmc import hmc
    from numpyro.infer.util import potential_energy

    model = reparametrised(kind)

    def energy(data: Any, centered: Any) -> Any:
        return lambda at: potential_energy(model, (data, centered), {}, at)

    begin, move = hmc(potential_fn_gen=energy, algo="NUTS")

    def one(key: Any, start: Any, data: Any, centered: Any) -> Any:
        state = begin(
            start, draws, target_accept_prob=0.9, max_tree_depth=doublings, model_args=(data, centered), rng_key=key
        )
        state = jax.lax.fori_loop(0, draws, lambda _, s: move(s, (data, centered)), state)

        def step(state: Any, _: Any) -> Any:
            state = move(state, (data, centered))
            return state, (state.z, state.num_steps, state.diverging)

        return jax.lax.scan(step, state, None, draws)[1]

    def run(keys: Any, starts: Any, data: Any, centered: Any) -> Any:
        return jax.lax.map(lambda chain: one(*chain, data, centered), (keys, starts))

    return jax.jit(run)


@lru_cache(maxsize=64)
def constrained(kind: str, shape: tuple[int, ...]) -> Any:
    """From positions on the real line to the model's own variables, for all draws at once."""
    import jax
    from numpyro.infer.util import constrain_fn

    model = reparametrised(kind)

    def values(at: Any, data: Any, centered: Any) -> Any:
        return constrain_fn(model, (data, centered), {}, at, return_deterministic=True)

    return jax.jit(jax.vmap(jax.vmap(values, in_axes=(0, None, None)), in_axes=(0, None, None)))


@lru_cache(maxsize=64)
def sizes(kind: str, shape: tuple[int, ...], at: Any) -> Any:
    """The shapes of a position."""
    import jax
    from numpyro.infer.util import initialize_model

    data, centered = at.arguments
    made = initialize_model(jax.random.key(0), reparametrised(kind), model_args=(data, centered))
    return {name: np.shape(value) for name, value in made.param_info.z.items()}


class Arguments:
    """Arrays that do not tell one call from another: only their shapes matter."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arguments)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=64)
def learner(kind: str, shape: tuple[int, ...]) -> Any:
    """A compiled run of SVI, from a key and data to its parameters."""
    import jax
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal
    from numpyro.optim import Adam

    model = reparametrised(kind)
    svi = SVI(model, AutoNormal(model), Adam(RATE), Trace_ELBO())

    def run(key: Any, data: Any) -> Any:
        state = svi.init(key, data, None)
        state = jax.lax.scan(lambda s, _: (svi.update(s, data, None)[0], None), state, None, STEPS)[0]
        return svi.get_params(state)

    return jax.jit(run)


def learnt(kind: str, data: Any, seed: int, shape: tuple[int, ...]) -> Any:
    """The weights that SVI found."""
    import jax

    found = learner(kind, shape)(jax.random.key(seed), data)
    weights = {name: np.asarray(value) for name, value in found.items() if name.endswith("_centered")}
    if kind != "dynamic network":
        return next(iter(weights.values()))
    rest = [weights[f"z{t}_centered"] for t in range(1, 10)]
    return np.stack([np.ones_like(rest[0]), *rest])


def run(case: Any, data: Any, doublings: int) -> dict[str, Any] | None:
    """Draws by chain, with the weights and the gradients that they took; None for a law without loc and scale."""
    import jax
    import jax.numpy as jnp

    kind = case["model"].split(",")[0]
    if reparametrised(kind) is None:
        return None
    with jax.enable_x64(True):
        data = {name: jnp.asarray(value, dtype=float) for name, value in data.items()}
        shape = next((np.shape(data[n]) for n in ("y", "x") if n in data), (9,))
        wanted = {"NumPyro 0": 0.0, "NumPyro 0.5": 0.5}.get(case["form"])
        weight = learnt(kind, data, case["seed"], shape) if wanted is None else wanted
        whole = jnp.broadcast_to(jnp.asarray(weight, dtype=float), shape)
        shapes, rng = sizes(kind, shape, Arguments(data, whole)), np.random.default_rng(case["seed"])
        starts = {name: rng.uniform(-2, 2, size=(4, *own)) for name, own in shapes.items()}  # as NumPyro begins
        keys = jax.random.split(jax.random.key(case["seed"]), 4)
        at, steps, diverging = sampler(kind, shape, case["draws"], doublings)(keys, starts, data, whole)
        at, steps, diverging = jax.tree.map(np.asarray, (at, steps, diverging))
        values = constrained(kind, shape)(at, data, whole)
        drawn = {n: np.asarray(v) for n, v in values.items() if "decentered" not in n and n not in data}
    return {"drawn": drawn, "weights": np.asarray(whole), "gradients": int(np.sum(steps)),
            "divergences": int(np.sum(diverging)), "pilot": STEPS if wanted is None else 0}  # fmt: skip
