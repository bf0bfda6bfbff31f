r"""Fit the weights of partial forms by a short variational run, at draws of a pilot run.

Independent normals q around a draw come closest to the posterior with the variances $1/h_j$, where $h_j$ is the mean
curvature along coordinate j. To second order the bound $E_q[\log p(x, w; \lambda) - \log q(w)]$ is then a constant plus

$$\sum_{i\text{ partial}}(1 - \lambda_i)\,E\log s_i \;-\; \tfrac12\sum_{j}\log E\,h_j(\lambda),$$

with a parent's curvature among the last terms: coupling to its children increases it (Gorinova, Moore and Hoffman 2020
fit weights and q together, by noisy gradients). Draws are carried from $\lambda = 1/2$ to other weights by $w = \lambda m +
s^{\lambda - 1/2}(u - m/2)$, random signs pick the diagonal of the second derivative, and Adam climbs. The logit of a weight is
a number for its variable plus one for each element, so that what elements share is learnt soon. Where parameters are
interpolated instead of a location and a scale, ``symaux.learn.choose.transport`` carries draws and supplies the first term.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from symaux.derivation.partial import RULE, read_location_and_scale
from symaux.formulas.symbols.indices import indices_of
from symaux.learn.choose.transport import Carrier, carriers, rules_of
from symaux.learn.compiled_model import Arrays, Functions, Target
from symaux.model.model import Model
from symaux.model.statements import Deterministic
from symaux.rules.derivation import Derivation
from symaux.validate.blackjax_chain import require

STEPS, BATCH = 300, 1  # updates by Adam, and draws of the pilot run for each, with fresh signs
RATE, OWN_RATE = 0.1, 0.05  # first steps of logits: of the part that elements share, and of each element's own
MEMORY = 0.95  # share of a running mean of curvatures that an update keeps: it forgets in about 20 of them
LEAST = 0.1  # of the mean size of a curvature, where its mean is less or negative
COST = (
    STEPS * BATCH * 12
)  # gradients: two second derivatives and their slopes take 9 times as long (the dynamic network)
EDGE = 0.02  # first weights keep this distance from 0 and 1, where logits are infinite
LINE = ("location", "scale")


def fit_weights(derivation: Derivation, aim: Target, positions: Arrays, first: Arrays, seed: int) -> Arrays:
    """Return weights by variable, from first weights and from posterior positions at weights of one half.

    Variables whose coordinate cannot be carried to other weights are left out.
    """
    import jax
    import numpy as np

    shaped = carriers(derivation, aim.after, first)
    along = [n for n in first if rules_of(derivation, n) == {RULE}]
    first = {n: w for n, w in first.items() if n in along or any(c.name == n for c in shaped)}
    functions = Functions(_with_lines(derivation, aim.after, along))
    values = jax.jit(jax.vmap(functions.generate, in_axes=(0, None)))(positions, aim.data)
    lines = {n: tuple(np.asarray(values[f"{part}_of_partial_{n}"]) for part in LINE) for n in along}
    parameters = {n: v for n, v in values.items() if n not in positions} if shaped else {}
    units = {n: np.mean(np.log(s), axis=0) for n, (_, s) in lines.items()}
    odds = {n: np.clip(w, EDGE, 1 - EDGE) for n, w in first.items()}
    shared = {n: float(np.mean(np.log(w / (1 - w)))) for n, w in odds.items()}
    own = {n: np.log(w / (1 - w)) - shared[n] for n, w in odds.items()}
    run, begin = compile_fit(functions, shaped), {"shared": shared, "own": own}
    climbed = run(begin, positions, (lines, parameters), units, aim.data, jax.random.key(seed))
    return {n: np.asarray(w) for n, w in _weights(climbed).items()}


def _with_lines(derivation: Derivation, after: Model, names: Iterable[str]) -> Model:
    """Return the model with m and s of each variable as variables ``location_of_partial_v`` and so on."""
    lines = []
    for step in derivation.steps:
        (noise,) = step.after.noise
        name = noise.name.removeprefix("partial_")
        if noise.name.startswith("partial_") and name in names:
            parts = read_location_and_scale(step.after, f"lambda_{name}")
            lines += [
                Deterministic(_named(noise.value, f"{k}_of_partial_{name}"), v)
                for k, v in zip(LINE, parts, strict=True)
            ]
    return Model.derived(*after.statements, *lines, observed=sorted(after.observed), auxiliary=after.auxiliary)


def _named(value: Any, name: str) -> Any:
    import sympy as sp

    from symaux.formulas.symbols.indices import arrays

    indices = indices_of(value)
    return arrays(name)[indices] if indices else sp.Symbol(name, real=True)


def _weights(fit: Arrays) -> Arrays:
    import jax

    return {n: jax.nn.sigmoid(fit["shared"][n] + own) for n, own in fit["own"].items()}


def _at_weights(position: Arrays, lines: Arrays, weights: Arrays) -> Arrays:
    """Return a position at weights of one half as the position at other weights with the same z."""
    import jax.numpy as jnp

    moved = {}
    for n, (m, s) in lines.items():
        longer = jnp.exp((weights[n] - 0.5) * jnp.log(s))
        moved[f"partial_{n}"] = weights[n] * m + longer * (position[f"partial_{n}"] - m / 2)
    return {**position, **moved}


@dataclass(frozen=True)
class Objective:
    """The negative bound as a function of the logits of the weights, for generated functions and for carriers of draws."""

    functions: Functions
    shaped: tuple[Carrier, ...] = ()

    def to_weights(
        self, position: Arrays, locations_and_parameters: Any, weights: Arrays, data: Arrays
    ) -> tuple[Arrays, Any]:
        """Return the position at other weights, and the log-Jacobian of elements without a location and a scale."""
        import jax.numpy as jnp

        location_and_scale, rest = locations_and_parameters
        at, before = _at_weights(position, location_and_scale, weights), {**data, **rest, **position}
        at |= {f"partial_{c.name}": c.at(weights[c.name], before) for c in self.shaped}
        now = {**before, **at}
        return at, sum((c.width(at[f"partial_{c.name}"], weights[c.name], now) for c in self.shaped), jnp.zeros(()))

    def curvatures(
        self, logits: Arrays, position: Arrays, locations_and_parameters: Any, units: Arrays, data: Arrays, key: Any
    ) -> Any:
        """Return an estimate of the curvature along each coordinate at one draw, by random signs, and the log-Jacobian."""
        import jax
        import jax.numpy as jnp

        weights = _weights(logits)
        known = {**data, **{f"lambda_{n}": w for n, w in weights.items()}}
        at, stretched = self.to_weights(position, locations_and_parameters, weights, data)
        keys = dict(zip(at, jax.random.split(key, len(at)), strict=True))
        signs = {n: jax.random.rademacher(keys[n], jnp.shape(v), float) for n, v in at.items()}
        inner = {f"partial_{n}": w for n, w in weights.items()}
        found: Arrays = {}
        for side in (True, False):  # parents and children separately: products between them would only add noise
            along = {n: sign if (n in inner) is side else jnp.zeros_like(sign) for n, sign in signs.items()}
            bend = jax.jvp(jax.grad(lambda w: self.functions.log_density(w, known)), (at,), (along,))[1]
            found |= {n: -signs[n] * bend[n] for n in at if (n in inner) is side}
        shrunk = {f"partial_{n}": jnp.exp(2 * (w - 1) * units[n]) for n, w in weights.items() if n in units}
        return {n: h * shrunk.get(n, 1.0) for n, h in found.items()}, stretched

    def loss(self, logits: Arrays, memory: Any, batch: Any, units: Arrays, data: Arrays) -> Any:
        """Return the negative bound on a batch of draws, and the running means of curvatures."""
        import jax
        import jax.numpy as jnp

        positions, locations_and_parameters, keys = batch
        axes = (None, 0, 0, None, None, 0)
        found, stretched = jax.vmap(self.curvatures, in_axes=axes)(
            logits, positions, locations_and_parameters, units, data, keys
        )
        mean = {n: jnp.mean(h, axis=0) for n, h in found.items()}
        sizes = {n: jnp.mean(jnp.abs(h), axis=0) for n, h in found.items()}
        memory = jax.tree.map(lambda old, new: MEMORY * old + (1 - MEMORY) * new, memory, (mean, sizes))
        steep = jax.tree.map(lambda h, size: jnp.maximum(h, LEAST * size + 1e-12), *jax.lax.stop_gradient(memory))
        location_and_scale = locations_and_parameters[0]
        scales = {n: jnp.mean(jnp.log(pair[1]), axis=0) - units[n] for n, pair in location_and_scale.items()}
        lengths = sum(jnp.sum((1 - w) * scales[n]) for n, w in _weights(logits).items() if n in scales)
        lengths += jnp.mean(stretched)
        return sum(jnp.sum(mean[n] / steep[n]) / 2 for n in mean) - lengths, memory

    def first_memory(self, logits: Arrays, batch: Any, units: Arrays, data: Arrays) -> Any:
        """Return means of curvatures, and of their sizes, over all draws of a batch."""
        import jax
        import jax.numpy as jnp

        seen = jax.lax.map(lambda one: self.curvatures(logits, one[0], one[1], units, data, one[2])[0], batch)
        return tuple({n: jnp.mean(f(h), axis=0) for n, h in seen.items()} for f in (lambda h: h, jnp.abs))


@functools.lru_cache(maxsize=32)
def compile_fit(functions: Functions, shaped: tuple[Carrier, ...] = ()) -> Callable[..., Any]:
    """Return a compiled run of Adam: logits, positions, locations and scales, data and a key to the last logits."""
    import jax
    import jax.numpy as jnp

    optax = require("optax")
    objective, optimiser = Objective(functions, shaped), _adam()

    def run(
        logits: Arrays, positions: Arrays, locations_and_parameters: Any, units: Arrays, data: Arrays, key: Any
    ) -> Any:
        draws = (logits, positions, locations_and_parameters)
        logits, *draws = jax.tree.map(lambda v: jnp.asarray(v, dtype=float), draws)
        count = len(next(iter(positions.values())))

        def batch(key: Any, size: int) -> Any:
            picked = jax.random.choice(key, count, (size,), replace=False)
            return *jax.tree.map(lambda v: v[picked], draws), jax.random.split(key, size)

        def step(state: Any, key: Any) -> Any:
            logits, memory, moments = state
            slope, memory = jax.grad(objective.loss, has_aux=True)(logits, memory, batch(key, BATCH), units, data)
            slope = jax.tree.map(lambda g: jnp.nan_to_num(g, posinf=0.0, neginf=0.0), slope)
            moves, moments = optimiser.update(slope, moments, logits)
            return (optax.apply_updates(logits, moves), memory, moments), None

        first, key = jax.random.split(key)
        memory = objective.first_memory(logits, batch(first, count), units, data)
        state = (logits, memory, optimiser.init(logits))
        return jax.lax.scan(step, state, jax.random.split(key, STEPS))[0][0]

    return jax.jit(run)


def _adam() -> Any:
    """Return Adam, with one rate for what elements share and another for each element's own part."""
    optax = require("optax")
    parts = {n: optax.adam(optax.cosine_decay_schedule(r, STEPS)) for n, r in (("shared", RATE), ("own", OWN_RATE))}
    return optax.multi_transform(parts, {name: name for name in parts})
