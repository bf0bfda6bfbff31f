"""An iteration of Monte Carlo EM on digits: sa.learn.mcem against JAX written by hand, both forms, and one gradient of each.

python tests/bench/mcem.py [DIGITS] [ROUNDS]      # 10,000 digits by default

The machine may be shared: rounds go through everything in turn, and the least processor time of each is compared.
"""

from __future__ import annotations

import runpy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from symaux.learn.compiled import target
from symaux.learn.em import _begin
from symaux.learn.iteration import Plan, block
from symaux.learn.packages import numbers

GALLERY = Path(__file__).resolve().parents[2] / "gallery"
FORMS = ("original", "auxiliary")
NAMES = ("W2", "b2", "Wx", "bx", "s1", "s2")
LEAPFROG, STEP, CLIMBS, RATE = 5, 0.01, 5, 0.1
HALF_LOG_TAU = 0.5 * float(np.log(2 * np.pi))


@jax.custom_vjp
def pixels(logit: Any, x: Any) -> Any:
    """log p(x) of pixels by their logits, with one exponential for value and slope."""
    return _pixels(logit, x)[0]


def _pixels(logit: Any, x: Any) -> Any:
    small = jnp.exp(-jnp.abs(logit))
    share = 1 / (1 + small)
    value = jnp.sum(x * logit - jnp.maximum(logit, 0) - jnp.log1p(small))
    return value, x - jnp.where(logit >= 0, share, small * share)


pixels.defvjp(_pixels, lambda slope, cotangent: (slope * cotangent, None))


def normal(value: Any, mean: Any, log_scale: Any) -> Any:
    return -0.5 * jnp.sum(jnp.square(value - mean)) * jnp.exp(-2 * log_scale) - value.size * (log_scale + HALF_LOG_TAU)


def by_hand(form: str) -> Callable[..., Any]:
    """The log-density as one would write it."""

    def log_density(theta: Any, latents: Any, x: Any) -> Any:
        prior = sum(normal(v, 0.0, jnp.log(0.1)) for v in theta.values())
        first, second = latents
        l1, l2 = theta["log_s1"], theta["log_s2"]
        if form == "original":
            z1, z2 = first, second
            inner = normal(z1, 0.0, l1) + normal(z2, jnp.tanh(z1 @ theta["W2"] + theta["b2"]), l2)
        else:
            z1 = jnp.exp(l1) * first
            z2 = jnp.tanh(z1 @ theta["W2"] + theta["b2"]) + jnp.exp(l2) * second
            inner = normal(first, 0.0, 0.0) + normal(second, 0.0, 0.0)
        return prior + inner + pixels(z2 @ theta["Wx"] + theta["bx"], x)

    return log_density


def hand_iterations(log_density: Callable[..., Any]) -> Any:
    """HMC and Adagrad as one would write them, in one compiled loop."""

    def one(_: Any, carry: Any, x: Any) -> Any:
        theta, latents, sums, key = carry
        key, k1, k2 = jax.random.split(key, 3)
        climb = jax.value_and_grad(lambda latents: log_density(theta, latents, x))
        start = tuple(jax.random.normal(k, v.shape) for k, v in zip(jax.random.split(k1), latents, strict=True))
        value, slope = climb(latents)

        def leap(_: Any, c: Any) -> Any:
            at, momentum, slope, _ = c
            momentum = jax.tree.map(lambda m, s: m + 0.5 * STEP * s, momentum, slope)
            at = jax.tree.map(lambda a, m: a + STEP * m, at, momentum)
            value, slope = climb(at)
            return at, jax.tree.map(lambda m, s: m + 0.5 * STEP * s, momentum, slope), slope, value

        at, momentum, _, new = jax.lax.fori_loop(0, LEAPFROG, leap, (latents, start, slope, value))
        energies = [0.5 * sum(jnp.sum(jnp.square(m)) for m in both) for both in (start, momentum)]
        accept = jnp.log(jax.random.uniform(k2)) < new - value + energies[0] - energies[1]
        latents = jax.tree.map(lambda a, b: jnp.where(accept, a, b), at, latents)

        def step(_: Any, c: Any) -> Any:
            theta, sums = c
            slope = jax.grad(lambda theta: log_density(theta, latents, x))(theta)
            sums = jax.tree.map(lambda a, s: a + jnp.square(s), sums, slope)
            return jax.tree.map(lambda t, s, a: t + RATE * s / (jnp.sqrt(a) + 1e-7), theta, slope, sums), sums

        theta, sums = jax.lax.fori_loop(0, CLIMBS, step, (theta, sums))
        return theta, latents, sums, key

    return jax.jit(lambda carry, x, count: jax.lax.fori_loop(0, count, lambda n, c: one(n, c, x), carry))


