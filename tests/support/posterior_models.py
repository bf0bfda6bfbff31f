"""Models of the kinds that collections of posteriors hold, written anew as texts: each must verify without a false word."""

from __future__ import annotations

MODELS = {
    "hidden Markov, by a forward recursion": """
plate t[12]
data x[t]
a ~ beta(2, 2)
b ~ beta(2, 2)
m ~ normal(0, 3)
d ~ half_normal(2)
s ~ half_normal(1)
f[0] = log(1/2) - (x[0] - m)**2/(2*s**2) - log(s)
g[0] = log(1/2) - (x[0] - m - d)**2/(2*s**2) - log(s)
f[t] = log(exp(f[t-1] + log(a)) + exp(g[t-1] + log(1 - b))) - (x[t] - m)**2/(2*s**2) - log(s)
g[t] = log(exp(f[t-1] + log(1 - a)) + exp(g[t-1] + log(b))) - (x[t] - m - d)**2/(2*s**2) - log(s)
factor log(exp(f[11]) + exp(g[11]))
""",
    "item response, two parameters": """
plate i[8]
plate j[30]
plate n[100]
data item[n]
data person[n]
mu ~ normal(0, 2)
spread ~ half_cauchy(2)
width ~ half_cauchy(2)
theta[j] ~ normal(0, 1)
beta[i] ~ normal(mu, spread)
alpha[i] ~ log_normal(0, width)
observe y[n] ~ bernoulli(1/(1 + exp(-alpha[item[n]]*(theta[person[n]] - beta[item[n]]))))
""",
    "dogs, logistic": """
plate j[30]
plate t[25]
data avoided[j, t] >= 0
data shocked[j, t] >= 0
b0 ~ normal(0, 10)
b1 ~ normal(0, 10)
b2 ~ normal(0, 10)
observe y[j, t] ~ bernoulli(1/(1 + exp(-(b0 + b1*avoided[j, t] + b2*shocked[j, t]))))
""",
    "dogs, powers": """
plate j[30]
plate t[25]
data avoided[j, t] >= 0
data shocked[j, t] >= 0
a ~ uniform(0, 1)
b ~ uniform(0, 1)
observe y[j, t] ~ bernoulli(a**avoided[j, t]*b**shocked[j, t])
""",
    "bones": """
plate c[13]
plate i[31]
data delta[i] > 0
data low[i]
data gap[i]
mu ~ normal(10, 5)
tau ~ half_cauchy(5)
theta[c] ~ normal(mu, tau)
observe y1[c, i] ~ bernoulli(1/(1 + exp(-delta[i]*(theta[c] - low[i]))))
observe y2[c, i] ~ bernoulli(1/(1 + exp(-delta[i]*(theta[c] - low[i] - exp(gap[i])))))
""",
    "dugongs": """
plate i[27]
data x[i] > 0
alpha ~ normal(0, 100)
beta ~ normal(0, 100)
lam ~ uniform(1/2, 1)
tau ~ gamma(1e-4, 1e-4)
observe y[i] ~ normal(alpha - beta*lam**x[i], 1/sqrt(tau))
""",
    "state space with bounded levels": """
plate t[40]
s ~ half_normal(1)
v[0] ~ uniform(0, 1)
v[t] ~ beta(1 + 10*v[t-1], 11 - 10*v[t-1])
observe y[t] ~ normal(v[t], s)
""",
    "capture and recapture": """
plate t[5]
plate i[40]
mu ~ normal(0, 1)
sigma ~ half_normal(1)
u[t] ~ normal(0, sigma)
phi ~ beta(1, 1)
observe y[i, t] ~ bernoulli(phi/(1 + exp(-mu - u[t])))
""",
    "local level": """
plate t[60]
sl ~ half_cauchy(1)
so ~ half_cauchy(1)
level[0] ~ normal(0, 10)
level[t] ~ normal(level[t-1], sl)
observe y[t] ~ normal(level[t], so)
""",
    "stochastic volatility": """
plate t[50]
mu ~ cauchy(0, 10)
phi ~ uniform(-1, 1)
sigma ~ half_cauchy(5)
h[0] ~ normal(mu, sigma/sqrt(1 - phi**2))
h[t] ~ normal(mu + phi*(h[t-1] - mu), sigma)
observe y[t] ~ normal(0, exp(h[t]/2))
""",
    "pumps": """
plate i[10]
data t[i] > 0
a ~ exponential(1)
b ~ gamma(0.1, 1)
th[i] ~ gamma(a, b)
observe y[i] ~ poisson(th[i]*t[i])
""",
    "seeds": """
plate i[12]
data n[i] integer
data x[i]
a ~ normal(0, 10)
b ~ normal(0, 10)
s ~ half_cauchy(1)
u[i] ~ normal(a + b*x[i], s)
observe y[i] ~ binomial(n[i], 1/(1 + exp(-u[i])))
""",
    "survival with censoring": """
plate i[10]
data t[i] > 0
data seen[i] >= 0
mu ~ normal(0, 2)
s ~ half_normal(1)
b[i] ~ normal(mu, s)
factor -t[i]*exp(b[i])
factor where(seen[i] > 0, b[i], 0)
""",
    "an index that is computed": """
plate i[20]
plate j[8]
data g[i] integer
h[i] = g[i] - 1
mu ~ normal(0, 1)
a[j] ~ normal(mu, 1)
observe y[i] ~ normal(a[h[i]], 1)
""",
    "one index for two arrays": """
plate i[20]
plate j[8]
plate k[9]
data g[i]
mu ~ normal(0, 1)
a[j] ~ normal(mu, 1)
b[k] ~ normal(mu, 1)
observe y[i] ~ normal(a[g[i]] + b[g[i]], 1)
""",
    "the end of a long walk": """
plate t[200]
s ~ half_normal(1)
v[0] ~ normal(0, s)
v[t] ~ normal(0.9*v[t-1], s)
z[0] ~ normal(0, s)
z[t] ~ normal(z[t-1] + v[t-1], s)
observe y ~ normal(z[199], 1)
""",
    "a long recursion of formulas": """
plate t[300]
s ~ half_normal(1)
mu ~ normal(0, s)
a[0] = mu
a[t] = tanh(a[t-1] + mu)/2
b[0] = s
b[t] = b[t-1]*(1 + a[t-1]**2/300)
observe y ~ normal(a[299], b[299])
""",
}
