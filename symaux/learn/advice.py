r"""Which variables to rewrite, and how far: one weight per element between auxiliary form (0) and original form (1).

Where the prior of $z = m + s\,\varepsilon$ is sharper than what the data say of it, z is tied to its parents and the
auxiliary form mixes; where the data are sharper, $\varepsilon$ is. For a normal mean with prior precision $a$ and the
likelihood's curvature $h$ in the same coordinate, $E[z \mid m, x] = (a m + h x)/(a + h)$, so that $w = z - (1-\lambda) m$
has a posterior mean that does not depend on m exactly for $\lambda = h/(a + h)$ (Papaspiliopoulos et al. 2003; Kingma and
Welling 2014 have the two ends). Curvatures are those of the generated log-density, element by element, at the draws of a
short pilot run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symaux.analysis.gain import Gain, gains
from symaux.derivation import Derivation
from symaux.learn.compiled import Arrays, Functions, target
from symaux.learn.packages import numbers
from symaux.learn.posterior import sample
from symaux.model import Model
from symaux.rewriting import has_latent_ancestor

TINY = 1e-12
PROBES = 4  # random signs; one is exact where elements do not meet in the likelihood
PILOT = 80  # moves of each of four chains, of which the last third is looked at
DOUBLINGS = 5


@dataclass(frozen=True)
class Advice:
    """Weights by variable, why, what rewriting changes in the graph, and the model to go on with."""

    weights: dict[str, Any]
    reasons: dict[str, str]
    gains: dict[str, Gain]
    derivation: Derivation
    data: dict[str, Any] = field(repr=False)  # the user's, with the weights
    gradients: int = 0  # that the pilot took, its warm-up included

    def __str__(self) -> str:
        return "\n".join(f"{name}: {reason}" for name, reason in self.reasons.items())


def advise(model: Model, data: Mapping[str, Any] | None = None, *, seed: int = 0, pilot: int = PILOT) -> Advice:
    """Says of every latent whether to rewrite it; with data, how far, by a short pilot run.

    ``sa.learn.sample(advice.derivation, advice.data)`` goes on with what was chosen.
    """
    from symaux.defaults import auxiliary, partial

    below, known = has_latent_ancestor(model), gains(model)
    reasons = {n: "a root: nothing is gained by rewriting it" for n in model.latents if n not in below}
    if data is None:
        made = auxiliary(model)
        reasons |= {n: made.kept.get(n) or _structural(known[n]) for n in model.latents if n in below}
        return Advice({}, reasons, known, made, {})
    derivation = partial(model, [name for name in model.latents if name in below])
    chosen = [n for n in model.latents if n in below and n not in derivation.kept]
    reasons |= derivation.kept
    if not chosen:
        return Advice({}, reasons, known, derivation, dict(data))
    weights, gradients = _weights(derivation, dict(data), chosen, seed, pilot)
    reasons |= {name: _reason(weight) for name, weight in weights.items()}
    whole = {**data, **{f"lambda_{name}": weight for name, weight in weights.items()}}
    return Advice(weights, reasons, known, derivation, whole, gradients)


def _structural(gain: Gain) -> str:
    return (
        f"rewrite: its blanket grows from {gain.blanket[0]} to {gain.blanket[1]} variables, and news of the observations"
        f" reaches {gain.reached[1]} latents at once instead of {gain.reached[0]}"
    )


def _reason(weight: Any) -> str:
    import numpy as np

    low, middle, high = np.quantile(weight, [0, 0.5, 1])
    if high < 0.05:
        return f"auxiliary form: the prior is sharper than the data everywhere (weight at most {high:.2g})"
    if low > 0.95:
        return f"original form: the data are sharper than the prior everywhere (weight at least {low:.2g})"
    return f"in between: weight {middle:.2f} in the median, {low:.2f} to {high:.2f}"


def _weights(derivation: Derivation, data: Arrays, names: list[str], seed: int, pilot: int) -> tuple[Arrays, int]:
    """The share of the data in the curvature of each element, at draws of a pilot run half way."""
    import numpy as np

    with numbers("float64"):
        after = derivation.after
        lengths = after.axes.resolved({name: np.shape(value) for name, value in data.items()})
        half = {f"lambda_{n}": np.full([lengths[g] for g in after.axes.of_array(n)], 0.5) for n in names}
        result = sample(
            derivation, {**data, **half}, draws=pilot // 3, warmup=pilot - pilot // 3, seed=seed, quiet=True,
            positions=True, doublings=DOUBLINGS,
        )  # fmt: skip
        aim = target(derivation, {**data, **half}, "auxiliary")
        found = {name: _share(aim, name, result.unconstrained_posterior, seed) for name in names}
    steps = result.sample_stats
    return found, int(steps["n_steps"].sum()) + int(steps.attrs["warmup_gradients"])


def _share(aim: Any, name: str, draws: Any, seed: int) -> Any:
    r"""$h/(a + h)$: the curvature of the likelihood over that of the whole, in the mean over draws."""
    import jax
    import numpy as np

    key, positions = f"partial_{name}", {n: np.concatenate(np.asarray(v)) for n, v in draws.data_vars.items()}
    own = Functions(Model.of(*aim.after.nodes[key].statements))
    every = max(1, len(positions[key]) // 50)
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], size=(PROBES, *positions[key].shape[1:]))

    def curvature(function: Any, at: Any, sign: Any) -> Any:
        return -sign * jax.jvp(jax.grad(function), (at,), (sign,))[1]

    def both(position: Arrays, sign: Any) -> Any:
        values = {**aim.data, **position, **aim.functions.generate(position, aim.data)}
        rest = {n: v for n, v in values.items() if n != key}
        whole = curvature(lambda w: aim.functions.log_density({**position, key: w}, aim.data), position[key], sign)
        return whole, curvature(lambda w: own.log_density({key: w}, rest), position[key], sign)

    mapped = jax.jit(jax.vmap(jax.vmap(both, in_axes=(None, 0)), in_axes=(0, None)))
    curvatures = mapped({n: v[::every] for n, v in positions.items()}, signs)
    whole, prior = (np.mean(np.asarray(v), axis=1) for v in curvatures)
    share = np.clip((whole - prior) / np.maximum(np.maximum(whole, prior), TINY), 0.0, 1.0)
    return np.mean(share, axis=0)
