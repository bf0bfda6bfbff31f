"""Models that the whole-model checks are tried on."""

from __future__ import annotations

import sympy as sp

import symaux as sa

mu, a = sp.symbols("mu a", real=True)
tau = sp.Symbol("tau", positive=True)
z, y, x, theta, W = sa.arrays("z y x theta W")
county = sa.arrays("county", integer=True)
i, j, k, t, n = sa.plate("i", 3), sa.plate("j", 4), sa.plate("k", 3), sa.plate("t", 6), sa.plate("n")
N = sa.normal

MODELS = {
    "hierarchy": sa.Model.of(
        N(mu, 0, 5), sa.half_cauchy(tau, 5), N(theta[j], mu, tau), N(y[n], theta[county[n]], 1), observed=[y]
    ),
    "chain": sa.Model.of(
        N(z[0, i], 0, 1),
        N(z[t, i], sp.tanh(sp.Sum(W[i, k] * z[t - 1, k], k)), tau),
        N(y[t, i], z[t, i], 1),
        observed=[y],
    ),
    "counts": sa.Model.of(N(mu, 0, 1), sa.gamma(tau, 2, 1), N(a, mu, tau), sa.poisson(y[n], sp.exp(a)), observed=[y]),
    "observed parents": sa.Model.of(
        N(mu, 0, 1),
        N(x[n], mu, 1),
        N(z[n], x[n] * mu, 1),
        sa.deterministic(theta[n], z[n] * x[n]),
        N(y[n], theta[n], 1),
        observed=[x, y],
    ),
    "supports": sa.Model.of(sa.exponential(tau, 1), sa.uniform(z[i], 0, tau), N(y[i], z[i], 1), observed=[y]),
}
