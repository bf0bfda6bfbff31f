r"""Bound the Kolmogorov distance of an approximate quantile function for all parameters in a box, by proof.

$\sup_{u, \theta} |F(\tilde Q(u; \theta); \theta) - u|$ for $\theta$ between the numbers that the law's conditions give. The
density has to be proved to integrate to 1 for all parameters: here nothing is taken from single points.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any

from symaux.formulas.functions.chebyshev import LINES, ChebyshevPieces, logit, map_line_onto
from symaux.formulas.functions.chebyshev_box import BoxTable
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.parameter_box import BoxSides, parameter_box
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.proof.certificates.approximation import WORST, round_up
from symaux.proof.mass.mass import mass
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

SECONDS, PATIENCE = 240.0, 2
NARROWER = "try a narrower box, or cut it in several"


@dataclass(frozen=True)
class BoxBound:
    """A bound of the distance proved by ball arithmetic, and how many cells and parts of the box it took."""

    distance: float
    cells: int
    parts: int


@functools.lru_cache(maxsize=64)
def verify_approximation_on_box(law: Law, noise: Law, value: Formula) -> Verdict:
    """Return the verdict on z = h(q(log(u/(1-u)); θ)) for a table q over a box and uniform u."""
    claimed = _read(law, noise, value)
    if isinstance(claimed, str):
        return Verdict(Status.UNDECIDED, (claimed,))
    line, pieces, box = claimed
    total = mass(law)
    if total.wrong:
        reason = f"the density integrates to {total.seen}, not to 1"
        return Verdict(Status.REFUTED, (reason,), (), (("integral", total.seen),))
    if not total.proved:
        return Verdict(Status.UNDECIDED, ("the density was not proved to integrate to 1 for all parameters",))
    outcome = run_bounded(prove_bound_on_box, law, box, line, pieces, seconds=PATIENCE * SECONDS)
    shown = value_or(outcome, f"no bound was found in time: {NARROWER}")
    if isinstance(shown, str):
        return Verdict(Status.UNDECIDED, (shown,))
    if not shown.distance < WORST:
        reason = f"the distance of the two laws was only bounded by {round_up(shown.distance)}: {NARROWER}"
        return Verdict(Status.UNDECIDED, (reason,))
    ends = zip(pieces.parameters, box, strict=True)
    where = ", ".join(f"{low} <= {p} <= {high}" for p, (low, high) in ends)
    evidence = (
        f"for all {where} the Kolmogorov distance sup |F(Q(u)) - u| is at most {round_up(shown.distance)}",
        f"by ball arithmetic on {shown.cells} cells over {shown.parts} parts of the box, tails included",
        "Q increases strictly for all these parameters, on every piece and beyond them, and the pieces meet",
        "the density integrates to 1",
    )
    return Verdict(Status.APPROXIMATE, evidence)


def _read(law: Law, noise: Law, value: Formula) -> tuple[str, ChebyshevPieces, BoxSides] | str:
    """Return the line, the pieces and the box, if the formula has the one form that can be bounded; otherwise the reason."""
    found = value.atoms(ChebyshevPieces)
    if len(found) != 1 or not isinstance(law.support, Interval) or not is_standard_uniform(noise):
        return "no method for polynomials of anything but the log-odds of uniform noise"
    (pieces,) = found
    line = next((line for line in LINES if map_line_onto(law.support, pieces, line) == value), None)
    if line is None or pieces.args[0] != logit(noise.value) or not isinstance(pieces.table, BoxTable):
        return "no method for polynomials of anything but the log-odds of uniform noise"
    given = pieces.parameters
    if len(set(given)) != len(given) or set(given) != set(law.parameters) or len(given) != len(pieces.table.sides):
        return "the polynomials do not read just the parameters of the law"
    box = parameter_box(given, law.conditions)
    if box is None:
        return "the law does not say between which numbers its parameters are: a bound needs a box"
    return line, pieces, box


def prove_bound_on_box(law: Law, box: BoxSides, line: str, pieces: Any) -> BoxBound | str:
    """Return a bound of the distance over the whole box, or the reason why there is none."""
    from symaux.formulas.numeric.balls.signs import Undecided
    from symaux.proof.certificates.kolmogorov_bound import Hopeless
    from symaux.proof.certificates.kolmogorov_box_bound import BoxDistance

    try:
        table = pieces.table
        sides = tuple(_outwards(ends, side[2]) for ends, side in zip(box, table.sides, strict=True))
        found = BoxDistance(law, pieces.parameters, sides, line, table, SECONDS)
        bound = found.bound()
    except (Undecided, Hopeless, ValueError, ZeroDivisionError, OverflowError) as failure:
        return f"no bound of the distance was found: {failure}; {NARROWER}"
    return BoxBound(float(bound.upper().mid()) * (1 + 2.0**-50), found.cells, found.parts)


def _outwards(ends: tuple[Formula, Formula], logarithmic: bool) -> tuple[float, float]:
    """Return the ends in the coordinate of the table, rounded so that they enclose the box."""
    from symaux.formulas.numeric.balls.evaluate import BallEvaluator
    from symaux.formulas.numeric.balls.signs import Undecided, require_finite

    low, high = (require_finite(BallEvaluator({}).of(end)) for end in ends)
    if logarithmic and not low > 0:
        raise Undecided("the logarithm of a parameter that may be zero")
    low, high = (low.log(), high.log()) if logarithmic else (low, high)
    return nextafter(nextafter(float(low.mid()), -inf), -inf), nextafter(nextafter(float(high.mid()), inf), inf)
