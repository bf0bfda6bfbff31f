"""Map the distributions of other libraries to laws: one table each, from a name to parameters and a law."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.formulas.functions.elementary import sigmoid
from symaux.formulas.symbols.support import Integers, Interval
from symaux.laws import families as f
from symaux.laws.law import Law, flat, law


@dataclass(frozen=True)
class Translation:
    """The parameters to ask a distribution for, and the law that they make; ``positive`` where its values are."""

    parameters: tuple[str, ...]
    law: Callable[..., Law]
    positive: bool = False

    def parameter_names(self, distribution: Any) -> tuple[str, ...]:
        """Return the names of the parameters to read from a distribution."""
        return self.parameters


def _logits(family: Any) -> Any:
    return lambda z, logits, *rest: family(z, *rest, sigmoid(logits))


def _beta_binomial(z: Any, a: Any, b: Any, trials: Any) -> Law:
    r"""Return $\binom nk B(k + a, n - k + b)/B(a, b)$, a binomial law whose probability has a beta law."""
    ways = sp.loggamma(trials + 1) - sp.loggamma(z + 1) - sp.loggamma(trials - z + 1)
    above = sp.loggamma(z + a) + sp.loggamma(trials - z + b) - sp.loggamma(trials + a + b)
    below = sp.loggamma(a) + sp.loggamma(b) - sp.loggamma(a + b)
    return law(z, log_density=ways + above - below, support=Integers(sp.S.Zero, trials))


def _gamma_poisson(z: Any, shape: Any, rate: Any) -> Law:
    """Return a Poisson law whose rate has a gamma law."""
    return f.neg_binomial_2(z, shape / rate, shape)


NUMPYRO: dict[str, Translation] = {
    "Normal": Translation(("loc", "scale"), f.normal),
    "HalfNormal": Translation(("scale",), f.half_normal, True),
    "Cauchy": Translation(("loc", "scale"), f.cauchy),
    "HalfCauchy": Translation(("scale",), f.half_cauchy, True),
    "StudentT": Translation(("df", "loc", "scale"), f.student_t),
    "Laplace": Translation(("loc", "scale"), f.laplace),
    "Logistic": Translation(("loc", "scale"), f.logistic),
    "Gumbel": Translation(("loc", "scale"), f.gumbel),
    "LogNormal": Translation(("loc", "scale"), f.log_normal, True),
    "Exponential": Translation(("rate",), f.exponential, True),
    "Gamma": Translation(("concentration", "rate"), f.gamma, True),
    "InverseGamma": Translation(("concentration", "rate"), f.inverse_gamma, True),
    "Chi2": Translation(("df",), f.chi_squared, True),
    "Beta": Translation(("concentration1", "concentration0"), f.beta, True),
    "Kumaraswamy": Translation(("concentration1", "concentration0"), f.kumaraswamy, True),
    "Uniform": Translation(("low", "high"), f.uniform),
    "Weibull": Translation(("concentration", "scale"), f.weibull, True),
    "Pareto": Translation(("scale", "alpha"), f.pareto, True),
    "VonMises": Translation(("loc", "concentration"), f.von_mises),
    "BernoulliProbs": Translation(("probs",), f.bernoulli),
    "BernoulliLogits": Translation(("logits",), _logits(f.bernoulli)),
    "BinomialProbs": Translation(("total_count", "probs"), f.binomial),
    "BinomialLogits": Translation(("logits", "total_count"), _logits(f.binomial)),
    "BetaBinomial": Translation(("concentration1", "concentration0", "total_count"), _beta_binomial),
    "Poisson": Translation(("rate",), f.poisson),
    "GammaPoisson": Translation(("concentration", "rate"), _gamma_poisson),
    "NegativeBinomial2": Translation(("concentration", "rate"), _gamma_poisson),
}


def _half_normal(z: Any, loc: Any, scale: Any) -> Law:
    if loc != 0:
        raise Untranslatable(f"a half-normal law that starts at {loc} has no translation")
    return f.half_normal(z, scale)


def _inverse_gaussian(z: Any, mean: Any, shape: Any, shift: Any) -> Law:
    if shift != 0:
        raise Untranslatable(f"an inverse Gaussian law that starts at {shift} has no translation")
    return f.inverse_gaussian(z, mean, shape)


# distribution functions of location-scale laws, at (point - location)/scale
BELOW: dict[str, Callable[[Any], Any]] = {
    "Normal": lambda x: sp.erfc(-x / sp.sqrt(2)) / 2,
    "Cauchy": lambda x: sp.atan(x) / sp.pi + sp.Rational(1, 2),
    "Logistic": sigmoid,
}


def truncated_law(kind: str, z: Any, loc: Any, scale: Any, lower: Any, upper: Any) -> Law:
    r"""Return a truncated location-scale law, $p(z) = q(z)/(Q(b) - Q(a))$."""
    below = [sp.S.Zero if lower == -sp.oo else BELOW[kind]((lower - loc) / scale)]
    below += [sp.S.One if upper == sp.oo else BELOW[kind]((upper - loc) / scale)]
    mass = BELOW[kind]((loc - lower) / scale) if upper == sp.oo else below[1] - below[0]  # each is symmetric
    whole = NUMPYRO[kind].law(z, loc, scale)
    return law(z, log_density=whole.log_density - sp.log(mass), support=(lower, upper), conditions=whole.conditions)


def truncated_normal(z: Any, loc: Any, scale: Any, lower: Any, upper: Any) -> Law:
    """Return a truncated normal law."""
    return truncated_law("Normal", z, loc, scale, lower, upper)


PYMC: dict[str, Translation] = {
    "normal": Translation(("mu", "sigma"), f.normal),
    "halfnormal": Translation(("loc", "sigma"), _half_normal, True),
    "cauchy": Translation(("alpha", "beta"), f.cauchy),
    "halfcauchy": Translation(("beta",), f.half_cauchy, True),
    "t": Translation(("nu", "mu", "sigma"), f.student_t),
    "laplace": Translation(("mu", "b"), f.laplace),
    "logistic": Translation(("mu", "s"), f.logistic),
    "gumbel": Translation(("mu", "beta"), f.gumbel),
    "lognormal": Translation(("mu", "sigma"), f.log_normal, True),
    "exponential": Translation(("scale",), lambda z, scale: f.exponential(z, 1 / scale), True),
    "gamma": Translation(("alpha", "scale"), lambda z, a, scale: f.gamma(z, a, 1 / scale), True),
    "invgamma": Translation(("alpha", "beta"), f.inverse_gamma, True),
    "beta": Translation(("alpha", "beta"), f.beta, True),
    "kumaraswamy": Translation(("a", "b"), f.kumaraswamy, True),
    "uniform": Translation(("lower", "upper"), f.uniform),
    "weibull": Translation(("alpha", "beta"), f.weibull, True),
    "pareto": Translation(("alpha", "m"), lambda z, a, m: f.pareto(z, m, a), True),
    "vonmises": Translation(("mu", "kappa"), f.von_mises),
    "wald": Translation(("mu", "lam", "alpha"), _inverse_gaussian, True),
    "triangular": Translation(("lower", "c", "upper"), f.triangular),
    "bernoulli": Translation(("p",), f.bernoulli),
    "binomial": Translation(("n", "p"), f.binomial),
    "poisson": Translation(("mu",), f.poisson),
    "negative_binomial": Translation(("n", "p"), lambda z, n, p: f.neg_binomial_2(z, n * (1 - p) / p, n)),
    "skewnormal": Translation(("mu", "sigma", "alpha"), f.skew_normal),
    "truncated_normal": Translation(("mu", "sigma", "lower", "upper"), truncated_normal),
    "flat": Translation((), flat),
    "half_flat": Translation((), lambda z: flat(z, Interval(sp.S.Zero, sp.oo)), True),
}
