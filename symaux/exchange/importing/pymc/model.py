"""Read PyMC models: ``sa.from_pymc(model)`` translates the graph of its random variables.

Dimensions keep their names, deterministics theirs, potentials are factors; observed values and constants are data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import NotTranslated, Untranslatable
from symaux.exchange.importing.arrays.grid import Grid, sum_axes
from symaux.exchange.importing.laws.support_from_density import finite_part
from symaux.exchange.importing.laws.tables import PYMC
from symaux.exchange.importing.laws.time_series import autoregression, random_walk
from symaux.exchange.importing.laws.vectors import PYMC_VECTORS, Vector
from symaux.exchange.importing.numpyro.law_from_density import add_likelihood
from symaux.exchange.importing.pymc.graph import Graph, number_of
from symaux.laws.law import law
from symaux.model.model import Model
from symaux.model.statements import factor

WALK, AUTOREGRESSION = "RandomWalkRV", "AutoRegressiveRV"


def from_pymc(model: Any) -> Model:
    """Return the model that a PyMC model is; ``.data`` holds its observations and constants.

    Raises NotTranslated with a list of what has no translation.
    """
    try:
        import pymc  # noqa: F401  # pyright: ignore[reportMissingImports]  # optional
    except ImportError:
        raise NotTranslated("PyMC", {"pymc": "it is not installed: pip install pymc"}) from None
    into = ModelBuilder("PyMC")
    shapes = {v: _shape(v, model) for v in model.basic_RVs}
    for variable in (*model.basic_RVs, *model.deterministics):
        into.name(variable.name)
    graph = Graph(into, {}, lambda variable, grid: grid)
    for variable in model.basic_RVs:
        graph.known[variable] = into.variable(variable.name, shapes[variable], _positive(variable))
    _define(into, graph, model)
    for variable in model.basic_RVs:
        with into.part(variable.name):
            _law(into, graph, model, variable)
    for variable in model.deterministics:
        with into.part(variable.name):
            graph.grid(variable)
    for term in model.potentials:
        with into.part(term.name):
            grid = graph.grid(term)
            into.statements.append(factor(sum_axes(grid, range(grid.rank), into.fresh).at(())))
    return into.model()


def _define(into: ModelBuilder, graph: Graph, model: Any) -> None:
    """Let the graph define deterministic variables under their own names when it first reaches them."""
    named = {v: v.name for v in model.deterministics}

    def defined(variable: Any, grid: Grid) -> Grid:
        if variable not in named:
            return grid
        made = into.variable(named[variable], grid.shape)
        into.define(made, _axes(into, model, variable, grid.shape), grid)
        return made

    graph.defined = defined


def _shape(variable: Any, model: Any) -> tuple[int, ...]:
    known = variable.type.shape
    if all(length is not None for length in known):
        return tuple(int(length) for length in known)
    return tuple(int(length) for length in np.atleast_1d(variable.shape.eval()))


def _kind(variable: Any) -> str:
    op = variable.owner.op
    special = type(op).__name__
    return special if special in (WALK, AUTOREGRESSION) else getattr(op, "name", special)


def _positive(variable: Any) -> bool:
    kind = _kind(variable)
    table = PYMC.get(kind) or PYMC_VECTORS.get(kind)
    return table is not None and table.positive


def _axes(into: ModelBuilder, model: Any, variable: Any, shape: tuple[int, ...]) -> list[Any]:
    names = model.named_vars_to_dims.get(variable.name) or [None] * len(shape)
    pairs = enumerate(zip(names, shape, strict=True))
    return [into.plate(str(name) if name else f"{variable.name}_{axis}", length) for axis, (name, length) in pairs]


def _law(into: ModelBuilder, graph: Graph, model: Any, variable: Any) -> None:
    grid, kind = graph.known[variable], _kind(variable)
    axes = _axes(into, model, variable, grid.shape)
    if variable in model.observed_RVs:
        value = number_of(model.rvs_to_values[variable])
        into.observed.append(into.name(variable.name))
        into.data[into.name(variable.name)] = value.astype(float) if value.dtype.kind in "iub" else value
    if kind == WALK:
        into.statements += _walk(variable, grid, axes, graph)
    elif kind == AUTOREGRESSION:
        into.statements += _autoregression(variable, grid, axes, graph)
    elif kind in PYMC_VECTORS:
        table = PYMC_VECTORS[kind]
        given = dict(zip(table.parameters, _parameters(variable, graph), strict=True))
        into.statements.append(table.law(Vector(grid, axes, into), given))
    elif kind in PYMC:
        given = _parameters(variable, graph)
        if len(given) != len(PYMC[kind].parameters):
            raise Untranslatable(f"the distribution {kind} has {len(given)} parameters in this version of PyMC")
        into.state(variable.name, grid, axes, lambda z, at: PYMC[kind].law(z, *map(at, given)))
    else:
        _by_density(into, graph, model, variable, axes)


def _by_density(into: ModelBuilder, graph: Graph, model: Any, variable: Any, axes: list[Any]) -> None:
    """Add a law by PyMC's own log-density, or a factor if the variable is observed and its law has no translation."""
    import pymc  # pyright: ignore[reportMissingImports]  # optional

    grid, value, kind = graph.known[variable], variable.type(), type(variable.owner.op).__name__
    graph.known[value] = grid
    observed = variable in model.observed_RVs
    try:
        density = graph.grid(pymc.logp(variable, value, warn_rvs=False))  # pyright: ignore[reportAttributeAccessIssue]  # optional
    except (Untranslatable, NotImplementedError) as failure:
        raise Untranslatable(f"the distribution {kind} has no translation: {failure}") from None
    if density.shape == grid.shape:
        try:
            whole = np.dtype(variable.dtype).kind in "iu"
            ends = _ends(variable, graph)
            into.state(variable.name, grid, axes, lambda z, at: _law_at(z, at(density), whole, tuple(map(at, ends))))
            return
        except Untranslatable as failure:
            if not observed:
                raise Untranslatable(f"the distribution {kind} has no translation: {failure}") from None
    if not observed:
        raise Untranslatable(f"the distribution {kind} of a latent vector has no translation")
    into.observed.remove(into.name(variable.name))
    add_likelihood(variable.name, density, axes, into)


