"""Read models of sympy.stats: random variables whose parameters may be random variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.formulas.symbols.support import Interval
from symaux.laws import families as f
from symaux.laws.law import Law, law
from symaux.laws.support import as_support
from symaux.model.model import Model

FAMILIES: dict[str, Any] = {
    "NormalDistribution": f.normal,
    "CauchyDistribution": f.cauchy,
    "LaplaceDistribution": f.laplace,
    "LogisticDistribution": f.logistic,
    "LogNormalDistribution": f.log_normal,
    "ExponentialDistribution": f.exponential,
    "GammaDistribution": lambda z, k, theta: f.gamma(z, k, 1 / theta),
    "GammaInverseDistribution": f.inverse_gamma,
    "ChiSquaredDistribution": f.chi_squared,
    "BetaDistribution": f.beta,
    "KumaraswamyDistribution": f.kumaraswamy,
    "UniformDistribution": f.uniform,
    "WeibullDistribution": lambda z, scale, shape: f.weibull(z, shape, scale),
    "RayleighDistribution": f.rayleigh,
    "ParetoDistribution": f.pareto,
    "StudentTDistribution": lambda z, df: f.student_t(z, df, 0, 1),
    "GaussianInverseDistribution": f.inverse_gaussian,
    "PoissonDistribution": f.poisson,
    "BinomialDistribution": lambda z, n, p, one, zero: f.binomial(z, n, _counts(one, zero, p)),
    "BernoulliDistribution": lambda z, p, one, zero: f.bernoulli(z, _counts(one, zero, p)),
}


def _counts(one: Any, zero: Any, p: Any) -> Any:
    if (one, zero) != (1, 0):
        raise Untranslatable(f"successes that are called {one} and {zero} have no translation")
    return p


def from_sympy_stats(*variables: Any, observed: Iterable[Any] = ()) -> Model:
    """Return the model of some random variables of sympy.stats and of all their ancestors.

    >>> from sympy.stats import Normal
    >>> mu = Normal("mu", 0, 5)
    >>> y = Normal("y", mu, 2)
    >>> print(from_sympy_stats(y, observed=[y]))
    mu ~ normal(0, 5)
    observe y ~ normal(mu, 2)
    """
    into, made = ModelBuilder("sympy.stats"), {}
    for variable in (*variables, *observed):
        if _is_random(variable):
            _visit(variable, into, made)
        else:
            into.failed[str(variable)] = "this is not a random variable of sympy.stats"
    into.observed = [into.name(str(o)) for o in observed]
    return into.model()


def _is_random(variable: Any) -> bool:
    from sympy.stats.rv import RandomSymbol

    return isinstance(variable, RandomSymbol)


def _visit(variable: Any, into: ModelBuilder, made: dict[Any, Any]) -> None:
    """Add the statements of a variable's parents and its own, each variable once."""
    from sympy.stats.rv import RandomSymbol

    if variable in made:
        return
    name = into.name(str(variable.name))
    made[variable] = sp.Symbol(name, real=True)
    with into.part(name):
        distribution = getattr(variable.pspace, "distribution", None)
        if distribution is None:
            raise Untranslatable("it is an expression of random variables, not a distribution")
        while type(distribution).__name__ == "CompoundDistribution":
            distribution = distribution.args[0]
        parameters = [sp.S(p) for p in distribution.args]
        for parent in sorted({r for p in parameters for r in p.atoms(RandomSymbol)}, key=str):
            _visit(parent, into, made)
        parents = {v: symbol for v, symbol in made.items() if v is not variable}
        given = [p.xreplace(parents) for p in parameters]
        stated = _law(sp.Symbol(name, real=True), distribution, given)
        if isinstance(stated.support, Interval) and stated.support.lower.is_nonnegative:
            made[variable] = sp.Symbol(name, positive=True)
            stated = _law(made[variable], distribution, given)
        into.statements.append(stated)


def _law(value: Any, distribution: Any, parameters: list[Any]) -> Law:
    family = FAMILIES.get(type(distribution).__name__)
    if family is not None:
        return family(value, *parameters)
    plain = type(distribution)(*parameters)
    at = sp.Symbol("at", integer=True) if hasattr(plain, "pmf") else sp.Symbol("at", real=True)
    density = plain.pmf(at) if hasattr(plain, "pmf") else plain.pdf(at)
    if isinstance(density, sp.Piecewise):  # the support says where it is zero
        density = density.args[0].args[0]
    density = density.replace(sp.factorial, lambda n: sp.gamma(n + 1))
    where = sp.FiniteSet(*plain.set) if isinstance(plain.set, set | frozenset | dict) else plain.set
    return law(value, density.xreplace({at: value}), support=as_support(where, value))


__all__ = ["from_sympy_stats"]
