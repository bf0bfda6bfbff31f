r"""Compare the density of $g(\varepsilon_1, \varepsilon_2)$, by quadrature, with the law's density.

A difference counts as a witness only if two steps of the quadrature agree on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.evaluate import FAILURES, exactly, real
from symaux.formulas.numeric.points import Point, points
from symaux.formulas.numeric.points import inside as inside_of
from symaux.formulas.numeric.quadrature import end_value
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.proof.composition.joint import Conditional, Joint

AGREE = mp.mpf(10) ** -9
NOTHING = mp.mpf(10) ** -14  # what quadrature itself may be off by
SURE = mp.mpf(10) ** -3  # how well two steps must agree on a difference, relative to it
SMALL = mp.mpf(10) ** -19
DIGITS, FAR, QUIET = 30, 300, 2  # digits of the integrand; where the line ends; how long nothing must come
GRIDS, PLAIN = (120, 194), mp.mpf(10) ** -6  # on which limits are looked for; what differs plainly
COARSE, FINE, FINEST = mp.mpf(1) / 6, mp.mpf(1) / 16, mp.mpf(1) / 40
FRACTIONS = [sp.Rational(n, 11) for n in (2, 5, 9)]


@dataclass(frozen=True)
class LastIntegral:
    """The last integral for z in an interval: the limits of the last noise, and the logarithm of the integrand."""

    where: Interval
    limits: Interval
    log_integrand: Formula
    variable: sp.Symbol


@dataclass(frozen=True)
class Comparison:
    """A witness against the claim, or the number of points that agreed."""

    witness: str | None
    agreed: int
    at: tuple[tuple[str, str], ...] = ()


def compare_densities(made: Joint, blends: list[LastIntegral], count: int = 2) -> Comparison:
    """Compare the density of g with that of the law, at parameters that satisfy every assumption."""
    agreed = 0
    for point in points(made.parameters, conditions=made.law.conditions, seed=5, count=count):
        for blend, z in _values(blends, point):
            found = _compare(made, blend, point | {made.law.value: z})
            if isinstance(found, Comparison):
                return found
            agreed += found
    return Comparison(None, agreed)


def compare_on_grids(made: Joint, given: Conditional, count: int = 2) -> Comparison:
    """Compare the densities where the limits are not known as formulas: found on two grids, they must agree."""
    (last,) = given.given
    whole = LastIntegral(made.law.interval, last.interval, given.log_density + last.log_density, last.value)
    for point in points(made.parameters, conditions=made.law.conditions, seed=5, count=count):
        for blend, z in _values([whole], point):
            found = _compare_with_found_limits(made, given, blend, point | {made.law.value: z})
            if found is not None:
                return found
    return Comparison(None, 0)


def _compare_with_found_limits(made: Joint, given: Conditional, blend: LastIntegral, at: Point) -> Comparison | None:
    with mp.workdps(DIGITS):
        first, second = (_limits(given, blend, at, size) for size in GRIDS)
        if first is None or second is None or len(first) != len(second):
            return None
        differences = [_difference_over(made, blend, at, first, step) for step in (COARSE, FINE)]
    if None in differences:
        return None
    rough, fine = differences
    if abs(fine) < PLAIN or abs(fine - rough) > SURE * abs(fine):
        return None
    named = tuple((str(s), str(v)) for s, v in sorted(at.items(), key=str))
    return Comparison(f"the density of g differs from the law's by a factor of 1 + ({mp.nstr(fine, 8)})", 0, named)


def _difference_over(made: Joint, blend: LastIntegral, at: Point, parts: list[Interval], step: Any) -> Any:
    found = [_difference(made, replace(blend, limits=part), at, step) for part in parts]
    if any(each is None for each in found):
        return None
    law = real(made.law.log_density, at)
    return None if law is None else mp.fsum(each + 1 for each in found) - 1


def _limits(given: Conditional, blend: LastIntegral, at: Point, size: int) -> list[Interval] | None:
    """Return the intervals of the last noise for which z can be reached, by bisection between the points of a grid."""
    t, z = blend.variable, at[next(s for s in at if str(s) == "z_")]

    def reached(place: Any) -> bool:
        ends = [end_value(each, {**at, t: place}) for each in (given.image.lower, given.image.upper)]
        if None in ends:
            raise ValueError("no image")
        return bool(ends[0] < exactly(z) < ends[1])

    edges = [end_value(each, at) for each in (blend.limits.lower, blend.limits.upper)]
    if None in edges:
        return None
    try:
        places = [_from_line(mp.mpf(k) * 60 / size - 30, *edges)[0] for k in range(size + 1)]
        inside = [reached(place) for place in places]
        cuts = [
            _bisect(reached, a, b) for (a, one), (b, two) in pairwise(zip(places, inside, strict=True)) if one != two
        ]
    except FAILURES:
        return None
    bounds = [edges[0], *cuts, edges[1]]
    return [Interval(_number(a), _number(b)) for k, (a, b) in enumerate(pairwise(bounds)) if inside[0] == (k % 2 == 0)]


def _bisect(holds: Callable[[Any], bool], a: Any, b: Any) -> Any:
    at_a = holds(a)
    for _ in range(200):
        middle = (a + b) / 2
        a, b = (middle, b) if holds(middle) == at_a else (a, middle)
    return (a + b) / 2


def _number(end: Any) -> Formula:
    return sp.Float(end, DIGITS) if mp.isfinite(end) else (sp.oo if end > 0 else -sp.oo)


def _values(blends: list[LastIntegral], point: Point) -> Iterator[tuple[LastIntegral, Formula]]:
    for blend in blends:
        for fraction in FRACTIONS:
            z = inside_of(blend.where, point, fraction)
            if z is not None:
                yield blend, z


def _compare(made: Joint, blend: LastIntegral, at: Point) -> Comparison | int:
    rough = _difference(made, blend, at, COARSE)
    if rough is None or abs(rough) <= NOTHING:
        return 0 if rough is None else 1
    fine = _difference(made, blend, at, FINE)
    if fine is not None and abs(fine) > NOTHING and abs(fine - rough) > SURE * abs(fine):
        rough, fine = fine, _difference(made, blend, at, FINEST)
    if fine is None or abs(fine) <= NOTHING or abs(fine - rough) > SURE * abs(fine):
        return int(fine is not None and abs(fine) <= AGREE and abs(rough) <= AGREE)
    named = tuple((str(s), str(v)) for s, v in sorted(at.items(), key=str))
    return Comparison(f"the density of g differs from the law's by a factor of 1 + ({mp.nstr(fine, 8)})", 0, named)


def _difference(made: Joint, blend: LastIntegral, at: Point, step: Any) -> Any:
    """Return the integral over the density, minus one; None where either has no value."""
    with mp.workdps(DIGITS):
        law = real(made.law.log_density, at)
        ends = [end_value(each, at) for each in (blend.limits.lower, blend.limits.upper)]
        if law is None or None in ends or not ends[0] < ends[1]:
            return None

        def height(w: Any) -> Any:
            t, slope = _from_line(w, *ends)
            found = real(blend.log_integrand, {**at, blend.variable: t}) if slope else None
            return mp.mpf(0) if found is None else exponential(found - law) * slope

        try:
            return step * _trapezoidal_sum(height, step) - 1
        except FAILURES:
            return None


def _trapezoidal_sum(height: Callable[[Any], Any], step: Any) -> Any:
    """Return the trapezoidal sum on the line, outwards from 0 until terms are negligible: exact to many digits if smooth."""
    total = height(mp.mpf(0))
    for side in (1, -1):
        w, quiet = mp.mpf(0), 0
        while quiet < QUIET / step and abs(w) < FAR:
            w += side * step
            term = height(w)
            total += term
            quiet = quiet + 1 if abs(term) <= SMALL * abs(total) else 0
    return total


def _from_line(w: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Return t and dt/dw for w on the line, which both ends of the interval are at infinity of."""
    match mp.isfinite(lower), mp.isfinite(upper):
        case True, True:
            share = 1 / (1 + mp.exp(-w))
            return lower + (upper - lower) * share, (upper - lower) * share / (1 + mp.exp(w))
        case True, False:
            return lower + mp.exp(w), mp.exp(w)
        case False, True:
            return upper - mp.exp(w), mp.exp(w)
    return mp.sinh(w), mp.cosh(w)
