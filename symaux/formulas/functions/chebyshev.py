r"""Define piecewise Chebyshev polynomials as a formula: on piece k, $\sum_j c_{kj} T_j(t)$, where t runs from -1 to 1 with x.

Outside the first and the last edge the function goes on as a straight line. All numbers are floating-point numbers taken
exactly, so what is proved of them is about the very numbers that generated code holds.

>>> x = sp.Symbol("x", real=True)
>>> square = ChebyshevPieces(x, Table((0.0, 2.0), ((1.5, 2.0, 0.5),), (1.0, 4.0)))
>>> square
chebyshev(x; 1 piece of degree 2)
>>> [float(square.subs(x, at)) for at in (0, 1, 2, 3)]
[0.0, 1.0, 4.0, 8.0]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp
import sympy as sp
from mpmath.libmp import prec_to_dps

from symaux.formulas.functions.chebyshev_box import BoxTable
from symaux.formulas.symbols.support import Interval

Row = tuple[float, ...]


class Table(sp.Atom):
    """The edges of the pieces, a row of coefficients for each piece, and the slopes of the two straight lines outside."""

    edges: tuple[float, ...]
    rows: tuple[Row, ...]
    slopes: tuple[float, float]

    def __new__(cls, edges: Sequence[float], rows: Sequence[Row], slopes: tuple[float, float]) -> Table:
        made = super().__new__(cls)
        made.edges = tuple(map(float, edges))
        made.rows = tuple(tuple(map(float, row)) for row in rows)
        made.slopes = (float(slopes[0]), float(slopes[1]))
        return made

    def _hashable_content(self) -> Any:
        return (self.edges, self.rows, self.slopes)

    def __getnewargs__(self) -> Any:
        return self._hashable_content()

    @property
    def degree(self) -> int:
        return max(map(len, self.rows)) - 1

    def _sympystr(self, printer: Any) -> str:
        return f"{len(self.rows)} piece{'s' if len(self.rows) > 1 else ''} of degree {self.degree}"

    def _latex(self, printer: Any) -> str:
        return rf"\text{{{self._sympystr(printer)}}}"

    def well_formed(self) -> bool:
        """Return whether the numbers are finite, the edges increase and every piece has a row."""
        numbers = [*self.edges, *self.slopes, *(c for row in self.rows for c in row)]
        rising = all(a < b for a, b in zip(self.edges, self.edges[1:], strict=False))
        full = all(self.rows) and len(self.rows) == len(self.edges) - 1
        return bool(self.rows) and full and rising and all(mp.isfinite(n) for n in numbers)

    def continuous(self) -> bool:
        """Return whether neighbouring pieces meet, in exact arithmetic: $T_j(1) = 1$ and $T_j(-1) = (-1)^j$."""
        return all(end(a, 1) == end(b, -1) for a, b in zip(self.rows, self.rows[1:], strict=False))


def end(row: Row, side: int) -> Fraction:
    """Return the exact value of a piece at its left end (-1) or its right end (1).

    >>> end((1.5, 2.0, 0.5), -1)
    Fraction(0, 1)
    """
    return sum((Fraction(c) * (side if j % 2 else 1) for j, c in enumerate(row)), Fraction(0))


def clenshaw(row: Sequence[Any], t: Any) -> Any:
    """Return the value of a Chebyshev series, for anything that can be added and multiplied."""
    ahead, after = 0 * t, 0 * t
    for c in reversed(row[1:]):
        ahead, after = 2 * t * ahead - after + c, ahead
    return t * ahead - after + row[0]


class ChebyshevPieces(sp.Expr):
    """The piecewise polynomial of a table, at x; or, with parameters, that of a table over a box of them."""

    def __new__(cls, x: Any, table: Table | BoxTable, *parameters: Any) -> ChebyshevPieces:
        return super().__new__(cls, x, table, *parameters)

    is_commutative = True
    is_real = True
    opaque = True

    @property
    def table(self) -> Table:
        return self.args[1]  # type: ignore[return-value]

    @property
    def parameters(self) -> tuple[Any, ...]:
        return self.args[2:]

    def at(self, x: Any, *parameters: Any) -> Any:
        """Return the value at numbers of mpmath's."""
        table: Any = self.table
        rows = table.rows_at(parameters) if parameters else table.rows
        inside = min(max(x, mp.mpf(table.edges[0])), mp.mpf(table.edges[-1]))
        k = min(max(bisect_right(table.edges, inside) - 1, 0), len(rows) - 1)
        low, high = map(mp.mpf, table.edges[k : k + 2])
        t = (2 * inside - low - high) / (high - low)
        return clenshaw([mp.mpf(c) for c in rows[k]], t) + table.slopes[0 if x < inside else 1] * (x - inside)

    def _eval_evalf(self, prec: int) -> sp.Expr:
        given: Any = [sp.N(each, prec_to_dps(prec)) for each in (self.args[0], *self.parameters)]
        if not all(each.is_number for each in given):
            return self
        with mp.workprec(prec + 10):
            return sp.Float(self.at(*map(mp.mpmathify, given)), precision=prec)

    def _eval_derivative(self, symbol: Any) -> sp.Expr:
        raise NotImplementedError("the derivative of a piecewise polynomial is worked out by generated code")

    def _sympystr(self, printer: Any) -> str:
        given = ", ".join(printer._print(each) for each in (self.args[0], *self.parameters))
        return f"chebyshev({given}; {self.table._sympystr(printer)})"

    def _latex(self, printer: Any) -> str:
        given = ", ".join(printer._print(each) for each in (self.args[0], *self.parameters))
        return rf"\operatorname{{chebyshev}}\left({given}\right)"


LINES = ("plain", "stretched")


def map_line_onto(support: Interval, y: Any, line: str = "plain") -> sp.Expr:
    """Return an increasing map from the real line onto an interval; a stretched line is for heavy tails.

    >>> map_line_onto(Interval(sp.S.Zero, sp.oo), sp.Symbol("y", real=True))
    exp(y)
    """
    match support.lower == -sp.oo, support.upper == sp.oo:
        case True, True:
            return y if line == "plain" else sp.sinh(y)
        case False, True:
            return support.lower + sp.exp(y)
        case True, False:
            return support.upper - sp.exp(-y)
    return support.lower + (support.upper - support.lower) / (1 + sp.exp(-y))


def logit(u: Any) -> sp.Expr:
    """Return the coordinate in which quantile functions are approximated: both tails are far away, and alike."""
    return sp.log(u) - sp.log(1 - u)