def runs(digits: np.ndarray) -> dict[tuple[str, str, str], Callable[[int], Any]]:
    """What is timed, each a function of a number of iterations or gradients."""
    made: dict[tuple[str, str, str], Callable[[int], Any]] = {}
    model, x = runpy.run_path(str(GALLERY / "mnist_two_layers.py"))["model"], jnp.asarray(digits)
    for form in FORMS:
        aim = target(model, {"x": digits}, form)
        state = _begin(aim, Plan(aim.functions, NAMES, LEAPFROG, STEP, CLIMBS, None), optax.adagrad(RATE), {}, 0)
        theta, latents = state["theta"], tuple(state["latents"].values())
        hand = by_hand(form)
        carry = (theta, latents, jax.tree.map(lambda v: jnp.full(v.shape, 0.1), theta), jax.random.key(0))
        made["by hand", form, "iteration"] = _calls(hand_iterations(hand), carry, x)
        for kind, plate in (("iteration", None), ("iteration, a chain per digit", "n")):
            plan, climber = Plan(aim.functions, NAMES, LEAPFROG, STEP, CLIMBS, plate), optax.adagrad(RATE)
            made["symaux", form, kind] = _calls(block(plan, climber, 10), state, aim.data)
        slope = jax.jit(jax.grad(lambda z, t, x, hand=hand: hand(t, z, x)))
        made["by hand", form, "gradient"] = _repeated(slope, latents, theta, x)
        ours = jax.jit(jax.grad(lambda z, t, d, f=aim.functions: f.log_density({**z, **t}, d)))
        made["symaux", form, "gradient"] = _repeated(ours, state["latents"], theta, aim.data)
    return made


def _calls(function: Any, state: Any, data: Any) -> Callable[[int], Any]:
    return lambda count: jax.block_until_ready(function(state, data, count))


def _repeated(function: Any, *arguments: Any) -> Callable[[int], Any]:
    return lambda count: [jax.block_until_ready(function(*arguments)) for _ in range(count)]


def main(count: int = 10000, rounds: int = 3) -> None:
    """Times everything in turn, and prints the least of each with its ratio."""
    digits = (np.load(GALLERY / "data" / "mnist10k.npz")["images"][:count] >= 128).astype(np.float32)
    with numbers("float32"):
        timed = runs(digits)
        seconds: dict[tuple[str, str, str], float] = {}
        for run in timed.values():
            run(1)
        for _ in range(rounds):
            for name, run in timed.items():
                began = time.process_time()
                run(2)
                seconds[name] = min(seconds.get(name, np.inf), (time.process_time() - began) / 2)
    for (who, form, kind), least in seconds.items():
        baseline = seconds["by hand", form, kind.split(",")[0]]
        print(f"{count} digits, {form:9} {kind:28} {who:8} {least:8.3f} s   {least / baseline:5.2f} of by hand")
    for who in ("by hand", "symaux"):
        ratios = [
            seconds[who, "auxiliary", kind] / seconds[who, "original", kind] for kind in ("gradient", "iteration")
        ]
        print(f"{who}: auxiliary over original {ratios[0]:.2f} (one gradient), {ratios[1]:.2f} (iteration)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
