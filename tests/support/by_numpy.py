"""Functions of JAX run by numpy: traced once, and then their primitives one by one, where XLA would compile for a second.

What is run is what JAX made of the generated code, derivatives included; a primitive that is not in the table is JAX's own.
One in fifty of the random models is compiled by XLA all the same.

>>> import jax.numpy as jnp
>>> float(by_numpy(jax.grad(lambda x: jnp.sum(jnp.exp(2 * x))))(np.zeros(())))
2.0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import scipy.special
from jax.extend.core import Literal

ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "add": np.add, "add_any": np.add, "sub": np.subtract, "mul": np.multiply, "neg": np.negative, "exp": np.exp, "log": np.log,
    "log1p": np.log1p, "expm1": np.expm1, "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "tan": np.tan, "sqrt": np.sqrt,
    "square": np.square, "abs": np.abs, "sign": np.sign, "max": np.maximum, "min": np.minimum, "pow": np.power, "lt": np.less,
    "gt": np.greater, "le": np.less_equal, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal, "and": np.bitwise_and,
    "or": np.bitwise_or, "not": np.invert, "floor": np.floor, "atan": np.arctan, "erf": scipy.special.erf,
    "erfc": scipy.special.erfc, "lgamma": scipy.special.gammaln, "is_finite": np.isfinite,
}  # fmt: skip


def by_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, traced for the shapes that it is first called with."""
    known: dict[Any, Any] = {}

    def run(*args: Any) -> Any:
        leaves, tree = jax.tree.flatten(args)
        leaves = [np.asarray(leaf) for leaf in leaves]
        key = (tree, tuple((leaf.shape, leaf.dtype) for leaf in leaves), bool(jax.config.jax_enable_x64))
        if key not in known:
            known[key] = jax.make_jaxpr(function, return_shape=True)(*args)
        traced, shape = known[key]
        with np.errstate(all="ignore"):
            found = evaluated(traced.jaxpr, traced.consts, leaves)
        return jax.tree.unflatten(jax.tree.structure(shape), found)

    return run


def evaluated(jaxpr: Any, consts: Sequence[Any], args: Sequence[Any]) -> list[Any]:
    """The outputs of a traced function."""
    values: dict[Any, Any] = {}

    def read(atom: Any) -> Any:
        return values[atom] if type(atom) is not Literal else np.asarray(atom.val, atom.aval.dtype)

    values.update(zip(jaxpr.constvars, map(np.asarray, consts), strict=True))
    args = [np.asarray(arg, var.aval.dtype) for var, arg in zip(jaxpr.invars, args, strict=True)]
    values.update(zip(jaxpr.invars, args, strict=True))
    for equation in jaxpr.eqns:
        made = _applied(equation, [read(atom) for atom in equation.invars])
        for var, value in zip(equation.outvars, made, strict=True):
            value = np.asarray(value)
            assert value.shape == var.aval.shape and value.dtype == var.aval.dtype, (equation, value)
            values[var] = value
    return [read(atom) for atom in jaxpr.outvars]


def _applied(equation: Any, args: list[Any]) -> Sequence[Any]:
    name, params = equation.primitive.name, equation.params
    if name in ELEMENTWISE:
        return [ELEMENTWISE[name](*args)]
    if name in SHAPED:
        return [SHAPED[name](params, *args)]
    if name in CALLS:
        return CALLS[name](params, args)
    made = equation.primitive.bind(*args, **params)
    return made if equation.primitive.multiple_results else [made]


def _divided(params: Any, x: Any, y: Any) -> Any:
    return np.divide(x, y) if x.dtype.kind == "f" else (np.sign(x) * np.sign(y) * (abs(x) // abs(y))).astype(x.dtype)


def _selected(params: Any, which: Any, *cases: Any) -> Any:
    if len(cases) == 2:
        return np.where(which, cases[1], cases[0])
    return np.choose(which, cases)


def _broadcast(params: Any, x: Any, *_: Any) -> Any:
    shape = [1] * len(params["shape"])
    for axis, length in zip(params["broadcast_dimensions"], x.shape, strict=True):
        shape[axis] = length
    return np.broadcast_to(x.reshape(shape), params["shape"])


def _sliced(params: Any, x: Any) -> Any:
    strides = params["strides"] or [1] * x.ndim
    return x[tuple(map(slice, params["start_indices"], params["limit_indices"], strides))]


def _along_axis(params: Any) -> Any:
    shape = [1] * len(params["shape"])
    shape[params["dimension"]] = -1
    counted = np.arange(params["shape"][params["dimension"]], dtype=params["dtype"]).reshape(shape)
    return np.broadcast_to(counted, params["shape"])


SHAPED: dict[str, Callable[..., Any]] = {
    "div": _divided,
    "select_n": _selected,
    "broadcast_in_dim": _broadcast,
    "slice": _sliced,
    "iota": _along_axis,
    "integer_pow": lambda params, x: np.power(x, params["y"]) if params["y"] >= 0 else 1 / np.power(x, -params["y"]),
    "convert_element_type": lambda params, x: x.astype(params["new_dtype"]),
    "reshape": lambda params, x, *_: x.reshape(params["new_sizes"]),
    "transpose": lambda params, x: x.transpose(params["permutation"]),
    "squeeze": lambda params, x: x.squeeze(tuple(params["dimensions"])),
    "concatenate": lambda params, *xs: np.concatenate(xs, axis=params["dimension"]),
    "reduce_sum": lambda params, x: x.sum(axis=tuple(params["axes"]), dtype=x.dtype),
    "stop_gradient": lambda params, x: x,
}


def _scanned(params: Any, args: list[Any]) -> list[Any]:
    """A loop over the first axis of some arguments."""
    body, consts, carry = params["jaxpr"], params["num_consts"], params["num_carry"]
    fixed, state, rows = args[:consts], args[consts : consts + carry], args[consts + carry :]
    order = range(params["length"])
    made: list[Any] = []
    for step in reversed(order) if params["reverse"] else order:
        found = evaluated(body.jaxpr, body.consts, [*fixed, *state, *(row[step] for row in rows)])
        state = found[:carry]
        made.append(found[carry:])
    columns = list(zip(*(made[::-1] if params["reverse"] else made), strict=True))
    return [*state, *map(np.stack, columns)]


def _called(name: str) -> Callable[..., Any]:
    return lambda params, args: evaluated(params[name].jaxpr, params[name].consts, args)


def _contracted(params: Any, x: Any, y: Any) -> Any:
    """Sums of products over some axes, beside axes that both have."""
    (left, right), (both_left, both_right) = params["dimension_numbers"]
    names = iter(range(x.ndim + y.ndim))
    of_x: list[Any] = [next(names) for _ in range(x.ndim)]
    of_y: list[Any] = [None] * y.ndim
    for here, there in zip((*left, *both_left), (*right, *both_right), strict=True):
        of_y[there] = of_x[here]
    of_y = [next(names) if name is None else name for name in of_y]
    shared = [of_x[axis] for axis in both_left]
    free = [n for n in of_x if n not in of_y] + [n for n in of_y if n not in of_x]
    return np.einsum(x, of_x, y, of_y, [*shared, *free])


SHAPED["dot_general"] = _contracted


CALLS: dict[str, Callable[..., Any]] = {
    "split": lambda params, args: np.split(args[0], np.cumsum(params["sizes"])[:-1], params["axis"]),
    "jit": _called("jaxpr"),
    "custom_jvp_call": _called("call_jaxpr"),
    "scan": _scanned,
}
