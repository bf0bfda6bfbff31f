"""``exported(model, "numpyro")``: the source of a model for the users of another library."""

from __future__ import annotations

from symaux.derivation import Derivation
from symaux.exporting.natural import natural
from symaux.exporting.python_source import python_source
from symaux.exporting.stan import stan_program
from symaux.model import Model

TARGETS = ("numpyro", "pymc", "stan")


def exported(model: Model | Derivation, to: str) -> str:
    """A model, or the auxiliary form of a derivation, as source for NumPyro, PyMC or Stan.

    >>> import symaux as sa
    >>> print(exported(sa.auxiliary(sa.parse("m ~ normal(0, 5)\\nx ~ normal(m, 2)")), "stan").split("}")[1].strip())
    transformed parameters {
      real x;
      x = 2*eps_x + m;
    """
    made = natural(model) if isinstance(model, Derivation) else model
    form = "In auxiliary form, w" if isinstance(model, Derivation) else "W"
    title = f"{form}ritten by symaux."
    return stan_program(made, title) if to == "stan" else python_source(made, to, title)
