r"""The density of $g(\varepsilon_1, \varepsilon_2)$ as a number: the same integral by quadrature, against the law's density.

A difference counts as a witness only if quadrature at two precisions agrees on it to many digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.numeric import FAILURES, exponential, real
from symaux.points import Point, points
from symaux.points import inside as inside_of
from symaux.proof.joint import Joint
from symaux.support import Interval

AGREE = mp.mpf(10) ** -12
DIFFER = mp.mpf(10) ** -9
SURE = mp.mpf(10) ** -3  # how well two precisions must agree on a difference, relative to it
FRACTIONS = [sp.Rational(n, 11) for n in (2, 5, 9)]


@dataclass(frozen=True)
class Blend:
    """For z in an interval: the limits of the last noise, and the logarithm of what is integrated over it."""

    where: Interval
    limits: Interval
    log_integrand: sp.Expr
    variable: sp.Symbol


@dataclass(frozen=True)
class Seen:
    """A witness against the claim, or how many points agreed."""

    witness: str | None
    agreed: int
    at: tuple[tuple[str, str], ...] = ()


def compared(made: Joint, blends: list[Blend], count: int = 2) -> Seen:
    """The density of g against that of the law, at parameters that honour every assumption."""
    agreed = 0
    for point in points(made.parameters, conditions=made.law.conditions, seed=5, count=count):
        for blend, z in _values(blends, point):
            found = _judged(made, blend, point | {made.law.value: z})
            if isinstance(found, Seen):
                return found
            agreed += found
    return Seen(None, agreed)


def _values(blends: list[Blend], point: Point) -> Iterator[tuple[Blend, sp.Expr]]:
    for blend in blends:
        for fraction in FRACTIONS:
            z = inside_of(blend.where, point, fraction)
            if z is not None:
                yield blend, z


def _judged(made: Joint, blend: Blend, at: Point) -> Seen | int:
    rough = _difference(made, blend, at, 16)
    if rough is None or abs(rough) <= AGREE:
        return 0 if rough is None else 1
    fine = _difference(made, blend, at, 30)
    if fine is None or abs(fine) <= AGREE:
        return 0 if fine is None else 1
    if abs(fine) < DIFFER or abs(fine - rough) > SURE * abs(fine):
        return 0
    named = tuple((str(s), str(v)) for s, v in sorted(at.items(), key=str))
    return Seen(f"the density of g differs from the law's by a factor of 1 + ({mp.nstr(fine, 8)})", 0, named)


def _difference(made: Joint, blend: Blend, at: Point, digits: int) -> Any:
    """The integral over the density, minus one; None where either has no value.

    Limits that are numbers are brought to 0 and infinity, where a node keeps its distance to the end, and the integrand is
    worked out with twice the digits: it may be infinite at an end.
    """
    with mp.workdps(2 * digits):
        law = real(made.law.log_density, at)
        ends = [_end(end, at) for end in (blend.limits.lower, blend.limits.upper)]
        if law is None or None in ends or not ends[0] < ends[1]:
            return None

    def height(s: Any) -> Any:
        with mp.workdps(2 * digits):
            t, slope = _moved(s, *ends)
            found = real(blend.log_integrand, {**at, blend.variable: t})
            return mp.mpf(0) if found is None else exponential(found - law) * slope

    with mp.workdps(digits):
        try:
            return mp.quad(height, _split(*ends)) - 1
        except FAILURES:
            return None


def _end(end: sp.Expr, at: Point) -> Any:
    if end in (sp.oo, -sp.oo):
        return mp.inf if end == sp.oo else -mp.inf
    return real(end, at)


def _split(lower: Any, upper: Any) -> list[Any]:
    """Where quadrature is split."""
    if mp.isfinite(lower) or mp.isfinite(upper):
        return [mp.mpf(0), mp.mpf(1), *([] if mp.isfinite(lower) and mp.isfinite(upper) else [mp.mpf(8)]), mp.inf]
    return [-mp.inf, *(mp.mpf(n) for n in (-6, -1, 1, 6)), mp.inf]


def _moved(s: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """t and dt/ds for s in (0, oo), or on the line."""
    match mp.isfinite(lower), mp.isfinite(upper):
        case True, True:
            return lower + (upper - lower) * s / (1 + s), (upper - lower) / (1 + s) ** 2
        case True, False:
            return lower + s, 1
        case False, True:
            return upper - s, 1
    return s, 1
