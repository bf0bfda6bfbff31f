r"""Certify claims at stated parameter points: a bound on the total-variation distance that is proved by ball arithmetic.

Nothing here compares floating-point numbers: integrals and residuals are enclosed by
``symaux.formulas.numeric.balls``, over whole intervals and with proved tails. A certificate needs at least five
points (one if there are no parameters) and a distance of at most 1e-12 at every one of them.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.numeric.points import Point, evaluate, points
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.proof.scalar.branching import JUMPS, find_branching_part
from symaux.proof.scalar.claim import Claim
from symaux.rules.verdict import Status, Verdict, describe_point
from symaux.sandbox import run_bounded, value_or
from symaux.trusted.density import Pushforward

Names = tuple[tuple[Any, Any], ...] | None
SECONDS = 10.0
PATIENCE = 6  # work is counted in processor time; on a busy machine that takes longer
DISTANCE = 1e-12
LAST_BIT = 2.0**-52
CLOSE = 1e-12


@dataclass(frozen=True)
class Certificate:
    """Bounds proved at one point: of the distance and the residual, on how many intervals, and in which direction g runs."""

    distance: float
    residual: float
    intervals: int
    direction: int


@dataclass(frozen=True)
class Difference:
    """A proved difference: the noise at which g(eps) has the larger density, and a lower bound of the logarithm of the
    ratio."""

    noise: str
    residual: str


def _refuted(claim: Claim, point: Point, found: Difference) -> Verdict:
    reason = (
        f"log q(eps) - log|g'(eps)| - log p(g(eps)) >= {found.residual}, by ball arithmetic: g(eps) is denser there"
    )
    at = [(str(atom), str(value)) for atom, value in _in_user_terms(claim.names, point)]
    return Verdict(Status.REFUTED, (reason,), claim.region, (*at, (str(claim.noise.value), found.noise)))


def certify_claim(claim: Claim, reason: str, seconds: float = SECONDS) -> Verdict | None:
    """Return CERTIFIED or REFUTED for a claim that could not be proved for the given reason, or None."""
    from symaux.trusted.parameter_points import LEAST, stated_points

    if not claim.law.proper or not claim.noise.proper or _switches(claim) or _jumps_or_is_constant(claim):
        return None
    chosen = stated_points(claim.parameters, claim.law.conditions)
    shown = value_or(run_bounded(certify_at_points, claim, chosen, seconds, seconds=PATIENCE * seconds), [])
    for point, found in zip(chosen, shown, strict=False):
        if isinstance(found, Difference):
            return _refuted(claim, point, found)
    kept = [(point, f) for point, f in zip(chosen, shown, strict=False) if isinstance(f, Certificate)]
    if len(kept) < (LEAST if claim.parameters else 1) or len({found.direction for _, found in kept}) != 1:
        return None
    evidence = (
        reason,
        f"certified at {len(kept)} of {len(shown)} parameter points, by ball arithmetic on whole intervals",
        f"|log q(eps) - log|g'(eps)| - log p(g(eps))| <= {_up(max(f.residual for _, f in kept))} and g' keeps its sign "
        f"on {sum(f.intervals for _, f in kept)} intervals",
        f"the total-variation distance is at most {_up(max(f.distance for _, f in kept))}, tails included",
    )
    stated = tuple(_in_user_terms(claim.names, point) for point, _ in kept) if claim.parameters else ()
    return Verdict(Status.CERTIFIED, evidence, tuple(map(describe_point, stated)) or claim.region, (), stated)


def _switches(claim: Claim) -> bool:
    """Return whether a parameter alone may choose between branches, so that stated points say nothing of those between."""
    e, z = claim.noise.value, claim.law.value
    formulas = ((claim.value, e), *((f, e) for f in claim.noise.formulas), *((f, z) for f in claim.law.formulas))
    return any(find_branching_part(formula, variable) is not None for formula, variable in formulas)


def _jumps_or_is_constant(claim: Claim) -> bool:
    """Return whether g jumps, or is constant, anywhere: also where the noise is improbable."""
    e = claim.noise.value
    assert isinstance(claim.noise.support, Interval)
    parts = split_at_corners((claim.value,), e, claim.noise.support)
    if parts is None or any(f.has(*JUMPS) for _, (f,) in parts):
        return claim.value.has(*JUMPS)
    if any(not f.has(e) for _, (f,) in parts):
        return True
    point = next(points(claim.parameters, conditions=claim.law.conditions, seed=5, count=1), {})
    return any(_gap(left[0], right[0], where.lower, e, point) for (_, left), (where, right) in pairwise(parts))


def _gap(left: Any, right: Any, corner: Any, e: Any, point: Point) -> bool:
    ends = [evaluate(formula.xreplace({e: corner}), point) for formula in (left, right)]
    return None not in ends and abs(ends[0] - ends[1]) > CLOSE * (1 + abs(ends[0]))


def certify_at_points(claim: Claim, chosen: Sequence[Point], seconds: float) -> list[Certificate | Difference | None]:
    """Return a certificate for every point that there was time for."""
    deadline = time.process_time() + seconds
    found: list[Certificate | Difference | None] = []
    for number, point in enumerate(chosen):
        left = deadline - time.process_time()
        if left <= 0:
            break
        found.append(certify_at_point(claim, point, time.process_time() + left * min(1.0, 2 / (len(chosen) - number))))
        if isinstance(found[-1], Difference) or (found[-1] is None and number == 0):
            break  # refuted; or the plainest point failed, and the others are not worth the time
    return found


def certify_at_point(claim: Claim, point: Point, deadline: float) -> Certificate | Difference | None:
    """Return the certificate at one point of the parameters, a difference, or None."""
    from symaux.formulas.numeric.balls.signs import Undecided
    from symaux.trusted.cover import Different, Hopeless, cover_noise
    from symaux.trusted.log_scale import to_log_scale
    from symaux.trusted.mass_bound import enclose_mass
    from symaux.trusted.unwind_quantile import unwind_quantile

    here = to_log_scale(Pushforward.of(claim).substituted(point))
    plain = unwind_quantile(here.noise, here.value)
    try:
        shown = cover_noise(here if plain is None else replace(here, noise=plain.law, value=plain.formula), deadline)
        masses = [enclose_mass(law) for law in (here.noise, here.law)]
        distance = shown.distance(*(mass.upper() for mass in masses))
    except Different as found:
        return Difference(found.noise if plain is None else plain.noise_at(found.noise), found.residual)
    except (Undecided, Hopeless, ValueError, ZeroDivisionError, OverflowError):
        return None
    if not (distance < DISTANCE and all(map(may_be_one, masses))):
        return None
    return Certificate(_above(distance), _above(shown.residual), shown.cells, shown.direction)


@functools.lru_cache(maxsize=512)
def certify_mass(law: Law, names: Names = None, seconds: float = SECONDS) -> Verdict | None:
    """Return a verdict that a density integrates to one, up to a proved bound, at stated points.

    ``names`` are formulas of the law's parameters with what they stand for in the user's terms.
    """
    from symaux.trusted.parameter_points import LEAST, stated_points

    parameters = sorted({s for f in law.formulas for s in f.free_symbols} - {law.value}, key=str)
    chosen = stated_points(parameters, law.conditions)
    shown = value_or(run_bounded(bound_mass_at_points, law, chosen, seconds, seconds=PATIENCE * seconds), [])
    kept = [(point, off) for point, off in zip(chosen, shown, strict=False) if off is not None]
    if len(kept) < (LEAST if parameters else 1):
        return None
    said = tuple((p, p) for p in parameters) if names is None else names
    stated = tuple(_in_user_terms(said, point) for point, _ in kept) if parameters else ()
    where = f" at {len(kept)} of {len(shown)} parameter points" if parameters else ""
    line = f"the density integrates to 1 up to {_up(max(off for _, off in kept))}{where}, by ball arithmetic"
    return Verdict(Status.CERTIFIED, (line,), tuple(map(describe_point, stated)), (), stated)


def bound_mass_at_points(law: Law, chosen: Sequence[Point], seconds: float) -> list[float | None]:
    """Return a bound of the integral's distance from one at every point that there was time for."""
    deadline = time.process_time() + seconds
    found: list[float | None] = []
    for point in chosen:
        if time.process_time() > deadline:
            break
        found.append(_off_one(law.substituted(point)))
    return found


