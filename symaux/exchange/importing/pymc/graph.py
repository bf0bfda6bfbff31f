"""Translate a PyTensor graph to index notation: a table maps operations to functions of grids; the error names any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.builder import ModelBuilder
from symaux.exchange.importing.arrays.errors import Untranslatable
from symaux.exchange.importing.arrays.grid import (
    Grid,
    broadcast,
    broadcast_in_dim,
    elementwise,
    reshape,
    squeeze,
    transpose,
)
from symaux.exchange.importing.arrays.where import as_condition, choose, exponential
from symaux.exchange.importing.pymc import array_ops as arrays
from symaux.formulas.functions.elementary import expm1, log1p, sigmoid, softplus

SCALARS: dict[str, Callable[..., Any]] = {
    "Add": lambda *x: sp.Add(*x),
    "Mul": lambda *x: _times(*x),
    "Sub": lambda x, y: x - y,
    "TrueDiv": lambda x, y: x / y,
    "Pow": lambda x, y: x**y,
    "Neg": lambda x: -x,
    "Reciprocal": lambda x: 1 / x,
    "Abs": sp.Abs,
    "Sign": sp.sign,
    "Floor": sp.floor,
    "Exp": exponential,
    "Exp2": lambda x: 2**x,
    "Expm1": expm1,
    "Log": sp.log,
    "Log2": lambda x: sp.log(x) / sp.log(2),
    "Log10": lambda x: sp.log(x) / sp.log(10),
    "Log1p": log1p,
    "Sqr": lambda x: x**2,
    "Sqrt": sp.sqrt,
    "Sin": sp.sin,
    "Cos": sp.cos,
    "Tan": sp.tan,
    "ArcSin": sp.asin,
    "ArcCos": sp.acos,
    "ArcTan": sp.atan,
    "ArcTan2": sp.atan2,
    "Sinh": sp.sinh,
    "Cosh": sp.cosh,
    "Tanh": sp.tanh,
    "Erf": sp.erf,
    "Erfc": sp.erfc,
    "Erfinv": sp.erfinv,
    "Erfcinv": sp.erfcinv,
    "GammaLn": sp.loggamma,
    "Psi": sp.digamma,
    "Sigmoid": sigmoid,
    "Softplus": softplus,
    "Maximum": sp.Max,
    "Minimum": sp.Min,
    "ScalarMaximum": sp.Max,
    "ScalarMinimum": sp.Min,
    "Identity": lambda x: x,
    "Second": lambda x, y: y,
    "Cast": lambda x: x,
    "LT": sp.StrictLessThan,
    "LE": sp.LessThan,
    "GT": sp.StrictGreaterThan,
    "GE": sp.GreaterThan,
    "EQ": sp.Eq,
    "NEQ": sp.Ne,
    "AND": lambda *x: sp.And(*map(as_condition, x)),
    "OR": lambda *x: sp.Or(*map(as_condition, x)),
    "Invert": lambda x: sp.Not(as_condition(x)),
    "Switch": choose,
    "IsNan": lambda x: sp.false,
    "IsInf": lambda x: sp.false,
    "I0": lambda x: sp.besseli(0, x),
    "I0e": lambda x: sp.besseli(0, x) * sp.exp(-sp.Abs(x)),
    "Log1mexp": lambda x: sp.log(1 - sp.exp(x)),
    "Erfcx": lambda x: sp.exp(x**2) * sp.erfc(x),
    "Clip": lambda x, low, high: sp.Min(sp.Max(x, low), high),
}
EXACTLY = (
    "Add",
    "Sub",
    "Mul",
    "TrueDiv",
    "Neg",
    "Log",
    "Exp",
    "Sqrt",
    "Sqr",
    "Log1p",
    "Expm1",
    "GammaLn",
    "Erf",
    "Erfc",
)


def _times(*factors: Any) -> Any:
    """Return a product; that of booleans is their conjunction."""
    if all(not isinstance(x, sp.Expr) for x in factors):
        return sp.And(*factors)
    return sp.Mul(*(x if isinstance(x, sp.Expr) else choose(x, sp.S.One, sp.S.Zero) for x in factors))


SAME = (
    "SpecifyShape",
    "CheckAndRaise",
    "Assert",
    "CheckParameterValue",
    "ViewOp",
    "TensorFromScalar",
    "ScalarFromTensor",
)


class Graph:
    """The grids of the variables of a graph, each computed once."""

    def __init__(self, into: ModelBuilder, known: dict[Any, Grid], defined: Callable[[Any, Grid], Grid]) -> None:
        self.into, self.known, self.defined = into, known, defined

    def grid(self, variable: Any) -> Grid:
        """Return the grid of a variable, of its ancestors first."""
        if variable not in self.known:
            self.known[variable] = self.defined(variable, self._translate(variable))
        return self.known[variable]

    def number(self, variable: Any) -> Any:
        """Return the numbers of a constant."""
        return number_of(variable)

    def fixed(self, variable: Any) -> bool:
        """Return whether a variable has numbers."""
        return is_constant(variable) or hasattr(variable, "get_value")

    def _translate(self, variable: Any) -> Grid:
        if variable.owner is None:
            return self.into.constant(number_of(variable), variable.name or "")
        if is_constant(variable):
            return self._constant(variable)
        return apply_node(variable, self)

    def _constant(self, variable: Any) -> Grid:
        """Return the grid of a constant; operations on uniform constants stay exact, as log(2) does."""
        value, node = number_of(variable), variable.owner
        exactly = type(node.op).__name__ == "Elemwise" and type(node.op.scalar_op).__name__ in EXACTLY
        if exactly and all(_is_short(self.grid(given)) for given in node.inputs):
            return replace(apply_node(variable, self), value=value)
        return self.into.constant(value)


def _is_short(grid: Grid) -> bool:
    """Return whether a constant is everywhere the same number, and not so large that an exact formula of it would be
    long."""
    value = np.asarray(grid.value)
    size = abs(float(value.flat[0])) if value.size else np.inf
    return bool(np.all(value == value.flat[0])) and (size == 0 or 1e-3 < size < 100)


def is_constant(variable: Any) -> bool:
    """Return whether a variable has no random and no input ancestors."""
    from pytensor.graph.basic import Constant  # pyright: ignore[reportMissingImports]  # optional
    from pytensor.graph.traversal import ancestors  # pyright: ignore[reportMissingImports]  # optional

    return all(v.owner is not None or isinstance(v, Constant) for v in ancestors([variable])) and not any(
        hasattr(v.owner.op, "rng_param") or hasattr(v.owner.op, "ndim_supp")
        for v in ancestors([variable])
        if v.owner is not None
    )


def number_of(variable: Any) -> Any:
    """Return the value of a constant, a shared variable, or an expression of constants."""
    if hasattr(variable, "data"):
        return np.asarray(variable.data)
    if hasattr(variable, "get_value"):
        return np.asarray(variable.get_value())
    if variable.owner is None:
        raise Untranslatable(f"{variable} is an input without a value")
    try:
        return np.asarray(variable.eval())
    except Exception as failure:
        raise Untranslatable(f"{variable} has no value: {type(failure).__name__}") from None


def apply_node(variable: Any, graph: Graph) -> Grid:
    """Translate one operation."""
    node = variable.owner
    op, name = node.op, type(node.op).__name__
    if name == "Elemwise":
        scalar = type(op.scalar_op).__name__
        if scalar not in SCALARS:
            raise Untranslatable(f"the operation {scalar} has no translation")
        return elementwise(SCALARS[scalar], *map(graph.grid, node.inputs))
    if name == "Blockwise":
        op, name = op.core_op, type(op.core_op).__name__
    if name in SAME:
        return graph.grid(node.inputs[0])
    if name in SHAPES:
        return SHAPES[name](op, node.inputs, graph)
    raise Untranslatable(f"the operation {name} has no translation")


def _shuffled(op: Any, inputs: Any, graph: Graph) -> Grid:
    grid, order = graph.grid(inputs[0]), op.new_order
    kept = [axis for axis in order if axis != "x"]
    plain = squeeze(grid, [a for a in range(grid.rank) if a not in kept])
    places = [sorted(kept).index(axis) for axis in kept]
    turned = transpose(plain, places)
    shape = [1 if axis == "x" else grid.shape[axis] for axis in order]
    return broadcast_in_dim(turned, shape, [place for place, axis in enumerate(order) if axis != "x"])


def _alloc(op: Any, inputs: Any, graph: Graph) -> Grid:
    return broadcast(graph.grid(inputs[0]), tuple(int(number_of(length)) for length in inputs[1:]))


def _reshape(op: Any, inputs: Any, graph: Graph) -> Grid:
    grid, shape = graph.grid(inputs[0]), [int(n) for n in number_of(inputs[1])]
    known = int(np.prod([n for n in shape if n != -1]))
    return reshape(grid, [int(np.prod(grid.shape)) // known if n == -1 else n for n in shape], graph.into.constant)


SHAPES: dict[str, Callable[[Any, Any, Graph], Grid]] = {
    "DimShuffle": _shuffled,
    "ExpandDims": _shuffled,
    "Squeeze": _shuffled,
    "Sum": arrays.translate_reduction,
    "Prod": arrays.translate_reduction,
    "CAReduce": arrays.translate_reduction,
    "Dot": arrays.translate_product,
    "Dot22": arrays.translate_product,
    "MatMul": arrays.translate_product,
    "Matmul": arrays.translate_product,
    "Subtensor": arrays.translate_subtensor,
    "AdvancedSubtensor": arrays.translate_advanced_subtensor,
    "AdvancedSubtensor1": arrays.translate_advanced_subtensor,
    "IncSubtensor": arrays.translate_inc_subtensor,
    "AdvancedIncSubtensor": arrays.translate_inc_subtensor,
    "AdvancedIncSubtensor1": arrays.translate_inc_subtensor,
    "Join": arrays.translate_join,
    "MakeVector": arrays.translate_make_vector,
    "CumOp": arrays.translate_cumulative,
    "Softmax": arrays.translate_softmax,
    "LogSoftmax": arrays.translate_softmax,
    "Alloc": _alloc,
    "Shape": lambda op, inputs, graph: graph.into.constant(np.array(graph.grid(inputs[0]).shape)),
    "Reshape": _reshape,
}
