"""Put Bayesian networks into auxiliary form (the non-centred parameterisation): derived, verified, and compiled to JAX.

Everything loads when it is first used; ``import symaux`` imports neither sympy nor jax. The packages are rooms in the order in
which data flow, and ``docs/architecture.md`` says what each holds and walks through them with one model. The rules are not
here but in ``/rewrites``. Read ``api.py`` first.
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
    "symaux.formulas.symbols.indices": ["arrays", "plate"],
    "symaux.laws.law": ["Law", "flat", "law"],
    "symaux.laws.families": _FAMILIES,
    "symaux.laws.family": ["family"],
    "symaux.laws.vector_laws": ["categorical", "dirichlet", "mixture", "multivariate_normal", "multivariate_student_t"],
    "symaux.laws.matrix_laws": ["inverse_wishart", "lkj_cholesky", "wishart"],
    "symaux.model.statements": ["Deterministic", "Factor", "deterministic", "factor"],
    "symaux.model.model": ["Model"],
    "symaux.language.parse": ["parse"],
    "symaux.files.data": ["read_data"],
    "symaux.exchange.importing.numpyro.model": ["from_numpyro"],
    "symaux.exchange.importing.pymc.model": ["from_pymc"],
    "symaux.exchange.importing.sympy_stats": ["from_sympy_stats"],
    "symaux.exchange.importing.arrays.errors": ["NotTranslated"],
    "symaux.exchange.exporting.export": ["exported"],
    "symaux.exchange.exporting.spelling.natural_coordinates": ["NotExported"],
    "symaux.model.roll": ["roll"],
    "symaux.formulas.symbols.support": ["CorrelationFactors", "Integers", "Interval", "PositiveDefinite", "Simplex", "Vectors"],
    "symaux.formulas.functions.elementary": ["log_ndtr", "ndtr", "ndtri", "sigmoid", "softplus"],
    "symaux.rules.rule": ["Rewrite", "Rule", "rule", "vector_rule"],
    "symaux.rules.form": ["AuxiliaryForm"],
    "symaux.rules.derivation": ["Derivation", "Step"],
    "symaux.rules.verdict": ["Status", "Verdict"],
    "symaux.analysis.blanket": ["blankets", "factors", "markov_blanket"],
    "symaux.analysis.information": ["diameter", "information_distance", "information_distances"],
    "symaux.analysis.element_distance": ["element_distance"],
    "symaux.analysis.gain": ["gains"],
    "symaux.analysis.gradient_flow": ["measured_flow"],
    "symaux.learn.choose.advise": ["advise"],
    "symaux.show.drawing.render": ["render"],
    "symaux.show.reporting.report": ["report"],
    "symaux.api": [
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

__all__ = sorted([*_HOME, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll] -- the stub lists them


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
