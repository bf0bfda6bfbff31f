"""A jaxpr in index notation: every operation of a table takes grids to grids; others are named in the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symaux.functions import expm1, log1p, sigmoid
from symaux.importing.collected import Collected
from symaux.importing.grid import (
    Grid,
    broadcast,
    contracted,
    elementwise,
    permuted,
    picked,
    reshaped,
    shifted,
    spread,
    squeezed,
    total,
)
from symaux.importing.scans import scanned
from symaux.importing.untranslated import Unknown
from symaux.indices import lag

ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "add_any": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "max": sp.Max,
    "min": sp.Min,
    "pow": lambda x, y: x**y,
    "neg": lambda x: -x,
    "abs": sp.Abs,
    "sign": sp.sign,
    "floor": sp.floor,
    "exp": sp.exp,
    "log": sp.log,
    "exp2": lambda x: 2**x,
    "log1p": log1p,
    "expm1": expm1,
    "sqrt": sp.sqrt,
    "rsqrt": lambda x: 1 / sp.sqrt(x),
    "cbrt": lambda x: sp.cbrt(x),
    "square": lambda x: x**2,
    "sin": sp.sin,
    "cos": sp.cos,
    "tan": sp.tan,
    "asin": sp.asin,
    "acos": sp.acos,
    "atan": sp.atan,
    "atan2": sp.atan2,
    "sinh": sp.sinh,
    "cosh": sp.cosh,
    "tanh": sp.tanh,
    "asinh": sp.asinh,
    "acosh": sp.acosh,
    "atanh": sp.atanh,
    "logistic": sigmoid,
    "erf": sp.erf,
    "erfc": sp.erfc,
    "erf_inv": sp.erfinv,
    "lgamma": sp.loggamma,
    "digamma": sp.digamma,
    "lt": sp.StrictLessThan,
    "le": sp.LessThan,
    "gt": sp.StrictGreaterThan,
    "ge": sp.GreaterThan,
    "and": lambda x, y: sp.And(x, y),
    "stop_gradient": lambda x: x,
    "copy": lambda x: x,
    "copy_p": lambda x: x,
    "convert_element_type": lambda x: x,
    "reduce_precision": lambda x: x,
    "clamp": lambda low, x, high: sp.Min(sp.Max(x, low), high),
}
INNER = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr"}
INNER |= {"custom_vjp_call": "call_jaxpr", "remat": "jaxpr", "checkpoint": "jaxpr", "core_call": "call_jaxpr"}


def interpreted(closed: Any, arguments: list[Grid], into: Collected, named: Callable[[Any, Grid], Grid]) -> list[Grid]:
    """The outputs of a closed jaxpr; ``named`` may put a variable of the model in the place of an intermediate one."""
    jaxpr = closed.jaxpr if hasattr(closed, "jaxpr") else closed
    known: dict[Any, Grid] = {}
    constants = getattr(closed, "consts", ())
    consts = dict(zip(jaxpr.constvars, constants, strict=True))
    known |= dict(zip(jaxpr.invars, arguments, strict=True))

    def read(atom: Any) -> Grid:
        if hasattr(atom, "val"):
            return into.constant(atom.val)
        return into.constant(consts[atom]) if atom in consts else known[atom]

    for equation in _needed(jaxpr):
        made = applied(equation, [read(atom) for atom in equation.invars], into)
        known |= {v: named(v, grid) for v, grid in zip(equation.outvars, made, strict=False)}
    return [read(atom) for atom in jaxpr.outvars]


def _needed(jaxpr: Any) -> list[Any]:
    """The equations that the outputs depend on, in order: random keys and the like are left out."""
    wanted = {v for v in jaxpr.outvars if not hasattr(v, "val")}
    kept = []
    for equation in reversed(jaxpr.eqns):
        if wanted & set(equation.outvars):
            kept.append(equation)
            wanted |= {v for v in equation.invars if not hasattr(v, "val")}
    return kept[::-1]


def applied(equation: Any, grids: list[Grid], into: Collected) -> list[Grid]:
    """One operation; of constants it is simply carried out."""
    name, options = equation.primitive.name, equation.params
    if all(str(v.aval.dtype).startswith("key<") for v in equation.outvars):
        return [Grid(tuple(v.aval.shape), _no_number) for v in equation.outvars]
    if name in INNER:
        closed = options[INNER[name]]
        return interpreted(closed, grids[-len(_invars(closed)) :] if _invars(closed) else [], into, lambda v, g: g)
    if all(g.value is not None for g in grids) and not equation.primitive.multiple_results:
        return [into.constant(equation.primitive.bind(*(_concrete(g) for g in grids), **options))]
    if name == "scan":
        return scanned(options, grids, lambda closed, given: interpreted(closed, given, into, lambda v, g: g))
    if name == "integer_pow":
        return [elementwise(lambda x: x ** options["y"], *grids)]
    if name in ELEMENTWISE:
        return [elementwise(ELEMENTWISE[name], *grids)]
    if name in SHAPES:
        return SHAPES[name](grids, options, into)
    raise Unknown(f"the operation {name} has no translation")


def _no_number(at: Any) -> Any:
    raise Unknown("a random key is no number")


def _invars(closed: Any) -> Any:
    return (closed.jaxpr if hasattr(closed, "jaxpr") else closed).invars


def _concrete(grid: Grid) -> Any:
    import jax.numpy as jnp

    return jnp.asarray(grid.value)


def _select(grids: list[Grid], options: Any, into: Collected) -> list[Grid]:
    which, *cases = grids
    if len(cases) != 2:
        raise Unknown("a choice between more than two cases has no translation")
    if which.value is not None and np.all(which.value == which.value.flat[0]):
        return [broadcast(cases[int(which.value.flat[0])], which.shape)]
    return [elementwise(lambda c, no, yes: _chosen(c, no, yes), which, *cases)]


def _chosen(condition: Any, no: Any, yes: Any) -> Any:
    """One of two formulas by a comparison."""
    if condition in (sp.true, sp.false):
        return yes if condition == sp.true else no
    if getattr(condition, "func", None) is sp.StrictLessThan and condition.rhs == 0 and lag(condition.lhs):
        return no  # an index is never negative
    if not getattr(condition, "is_Relational", False):
        raise Unknown("a choice by something that is no comparison has no translation")
    return sp.Piecewise((yes, condition), (no, True))


def _slice(grids: list[Grid], options: Any, into: Collected) -> list[Grid]:
    starts, limits, strides = options["start_indices"], options["limit_indices"], options["strides"]
    if strides and any(step != 1 for step in strides):
        raise Unknown("a slice with steps has no translation")
    return [shifted(grids[0], starts, [high - low for low, high in zip(starts, limits, strict=True)], into.constant)]


def _dynamic_slice(grids: list[Grid], options: Any, into: Collected) -> list[Grid]:
    grid, *starts = grids
    if any(s.value is None for s in starts):
        return [_at_time(grid, starts, options["slice_sizes"])]
    room = [length - size for length, size in zip(grid.shape, options["slice_sizes"], strict=True)]
    begins = [int(np.clip(int(s.value), 0, most)) for s, most in zip(starts, room, strict=True)]
    return [shifted(grid, begins, options["slice_sizes"], into.constant)]


def _at_time(grid: Grid, starts: list[Grid], sizes: Any) -> Grid:
    """The row of an array at the time of a step; other axes are whole."""
    places = [s.at(()) if s.value is None else None for s in starts]
    for place, start, size, length in zip(places, starts, sizes, grid.shape, strict=True):
        whole = place is None and int(start.value) == 0 and size == length
        if not whole and (place is None or size != 1 or not (place.is_Integer or lag(place))):
            raise Unknown("a slice that starts at a latent value has no translation")
    return Grid(tuple(sizes), lambda at: grid.at(tuple(i if p is None else p for i, p in zip(at, places, strict=True))))


def _gather(grids: list[Grid], options: Any, into: Collected) -> list[Grid]:
    grid, places = grids
    numbers = options["dimension_numbers"]
    (axis,) = numbers.start_index_map if len(numbers.start_index_map) == 1 else (None,)
    whole = [
        size == length or a == axis
        for a, (size, length) in enumerate(zip(options["slice_sizes"], grid.shape, strict=True))
    ]
    if (
        axis is None
        or tuple(numbers.collapsed_slice_dims) != (axis,)
        or not all(whole)
        or numbers.operand_batching_dims
    ):
        raise Unknown("a gather along several axes at once has no translation")
    if places.value is None:
        raise Unknown("a gather by latent places has no translation")
    own = np.clip(np.asarray(places.value)[..., 0], 0, grid.shape[axis] - 1)
    made = picked(grid, axis, into.constant(own))
    batch = [a for a in range(made.rank) if a not in numbers.offset_dims]
    order = [0] * made.rank  # where each axis of the answer comes from
    sources = [*range(axis, axis + own.ndim)]
    rest = [a for a in range(made.rank) if a not in sources]
    for place, source in (*zip(batch, sources, strict=True), *zip(numbers.offset_dims, rest, strict=True)):
        order[place] = source
    return [permuted(made, order)]


def _dot(grids: list[Grid], options: Any, into: Collected) -> list[Grid]:
    contract, batch = options["dimension_numbers"]
    left, right = grids
    return [contracted(left, right, contract, batch, into.fresh)]


SHAPES: dict[str, Callable[[list[Grid], Any, Collected], list[Grid]]] = {
    "broadcast_in_dim": lambda g, o, into: [spread(g[0], o["shape"], o["broadcast_dimensions"])],
    "squeeze": lambda g, o, into: [squeezed(g[0], o["dimensions"])],
    "expand_dims": lambda g, o, into: [spread(g[0], _expanded(g[0], o["dimensions"]), _others(g[0], o["dimensions"]))],
    "transpose": lambda g, o, into: [permuted(g[0], o["permutation"])],
    "reshape": lambda g, o, into: [reshaped(g[0], o["new_sizes"])],
    "reduce_max": lambda g, o, into: [into.maximum(tuple(n for a, n in enumerate(g[0].shape) if a not in o["axes"]))],
    "reduce_sum": lambda g, o, into: [total(g[0], o["axes"], into.fresh)],
    "slice": _slice,
    "dynamic_slice": _dynamic_slice,
    "gather": _gather,
    "dot_general": _dot,
    "select_n": _select,
}


def _others(grid: Grid, new: Any) -> list[int]:
    return [a for a in range(grid.rank + len(new)) if a not in new]


def _expanded(grid: Grid, new: Any) -> list[int]:
    lengths = iter(grid.shape)
    return [1 if a in new else next(lengths) for a in range(grid.rank + len(new))]
