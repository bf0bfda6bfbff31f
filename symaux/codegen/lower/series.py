"""Lower sums over a bound index to a loop of fixed length, and piecewise polynomials to a table of coefficients."""

from __future__ import annotations

from typing import Any

from symaux.codegen.lower.array_code import Piece, align, call, union_axes
from symaux.codegen.lower.scope import Lower, Scope
from symaux.errors import UnknownFunction
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.series import Series


def lower_series(formula: Series, scope: Scope, lower: Lower) -> Piece:
    """Return the code of a sum over a bound index: a loop of fixed length, however many terms matter."""
    term, index, low, high = formula.args
    if term.has(Series):
        raise UnknownFunction(f"no JAX code for a sum within a sum: {formula}")
    body = lower(term, scope.with_slots({index: Piece("whole")}))
    ends = [lower(end, scope) for end in (low, high)]
    axes = union_axes([body, *ends], scope.order)
    scope.use("bounded_sum")
    arguments = ", ".join(align(end, axes).code for end in ends)
    return Piece(f"bounded_sum(lambda whole: {align(body, axes).code}, {arguments})", axes)


def lower_chebyshev(formula: ChebyshevPieces, scope: Scope, lower: Lower) -> Piece:
    """Return the call that evaluates Chebyshev pieces, with their table, for one variable or a box of parameters."""
    table: Any = formula.table
    if formula.parameters:
        scope.use("chebyshev_box")
        given = ", ".join(f"{{{number}}}" for number in range(1, len(formula.parameters) + 1))
        numbers = f"{table.edges!r}, {table.rows!r}, {table.slopes!r}, {table.sides!r}, {table.orders!r}"
        pieces = [lower(each, scope) for each in (formula.args[0], *formula.parameters)]
        return call(f"chebyshev_box({{0}}, ({given},), {numbers})", pieces, scope.order)
    scope.use("chebyshev_pieces")
    numbers = f"{table.edges!r}, {table.rows!r}, {table.slopes!r}"
    return call(f"chebyshev_pieces({{0}}, {numbers})", [lower(formula.args[0], scope)], scope.order)
