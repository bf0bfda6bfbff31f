"""Export a model: ``exported(model, "numpyro")`` is its source for the users of another library."""

from __future__ import annotations

from collections.abc import Mapping

from symaux.exchange.exporting.spelling.natural_coordinates import NotExported, in_natural_coordinates
from symaux.exchange.exporting.targets import TARGETS
from symaux.model.model import Model
from symaux.rules.derivation import Derivation


def exported(model: Model | Derivation, to: str) -> str:
    """Return a model, or the auxiliary form of a derivation, as source for NumPyro, PyMC or Stan.

    >>> import symaux as sa
    >>> print(exported(sa.auxiliary(sa.parse("m ~ normal(0, 5)\\nx ~ normal(m, 2)")), "stan").split("}")[1].strip())
    transformed parameters {
      real x;
      x = 2*eps_x + m;
    """
    targets = {target.name: target for target in TARGETS}
    if to not in targets:
        raise NotExported(to, {"target": f"unknown; the targets are {', '.join(targets)}"})
    source = in_natural_coordinates(model) if isinstance(model, Derivation) else model
    form = "In auxiliary form, w" if isinstance(model, Derivation) else "W"
    try:
        return targets[to].write(source, f"{form}ritten by symaux.")
    except NotExported as failure:
        if not isinstance(model, Derivation):
            raise
        raise NotExported(failure.target, failure.parts, _hint(model, failure.parts)) from None


def _hint(derivation: Derivation, parts: Mapping[str, str]) -> str:
    """Return the option that leaves variables as they are whose generating function the target does not support."""
    rewritten = [name for name in derivation.before.latents if name not in derivation.kept]
    others = [name for name in rewritten if name not in parts]
    if not set(parts) & set(rewritten):
        return ""
    return f"rewrite the others only, --only {' '.join(others)}" if others else "the model as it is, --original"
