r"""Name the coordinates that samplers and optimisers move: the latents of a model on the real line, for each variable.

>>> import sympy as sp
>>> from symaux.laws.families import half_cauchy, normal
>>> mu, tau = sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
>>> made = to_real_line(Model.of(half_cauchy(tau, 5), normal(mu, 0, tau)), "auxiliary")
>>> made.after.latents, coordinates(made.after, "mu"), coordinates(made.after, "tau")
(('log_tau', 'eps_mu'), ('eps_mu',), ('log_tau',))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from symaux.errors import ModelError
from symaux.formulas.symbols.indices import name_of
from symaux.model.model import Model
from symaux.model.statements import Factor
from symaux.rules.derivation import Derivation

FORMS = ("auxiliary", "original")


def to_real_line(target: Any, form: str = "auxiliary") -> Derivation:
    """Return the derivation to a model whose latents are all real: in auxiliary form, or only unconstrained."""
    from symaux.api import auxiliary, unconstrain

    if isinstance(target, Derivation) and isinstance(target.after, Model):
        rest = unconstrain(target.after)
        return replace(target, after=rest.after, steps=(*target.steps, *rest.steps))
    if not isinstance(target, Model):
        raise ModelError(f"sa.learn takes a model or a model's derivation, not {type(target).__name__}")
    if form not in FORMS:
        raise ModelError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
    return unconstrain(target) if form == "original" else to_real_line(auxiliary(target))


def coordinates(after: Model, name: str) -> tuple[str, ...]:
    """Return the latents that rewrites introduced for a variable of the user's; the variable itself if there are none."""
    if name in after.latents:
        return (name,)
    own = [parent for parent in after.nodes[name].parents if parent in after.auxiliary]
    return tuple(dict.fromkeys(key for parent in own for key in coordinates(after, parent)))


def names_of(names: Any) -> tuple[str, ...]:
    """Return names from names, symbols and arrays, or one of them.

    >>> names_of("W"), names_of(["W", "b"])
    (('W',), ('W', 'b'))
    """
    one = isinstance(names, str) or hasattr(names, "free_symbols")
    return tuple(name_of(name) for name in ([names] if one else names))


def condition_on(model: Model, names: Iterable[str]) -> Model:
    r"""Return the model of all other variables with some as inputs, $p(\cdot \mid \theta)$: their statements are left out."""
    out = {*names} | {key for name in names for key in _introduced(model, name)}
    kept = [s for s in model.statements if isinstance(s, Factor) or s.name not in out]
    return Model.derived(*kept, observed=sorted(model.observed), auxiliary=model.auxiliary - out)


def _introduced(model: Model, name: str) -> set[str]:
    """Return all variables that rewrites introduced for a variable."""
    own = {parent for parent in model.nodes[name].parents if parent in model.auxiliary}
    return own | {key for parent in own for key in _introduced(model, parent)}
