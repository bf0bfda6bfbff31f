r"""Measure the share of the data in the curvature of each element, $r = h/(a + h)$, at draws of a short pilot run.

The prior's precision $a$ and the curvature $h$ of everything else are those of the generated log-density, element by
element: random signs pick the diagonal of its second derivative.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symaux.learn.compiled_model import Arrays, Functions, Target, as_target
from symaux.learn.coordinates import coordinates
from symaux.learn.posterior import sample
from symaux.model.model import Model
from symaux.rules.derivation import Derivation

TINY = 1e-12  # the least curvature that a share is divided by
PROBES = 8  # random signs at each draw; one is exact where elements do not meet in the likelihood
SEEN = 24  # draws that are looked at
COST = SEEN * PROBES * 4  # gradients that two second derivatives are worth at each of them
CHAINS = 2  # of the pilot run
DOUBLINGS = 5  # of the tree of a draw of the pilot run: at most 31 gradients, where NUTS usually allows 1023


def half_weights(derivation: Derivation, data: Arrays, names: Iterable[str]) -> Arrays:
    """Return weights of one half for the inputs ``lambda_v``, in the shapes of the variables."""
    import numpy as np

    after = derivation.after
    lengths = after.axes.resolved({name: np.shape(value) for name, value in data.items()})
    return {f"lambda_{n}": np.full([lengths[g] for g in after.axes.of_array(n)], 0.5) for n in names}


def run_pilot(derivation: Derivation, data: Arrays, moves: int, seed: int) -> tuple[Target, Arrays, int]:
    """Return the sampled target, the positions of the last third of all moves, and the gradients that they took."""
    import numpy as np

    result = sample(
        derivation, data, draws=moves // 3, warmup=moves - moves // 3, seed=seed, quiet=True, positions=True,
        doublings=DOUBLINGS, chains=CHAINS,
    )  # fmt: skip
    steps, drawn = result.sample_stats, result.unconstrained_posterior.data_vars
    positions = {str(name): np.concatenate(np.asarray(value)) for name, value in drawn.items()}
    gradients = int(steps["n_steps"].sum()) + int(steps.attrs["warmup_gradients"])
    return as_target(derivation, data, "auxiliary"), positions, gradients


def data_shares(aim: Target, names: Iterable[str], positions: Arrays, seed: int) -> Arrays:
    """Return the share of the data for each element of variables with one coordinate, as a mean over positions."""
    found = {name: coordinates(aim.after, name) for name in names}
    return {name: _share(aim, keys[0], positions, seed) for name, keys in found.items() if len(keys) == 1}


def _share(aim: Target, key: str, positions: Arrays, seed: int) -> Any:
    import jax
    import numpy as np

    own = Functions(Model.derived(*aim.after.nodes[key].statements))
    rng, count = np.random.default_rng(seed), len(positions[key])
    seen = np.linspace(0, count - 1, min(SEEN, count)).astype(int)
    signs = rng.choice([-1.0, 1.0], size=(len(seen), PROBES, *positions[key].shape[1:]))

    def curvature(function: Any, at: Any, sign: Any) -> Any:
        return -sign * jax.jvp(jax.grad(function), (at,), (sign,))[1]

    def both(position: Arrays, sign: Any) -> Any:
        values = {**aim.data, **position, **aim.functions.generate(position, aim.data)}
        rest = {n: v for n, v in values.items() if n != key}
        whole = curvature(lambda w: aim.functions.log_density({**position, key: w}, aim.data), position[key], sign)
        return whole, curvature(lambda w: own.log_density({key: w}, rest), position[key], sign)

    mapped = jax.jit(jax.vmap(jax.vmap(both, in_axes=(None, 0)), in_axes=(0, 0)))
    curvatures = mapped({n: v[seen] for n, v in positions.items()}, signs)
    whole, prior = (np.mean(np.asarray(v), axis=1) for v in curvatures)
    share = np.clip((whole - prior) / np.maximum(np.maximum(whole, prior), TINY), 0.0, 1.0)
    return np.mean(share, axis=0)
