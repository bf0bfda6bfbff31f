"""Print functions of whole arrays for NumPyro and PyMC: their own plates are the last axes, and the result is transposed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symaux.exchange.exporting.python.pytensor_library import PYTENSOR
from symaux.exchange.exporting.spelling.natural_coordinates import Unsupported
from symaux.formulas.symbols.array_functions import ArrayFunction, Correlated
from symaux.formulas.symbols.indices import free_plates


def array_call(formula: Any, given: ArrayFunction) -> str:
    """Print a call whose operands have the axes of the statement in front; ``formula`` prints along those axes."""
    if not set(given.results) <= set(formula.axes):
        raise Unsupported(f"{given} does not run along {', '.join(map(str, given.results))}")
    batch = tuple(plate for plate in formula.axes if plate not in given.plates)
    operands = [
        _operand(formula, operand, batch, tuple(given.plates[p] for p in along))
        for operand, along in zip(given.operands, given.along, strict=True)
    ]
    made = _called(formula, given, operands)
    order = (*batch, *given.results)
    if order == formula.axes:
        return made
    if not set(batch) <= free_plates(given):  # a transpose needs all axes
        made = f"{formula.module}.broadcast_to({made}, {_shape(formula, order)})"
    return f"{formula.module}.transpose({made}, {tuple(order.index(plate) for plate in formula.axes)})"


def _operand(formula: Any, operand: Any, batch: tuple[Any, ...], own: tuple[Any, ...]) -> str:
    text = replace(formula, axes=(*batch, *own)).text(operand)
    if set(own) <= free_plates(operand):
        return text
    here = tuple(plate for plate in batch if plate in free_plates(operand))
    first = batch.index(here[0]) if here else len(batch)
    sizes = [formula.length(plate) if plate in (*here, *own) else "1" for plate in (*batch[first:], *own)]
    return f"{formula.module}.broadcast_to({text}, ({', '.join(sizes)},))"


def _shape(formula: Any, axes: tuple[Any, ...]) -> str:
    return f"({', '.join(formula.length(plate) for plate in axes)},)"


def _called(formula: Any, given: ArrayFunction, operands: list[str]) -> str:
    if formula.module == "jnp":
        formula.carries.add(given.function)
        return f"{given.function}({', '.join([*operands, *map(repr, given.words)])})"
    if isinstance(given, Correlated):
        noise, matrix = operands
        return _correlated(noise, matrix, next(iter(given.words), "L"))
    if given.function not in PYTENSOR:
        raise Unsupported(f"{given.function} is not supported")
    return f"{given.function}({', '.join([*operands, *map(repr, given.words)])})"


def _correlated(noise: str, matrix: str, how: str) -> str:
    """Print the product of a triangular factor of a matrix, its transpose or inverse, with noise, in PyTensor."""
    factor = f"pt.tril({matrix})" if how[0] == "M" else f"pt.linalg.cholesky({matrix})"
    if how.endswith("T"):
        factor = f"pt.swapaxes({factor}, -1, -2)"
    word = "pt.linalg.solve" if "^-" in how else "pt.matmul"
    return f"{word}({factor}, ({noise})[..., None])[..., 0]"
