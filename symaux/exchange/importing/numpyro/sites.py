"""Translate sites of a NumPyro trace to statements: by the tables of laws, or by the distribution's own density."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, broadcast, sum_axes
from symaux.exchange.importing.laws.tables import BELOW, NUMPYRO, truncated_law
from symaux.exchange.importing.laws.time_series import random_walk
from symaux.exchange.importing.laws.vectors import VECTORS, Vector
from symaux.exchange.importing.numpyro.law_from_density import (
    WRAPPERS,
    add_likelihood,
    bounds_of,
    has_positive_values,
    leaves,
    mask_of,
    read_density,
    rows_of,
    support_of,
)
from symaux.laws.law import Law, flat, law
from symaux.model.statements import factor

TRUNCATED = ("LeftTruncatedDistribution", "RightTruncatedDistribution", "TwoSidedTruncatedDistribution")
WALK, UNIT, IMPROPER = "GaussianRandomWalk", "Unit", "ImproperUniform"


@dataclass(frozen=True)
class Site:
    """A site with its value, the variable that stands for it if it is latent, its plates, and the grids of its parameters."""

    name: str
    message: Any
    variable: Grid | None
    axes: list[Any]
    parameters: Any

    @property
    def distribution(self) -> Any:
        return unwrap(self.message["fn"])

    @property
    def kind(self) -> str:
        return kind_of(self.distribution)


def unwrap(distribution: Any) -> Any:
    """Return a distribution without wrappers that expand or mask it."""
    while type(distribution).__name__ in WRAPPERS:
        distribution = distribution.base_dist
    return distribution


def kind_of(distribution: Any) -> str:
    """Return the name of a distribution in the tables: its class, or the one that it inherits its log-density from."""
    own = type(distribution)
    for known in own.__mro__:
        same = known.__dict__.get("log_prob") is not None and known.log_prob is own.log_prob
        if same and _is_numpyros(known) and (known.__name__ in NUMPYRO or known.__name__ in VECTORS):
            return known.__name__
    return own.__name__ if _is_numpyros(own) else f"{own.__module__}.{own.__name__}"


def _is_numpyros(kind: type) -> bool:
    """Return whether a class is NumPyro's own: somebody else's may be called Normal too."""
    return kind.__module__.startswith("numpyro.")


def is_positive(site: Any) -> bool:
    """Return whether the values of a site are positive by its kind of law, or by what a parameter is declared to be."""
    if site["type"] == "param":
        constraint = site["kwargs"].get("constraint")
        return constraint is not None and has_positive_values(constraint)
    distribution = unwrap(site["fn"])
    table = NUMPYRO.get(kind_of(distribution)) or VECTORS.get(kind_of(distribution))
    return table.positive if table else has_positive_values(distribution.support)


def traced_parameters(distribution: Any) -> dict[str, Any]:
    """Return the parameters of a distribution that are traced."""
    own = unwrap(distribution)
    kind = kind_of(own)
    if kind == UNIT:
        return {"log_factor": own.log_factor}
    if kind == WALK:
        return {"scale": own.scale}
    if kind == IMPROPER:
        return bounds_of(own.support)
    if table := NUMPYRO.get(kind) or VECTORS.get(kind):
        return {name: getattr(own, name) for name in table.parameter_names(own)}
    if is_truncated(own):
        return {"loc": own.base_dist.loc, "scale": own.base_dist.scale, **bounds_of(own.support)}
    return {"leaves": leaves(own), **bounds_of(own.support)}


def is_truncated(distribution: Any) -> bool:
    """Return whether a distribution is a truncated location-scale law whose distribution function is in the table."""
    inner = type(getattr(distribution, "base_dist", None)).__name__
    return type(distribution).__name__ in TRUNCATED and inner in BELOW


def read_site(into: ModelBuilder, site: Site) -> None:
    """Add the statements of a site."""
    if site.kind == UNIT:
        term = site.parameters["log_factor"]
        into.statements.append(factor(sum_axes(term, range(term.rank), into.fresh).at(())))
        return
    if site.message.get("scale") is not None:
        raise Untranslatable("a log-density that is scaled (numpyro.handlers.scale, subsampling) has no translation")
    mask = mask_of(site.message["fn"])
    if site.variable is not None:
        if mask is not None and not np.all(mask):
            raise Untranslatable("a latent variable that is masked has no translation")
        _state(into, site, np.asarray(site.message["value"]))
        return
    value, event = np.asarray(site.message["value"]), len(site.message["fn"].event_shape)
    rows = None if mask is None else rows_of(mask, value.shape[: value.ndim - event])
    if rows is not None:
        if not len(rows[0]):
            return
        value = value[tuple(rows)]
        site = _unmasked(into, site, rows, value.shape)
    name = into.name(site.name)
    into.data[name] = value.astype(float) if value.dtype.kind in "iub" else value
    variable = into.variable(site.name, value.shape, is_positive(site.message))
    if _state(into, replace(site, variable=variable), value):
        into.observed.append(name)


def _unmasked(into: ModelBuilder, site: Site, rows: list[Any], shape: tuple[int, ...]) -> Site:
    """Return a site of the elements that a mask leaves, one after the other along a plate of their own."""
    import jax

    full, places = np.shape(site.message["value"]), [into.constant(row) for row in rows]
    axes = [into.plate(f"{site.name}_seen", shape[0]), *site.axes[len(rows) :]]

    def picked(grid: Grid) -> Grid:
        extra = grid.rank - len(full)  # a matrix has an axis more than its vector
        whole = broadcast(grid, (*full, *grid.shape[len(full) :]) if extra > 0 else full)
        here = len(rows)
        return Grid((shape[0], *whole.shape[here:]), lambda at: whole.at((*(p.at((at[0],)) for p in places), *at[1:])))

    made = jax.tree_util.tree_map(picked, site.parameters, is_leaf=lambda g: isinstance(g, Grid))
    return replace(site, axes=axes, parameters=made)


def _state(into: ModelBuilder, site: Site, value: Any) -> bool:
    """Add the law of a variable; return False if it is only a term of the log-density."""
    variable, axes, given, kind = site.variable, site.axes, site.parameters, site.kind
    assert variable is not None
    if kind == WALK:
        into.statements += random_walk(variable, axes, sp.S.Zero, given["scale"], given["scale"])
    elif kind == IMPROPER:
        into.state(site.name, variable, axes, lambda z, at: flat(z, _support(site, at)))
    elif kind in VECTORS:
        into.statements.append(VECTORS[kind].law(Vector(variable, axes, into), given))
    elif kind in NUMPYRO:
        table = NUMPYRO[kind]
        into.state(site.name, variable, axes, lambda z, at: table.law(z, *(at(given[p]) for p in table.parameters)))
    elif is_truncated(site.distribution):
        into.state(site.name, variable, axes, lambda z, at: _truncated(site, z, at))
    else:
        return _by_density(into, site, variable, value)
    return True


def _truncated(site: Site, z: Any, at: Any) -> Law:
    inside, given = _support(site, at), site.parameters
    kind = type(site.distribution.base_dist).__name__
    return truncated_law(kind, z, at(given["loc"]), at(given["scale"]), inside.lower, inside.upper)


def _support(site: Site, at: Any) -> Any:
    given = site.parameters
    lower, upper = (at(given[word]) if word in given else end for word, end in (("lower", -sp.oo), ("upper", sp.oo)))
    return support_of(site.distribution, lower, upper)


def _by_density(into: ModelBuilder, site: Site, variable: Grid, value: Any) -> bool:
    distribution = site.distribution
    try:
        density = read_density(distribution, value, variable, site.parameters["leaves"], into)
    except Untranslatable as failure:
        raise Untranslatable(f"the distribution {site.kind} has no translation: {failure}") from None
    if distribution.event_shape:
        if not site.message["is_observed"]:
            raise Untranslatable(
                f"the distribution {site.kind} of a latent vector has no translation; if it is a transformed one,"
                " numpyro.handlers.reparam with TransformReparam() makes its parts sites of their own"
            )
        add_likelihood(site.name, density, site.axes, into)
        return False
    into.state(
        site.name, variable, site.axes, lambda z, at: law(z, log_density=at(density), support=_support(site, at))
    )
    return True


__all__ = ["Site", "is_positive", "mask_of", "read_site", "traced_parameters"]
