"""Read NumPyro models: ``sa.from_numpyro(model, *args)`` traces a run of the model and translates the jaxpr.

Arguments are data. Plates keep their names, deterministic sites theirs, factors are factors, parameters are inputs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from symaux.errors import SymauxError
from symaux.exchange.importing.arrays.builder import ModelBuilder, fingerprint
from symaux.exchange.importing.arrays.errors import NotTranslated, Untranslatable
from symaux.exchange.importing.arrays.grid import Grid
from symaux.exchange.importing.arrays.stabilising_max import has_cancelling_maxima
from symaux.exchange.importing.numpyro.jaxpr import INNER, interpret
from symaux.exchange.importing.numpyro.sites import Site, is_positive, mask_of, read_site, traced_parameters
from symaux.model.model import Model

KINDS = ("sample", "deterministic", "param")
MASKED = "a mask that depends on latent values has no translation"
MASKED_LATENT = (
    "a latent variable that is masked, as obs_mask makes one of missing values, has no translation; observe the values that"
    " are there, and give the missing ones a site of their own"
)


def from_numpyro(model: Callable[..., Any], *args: Any, **kwargs: Any) -> Model:
    """Return the model that a NumPyro function defines for these arguments; ``.data`` holds its observations and
    constants.

    Raises NotTranslated with a list of what has no translation.
    """
    try:
        import jax
        from numpyro import handlers
        from numpyro.infer.initialization import init_to_uniform
    except ImportError:
        raise NotTranslated("NumPyro", {"numpyro": "it is not installed: pip install numpyro"}) from None

    def run(**substituted: Any) -> Any:
        with handlers.trace() as trace, handlers.substitute(**substituted), handlers.seed(rng_seed=0):
            model(*args, **kwargs)
        return {name: site for name, site in trace.items() if site["type"] in KINDS}

    try:
        with jax.numpy_dtype_promotion("standard"):
            sites = run(substitute_fn=init_to_uniform)  # also of laws that cannot be drawn from
    except SymauxError:
        raise
    except Exception as failure:
        raise NotTranslated(
            "NumPyro", {"the model": f"it cannot be run: {type(failure).__name__}: {failure}"}
        ) from failure
    into = ModelBuilder("NumPyro")
    _name_arguments(into, model, args, kwargs)
    for name in sites:
        into.name(name)
    free = {n: s["value"] for n, s in sites.items() if s["type"] == "param" or _latent(s)}
    moving: set[str] = set()  # sites whose mask depends on latent values

    def outputs(values: Any) -> dict[str, Any]:
        from jax.core import Tracer

        trace = run(data=values)
        moving.update(name for name in trace if isinstance(_mask(trace[name]), Tracer))
        return {name: _output(site) for name, site in trace.items()}

    with jax.numpy_dtype_promotion("standard"):
        closed, shapes = jax.make_jaxpr(outputs, return_shape=True)(free)
        for name in moving:
            into.failed[name] = MASKED_LATENT if name in free else MASKED
        _read(into, sites, free, closed, shapes, moving)
    return into.model()


def _latent(site: Any) -> bool:
    return site["type"] == "sample" and not site["is_observed"]


def _mask(site: Any) -> Any:
    return mask_of(site["fn"]) if site["type"] == "sample" else None


def _name_arguments(into: ModelBuilder, model: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Name the data after the arguments that are arrays."""
    try:
        bound = inspect.signature(model).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return
    into.hints = {fingerprint(v): n for n, v in bound.items() if getattr(v, "ndim", 0) and v.dtype.kind in "iufb"}


def _output(site: Any) -> dict[str, Any]:
    """Return the parameters of a site's law, or the value of a deterministic site."""
    match site["type"]:
        case "sample":
            return traced_parameters(site["fn"])
        case "deterministic":
            return {"value": site["value"]}
    return {}


def _read(into: ModelBuilder, sites: Any, free: Any, closed: Any, shapes: Any, skipped: Collection[str]) -> None:
    """Add the statements of all sites but those that are skipped, whose variables others may read."""
    import jax

    variables = {name: into.variable(name, np.shape(v), is_positive(sites[name])) for name, v in free.items()}
    order = sorted(free)  # as jax flattens a dict
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

    into.maxima_cancel = has_cancelling_maxima(closed, [free[name] for name in order], INNER)
    try:
        outputs = interpret(closed, [variables[name] for name in order], into, named)
    except Untranslatable as failure:
        raise NotTranslated("NumPyro", {"the formulas": str(failure), **into.failed}) from None
    made = jax.tree_util.tree_unflatten(tree, outputs)
    for name, site in sites.items():
        if name in skipped:
            continue
        with into.part(name):
            if site["type"] == "sample":
                read_site(into, Site(name, site, variables.get(name), axes[name], made[name]))
            elif site["type"] == "deterministic" and name not in defined:
                into.define(into.variable(name, np.shape(site["value"])), axes[name], made[name]["value"])


def _leaf_names(shapes: Any) -> list[str | None]:
    """Return, for every leaf of the outputs, the deterministic site whose value it is, or None."""
    import jax

    leaves, _ = jax.tree_util.tree_flatten_with_path(shapes)
    return [str(path[0].key) if getattr(path[-1], "key", "") == "value" else None for path, _ in leaves]


def _axes(into: ModelBuilder, name: str, site: Any) -> list[Any]:
    """Return the plates of a site: NumPyro's own by their names, other axes by the site's."""
    plain = site["type"] != "sample" or type(site["fn"]).__name__ != "Unit"
    shape = np.shape(site["value"]) if plain else ()
    event = len(site["fn"].event_shape) if site["type"] == "sample" else 0
    frames = {frame.dim - event: frame for frame in site.get("cond_indep_stack", ())}
    made = []
    for axis, length in enumerate(shape):
        frame = frames.get(axis - len(shape))
        label = frame.name if frame is not None and frame.size == length else f"{name}_{axis}"
        made.append(into.plate(label, length))
    return made


__all__ = ["from_numpyro"]
