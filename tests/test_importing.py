"""Models of NumPyro, PyMC and sympy.stats: the same log-density as the library's own, and a list of what is missing.

NumPyro is among the packages for development; PyMC is large, and where it is not installed its tests are skipped.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
import sympy.stats as ss

import symaux as sa

rng = np.random.default_rng(5)
SIGMA, SCORES = rng.uniform(5, 15, 8), rng.normal(5, 10, 8)
COUNTY, FLOOR, RADON = rng.integers(0, 6, 30), rng.integers(0, 2, 30).astype(float), rng.normal(1, 1, 30)
RETURNS = 0.1 * rng.standard_t(5, size=25)
X, Y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)


def numpyro_models() -> dict[str, tuple[Callable[..., None], tuple[Any, ...]]]:
    numpyro = pytest.importorskip("numpyro", reason="NumPyro is not installed")
    import numpyro.distributions as dist
    from numpyro.contrib.control_flow import scan

    def schools(count: int, sigma: Any, y: Any) -> None:
        mu = numpyro.sample("mu", dist.Normal(0, 5))
        tau = numpyro.sample("tau", dist.HalfCauchy(5))
        with numpyro.plate("school", count):
            theta = numpyro.sample("theta", dist.Normal(mu, tau))
            numpyro.sample("y", dist.Normal(theta, sigma), obs=y)

    def radon(county: Any, floor: Any, y: Any, counties: int) -> None:
        mu = numpyro.sample("mu_alpha", dist.Normal(0.0, 5.0))
        spread = numpyro.sample("sigma_alpha", dist.HalfCauchy(5.0))
        beta = numpyro.sample("beta", dist.Normal(0, 1))
        with numpyro.plate("counties", counties):
            alpha = numpyro.sample("alpha", dist.Normal(mu, spread))
        level = numpyro.deterministic("level", alpha[county] + beta * floor)
        noise = numpyro.sample("sigma", dist.Exponential(1.0))
        with numpyro.plate("houses", len(county)):
            numpyro.sample("y", dist.Normal(level, noise), obs=y)

    def volatility(returns: Any) -> None:
        step = numpyro.sample("step", dist.Exponential(50.0))
        s = numpyro.sample("s", dist.GaussianRandomWalk(scale=step, num_steps=len(returns)))
        nu = numpyro.sample("nu", dist.Exponential(0.1))
        numpyro.sample("r", dist.StudentT(df=nu, loc=0.0, scale=jnp.exp(s)), obs=returns)

    def logistic(X: Any, y: Any) -> None:
        beta = numpyro.sample("beta", dist.Normal(0, 1).expand([X.shape[1]]).to_event(1))
        intercept = numpyro.sample("intercept", dist.Normal(0, 10))
        numpyro.sample("y", dist.Bernoulli(logits=intercept + X @ beta), obs=y)

    def network(X: Any, y: Any) -> None:
        with numpyro.plate("hidden", 4), numpyro.plate("inputs", X.shape[1]):
            w = numpyro.sample("w", dist.StudentT(4.0, 0, 1))
        v = numpyro.sample("lambda", dist.Laplace(0, 1).expand([4]))
        out = (
            jnp.tanh(X @ w) @ (jnp.exp(v) / jnp.sum(jnp.exp(v)))
            - jnp.sum(v[1:] * v[:-1])
            + jnp.where(v[0] < 0, v[0], 2 * v[0])
        )
        numpyro.factor("penalty", -0.5 * jnp.sum(w**2))
        numpyro.sample("y", dist.Poisson(jnp.exp(out / 10)), obs=y)

    def families(y: Any) -> None:
        a = numpyro.sample("a", dist.Gamma(2.0, 3.0))
        b = numpyro.sample("b", dist.Beta(2.0, a))
        c = numpyro.sample("c", dist.InverseGamma(3.0, a))
        d = numpyro.sample("d", dist.Weibull(scale=a, concentration=2.0))
        e = numpyro.sample("ee", dist.LogNormal(b, 0.3))
        g = numpyro.sample("g", dist.Uniform(-1.0, 2.0))
        p = numpyro.sample("p", dist.Dirichlet(jnp.array([1.0, 2.0, 3.0])))
        z = numpyro.sample("z", dist.MultivariateNormal(jnp.zeros(2), jnp.array([[2.0, 0.5], [0.5, 1.0]])))
        numpyro.sample("k", dist.Binomial(7, probs=b), obs=3)
        numpyro.sample("m", dist.NegativeBinomial2(1 + a, 2.0), obs=4)
        numpyro.sample("y", dist.Normal(c + d + e + g + z[0] * p[2], 1 + a), obs=y)

    def choices(X: Any, y: Any, logits: bool) -> None:
        beta = numpyro.sample("beta", dist.Normal(0, 1).expand([X.shape[1], 4]).to_event(2))
        shift = numpyro.sample("shift", dist.Normal(0, 1).expand([4]))
        eta = X @ beta + shift
        numpyro.factor("penalty", -jax.scipy.special.logsumexp(shift))
        law = dist.Categorical(logits=eta) if logits else dist.Categorical(probs=jax.nn.softmax(eta))
        numpyro.sample("y", law, obs=y)

    def states(y: Any) -> None:
        phi, sigma = numpyro.sample("phi", dist.Uniform(-1, 1)), numpyro.sample("sigma", dist.HalfNormal(1.0))

        def step(before: Any, seen: Any) -> Any:
            z = numpyro.sample("z", dist.Normal(phi * jnp.tanh(before), sigma))
            numpyro.sample("y", dist.StudentT(4.0, 0.0, jnp.exp(z / 2)), obs=seen)
            return z, None

        scan(step, numpyro.sample("start", dist.Normal(0, 2)), y)

    def second_order(y: Any) -> None:
        a, b = numpyro.sample("a", dist.Normal(0, 0.5)), numpyro.sample("b", dist.Normal(0, 0.5))

        def step(carry: Any, seen: Any) -> Any:
            one, two = carry
            m = numpyro.deterministic("m", a * one + b * two)
            z = numpyro.sample("z", dist.Normal(m, 1.0))
            numpyro.sample("y", dist.Normal(z, 0.3), obs=seen)
            return (z, one), None

        scan(step, (jnp.zeros(2), jnp.ones(2)), y)

    def bare(y: Any) -> None:
        a = numpyro.sample("a", dist.Normal(0, 0.5))

        def step(level: Any, seen: Any) -> Any:
            numpyro.sample("y", dist.Normal(level, 0.3), obs=seen)
            return a * level + 0.1 * seen, None

        scan(step, 1.0, y)

    return {
        "states": (states, (RETURNS,)),
        "second order": (second_order, (np.stack([RETURNS, RETURNS**2], 1),)),
        "a loop without a variable": (bare, (RETURNS,)),
        "schools": (schools, (8, SIGMA, SCORES)),
        "radon": (radon, (COUNTY, FLOOR, RADON, 6)),
        "choices by logits": (choices, (X, Y, True)),
        "choices by softmax": (choices, (X, Y, False)),
        "volatility": (volatility, (RETURNS,)),
        "logistic": (logistic, (X, Y)),
        "network": (network, (X, Y)),
        "families": (families, (rng.normal(size=9),)),
    }


@pytest.mark.parametrize(
    "name",
    [
        *("schools", "radon", "volatility", "logistic", "network", "families"),
        *("choices by logits", "choices by softmax", "states", "second order"),
    ],
)
def test_numpyro(name: str) -> None:
    function, arguments = numpyro_models()[name]
    from numpyro import handlers
    from numpyro.infer.util import log_density

    model = sa.from_numpyro(function, *arguments)
    assert isinstance(model, sa.Model) and sa.parse(model.text) == model
    ours = sa.log_density(model, model.data)
    for seed in range(3):
        with jax.numpy_dtype_promotion("standard"):
            trace = handlers.trace(handlers.seed(function, seed)).get_trace(*arguments)
        free = {n: s["value"] for n, s in trace.items() if s["type"] == "sample" and not s["is_observed"]}
        with jax.numpy_dtype_promotion("standard"):
            wanted = float(log_density(function, arguments, {}, free)[0])
        assert float(ours({n.replace("lambda", "lambda_"): v for n, v in free.items()})) == pytest.approx(
            wanted, rel=1e-9
        )


def test_a_loop_whose_values_are_no_variables_is_listed() -> None:
    function, arguments = numpyro_models()["a loop without a variable"]
    with pytest.raises(sa.NotTranslated, match="a loop over time"):
        sa.from_numpyro(function, *arguments)


def test_names_of_numpyro_are_kept() -> None:
    function, arguments = numpyro_models()["radon"]
    model = sa.from_numpyro(function, *arguments)
    assert {"alpha", "level", "county", "floor"} <= {*model.nodes, *model.inputs}
    assert "alpha[counties] ~ normal(mu_alpha, sigma_alpha)" in model.text
    assert sa.auxiliary(model).verify().status is sa.Status.PROVED


def test_what_numpyro_cannot_give_is_listed() -> None:
    numpyro = pytest.importorskip("numpyro", reason="NumPyro is not installed")
    import numpyro.distributions as dist

    def model() -> None:
        order = dist.transforms.OrderedTransform()
        a = numpyro.sample("a", dist.TransformedDistribution(dist.Normal(0, 1).expand([3]), order))
        numpyro.sample("b", dist.CAR(0.0, 0.5, 1.0, jnp.asarray([[0.0, 1.0], [1.0, 0.0]])))
        numpyro.sample("c", dist.Normal(a[0], 1.0))

    with pytest.raises(sa.NotTranslated) as caught:
        sa.from_numpyro(model)
    assert caught.value.code == "import" and {"a", "b"} == set(caught.value.parts)
    with pytest.raises(sa.NotTranslated, match="it cannot be run"):
        sa.from_numpyro(lambda: 1 / 0)
    with pytest.raises(sa.NotTranslated, match="a discrete variable must be observed"):
        sa.from_numpyro(lambda: numpyro.sample("k", dist.Poisson(3.0)))
    with pytest.raises(sa.NotTranslated, match="the operation reduce_max"):  # it does not cancel
        sa.from_numpyro(lambda: numpyro.deterministic("s", jnp.max(numpyro.sample("z", dist.Normal(0, 1).expand([3])))))
    with pytest.raises(sa.NotTranslated, match="the operation sort"):
        sa.from_numpyro(
            lambda: numpyro.deterministic("s", jnp.sort(numpyro.sample("z", dist.Normal(0, 1).expand([3]))))
        )


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


def test_without_the_libraries_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pymc", None)
    monkeypatch.setitem(sys.modules, "numpyro", None)
    with pytest.raises(sa.NotTranslated, match="pip install pymc"):
        sa.from_pymc(None)
    with pytest.raises(sa.NotTranslated, match="pip install numpyro"):
        sa.from_numpyro(lambda: None)


def test_sympy_stats() -> None:
    mu, tau = ss.Normal("mu", 0, 5), ss.Exponential("tau", 1)
    x, k, rate = ss.Normal("x", mu, tau), ss.Poisson("k", tau), ss.Beta("rate", 2, 3)
    wins, growth = ss.Binomial("wins", 5, rate), ss.Gompertz("growth", 1, tau)
    model = sa.from_sympy_stats(x, growth, observed=[k, wins])
    assert model.text.splitlines()[:4] == [
        "mu ~ normal(0, 5)", "tau ~ exponential(1)", "x ~ normal(mu, tau)",
        "growth ~ exp(growth - tau*exp(growth) + tau + log(tau)) on (0, oo)",
    ]  # fmt: skip
    assert model.observed == {"k", "wins"} and sa.parse(model.text) == model
    at = {"mu": 0.3, "tau": 1.7, "x": -0.4, "rate": 0.6, "growth": 0.8}
    theirs = sum(
        sp.log(density)
        for density in (
            ss.density(mu)(sp.Rational(3, 10)),
            ss.density(tau)(sp.Rational(17, 10)),
            ss.density(ss.Normal("u", 0.3, 1.7))(sp.Rational(-2, 5)),
            ss.density(rate)(sp.Rational(3, 5)),
            ss.density(ss.Gompertz("u", 1, 1.7))(sp.Rational(4, 5)),
            ss.density(ss.Poisson("u", 1.7))(2),
            ss.density(ss.Binomial("u", 5, sp.Rational(3, 5))).dict[3],
        )
    )
    assert float(sa.log_density(model, {"k": 2, "wins": 3})(at)) == pytest.approx(float(theirs), rel=1e-12)


def test_what_sympy_stats_cannot_give_is_listed() -> None:
    x = ss.Normal("x", 0, 1)
    with pytest.raises(sa.NotTranslated) as caught:
        sa.from_sympy_stats(x + 1, ss.Binomial("b", 5, sp.Rational(1, 2), succ=2, fail=1), observed=[3])
    assert set(caught.value.parts) == {"x + 1", "b", "3"}
