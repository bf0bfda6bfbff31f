r"""Find a witness by distribution functions: a level z at which $P(g(\varepsilon) \le z)$ and $F(z)$ differ.

Where g is monotone the first is the noise's own mass on one side of $\varepsilon$. Local comparisons cannot see what is missing
at an end of a support, or beyond it; this can. Each mass is integrated twice, over different subdivisions and with different
digits, and only a difference far beyond what the two say of each other is a witness.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.evaluate import number, real
from symaux.formulas.numeric.points import Point, inside, points
from symaux.formulas.numeric.quadrature import Height, end_value, integrate_twice
from symaux.laws.law import Law
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.compiled_claim import compile_claim
from symaux.sandbox import run_bounded, value_or

SECONDS = 5.0
DIGITS = 25
LEAST = mp.mpf(10) ** -14
SURE = 1000  # how many times its own uncertainty a difference must be
FRACTIONS = [sp.Rational(n, 64) for n in (2, 8, 20, 32, 44, 56, 62)]
LEVELS = (2, 4)  # of these fractions, where the distribution functions are compared

Found = tuple[str, tuple[tuple[str, str], ...]]  # what differs, and where


def find_cdf_witness(claim: Claim) -> Found | None:
    """Return a witness; None says nothing."""
    if not claim.law.proper or not claim.noise.proper:
        return None
    return value_or(run_bounded(_searched, claim, seconds=SECONDS))


def _searched(claim: Claim) -> Found | None:
    with mp.workdps(DIGITS):
        for point in points(claim.parameters, conditions=claim.law.conditions, seed=5, count=2):
            found = _at(claim, point)
            if found is not None:
                return found
    return None


def _at(claim: Claim, point: Point) -> Found | None:
    g = compile_claim(claim).g
    noises = [inside(claim.noise.support, point, fraction) for fraction in FRACTIONS]
    values: list[Any] = [None if e is None else g(e, point) for e in noises]
    if None in noises or None in values:
        return None
    steps = {mp.sign(b - a) for a, b in pairwise(values)}
    if steps not in ({1}, {-1}):
        return None  # g turns back, or stands still
    inner = [mp.mpmathify(sp.N(e, DIGITS)) for e in noises]
    for level in LEVELS:
        found = _compared(claim, point, inner, values, level, steps == {1})
        if found is not None:
            at = [*((str(s), str(v)) for s, v in sorted(point.items(), key=str)), ("z", mp.nstr(values[level], 17))]
            return found, tuple(at)
    return None


def _compared(
    claim: Claim, point: Point, noises: list[Any], values: list[Any], number: int, rising: bool
) -> str | None:
    for side, word in ((-1, "below"), (1, "above")):
        ours = _mass(claim.noise, point, noises, noises[number], side if rising else -side)
        law = _mass(claim.law, point, sorted(values), values[number], side)
        if ours is None or law is None:
            continue
        doubt = ours[1] + law[1]
        if abs(ours[0] - law[0]) > max(LEAST, SURE * doubt):
            shown = (mp.nstr(ours[0], 15), mp.nstr(law[0], 15))
            return f"the mass {word} this value is {shown[0]} by the noise and {shown[1]} by the law"
    return None


def _mass(law: Law, point: Point, inner: Sequence[Any], level: Any, side: int) -> tuple[Any, Any] | None:
    """Return the mass on one side of a level, and the difference of two subdivisions; None if there is no number."""
    lower, upper = law.interval.lower, law.interval.upper
    ends = [end_value(bound, point) for bound in (lower, upper)]
    if None in ends or not ends[0] < level < ends[1]:
        return None

    def side_ends() -> list[Any]:
        return [end_value(lower, point), level] if side < 0 else [level, end_value(upper, point)]

    corners = list(_corners(law, point))
    between = [(a + 2 * b) / 3 for a, b in pairwise(sorted(inner))]
    return integrate_twice(_height(law, point), side_ends, [*inner, *corners], [*between, *corners])


def _height(law: Law, point: Point) -> Height:
    def height(x: Any) -> Any:
        try:
            found = mp.mpmathify(number(law.log_density, {**point, law.value: x}))
        except OverflowError:  # -exp(x) far out: the density is nothing
            return mp.mpf(0)
        if not mp.isfinite(found) or abs(mp.im(found)) > LEAST:
            raise ValueError("no density")
        return exponential(mp.re(found))

    return height


def _corners(law: Law, point: Point) -> Iterator[Any]:
    for where, _ in (split_at_corners((law.log_density,), law.value, law.interval) or [])[1:]:
        at = real(where.lower, point)
        if at is not None:
            yield at
