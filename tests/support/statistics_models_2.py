"""More models as a statistician writes them, with references by scipy and numpy; see ``statistics_models``."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from support.statistics_models import Example, Point, b6, c6, g, h, normal, total, x6, y6

up = np.sort(np.abs(x6)) + 0.2
EXAMPLES: dict[str, Example] = {
    "a truncated normal by its density": Example(
        """
        plate n
        mu ~ normal(0, 1)
        s ~ exponential(1)
        observe y[n] ~ exp(-(y[n] - mu)^2/(2*s^2))/(s*sqrt(2*pi)*(1 - Phi(-mu/s))) on (0, oo)
        """,
        {"y": up},
        {"mu": 0.4, "s": 0.9},
        lambda p: normal(p.mu, 0, 1) + stats.expon.logpdf(p.s)
        + total(stats.truncnorm.logpdf(p.y, -p.mu / p.s, np.inf, p.mu, p.s)),
    ),
    "measurement error": Example(
        """
        plate n
        data tau > 0
        m ~ normal(0, 5)
        d ~ half_normal(1)
        x[n] ~ normal(m, d)
        a ~ normal(0, 1)
        b ~ normal(0, 1)
        s ~ half_normal(1)
        observe w[n] ~ normal(x[n], tau)
        observe y[n] ~ normal(a + b*x[n], s)
        """,
        {"tau": 0.3, "w": x6, "y": y6},
        {"m": 0.1, "d": 0.8, "x": x6 + 0.1, "a": 0.2, "b": -0.6, "s": 0.7},
        lambda p: normal(p.m, 0, 5) + total(stats.halfnorm.logpdf([p.d, p.s])) + normal(p.x, p.m, p.d)
        + normal([p.a, p.b], 0, 1) + normal(p.w, p.x, p.tau) + normal(p.y, p.a + p.b * p.x, p.s),
    ),
    "missing data": Example(
        """
        plate n
        plate m[2]
        data x[n]
        data xm[m]
        b ~ normal(0, 1)
        s ~ inverse_gamma(2, 1)
        ymis[m] ~ normal(b*xm[m], s)
        observe y[n] ~ normal(b*x[n], s)
        """,
        {"x": x6, "xm": x6[:2], "y": y6},
        {"b": 0.4, "s": 0.9, "ymis": y6[2:4]},
        lambda p: normal(p.b, 0, 1) + stats.invgamma.logpdf(p.s, 2) + normal(p.ymis, p.b * p.xm, p.s)
        + normal(p.y, p.b * p.x, p.s),
    ),
    "crossed random effects": Example(
        """
        plate n
        plate i[3]
        plate j[2]
        data g[n]
        data h[n]
        s ~ half_cauchy(1)
        t ~ half_cauchy(1)
        u[i] ~ normal(0, s)
        v[j] ~ normal(0, t)
        mu ~ flat
        observe y[n] ~ poisson(exp(mu + u[g[n]] + v[h[n]]))
        """,
        {"g": g, "h": h, "y": c6},
        {"s": 0.5, "t": 1.2, "u": x6[:3], "v": x6[3:5], "mu": 0.2},
        lambda p: total(stats.halfcauchy.logpdf([p.s, p.t])) + normal(p.u, 0, p.s) + normal(p.v, 0, p.t)
        + total(stats.poisson.logpmf(p.y, np.exp(p.mu + p.u[p.g] + p.v[p.h]))),
    ),
    "nested groups": Example(
        """
        plate k[2]
        plate j[3]
        plate n
        data school[n]
        data state[j]
        m[k] ~ normal(0, 2)
        sj ~ half_normal(1)
        a[j] ~ normal(m[state[j]], sj)
        observe y[n] ~ normal(a[school[n]], 1)
        """,
        {"school": g, "state": np.array([0, 1, 1]), "y": y6},
        {"m": x6[:2], "sj": 0.4, "a": x6[3:]},
        lambda p: normal(p.m, 0, 2) + stats.halfnorm.logpdf(p.sj) + normal(p.a, p.m[p.state], p.sj)
        + normal(p.y, p.a[p.school], 1),
    ),
    "a regression whose slopes move in time": Example(
        """
        plate t[3]
        plate k[2]
        data X[t, k]
        q[k] ~ half_normal(0.5)
        b[0, k] ~ normal(0, 1)
        b[t, k] ~ normal(b[t-1, k], q[k])
        observe y[t] ~ normal(sum(k, X[t, k]*b[t, k]), 1)
        """,
        {"X": x6.reshape(3, 2), "y": y6[:3]},
        {"q": np.array([0.3, 0.6]), "b": y6.reshape(3, 2)},
        lambda p: total(stats.halfnorm.logpdf(p.q, 0, 0.5)) + normal(p.b[0], 0, 1) + normal(p.b[1:], p.b[:-1], p.q)
        + normal(p.y, (p.X * p.b).sum(1), 1),
    ),
    "logistic regression with a matrix": Example(
        """
        plate n
        plate k
        data X[n, k]
        b[k] ~ laplace(0, 1)
        a ~ student_t(3, 0, 2.5)
        observe y[n] ~ bernoulli(sigmoid(a + sum(k, X[n, k]*b[k])))
        """,
        {"X": np.stack([x6, y6], 1), "y": b6},
        {"b": np.array([0.3, -1.1]), "a": 0.2},
        lambda p: total(stats.laplace.logpdf(p.b)) + stats.t.logpdf(p.a, 3, 0, 2.5)
        + total(stats.bernoulli.logpmf(p.y, special.expit(p.a + p.X @ p.b))),
    ),
    "probit regression": Example(
        """
        plate n
        data x[n]
        a ~ normal(0, 1)
        b ~ normal(0, 1)
        observe y[n] ~ bernoulli(Phi(a + b*x[n]))
        """,
        {"x": x6, "y": b6},
        {"a": 0.1, "b": 0.7},
        lambda p: normal([p.a, p.b], 0, 1) + total(stats.bernoulli.logpmf(p.y, stats.norm.cdf(p.a + p.b * p.x))),
    ),
    "negative binomial counts with exposure": Example(
        """
        plate n
        data E[n] > 0
        data x[n]
        a ~ normal(0, 1)
        b ~ normal(0, 1)
        phi ~ exponential(1)
        observe y[n] ~ neg_binomial_2(E[n]*exp(a + b*x[n]), phi)
        """.replace("E[n]", "expo[n]"),
        {"expo": up, "x": x6, "y": c6},
        {"a": 0.3, "b": 0.2, "phi": 1.5},
        lambda p: normal([p.a, p.b], 0, 1) + stats.expon.logpdf(p.phi)
        + total(stats.nbinom.logpmf(p.y, p.phi, p.phi / (p.phi + p.expo * np.exp(p.a + p.b * p.x)))),
    ),
    "robust regression with unknown degrees of freedom": Example(
        """
        plate n
        data x[n]
        nu ~ gamma(2, 0.1)
        b ~ normal(0, 1)
        s ~ half_normal(1)
        observe y[n] ~ student_t(nu, b*x[n], s)
        """,
        {"x": x6, "y": y6},
        {"nu": 5.5, "b": 0.5, "s": 0.8},
        lambda p: stats.gamma.logpdf(p.nu, 2, scale=10) + normal(p.b, 0, 1) + stats.halfnorm.logpdf(p.s)
        + total(stats.t.logpdf(p.y, p.nu, p.b * p.x, p.s)),
    ),
    "the horseshoe": Example(
        """
        plate n
        plate k[2]
        data X[n, k]
        tau ~ half_cauchy(1)
        lam[k] ~ half_cauchy(1)
        b[k] ~ normal(0, tau*lam[k])
        observe y[n] ~ normal(sum(k, X[n, k]*b[k]), 1)
        """,
        {"X": np.stack([x6, y6], 1), "y": y6},
        {"tau": 0.4, "lam": np.array([0.8, 2.0]), "b": np.array([0.1, 0.9])},
        lambda p: total(stats.halfcauchy.logpdf([p.tau, *p.lam])) + normal(p.b, 0, p.tau * p.lam)
        + normal(p.y, p.X @ p.b, 1),
    ),
    "Neal's funnel": Example(
        """
        plate k[4]
        v ~ normal(0, 3)
        x[k] ~ normal(0, exp(v/2))
        """,
        {},
        {"v": -0.7, "x": x6[:4]},
        lambda p: normal(p.v, 0, 3) + normal(p.x, 0, np.exp(p.v / 2)),
    ),
    "beta regression by mean and precision": Example(
        """
        plate n
        data x[n]
        a ~ normal(0, 1)
        b ~ normal(0, 1)
        phi ~ gamma(2, 0.5)
        mu[n] = sigmoid(a + b*x[n])
        observe y[n] ~ beta(mu[n]*phi, (1 - mu[n])*phi)
        """,
        {"x": x6, "y": special.expit(y6)},
        {"a": 0.2, "b": -0.4, "phi": 3.0},
        lambda p: normal([p.a, p.b], 0, 1) + stats.gamma.logpdf(p.phi, 2, scale=2)
        + (lambda m: total(stats.beta.logpdf(p.y, m * p.phi, (1 - m) * p.phi)))(special.expit(p.a + p.b * p.x)),
    ),
    "a changepoint by where": Example(
        """
        plate n
        data time[n]
        tau ~ uniform(0, 6)
        early ~ exponential(1)
        late ~ exponential(1)
        observe y[n] ~ poisson(where(time[n] < tau, early, late))
        """,
        {"time": np.arange(6.0), "y": c6},
        {"tau": 2.5, "early": 1.2, "late": 2.3},
        lambda p: -np.log(6) - p.early - p.late
        + total(stats.poisson.logpmf(p.y, np.where(p.time < p.tau, p.early, p.late))),
    ),
    "meta-analysis of odds ratios": Example(
        """
        plate i
        data n1[i] integer > 0
        data n0[i] integer > 0
        d ~ normal(0, 2)
        tau ~ half_normal(1)
        base[i] ~ normal(0, 10)
        delta[i] ~ normal(d, tau)
        observe r1[i] ~ binomial(n1[i], sigmoid(base[i] + delta[i]))
        observe r0[i] ~ binomial(n0[i], sigmoid(base[i]))
        """.replace("integer > 0", "> 0 integer"),
        {"n1": np.array([10, 20]), "n0": np.array([11, 19]), "r1": np.array([3, 9]), "r0": np.array([5, 8])},
        {"d": 0.1, "tau": 0.5, "base": np.array([-0.5, 0.2]), "delta": np.array([0.3, -0.1])},
        lambda p: normal(p.d, 0, 2) + stats.halfnorm.logpdf(p.tau) + normal(p.base, 0, 10) + normal(p.delta, p.d, p.tau)
        + total(stats.binom.logpmf(p.r1, p.n1, special.expit(p.base + p.delta)))
        + total(stats.binom.logpmf(p.r0, p.n0, special.expit(p.base))),
    ),
    "paired comparisons": Example(
        """
        plate k[3]
        plate n
        data i[n]
        data j[n]
        s ~ half_normal(1)
        skill[k] ~ normal(0, s)
        observe win[n] ~ bernoulli(sigmoid(skill[i[n]] - skill[j[n]]))
        """,
        {"i": g, "j": (g + 1) % 3, "win": b6},
        {"s": 0.9, "skill": x6[:3]},
        lambda p: stats.halfnorm.logpdf(p.s) + normal(p.skill, 0, p.s)
        + total(stats.bernoulli.logpmf(p.win, special.expit(p.skill[p.i] - p.skill[p.j]))),
    ),
    "a factor model": Example(
        """
        plate n[3]
        plate d[2]
        Lam[d] ~ normal(0, 1)
        psi[d] ~ inverse_gamma(2, 1)
        f[n] ~ normal(0, 1)
        observe y[n, d] ~ normal(Lam[d]*f[n], sqrt(psi[d]))
        """,
        {"y": y6.reshape(3, 2)},
        {"Lam": np.array([0.5, -1.0]), "psi": np.array([0.4, 0.9]), "f": x6[:3]},
        lambda p: normal(p.Lam, 0, 1) + total(stats.invgamma.logpdf(p.psi, 2)) + normal(p.f, 0, 1)
        + normal(p.y, np.outer(p.f, p.Lam), np.sqrt(p.psi)),
    ),
    "a covariance with a Wishart prior": Example(
        """
        plate n
        plate i[2]
        plate j[2]
        S[i, j] ~ inverse_wishart(4, kronecker(i, j))
        m[i] ~ normal(0, 1)
        observe y[n, i] ~ multivariate_normal(m[i], S[i, j])
        """,
        {"y": y6.reshape(3, 2)},
        {"S": np.array([[1.0, 0.3], [0.3, 0.8]]), "m": np.array([0.1, -0.2])},
        lambda p: stats.invwishart.logpdf(p.S, 4, np.eye(2)) + normal(p.m, 0, 1)
        + total(stats.multivariate_normal.logpdf(p.y, p.m, p.S)),
    ),
    "a growth curve": Example(
        """
        plate i[2]
        plate n
        data who[n]
        data age[n] > 0
        top[i] ~ log_normal(1, 0.3)
        rate[i] ~ gamma(3, 5)
        s ~ exponential(2)
        observe y[n] ~ log_normal(log(top[who[n]]*(1 - exp(-rate[who[n]]*age[n]))), s)
        """,
        {"who": h, "age": up, "y": np.exp(y6)},
        {"top": np.array([2.0, 3.1]), "rate": np.array([0.4, 0.8]), "s": 0.5},
        lambda p: total(stats.lognorm.logpdf(p.top, 0.3, scale=np.e)) + total(stats.gamma.logpdf(p.rate, 3, scale=0.2))
        + stats.expon.logpdf(p.s, scale=0.5)
        + total(stats.lognorm.logpdf(p.y, p.s, scale=p.top[p.who] * (1 - np.exp(-p.rate[p.who] * p.age)))),
    ),
    "a moving average": Example(
        """
        plate t[6]
        th ~ uniform(-1, 1)
        e0 ~ normal(0, 1)
        eps[t] ~ normal(0, 1)
        m[0] = eps[0] + th*e0
        m[t] = eps[t] + th*eps[t-1]
        observe y[t] ~ normal(m[t], 0.2)
        """,
        {"y": y6},
        {"th": 0.5, "e0": 0.3, "eps": x6},
        lambda p: -np.log(2) + normal([p.e0, *p.eps], 0, 1)
        + normal(p.y, p.eps + p.th * np.array([p.e0, *p.eps[:-1]]), 0.2),
    ),
    "seasonal effects that add up to zero softly": Example(
        """
        plate n
        plate q[4]
        data s[n]
        tau ~ half_normal(1)
        season[q] ~ normal(0, tau)
        factor -sum(q, season[q])^2*50
        observe y[n] ~ normal(season[s[n]], 1)
        """,
        {"s": np.array([0, 1, 2, 3, 0, 1]), "y": y6},
        {"tau": 0.8, "season": np.array([0.1, -0.3, 0.2, 0.05])},
        lambda p: stats.halfnorm.logpdf(p.tau) + normal(p.season, 0, p.tau) - 50 * p.season.sum() ** 2
        + normal(p.y, p.season[p.s], 1),
    ),
    "competing exponentials, a law of one's own": Example(
        """
        law Hypo(t | a > 0, b > 0) on (0, oo) = a*b/(a - b)*(exp(-b*t) - exp(-a*t))
        plate n
        a ~ gamma(2, 1)
        observe t[n] ~ Hypo(a + 2, a + 1)
        """,
        {"t": up},
        {"a": 0.7},
        lambda p: stats.gamma.logpdf(p.a, 2)
        + total(np.log((p.a + 1) * (p.a + 2) * (np.exp(-(p.a + 1) * p.t) - np.exp(-(p.a + 2) * p.t)))),
    ),
    "extreme values with a trend": Example(
        """
        plate n
        data year[n]
        m0 ~ normal(0, 5)
        m1 ~ normal(0, 1)
        s ~ log_normal(0, 1)
        observe y[n] ~ gumbel(m0 + m1*year[n], s)
        """,
        {"year": np.arange(6.0), "y": y6},
        {"m0": 0.2, "m1": 0.05, "s": 1.1},
        lambda p: normal(p.m0, 0, 5) + normal(p.m1, 0, 1) + stats.lognorm.logpdf(p.s, 1)
        + total(stats.gumbel_r.logpdf(p.y, p.m0 + p.m1 * p.year, p.s)),
    ),
    "directions": Example(
        """
        plate n
        mu ~ uniform(-3, 3)
        kappa ~ gamma(2, 1)
        observe y[n] ~ von_mises(mu, kappa)
        """,
        {"y": np.clip(y6, -3, 3)},
        {"mu": 0.4, "kappa": 1.7},
        lambda p: -np.log(6) + stats.gamma.logpdf(p.kappa, 2) + total(stats.vonmises.logpdf(p.y, p.kappa, p.mu)),
    ),
    "an N-mixture by an own mass function": Example(
        """
        plate i
        lam ~ gamma(2, 1)
        p ~ beta(2, 2)
        observe y[i] ~ (lam*p)^y[i]*exp(-lam*p)/gamma(y[i] + 1) on {0, ..., oo}
        """,
        {"y": c6},
        {"lam": 1.9, "p": 0.4},
        lambda p: stats.gamma.logpdf(p.lam, 2) + stats.beta.logpdf(p.p, 2, 2)
        + total(stats.poisson.logpmf(p.y, p.lam * p.p)),
    ),
    "a linear model with a g-prior on a vector": Example(
        """
        plate n
        plate k[2]
        plate l[2]
        data X[n, k]
        s ~ half_normal(1)
        b[k] ~ multivariate_normal(0, precision=sum(n, X[n, k]*X[n, l])/(10*s^2))
        observe y[n] ~ normal(sum(k, X[n, k]*b[k]), s)
        """,
        {"X": np.stack([x6, y6], 1), "y": y6[::-1].copy()},
        {"s": 0.9, "b": np.array([0.2, -0.5])},
        lambda p: stats.halfnorm.logpdf(p.s)
        + stats.multivariate_normal.logpdf(p.b, np.zeros(2), np.linalg.inv(p.X.T @ p.X) * 10 * p.s**2)
        + normal(p.y, p.X @ p.b, p.s),
    ),
}  # fmt: skip
__all__ = ["EXAMPLES", "Point"]
