r"""Define the named families, each by its formula alone, in Stan's parameterisation.

>>> z, mu, sigma = sp.Symbol("z"), sp.Symbol("mu", real=True), sp.Symbol("sigma", positive=True)
>>> normal(z, mu, sigma).log_density
-log(sigma) - log(2*pi)/2 - (-mu + z)**2/(2*sigma**2)
>>> print(normal(z, mu, scale=sigma))
z ~ normal(mu, sigma)
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Rational, cos, erfc, exp, log, loggamma, pi, sqrt

from symaux.laws.family import Count, Integers, Interval, NonNegative, Positive, Probability, Real, family

HALF = Rational(1, 2)
oo = sp.oo


@family
def normal(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{1}{\sigma\sqrt{2\pi}} \exp\!\left(-\frac{(z-\mu)^2}{2\sigma^2}\right)$."""
    return -(((z - loc) / scale) ** 2) / 2 - log(scale) - log(2 * pi) / 2


@family
def log_normal(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{1}{z\sigma\sqrt{2\pi}} \exp\!\left(-\frac{(\log z-\mu)^2}{2\sigma^2}\right)$ for $z > 0$."""
    return -(((log(z) - loc) / scale) ** 2) / 2 - log(z) - log(scale) - log(2 * pi) / 2, Interval(0, oo)


@family
def half_normal(z: Any, scale: Positive) -> Any:
    r"""$p(z) = \frac{1}{\sigma}\sqrt{\frac2\pi} \exp\!\left(-\frac{z^2}{2\sigma^2}\right)$ for $z > 0$."""
    return -((z / scale) ** 2) / 2 - log(scale) + log(2 / pi) / 2, Interval(0, oo)


@family
def cauchy(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{1}{\pi\sigma(1 + ((z-\mu)/\sigma)^2)}$."""
    return -log(1 + ((z - loc) / scale) ** 2) - log(scale) - log(pi)


@family
def half_cauchy(z: Any, scale: Positive) -> Any:
    r"""$p(z) = \frac{2}{\pi\sigma(1 + (z/\sigma)^2)}$ for $z > 0$."""
    return -log(1 + (z / scale) ** 2) - log(scale) + log(2 / pi), Interval(0, oo)


@family
def student_t(z: Any, df: Positive, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{\Gamma((\nu+1)/2)}{\Gamma(\nu/2)\sqrt{\nu\pi}\,\sigma} \left(1 + \frac{x^2}{\nu}\right)^{-(\nu+1)/2}$,
    $x = (z-\mu)/\sigma$."""
    constant = loggamma((df + 1) / 2) - loggamma(df / 2) - log(df) / 2 - log(pi) / 2
    return constant - log(scale) - (df + 1) / 2 * log(1 + ((z - loc) / scale) ** 2 / df)


@family
def laplace(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{1}{2\sigma} \exp(-|z-\mu|/\sigma)$."""
    return -sp.Abs(z - loc) / scale - log(2 * scale)


@family
def logistic(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac{e^{-(z-\mu)/\sigma}}{\sigma(1 + e^{-(z-\mu)/\sigma})^2}$."""
    return -(z - loc) / scale - 2 * log(1 + exp(-(z - loc) / scale)) - log(scale)


@family
def gumbel(z: Any, loc: Real, scale: Positive) -> Any:
    r"""$p(z) = \frac1\sigma \exp(-x - e^{-x})$ with $x = (z-\mu)/\sigma$."""
    return -(z - loc) / scale - exp(-(z - loc) / scale) - log(scale)


@family
def exponential(z: Any, rate: Positive) -> Any:
    r"""$p(z) = \lambda e^{-\lambda z}$ for $z > 0$."""
    return log(rate) - rate * z, Interval(0, oo)


@family
def gamma(z: Any, shape: Positive, rate: Positive) -> Any:
    r"""$p(z) = \frac{\beta^\alpha}{\Gamma(\alpha)} z^{\alpha-1} e^{-\beta z}$ for $z > 0$."""
    return shape * log(rate) - loggamma(shape) + (shape - 1) * log(z) - rate * z, Interval(0, oo)


@family
def inverse_gamma(z: Any, shape: Positive, scale: Positive) -> Any:
    r"""$p(z) = \frac{\beta^\alpha}{\Gamma(\alpha)} z^{-\alpha-1} e^{-\beta/z}$ for $z > 0$."""
    return shape * log(scale) - loggamma(shape) - (shape + 1) * log(z) - scale / z, Interval(0, oo)


@family
def chi_squared(z: Any, df: Positive) -> Any:
    r"""$p(z) = \frac{1}{2^{\nu/2}\Gamma(\nu/2)} z^{\nu/2-1} e^{-z/2}$ for $z > 0$."""
    return -df / 2 * log(2) - loggamma(df / 2) + (df / 2 - 1) * log(z) - z / 2, Interval(0, oo)


@family
def weibull(z: Any, shape: Positive, scale: Positive) -> Any:
    r"""$p(z) = \frac{\alpha}{\sigma} \left(\frac z\sigma\right)^{\alpha-1} e^{-(z/\sigma)^\alpha}$ for $z > 0$."""
    return log(shape) - shape * log(scale) + (shape - 1) * log(z) - (z / scale) ** shape, Interval(0, oo)


@family
def pareto(z: Any, minimum: Positive, shape: Positive) -> Any:
    r"""$p(z) = \frac{\alpha m^\alpha}{z^{\alpha+1}}$ for $z > m$."""
    return log(shape) + shape * log(minimum) - (shape + 1) * log(z), Interval(minimum, oo)


@family
def frechet(z: Any, shape: Positive, scale: Positive) -> Any:
    r"""$p(z) = \frac{\alpha}{\sigma} \left(\frac z\sigma\right)^{-\alpha-1} e^{-(z/\sigma)^{-\alpha}}$ for $z > 0$."""
    return log(shape) + shape * log(scale) - (shape + 1) * log(z) - (z / scale) ** (-shape), Interval(0, oo)


@family
def rayleigh(z: Any, scale: Positive) -> Any:
    r"""$p(z) = \frac{z}{\sigma^2} e^{-z^2/2\sigma^2}$ for $z > 0$."""
    return log(z) - 2 * log(scale) - (z / scale) ** 2 / 2, Interval(0, oo)


@family
def uniform(z: Any, lower: Real, upper: Real) -> Any:
    r"""$p(z) = \frac{1}{b-a}$ for $a < z < b$."""
    return -log(upper - lower), Interval(lower, upper)


@family
def beta(z: Any, a: Positive, b: Positive) -> Any:
    r"""$p(z) = \frac{\Gamma(a+b)}{\Gamma(a)\Gamma(b)} z^{a-1}(1-z)^{b-1}$ for $0 < z < 1$."""
    constant = loggamma(a + b) - loggamma(a) - loggamma(b)
    return constant + (a - 1) * log(z) + (b - 1) * log(1 - z), Interval(0, 1)


@family
def kumaraswamy(z: Any, a: Positive, b: Positive) -> Any:
    r"""$p(z) = a b\, z^{a-1} (1-z^a)^{b-1}$ for $0 < z < 1$."""
    return log(a) + log(b) + (a - 1) * log(z) + (b - 1) * log(1 - z**a), Interval(0, 1)


@family
def triangular(z: Any, lower: Real, mode: Real, upper: Real) -> Any:
    r"""$p(z) = \frac{2(z-a)}{(b-a)(c-a)}$ for $a < z < c$ and $\frac{2(b-z)}{(b-a)(b-c)}$ for $c \le z < b$."""
    rising = log(z - lower) - log(mode - lower)
    falling = log(upper - z) - log(upper - mode)
    return log(2) - log(upper - lower) + sp.Piecewise((rising, z < mode), (falling, True)), Interval(lower, upper)


@family
def von_mises(z: Any, loc: Real, concentration: Positive) -> Any:
    r"""$p(z) = \frac{e^{\kappa\cos(z-\mu)}}{2\pi I_0(\kappa)}$ for $\mu-\pi < z < \mu+\pi$."""
    log_density = concentration * cos(z - loc) - log(2 * pi) - log(sp.besseli(0, concentration))
    return log_density, Interval(loc - pi, loc + pi)


@family
def inverse_gaussian(z: Any, mean: Positive, shape: Positive) -> Any:
    r"""$p(z) = \sqrt{\frac{\lambda}{2\pi z^3}} \exp\!\left(-\frac{\lambda(z-\mu)^2}{2\mu^2 z}\right)$ for $z > 0$."""
    exponent = -shape * (z - mean) ** 2 / (2 * mean**2 * z)
    return exponent + (log(shape) - log(2 * pi) - 3 * log(z)) / 2, Interval(0, oo)


@family
def skew_normal(z: Any, loc: Real, scale: Positive, slant: Real) -> Any:
    r"""$p(z) = \frac2\sigma \varphi(x) \Phi(\alpha x)$ with $x = (z-\xi)/\sigma$."""
    x = (z - loc) / scale
    return -(x**2) / 2 - log(scale) - log(2 * pi) / 2 + log(erfc(-slant * x / sqrt(2)))


@family
def bernoulli(z: Any, probability: Probability) -> Any:
    r"""$p(z) = \theta^z (1-\theta)^{1-z}$ for $z \in \{0, 1\}$."""
    return z * log(probability) + (1 - z) * log(1 - probability), Integers(0, 1)


@family
def binomial(z: Any, trials: Count, probability: Probability) -> Any:
    r"""$p(z) = \binom{n}{z} \theta^z (1-\theta)^{n-z}$ for $z \in \{0, \dots, n\}$."""
    ways = loggamma(trials + 1) - loggamma(z + 1) - loggamma(trials - z + 1)
    return ways + z * log(probability) + (trials - z) * log(1 - probability), Integers(0, trials)


@family
def poisson(z: Any, rate: NonNegative) -> Any:
    r"""$p(z) = \frac{\lambda^z e^{-\lambda}}{z!}$ for $z \in \{0, 1, \dots\}$."""
    return z * log(rate) - rate - loggamma(z + 1), Integers(0, oo)


@family
def neg_binomial_2(z: Any, mean: Positive, dispersion: Positive) -> Any:
    r"""$p(z) = \binom{z+\phi-1}{z} \frac{\mu^z \phi^\phi}{(\mu+\phi)^{z+\phi}}$ for $z \in \{0, 1, \dots\}$."""
    ways = loggamma(z + dispersion) - loggamma(dispersion) - loggamma(z + 1)
    return ways + z * log(mean) + dispersion * log(dispersion) - (z + dispersion) * log(mean + dispersion), Integers(
        0, oo
    )
