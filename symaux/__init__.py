"""symaux puts Bayesian networks into auxiliary form: derived from formulas, verified, and compiled to JAX.

Everything loads when it is first used; ``import symaux`` imports neither sympy nor jax.
"""

from __future__ import annotations

import importlib
from typing import Any

_FAMILIES = [
    "bernoulli",
    "beta",
    "binomial",
    "cauchy",
    "chi_squared",
    "exponential",
    "frechet",
    "gamma",
    "gumbel",
    "half_cauchy",
    "half_normal",
    "inverse_gamma",
    "inverse_gaussian",
    "kumaraswamy",
    "laplace",
    "log_normal",
    "logistic",
    "neg_binomial_2",
    "normal",
    "pareto",
    "poisson",
    "rayleigh",
    "skew_normal",
    "student_t",
    "triangular",
    "uniform",
    "von_mises",
    "weibull",
]

_PUBLIC = {
    "symaux.indices": ["arrays", "plate"],
    "symaux.laws": ["Law", "flat", "law"],
    "symaux.families": _FAMILIES,
    "symaux.declare": ["family"],
    "symaux.vectors.vector_laws": ["categorical", "dirichlet", "mixture", "multivariate_normal", "multivariate_student_t"],
    "symaux.vectors.matrix_laws": ["inverse_wishart", "lkj_cholesky", "wishart"],
    "symaux.statements": ["Deterministic", "Factor", "deterministic", "factor"],
    "symaux.model": ["Model"],
    "symaux.language.reading": ["parse"],
    "symaux.data_files": ["read_data"],
    "symaux.importing.numpyro_models": ["from_numpyro"],
    "symaux.importing.pymc_models": ["from_pymc"],
    "symaux.importing.stats_models": ["from_sympy_stats"],
    "symaux.importing.untranslated": ["NotTranslated"],
    "symaux.exporting.sources": ["exported"],
    "symaux.exporting.natural": ["NotExported"],
    "symaux.rolling": ["roll"],
    "symaux.support": ["CorrelationFactors", "Integers", "Interval", "PositiveDefinite", "Simplex", "Vectors"],
    "symaux.functions": ["log_ndtr", "ndtr", "ndtri", "sigmoid", "softplus"],
    "symaux.rewrite": ["Rewrite", "Rule", "rule", "vector_rule"],
    "symaux.form": ["AuxiliaryForm"],
    "symaux.derivation": ["Derivation", "Step"],
    "symaux.verdict": ["Status", "Verdict"],
    "symaux.analysis.blanket": ["blankets", "factors", "markov_blanket"],
    "symaux.analysis.information": ["diameter", "information_distance", "information_distances"],
    "symaux.analysis.exchangeable": ["element_distance"],
    "symaux.analysis.gain": ["gains"],
    "symaux.analysis.flow": ["measured_flow"],
    "symaux.learn.advice": ["advise"],
    "symaux.drawing": ["render"],
    "symaux.reporting": ["report"],
    "symaux.defaults": [
        "auxiliary", "calibrate", "derive", "forms", "generate", "log_density", "partial", "sample_prior", "to_source",
        "to_stablehlo", "unconstrain", "verify",
    ],
    "symaux.errors": [
        "DataError", "LanguageError", "LawError", "ModelError", "NoRuleApplies", "NotVerified", "SymauxError",
        "UnknownFunction",
    ],
}  # fmt: skip
_HOME = {name: module for module, names in _PUBLIC.items() for name in names}
_PACKAGES = ["learn"]  # reached as sa.learn.sample and so on

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("symaux")
    if name in _PACKAGES:
        return importlib.import_module(f"symaux.{name}")
    if name not in _HOME:
        raise AttributeError(f"symaux has no {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]
