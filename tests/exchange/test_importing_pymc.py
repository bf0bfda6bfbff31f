"""Models of PyMC: the same log-density as PyMC's own, and a list of what is missing."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import symaux as sa

pytestmark = pytest.mark.peers

rng = np.random.default_rng(5)
SIGMA, SCORES = rng.uniform(5, 15, 8), rng.normal(5, 10, 8)
COUNTY, FLOOR, RADON = rng.integers(0, 6, 30), rng.integers(0, 2, 30).astype(float), rng.normal(1, 1, 30)
RETURNS = 0.1 * rng.standard_t(5, size=25)
X, Y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)


def pymc() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("pymc", reason="PyMC is not installed")


def pymc_models() -> dict[str, Any]:
    pymc()
    import pytensor

    with pytensor.config.change_flags(cast_policy="numpy+floatX"):  # 50.0 would be a float32 otherwise, and so 1/50.0
        return _pymc_models()


def _pymc_models() -> dict[str, Any]:
    pm = pymc()
    import pytensor.tensor as pt

    with pm.Model(coords={"school": range(8)}) as schools:
        mu, tau = pm.Normal("mu", 0.0, 5.0), pm.HalfCauchy("tau", 5.0)
        theta = pm.Normal("theta", mu, tau, dims="school")
        pm.Normal("y", theta, SIGMA, observed=SCORES, dims="school")
    with pm.Model(coords={"counties": range(6)}) as radon:
        alpha = pm.Normal("alpha", pm.Normal("mu_alpha", 0.0, 5.0), pm.HalfCauchy("sigma_alpha", 5.0), dims="counties")
        level = pm.Deterministic("level", alpha[COUNTY] + pm.Normal("beta", 0.0, 1.0) * pm.Data("floor", FLOOR))
        pm.Normal("y", level, pm.Exponential("sigma", 1.0), observed=RADON)
    with pm.Model() as volatility:
        step = pm.Exponential("step", 50.0)
        s = pm.GaussianRandomWalk("s", sigma=step, init_dist=pm.Normal.dist(0.0, 1.0), shape=len(RETURNS))
        pm.StudentT("r", nu=pm.Exponential("nu", 0.1), mu=0.0, sigma=pm.math.exp(s), observed=RETURNS)
    with pm.Model() as autoregression:
        rho = pm.Normal("rho", 0.0, 0.5, shape=2)
        pm.AR("z", rho=rho, sigma=pm.HalfNormal("sigma", 1.0), init_dist=pm.Normal.dist(0.0, 2.0), shape=12)
    with pm.Model() as logistic:
        beta, intercept = pm.Normal("beta", 0.0, 1.0, shape=3), pm.Normal("intercept", 0.0, 10.0)
        pm.Bernoulli("y", logit_p=intercept + pm.Data("X", X) @ beta, observed=Y)
    with pm.Model() as families:
        a, b = pm.Gamma("a", 2.0, 3.0), pm.Beta("b", 2.0, 1.5)
        c, d = pm.InverseGamma("c", 3.0, a), pm.Weibull("d", 2.0, a)
        e, g = pm.LogNormal("ee", b, 0.3), pm.Uniform("g", -1.0, 2.0)
        h, q = pm.TruncatedNormal("h", 0.0, 1.0, lower=-1.0), pm.SkewNormal("q", mu=0.0, sigma=1.0, alpha=2.0)
        z = pm.Normal("lambda", pt.switch(pt.lt(h, 0.0), h, 2.0 * h), 1.0, shape=3)
        pm.Potential("penalty", -0.5 * pt.sum(pt.sqr(z[1:])))
        pm.Binomial("k", n=7, p=b, observed=3)
        pm.NegativeBinomial("m", mu=1.0 + a, alpha=2.0, observed=4)
        pm.Normal("y", c + d + e + g + q + z[0], 1.0 + a, observed=RADON)
    return {
        "schools": schools,
        "radon": radon,
        "volatility": volatility,
        "autoregression": autoregression,
        "logistic": logistic,
        "families": families,
    }


@pytest.mark.parametrize("name", ["schools", "radon", "volatility", "autoregression", "logistic", "families"])
@pytest.mark.filterwarnings("ignore")
def test_pymc(name: str) -> None:
    given, pm = pymc_models()[name], pymc()
    from pymc.model.transform.conditioning import remove_value_transforms

    model = sa.from_pymc(given)
    assert isinstance(model, sa.Model) and sa.parse(model.text) == model
    ours, plain = sa.log_density(model, model.data), remove_value_transforms(given)
    theirs = plain.compile_logp()
    for seed in range(3):
        draws = pm.draw(plain.free_RVs, random_seed=seed)
        free = {v.name: np.asarray(d) for v, d in zip(plain.free_RVs, draws, strict=True)}
        point = {n.replace("lambda", "lambda_"): v for n, v in free.items()}
        assert float(ours(point)) == pytest.approx(float(theirs(free)), rel=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_what_pymc_cannot_give_is_listed() -> None:
    pm = pymc()
    with pm.Model() as model:
        pm.ZeroSumNormal("k", sigma=1.0, shape=3)
        a = pm.Normal("a", 0.0, 1.0, shape=3)
        pm.Deterministic("s", pm.math.max(a))
    with pytest.raises(sa.NotTranslated) as caught:
        sa.from_pymc(model)
    assert set(caught.value.parts) == {"k", "s"}
