r"""Bound the Kolmogorov distance $\sup_{u,\theta} |F(\tilde Q(u;\theta);\theta) - u|$ over a whole box of parameters.

As for one law, $e'(x; \theta) = p(\tilde Q)\,\tilde Q'(x) - u'(x)$ needs no distribution function. On a cell of x times a
part of the box, e' is its interpolant I at Chebyshev's points of every variable, up to

$$\rho = R_x + \Lambda_x R_1 + \Lambda_x\Lambda_1 R_2 + \dots,\qquad
  R_v = \sup \frac{|\partial_v^N e'|}{N!}\, 2\Bigl(\frac{h_v}2\Bigr)^N,\quad \Lambda_N \le \tfrac2\pi\log N + 1,$$

with the suprema enclosed by series of balls over the whole cell. The interpolant is integrated exactly, and between its
parameter points it is at most $\Lambda_1\Lambda_2\cdots$ times the largest at one of them. Every cell shows $\tilde Q' > 0$.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from flint import arb, arb_mat, arb_poly, arb_series, ctx

from symaux.formulas.functions.chebyshev import map_line_onto
from symaux.formulas.functions.chebyshev_box import BoxTable, basis, products
from symaux.formulas.numeric.balls.cells import rigorous_precision
from symaux.formulas.numeric.balls.evaluate import BallEvaluator, coefficients
from symaux.formulas.numeric.balls.signs import Undecided, abs_bound, is_positive, require_finite
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.proof.certificates.interpolation_bound import (
    BITS,
    Stretch,
    antiderivative,
    lebesgue_bound,
    nodes,
    with_derivatives,
)
from symaux.proof.certificates.kolmogorov_bound import Hopeless, logistic

ALONG, ACROSS = 16, {1: 12, 2: 8}  # Chebyshev points in x; in each parameter, by the number of parameters
LONGEST, SHORTEST, PARTS = 1.0, 2.0**-12, 256  # a longer cell is halved before the box is; shortest cell; most parts
Part = tuple[tuple[float, float], ...]  # of the box, in the coordinates of the table


class TooWide(Exception):
    """Raised where the box has to be cut along a parameter."""

    def __init__(self, number: int) -> None:
        super().__init__(f"too wide in parameter {number}")
        self.number = number


@dataclass
class BoxDistance:
    """The proof for one law that is normalised for all parameters, and one table."""

    law: Law
    parameters: Sequence[Any]
    box: Part  # the numbers, rounded outwards, in the coordinates of the table
    line: str
    table: BoxTable
    seconds: float
    cells: int = 0
    parts: int = 0
    aim: float = field(default=0.0)

    def bound(self) -> arb:
        """Return an upper bound of the distance for all parameters of the box; raise Undecided or Hopeless if there is none."""
        with rigorous_precision(), ctx.workprec(BITS):
            self._check()
            self.aim = self._scale() / (30 * len(self.table.rows))
            worst, stack = arb(0), [self.box]
            while stack:
                part = stack.pop()
                try:
                    worst = worst.max(_OnPart(self, part).bound())
                    self.parts += 1
                except TooWide as wide:
                    stack += _cut(part, wide.number)
                if len(stack) + self.parts > PARTS:
                    raise Hopeless("the box falls into too many parts")
            return require_finite(worst).upper()

    def _check(self) -> None:
        law, table = self.law, self.table
        if not isinstance(law.support, Interval) or any(
            b.has(*self.parameters) for b in (law.support.lower, law.support.upper)
        ):
            raise Undecided("the support moves with the parameters")
        if set(law.log_density.free_symbols) - {law.value, *self.parameters} or len(self.parameters) not in ACROSS:
            raise Undecided("a box has one or two parameters, and the law no others")
        if not (table.well_formed() and table.continuous() and min(table.slopes) > 0):
            raise Undecided("pieces that do not meet, or a straight line that falls")
        self.y, self.deadline = sp.Symbol("y_", real=True), time.process_time() + self.seconds
        self.map, self.log_density = map_line_onto(law.support, self.y, self.line), as_stable_form(law.log_density)
        self.steep = self.map.diff(self.y)

    def count(self) -> None:
        """Count one more cell; raise Hopeless when the time is used up."""
        self.cells += 1
        if time.process_time() > self.deadline:
            raise Hopeless("out of time")

    def _scale(self) -> float:
        """Return about how large the error is at the middle of the box, which sets how fine to cut and proves nothing."""
        middle: Part = tuple(((low + high) / 2, (low + high) / 2) for low, high in self.box)
        part, reached = _OnPart(self, middle), 0.0
        for piece, (low, high) in enumerate(itertools.pairwise(self.table.edges)):
            (total,) = part.runs(Stretch(low, high), piece, [0])
            reached = max(reached, float((total[1].abs_upper() + total[2]).mid()))
        return max(reached, 1e-13)


def _cut(part: Part, number: int) -> list[Part]:
    return [(*part[:number], (half.low, half.high), *part[number + 1 :]) for half in Stretch(*part[number]).halves()]


class _OnPart:
    """One part of the box, with its Chebyshev points and what holds on all of it."""

    def __init__(self, whole: BoxDistance, part: Part) -> None:
        self.whole, self.table = whole, whole.table
        self.count = ACROSS[len(part)]
        self.sides = [Stretch(low, high) for low, high in part]
        self.points = list(itertools.product(*(nodes(self.count, side) for side in self.sides)))
        self.weights = [
            products([basis(n, s) for n, s in zip(self.table.orders, self._places(p), strict=True)])
            for p in self.points
        ]
        self.settled: list[dict[Any, Any]] = [
            {p: self._theta(i, point[i]) for i, p in enumerate(whole.parameters)} for point in self.points
        ]
        self.rows: dict[tuple[int, int], list[arb]] = {}

    def bound(self) -> arb:
        """Return an upper bound of the distance for all parameters of the part."""
        edges = self.table.edges
        pieces = [(k, Stretch(low, high)) for k, (low, high) in enumerate(itertools.pairwise(edges))]
        covered = {
            k: self._covered(stretch, k) for k, stretch in sorted(pieces, key=lambda p: -abs(p[1].low + p[1].high))
        }
        total, rho, worst = [arb(0)] * len(self.points), arb(0), arb(0)
        for piece, _ in pieces:
            for cell, remainder in covered[piece]:
                rho += remainder * 2 * cell.half
                for number, (rise, offset, sway) in enumerate(self.runs(cell, piece, range(len(self.points)))):
                    worst = worst.max(((total[number] + offset).abs_upper() + sway).upper())
                    total[number] = total[number] + rise
        inside = lebesgue_bound(self.count) ** len(self.sides) * worst + rho
        low, high = logistic(arb(edges[0])), logistic(arb(edges[-1]))
        tails = low + (1 - high) + inside
        return require_finite(inside + tails.max(low)).upper()

    def _covered(self, cell: Stretch, piece: int) -> list[tuple[Stretch, arb]]:
        """Return the cell, halved until the interpolation error is small; raise TooWide if the box has to be cut."""
        self.whole.count()
        try:
            left = self._left_out(cell, piece)
        except (Undecided, ValueError):
            left = None
        if left is not None and sum(left, arb(0)) * 2 * cell.half < self.whole.aim:
            return [(cell, sum(left, arb(0)).upper())]
        if cell.length < LONGEST and (left is None or left[0] * 20 * cell.half < self.whole.aim):
            raise TooWide(
                max(range(len(self.sides)), key=lambda i: _middle(left[1 + i]) if left else self.sides[i].length)
            )
        if cell.length < SHORTEST:
            raise Undecided("a cell that is not settled")
        return [found for half in cell.halves() for found in self._covered(half, piece)]

    def _left_out(self, cell: Stretch, piece: int) -> list[arb]:
        """Return bounds of the interpolation error, in x and in every parameter; raise Undecided unless Q' > 0 on the cell."""
        found, factor = [self._along(cell, piece)], lebesgue_bound(ALONG)
        for number in range(len(self.sides)):
            found.append(factor * self._across(cell, piece, number))
            factor = factor * lebesgue_bound(self.count)
        return found

    def _along(self, cell: Stretch, piece: int) -> arb:
        ball = cell.ball
        row = self._row(piece, [_over_side(n, side, cut)[0] for n, side, cut in self._each()])
        shifted = _recentred(len(row) - 1, cell, *self._ends(piece))
        path = sum(
            (c * _series(t, ball, ALONG + 2) for c, t in zip(row, shifted, strict=True)),
            arb_series([0], prec=ALONG + 2),
        )
        if not is_positive(path[1]):
            raise Undecided("a piece that was not shown to increase")
        z = BallEvaluator({self.whole.y: path}).of(self.whole.map)
        p = BallEvaluator({self.whole.law.value: z, **self._thetas()}).of(self.whole.log_density).exp()
        u = logistic(arb_series([cell.middle + ball, arb(1)], prec=ALONG + 2))
        slope = p * z.derivative() - u * (1 - u)
        return _remainder(slope, ALONG, cell.half)

    def _across(self, cell: Stretch, piece: int, number: int) -> arb:
        side = self.sides[number]
        bases = [_over_side(n, s, cut)[1 if i == number else 0] for i, (n, s, cut) in enumerate(self._each())]
        row = self._row(piece, bases)
        shifted = _recentred(len(row) - 1, cell, *self._ends(piece))
        ball = cell.ball
        q = sum((c * t(ball) for c, t in zip(row, shifted, strict=True)), arb(0))
        steep = sum((c * t.derivative()(ball) for c, t in zip(row, shifted, strict=True)), arb(0))
        variable = arb_series([side.hull, arb(1)], prec=self.count + 2)
        thetas = self._thetas() | {self.whole.parameters[number]: self._theta(number, variable)}
        z = BallEvaluator({self.whole.y: q}).of(self.whole.map)
        p = BallEvaluator({self.whole.law.value: z, **thetas}).of(self.whole.log_density).exp()
        return _remainder(p * BallEvaluator({self.whole.y: q}).of(self.whole.steep) * steep, self.count, side.half)

    def runs(self, cell: Stretch, piece: int, numbers: Sequence[int]) -> list[tuple[arb, arb, arb]]:
        """Return, at each parameter point, the rise of I over the cell, a constant, and how far I strays from it within
        the cell."""
        low, high = map(arb, self._ends(piece))
        xs = nodes(ALONG, cell)
        bases = [with_derivatives(self.table.degree, (2 * x - low - high) / (high - low), 2 / (high - low)) for x in xs]
        h, found = cell.half, []
        for number in numbers:
            values = [self._value(x, known, piece, number) for x, known in zip(xs, bases, strict=True)]
            made = antiderivative(ALONG) * arb_mat([[v] for v in values])
            b = [require_finite(made[k, 0]) for k in range(ALONG + 1)]
            found.append((h * sum(b, arb(0)), h * b[0], (h * sum((abs(c) for c in b[1:]), arb(0))).upper()))
        return found

    def _value(self, x: arb, known: tuple[list[arb], list[arb]], piece: int, number: int) -> arb:
        """Return e' at a point of x and of the parameters."""
        q, steep = (_sum(self._row_at(piece, number), each) for each in known)
        reading = BallEvaluator({self.whole.y: q})
        p = (
            BallEvaluator({self.whole.law.value: reading.of(self.whole.map)}, self.settled[number])
            .of(self.whole.log_density)
            .exp()
        )
        u = logistic(x)
        return p * reading.of(self.whole.steep) * steep - u * (1 - u)

    def _row_at(self, piece: int, number: int) -> list[arb]:
        if (piece, number) not in self.rows:
            weights = self.weights[number]
            self.rows[piece, number] = [_dot(modes, weights) for modes in self.table.rows[piece]]
        return self.rows[piece, number]

    def _row(self, piece: int, bases: Sequence[Sequence[Any]]) -> list[Any]:
        weights = products(bases)
        return [_dot(modes, weights) for modes in self.table.rows[piece]]

    def _each(self) -> list[tuple[int, Stretch, tuple[float, float]]]:
        ends = [(low, high) for low, high, _ in self.table.sides]
        return list(zip(self.table.orders, self.sides, ends, strict=True))

    def _ends(self, piece: int) -> tuple[float, float]:
        return self.table.edges[piece], self.table.edges[piece + 1]

    def _places(self, point: Sequence[arb]) -> list[arb]:
        return [
            (2 * t - arb(low) - arb(high)) / (arb(high) - arb(low))
            for t, (low, high, _) in zip(point, self.table.sides, strict=True)
        ]

    def _theta(self, number: int, t: Any) -> Any:
        return t.exp() if self.table.sides[number][2] else t

    def _thetas(self) -> dict[Any, Any]:
        return {p: self._theta(i, self.sides[i].hull) for i, p in enumerate(self.whole.parameters)}


