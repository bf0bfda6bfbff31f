"""Solve small linear systems in high precision: test columns for dependence, and find solutions that are fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath as mp

SMALL = mp.mpf(10) ** -24  # pivots below this count as zero


def has_dependent_columns(rows: list[list[Any]]) -> bool:
    """Return whether the columns are linearly dependent to half of the working digits; needs more rows than columns.

    >>> has_dependent_columns([[mp.mpf(n), mp.mpf(2*n + 1), mp.mpf(1)] for n in range(6)])
    True
    """
    columns = len(rows[0]) if rows else 0
    if len(rows) <= columns:
        return False
    scales = [max(abs(row[c]) for row in rows) for c in range(columns)]
    if 0 in scales:
        return True
    rows = [[x / s for x, s in zip(row, scales, strict=True)] for row in rows]
    for step in range(columns):
        best, r, c = max((abs(row[c]), r, c) for r, row in enumerate(rows) if r >= step for c in range(step, columns))
        if best < mp.mpf(10) ** (-mp.mp.dps // 2):
            return True
        rows[step], rows[r] = rows[r], rows[step]
        for row in rows:
            row[step], row[c] = row[c], row[step]
        for row in rows[step + 1 :]:
            factor = row[step] / rows[step][step]
            row[step:] = [x - factor * p for x, p in zip(row[step:], rows[step][step:], strict=True)]
    return False


def solve_exactly(rows: list[list[Any]], unknowns: int) -> list[Fraction] | None:
    """Solve an overdetermined system in fractions, with free unknowns zero; return None if there is no such solution."""
    matrix = [row[:] for row in rows]
    pivots: list[int] = []
    for column in range(unknowns):
        rank = len(pivots)
        best = max(range(rank, len(matrix)), key=lambda r, c=column: abs(matrix[r][c]), default=None)
        if best is None or abs(matrix[best][column]) < SMALL:
            continue
        matrix[rank], matrix[best] = matrix[best], matrix[rank]
        _eliminate(matrix, rank, column)
        pivots.append(column)
    if any(abs(row[-1]) > SMALL * 1000 for row in matrix[len(pivots) :]):
        return None
    solution = [Fraction(0)] * unknowns
    for rank, column in enumerate(pivots):
        exact = _fraction(matrix[rank][-1])
        if exact is None:
            return None
        solution[column] = exact
    return solution


def _eliminate(matrix: list[list[Any]], rank: int, column: int) -> None:
    pivot = matrix[rank][column]
    matrix[rank] = [x / pivot for x in matrix[rank]]
    for r, row in enumerate(matrix):
        if r != rank and row[column] != 0:
            factor = row[column]
            matrix[r] = [x - factor * y for x, y in zip(row, matrix[rank], strict=True)]


def _fraction(number: Any) -> Fraction | None:
    """Return the fraction with a denominator that divides 5040 = 7! that a number is to fifteen digits; else None."""
    exact = Fraction(int(mp.nint(number * 5040)), 5040)
    return exact if abs(number - mp.mpf(exact.numerator) / exact.denominator) < mp.mpf(10) ** -15 else None
