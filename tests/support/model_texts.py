"""Models as text: everything that the language has."""

from __future__ import annotations

import sympy as sp

import symaux as sa

SCHOOLS = """
# eight schools
plate j[8]
data sigma[j] > 0
mu ~ Normal(0, 5)
tau ~ HalfCauchy(5)
theta[j] ~ Normal(mu, tau)
observe y[j] ~ Normal(theta[j], sigma[j])
"""

EVERYTHING = """
plate n            # sized by data
plate i[3]
plate k[2]
plate t[5]
data W[i, k]
data pick[n]
param offset
law Kuma(z | a > 0, b > 0) on (0, 1) = a*b*z^(a-1)*(1-z^a)^(b-1)
z[n, k] ~ normal(0, 1)
eta[n, i] = sum(k, W[i,k]*z[n,k]) +
    offset
h[0] ~ normal(0, 1)
h[t] ~ normal(0.9*h[t-1], 0.1)
q ~ Kuma(2, b=3)
alpha[i] ~ student_t(df=4, loc=0, scale=q)
observe y[n, i] ~ normal(eta[n, i] + alpha[pick[n]], exp(h[2]))
factor -q**2
""".replace("+\n    offset", "+ (\n    offset)")

LAWS = {
    "x ~ 3*x**2 on (0, 1)": lambda x: sa.law(x, 3 * x**2, support=(0, 1)),
    "x ~ exp(-x) on (0, oo)": lambda x: sa.law(x, sp.exp(-x)),
    "x ~ flat on (0, 1)": lambda x: sa.flat(x, (0, 1)),
    "x ~ flat on (0, oo)": lambda x: sa.flat(x),
    "x ~ mixture(0.3, exponential(1), 0.7, exponential(2))": lambda x: sa.mixture(
        x, (0.3, sa.exponential(x, 1)), (0.7, sa.exponential(x, 2))
    ),
    "x ~ Uniform(lower=0, upper=1)": lambda x: sa.uniform(x, 0, 1),
    "x ~ INVERSE_GAMMA(2, 3)": lambda x: sa.inverse_gamma(x, 2, 3),
}

VECTORS = [
    "plate i[3]\nplate j[3]\nK = 1\ndata x[i]\nf[i] ~ multivariate_normal(0, exp(-(x[i] - x[j])^2) + kronecker(i, j))",
    "plate i[3]\nplate j[3]\ndata L[i, j]\nf[i] ~ multivariate_normal(2*i, cholesky=L[i, j])",
    "plate i[3]\nplate j[3]\ndata L[i, j]\nf[i] ~ multivariate_student_t(4, 1, precision=L[i, j])",
    "plate k[3]\np[k] ~ dirichlet(2)\nplate n\nobserve y[n] ~ categorical(p[k])",
    "plate k\ndata a[k] > 0\np[k] ~ dirichlet(a[k])",
    "plate i[3]\nplate j[3]\nL[i, j] ~ lkj_cholesky(2)",
    "plate i[3]\nplate j[3]\ndata V[i, j]\nS[i, j] ~ wishart(5, V[i, j])",
    "plate i[3]\nplate j[3]\ndata V[i, j]\nS[i, j] ~ inverse_wishart(5, cholesky=V[i, j])",
    "plate k[3]\ndata w[k] > 0\ndata m[k]\ny ~ mixture(w[k], normal(m[k], 1))",
    "var x any\nx ~ normal(0, 1)",
    "var n real\nobserve n ~ poisson(3)\nvar m integer\nobserve m ~ poisson(3)",
    "plate j[3]\ndata s[j]\nx ~ normal(0, 1)\nobserve y[j] ~ normal(where(x < 0, 0, x <= 1, x, 1), s[j])",
    "data k\nx ~ normal(0, 1)\nobserve y ~ normal(where(k < 0, x, k > 0, x, 2*x), 1)",  # sympy joins the first two
    "data k\nx ~ normal(0, 1)\nobserve y ~ normal(where(k == 0, x, k != 3 and x < 1 or x > 2, 1, 2*x), 1)",
    "x ~ normal(0, 1)\nobserve k ~ exp(-loggamma(k + 1) + k*softplus(x) - exp(softplus(x))) on {0, ..., oo}",
    "param a\nparam b\nx ~ exp(-log(b - a)) on (a, b) given a < b",
]
