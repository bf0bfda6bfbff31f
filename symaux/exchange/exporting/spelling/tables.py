"""Record how distributions are spelled in NumPyro, PyMC and Stan; functions are spelled by their records.

The records are in ``formulas/functions/elementary_records.py`` and ``special_records.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy as sp

from symaux.formulas.functions.registry import spellings

JNP: dict[Any, str] = spellings("numpyro")
PT: dict[Any, str] = spellings("pymc")
STAN: dict[Any, str] = spellings("stan")  # an @ stands before a function that a program carries with it


@dataclass(frozen=True)
class Family:
    """A distribution's name and its parameters in the order of ours, as templates; ``{0}`` is our first argument."""

    name: str
    arguments: str


NUMPYRO = {
    "normal": Family("Normal", "{0}, {1}"),
    "half_normal": Family("HalfNormal", "{0}"),
    "cauchy": Family("Cauchy", "{0}, {1}"),
    "half_cauchy": Family("HalfCauchy", "{0}"),
    "student_t": Family("StudentT", "{0}, {1}, {2}"),
    "laplace": Family("Laplace", "{0}, {1}"),
    "logistic": Family("Logistic", "{0}, {1}"),
    "gumbel": Family("Gumbel", "{0}, {1}"),
    "log_normal": Family("LogNormal", "{0}, {1}"),
    "exponential": Family("Exponential", "{0}"),
    "gamma": Family("Gamma", "{0}, {1}"),
    "inverse_gamma": Family("InverseGamma", "{0}, {1}"),
    "chi_squared": Family("Chi2", "{0}"),
    "beta": Family("Beta", "{0}, {1}"),
    "kumaraswamy": Family("Kumaraswamy", "{0}, {1}"),
    "uniform": Family("Uniform", "{0}, {1}"),
    "weibull": Family("Weibull", "scale={1}, concentration={0}"),
    "pareto": Family("Pareto", "scale={0}, alpha={1}"),
    "bernoulli": Family("Bernoulli", "probs={0}"),
    "binomial": Family("Binomial", "{0}, probs={1}"),
    "poisson": Family("Poisson", "{0}"),
    "neg_binomial_2": Family("NegativeBinomial2", "{0}, {1}"),
}
PYMC = {
    "normal": Family("Normal", "mu={0}, sigma={1}"),
    "half_normal": Family("HalfNormal", "sigma={0}"),
    "cauchy": Family("Cauchy", "alpha={0}, beta={1}"),
    "half_cauchy": Family("HalfCauchy", "beta={0}"),
    "student_t": Family("StudentT", "nu={0}, mu={1}, sigma={2}"),
    "laplace": Family("Laplace", "mu={0}, b={1}"),
    "logistic": Family("Logistic", "mu={0}, s={1}"),
    "gumbel": Family("Gumbel", "mu={0}, beta={1}"),
    "log_normal": Family("LogNormal", "mu={0}, sigma={1}"),
    "exponential": Family("Exponential", "lam={0}"),
    "gamma": Family("Gamma", "alpha={0}, beta={1}"),
    "inverse_gamma": Family("InverseGamma", "alpha={0}, beta={1}"),
    "chi_squared": Family("ChiSquared", "nu={0}"),
    "beta": Family("Beta", "alpha={0}, beta={1}"),
    "kumaraswamy": Family("Kumaraswamy", "a={0}, b={1}"),
    "uniform": Family("Uniform", "lower={0}, upper={1}"),
    "weibull": Family("Weibull", "alpha={0}, beta={1}"),
    "pareto": Family("Pareto", "alpha={1}, m={0}"),
    "inverse_gaussian": Family("Wald", "mu={0}, lam={1}"),
    "triangular": Family("Triangular", "lower={0}, c={1}, upper={2}"),
    "bernoulli": Family("Bernoulli", "p={0}"),
    "binomial": Family("Binomial", "n={0}, p={1}"),
    "poisson": Family("Poisson", "mu={0}"),
    "neg_binomial_2": Family("NegativeBinomial", "mu={0}, alpha={1}"),
}
STAN_LAWS = {
    "normal": Family("normal", "{0}, {1}"),
    "cauchy": Family("cauchy", "{0}, {1}"),
    "student_t": Family("student_t", "{0}, {1}, {2}"),
    "laplace": Family("double_exponential", "{0}, {1}"),
    "logistic": Family("logistic", "{0}, {1}"),
    "gumbel": Family("gumbel", "{0}, {1}"),
    "log_normal": Family("lognormal", "{0}, {1}"),
    "exponential": Family("exponential", "{0}"),
    "gamma": Family("gamma", "{0}, {1}"),
    "inverse_gamma": Family("inv_gamma", "{0}, {1}"),
    "chi_squared": Family("chi_square", "{0}"),
    "beta": Family("beta", "{0}, {1}"),
    "uniform": Family("uniform", "{0}, {1}"),
    "weibull": Family("weibull", "{0}, {1}"),
    "frechet": Family("frechet", "{0}, {1}"),
    "rayleigh": Family("rayleigh", "{0}"),
    "pareto": Family("pareto", "{0}, {1}"),
    "skew_normal": Family("skew_normal", "{0}, {1}, {2}"),
    "von_mises": Family("von_mises", "{0}, {1}"),
    "bernoulli": Family("bernoulli", "{0}"),
    "binomial": Family("binomial", "{0}, {1}"),
    "poisson": Family("poisson", "{0}"),
    "neg_binomial_2": Family("neg_binomial_2", "{0}, {1}"),
}


def nested(word: str, arguments: Iterable[str]) -> str:
    """Fold a function of two arguments over several.

    >>> nested("fmax", ["a", "b", "c"])
    'fmax(fmax(a, b), c)'
    """
    return reduce(lambda one, other: f"{word}({one}, {other})", arguments)


def log_gamma(formula: Any) -> Any:
    """Return the logarithm of a gamma function as one function, which does not overflow; anything else as it is.

    >>> log_gamma(sp.log(sp.gamma(sp.Symbol("k", integer=True, positive=True))))
    loggamma(k)
    """
    if isinstance(formula, sp.log) and isinstance(formula.args[0], sp.gamma):
        return sp.loggamma(*formula.args[0].args, evaluate=False)
    return formula
