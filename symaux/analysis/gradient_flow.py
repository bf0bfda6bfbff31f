r"""Measure gradient flow: how much of the gradient of $\log p$ each edge carries, on average over draws.

Every place where a child reads a parent gets a copy of its own, $p + \delta$ with $\delta = 0$; the derivative of $\log p$ in
$\delta$ is what travels back along that edge, through deterministic nodes too. The mean of its absolute value over draws and
elements is the edge's weight.

>>> import sympy as sp
>>> from symaux.laws.families import normal
>>> from symaux.model.model import Model
>>> m, x = sp.symbols("m x", real=True)
>>> weak = Model.of(normal(m, 0, 1), normal(x, m / 100, 1), observed=[x])
>>> strong = Model.of(normal(m, 0, 1), normal(x, 5 * m, 1), observed=[x])
>>> measured_flow(weak)["m", "x"] < 0.1 < measured_flow(strong)["m", "x"]
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed, IndexedBase

from symaux.errors import DataError
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import Deterministic, Factor, Statement, reads

Edge = tuple[str, str]
DRAWS = 64


def measured_flow(
    model: Model, data: Mapping[str, Any] | None = None, *, positions: Mapping[str, Any] | None = None,
    draws: int = DRAWS, seed: int = 0,
) -> dict[Edge, float]:  # fmt: skip
    """Return the mean of $|\\partial \\log p|$ along each edge, at draws from the prior or at given positions.

    ``positions`` hold draws along a first axis, as a sampler of the posterior leaves them; without them the latents are
    drawn from the prior, and observed variables that ``data`` does not hold are drawn with them.
    """
    import jax
    import jax.numpy as jnp

    from symaux.api import log_density

    held = dict(data or {})
    split, copies = with_copies(model, observed=[name for name in model.observed if name in held])
    at = _draws(model, held, draws, seed) if positions is None else dict(positions)
    known = {n: jnp.shape(v) for n, v in held.items()} | {n: jnp.shape(v)[1:] for n, v in at.items()}
    lengths = model.axes.resolved(known)
    zeros = {c: jnp.zeros([lengths[group] for group in model.axes.of_array(edge[0])]) for c, edge in copies.items()}
    function = log_density(split, held)
    slopes = jax.grad(lambda delta, position: function({**position, **delta}))
    found = jax.jit(jax.vmap(slopes, in_axes=(None, 0)))(zeros, at)
    return {copies[copy]: float(jnp.mean(jnp.abs(value))) for copy, value in found.items()}


def prior_flow(model: Model, draws: int = DRAWS, seed: int = 0) -> dict[Edge, float]:
    """Return the flow at draws from the prior, with random inputs, and with small plates where no length is fixed."""
    import numpy as np

    from symaux.validate.random_inputs import draw_inputs, small_lengths

    lengths = small_lengths(model) | dict(model.axes.lengths)
    return measured_flow(model, draw_inputs(model, lengths, np.random.default_rng(seed)), draws=draws, seed=seed)


def with_copies(model: Model, observed: Sequence[str]) -> tuple[Model, dict[str, Edge]]:
    """Return the model in which each child reads its parents through copies, and the edge that each copy belongs to."""
    copies: dict[str, Edge] = {}
    made: list[Statement] = []
    for statement in model.statements:
        if isinstance(statement, Factor):
            made.append(statement)
            continue
        swapped = {}
        for read in reads(statement):
            if read.name in model.nodes:
                copy = f"flow_{read.name}_to_{statement.name}"
                copies[copy] = (read.name, statement.name)
                swapped[read.element] = read.element + _copy(read.element, copy)
        made.append(_with(statement, swapped))
    return Model.derived(*made, observed=sorted(observed), auxiliary=model.auxiliary), copies


def _copy(read: Any, name: str) -> Any:
    """Return a copy of the same shape that is zero and does not change the sign of a sum."""
    known: dict[str, Any] = {"real": True}
    if read.is_nonnegative or read.is_nonpositive:
        known = {"nonnegative": True} if read.is_nonnegative else {"nonpositive": True}
    if not isinstance(read, Indexed):
        return sp.Symbol(name, **known)
    array: Any = IndexedBase(name, **known)
    return array[read.indices]


def _with(statement: Statement, swapped: Mapping[Any, Any]) -> Statement:
    match statement:
        case Law():
            return statement.substituted(dict(swapped))
        case Deterministic():
            formula: Any = statement.formula.xreplace(dict(swapped))
            return Deterministic(statement.target, formula)
    return statement


def _draws(model: Model, data: Mapping[str, Any], count: int, seed: int) -> dict[str, Any]:
    """Return draws of the latents and of unobserved data from the prior, each with a first axis for the draws."""
    import jax

    from symaux.api import sample_prior

    if missing := [name for name in model.inputs if name not in data]:
        raise DataError(f"measuring the flow needs a value of {', '.join(missing)}: give it in data")
    drawn = jax.vmap(sample_prior(model, data))(jax.random.split(jax.random.key(seed), count))
    unseen = [name for name in model.observed if name not in data]
    return {name: drawn[name] for name in (*model.latents, *unseen)}
