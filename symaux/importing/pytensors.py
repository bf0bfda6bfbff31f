"""A PyTensor graph in index notation: every operation of a table takes grids to grids; others are named in the error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symaux.functions import expm1, log1p, sigmoid, softplus
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
from symaux.importing.untranslated import Unknown

SCALARS: dict[str, Callable[..., Any]] = {
    "Add": lambda *x: sp.Add(*x),
    "Mul": lambda *x: sp.Mul(*x),
    "Sub": lambda x, y: x - y,
    "TrueDiv": lambda x, y: x / y,
    "Pow": lambda x, y: x**y,
    "Neg": lambda x: -x,
    "Reciprocal": lambda x: 1 / x,
    "Abs": sp.Abs,
    "Sign": sp.sign,
    "Floor": sp.floor,
    "Exp": sp.exp,
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
    "Switch": lambda c, yes, no: sp.Piecewise((yes, c), (no, True)),
    "Clip": lambda x, low, high: sp.Min(sp.Max(x, low), high),
}
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
    """Grids of the variables of a graph, each worked out once."""

    def __init__(self, into: Collected, known: dict[Any, Grid], defined: Callable[[Any, Grid], Grid]) -> None:
        self.into, self.known, self.defined = into, known, defined

    def grid(self, variable: Any) -> Grid:
        """The grid of a variable, of its ancestors first."""
        if variable not in self.known:
            self.known[variable] = self.defined(variable, self._made(variable))
        return self.known[variable]

    def _made(self, variable: Any) -> Grid:
        if variable.owner is None:
            return self.into.constant(number_of(variable), variable.name or "")
        if is_constant(variable):
            return self.into.constant(number_of(variable))
        return applied(variable, self)


def is_constant(variable: Any) -> bool:
    """Whether nothing random and nothing from outside stands above a variable."""
    from pytensor.graph.basic import Constant  # pyright: ignore[reportMissingImports]
    from pytensor.graph.traversal import ancestors  # pyright: ignore[reportMissingImports]

    return all(v.owner is not None or isinstance(v, Constant) for v in ancestors([variable])) and not any(
        hasattr(v.owner.op, "rng_param") or hasattr(v.owner.op, "ndim_supp")
        for v in ancestors([variable])
        if v.owner is not None
    )


def number_of(variable: Any) -> Any:
    """The numbers of a constant, a shared variable, or something made of constants."""
    if hasattr(variable, "data"):
        return np.asarray(variable.data)
    if hasattr(variable, "get_value"):
        return np.asarray(variable.get_value())
    if variable.owner is None:
        raise Unknown(f"{variable} is an input without a value")
    try:
        return np.asarray(variable.eval())
    except Exception as failure:
        raise Unknown(f"{variable} has no value: {type(failure).__name__}") from None


def applied(variable: Any, graph: Graph) -> Grid:
    """One operation."""
    node = variable.owner
    op, name = node.op, type(node.op).__name__
    if name == "Elemwise":
        scalar = type(op.scalar_op).__name__
        if scalar not in SCALARS:
            raise Unknown(f"the operation {scalar} has no translation")
        return elementwise(SCALARS[scalar], *map(graph.grid, node.inputs))
    if name == "Blockwise":
        op, name = op.core_op, type(op.core_op).__name__
    if name in SAME:
        return graph.grid(node.inputs[0])
    if name in SHAPES:
        return SHAPES[name](op, node.inputs, graph)
    raise Unknown(f"the operation {name} has no translation")


def _shuffled(op: Any, inputs: Any, graph: Graph) -> Grid:
    grid, order = graph.grid(inputs[0]), op.new_order
    kept = [axis for axis in order if axis != "x"]
    plain = squeezed(grid, [a for a in range(grid.rank) if a not in kept])
    places = [sorted(kept).index(axis) for axis in kept]
    turned = permuted(plain, places)
    shape = [1 if axis == "x" else grid.shape[axis] for axis in order]
    return spread(turned, shape, [place for place, axis in enumerate(order) if axis != "x"])


def _sum(op: Any, inputs: Any, graph: Graph) -> Grid:
    if type(op.scalar_op).__name__ != "Add":
        raise Unknown(f"the reduction by {type(op.scalar_op).__name__} has no translation")
    grid = graph.grid(inputs[0])
    return total(grid, range(grid.rank) if op.axis is None else op.axis, graph.into.fresh)


def _product(op: Any, inputs: Any, graph: Graph) -> Grid:
    left, right = map(graph.grid, inputs)
    if left.rank > 2 or right.rank > 2:
        raise Unknown("a product of stacks of matrices has no translation")
    contract = ((left.rank - 1,), (0 if right.rank < 2 else right.rank - 2,))
    return contracted(left, right, contract, ((), ()), graph.into.fresh)


def _subtensor(op: Any, inputs: Any, graph: Graph) -> Grid:
    from pytensor.tensor.subtensor import indices_from_subtensor  # pyright: ignore[reportMissingImports]

    grid = graph.grid(inputs[0])
    entries = indices_from_subtensor(inputs[1:], op.idx_list)
    starts, shape, dropped = [0] * grid.rank, list(grid.shape), []
    for axis, entry in enumerate(entries):
        length = grid.shape[axis]
        if isinstance(entry, slice):
            bounds = [
                None if part is None else int(number_of(part) if hasattr(part, "type") else part)
                for part in (entry.start, entry.stop, entry.step)
            ]
            start, stop, step = slice(*bounds).indices(length)
            if step != 1:
                raise Unknown("a slice with steps has no translation")
            starts[axis], shape[axis] = start, max(stop - start, 0)
        else:
            place = int(number_of(entry) if hasattr(entry, "type") else entry)
            starts[axis], shape[axis] = place % length, 1
            dropped.append(axis)
    return squeezed(shifted(grid, starts, shape, graph.into.constant), dropped)


def _advanced(op: Any, inputs: Any, graph: Graph) -> Grid:
    grid = graph.grid(inputs[0])
    entries = list(inputs[1:])
    if getattr(op, "idx_list", None) is not None:
        kinds = list(op.idx_list)
        arrays = [axis for axis, kind in enumerate(kinds) if not isinstance(kind, slice)]
        whole = all(kind == slice(None) for kind in kinds if isinstance(kind, slice))
    else:
        arrays = [axis for axis, entry in enumerate(entries) if hasattr(entry, "dtype")]
        whole = all(
            str(entry) in ("SliceConstant{None, None, None}", "slice(None, None, None)")
            for axis, entry in enumerate(entries)
            if axis not in arrays
        )
    if len(arrays) != 1 or not whole:
        raise Unknown("indexing by several arrays at once has no translation")
    chosen = entries[arrays[0]] if len(entries) > arrays[0] else entries[-1]
    places = number_of(chosen) if is_constant(chosen) or hasattr(chosen, "get_value") else None
    if places is None or places.dtype.kind not in "iu":
        raise Unknown("indexing by a latent array or by truth values has no translation")
    return picked(grid, arrays[0], graph.into.constant(places % grid.shape[arrays[0]], chosen.name or ""))


def _vector(op: Any, inputs: Any, graph: Graph) -> Grid:
    parts = list(map(graph.grid, inputs))

    def at(index: Any) -> Any:
        if not getattr(index[0], "is_Integer", isinstance(index[0], int)):
            raise Unknown("a vector that is put together from several variables has no translation")
        return parts[int(index[0])].at(())

    return Grid((len(parts),), at)


def _alloc(op: Any, inputs: Any, graph: Graph) -> Grid:
    return broadcast(graph.grid(inputs[0]), tuple(int(number_of(length)) for length in inputs[1:]))


def _reshape(op: Any, inputs: Any, graph: Graph) -> Grid:
    grid, shape = graph.grid(inputs[0]), [int(n) for n in number_of(inputs[1])]
    known = int(np.prod([n for n in shape if n != -1]))
    return reshaped(grid, [int(np.prod(grid.shape)) // known if n == -1 else n for n in shape], graph.into.constant)


SHAPES: dict[str, Callable[[Any, Any, Graph], Grid]] = {
    "DimShuffle": _shuffled,
    "ExpandDims": _shuffled,
    "Squeeze": _shuffled,
    "Sum": _sum,
    "CAReduce": _sum,
    "Dot": _product,
    "Dot22": _product,
    "MatMul": _product,
    "Matmul": _product,
    "Subtensor": _subtensor,
    "AdvancedSubtensor": _advanced,
    "AdvancedSubtensor1": _advanced,
    "MakeVector": _vector,
    "Alloc": _alloc,
    "Reshape": _reshape,
}
