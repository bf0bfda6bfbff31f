"""Choose the form of each latent from data: weights by curvature or by a variational run, then fixed and verified as any form.

A variable without a partial form is kept or rewritten completely, whichever suits its data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from symaux.derivation.model import descendants_of_latents, moving_names
from symaux.derivation.partial import RULE, read_location_and_scale
from symaux.derivation.partial_shape import depends_on
from symaux.errors import DataError
from symaux.formulas.symbols.indices import indices_of
from symaux.learn.choose.curvature import COST, data_shares, half_weights, run_pilot
from symaux.learn.choose.variational import COST as FIT
from symaux.learn.choose.variational import fit_weights
from symaux.learn.choose.weights import best_weight, preferred_weight
from symaux.learn.compiled_model import Arrays
from symaux.learn.precision import use_precision
from symaux.model.model import Model
from symaux.rules.choice import Choice, describe_weight, round_weights
from symaux.rules.derivation import Derivation

PILOT = 90  # moves of each chain, of which the last third is looked at
NEAR = 0.1  # a learnt weight this near to a pure form is that form's; all of a variable's, if none is twice as far
ROOT = "a root: it has no latent parents, so nothing is gained"
UNMEASURED = "auxiliary form: it has several coordinates, so that prior and data were not compared"


def choose_forms(
    model: Model,
    data: Mapping[str, Any] | None,
    how: str,
    only: Iterable[str] | None = None,
    noise: str = "normal",
    seed: int = 0,
    moves: int = PILOT,
) -> tuple[Derivation, Arrays]:
    """Return the derivation to the chosen form of every latent, and the shares of the data that were measured."""
    from symaux.api import partial

    _check_data(model, data, how)
    below = descendants_of_latents(model)
    asked = [n for n in model.latents if n in below and (only is None or n in only)]
    reasons = {n: "not asked for" if n in below else ROOT for n in model.latents}
    if not asked:
        return _derive_choice(model, Choice(how, {}, reasons), noise), {}
    trial = partial(model, asked, closed=True)
    between = [n for n in asked if n not in trial.kept]
    with use_precision("float64"):
        given = {**(data or {}), **half_weights(trial, dict(data or {}), between)}
        aim, positions, gradients = run_pilot(trial, given, moves, seed)
        found = data_shares(aim, asked, positions, seed)
        gradients += COST * len(found)
        found |= {n: _fill_roots(trial, n, found[n]) for n in between}
        parents = {n: _parents(trial, n) for n in between}
        weights = {n: preferred_weight(r, *parents[n]) if n in between else _pure_weight(r) for n, r in found.items()}
        learnt: Arrays = {}
        if how == "learn" and between:
            first = {n: best_weight(found[n], *parents[n]) for n in between}
            learnt = fit_weights(trial, aim, positions, first, seed)
            weights |= {n: _snap_to_pure(w) for n, w in learnt.items()}
            gradients += FIT
    weights = round_weights({n: 0.0 for n in asked} | weights)
    reasons |= {n: _reason(weights[n], found.get(n), n in learnt, n in between) for n in asked}
    return _derive_choice(model, Choice(how, weights, reasons, {}, gradients), noise), found


def _check_data(model: Model, data: Mapping[str, Any] | None, how: str) -> None:
    missing = sorted({*model.inputs, *model.observed} - set(data or {}))
    if not missing:
        return
    raise DataError(
        f'choose="{how}" weighs what the data say of each variable against its prior: it needs {", ".join(missing)}\n'
        f'  try: sa.auxiliary(model, choose="{how}", data={{...}}), or --data FILE on the command line;\n'
        '       choose="all" rewrites every latent and needs none; sa.advise(model) advises by the graph alone'
    )


def _derive_choice(model: Model, choice: Choice, noise: str) -> Derivation:
    """Return the derivation to the chosen forms; a variable without an auxiliary form stays as it is, with the reason."""
    import numpy as np

    from symaux.api import apply_choice

    inputs = {f"lambda_{n}": np.asarray(w) for n, w in choice.weights.items() if np.ndim(w)}
    symbolic = {n: None if np.ndim(w) else w for n, w in choice.weights.items()}
    made = apply_choice(model, symbolic, choice.reasons, noise)
    failed = {n: made.kept[n] for n, w in symbolic.items() if n in made.kept and w != 1}
    weights = choice.weights | dict.fromkeys(failed, 1.0)
    return replace(made, choice=replace(choice, weights=weights, reasons=choice.reasons | failed, inputs=inputs))


def _lines(trial: Derivation, name: str) -> dict[Any, tuple[bool, bool]]:
    """Return whether latent variables occur in the location, and in the scale, by statement of a variable.

    A shape moves both, on the real line.
    """
    moving = moving_names(trial.before)
    found = {}
    for step in trial.steps:
        (noise,) = step.after.noise
        if noise.name == f"partial_{name}":
            along = step.rule == RULE
            parts = read_location_and_scale(step.after, f"lambda_{name}") if along else (step.after.value,) * 2
            found[noise.value] = tuple(depends_on(part, moving) for part in parts)
    return found


def _parents(trial: Derivation, name: str) -> tuple[bool, bool]:
    """Return whether latent variables occur in the location of a variable, and whether in its scale."""
    lines = _lines(trial, name).values()
    return any(location for location, _ in lines), any(scale for _, scale in lines)


def _fill_roots(trial: Derivation, name: str, share: Any) -> Any:
    """Return the shares with elements without latent parents, as z[0] of a series, filled in like the others.

    Those elements are the same in all forms.
    """
    import numpy as np

    made = np.array(share, dtype=float)
    for value, moved in _lines(trial, name).items():
        if not any(moved) and made.ndim:
            made[tuple(int(i) if i.is_Integer else slice(None) for i in indices_of(value))] = np.nan
    return np.where(np.isnan(made), np.nanmean(made), made)


def _pure_weight(share: Any) -> float:
    """Return one of the pure forms, for all elements."""
    import numpy as np

    return float(np.mean(share) > 0.5)


def _snap_to_pure(weight: Any) -> Any:
    """Return learnt weights with those near a pure form moved there.

    >>> import numpy as np
    >>> _snap_to_pure(np.array([0.05, 0.5])), _snap_to_pure(np.array([0.82, 0.95]))
    (array([0. , 0.5]), array([1., 1.]))
    """
    import numpy as np

    for pure in (0.0, 1.0):
        away = np.abs(weight - pure)
        if np.mean(away) < 1.2 * NEAR and np.max(away) < 2 * NEAR:
            return np.full(np.shape(weight), pure)
    return np.where(weight < NEAR, 0.0, np.where(weight > 1 - NEAR, 1.0, weight))


def _reason(weight: Any, share: Any, learnt: bool, between: bool) -> str:
    """Return a sentence that gives the reason for the form of one variable."""
    import numpy as np

    if share is None:
        return UNMEASURED
    low, high = np.min(weight), np.max(weight)
    form = "auxiliary form" if high == 0 else "original form" if low == 1 else f"in between, {describe_weight(weight)}"
    part = percent(share)
    if learnt:
        return f"{form}: fitted by a variational run; the data are {part} of what is known of it given its parents"
    why = {"auxiliary form": "weaker than its prior", "original form": "sharper than its prior"}
    said = why.get(
        form, "about as sharp as its prior" if np.ptp(share) < 0.5 else "sharp for some elements and weak for others"
    )
    whole = "" if between else "; it has no closed form part of the way"
    return f"{form}: the data are {said}, {part} of what is known of it given its parents{whole}"


def percent(share: Any) -> str:
    """Return a share as text.

    >>> import numpy as np
    >>> percent(0.254), percent(np.array([0.02, 0.9]))
    ('25 %', '2 to 90 %')
    """
    import numpy as np

    low, high = (round(100 * float(edge(share))) for edge in (np.min, np.max))
    return f"{low} %" if low == high else f"{low} to {high} %"
