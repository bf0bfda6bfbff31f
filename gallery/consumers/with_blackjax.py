"""BlackJAX samples a symaux log-density: it is the ``logdensity_fn`` as it stands.

python gallery/consumers/with_blackjax.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax


def draws(logp: Callable[[Any], Any], position: Any, key: Any, count: int = 500, warmup: int = 300) -> Any:
    """Positions drawn by NUTS, a leading axis of draws in every array."""
    import blackjax

    adapt, sample = jax.random.split(key)
    (state, parameters), _ = blackjax.window_adaptation(blackjax.nuts, logp).run(adapt, position, num_steps=warmup)
    step = blackjax.nuts(logp, **parameters).step

    def once(state: Any, key: Any) -> Any:
        state, _ = step(key, state)
        return state, state.position

    return jax.lax.scan(once, state, jax.random.split(sample, count))[1]


if __name__ == "__main__":
    import runpy
    from pathlib import Path

    import jax.numpy as jnp

    import symaux as sa

    script = runpy.run_path(str(Path(__file__).parents[1] / "eight_schools.py"))
    after, data = sa.auxiliary(script["model"]).after, script["data"]()
    start = {"mu": jnp.zeros(()), "log_tau": jnp.zeros(()), "eps_theta": jnp.zeros(8)}
    found = draws(sa.log_density(after, data), start, jax.random.key(0))
    theta = jax.vmap(sa.generate(after, data))(found)["theta"]  # back on the scale of the model
    print("mean effects:", theta.mean(0).round(1))
