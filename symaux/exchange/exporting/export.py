"""``exported(model, "numpyro")``: the source of a model for the users of another library."""

from __future__ import annotations

from collections.abc import Mapping

from symaux.exchange.exporting.python.source import python_source
from symaux.exchange.exporting.spelling.natural_coordinates import NotExported, natural
from symaux.exchange.exporting.stan.program import stan_program
from symaux.model.model import Model
from symaux.rules.derivation import Derivation

TARGETS = ("numpyro", "pymc", "stan")


def exported(model: Model | Derivation, to: str) -> str:
    """Return a model, or the auxiliary form of a derivation, as source for NumPyro, PyMC or Stan.

    >>> import symaux as sa
    >>> print(exported(sa.auxiliary(sa.parse("m ~ normal(0, 5)\\nx ~ normal(m, 2)")), "stan").split("}")[1].strip())
    transformed parameters {
      real x;
      x = 2*eps_x + m;
    """
    made = natural(model) if isinstance(model, Derivation) else model
    form = "In auxiliary form, w" if isinstance(model, Derivation) else "W"
    title = f"{form}ritten by symaux."
    try:
        return stan_program(made, title) if to == "stan" else python_source(made, to, title)
    except NotExported as failure:
        if not isinstance(model, Derivation):
            raise
        raise NotExported(failure.target, failure.parts, _hint(model, failure.parts)) from None


def _hint(derivation: Derivation, parts: Mapping[str, str]) -> str:
    """How to leave variables as they are whose generating function the target cannot say."""
    rewritten = [name for name in derivation.before.latents if name not in derivation.kept]
    others = [name for name in rewritten if name not in parts]
    if not set(parts) & set(rewritten):
        return ""
    return f"rewrite the others only, --only {' '.join(others)}" if others else "the model as it is, --original"
