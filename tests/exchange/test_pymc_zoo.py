"""Models as people write them in PyMC: each is read, prints itself, and has PyMC's log-density. Skipped without PyMC."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symaux as sa

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pm = pytest.importorskip("pymc", reason="PyMC is not installed")
    import pytensor
    import pytensor.tensor as pt

pytestmark = pytest.mark.peers

rng = np.random.default_rng(3)
N = 12
X, Y, GROUP, FLAGS = rng.normal(size=(N, 3)), rng.normal(size=N), rng.integers(0, 4, N), rng.integers(0, 2, N)
COUNTS, TIMES, HIDDEN = rng.poisson(2, N), rng.uniform(0.1, 3, N), np.isin(np.arange(N), (1, 4))


def slopes() -> None:
    both = pm.Normal("both", pm.Normal("mu", 0, 1, shape=2), pm.HalfNormal("sd", 1, shape=2), shape=(4, 2))
    pm.Normal("y", both[GROUP, 0] + both[GROUP, 1] * X[:, 0], 1.0, observed=Y)


def inflated() -> None:
    pm.ZeroInflatedPoisson("k", psi=pm.Beta("psi", 1, 1), mu=pm.Gamma("rate", 2, 0.1), observed=COUNTS)


def mixture() -> None:
    w, mu = pm.Dirichlet("w", a=np.ones(3)), pm.Normal("mu", 0, 3, shape=3)
    pm.NormalMixture("y", w=w, mu=mu, sigma=pm.HalfNormal("s", 1), observed=Y)


def contaminated() -> None:
    parts = [pm.Normal.dist(pm.Normal("mu", 0, 3), 1.0), pm.StudentT.dist(nu=3, mu=0, sigma=2)]
    pm.Mixture("y", w=pm.Dirichlet("w", a=np.ones(2)), comp_dists=parts, observed=Y)


def ordered() -> None:
    cuts = pm.Normal("cuts", mu=[-1, 0, 1], sigma=1, transform=pm.distributions.transforms.ordered, shape=3)
    pm.OrderedLogistic("r", eta=pm.Normal("b", 0, 1) * X[:, 0], cutpoints=cuts, observed=GROUP)


def put_together() -> None:
    z = pm.Normal("z", 0, 1, shape=N)
    joined = pt.concatenate([z[:1], z[1:] - z[:-1]]) + pt.cumsum(z) + z[::-1]
    filled = pt.set_subtensor(z[np.array([2, 5])], 0.5)
    chosen = pt.switch(pt.eq(GROUP, 0), z[0], pt.stack([z[1], z[2], 0.3])[GROUP % 3]) + z[FLAGS == 1].sum()
    pm.Normal("y", joined + filled + chosen, pm.math.log1pexp(z.mean()), observed=Y)


def missing() -> None:
    pm.Normal("y", pm.Normal("mu", 0, 1), 1.0, observed=np.ma.masked_array(Y, mask=HIDDEN))


def choices() -> None:
    pm.Categorical("c", p=pm.math.softmax(X @ pm.Normal("b", 0, 1, shape=(3, 4)), axis=-1), observed=GROUP)


def counts() -> None:
    p, a = pm.Beta("p", 2, 2), pm.Exponential("a", 1)
    pm.Geometric("k", p=p, observed=COUNTS + 1)
    pm.DiscreteUniform("u", 0, 30, observed=COUNTS)
    pm.BetaBinomial("m", alpha=a, beta=1.5, n=40, observed=COUNTS)


def rare() -> None:
    a, c = pm.AsymmetricLaplace("a", kappa=2.0, mu=0.0, b=1.0), pm.ExGaussian("c", mu=0.0, sigma=1.0, nu=1.0)
    f, h = pm.Moyal("f", 0.0, 1.0), pm.HalfStudentT("h", nu=3, sigma=1.0)
    t = pm.Truncated("t", pm.Normal.dist(a, 1.0), lower=-1)
    pm.Normal("y", a + c + f + t, 1 + h, observed=Y)


def of_ones_own() -> None:
    def density(value: Any, mu: Any) -> Any:
        return -((value - mu) ** 2) / 2 - np.log(np.sqrt(2 * np.pi))

    pm.CustomDist("y", pm.Normal("mu", 0, 1), logp=density, observed=Y)


ZOO = [
    *(slopes, inflated, mixture, contaminated, ordered, put_together, missing, choices, counts, rare, of_ones_own),
]


@pytest.mark.parametrize("written", ZOO, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_pymc_says_the_same(written: Any) -> None:
    from pymc.model.transform.conditioning import remove_value_transforms

    with pytensor.config.change_flags(cast_policy="numpy+floatX"), pm.Model() as given:
        written()
    model = sa.from_pymc(given)
    assert sa.parse(model.text) == model
    ours, plain = sa.log_density(model, model.data), remove_value_transforms(given)
    theirs = plain.compile_logp()
    for seed in range(2):
        draws = pm.draw(plain.free_RVs, random_seed=seed)
        free = {v.name: np.asarray(d) for v, d in zip(plain.free_RVs, draws, strict=True)}
        free |= {"cuts": np.sort(free["cuts"])} if "cuts" in free else {}
        assert float(ours(free)) == pytest.approx(float(theirs(free)), rel=1e-9)
