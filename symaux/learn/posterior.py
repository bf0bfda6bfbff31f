r"""Draw from the posterior $p(z \mid x)$ in the original or the auxiliary form, under the names of the user's variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symaux.learn.compiled_model import Target, as_target
from symaux.learn.diagnostics import diagnose
from symaux.learn.mcmc import compile_sampler
from symaux.learn.precision import use_precision
from symaux.validate.blackjax_chain import require


def sample(
    model: Any,
    data: Mapping[str, Any] | None = None,
    *,
    form: str = "auxiliary",
    draws: int = 1000,
    warmup: int = 1000,
    chains: int = 4,
    seed: int = 0,
    algorithm: str = "nuts",
    acceptance: float = 0.9,
    leapfrog: int = 20,
    doublings: int = 10,
    precision: str = "float64",
    quiet: bool = False,
    positions: bool = False,
) -> Any:
    """Sample parameters and latents together; return an ``arviz.InferenceData`` and print its diagnosis.

    ``model`` is a model, sampled in its auxiliary or its original ``form``, or a derivation, sampled as it came out.
    ``leapfrog`` is HMC's number of steps, ``doublings`` the largest depth of NUTS's tree. Chains start at standard normal
    points on the real line; ``positions`` keeps those that they went through, as ArviZ's unconstrained posterior.
    ``diagnose(result)`` is the diagnosis again, as a value that is false if the run failed.
    """
    import jax
    import numpy as np

    with use_precision(precision):
        aim, rng = as_target(model, data, form), np.random.default_rng(seed)
        run = compile_sampler(
            aim.functions, algorithm=algorithm, draws=draws, warmup=warmup, acceptance=acceptance, leapfrog=leapfrog,
            doublings=doublings,
        )  # fmt: skip
        starts = [aim.start(rng) for _ in range(chains)]
        start = {name: np.stack([s[name] for s in starts]) for name in starts[0]}
        keys = jax.random.split(jax.random.key(seed), chains)
        values, stats, tuned = jax.block_until_ready(run(keys, start, aim.data))
    (values, at), attributes = values, {"form": form, "algorithm": algorithm, "seed": seed}
    result = _inference_data(aim, values, stats, tuned, attributes)
    if positions:
        result.add_groups(unconstrained_posterior={name: np.asarray(value) for name, value in at.items()})
    if not quiet:
        print(diagnose(result))
    return result


def _inference_data(aim: Target, values: Any, stats: Any, tuned: Any, attributes: dict[str, Any]) -> Any:
    """Return ArviZ's groups, with dimensions named after the plates."""
    import numpy as np

    arviz = require("arviz")
    own = {name: np.asarray(value) for name, value in values.items() if value.size}
    dims = {name: list(aim.after.axes.of_array(name)) for name in own}
    dims = {name: _distinct(axes) for name, axes in dims.items()}
    seen = {name: np.asarray(aim.data[name]) for name in aim.after.observed}
    made = arviz.from_dict(
        posterior=own,
        sample_stats={name: np.asarray(value) for name, value in stats.items()},
        observed_data=seen or None,
        dims={**dims, **{name: _distinct(aim.after.axes.of_array(name)) for name in seen}},
        attrs=attributes,
    )
    made.sample_stats.attrs["warmup_gradients"] = int(np.sum(np.asarray(tuned["warmup_steps"])))
    made.sample_stats.attrs["step_size"] = [float(s) for s in np.asarray(tuned["step_size"])]
    return made


def _distinct(axes: Any) -> list[str]:
    """Return names of dimensions that differ, as xarray requires for one array.

    >>> _distinct(("i", "i"))
    ['i', 'i_1']
    """
    return [axis if axis not in axes[:n] else f"{axis}_{n}" for n, axis in enumerate(axes)]
