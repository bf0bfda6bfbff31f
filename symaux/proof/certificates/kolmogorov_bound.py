r"""Bound the Kolmogorov distance $\sup_u |F(\tilde Q(u)) - u|$ between a law and an approximate quantile function.

With $x = \log u/(1-u)$ and $e(x) = F(\tilde Q) - u$, the slope $e'(x) = p(\tilde Q)\,\tilde Q'(x) - u'(x)$ needs no
distribution function. Its Taylor expansions on cells that cover all pieces give e up to a constant, and the masses of the
two tails are what the cells leave of the whole mass. In a tail both F and u lie between 0 and their values at the edge.
"""

from __future__ import annotations

import heapq
import itertools
import time
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from flint import arb, arb_poly, arb_series

from symaux.formulas.functions.chebyshev import Table, clenshaw, map_line_onto
from symaux.formulas.numeric.balls.cells import ORDER, Cell, precision_near_ends, rigorous_precision
from symaux.formulas.numeric.balls.evaluate import BallEvaluator, coefficients
from symaux.formulas.numeric.balls.signs import Undecided, abs_bound, is_positive, require_finite
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law

CLOSE, DEPTH, CELLS = 1e-17, 60, 20_000  # radius of the rise over a cell; most halvings; most cells
SLACK = 1.1  # how many times the largest |e| that is reached the bound may be


@dataclass(frozen=True)
class CellBound:
    """Bounds on one cell: how much e rises to its middle and across it, and how far e strays from its value at the middle."""

    cell: Cell
    half: arb
    whole: arb
    stray: arb


