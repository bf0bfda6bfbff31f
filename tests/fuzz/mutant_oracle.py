"""Whether a claim is true, by distribution functions alone: no residual, no slope of g, nothing of symaux.proof.verify."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp
from support.twins import Twin

from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.evaluate import FAILURES, number, real
from symaux.formulas.numeric.points import inside, points
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law

DIGITS = 25
CLOSE = mp.mpf(10) ** -12
ROUGHLY = mp.mpf(10) ** -7


def preserves(claim: Twin, tiny: bool = False) -> bool | None:
    """Whether P(g(eps) <= z) is the law's own distribution function at a few z and parameters; None if that is not clear.

    Double integrals are too coarse to say of a ``tiny`` change that it changes nothing.
    """
    law, noises, g = claim
    values = {law.value, *(n.value for n in noises)}
    symbols = {s for f in (g, *law.formulas, *(f for n in noises for f in n.formulas)) for s in f.free_symbols} - values
    compare = _one if len(noises) == 1 else _two
    seen: list[bool] = []
    for point in points(symbols, conditions=law.conditions, seed=7, count=2):
        try:
            with mp.workdps(DIGITS):
                found = compare(law, noises, g, point)
        except FAILURES:
            return None
        if found is False:
            return False
        if found is None:
            return None
        seen.append(found)
    return None if not seen or (tiny and len(noises) > 1) else True


def _one(law: Law, noises: tuple[Law, ...], g: sp.Expr, point: dict) -> bool | None:
    (noise,) = noises
    places = [inside(noise.support, point, sp.Rational(n, 10)) for n in (1, 3, 5, 7, 9)]
    values = [None if e is None else real(g, {**point, noise.value: e}) for e in places]
    if any(e is None for e in places):
        return None
    if any(z is None for z in values):
        return False if any(_complex(g, {**point, noise.value: e}) for e in places) else None
    if (steps := {mp.sign(b - a) for a, b in pairwise(values)}) not in ({1}, {-1}):
        return None
    for k in (1, 3):
        below, above = (_mass(noise, point, places[k], end) for end in (noise.support.lower, noise.support.upper))
        ours = (below, above) if steps == {1} else (above, below)
        theirs = tuple(_mass(law, point, values[k], end) for end in (law.support.lower, law.support.upper))
        if None in ours or None in theirs:
            return None
        if any(abs(a - b) > CLOSE for a, b in zip(ours, theirs, strict=True)):
            return False
    return True


def _complex(formula: sp.Expr, values: dict) -> bool:
    try:
        return abs(mp.im(mp.mpmathify(number(formula, values)))) > CLOSE
    except FAILURES:
        return False


def _mass(law: Law, point: dict, level: Any, end: sp.Expr) -> Any:
    """The mass between a level and an end of the support; None if quadrature is not sure of it."""
    assert isinstance(law.support, Interval)
    far = {sp.oo: mp.inf, -sp.oo: -mp.inf}.get(end)
    far = real(end, point) if far is None else far
    with mp.workdps(DIGITS):
        near = mp.mpmathify(sp.N(level, 25)) if isinstance(level, sp.Basic) else level
        inner = map(mp.mpf, (-90, -30, -8, -3, -1, 0, 1, 3, 8, 30))
        kinks = [at for s in point if (at := real(s, point)) is not None]
        cuts = sorted({m for m in (*inner, *kinks) if min(near, far) < m < max(near, far)})
        total, error = _quad(lambda x: _height(law, point, x), sorted([near, *cuts, far]))
        return total if error < CLOSE / 10 else None


def _quad(height: Any, ends: list[Any]) -> tuple[Any, Any]:
    """An integral in parts; a part that runs to infinity in the logarithm of the distance, since tails may be heavy."""
    parts = []
    for a, b in pairwise(ends):
        if mp.isinf(b):
            parts.append(mp.quad(lambda v, a=a: height(a + mp.expm1(v)) * mp.exp(v), [0, 1, 3, 10, 30, 90], error=True))
        elif mp.isinf(a):
            parts.append(mp.quad(lambda v, b=b: height(b - mp.expm1(v)) * mp.exp(v), [0, 1, 3, 10, 30, 90], error=True))
        else:
            parts.append(mp.quad(height, [a, b], error=True, maxdegree=7))
    return mp.fsum(p[0] for p in parts), mp.fsum(p[1] for p in parts)


def _height(law: Law, point: dict, x: Any) -> Any:
    """The density; zero so far out that a part of the formula is beyond all bounds."""
    found = real(law.log_density, {**point, law.value: x})
    return mp.mpf(0) if found is None else exponential(found)


def _two(law: Law, noises: tuple[Law, ...], g: sp.Expr, point: dict) -> bool | None:
    """P(g(e, t) <= z) with e found by bisection for every t, where g is monotone in e."""
    first, second = noises
    lower = real(law.support.lower, point) if law.support.lower.is_finite else -mp.inf
    for fraction in (sp.Rational(2, 5), sp.Rational(2, 3)):
        z = mp.mpmathify(sp.N(inside(law.support, point, fraction), 20))
        with mp.workdps(15):
            theirs = _mass(law, point, z, law.support.lower)
            ours, error = mp.quad(
                lambda t, z=z: _height(second, point, t) * _below(first, second, g, point, z, t),
                sorted({*_ends(second, point), *_kinks(first, second, g, point, z)}),
                error=True,
                maxdegree=5,
            )
        if theirs is None or error > ROUGHLY / 10 or not z > lower:
            return None
        if abs(ours - theirs) > ROUGHLY:
            return False
    return True


def _kinks(first: Law, second: Law, g: sp.Expr, point: dict, z: Any) -> list[Any]:
    """Where the first noise would have to be at an end of its support: there the integral over the second has a kink."""
    found = []
    ends = [real(b, point) for b in (first.support.lower, first.support.upper) if b.is_finite]
    span = [max(min(end, mp.mpf(10) ** 4), -(mp.mpf(10) ** 4)) for end in _ends(second, point)]
    for e in ends:
        for a, b in pairwise(span):
            above = [_above(g, {**point, first.value: e}, second.value, t, z) for t in (a, b)]
            if None in above or above[0] == above[1]:
                continue
            for _ in range(60):
                middle = (a + b) / 2
                same = _above(g, {**point, first.value: e}, second.value, middle, z) == above[0]
                a, b = (middle, b) if same else (a, middle)
            found.append((a + b) / 2)
    return found


def _above(g: sp.Expr, values: dict, second: sp.Symbol, t: Any, z: Any) -> bool | None:
    found = real(g, {**values, second: t})
    return None if found is None else bool(found > z)


def _ends(law: Law, point: dict) -> list[Any]:
    low, high = (
        real(b, point) if b.is_finite else (mp.inf if b == sp.oo else -mp.inf)
        for b in (law.support.lower, law.support.upper)
    )
    return [low, *(m for m in map(mp.mpf, (-3, -1, 0, 1, 3, 8)) if low < m < high), high]


def _below(first: Law, second: Law, g: sp.Expr, point: dict, z: Any, t: Any) -> Any:
    """P(g(e, t) <= z) for the first noise."""

    def at(e: Any) -> Any:
        found = real(g, {**point, first.value: e, second.value: t})
        if found is None:
            raise ValueError("no real value")
        return found

    low, high = (
        max(min(end, mp.mpf(10) ** 6), -(mp.mpf(10) ** 6)) for end in (_ends(first, point)[0], _ends(first, point)[-1])
    )
    low, high = low + mp.mpf(10) ** -14, high - mp.mpf(10) ** -14
    rising = at(high) > at(low)
    if (at(low) > z) == (at(high) > z):
        return mp.mpf(at(low) <= z)
    a, b = low, high
    for _ in range(70):
        middle = (a + b) / 2
        a, b = (middle, b) if (at(middle) > z) != rising else (a, middle)
    return _distribution(first, point, a) if rising else 1 - _distribution(first, point, a)


def _distribution(noise: Law, point: dict, e: Any) -> Any:
    """The standard noises' distribution functions in closed form; any other by quadrature."""
    if noise.spelling is not None and noise.spelling.family in ("normal", "half_normal", "exponential"):
        return {
            "normal": lambda: mp.ncdf(e),
            "half_normal": lambda: 2 * mp.ncdf(e) - 1,
            "exponential": lambda: 1 - mp.exp(-e),
        }[noise.spelling.family]()
    found = _mass(noise, point, e, noise.support.lower)
    if found is None:
        raise ValueError("no distribution function")
    return found
