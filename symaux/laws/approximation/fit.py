r"""Interpolate a quantile function by piecewise Chebyshev polynomials in the coordinate $x = \log u/(1-u)$.

A piece is halved until the law it gives is within the tolerance of the exact one, in absolute probability and, relatively,
in the probability of a tail. The coefficients are then rounded to a grid on which neighbouring pieces meet exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from symaux.formulas.functions.chebyshev import Row, Table, clenshaw, end
from symaux.formulas.numeric.balls.cells import precision_near_ends, rigorous_precision
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.laws.approximation.quantile_ode import QuantilePath
from symaux.laws.law import Law

DEGREES = (6, 10, 14, 18, 22)  # of the polynomials; the one with the fewest coefficients in all is taken
PIECES = 160  # at most: they are written into the generated code
TAIL = 0.005  # mass beyond the fitted range at either end, as a share of the tolerance
OF_A_TAIL = 1e-6  # the largest error in log-odds, which is the relative error of the probability of a tail
GRID = 2**52  # steps in the sum of a row's coefficients: what a double holds exactly


def fit_table(law: Law, line: str, tolerance: float) -> Table | None:
    """Return the table of an approximate quantile function of a law without parameters on a line; None if none is found."""
    try:
        with rigorous_precision(), precision_near_ends(law.support):
            path = QuantilePath(law, line, -math.log(TAIL * tolerance))
            found = [table for degree in DEGREES if (table := _of_degree(degree, path, tolerance)) is not None]
            return min(found, key=lambda table: len(table.rows) * (table.degree + 2), default=None)
    except (Undecided, ValueError, ZeroDivisionError, OverflowError):
        return None


def _of_degree(degree: int, path: QuantilePath, tolerance: float) -> Table | None:
    pieces = _pieces(degree, path, tolerance)
    if pieces is None:
        return None
    made = join_pieces(*pieces, path)
    return made if all(_fits(path, made, k, 2 * tolerance) for k in range(len(made.rows))) else None


def _pieces(degree: int, path: QuantilePath, tolerance: float) -> tuple[list[float], list[list[float]]] | None:
    kinks = [x for x in sorted(path.kinks) if abs(x) < path.reach]
    knots = [-path.reach, *(x for n, x in enumerate(kinks) if not n or x - kinks[n - 1] > 1e-9), path.reach]
    stack = list(itertools.pairwise(knots))[::-1]
    edges, rows = [knots[0]], []
    while stack:
        low, high = stack.pop()
        row = interpolate(degree, path, low, high)
        if is_within_tolerance(path, row, low, high, tolerance):
            edges.append(high)
            rows.append(row)
        else:
            stack += [((low + high) / 2, high), (low, (low + high) / 2)]
        if len(rows) + len(stack) > PIECES:
            return None
    return edges, rows


def interpolate(n: int, path: QuantilePath, low: float, high: float) -> list[float]:
    """Return the Chebyshev coefficients of the polynomial through the values at Chebyshev's points, the ends included."""
    middle, half = (low + high) / 2, (high - low) / 2
    values = [path.at(middle + half * math.cos(math.pi * k / n))[0] for k in range(n + 1)]
    weighed = [values[0] / 2, *values[1:-1], values[-1] / 2]
    row = [2 / n * math.fsum(v * math.cos(math.pi * j * k / n) for k, v in enumerate(weighed)) for j in range(n + 1)]
    return [row[0] / 2, *row[1:-1], row[-1] / 2]


def is_within_tolerance(path: QuantilePath, row: Sequence[float], low: float, high: float, tolerance: float) -> bool:
    """Return whether the error, as a probability, is small at points between the interpolation points."""
    points = 2 * len(row) + 1
    for k in range(points + 1):
        t = -math.cos(math.pi * k / points)
        x = (low + high) / 2 + (high - low) / 2 * t
        y, derivative = path.at(x)
        shift = abs(clenshaw(row, t) - y) / derivative
        if shift > OF_A_TAIL or shift / (2 + 2 * math.cosh(x)) > tolerance / 2:
            return False
    return True


def _fits(path: QuantilePath, table: Table, piece: int, tolerance: float) -> bool:
    return is_within_tolerance(path, table.rows[piece], table.edges[piece], table.edges[piece + 1], tolerance)


def join_pieces(edges: list[float], rows: list[list[float]], path: QuantilePath) -> Table:
    """Round coefficients to a grid of binary fractions, with constant terms such that neighbouring pieces meet."""
    grid = 2.0 ** math.floor(math.log2(GRID / max(1.0, *(sum(map(abs, row)) for row in rows))))
    made: list[Row] = []
    for row in rows:
        whole = [Fraction(round(c * grid)) / Fraction(grid) for c in row]
        if made:
            whole[0] += end(made[-1], 1) - sum((c * (-1) ** j for j, c in enumerate(whole)), Fraction(0))
        made.append(tuple(map(float, whole)))
    return Table(edges, made, (path.at(edges[0])[1], path.at(edges[-1])[1]))
