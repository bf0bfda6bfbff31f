"""Models as people write them in NumPyro, with the arguments that each takes; exchange/test_numpyro_zoo.py reads them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.infer.reparam import LocScaleReparam, TransformReparam

rng = np.random.default_rng(3)
N, J = 12, 6
X, Y, GROUP, ITEM = rng.normal(size=(N, 3)), rng.normal(size=N), rng.integers(0, 4, N), rng.integers(0, 3, N)
COUNTS, FLAGS, TIMES = rng.poisson(2, N), rng.integers(0, 2, N), rng.uniform(0.1, 3, N)
EVENT = FLAGS.astype(bool)
TRIALS = rng.integers(5, 20, J)
WINS, TABLE = rng.integers(0, 5, J), rng.multinomial(20, [0.2, 0.3, 0.5], size=J)

Model = tuple[Callable[..., None], tuple[Any, ...]]


def normal(name: str, *shape: int) -> Any:
    return numpyro.sample(name, dist.Normal(0, 1).expand(list(shape)))


def affine(y: Any, sigma: Any) -> None:
    mu, tau = numpyro.sample("mu", dist.Normal(0, 5)), numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("J", len(y)):
        law = dist.TransformedDistribution(dist.Normal(0.0, 1.0), dist.transforms.AffineTransform(mu, tau))
        numpyro.sample("y", dist.Normal(numpyro.sample("theta", law), sigma), obs=y)


def noncentred(y: Any, sigma: Any) -> None:
    mu, tau = numpyro.sample("mu", dist.Normal(0, 5)), numpyro.sample("tau", dist.HalfCauchy(5))
    with numpyro.plate("J", len(y)), handlers.reparam(config={"theta": LocScaleReparam(0)}):
        numpyro.sample("y", dist.Normal(numpyro.sample("theta", dist.Normal(mu, tau)), sigma), obs=y)


def crossed(group: Any, item: Any, y: Any) -> None:
    s = numpyro.sample("s", dist.HalfNormal(1))
    both = numpyro.sample("both", dist.Normal(0, s).expand([4, 3]))
    ability, difficulty = normal("ability", 4), normal("difficulty", 3)
    numpyro.sample("y", dist.Normal(ability[group] - difficulty[item] + both[group, item], 1.0), obs=y)


def slopes(group: Any, x: Any, y: Any) -> None:
    a, b = numpyro.sample("a", dist.Normal(5, 2)), numpyro.sample("b", dist.Normal(-1, 0.5))
    scales = numpyro.sample("scales", dist.Exponential(1).expand([2]))
    factor = numpyro.sample("L", dist.LKJCholesky(2, 2))
    both = dist.MultivariateNormal(jnp.stack([a, b]), scale_tril=scales[..., None] * factor).expand([4])
    ab = numpyro.sample("ab", both)
    numpyro.sample("y", dist.Normal(ab[group, 0] + ab[group, 1] * x, 1.0), obs=y)


def process(x: Any, y: Any) -> None:
    length, noise = numpyro.sample("length", dist.LogNormal(0.0, 1.0)), numpyro.sample("noise", dist.HalfNormal(1.0))
    kernel = jnp.exp(-0.5 * ((x[:, None] - x) / length) ** 2) + (noise + 1e-6) * jnp.eye(len(x))
    numpyro.sample("y", dist.MultivariateNormal(jnp.zeros(len(x)), covariance_matrix=kernel), obs=y)


def cumulative(y: Any) -> None:
    s = numpyro.sample("s", dist.HalfNormal(1))
    numpyro.sample("y", dist.Normal(jnp.cumsum(s * normal("steps", N)), 0.5), obs=y)


def inflated(x: Any, k: Any) -> None:
    gate = numpyro.sample("gate", dist.Beta(1.0, 1.0))
    numpyro.sample("k", dist.ZeroInflatedPoisson(gate, jnp.exp(x @ normal("b", 3))), obs=k)


def ordered(x: Any, r: Any) -> None:
    law = dist.TransformedDistribution(dist.Normal(0, 1).expand([2]), dist.transforms.OrderedTransform())
    with handlers.reparam(config={"cuts": TransformReparam()}):
        cuts = numpyro.sample("cuts", law)
    numpyro.sample("r", dist.OrderedLogistic(numpyro.sample("b", dist.Normal(0, 1)) * x, cuts), obs=r)


def mixture(y: Any) -> None:
    w, s = numpyro.sample("w", dist.Dirichlet(jnp.ones(3))), numpyro.sample("s", dist.HalfNormal(1))
    parts = dist.Normal(normal("mu", 3), s)
    with numpyro.plate("n", len(y)):
        numpyro.sample("y", dist.MixtureSameFamily(dist.Categorical(w), parts), obs=y)


def contaminated(y: Any) -> None:
    w, mu = numpyro.sample("w", dist.Dirichlet(jnp.ones(2))), numpyro.sample("mu", dist.Normal(0, 3))
    parts = [dist.Normal(mu, 1.0), dist.StudentT(3.0, 0.0, 2.0)]
    with numpyro.plate("n", len(y)):
        numpyro.sample("y", dist.MixtureGeneral(dist.Categorical(w), parts), obs=y)


def survival(x: Any, t: Any, event: Any) -> None:
    alpha, scale = numpyro.sample("alpha", dist.HalfNormal(2.0)), jnp.exp(x @ normal("b", 3))
    with numpyro.plate("n", len(t)):
        with handlers.mask(mask=event):
            numpyro.sample("t", dist.Weibull(scale, alpha), obs=t)
        numpyro.factor("censored", jnp.where(event, 0.0, -((t / scale) ** alpha)))


def truncated(y: Any) -> None:
    mu = numpyro.sample("mu", dist.TruncatedNormal(0.0, 1.0, low=-1.0, high=2.0))
    s = numpyro.sample("s", dist.TruncatedNormal(mu, 1.0, low=0.0))
    h = numpyro.sample("h", dist.TruncatedCauchy(0.0, 1.0, low=0.5))
    numpyro.sample("u", dist.LeftTruncatedDistribution(dist.Logistic(mu, 1.0), low=-1.0), obs=np.abs(y))
    numpyro.sample("y", dist.Normal(mu, s + h), obs=y)


def improper(y: Any) -> None:
    mu = numpyro.sample("mu", dist.ImproperUniform(dist.constraints.real, (), ()))
    s = numpyro.sample("s", dist.ImproperUniform(dist.constraints.positive, (), ()))
    numpyro.sample("y", dist.Normal(mu, s), obs=y)


def parameters(y: Any) -> None:
    mu, s = numpyro.param("mu", 0.0), numpyro.param("s", 1.0, constraint=dist.constraints.positive)
    numpyro.sample("y", dist.Normal(mu + normal("z", N), s), obs=y)


def multinomial(table: Any) -> None:
    a = numpyro.sample("a", dist.Exponential(1.0).expand([3]))
    with numpyro.plate("n", len(table)):
        numpyro.sample("c", dist.Multinomial(20, probs=numpyro.sample("p", dist.Dirichlet(a))), obs=table)


def rare(y: Any) -> None:
    a, b = numpyro.sample("a", dist.Gompertz(1.0, 2.0)), numpyro.sample("b", dist.AsymmetricLaplace(0.0, 1.0, 2.0))
    c, d = numpyro.sample("c", dist.LogUniform(0.1, 10.0)), numpyro.sample("d", dist.SoftLaplace(0.0, 1.0))
    f, g = numpyro.sample("f", dist.BetaProportion(0.3, 4.0)), numpyro.sample("g", dist.Levy(a, 1.0))
    both = [dist.transforms.AffineTransform(0.0, 2.0), dist.transforms.ExpTransform()]
    h = numpyro.sample("h", dist.TransformedDistribution(dist.Normal(a, 1.0), both))
    u = numpyro.sample("u", dist.TransformedDistribution(dist.Normal(0.0, 1.0), dist.transforms.SigmoidTransform()))
    numpyro.sample("y", dist.Normal(a + b + c + d + f + g + u, 1 + h), obs=y)


def counts(k: Any, trials: Any, wins: Any) -> None:
    p, r = numpyro.sample("p", dist.Beta(2.0, 2.0)), numpyro.sample("r", dist.Exponential(1.0))
    numpyro.sample("k", dist.NegativeBinomialProbs(r, p), obs=k)
    numpyro.sample("m", dist.Geometric(probs=p), obs=k)
    numpyro.sample("wins", dist.Binomial(trials, logits=r), obs=wins)


def put_together(x: Any, y: Any) -> None:
    z, missing = normal("z", N), normal("missing", 2)
    both = jnp.concatenate([z[:1], z[1:] - z[:-1]])
    filled = jnp.asarray(y).at[jnp.array([1, 4])].set(missing)
    wide = jnp.stack([z, z**2], axis=1).reshape(-1)[::2] + jnp.flip(z) + jnp.repeat(missing, N // 2)
    numpyro.factor("odd", -(jnp.prod(missing) ** 2) + jnp.sum(jnp.where((z > 0) & (z < 1) | (z == 3), z, 0.5)))
    numpyro.sample("y", dist.Normal(both + filled + wide, jax.nn.softplus(z.mean()) + jax.nn.relu(z).sum()), obs=y)


def pivot(x: Any, c: Any) -> None:
    logits = jnp.concatenate([x @ normal("b", 3, 2), jnp.zeros((len(x), 1))], axis=-1)
    numpyro.sample("c", dist.Categorical(logits=logits), obs=c)


ZOO: dict[str, Model] = {
    "affine": (affine, (Y[:J], TIMES[:J])), "noncentred": (noncentred, (Y[:J], TIMES[:J])),
    "crossed": (crossed, (GROUP, ITEM, Y)), "slopes": (slopes, (GROUP, X[:, 0], Y)), "process": (process, (X[:5, 0], Y[:5])),
    "cumulative": (cumulative, (Y,)), "inflated": (inflated, (X, COUNTS)), "ordered": (ordered, (X[:, 0], ITEM)),
    "mixture": (mixture, (Y,)), "contaminated": (contaminated, (Y,)), "survival": (survival, (X, TIMES, EVENT)),
    "truncated": (truncated, (Y,)), "improper": (improper, (Y,)), "parameters": (parameters, (Y,)),
    "multinomial": (multinomial, (TABLE,)), "rare": (rare, (Y,)), "counts": (counts, (COUNTS, TRIALS, WINS)),
    "put together": (put_together, (X, Y)), "pivot": (pivot, (X, ITEM)),
}  # fmt: skip
