"""Fit quantile functions by piecewise polynomials, at numbers or over a box of parameters, within a time limit.

The error of a fit is bounded elsewhere, by ``symaux.proof.verify``.
"""

from __future__ import annotations

from symaux.formulas.functions.chebyshev import LINES, Table
from symaux.formulas.functions.chebyshev_box import BoxTable
from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.parameter_box import BoxSides
from symaux.laws.law import Law
from symaux.sandbox import run_bounded, value_or

SECONDS, FOR_A_BOX = 30.0, 120.0  # of processor time for one fit, at numbers and over a box; then there is no fit


def fit_quantile_table(law: Law, tolerance: float) -> tuple[str, Table] | None:
    """Return the line on which the quantile function was fitted, and its polynomials; None if no fit was found in time."""
    return value_or(run_bounded(_fitted, law, tolerance, seconds=SECONDS))


def _fitted(law: Law, tolerance: float) -> tuple[str, Table] | None:
    from symaux.laws.approximation.fit import fit_table

    for line in LINES if law.support == REALS else LINES[:1]:
        table = fit_table(law, line, tolerance)
        if table is not None:
            return line, table
    return None


def fit_quantile_box(law: Law, box: BoxSides, tolerance: float) -> tuple[str, BoxTable] | None:
    """Return the line and the polynomials of a fit over a box of the law's parameters, these in alphabetical order."""
    return value_or(run_bounded(_fitted_box, law, box, tolerance, seconds=FOR_A_BOX))


def _fitted_box(law: Law, box: BoxSides, tolerance: float) -> tuple[str, BoxTable] | None:
    from symaux.laws.approximation.fit_box import fit_box_table

    for line in LINES if law.support == REALS else LINES[:1]:
        table = fit_box_table(law, box, line, tolerance)
        if table is not None:
            return line, table
    return None
