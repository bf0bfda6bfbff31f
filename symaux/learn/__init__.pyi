"""The public names of symaux.learn for editors and type checkers; ``__init__.py`` loads them when they are first used."""

from symaux.learn.ais import Evidence, marginal_likelihood
from symaux.learn.diagnostics import Diagnosis, diagnose
from symaux.learn.joint_map import Mode
from symaux.learn.joint_map import joint_map as map
from symaux.learn.monte_carlo_em import Learnt, mcem
from symaux.learn.posterior import sample
from symaux.learn.unbounded_modes import UnboundedDensity

__all__ = [
    "Diagnosis",
    "Evidence",
    "Learnt",
    "Mode",
    "UnboundedDensity",
    "diagnose",
    "map",
    "marginal_likelihood",
    "mcem",
    "sample",
]

def __dir__() -> list[str]: ...
