r"""Interpolate a quantile function over a box of parameters by piecewise polynomials in both, on Chebyshev's points.

The pieces are the same for all parameters of the box. The number of points that a parameter needs is read off on lines
through the box, along its middle and its edges. Nothing here is a proof.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import ctx

from symaux.formulas.functions.chebyshev_box import BoxTable, Side
from symaux.formulas.numeric.balls.cells import rigorous_precision
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.laws.approximation.fit import interpolate, is_within_tolerance
from symaux.laws.approximation.quantile_ode import QuantilePath
from symaux.laws.densities.parameter_box import BoxSides
from symaux.laws.law import Law

LOOKS = (12, 24, 48)  # points along a parameter, until the coefficients of higher degrees are negligible
DEGREE = 12  # of the polynomials in x
PIECES = 60  # at most: each of their coefficients is one for every mode of the box
TAIL = 0.005  # mass beyond the fitted range at either end, as a share of the tolerance
SHARE = 4  # the tolerance is shared by so many sources of error, of which each may have one part
BITS = 224  # of precision, along the paths at all parameters
MANY = 400  # parameter points at which the quantile function is followed: a limit of time
GRID = 2**50  # steps in the sum of a row's coefficients, so that doubles hold them exactly
WIDE = 1.5  # upper over lower end of a positive parameter from which its logarithm is the coordinate
Place = tuple[float, ...]  # a point of the box, each parameter from -1 to 1


def fit_box_table(law: Law, box: BoxSides, line: str, tolerance: float) -> BoxTable | None:
    """Return the table of an approximate quantile function over a box of the law's parameters; None if none is found."""
    sides = tuple(side_of(float(low), float(high)) for low, high in box)
    try:
        with rigorous_precision(), ctx.workprec(BITS):
            return _Fit(law, line, sides, tolerance).table()
    except (Undecided, ValueError, ZeroDivisionError, OverflowError):
        return None


def side_of(low: float, high: float) -> Side:
    """Return one side of the box; a positive parameter that varies much is measured by its logarithm.

    >>> side_of(2.0, 2.5)
    (2.0, 2.5, False)
    """
    return (math.log(low), math.log(high), True) if low > 0 and high > WIDE * low else (low, high, False)


