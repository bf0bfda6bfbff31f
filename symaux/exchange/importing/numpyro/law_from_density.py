"""Read the law of a distribution without a table from its own log-density, traced with symbols for its parameters.

Whatever NumPyro can evaluate with known operations is a law by its formula: truncated, transformed, inflated and mixed
distributions, and a user's own classes. The name of a class is not used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, sum_axes
from symaux.exchange.importing.arrays.stabilising_max import has_cancelling_maxima
from symaux.exchange.importing.numpyro.jaxpr import INNER, interpret
from symaux.formulas.symbols.support import Integers, Interval
from symaux.model.statements import factor

ENDLESS = ("_Real", "_RealVector", "_RealMatrix")
ABOVE_ZERO = ("_Positive", "_Nonnegative", "_UnitInterval", "_SoftplusPositive")


def leaves(distribution: Any) -> list[Any]:
    """Return the arrays of a distribution, in a fixed order."""
    import jax

    return jax.tree_util.tree_leaves(distribution)


def has_positive_values(constraint: Any) -> bool:
    """Return whether a constraint is of a kind with positive values."""
    return type(_single(constraint)).__name__ in ABOVE_ZERO


def _single(constraint: Any) -> Any:
    """Return the constraint on one element."""
    while type(constraint).__name__ == "_IndependentConstraint":
        constraint = constraint.base_constraint
    return constraint


def read_density(distribution: Any, value: Any, variable: Grid, given: list[Grid], into: ModelBuilder) -> Grid:
    """Return the log-density of a distribution at a variable.

    ``distribution`` and ``value`` hold numbers of one run, for their shapes and to try out what cancels.
    """
    import jax

    numbers, structure = jax.tree_util.tree_flatten(distribution)

    def traced(parts: Any, at: Any) -> Any:
        return jax.tree_util.tree_unflatten(structure, parts).log_prob(at)

    closed = jax.make_jaxpr(traced)(numbers, value)
    before = into.maxima_cancel
    into.maxima_cancel = has_cancelling_maxima(closed, [*numbers, value], INNER)
    try:
        return interpret(closed, [*given, variable], into, lambda v, grid: grid)[0]
    finally:
        into.maxima_cancel = before


def bounds_of(constraint: Any) -> dict[str, Any]:
    """Return the bounds that a constraint has, as arrays."""
    import jax.numpy as jnp

    names = {"lower": "lower_bound", "upper": "upper_bound"}
    found = {word: getattr(_single(constraint), name, None) for word, name in names.items()}
    return {word: jnp.asarray(bound) for word, bound in found.items() if bound is not None}


def support_of(distribution: Any, lower: Any, upper: Any) -> Any:
    """Return an interval or integers, by the kind of a constraint and its bounds."""
    support = _single(distribution.support)
    kind = type(support).__name__
    if getattr(support, "event_dim", 0) and kind not in ENDLESS:
        raise Untranslatable(f"the distribution {type(distribution).__name__} has no translation")
    if kind == "_Boolean":
        return Integers(sp.S.Zero, sp.S.One)
    if support.is_discrete:
        if lower == -sp.oo:
            raise Untranslatable(f"integers without a smallest one ({type(distribution).__name__}) have no translation")
        return Integers(lower, upper)
    if kind not in ENDLESS and (lower, upper) == (-sp.oo, sp.oo):
        raise Untranslatable(f"the support {support} has no translation")
    return Interval(lower, upper)


def add_likelihood(name: str, term: Grid, axes: list[Any], into: ModelBuilder) -> None:
    """Add the log-density of observed vectors whose law is not in a table, as one named term for each."""
    if not term.rank:
        into.statements.append(factor(term.at(())))
        return
    each = into.variable(f"{name} log density", term.shape)
    into.define(each, axes[: term.rank], term)
    into.statements.append(factor(sum_axes(each, range(term.rank), into.fresh).at(())))


def mask_of(distribution: Any) -> Any:
    """Return the mask of a distribution, also inside of wrappers, or None."""
    found = None
    while hasattr(distribution, "base_dist") and type(distribution).__name__ in WRAPPERS:
        if type(distribution).__name__ == MASKED:
            own = distribution._mask
            found = own if found is None else found & own
        distribution = distribution.base_dist
    return found


def rows_of(mask: Any, shape: tuple[int, ...]) -> list[Any] | None:
    """Return the places where a mask holds, axis by axis; None where it holds everywhere."""
    held = np.broadcast_to(np.asarray(mask, bool), shape)
    return None if held.all() else list(np.nonzero(held))


MASKED = "MaskedDistribution"
WRAPPERS = ("ExpandedDistribution", "Independent", MASKED)

__all__ = [
    "WRAPPERS",
    "add_likelihood",
    "bounds_of",
    "has_positive_values",
    "leaves",
    "mask_of",
    "read_density",
    "rows_of",
    "support_of",
]  # fmt: skip