def _off_one(law: Law) -> float | None:
    from symaux.formulas.numeric.balls.signs import Undecided, abs_bound
    from symaux.trusted.mass_bound import enclose_mass

    try:
        total = enclose_mass(law)
        off = abs_bound(total - 1)
    except (Undecided, ValueError, ZeroDivisionError, OverflowError):
        return None
    return _above(off) if may_be_one(total) else None


def may_be_one(mass: Any) -> bool:
    """Return whether a mass may be one, or is one up to the last bit of a double, as with a constant in decimals."""
    from symaux.formulas.numeric.balls.signs import abs_bound

    off = abs_bound(mass - 1)
    return bool((off < DISTANCE and mass.contains(1)) or off < LAST_BIT)


def _above(bound: Any) -> float:
    """Return a floating-point number that is not below a ball."""
    return float(bound.upper()) * (1 + 2.0**-50) + 1e-300


def _up(bound: float) -> str:
    """Return two digits, rounded up.

    >>> _up(1.234e-14)
    '1.3e-14'
    """
    from decimal import ROUND_UP, Context

    return f"{Context(prec=2, rounding=ROUND_UP).create_decimal_from_float(bound):.1e}"


def _in_user_terms(names: Sequence[tuple[Any, Any]], point: Point) -> tuple[tuple[Any, Any], ...]:
    """Return the point in the user's own parameters, which charts may have replaced."""
    return tuple((atom, formula.xreplace(point)) for formula, atom in names if formula.free_symbols <= set(point))
