"""NumPyro's models: ``sa.from_numpyro(model, *args)`` runs one with latent values that leave a trace, and reads the trace.

Arguments are data. Plates keep their names, deterministic sites theirs, factors are factors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symaux.errors import SymauxError
from symaux.importing.collected import Collected, fingerprint
from symaux.importing.grid import Grid, total
from symaux.importing.jaxprs import INNER, interpreted
from symaux.importing.laws import NUMPYRO
from symaux.importing.maxima import cancels
from symaux.importing.series import random_walk
from symaux.importing.untranslated import NotTranslated, Unknown
from symaux.importing.vectors import VECTORS, Vector
from symaux.model import Model
from symaux.statements import factor

WRAPPERS = ("ExpandedDistribution", "Independent")
WALK = "GaussianRandomWalk"


def from_numpyro(model: Callable[..., Any], *args: Any, **kwargs: Any) -> Model:
    """The model that a NumPyro function defines for these arguments; ``.data`` holds its observations and constants.

    Raises NotTranslated with a list of what has no translation.
    """
    try:
        import jax
        from numpyro import handlers
    except ImportError:
        raise NotTranslated("NumPyro", {"numpyro": "it is not installed: pip install numpyro"}) from None

    def traced(latents: Any) -> Any:
        with handlers.seed(rng_seed=0), handlers.trace() as trace, handlers.substitute(data=latents):
            model(*args, **kwargs)
        return trace

    try:
        with jax.numpy_dtype_promotion("standard"), handlers.seed(rng_seed=0), handlers.trace() as first:
            model(*args, **kwargs)
    except SymauxError:
        raise
    except Exception as failure:
        raise NotTranslated(
            "NumPyro", {"the model": f"it cannot be run: {type(failure).__name__}: {failure}"}
        ) from failure
    into = Collected("NumPyro")
    _name_arguments(into, model, args, kwargs)
    sites = {name: site for name, site in first.items() if site["type"] in ("sample", "deterministic")}
    latents = {n: s["value"] for n, s in sites.items() if s["type"] == "sample" and not s["is_observed"]}
    for name in sites:
        into.name(name)
    with jax.numpy_dtype_promotion("standard"):
        closed, shapes = jax.make_jaxpr(lambda values: _outputs(traced(values), sites), return_shape=True)(latents)
        _read(into, sites, latents, closed, shapes)
    return into.model()


def _name_arguments(into: Collected, model: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Arguments that are arrays give their names to the data."""
    try:
        bound = inspect.signature(model).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return
    into.hints = {fingerprint(v): n for n, v in bound.items() if getattr(v, "ndim", 0) and v.dtype.kind in "iufb"}


def _outputs(trace: Any, sites: Any) -> dict[str, Any]:
    """What the laws are made of: the parameters of every site, or the value of a deterministic one."""
    return {
        name: {"value": trace[name]["value"]} if site["type"] == "deterministic" else _parameters(trace[name]["fn"])
        for name, site in sites.items()
    }


def _plain(distribution: Any) -> Any:
    while type(distribution).__name__ in WRAPPERS:
        distribution = distribution.base_dist
    return distribution


def _kind(distribution: Any) -> str:
    return type(_plain(distribution)).__name__


def _parameters(distribution: Any) -> dict[str, Any]:
    plain = _plain(distribution)
    kind = type(plain).__name__
    if kind == "Unit":
        return {"log_factor": plain.log_factor}
    if kind == WALK:
        return {"scale": plain.scale}
    table = NUMPYRO.get(kind) or VECTORS.get(kind)
    return {name: getattr(plain, name) for name in table.parameters} if table else {}


def _read(into: Collected, sites: Any, latents: Any, closed: Any, shapes: Any) -> None:
    import jax

    variables = {name: into.variable(name, np.shape(v), _positive(sites[name])) for name, v in latents.items()}
    order = sorted(latents)  # as jax flattens a dict
    _, tree = jax.tree_util.tree_flatten(shapes)
    names = {closed.jaxpr.outvars[n]: name for n, name in enumerate(_leaf_names(shapes)) if name is not None}
    axes = {name: _axes(into, name, site) for name, site in sites.items()}
    defined: dict[str, Grid] = {}

    def named(variable: Any, grid: Grid) -> Grid:
        name = names.get(variable)
        if name is None or grid.value is not None or name in defined:
            return grid
        defined[name] = into.variable(name, grid.shape)
        into.define(defined[name], axes[name], grid)
        return defined[name]

    into.maxima_cancel = cancels(closed, [latents[name] for name in order], INNER)
    try:
        outputs = interpreted(closed, [variables[name] for name in order], into, named)
    except Unknown as failure:
        raise NotTranslated("NumPyro", {"the formulas": str(failure), **into.failed}) from None
    made = jax.tree_util.tree_unflatten(tree, outputs)
    for name, site in sites.items():
        with into.part(name):
            if site["type"] == "deterministic":
                if name not in defined:
                    into.define(into.variable(name, np.shape(site["value"])), axes[name], made[name]["value"])
            else:
                _site(into, name, site, variables.get(name), axes[name], made[name])


def _leaf_names(shapes: Any) -> list[str | None]:
    """For every leaf of the outputs, the deterministic site that it is the value of."""
    import jax

    leaves, _ = jax.tree_util.tree_flatten_with_path(shapes)
    return [str(path[0].key) if path[-1].key == "value" else None for path, _ in leaves]


def _positive(site: Any) -> bool:
    kind = _kind(site["fn"])
    if kind in NUMPYRO:
        return NUMPYRO[kind].positive
    return kind in VECTORS and VECTORS[kind].positive


def _axes(into: Collected, name: str, site: Any) -> list[Any]:
    """The plates of a site: NumPyro's own by their names, other axes by the site's."""
    shape = np.shape(site["value"]) if site["type"] == "deterministic" or _kind(site["fn"]) != "Unit" else ()
    event = len(site["fn"].event_shape) if site["type"] == "sample" else 0
    frames = {frame.dim - event: frame for frame in site.get("cond_indep_stack", ())}
    made = []
    for axis, length in enumerate(shape):
        frame = frames.get(axis - len(shape))
        label = frame.name if frame is not None and frame.size == length else f"{name}_{axis}"
        made.append(into.plate(label, length))
    return made


def _site(into: Collected, name: str, site: Any, variable: Grid | None, axes: list[Any], parameters: Any) -> None:
    kind = _kind(site["fn"])
    if kind == "Unit":
        term = parameters["log_factor"]
        into.statements.append(factor(total(term, range(term.rank), into.fresh).at(())))
        return
    if site.get("scale") is not None:
        raise Unknown("a log-density that is scaled (numpyro.handlers.scale, subsampling) has no translation")
    if variable is None:
        value = np.asarray(site["value"])
        variable = into.variable(name, value.shape, _positive(site))
        into.observed.append(into.name(name))
        into.data[into.name(name)] = value.astype(float) if value.dtype.kind in "iub" else value
    if kind == WALK:
        into.statements += random_walk(variable, axes, sp.S.Zero, parameters["scale"], parameters["scale"])
    elif kind in VECTORS:
        into.statements.append(VECTORS[kind].law(Vector(variable, axes, into), parameters))
    elif kind in NUMPYRO:
        table = NUMPYRO[kind]
        into.state(name, variable, axes, lambda z, at: table.law(z, *(at(parameters[p]) for p in table.parameters)))
    else:
        raise Unknown(f"the distribution {kind} has no translation")


__all__ = ["from_numpyro"]