@dataclass
class _Fit:
    law: Law
    line: str
    sides: tuple[Side, ...]
    tolerance: float
    paths: dict[Place, QuantilePath] = field(default_factory=dict)

    def table(self) -> BoxTable | None:
        orders = tuple(self._order(number) for number in range(len(self.sides)))
        places = list(itertools.product(*(_points(n) for n in orders)))
        if len(places) > MANY:
            raise Undecided("too wide a box")
        paths = [self._path(place) for place in places]
        if any(path.kinks for path in paths):
            raise Undecided("kinks that may move with the parameters")
        found = self._pieces(paths)
        return None if found is None else self._join_pieces(*found, orders)

    def _path(self, place: Place) -> QuantilePath:
        if place not in self.paths:
            given = {
                p: sp.Rational(*_value(s, side).as_integer_ratio())
                for p, s, side in zip(sorted(self.law.parameters, key=str), place, self.sides, strict=True)
            }
            self.paths[place] = QuantilePath(self.law.substituted(given), self.line, -math.log(TAIL * self.tolerance))
        return self.paths[place]

    def _order(self, number: int) -> int:
        """Return the degree that one parameter needs: on every line, higher coefficients are small as probabilities."""
        return max(self._needed(*line) for line in self._lines(number))

    def _lines(self, number: int) -> Iterator[tuple[Place, Place]]:
        """Yield places of the other parameters, before and after: in the middle, and at the ends."""
        before, after = number, len(self.sides) - number - 1
        for others in itertools.product((0.0, -1.0, 1.0), repeat=before + after):
            yield others[:before], others[before:]

    def _needed(self, before: Place, after: Place) -> int:
        for n in LOOKS:
            paths = [self._path((*before, s, *after)) for s in _points(n)]
            found = max(self._beyond(paths, paths[0].reach * k / 12) for k in range(-12, 13))
            if found < n - 1:
                return max(found, 2)
        raise Undecided("too wide a box")

    def _beyond(self, paths: list[QuantilePath], x: float) -> int:
        """Return the degree at which the coefficients at one x can be truncated."""
        values = [path.at(x) for path in paths]
        weight = 1 / min(derivative for _, derivative in values) / (2 + 2 * math.cosh(x))
        row, left = _transformed([y for y, _ in values]), 0.0
        for k in range(len(row) - 1, 0, -1):
            left += abs(row[k])
            if left * weight > self.tolerance / SHARE:
                return k
        return 0

    def _pieces(self, paths: list[QuantilePath]) -> tuple[list[float], list[list[list[float]]]] | None:
        """Return the edges of the pieces, and for each piece the coefficients at every place of the box."""
        reach = paths[0].reach
        stack, edges, rows = [(-reach, reach)], [-reach], []
        while stack:
            low, high = stack.pop()
            row = [interpolate(DEGREE, path, low, high) for path in paths]
            share = self.tolerance / SHARE
            if all(is_within_tolerance(path, each, low, high, share) for path, each in zip(paths, row, strict=True)):
                edges.append(high)
                rows.append(row)
            else:
                stack += [((low + high) / 2, high), (low, (low + high) / 2)]
            if len(rows) + len(stack) > PIECES:
                return None
        return edges, rows

    def _join_pieces(self, edges: list[float], rows: list[list[list[float]]], orders: tuple[int, ...]) -> BoxTable:
        """Round the modes to a grid of binary fractions, those of the constant terms such that neighbouring pieces meet."""
        modes = [[_in_modes([each[j] for each in row], orders) for j in range(DEGREE + 1)] for row in rows]
        grid = 2.0 ** math.floor(math.log2(GRID / max(1.0, *(_size(row) for row in modes))))
        made: list[list[list[Fraction]]] = []
        for row in modes:
            whole = [[Fraction(round(c * grid)) / Fraction(grid) for c in each] for each in row]
            if made:
                for m in range(len(whole[0])):
                    there = sum((each[m] for each in made[-1]), Fraction(0))
                    here = sum((each[m] * (-1) ** j for j, each in enumerate(whole)), Fraction(0))
                    whole[0][m] += there - here
            made.append(whole)
        middle = self._path(tuple(0.0 for _ in self.sides))
        ends = (middle.at(edges[0])[1], middle.at(edges[-1])[1])
        return BoxTable(edges, [[[float(c) for c in each] for each in row] for row in made], ends, self.sides, orders)


def _size(row: list[list[float]]) -> float:
    return math.fsum(abs(c) for each in row for c in each)


def _points(n: int) -> list[float]:
    return [math.cos(math.pi * (k / n)) for k in range(n + 1)]


def _value(s: float, side: Side) -> float:
    low, high, logarithmic = side
    t = (low + high) / 2 + (high - low) / 2 * s
    return math.exp(t) if logarithmic else t


def _transformed(values: Sequence[float]) -> list[float]:
    """Return the Chebyshev coefficients from the values at the points."""
    n = len(values) - 1
    weighed = [values[0] / 2, *values[1:-1], values[-1] / 2]
    row = [2 / n * math.fsum(v * math.cos(math.pi * j * k / n) for k, v in enumerate(weighed)) for j in range(n + 1)]
    return [row[0] / 2, *row[1:-1], row[-1] / 2]


def _in_modes(values: Sequence[Any], orders: tuple[int, ...]) -> list[float]:
    """Return the coefficients of all products of polynomials, from values on the grid; the last parameter runs fastest."""
    first, *rest = orders
    if not rest:
        return _transformed(values)
    size = len(values) // (first + 1)
    inner = [_in_modes(values[k * size : (k + 1) * size], tuple(rest)) for k in range(first + 1)]
    columns = [_transformed([each[m] for each in inner]) for m in range(size)]
    return [columns[m][k] for k in range(first + 1) for m in range(size)]
