r"""Correlated noise in NumPyro and PyMC: $L\varepsilon$, $L^{-1}\varepsilon$ along the last axis, then moved to its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symaux.exporting.natural import Unsayable
from symaux.indices import free_plates
from symaux.vectors.array_functions import Correlated


def correlated(formula: Any, given: Correlated) -> str:
    """The text of a triangular factor applied to noise; ``formula`` writes along the axes of the statement."""
    noise, matrix = given.operands
    row, column = given.plates
    if row not in formula.axes or row not in free_plates(noise) or not {row, column} <= free_plates(matrix):
        raise Unsayable(f"{given} does not run along {row} and {column}")
    others = tuple(plate for plate in formula.axes if plate != row)
    vector = f"({replace(formula, axes=(*others, row)).text(noise)})[..., None]"
    how = next(iter(given.words), "L")
    factor = _factor(formula.module, how[0], replace(formula, axes=(*others, row, column)).text(matrix))
    applied = f"{_applied(formula.module, factor, how[1:], vector)}[..., 0]"
    place = formula.axes.index(row)
    if place == len(formula.axes) - 1:
        return applied
    return f"{formula.module}.moveaxis({applied}, -1, {place - len(formula.axes)})"


def _factor(module: str, letter: str, matrix: str) -> str:
    """Cholesky's factor, or the lower triangle of what is given."""
    return f"{module}.tril({matrix})" if letter == "M" else f"{module}.linalg.cholesky({matrix})"


def _applied(module: str, factor: str, how: str, vector: str) -> str:
    if how.endswith("T"):
        factor = f"{module}.swapaxes({factor}, -1, -2)"
    if how.startswith("^-"):
        return f"{module}.linalg.solve({factor}, {vector})"
    return f"{module}.matmul({factor}, {vector})"
