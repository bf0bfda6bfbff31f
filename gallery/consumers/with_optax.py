"""Optax climbs a symaux log-density: the most probable position.

python gallery/consumers/with_optax.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax


def climbed(logp: Callable[[Any], Any], position: Any, steps: int = 1000, rate: float = 0.05) -> Any:
    """The position after some steps of Adam."""
    import optax

    rule = optax.adam(rate)

    def once(state: Any, _: Any) -> Any:
        at, memory = state
        moves, memory = rule.update(jax.grad(lambda p: -logp(p))(at), memory)
        return (optax.apply_updates(at, moves), memory), None

    return jax.lax.scan(once, (position, rule.init(position)), length=steps)[0][0]


if __name__ == "__main__":
    import runpy
    from pathlib import Path

    import jax.numpy as jnp

    import symaux as sa

    script = runpy.run_path(str(Path(__file__).parents[1] / "dbn.py"))
    after, data = sa.auxiliary(script["model"]).after, script["data"]()
    lengths = after.axes.resolved({name: value.shape for name, value in data.items()})
    start = {n: jnp.full([lengths[g] for g in after.axes.of_array(n)], 0.01) for n in after.latents}
    logp = sa.log_density(after, data)
    print("log-density:", float(logp(start)), "->", float(logp(climbed(logp, start))))
