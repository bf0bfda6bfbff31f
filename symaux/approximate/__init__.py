"""Quantile functions as piecewise polynomials, for laws without parameters: fitted here, judged by ``symaux.proof``."""

from __future__ import annotations

from symaux.bounded import bounded, value_of
from symaux.calculus.chebyshev import LINES, Table
from symaux.laws import Law
from symaux.support import REALS

SECONDS = 30.0


def quantile_table(law: Law, tolerance: float) -> tuple[str, Table] | None:
    """The line on which the quantile function was fitted, and its polynomials; None where no fit was found in time."""
    return value_of(bounded(_fitted, law, tolerance, seconds=SECONDS))


def _fitted(law: Law, tolerance: float) -> tuple[str, Table] | None:
    from symaux.approximate.fitting import fitted

    for line in LINES if law.support == REALS else LINES[:1]:
        table = fitted(law, line, tolerance)
        if table is not None:
            return line, table
    return None
