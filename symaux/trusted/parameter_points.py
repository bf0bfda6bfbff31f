"""Choose the parameter points of a certificate: fixed, small and large among them, within assumptions and conditions.

>>> a, m = sp.Symbol("a", positive=True), sp.Symbol("m", real=True)
>>> stated_points([a, m])[1]
{a: 1/5, m: -3}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symaux.formulas.numeric.points import Point, holds, points
from symaux.formulas.symbols.formula import Formula

WANTED, LEAST = 6, 5
Q = sp.Rational
POSITIVE = (Q(1), Q(1, 5), Q(12), Q(5, 2), Q(1, 2), Q(4))
REAL = (Q(1, 3), Q(-3), Q(20), Q(5, 4), Q(-1, 2), Q(0))
WHOLE = (1, 2, 25, 3, 8, 4)
SHIFTS = (0, 0, 0, 1, 2, 3, 4, 5)  # by how much the next parameter runs ahead: first all alike, then mixed


def stated_points(symbols: Sequence[Any], conditions: Sequence[Any] = ()) -> list[Point]:
    """Return at least five points, unless there are no parameters or the conditions admit fewer."""
    if not symbols:
        return [{}]
    listed = sorted(symbols, key=str)
    found = [point for point in designed_points(listed) if all(holds(c, point) for c in conditions)]
    found += list(points(listed, conditions=conditions, seed=41, count=WANTED)) if len(found) < WANTED else []
    return list({tuple(sorted(point.items(), key=str)): point for point in found}.values())[:WANTED]


def designed_points(symbols: Sequence[Any]) -> Iterator[Point]:
    """Yield fixed points, small and large and mixed, that honour the assumptions of the symbols."""
    for number, shift in enumerate(SHIFTS):
        yield {symbol: _level(symbol, number + shift * place) for place, symbol in enumerate(symbols)}


def _level(symbol: Any, number: int) -> Formula:
    k = number % len(POSITIVE)
    if symbol.is_integer:
        size = sp.Integer(WHOLE[k])
        return size if symbol.is_nonnegative or k % 2 else -size
    if symbol.is_nonnegative:
        return POSITIVE[k]
    return -POSITIVE[k] if symbol.is_nonpositive else REAL[k]
