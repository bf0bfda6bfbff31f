"""Translate a jaxpr to index notation: a table maps operations to functions of grids; the error names any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.assemble import accumulate, concatenate, pad, reverse, stack
from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.gather import (
    translate_dynamic_slice,
    translate_gather,
    translate_scatter,
    translate_slice,
)
from symaux.exchange.importing.arrays.grid import (
    Grid,
    broadcast,
    broadcast_in_dim,
    contract_axes,
    elementwise,
    reshape,
    squeeze,
    sum_axes,
    transpose,
)
from symaux.exchange.importing.arrays.scan import translate_scan
from symaux.exchange.importing.arrays.where import as_condition, choose
from symaux.exchange.importing.numpyro.named_functions import named_function
from symaux.formulas.functions.elementary import expm1, log1p, sigmoid

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
    "eq": sp.Eq,
    "ne": sp.Ne,
    "lt": sp.StrictLessThan,
    "le": sp.LessThan,
    "gt": sp.StrictGreaterThan,
    "ge": sp.GreaterThan,
    "and": lambda x, y: sp.And(as_condition(x), as_condition(y)),
    "or": lambda x, y: sp.Or(as_condition(x), as_condition(y)),
    "not": lambda x: sp.Not(as_condition(x)),
    "stop_gradient": lambda x: x,
    "copy": lambda x: x,
    "copy_p": lambda x: x,
    "reduce_precision": lambda x: x,
    "clamp": lambda low, x, high: sp.Min(sp.Max(x, low), high),
}
INNER = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr"}
INNER |= {"custom_vjp_call": "call_jaxpr", "remat": "jaxpr", "checkpoint": "jaxpr", "core_call": "call_jaxpr"}
# operations that are exact on uniform constants: log(10) stays a logarithm
EXACTLY = (
    "add",
    "sub",
    "mul",
    "div",
    "neg",
    "log",
    "exp",
    "log1p",
    "expm1",
    "sqrt",
    "rsqrt",
    "square",
    "lgamma",
    "erf",
)
EXACTLY += ("erfc",)
SPREADING = ("broadcast_in_dim", "squeeze", "expand_dims", "reshape", "transpose", "convert_element_type")
SMALLEST, LARGEST = 1e-3, 100.0  # of constants that are read as exact numbers: the formulas of others would be long
LONGEST = 12  # factors of a product that is written out


def interpret(closed: Any, arguments: list[Grid], into: ModelBuilder, named: Callable[[Any, Grid], Grid]) -> list[Grid]:
    """Return the outputs of a closed jaxpr; ``named`` may replace an intermediate value by a variable of the model."""
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
        made = apply_equation(equation, [read(atom) for atom in equation.invars], into)
        known |= {v: named(v, grid) for v, grid in zip(equation.outvars, made, strict=False)}
    return [read(atom) for atom in jaxpr.outvars]


def _needed(jaxpr: Any) -> list[Any]:
    """Return the equations that the outputs depend on, in order: random keys and the like are left out."""
    wanted = {v for v in jaxpr.outvars if not hasattr(v, "val")}
    kept = []
    for equation in reversed(jaxpr.eqns):
        if wanted & set(equation.outvars):
            kept.append(equation)
            wanted |= {v for v in equation.invars if not hasattr(v, "val")}
    return kept[::-1]


def apply_equation(equation: Any, grids: list[Grid], into: ModelBuilder) -> list[Grid]:
    """Translate one operation; evaluate it if all its inputs are constants."""
    name, options = equation.primitive.name, equation.params
    if all(str(v.aval.dtype).startswith("key<") for v in equation.outvars):
        return [Grid(tuple(v.aval.shape), _no_number) for v in equation.outvars]
    if name in ("eq", "ne") and equation.invars[0] is equation.invars[1]:  # a test for NaN
        return [into.constant(np.full(grids[0].shape, name == "eq"))]
    if (known := named_function(equation)) is not None:
        return [elementwise(known, *grids)]
    if name in INNER:
        closed = options[INNER[name]]
        return interpret(closed, grids[-len(_invars(closed)) :] if _invars(closed) else [], into, lambda v, g: g)
    if all(g.value is not None for g in grids) and not equation.primitive.multiple_results:
        given = [_concrete(g, v.aval.dtype) for g, v in zip(grids, equation.invars, strict=True)]
        folded = equation.primitive.bind(*given, **options)
        if all(_is_one_number(g, v) for g, v in zip(grids, equation.invars, strict=True)):
            if name in EXACTLY:
                return [replace(elementwise(ELEMENTWISE[name], *grids), value=np.asarray(folded))]
            if name in SPREADING:
                return [replace(SHAPES[name](grids, options, into)[0], value=np.asarray(folded))]
        return [into.constant(folded)]
    if name == "scan":
        return translate_scan(options, grids, lambda closed, given: interpret(closed, given, into, lambda v, g: g))
    if name == "integer_pow":
        return [elementwise(lambda x: x ** options["y"], *grids)]
    if name in ELEMENTWISE:
        return [elementwise(ELEMENTWISE[name], *grids)]
    if name in SHAPES:
        return SHAPES[name](grids, options, into)
    raise Untranslatable(f"the operation {name} has no translation")


def _is_one_number(grid: Grid, variable: Any) -> bool:
    """Return whether a constant is everywhere the same and not so large that an exact formula of it would be long."""
    value = np.asarray(grid.value)
    return (
        variable.aval.dtype.kind == "f" and bool(value.size) and bool(np.all(value == value.flat[0])) and _short(value)
    )


def _short(value: Any) -> bool:
    size = abs(float(value.flat[0]))
    return size == 0 or SMALLEST < size < LARGEST


def _no_number(at: Any) -> Any:
    raise Untranslatable("a random key is not a number")


def _invars(closed: Any) -> Any:
    return (closed.jaxpr if hasattr(closed, "jaxpr") else closed).invars


def _concrete(grid: Grid, kind: Any) -> Any:
    import jax.numpy as jnp

    return jnp.asarray(grid.value, kind)


def _select(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    which, *cases = grids
    if len(cases) != 2:
        raise Untranslatable("a choice between more than two cases has no translation")
    if which.value is not None and np.all(which.value == which.value.flat[0]):
        return [broadcast(cases[int(which.value.flat[0])], which.shape)]
    return [elementwise(lambda c, no, yes: choose(c, yes, no), which, *cases)]


def _converted(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    """Translate a conversion of type: booleans become one and zero, numbers do not change."""
    if np.dtype(options["new_dtype"]).kind == "b":
        return [elementwise(as_condition, grids[0])]
    return [elementwise(lambda x: x if isinstance(x, sp.Expr) else choose(x, sp.S.One, sp.S.Zero), grids[0])]


def _product(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    """Write out a product of a few elements: the language has only sums."""
    (grid,), (axis,) = grids, options["axes"]
    if grid.shape[axis] > LONGEST:
        raise Untranslatable(f"a product of more than {LONGEST} elements has no translation")
    places = [sp.Integer(n) for n in range(grid.shape[axis])]
    shape = (*grid.shape[:axis], *grid.shape[axis + 1 :])
    return [Grid(shape, lambda at: sp.Mul(*(grid.at((*at[:axis], n, *at[axis:])) for n in places)))]


def _dot(grids: list[Grid], options: Any, into: ModelBuilder) -> list[Grid]:
    contract, batch = options["dimension_numbers"]
    left, right = grids
    return [contract_axes(left, right, contract, batch, into.fresh)]


SHAPES: dict[str, Callable[[list[Grid], Any, ModelBuilder], list[Grid]]] = {
    "broadcast_in_dim": lambda g, o, into: [broadcast_in_dim(g[0], o["shape"], o["broadcast_dimensions"])],
    "squeeze": lambda g, o, into: [squeeze(g[0], o["dimensions"])],
    "expand_dims": lambda g, o, into: [
        broadcast_in_dim(g[0], _expanded(g[0], o["dimensions"]), _others(g[0], o["dimensions"]))
    ],
    "transpose": lambda g, o, into: [transpose(g[0], o["permutation"])],
    "reshape": lambda g, o, into: [reshape(g[0], o["new_sizes"], into.constant)],
    "concatenate": lambda g, o, into: [concatenate(g, o["dimension"], into.constant)],
    "stack": lambda g, o, into: [stack(g, o["axis"], into.constant)],
    "pad": lambda g, o, into: [pad(g[0], g[1], o["padding_config"], into.constant)],
    "rev": lambda g, o, into: [reverse(g[0], o["dimensions"], into.constant)],
    "cumsum": lambda g, o, into: [_running(g[0], o, into, lambda before, x: before + x)],
    "cumprod": lambda g, o, into: [_running(g[0], o, into, lambda before, x: before * x)],
    "convert_element_type": _converted,
    "reduce_prod": _product,
    "reduce_max": lambda g, o, into: [into.maximum(tuple(n for a, n in enumerate(g[0].shape) if a not in o["axes"]))],
    "reduce_sum": lambda g, o, into: [sum_axes(g[0], o["axes"], into.fresh)],
    "slice": translate_slice,
    "dynamic_slice": translate_dynamic_slice,
    "gather": translate_gather,
    "scatter": translate_scatter(lambda old, new: new),
    "scatter-add": translate_scatter(lambda old, new: old + new),
    "scatter-mul": translate_scatter(lambda old, new: old * new),
    "dot_general": _dot,
    "select_n": _select,
}


def _running(grid: Grid, options: Any, into: ModelBuilder, step: Callable[[Any, Any], Any]) -> Grid:
    axis = options["axis"]
    if not options["reverse"]:
        return accumulate(grid, axis, into, step)
    return reverse(accumulate(reverse(grid, [axis], into.constant), axis, into, step), [axis], into.constant)


def _others(grid: Grid, new: Any) -> list[int]:
    return [a for a in range(grid.rank + len(new)) if a not in new]


def _expanded(grid: Grid, new: Any) -> list[int]:
    lengths = iter(grid.shape)
    return [1 if a in new else next(lengths) for a in range(grid.rank + len(new))]
