"""Bounded latents move to the real line, whole models and single laws; what is there already stays."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sympy as sp
from scipy import special, stats
from support.models import few_schools
from support.oracle import agrees, lognorm

import symaux as sa
from symaux.derivation.unconstrain import unconstrain
from symaux.errors import NoRuleApplies
from symaux.formulas.symbols.indices import arrays, plate
from symaux.formulas.symbols.support import REALS
from symaux.laws import families as f
from symaux.laws.law import flat
from symaux.laws.vector_laws import dirichlet, multivariate_normal
from symaux.proof.verify import verify
from symaux.rules.verdict import Status

mu, a, b = sp.symbols("mu a b", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, x, theta = sa.arrays("z y x theta")
j, t, n = sa.plate("j", 4), sa.plate("t", 5), sa.plate("n")
N = sa.normal


def test_unconstrain_moves_every_bounded_latent(rng: np.random.Generator) -> None:
    p, q, r = sp.Symbol("p", positive=True), sp.Symbol("q", real=True), sp.Symbol("r", negative=True)
    model = sa.Model.of(
        sa.gamma(tau, 2, 3),
        sa.beta(p, 2, 3),
        sa.uniform(q, -1, 4),
        sa.law(r, sp.exp(r), support=(-sp.oo, 0)),
        N(y[n], q + r, tau * p),
        observed=[y],
    )
    derivation = sa.unconstrain(model)
    assert set(derivation.after.latents) == {"log_tau", "logit_p", "logit_q", "log_r"}
    assert derivation.verify()
    ys = rng.normal(size=3)

    def oracle(at):
        scale, share = np.exp(at["log_tau"]), special.expit(at["logit_p"])
        where, below = -1 + 5 * special.expit(at["logit_q"]), -np.exp(at["log_r"])
        slope = special.log_expit(at["logit_q"]) + special.log_expit(-at["logit_q"]) + np.log(5)
        prior = stats.gamma.logpdf(scale, 2, scale=1 / 3) + at["log_tau"]
        prior += stats.beta.logpdf(share, 2, 3) + np.log(share * (1 - share))
        prior += -np.log(5) + slope + below + at["log_r"]
        return prior + lognorm(ys, where + below, scale * share)

    agrees(derivation.after, {"log_tau": 0.3, "logit_p": -0.4, "logit_q": 0.2, "log_r": -0.1}, {"y": ys}, oracle)
    made = sa.generate(derivation.after)({"log_tau": 0.3, "logit_p": -0.4, "logit_q": 0.2, "log_r": -0.1})
    assert float(made["p"]) == pytest.approx(special.expit(-0.4), rel=1e-14)
    assert set(made) == {"tau", "p", "q", "r"}


def test_bounds_may_have_parents(rng: np.random.Generator) -> None:
    top = sp.Symbol("top", positive=True)
    model = sa.Model.of(sa.exponential(top, 1), sa.uniform(z[n], -top, top), N(y[n], z[n], 1), observed=[y])
    derivation = sa.unconstrain(model)
    assert set(derivation.after.latents) == {"log_top", "logit_z"}
    assert derivation.verify()
    ys = rng.normal(size=3)

    def oracle(p):
        top_, slope = np.exp(p["log_top"]), special.expit(p["logit_z"])
        prior = -top_ + p["log_top"] + np.sum(np.log(slope * (1 - slope)))
        return prior + lognorm(ys, -top_ + 2 * top_ * slope)

    agrees(derivation.after, {"log_top": 0.4, "logit_z": rng.normal(size=3)}, {"y": ys}, oracle)


def test_unconstrained_coordinates_have_density_everywhere() -> None:
    after = sa.auxiliary(few_schools()).after
    logp = jax.jit(jax.value_and_grad(sa.log_density(after, {"y": np.zeros(4)})))
    for extreme in (-300.0, -30.0, 30.0, 300.0):
        value, slope = logp({"mu": 0.0, "log_tau": extreme, "eps_theta": jnp.zeros(4)})
        assert np.isfinite(value) and all(np.all(np.isfinite(g)) for g in slope.values())


Z, MU, A, B = sp.symbols("z mu a b", real=True)
X, S, K = sp.symbols("x s k", positive=True)
THETA, TAU, SIGMA = arrays("theta tau sigma")
J = plate("j", 8)

BOUNDED = {
    "half_cauchy": (f.half_cauchy(TAU[J], 5), sp.exp(arrays("log_tau")[J])),
    "log_normal": (f.log_normal(X, MU, S), sp.exp(sp.Symbol("log_x", real=True))),
    "gamma": (f.gamma(X, K, S), sp.exp(sp.Symbol("log_x", real=True))),
    "beta": (f.beta(X, K, S), 1 / (1 + sp.exp(-sp.Symbol("logit_x", real=True)))),
    "uniform": (f.uniform(Z, A, B), A + (B - A) / (1 + sp.exp(-sp.Symbol("logit_z", real=True)))),
    "pareto": (f.pareto(X, S, K), S + sp.exp(sp.Symbol("log_x", real=True))),
    "flat": (flat(X), sp.exp(sp.Symbol("log_x", real=True))),
    "flat below": (flat(Z, (-sp.oo, B)), B - sp.exp(sp.Symbol("log_z", real=True))),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_a_bounded_variable_moves_to_the_real_line(name: str) -> None:
    of, value = BOUNDED[name]
    step = unconstrain(of)
    assert step is not None and step.after.value == value
    (moved,) = step.after.noise
    assert moved.support == REALS and moved.proper is of.proper
    assert step.verdict.status is Status.PROVED, step.verdict
    assert verify(of, step.after, noise_is_normalised=True).status is Status.PROVED


def test_what_is_on_the_real_line_stays_there() -> None:
    i, j = plate("i", 4), plate("j", 4)
    covariance = sp.KroneckerDelta(i, j)
    assert unconstrain(f.normal(Z, 0, 1)) is None
    assert unconstrain(multivariate_normal(THETA[i], 0, covariance)) is None
    with pytest.raises(NoRuleApplies, match="simplex"):
        unconstrain(dirichlet(arrays("p", positive=True)[plate("o")], 2))
