"""Models as a statistician writes them, each with its log-density by scipy and numpy alone.

``tests/end_to_end/test_statistics_models.py`` takes them from text to auxiliary form, to code and to draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats
from scipy.special import gammaln, logsumexp

Values = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """A text, data, a point, and log p there by a reference that shares nothing with symaux."""

    text: str
    data: Values
    at: Values
    reference: Callable[[Any], float]


class Point(dict[str, Any]):
    """Data and latents by attribute, so that a reference reads like a formula."""

    __getattr__ = dict.__getitem__


def normal(x: Any, m: Any, s: Any) -> float:
    return float(np.sum(stats.norm.logpdf(x, m, s)))


def total(x: Any) -> float:
    return float(np.sum(x))


rng = np.random.default_rng(7)
g = np.array([0, 1, 2, 1, 0, 2])
h = np.array([1, 0, 1, 1, 0, 1])
x6 = rng.normal(size=6)
y6 = rng.normal(size=6)
c6 = np.array([0, 3, 1, 0, 2, 5])
b6 = np.array([1, 0, 1, 1, 0, 1])

EXAMPLES: dict[str, Example] = {
    "hierarchical regression": Example(
        """
        plate n
        plate j[3]
        data g[n]
        data x[n]
        mu_a ~ normal(0, 5)
        sd_a ~ half_normal(1)
        a[j] ~ normal(mu_a, sd_a)
        b ~ normal(0, 1)
        sigma ~ exponential(1)
        observe y[n] ~ normal(a[g[n]] + b*x[n], sigma)
        """,
        {"g": g, "x": x6, "y": y6},
        {"mu_a": 0.3, "sd_a": 0.7, "a": np.array([0.1, -0.4, 1.2]), "b": 0.5, "sigma": 0.9},
        lambda p: normal(p.mu_a, 0, 5) + stats.halfnorm.logpdf(p.sd_a, 0, 1) + normal(p.a, p.mu_a, p.sd_a)
        + normal(p.b, 0, 1) + stats.expon.logpdf(p.sigma) + normal(p.y, p.a[p.g] + p.b * p.x, p.sigma),
    ),
    "varying slopes with LKJ": Example(
        """
        plate n
        plate j[3]
        plate i[2]
        plate k[2]
        data g[n]
        data x[n]
        L[i, k] ~ lkj_cholesky(2)
        tau[i] ~ half_normal(1)
        z[j, k] ~ normal(0, 1)
        u[j, i] = tau[i]*sum(k, L[i, k]*z[j, k])
        observe y[n] ~ normal(u[g[n], 0] + u[g[n], 1]*x[n], 1)
        """,
        {"g": g, "x": x6, "y": y6},
        {"L": np.array([[1.0, 0.0], [0.6, 0.8]]), "tau": np.array([0.5, 1.5]), "z": rng.normal(size=(3, 2))},
        lambda p: float(np.log(0.75) + (2 - 2 + 2 * 2 - 2) * np.log(0.8)) + total(stats.halfnorm.logpdf(p.tau))
        + normal(p.z, 0, 1)
        + normal(p.y, *((lambda u: (u[p.g, 0] + u[p.g, 1] * p.x, 1))(p.tau * (p.z @ p.L.T)))),
    ),
    "item response, two parameters": Example(
        """
        plate i[3]
        plate s[2]
        theta[s] ~ normal(0, 1)
        a[i] ~ log_normal(0, 0.5)
        b[i] ~ normal(0, 2)
        observe y[s, i] ~ bernoulli(sigmoid(a[i]*(theta[s] - b[i])))
        """,
        {"y": np.array([[1, 0, 1], [0, 0, 1]])},
        {"theta": np.array([0.3, -1.0]), "a": np.array([0.8, 1.3, 0.5]), "b": np.array([0.1, 1.0, -0.7])},
        lambda p: normal(p.theta, 0, 1) + total(stats.lognorm.logpdf(p.a, 0.5)) + normal(p.b, 0, 2)
        + total(stats.bernoulli.logpmf(p.y, special.expit(p.a * (p.theta[:, None] - p.b)))),
    ),
    "autoregression of order two": Example(
        """
        plate t[6]
        phi1 ~ uniform(-1, 1)
        phi2 ~ uniform(-1, 1)
        s ~ exponential(1)
        observe y[0] ~ normal(0, 1)
        observe y[1] ~ normal(0, 1)
        observe y[t] ~ normal(phi1*y[t-1] + phi2*y[t-2], s)
        """,
        {"y": y6},
        {"phi1": 0.4, "phi2": -0.3, "s": 0.8},
        lambda p: 2 * np.log(0.5) + stats.expon.logpdf(p.s) + normal(p.y[:2], 0, 1)
        + normal(p.y[2:], p.phi1 * p.y[1:-1] + p.phi2 * p.y[:-2], p.s),
    ),
    "stochastic volatility": Example(
        """
        plate t[6]
        phi ~ beta(20, 1.5)
        sigma ~ half_cauchy(1)
        mu ~ normal(0, 1)
        h[0] ~ normal(mu, sigma/sqrt(1 - phi^2))
        h[t] ~ normal(mu + phi*(h[t-1] - mu), sigma)
        observe y[t] ~ normal(0, exp(h[t]/2))
        """,
        {"y": y6},
        {"phi": 0.9, "sigma": 0.4, "mu": -0.2, "h": x6},
        lambda p: stats.beta.logpdf(p.phi, 20, 1.5) + stats.halfcauchy.logpdf(p.sigma) + normal(p.mu, 0, 1)
        + normal(p.h[0], p.mu, p.sigma / np.sqrt(1 - p.phi**2))
        + normal(p.h[1:], p.mu + p.phi * (p.h[:-1] - p.mu), p.sigma) + normal(p.y, 0, np.exp(p.h / 2)),
    ),
    "a local linear trend": Example(
        """
        plate t[6]
        q ~ half_normal(1)
        slope[0] ~ normal(0, 1)
        slope[t] ~ normal(slope[t-1], 0.1)
        level[0] ~ normal(0, 10)
        level[t] ~ normal(level[t-1] + slope[t-1], q)
        observe y[t] ~ student_t(4, level[t], 0.5)
        """,
        {"y": y6},
        {"q": 0.6, "slope": 0.1 * x6, "level": x6[::-1].copy()},
        lambda p: stats.halfnorm.logpdf(p.q) + normal(p.slope[0], 0, 1) + normal(p.slope[1:], p.slope[:-1], 0.1)
        + normal(p.level[0], 0, 10) + normal(p.level[1:], p.level[:-1] + p.slope[:-1], p.q)
        + total(stats.t.logpdf(p.y, 4, p.level, 0.5)),
    ),
    "survival with censoring and a density of one's own": Example(
        """
        plate n
        plate m
        data x[n]
        data w[m]
        data c[m] > 0
        law Weib(t | k > 0, b > 0) on (0, oo) = k/b*(t/b)^(k-1)*exp(-(t/b)^k)
        k ~ gamma(2, 1)
        beta0 ~ normal(0, 1)
        beta1 ~ normal(0, 1)
        observe t[n] ~ Weib(k, exp(beta0 + beta1*x[n]))
        factor -(c[m]/exp(beta0 + beta1*w[m]))^k
        """,
        {"x": x6, "t": np.abs(y6) + 0.1, "w": x6[:2], "c": np.array([0.5, 2.0])},
        {"k": 1.4, "beta0": 0.2, "beta1": -0.3},
        lambda p: stats.gamma.logpdf(p.k, 2) + normal([p.beta0, p.beta1], 0, 1)
        + total(stats.weibull_min.logpdf(p.t, p.k, scale=np.exp(p.beta0 + p.beta1 * p.x)))
        + total(stats.weibull_min.logsf(p.c, p.k, scale=np.exp(p.beta0 + p.beta1 * p.w))),
    ),
    "ordinal regression by where": Example(
        """
        plate n
        data x[n]
        data y[n] integer
        b ~ normal(0, 1)
        c1 ~ normal(0, 2)
        gap ~ exponential(1)
        factor log(where(y[n] < 1, sigmoid(c1 - b*x[n]),
                         y[n] < 2, sigmoid(c1 + gap - b*x[n]) - sigmoid(c1 - b*x[n]),
                         1 - sigmoid(c1 + gap - b*x[n])))
        """,
        {"x": x6, "y": np.array([0, 1, 2, 2, 1, 0])},
        {"b": 0.7, "c1": -0.5, "gap": 1.1},
        lambda p: normal(p.b, 0, 1) + normal(p.c1, 0, 2) + stats.expon.logpdf(p.gap)
        + total(np.log(np.diff(np.stack([np.zeros(6), special.expit(p.c1 - p.b * p.x),
                                         special.expit(p.c1 + p.gap - p.b * p.x), np.ones(6)]), axis=0)[p.y, range(6)])),
    ),
    "a Gaussian process": Example(
        """
        plate i
        plate j
        data x[i]
        rho ~ inverse_gamma(3, 2)
        alpha ~ half_normal(1)
        f[i] ~ multivariate_normal(0, alpha^2*exp(-(x[i] - x[j])^2/(2*rho^2)) + 0.01*kronecker(i, j))
        observe y[i] ~ normal(f[i], 0.3)
        """,
        {"x": x6, "y": y6},
        {"rho": 0.8, "alpha": 1.1, "f": 0.5 * y6},
        lambda p: stats.invgamma.logpdf(p.rho, 3, scale=2) + stats.halfnorm.logpdf(p.alpha)
        + stats.multivariate_normal.logpdf(
            p.f, np.zeros(6), p.alpha**2 * np.exp(-np.subtract.outer(p.x, p.x) ** 2 / (2 * p.rho**2)) + 0.01 * np.eye(6))
        + normal(p.y, p.f, 0.3),
    ),
    "a mixture of normals": Example(
        """
        plate n
        plate k[3]
        w[k] ~ dirichlet(2)
        m[k] ~ normal(0, 3)
        s[k] ~ half_normal(1)
        observe y[n] ~ mixture(w[k], normal(m[k], s[k]))
        """,
        {"y": y6},
        {"w": np.array([0.2, 0.5, 0.3]), "m": np.array([-1.0, 0.2, 2.0]), "s": np.array([0.5, 1.0, 0.7])},
        lambda p: stats.dirichlet.logpdf(p.w, [2, 2, 2]) + normal(p.m, 0, 3) + total(stats.halfnorm.logpdf(p.s))
        + total(logsumexp(np.log(p.w) + stats.norm.logpdf(p.y[:, None], p.m, p.s), axis=1)),
    ),
    "a mixture of two with a weight": Example(
        """
        plate n
        w ~ beta(2, 2)
        m ~ normal(0, 1)
        observe y[n] ~ mixture(w, normal(m, 1), 1 - w, student_t(3, 0, 2))
        """,
        {"y": y6},
        {"w": 0.35, "m": 0.4},
        lambda p: stats.beta.logpdf(p.w, 2, 2) + normal(p.m, 0, 1)
        + total(np.log(p.w * stats.norm.pdf(p.y, p.m) + (1 - p.w) * stats.t.pdf(p.y, 3, 0, 2))),
    ),
    "Dirichlet and categories": Example(
        """
        plate d[2]
        plate k[3]
        plate n
        data doc[n]
        p[d, k] ~ dirichlet(0.8)
        observe w[n] ~ categorical(p[doc[n], k])
        """,
        {"doc": np.array([0, 1, 1, 0, 1, 0]), "w": g},
        {"p": np.array([[0.2, 0.5, 0.3], [0.6, 0.1, 0.3]])},
        lambda p: sum(stats.dirichlet.logpdf(row, [0.8] * 3) for row in p.p) + total(np.log(p.p[p.doc, p.w])),
    ),
    "Dirichlet-multinomial by factor": Example(
        """
        plate d[2]
        plate k[3]
        data c[d, k] >= 0 integer
        a ~ gamma(2, 1)
        factor lgamma(3*a) - lgamma(3*a + sum(k, c[d, k])) + sum(k, lgamma(a + c[d, k]) - lgamma(a))
        """,
        {"c": np.array([[1, 4, 0], [2, 2, 3]])},
        {"a": 0.7},
        lambda p: stats.gamma.logpdf(p.a, 2) + sum(
            stats.dirichlet_multinomial.logpmf(row, [p.a] * 3, row.sum())
            - gammaln(row.sum() + 1) + total(gammaln(row + 1)) for row in p.c),
    ),
    "matrix factorisation": Example(
        """
        plate u[2]
        plate v[3]
        plate k[2]
        U[u, k] ~ normal(0, 1)
        V[v, k] ~ normal(0, 1)
        s ~ inverse_gamma(2, 1)
        observe R[u, v] ~ normal(sum(k, U[u, k]*V[v, k]), sqrt(s))
        """,
        {"R": y6.reshape(2, 3)},
        {"U": x6[:4].reshape(2, 2), "V": y6[::-1].reshape(3, 2), "s": 0.6},
        lambda p: normal(p.U, 0, 1) + normal(p.V, 0, 1) + stats.invgamma.logpdf(p.s, 2)
        + normal(p.R, p.U @ p.V.T, np.sqrt(p.s)),
    ),
    "capture and recapture": Example(
        """
        plate t[4]
        param N > 0 integer
        mu ~ normal(0, 1.5)
        sd ~ half_normal(1)
        l[t] ~ normal(mu, sd)
        observe c[t] ~ binomial(N, sigmoid(l[t]))
        """,
        {"N": 40, "c": np.array([12, 7, 30, 19])},
        {"mu": -0.3, "sd": 0.8, "l": np.array([-1.0, -1.4, 0.9, 0.0])},
        lambda p: normal(p.mu, 0, 1.5) + stats.halfnorm.logpdf(p.sd) + normal(p.l, p.mu, p.sd)
        + total(stats.binom.logpmf(p.c, p.N, special.expit(p.l))),
    ),
    "dose and response": Example(
        """
        plate i
        data dose[i] > 0
        data n[i] > 0 integer
        ed50 ~ log_normal(0, 1)
        hill ~ gamma(2, 1)
        top ~ beta(5, 2)
        observe y[i] ~ binomial(n[i], top/(1 + (dose[i]/ed50)^(-hill)))
        """,
        {"dose": np.array([0.1, 0.5, 1.0, 5.0]), "n": np.array([10, 10, 12, 9]), "y": np.array([0, 3, 6, 8])},
        {"ed50": 0.9, "hill": 1.3, "top": 0.92},
        lambda p: stats.lognorm.logpdf(p.ed50, 1) + stats.gamma.logpdf(p.hill, 2) + stats.beta.logpdf(p.top, 5, 2)
        + total(stats.binom.logpmf(p.y, p.n, p.top / (1 + (p.dose / p.ed50) ** -p.hill))),
    ),
    "a conditional autoregression by factor": Example(
        """
        plate i[4]
        plate m
        data a[m]
        data b[m]
        tau ~ gamma(2, 2)
        phi[i] ~ flat
        factor -tau/2*(phi[a[m]] - phi[b[m]])^2
        factor 1.5*log(tau) - sum(i, phi[i])^2/0.02
        observe y[i] ~ poisson(exp(phi[i]))
        """,
        {"a": np.array([0, 1, 2]), "b": np.array([1, 2, 3]), "y": np.array([0, 2, 1, 4])},
        {"tau": 1.3, "phi": np.array([-0.2, 0.1, 0.3, 0.5])},
        lambda p: stats.gamma.logpdf(p.tau, 2, scale=0.5) - p.tau / 2 * total((p.phi[p.a] - p.phi[p.b]) ** 2)
        + 1.5 * np.log(p.tau) - p.phi.sum() ** 2 / 0.02 + total(stats.poisson.logpmf(p.y, np.exp(p.phi))),
    ),
    "a random walk with two lags": Example(
        """
        plate t[6]
        s ~ 12*sqrt(3)/(pi*(3 + s^2)^2) on (0, oo)
        f[0] ~ normal(0, 1)
        f[1] ~ normal(0, 1)
        f[t] ~ normal(2*f[t-1] - f[t-2], s)
        observe y[t] ~ normal(f[t], 1)
        """,
        {"y": y6},
        {"s": 0.7, "f": x6},
        lambda p: np.log(2) + stats.t.logpdf(p.s, 3) + normal(p.f[:2], 0, 1)
        + normal(p.f[2:], 2 * p.f[1:-1] - p.f[:-2], p.s) + normal(p.y, p.f, 1),
    ),
    "a Poisson law with extra zeros": Example(
        """
        plate n
        data x[n]
        q ~ beta(1, 1)
        b ~ normal(0, 1)
        observe y[n] ~ where(y[n] < 1, q + (1 - q)*exp(-exp(b*x[n])),
            (1 - q)*exp(b*x[n]*y[n] - exp(b*x[n]))/gamma(y[n] + 1)) on {0, ..., oo}
        """,
        {"x": x6, "y": c6},
        {"q": 0.25, "b": 0.4},
        lambda p: normal(p.b, 0, 1) + total(np.log(
            p.q * (p.y == 0) + (1 - p.q) * stats.poisson.pmf(p.y, np.exp(p.b * p.x)))),
    ),
    "a hurdle": Example(
        """
        plate n
        q ~ beta(2, 2)
        rate ~ gamma(2, 1)
        observe y[n] ~ where(y[n] < 1, q, (1 - q)*rate^y[n]*exp(-rate)/(gamma(y[n] + 1)*(1 - exp(-rate)))) on {0, ..., oo}
        """,
        {"y": c6},
        {"q": 0.4, "rate": 1.7},
        lambda p: stats.beta.logpdf(p.q, 2, 2) + stats.gamma.logpdf(p.rate, 2) + total(np.where(
            p.y == 0, np.log(p.q), np.log1p(-p.q) + stats.poisson.logpmf(p.y, p.rate) - np.log1p(-np.exp(-p.rate)))),
    ),
}  # fmt: skip
