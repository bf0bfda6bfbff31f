"""Models of NumPyro, PyMC and sympy.stats: the same log-density as the library's own, and a list of what is missing.

NumPyro is among the packages for development; PyMC is large, and where it is not installed its tests are skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

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


@pytest.mark.sweep(4)
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


def test_a_loop_whose_values_are_not_variables_is_listed() -> None:
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


def test_without_the_libraries_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pymc", None)
    monkeypatch.setitem(sys.modules, "numpyro", None)
    with pytest.raises(sa.NotTranslated, match="pip install pymc"):
        sa.from_pymc(None)
    with pytest.raises(sa.NotTranslated, match="pip install numpyro"):
        sa.from_numpyro(lambda: None)


MASK = np.array([True, False, True, True])
MISSING = ("in a plate", "expanded", "read by another site", "discrete", "vectors")


def with_missing_values(kind: str) -> None:
    import numpyro
    import numpyro.distributions as dist

    y = np.array([1.0, 2.0, 3.0, 4.0])
    mu = numpyro.sample("mu", dist.Normal(0, 1))
    match kind:
        case "in a plate":
            with numpyro.plate("n", 4):
                numpyro.sample("y", dist.Normal(mu, 1), obs=y, obs_mask=MASK)
        case "expanded":
            numpyro.sample("y", dist.Normal(mu, 1).expand([4]), obs=y, obs_mask=MASK)
        case "read by another site":
            z = numpyro.sample("z", dist.Normal(mu, 1).expand([4]), obs=y, obs_mask=MASK)
            numpyro.sample("x", dist.Normal(z.sum(), 1), obs=1.0)
        case "discrete":
            numpyro.sample("y", dist.Poisson(1 + mu**2).expand([4]), obs=y, obs_mask=MASK)
        case "vectors":
            law = dist.MultivariateNormal(mu * np.ones(2), np.eye(2)).expand([4])
            numpyro.sample("y", law, obs=np.ones((4, 2)), obs_mask=MASK)


@pytest.mark.parametrize("kind", MISSING)
def test_missing_values_by_obs_mask_are_refused_by_name(kind: str) -> None:
    pytest.importorskip("numpyro", reason="NumPyro is not installed")
    with pytest.raises(sa.NotTranslated, match="unobserved"):
        sa.from_numpyro(with_missing_values, kind)
