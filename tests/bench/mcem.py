"""An iteration of Monte Carlo EM on digits: sa.learn.mcem against JAX written by hand, both forms.

PYTHONPATH=.:tests python -m bench.mcem [ROUNDS] [DIGITS]   # 10,000 digits by default; then it writes its section of the page

The machine may be shared: every round goes through everything in turn, and processor time is compared within the round.
"""

from __future__ import annotations

import os
import runpy
import statistics
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from support.paths import GALLERY

from bench import hand, sections
from bench.harness import seconds
from symaux.learn.compiled_model import as_target
from symaux.learn.monte_carlo_em import _begin
from symaux.learn.monte_carlo_em_step import Plan, compile_block
from symaux.learn.precision import use_precision

FORMS = ("original", "auxiliary")
NAMES = ("W2", "b2", "Wx", "bx", "s1", "s2")
LEAPFROG, STEP, CLIMBS, RATE = 5, 0.01, 5, 0.1
TITLE = "Monte Carlo EM on 10,000 digits"
ABOUT = """One iteration (an HMC move of 5 leapfrogs, then 5 steps of Adagrad) of `sa.learn.mcem` beside loops written by hand,
two layers, float32, one core: medians over {rounds} rounds of the ratio within the round to the fastest by hand (its processor
seconds in brackets). By hand all digits accept or reject together; `a chain for each digit` is what the experiment uses."""
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


def shared_density(form: str) -> Callable[..., Any] | None:
    """The variant of the shared folder, if it is there: its fastest, with a Bernoulli that shares its exponential."""
    more = hand.shared()
    if more is None:
        return None
    density, renamed = {"original": more.mn_orig, "auxiliary": more.mn_aux}[form], {"l1": "log_s1", "l2": "log_s2"}

    def log_density(theta: Any, latents: Any, x: Any) -> Any:
        kept = {name: theta[name] for name in ("W2", "b2", "Wx", "bx")}
        return density(kept | {a: theta[b] for a, b in renamed.items()}, latents, x, more.bern)

    return log_density


def runs(digits: np.ndarray, form: str) -> dict[str, Callable[[], Any]]:
    """What is timed of a form: two iterations each, by hand with one chain for all digits, ours with that and with many."""
    model, x = runpy.run_path(str(GALLERY / "mnist_two_layers.py"))["model"], jnp.asarray(digits)
    aim = as_target(model, {"x": digits}, form)
    state = _begin(aim, Plan(aim.functions, NAMES, LEAPFROG, STEP, CLIMBS, None), optax.adagrad(RATE), {}, 0)
    theta, latents = state["theta"], tuple(state["latents"].values())
    carry = (theta, latents, jax.tree.map(lambda v: jnp.full(v.shape, 0.1), theta), jax.random.key(0))
    densities = {"by hand": by_hand(form), "by hand, shared folder": shared_density(form)}
    made = {name: _two(hand_iterations(f), carry, x) for name, f in densities.items() if f}
    for name, plate in {"symaux": None, "symaux, a chain for each digit": "n"}.items():
        climber = optax.adagrad(RATE)
        made[name] = _two(
            compile_block(Plan(aim.functions, NAMES, LEAPFROG, STEP, CLIMBS, plate), climber, 10), state, aim.data
        )
    return made


def _two(function: Any, state: Any, data: Any) -> Callable[[], Any]:
    return lambda: jax.block_until_ready(function(state, data, 2))


def measured(digits: np.ndarray, rounds: int) -> dict[tuple[str, str], list[float]]:
    """Seconds of an iteration by form and name, one for each round."""
    with use_precision("float32"):
        timed = {(form, name): run for form in FORMS for name, run in runs(digits, form).items()}
        for run in timed.values():
            run()
        seen: dict[tuple[str, str], list[float]] = {key: [] for key in timed}
        for number in range(rounds):
            for key in list(timed) if number % 2 else reversed(timed):
                seen[key].append(seconds(timed[key], 1) / 2)
    return seen


def median_ratio(these: list[float], those: list[float]) -> float:
    """The median over rounds of the ratio within the round."""
    return statistics.median(a / b for a, b in zip(these, those, strict=True))


def table(seen: dict[tuple[str, str], list[float]]) -> list[str]:
    """A line for each form: everything over the fastest by hand, whose seconds stand beside it."""
    names = [name for form, name in seen if form == FORMS[0]]
    lines = ["| form | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for form in FORMS:
        best = min((n for n in names if n.startswith("by hand")), key=lambda n: statistics.median(seen[form, n]))
        cells = [f"{median_ratio(seen[form, n], seen[form, best]):.2f}" for n in names]
        cells[names.index(best)] += f" ({statistics.median(seen[form, best]):.2f} s)"
        lines.append(f"| {form} | " + " | ".join(cells) + " |")
    across = [f"{median_ratio(seen['auxiliary', n], seen['original', n]):.2f}" for n in names]
    return [*lines, "| auxiliary over original | " + " | ".join(across) + " |"]


def main(rounds: int = 9, count: int = 10000) -> None:
    """Times everything in turn, and puts the ratios on the page."""
    digits = (np.load(GALLERY / "data" / "mnist10k.npz")["images"][:count] >= 128).astype(np.float32)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    lines = table(measured(digits, rounds))
    print("\n".join(lines))
    if count == 10000:
        sections.put(TITLE, "\n".join([ABOUT.format(rounds=rounds), "", *lines]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
