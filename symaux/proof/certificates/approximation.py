r"""Bound the Kolmogorov distance between a law and an approximate quantile function, by proof.

$\sup_u |F(\tilde Q(u)) - u|$ is the Kolmogorov distance of the two laws when $\tilde Q$ increases; both are shown, by ball
arithmetic, for laws without parameters.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from symaux.formulas.functions.chebyshev import LINES, ChebyshevPieces, Table, logit, map_line_onto
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.proof.mass.mass import Mass, mass
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

SECONDS, PATIENCE = 30.0, 3
WORST = 1e-3  # laws further apart than this do not count as approximations of each other
UNIT = 1e-12  # how far from one an enclosed mass may be


@dataclass(frozen=True)
class DistanceBound:
    """Bounds proved by ball arithmetic, of the distance and of the mass's distance from one, and how many intervals
    they took."""

    distance: float
    mass: float
    intervals: int


@functools.lru_cache(maxsize=256)
def verify_approximation(law: Law, noise: Law, value: Formula) -> Verdict:
    """Return the verdict on z = h(q(log(u/(1-u)))) for a table q of polynomials and uniform u."""
    claimed = _read(law, noise, value)
    if claimed is None:
        reason = "no method for polynomials of anything but the log-odds of uniform noise, for a law without parameters"
        return Verdict(Status.UNDECIDED, (reason,))
    total = mass(law)
    if total.wrong:
        reason = f"the density integrates to {total.seen}, not to 1"
        return Verdict(Status.REFUTED, (reason,), (), (("integral", total.seen),))
    outcome = run_bounded(prove_bound, law, *claimed, total.proved, seconds=PATIENCE * SECONDS)
    shown = value_or(outcome, "no bound was found in time")
    if isinstance(shown, str):
        return Verdict(Status.UNDECIDED, (shown,))
    if not shown.distance < WORST:
        reason = f"the distance of the two laws was only bounded by {round_up(shown.distance)}"
        return Verdict(Status.UNDECIDED, (reason,))
    return Verdict(Status.APPROXIMATE, _evidence(shown, total))


def _evidence(shown: DistanceBound, total: Mass) -> tuple[str, ...]:
    unit = "the density integrates to 1"
    if not total.proved:
        unit += f" up to {round_up(shown.mass)}, by ball arithmetic, which the bound includes"
    return (
        f"the Kolmogorov distance sup |F(Q(u)) - u| is at most {round_up(shown.distance)}",
        f"by ball arithmetic on {shown.intervals} intervals that cover all pieces, tails included",
        "Q increases strictly on every piece and beyond them, and the pieces meet",
        unit,
    )


def _read(law: Law, noise: Law, value: Formula) -> tuple[str, Table] | None:
    """Return the line and the table, if the formula has the one form that can be bounded."""
    found = value.atoms(ChebyshevPieces)
    if len(found) != 1 or not isinstance(law.support, Interval) or law.parameters or not is_standard_uniform(noise):
        return None
    (pieces,) = found
    if pieces.args[0] != logit(noise.value):
        return None
    line = next((line for line in LINES if map_line_onto(law.support, pieces, line) == value), None)
    return None if line is None else (line, pieces.table)


def prove_bound(law: Law, line: str, table: Table, unit: bool) -> DistanceBound | str:
    """Return a bound of the distance, or the reason why there is none."""
    from flint import arb

    from symaux.formulas.numeric.balls.signs import Undecided, abs_bound
    from symaux.proof.certificates.kolmogorov_bound import Distance, Hopeless
    from symaux.trusted.mass_bound import enclose_mass

    try:
        total = arb(1) if unit else enclose_mass(law)
        off = abs_bound(total - 1)
        if not off < UNIT:
            return "the density was not shown to integrate to 1"
        found = Distance(law, line, table, total, SECONDS)
        bound = found.bound() + off
    except (Undecided, Hopeless, ValueError, ZeroDivisionError, OverflowError) as failure:
        return f"no bound of the distance was found: {failure}"
    return DistanceBound(_above(bound), _above(off), found.cells)


def _above(bound: Any) -> float:
    """Return a floating-point number that is not below a ball."""
    return float(bound.upper().mid()) * (1 + 2.0**-50)


def round_up(bound: float) -> str:
    """Return three digits, rounded up.

    >>> round_up(1.2341e-10)
    '1.24e-10'
    """
    from decimal import ROUND_UP, Context

    return f"{Context(prec=3, rounding=ROUND_UP).create_decimal_from_float(bound):.2e}"
