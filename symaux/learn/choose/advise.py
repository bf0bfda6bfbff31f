r"""Advise which variables to rewrite, and how far: one weight per element between auxiliary form (0) and original form (1).

Where the prior of $z = m + s\,\varepsilon$ is sharper than what the data say of it, z is tied to its parents and the
auxiliary form mixes; where the data are sharper, $\varepsilon$ is. ``advise`` measures the share of the data in every element
by curvatures at a pilot run, and takes the weight that ``symaux.learn.choose.weights`` derives from it.
``choose="learn"`` fits the weights by a variational run instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symaux.analysis.gain import Gain, gains
from symaux.derivation.model import descendants_of_latents
from symaux.learn.choose.choose import PILOT, ROOT, choose_forms
from symaux.model.model import Model
from symaux.rules.arguments import as_model
from symaux.rules.derivation import Derivation


@dataclass(frozen=True)
class Advice:
    """Weights by variable, the reasons, the changes of the graph by rewriting, and the model to go on with."""

    weights: dict[str, Any]
    reasons: dict[str, str]
    gains: dict[str, Gain]
    derivation: Derivation
    data: dict[str, Any] = field(repr=False)  # the user's, with the weights that are inputs
    gradients: int = 0  # that the pilot took, its warm-up included
    shares: dict[str, Any] = field(default_factory=dict, repr=False)  # of the data, by variable

    def __str__(self) -> str:
        return "\n".join(f"{name}: {reason}" for name, reason in self.reasons.items())


def advise(model: Model, data: Mapping[str, Any] | None = None, *, seed: int = 0, pilot: int = PILOT) -> Advice:
    """Advise for every latent whether to rewrite it; with data, how far, by a short pilot run.

    ``sa.learn.sample(advice.derivation, data)`` goes on with what was chosen.
    """
    from symaux.api import auxiliary

    below, known = descendants_of_latents(as_model(model)), gains(model)
    if data is None and (model.inputs or model.observed):
        made = auxiliary(model)
        reasons = {n: made.kept.get(n) or (_structural(known[n]) if n in below else ROOT) for n in model.latents}
        return Advice({}, reasons, known, made, {})
    made, found = choose_forms(model, data, "advise", seed=seed, moves=pilot)
    choice = made.choice
    assert choice is not None
    whole = {**(data or {}), **choice.inputs}
    return Advice(choice.weights, choice.reasons, known, made, whole, choice.gradients, found)


def _structural(gain: Gain) -> str:
    return (
        f"rewrite: its blanket grows from {gain.blanket[0]} to {gain.blanket[1]} variables, and information about the"
        f" observations reaches {gain.reached[1]} latents at once instead of {gain.reached[0]}"
    )
