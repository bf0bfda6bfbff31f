"""The same models in NumPyro, TFP on JAX and PyMC compiled to JAX, in auxiliary form too; those that import are measured."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Density = Callable[[Any], Any]


def available() -> dict[str, str]:
    """Each peer with its version, or with the reason why it is left out."""
    found = {}
    for name in ("numpyro", "tensorflow_probability.substrates.jax", "pymc"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found[name.partition(".")[0]] = importlib.import_module(name).__version__
        except Exception as failure:
            found[name.partition(".")[0]] = f"left out: {type(failure).__name__}: {failure}"
    if not found["pymc"].startswith("left out"):
        importlib.import_module("pytensor.link.jax.dispatch")
    jax.config.update("jax_enable_x64", False)  # which pytensor switches on when it is imported
    return found


def states(p: Any) -> Any:
    """z by a scan, as one would write it inside a NumPyro or TFP model."""
    start, pushed = jnp.exp(p["log_s0"]) * p["eps_z"][0], jnp.exp(p["log_sz"]) * p["eps_z"][1:]

    def step(z: Any, e: Any) -> Any:
        z = jnp.tanh(z @ p["Wz"] + p["bz"]) + e
        return z, z

    return jnp.concatenate([start[None], lax.scan(step, start, pushed)[1]])


def layers(p: Any) -> Any:
    z1 = jnp.exp(p["log_s1"]) * p["eps_z1"]
    return jnp.tanh(z1 @ p["W2"] + p["b2"]) + jnp.exp(p["log_s2"]) * p["eps_z2"]


def numpyro_density(kind: str, data: Any, position: Any) -> Density:
    """The negative potential energy of a NumPyro model."""
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer.util import potential_energy

    def site(name: str, scale: float) -> Any:
        shape = np.shape(position[name])
        return numpyro.sample(name, dist.Normal(0.0, scale).expand(shape).to_event(len(shape)))

    def model() -> None:
        if kind == "groups":
            mu, tau = numpyro.sample("mu", dist.Normal(0.0, 5.0)), numpyro.sample("tau", dist.HalfCauchy(5.0))
            theta = mu + tau * site("eps_theta", 1.0)
            numpyro.sample("y", dist.Normal(theta, data["sigma"]).to_event(1), obs=data["y"])
            return
        p = {n: site(n, 0.1 if n[0] in "Wb" else 1.0) for n in position}
        if kind == "mnist":
            numpyro.sample("x", dist.Bernoulli(logits=layers(p) @ p["Wx"] + p["bx"]).to_event(2), obs=data["x"])
        else:
            seen = jnp.tanh(states(p) @ p["Wx"] + p["bx"])
            numpyro.sample("x", dist.Normal(seen, jnp.exp(p["log_sx"])).to_event(3), obs=data["x"])

    def density(p: Any) -> Any:
        at = {"tau" if n == "log_tau" else n: v for n, v in p.items()}  # NumPyro's own name for the unbounded tau
        return -potential_energy(model, (), {}, at)

    return density


def tfp_density(kind: str, data: Any, position: Any) -> Density:
    """Log-probabilities of TFP's distributions, added up."""
    from tensorflow_probability.substrates.jax import distributions as tfd

    def normals(p: Any, names: Any) -> Any:
        return sum(jnp.sum(tfd.Normal(0.0, 0.1 if n[0] in "Wb" else 1.0).log_prob(p[n])) for n in names)

    def density(p: Any) -> Any:
        if kind == "groups":
            tau = jnp.exp(p["log_tau"])
            prior = tfd.Normal(0.0, 5.0).log_prob(p["mu"]) + tfd.HalfCauchy(0.0, 5.0).log_prob(tau) + p["log_tau"]
            seen = tfd.Normal(p["mu"] + tau * p["eps_theta"], data["sigma"]).log_prob(data["y"])
            return prior + normals(p, ["eps_theta"]) + jnp.sum(seen)
        if kind == "mnist":
            seen = tfd.Bernoulli(logits=layers(p) @ p["Wx"] + p["bx"]).log_prob(data["x"])
        else:
            seen = tfd.Normal(jnp.tanh(states(p) @ p["Wx"] + p["bx"]), jnp.exp(p["log_sx"])).log_prob(data["x"])
        return normals(p, position) + jnp.sum(seen)

    return density


def pymc_density(kind: str, data: Any, position: Any) -> Density:
    """A PyMC model's log-probability, translated to JAX by pytensor."""
    import pymc as pm
    import pytensor.tensor as pt
    from pytensor.graph.fg import FunctionGraph
    from pytensor.link.jax.dispatch import jax_funcify

    with pm.Model() as model:
        p: dict[str, Any] = {}
        for name in position:
            if name not in ("mu", "log_tau"):
                p[name] = pm.Normal(name, 0.0, 0.1 if name[0] in "Wb" else 1.0, shape=np.shape(position[name]))
        if kind == "groups":
            mu, tau = pm.Normal("mu", 0.0, 5.0), pm.HalfCauchy("tau", 5.0)
            pm.Normal("y", mu + tau * p["eps_theta"], data["sigma"], observed=data["y"])
        elif kind == "mnist":
            z1 = pt.exp(p["log_s1"]) * p["eps_z1"]
            z2 = pt.tanh(z1 @ p["W2"] + p["b2"]) + pt.exp(p["log_s2"]) * p["eps_z2"]
            pm.Bernoulli("x", logit_p=z2 @ p["Wx"] + p["bx"], observed=data["x"])
        else:
            zs = [pt.exp(p["log_s0"]) * p["eps_z"][0]]
            for t in range(1, position["eps_z"].shape[0]):  # unrolled: pytensor's own scan is slower still in jax
                zs.append(pt.tanh(zs[-1] @ p["Wz"] + p["bz"]) + pt.exp(p["log_sz"]) * p["eps_z"][t])
            seen = pt.tanh(pt.stack(zs) @ p["Wx"] + p["bx"])
            pm.Normal("x", seen, pt.exp(p["log_sx"]), observed=data["x"])
    values = model.value_vars
    graph = FunctionGraph(values, [model.logp()], clone=True)
    pm.pytensorf.rewrite_pregrad([graph.outputs[0]])
    function = jax_funcify(graph)
    names = ["log_tau" if value.name == "tau_log__" else value.name for value in values]
    return lambda at: jnp.asarray(function(*(at[name] for name in names))[0], jnp.float32)


PEERS: dict[str, tuple[str, Any]] = {
    "NumPyro": ("numpyro", numpyro_density),
    "TFP on JAX": ("tensorflow_probability", tfp_density),
    "PyMC (jax)": ("pymc", pymc_density),
}
