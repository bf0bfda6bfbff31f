"""NumPyro's MCMC samples a symaux log-density: its negative is the ``potential_fn``.

python gallery/consumers/with_numpyro.py
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax


def draws(logp: Callable[[Any], Any], position: Any, key: Any, count: int = 500, warmup: int = 300) -> Any:
    """Positions drawn by NUTS, a leading axis of draws in every array."""
    from numpyro.infer import MCMC, NUTS

    sampler = MCMC(NUTS(potential_fn=lambda at: -logp(at)), num_warmup=warmup, num_samples=count, progress_bar=False)
    sampler.run(key, init_params=position)
    return sampler.get_samples()


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