def _ends(variable: Any, graph: Graph) -> list[Grid]:
    """Return the bounds of a support, read from the transform to the real line that PyMC uses for it."""
    from pymc.distributions.transforms import _default_transform  # pyright: ignore[reportMissingImports]  # optional

    transform = _default_transform(variable.owner.op, variable)
    found = {"LogTransform": (0.0, None), "LogOddsTransform": (0.0, 1.0)}.get(type(transform).__name__, (None, None))
    if hasattr(transform, "args_fn"):
        found = transform.args_fn(*variable.owner.inputs)
    ends = zip(found, (-sp.oo, sp.oo), strict=True)
    return [Grid((), lambda at, end=end: end) if bound is None else graph.grid(_tensor(bound)) for bound, end in ends]


def _tensor(bound: Any) -> Any:
    import pytensor.tensor as pt  # pyright: ignore[reportMissingImports]  # optional

    return pt.as_tensor_variable(bound)


def _law_at(z: Any, formula: Any, whole: bool, ends: tuple[Any, ...]) -> Any:
    inside, support = finite_part(formula, z, whole, (ends[0], ends[1]))
    return law(z, log_density=inside, support=support)


def _parameters(variable: Any, graph: Graph) -> list[Grid]:
    """Return the parameters of a distribution, which follow the random state and the size."""
    return [graph.grid(parameter) for parameter in variable.owner.inputs[2:]]


def _normal(variable: Any, graph: Graph) -> tuple[Grid, Grid]:
    if _kind(variable) != "normal":
        raise Untranslatable(f"a series with {_kind(variable)} steps has no translation")
    loc, scale = _parameters(variable, graph)
    return loc, scale


def _walk(variable: Any, grid: Grid, axes: list[Any], graph: Graph) -> list[Any]:
    first, steps = variable.owner.inputs[:2]
    start, scale = _normal(first, graph)
    drift, step = _normal(steps, graph)
    if any(g.rank > 1 for g in (start, scale, drift, step)) or len(axes) > 1:
        raise Untranslatable("several random walks at once have no translation")
    zero = (sp.S.Zero,)
    laws = random_walk(grid, axes, _first(drift, zero), _scalar(scale), _scalar(step))
    if (mean := _first(start, zero)) != 0:
        from symaux.laws.families import normal

        laws[0] = normal(laws[0].value, mean, _first(scale, zero))
    return laws


def _first(grid: Grid, zero: tuple[Any, ...]) -> Any:
    return grid.at(zero[: grid.rank])


def _scalar(grid: Grid) -> Grid:
    return Grid((), lambda at: grid.at((sp.S.Zero,) * grid.rank))


def _autoregression(variable: Any, grid: Grid, axes: list[Any], graph: Graph) -> list[Any]:
    weights, scale, first = variable.owner.inputs[:3]
    given, spread = graph.grid(weights), _scalar(graph.grid(scale)).at(())
    constant = bool(getattr(variable.owner.op, "constant_term", False))
    rho = [given.at((sp.Integer(k),)) for k in range(given.shape[-1])]
    kind = _kind(first)
    if kind not in PYMC:
        raise Untranslatable(f"a series that starts with {kind} has no translation")
    parameters = _parameters(first, graph)

    def initial(z: Any, k: int) -> Any:
        return PYMC[kind].law(z, *(p.at((sp.Integer(min(k, p.shape[0] - 1)),) if p.rank else ()) for p in parameters))

    lead = rho[0] if constant else sp.S.Zero
    return autoregression(grid, axes, initial, lead, rho[1:] if constant else rho, spread)


__all__ = ["from_pymc"]
