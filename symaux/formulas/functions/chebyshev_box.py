r"""Define piecewise polynomials with coefficients that depend on parameters: $c_{kj} = \sum_m c_{kjm} \prod_i T_{m_i}(s_i)$.

$s_i$ runs from -1 to 1 with the parameter, or with its logarithm. All numbers are floating-point numbers taken exactly.

>>> table = BoxTable((0.0, 2.0), (((1.5, 0.5), (2.0, 0.0)),), (1.0, 1.0), ((1.0, 3.0, False),))
>>> [[float(c) for c in row] for row in table.rows_at([3.0])]
[[2.0, 2.0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

Side = tuple[float, float, bool]  # the ends of the parameter, or of its logarithm, and whether it is that
Row = tuple[tuple[float, ...], ...]  # for every degree in x, the coefficients of all modes of the parameters


class BoxTable(sp.Atom):
    """The edges of the pieces, for each piece and degree the modes of the parameters, two slopes outside, and the box."""

    edges: tuple[float, ...]
    rows: tuple[Row, ...]
    slopes: tuple[float, float]
    sides: tuple[Side, ...]
    orders: tuple[int, ...]

    def __new__(
        cls,
        edges: Sequence[float],
        rows: Sequence[Sequence[Sequence[float]]],
        slopes: tuple[float, float],
        sides: Sequence[Side],
        orders: Sequence[int] = (),
    ) -> BoxTable:
        made = super().__new__(cls)
        made.edges = tuple(map(float, edges))
        made.rows = tuple(tuple(tuple(map(float, modes)) for modes in row) for row in rows)
        made.slopes = (float(slopes[0]), float(slopes[1]))
        made.sides = tuple((float(low), float(high), bool(log)) for low, high, log in sides)
        made.orders = tuple(map(int, orders)) or (len(made.rows[0][0]) - 1,)
        return made

    def _hashable_content(self) -> Any:
        return (self.edges, self.rows, self.slopes, self.sides, self.orders)

    def __getnewargs__(self) -> Any:
        return self._hashable_content()

    @property
    def degree(self) -> int:
        return max(map(len, self.rows)) - 1

    def _sympystr(self, printer: Any) -> str:
        orders = " and ".join(map(str, self.orders))
        return (
            f"{len(self.rows)} piece{'s' if len(self.rows) > 1 else ''} of degree {self.degree}, {orders} in parameters"
        )

    def _latex(self, printer: Any) -> str:
        return rf"\text{{{self._sympystr(printer)}}}"

    def well_formed(self) -> bool:
        """Return whether numbers are finite, edges and sides increase, and every piece and mode has a row."""
        modes = 1
        for order in self.orders:
            modes *= order + 1
        numbers = [*self.edges, *self.slopes, *(e for low, high, _ in self.sides for e in (low, high))]
        numbers += [c for row in self.rows for each in row for c in each]
        rising = all(a < b for a, b in pairwise(self.edges)) and all(low < high for low, high, _ in self.sides)
        full = bool(self.rows) and all(self.rows) and len(self.rows) == len(self.edges) - 1
        whole = all(len(each) == modes for row in self.rows for each in row) and len(self.orders) == len(self.sides)
        return full and whole and rising and all(mp.isfinite(n) for n in numbers)

    def continuous(self) -> bool:
        """Return whether neighbouring pieces meet for every parameter: mode by mode, in exact arithmetic."""
        return all(_ends(a, 1) == _ends(b, -1) for a, b in pairwise(self.rows))

    def places(self, thetas: Sequence[Any]) -> list[Any]:
        """Return where parameters sit between the sides, from -1 to 1."""
        moved = [mp.log(t) if side[2] else mp.mpf(t) for t, side in zip(thetas, self.sides, strict=True)]
        return [
            (2 * t - low - high) / (mp.mpf(high) - low) for t, (low, high, _) in zip(moved, self.sides, strict=True)
        ]

    def rows_at(self, thetas: Sequence[Any]) -> list[list[Any]]:
        """Return the rows of coefficients in x at numbers for the parameters."""
        weights = products([basis(n, s) for n, s in zip(self.orders, self.places(thetas), strict=True)])
        return [[mp.fdot(zip(weights, modes, strict=True)) for modes in row] for row in self.rows]


def _ends(row: Row, side: int) -> list[Fraction]:
    count = len(row[0])
    return [
        sum((Fraction(each[m]) * (side if j % 2 else 1) for j, each in enumerate(row)), Fraction(0))
        for m in range(count)
    ]


def basis(order: int, s: Any) -> list[Any]:
    """$T_0(s), \\dots, T_n(s)$, for anything that can be added and multiplied."""
    made = [0 * s + 1, s]
    while len(made) <= order:
        made.append(2 * s * made[-1] - made[-2])
    return made[: order + 1]


def products(bases: Sequence[Sequence[Any]]) -> list[Any]:
    """Return every product of one member of each, the last running fastest.

    >>> products([[1, 2], [3, 5]])
    [3, 5, 6, 10]
    """
    made: list[Any] = list(bases[0])
    for more in bases[1:]:
        made = [a * b for a in made for b in more]
    return made
