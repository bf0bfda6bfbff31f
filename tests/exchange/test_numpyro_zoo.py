"""Models as people write them in NumPyro: each is read, prints itself, and has NumPyro's log-density and its gradient."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import symaux as sa

pytest.importorskip("numpyro", reason="NumPyro is not installed")

from numpyro import handlers
from numpyro.infer.initialization import init_to_uniform
from numpyro.infer.util import log_density
from support.numpyro_zoo import ZOO, improper, rare


def values(function: Any, arguments: Any, seed: int) -> dict[str, Any]:
    """Values of what is free, latents and parameters."""
    with jax.numpy_dtype_promotion("standard"):
        seeded = handlers.substitute(handlers.seed(function, seed), substitute_fn=init_to_uniform)
        trace = handlers.trace(seeded).get_trace(*arguments)
    return {
        n: s["value"]
        for n, s in trace.items()
        if s["type"] == "param" or (s["type"] == "sample" and not s["is_observed"])
    }


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", ZOO)
def test_numpyro_says_the_same(name: str) -> None:
    function, arguments = ZOO[name]
    model = sa.from_numpyro(function, *arguments)
    assert sa.parse(model.text) == model
    ours = sa.log_density(model, model.data)

    def theirs(free: Any) -> Any:
        return log_density(function, arguments, {}, free)[0]

    both, other = jax.jit(jax.value_and_grad(ours)), jax.jit(jax.value_and_grad(theirs))
    for seed in range(2):
        free = values(function, arguments, seed)
        with jax.numpy_dtype_promotion("standard"):
            wanted, slope = other(free)
        seen, own = both(free)
        assert float(seen) == pytest.approx(float(wanted), rel=1e-9)
        if name not in ("slopes", "process"):  # NumPyro's gradient there is one in all elements of a factor
            assert all(np.allclose(own[n], slope[n], rtol=1e-6, atol=1e-8) for n in slope), name


@pytest.mark.long
def test_what_is_read_from_a_density_is_proved() -> None:
    aux = sa.auxiliary(sa.from_numpyro(rare, *ZOO["rare"][1]))
    assert aux.verify().status is sa.Status.PROVED and {"g", "h"}.isdisjoint(aux.kept)


def test_parameters_are_inputs_and_flat_laws_are_flat() -> None:
    model = sa.from_numpyro(*[ZOO["parameters"][0], *ZOO["parameters"][1]])
    assert {"mu", "s"} <= set(model.inputs) and "param s > 0" in model.text
    assert "s ~ flat on (0, oo)" in sa.from_numpyro(improper, *ZOO["improper"][1]).text


def test_a_function_that_only_has_the_name_of_another_is_read_by_what_it_does() -> None:
    import numpyro
    import numpyro.distributions as dist

    @jax.jit
    def softplus(x: Any) -> Any:
        return 2 * x

    def model() -> None:
        numpyro.deterministic("twice", softplus(numpyro.sample("z", dist.Normal(0, 1))))

    assert "twice = 2*z" in sa.from_numpyro(model).text


def test_masks_and_latent_vectors_that_have_no_translation_say_so() -> None:
    import numpyro
    import numpyro.distributions as dist

    def masked() -> None:
        z = numpyro.sample("z", dist.Normal(0, 1).expand([3]))
        numpyro.sample("y", dist.Normal(0, 1).expand([3]).mask(z > 0), obs=np.ones(3))
        numpyro.sample("w", dist.Normal(0, 1).expand([3]).mask(np.array([True, False, True])))
        numpyro.sample(
            "v", dist.TransformedDistribution(dist.Normal(0, 1).expand([3]), dist.transforms.OrderedTransform())
        )

    with pytest.raises(sa.NotTranslated) as caught:
        sa.from_numpyro(masked)
    assert set(caught.value.parts) == {"y", "w", "v"} and "TransformReparam" in caught.value.parts["v"]


def test_a_class_that_only_has_the_name_of_another_is_read_by_its_density() -> None:
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    class Exponential(dist.Distribution):
        """Not NumPyro's: by its mean."""

        support = dist.constraints.positive
        pytree_data_fields = ("rate",)

        def __init__(self, rate: Any) -> None:
            self.rate = rate
            super().__init__()

        def sample(self, key: Any, sample_shape: tuple[int, ...] = ()) -> Any:
            return self.rate * jax.random.exponential(key, sample_shape)

        def log_prob(self, value: Any) -> Any:
            return -value / self.rate - jnp.log(self.rate)

    model = sa.from_numpyro(lambda: numpyro.sample("z", Exponential(4.0)))
    assert float(sa.log_density(model, {})({"z": 2.0})) == pytest.approx(-0.5 - np.log(4))