@dataclass
class Distance:
    """The proof for one law without parameters and one table."""

    law: Law
    line: str  # the map from the line onto the support, one of ``chebyshev.LINES``
    table: Table
    total: arb  # the mass of the law
    seconds: float
    settled: dict[Any, Any] = field(default_factory=dict)
    cells: int = 0

    def bound(self) -> arb:
        """Return an upper bound of the distance, if the pieces increase and meet; raise Undecided or Hopeless otherwise."""
        with rigorous_precision(), precision_near_ends(self.law.support):
            self._check()
            return require_finite(self._bound())

    def _check(self) -> None:
        if not isinstance(self.law.support, Interval) or self.law.log_density.free_symbols - {self.law.value}:
            raise Undecided("a law with parameters has no one quantile function")
        if not (self.table.well_formed() and self.table.continuous() and min(self.table.slopes) > 0):
            raise Undecided("pieces that do not meet, or a straight line that falls")
        self.y, self.deadline = sp.Symbol("y_", real=True), time.process_time() + self.seconds
        self.map, self.log_density = (
            map_line_onto(self.law.support, self.y, self.line),
            as_stable_form(self.law.log_density),
        )

    def _bound(self) -> arb:
        edges = self.table.edges
        pieces = [Cell(arb(0), 1, low, high) for low, high in itertools.pairwise(edges)]
        shown = [s for k, cell in enumerate(pieces) for s in self._covered(cell, k)]
        low, high = logistic(arb(edges[0])), logistic(arb(edges[-1]))
        inside = sum((s.whole for s in shown), high - low)
        tails = (self.total - inside).upper()
        if not tails >= 0:
            raise Undecided("more mass between the tails than there is")
        start = arb(0).union(tails) - low
        return self._refined(shown, start).max(tails).max(low.upper()).max((1 - high).upper())

    def _covered(self, cell: Cell, piece: int, depth: int = 0) -> list[CellBound]:
        """Return bounds on the cell, halved until each part is narrow enough."""
        self._count()
        made = None
        try:
            made = self._settled_cell(cell, piece)
            if made.whole.rad() < CLOSE:
                return [made]
        except (Undecided, ValueError):
            pass
        if depth >= DEPTH or cell.high - cell.low < 2.0**-46:
            return [self._rough(cell, piece)]
        return [s for part in cell.halves() for s in self._covered(part, piece, depth + 1)]

    def _count(self) -> None:
        self.cells += 1
        if self.cells > CELLS or time.process_time() > self.deadline:
            raise Hopeless("out of time")

    def _settled_cell(self, cell: Cell, piece: int) -> CellBound:
        thin, wide = self._slope(cell, piece, arb(0)), self._slope(cell, piece, arb(0, 1) * cell.reach)
        h, rest = cell.reach, abs_bound(coefficients(wide, ORDER)[ORDER - 1])
        terms = coefficients(thin, ORDER - 1)
        low, high = arb(cell.low) - arb(cell.middle), arb(cell.high) - arb(cell.middle)
        half, whole, stray = arb(0), arb(0), rest * h**ORDER
        for k, c in enumerate(terms, 1):
            half -= c * low**k / k
            whole += c * (high**k - low**k) / k
            stray += abs_bound(c) * h**k / k
        error = arb(0, 1) * rest * h**ORDER
        return CellBound(
            cell, require_finite(half + error), require_finite(whole + 2 * error), require_finite(stray).upper()
        )

    def _rough(self, cell: Cell, piece: int) -> CellBound:
        """Return bounds on a cell about a kink, so short that the range of e' is enough."""
        steep = require_finite(self._range(cell, piece) * (arb(cell.high) - arb(cell.low)))
        if not steep.abs_upper() < 1e-12:
            raise Undecided("a cell that is not settled")
        some = arb(0, 1) * steep.abs_upper()
        return CellBound(cell, some, some, steep.abs_upper())

    def _polynomial(self, cell: Cell, piece: int) -> arb_poly:
        """Return the piece as a polynomial about the middle of the cell."""
        low, high = map(arb, self.table.edges[piece : piece + 2])
        t = arb_poly([(2 * arb(cell.middle) - low - high) / (high - low), 2 / (high - low)])
        return clenshaw([arb(c) for c in self.table.rows[piece]], t)

    def _path(self, cell: Cell, piece: int, where: arb) -> arb_series:
        """Return the piece on the ball ``where`` about the middle as a series; raise Undecided unless it increases there."""
        made = self._polynomial(cell, piece)(arb_poly([where, 1]))
        path = arb_series(made.coeffs(), prec=ORDER + 1)
        if not is_positive(path[1]):
            raise Undecided("a piece that was not shown to increase")
        return path

    def _slope(self, cell: Cell, piece: int, where: arb) -> Any:
        """Return the series of e' on a ball about the middle of the cell."""
        z = BallEvaluator({self.y: self._path(cell, piece, where)}, self.settled).of(self.map)
        p = BallEvaluator({self.law.value: z}, self.settled).of(self.log_density).exp()
        u = logistic(arb_series([arb(cell.middle) + where, arb(1)], prec=ORDER + 1))
        return p * z.derivative() - u * (1 - u)

    def _range(self, cell: Cell, piece: int) -> arb:
        """Return a ball that holds e' on the whole cell, without a series of the density."""
        z = BallEvaluator({self.y: self._path(cell, piece, arb(0, 1) * cell.reach)}, self.settled).of(self.map)
        p = BallEvaluator({self.law.value: z[0]}, self.settled).of(self.log_density).exp()
        u = logistic(cell.hull)
        return p * z[1] - u * (1 - u)

    def _refined(self, shown: list[CellBound], start: arb) -> arb:
        """Return an upper bound of |e|, halving the cells in which it may exceed every value that was reached."""
        ticket, seen, heap = itertools.count(), arb(0), []
        for each, left in zip(shown, _before(shown, start), strict=True):
            seen = self._pushed(heap, ticket, each, left, seen)
        while True:
            top, _, each, left = heap[0]
            if -top <= SLACK * float(seen.mid()) or each.cell.high - each.cell.low < 2.0**-40:
                return arb(-top).upper()
            heapq.heappop(heap)
            for half in self._halves(each):
                seen = self._pushed(heap, ticket, half, left, seen)
                left = left + half.whole

    def _pushed(self, heap: list[Any], ticket: Any, each: CellBound, left: arb, seen: arb) -> arb:
        middle = left + each.half
        reached = (middle.abs_upper() + each.stray).upper()
        heapq.heappush(heap, (-_above(reached), next(ticket), each, left))
        return seen.max(middle.abs_lower())

    def _halves(self, each: CellBound) -> list[CellBound]:
        piece = next(k for k, high in enumerate(self.table.edges[1:]) if each.cell.high <= high)
        return [s for part in each.cell.halves() for s in self._covered(part, piece)]


class Hopeless(Exception):
    """Raised when the time, or the number of cells, is used up."""


def logistic(x: Any) -> Any:
    """Return u = 1/(1 + exp(-x))."""
    return 1 / (1 + (-x).exp())


def _before(shown: list[CellBound], start: arb) -> list[arb]:
    """Return e at the left end of every cell."""
    return list(itertools.accumulate((s.whole for s in shown[:-1]), initial=start))


def _above(value: arb) -> float:
    """Return a floating-point number that is not below a bound."""
    return float(value.mid()) * (1 + 2.0**-50) + 1e-300
