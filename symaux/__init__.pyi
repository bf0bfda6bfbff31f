"""The public names of symaux for editors and type checkers; ``__init__.py`` loads them when they are first used."""

from symaux import learn as learn
from symaux.analysis.blanket import blankets, factors, markov_blanket
from symaux.analysis.element_distance import element_distance
from symaux.analysis.gain import gains
from symaux.analysis.gradient_flow import measured_flow
from symaux.analysis.information import diameter, information_distance, information_distances
from symaux.api import (
    auxiliary,
    calibrate,
    derive,
    forms,
    generate,
    log_density,
    partial,
    sample_prior,
    to_source,
    to_stablehlo,
    unconstrain,
    verify,
)
from symaux.errors import (
    DataError,
    LanguageError,
    LawError,
    ModelError,
    NoRuleApplies,
    NotVerified,
    SymauxError,
    UnknownFunction,
)
from symaux.exchange.exporting.export import exported
from symaux.exchange.exporting.spelling.natural_coordinates import NotExported
from symaux.exchange.importing.arrays.errors import NotTranslated
from symaux.exchange.importing.numpyro.model import from_numpyro
from symaux.exchange.importing.pymc.model import from_pymc
from symaux.exchange.importing.sympy_stats import from_sympy_stats
from symaux.files.data import read_data
from symaux.formulas.functions.elementary import log_ndtr, ndtr, ndtri, sigmoid, softplus
from symaux.formulas.symbols.indices import arrays, plate
from symaux.formulas.symbols.support import CorrelationFactors, Integers, Interval, PositiveDefinite, Simplex, Vectors
from symaux.language.parse import parse
from symaux.laws.families import (
    bernoulli,
    beta,
    binomial,
    cauchy,
    chi_squared,
    exponential,
    frechet,
    gamma,
    gumbel,
    half_cauchy,
    half_normal,
    inverse_gamma,
    inverse_gaussian,
    kumaraswamy,
    laplace,
    log_normal,
    logistic,
    neg_binomial_2,
    normal,
    pareto,
    poisson,
    rayleigh,
    skew_normal,
    student_t,
    triangular,
    uniform,
    von_mises,
    weibull,
)
from symaux.laws.family import family
from symaux.laws.law import Law, flat, law
from symaux.laws.matrix_laws import inverse_wishart, lkj_cholesky, wishart
from symaux.laws.vector_laws import categorical, dirichlet, mixture, multivariate_normal, multivariate_student_t
from symaux.learn.choose.advise import advise
from symaux.model.model import Model
from symaux.model.roll import roll
from symaux.model.statements import Deterministic, Factor, deterministic, factor
from symaux.rules.derivation import Derivation, Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rewrite, Rule, rule, vector_rule
from symaux.rules.verdict import Status, Verdict
from symaux.show.drawing.render import render
from symaux.show.reporting.report import report

__version__: str

__all__ = [
    "AuxiliaryForm",
    "CorrelationFactors",
    "DataError",
    "Derivation",
    "Deterministic",
    "Factor",
    "Integers",
    "Interval",
    "LanguageError",
    "Law",
    "LawError",
    "Model",
    "ModelError",
    "NoRuleApplies",
    "NotExported",
    "NotTranslated",
    "NotVerified",
    "PositiveDefinite",
    "Rewrite",
    "Rule",
    "Simplex",
    "Status",
    "Step",
    "SymauxError",
    "UnknownFunction",
    "Vectors",
    "Verdict",
    "__version__",
    "advise",
    "arrays",
    "auxiliary",
    "bernoulli",
    "beta",
    "binomial",
    "blankets",
    "calibrate",
    "categorical",
    "cauchy",
    "chi_squared",
    "derive",
    "deterministic",
    "diameter",
    "dirichlet",
    "element_distance",
    "exponential",
    "exported",
    "factor",
    "factors",
    "family",
    "flat",
    "forms",
    "frechet",
    "from_numpyro",
    "from_pymc",
    "from_sympy_stats",
    "gains",
    "gamma",
    "generate",
    "gumbel",
    "half_cauchy",
    "half_normal",
    "information_distance",
    "information_distances",
    "inverse_gamma",
    "inverse_gaussian",
    "inverse_wishart",
    "kumaraswamy",
    "laplace",
    "law",
    "lkj_cholesky",
    "log_density",
    "log_ndtr",
    "log_normal",
    "logistic",
    "markov_blanket",
    "measured_flow",
    "mixture",
    "multivariate_normal",
    "multivariate_student_t",
    "ndtr",
    "ndtri",
    "neg_binomial_2",
    "normal",
    "pareto",
    "parse",
    "partial",
    "plate",
    "poisson",
    "rayleigh",
    "read_data",
    "render",
    "report",
    "roll",
    "rule",
    "sample_prior",
    "sigmoid",
    "skew_normal",
    "softplus",
    "student_t",
    "to_source",
    "to_stablehlo",
    "triangular",
    "unconstrain",
    "uniform",
    "vector_rule",
    "verify",
    "von_mises",
    "weibull",
    "wishart",
]

def __dir__() -> list[str]: ...