def _middle(value: arb) -> float:
    return float(value.mid())


def _dot(numbers: Sequence[float], weights: Sequence[Any]) -> Any:
    total = arb(numbers[0]) * weights[0]
    for c, w in zip(numbers[1:], weights[1:], strict=True):
        total = total + arb(c) * w
    return total


def _sum(row: Sequence[arb], weights: Sequence[arb]) -> arb:
    total = row[0] * weights[0]
    for c, w in zip(row[1:], weights[1:], strict=True):
        total += c * w
    return total


def _recentred(order: int, cell: Stretch, low: float, high: float) -> list[arb_poly]:
    """Return the Chebyshev polynomials of a piece as polynomials about the middle of a cell."""
    a, b = arb(low), arb(high)
    return basis(order, arb_poly([(2 * cell.middle - a - b) / (b - a), 2 / (b - a)]))


def _over_side(order: int, side: Stretch, cut: tuple[float, float]) -> tuple[list[arb], list[arb_series]]:
    """Return the Chebyshev polynomials of a parameter on a whole side of a part: as balls, and as series."""
    ball, made = side.ball, _recentred(order, side, *cut)
    return [t(ball) for t in made], [_series(t, ball, max(ACROSS.values()) + 2) for t in made]


def _series(polynomial: arb_poly, ball: arb, count: int) -> arb_series:
    moved = arb_poly(polynomial(arb_poly([ball, 1])))
    return arb_series(moved.coeffs()[:count] or [arb(0)], prec=count)


def _remainder(series: Any, count: int, reach: arb) -> arb:
    if not isinstance(series, arb_series):
        return arb(0)
    return (abs_bound(coefficients(series, count + 1)[count]) * 2 * (reach / 2) ** count).upper()
