r"""Turn starting values, which users give by the names of their own variables, into coordinates on the real line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.errors import DataError
from symaux.formulas.symbols.support import Interval, bounds
from symaux.laws.law import Law
from symaux.learn.ais import draw_from_prior
from symaux.learn.compiled_model import Arrays, Target
from symaux.learn.coordinates import condition_on


def to_coordinates(aim: Target, start: Mapping[str, Any]) -> Arrays:
    """Return values of variables, or of coordinates themselves, as coordinates."""
    import jax.numpy as jnp

    made: Arrays = {}
    for name, value in start.items():
        if name in aim.after.latents:
            made[name] = value
            continue
        keys = aim.functions.keys([name])
        if len(keys) != 1:
            raise DataError(f"start: {name} has the coordinates {', '.join(keys)}; give those")
        made[keys[0]] = _inverse(aim, name, keys[0], value)
    return {key: jnp.asarray(value, dtype=float) for key, value in made.items()}


def _inverse(aim: Target, name: str, key: str, value: Any) -> Any:
    """Return a value on an interval with known bounds as a coordinate: its logarithm or logit."""
    import numpy as np

    if key == name:
        return value
    value = np.asarray(value, dtype=float)
    if name in aim.functions.free:
        return np.log(value)
    law = aim.before.nodes[name].general
    support = law.support if isinstance(law, Law) else None
    ends = bounds(support) if isinstance(support, Interval) else ()
    if key.startswith("eps_") or len(ends) != 2 or not all(end.is_number for end in ends):
        raise DataError(f"start: {name} is computed from {key}; give that instead")
    lower, upper = (float(end) for end in ends)
    if lower == -np.inf:
        return np.log(upper - value)
    return np.log(value - lower) - (0.0 if upper == np.inf else np.log(upper - value))


def draw_from_conditional(aim: Target, theta: Arrays, key: Any) -> Arrays:
    r"""Return a draw of the latents from $p(z \mid \theta)$, the same in either form; standard normal without a sampler."""
    import numpy as np

    owners = {name for name in aim.before.latents if set(aim.functions.keys([name])) <= set(theta)}
    after = condition_on(aim.after, sorted(owners))
    everything = {**aim.start(np.random.default_rng(0)), **theta}
    if not after.latents:
        return {}
    values = aim.functions.generate(everything, aim.data)
    known = {name: values[name] for name in (*owners, *aim.functions.free)}
    try:
        drawn = draw_from_prior(after)(key[None], {**aim.data, **known})
    except (ValueError, KeyError):  # a flat prior or a factor: the generated sampler refuses
        return {name: everything[name] for name in after.latents}
    return {name: value[0] for name, value in drawn.items()}
