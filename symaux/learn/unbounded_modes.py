r"""Test whether a joint density of parameters and latents is bounded: $p(z \mid \tau)$ at $z = \mu$ grows as $\tau \to 0$.

Every coordinate of a parameter is followed in both directions, with the latents below it in the middle of their noise,
where $z = g(\theta, 0)$: along such a ray $\log p$ rises by a constant per unit if nothing bounds it, and a proper prior of
$\log\tau$ makes it fall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symaux.errors import NoRuleApplies
from symaux.learn.compiled_model import Arrays, Target, bind_data
from symaux.rules.derivation import Derivation

STEPS = (85.0, 170.0, 340.0)  # distances along a ray, on the scale of logarithms: e**-340 squared is still a double
MIN_DOUBLING_RATIO = 1.97  # rise over the second, twice as long, stretch by that over the first; 2 on a straight ray


class UnboundedDensity(UserWarning):
    """A joint mode does not exist: what an optimiser finds depends on when it stops."""


@dataclass(frozen=True)
class Ray:
    """A coordinate, the direction in which it is followed, and the derivative of the log-density there."""

    coordinate: str
    side: str
    slope: float

    def __str__(self) -> str:
        return f"log p grows by {self.slope:.3g} per unit as {self.coordinate} goes to {self.side}infinity"


def unbounded_rays(aim: Target) -> list[Ray]:
    """Return the rays along which the density grows without bound, as far as doubles allow."""
    middle = _middle(aim)
    return [] if middle is None else list(_rays(aim, *middle))


def _middle(aim: Target) -> tuple[Target, Arrays] | None:
    """Return the auxiliary form of the user's model, which places latents in the middle of their noise; None without one."""
    import jax.numpy as jnp
    import numpy as np

    from symaux.learn.coordinates import to_real_line

    try:
        made: Derivation = to_real_line(aim.before, "auxiliary")
    except NoRuleApplies:
        return None
    known = {name: value for name, value in aim.data.items() if name in (*made.after.inputs, *made.after.observed)}
    other = bind_data(made.before, made.after, known, learning=True)
    zeros = other.start(np.random.default_rng(0), 0.0)
    return other, {name: jnp.asarray(value) for name, value in zeros.items()}


def _rays(aim: Target, other: Target, zeros: Arrays) -> Iterator[Ray]:
    import jax
    import numpy as np

    noises = set(other.after.auxiliary) - set(aim.keys)
    shared = [key for key in zeros if key in aim.keys and key not in noises]
    height = jax.jit(lambda at: _height(aim, other, at))
    for key in shared:
        for side in (-1.0, 1.0):
            heights = [float(height({**zeros, key: zeros[key] + side * t})) for t in STEPS]
            first, second = np.diff(heights)
            if first > 1 and second > MIN_DOUBLING_RATIO * first:
                yield Ray(key, "minus " if side < 0 else "plus ", float(second / (STEPS[2] - STEPS[1])))


def _height(aim: Target, other: Target, at: Arrays) -> Any:
    """Return the log-density with the latents at zero noise of the auxiliary form."""
    values = {**at, **other.functions.generate(at, other.data)}
    return aim.functions.log_density({key: values[key] for key in aim.keys}, aim.data)
