r"""Decide whether linear inequalities contradict each other, by Fourier and Motzkin's elimination over the rationals.

A row $(c, d, s)$ says $\sum_i c_i m_i + d > 0$ (s true) or $\ge 0$. Adding positive multiples of two rows so that one variable
cancels gives a row that follows from them; a row without variables that is false refutes them all. Nothing else is used, so
"contradictory" is always right; "not contradictory" also means that the limit on rows was reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Row = tuple[Mapping[Any, Fraction], Fraction, bool]  # variables are numbered
MOST_ROWS = 150  # the number of rows can square with every variable


def is_contradictory(rows: list[Row]) -> bool:
    """Return whether no real numbers satisfy all rows, as far as elimination with a limit on rows can tell."""
    while True:
        if any(not c and (d < 0 or (d == 0 and strict)) for c, d, strict in rows):
            return True
        variables = {v for c, _, _ in rows for v in c}
        if not variables or len(rows) > MOST_ROWS:
            return False
        rows = _without(min(variables, key=lambda v: (_cost(rows, v), v)), rows)


def _cost(rows: list[Row], variable: Any) -> int:
    above = sum(c.get(variable, 0) > 0 for c, _, _ in rows)
    below = sum(c.get(variable, 0) < 0 for c, _, _ in rows)
    return above * below - above - below


def _without(variable: Any, rows: list[Row]) -> list[Row]:
    """Return the rows that follow without a variable."""
    rest = [row for row in rows if variable not in row[0]]
    above = [row for row in rows if row[0].get(variable, 0) > 0]
    below = [row for row in rows if row[0].get(variable, 0) < 0]
    return rest + [_combined(a, b, variable) for a in above for b in below]


def _combined(above: Row, below: Row, variable: Any) -> Row:
    k, m = -below[0][variable], above[0][variable]
    both = {v: k * above[0].get(v, Fraction(0)) + m * below[0].get(v, Fraction(0)) for v in {*above[0], *below[0]}}
    return {v: c for v, c in both.items() if c}, k * above[1] + m * below[1], above[2] or below[2]
