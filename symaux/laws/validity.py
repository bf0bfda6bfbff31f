r"""What is no density is refused, with a witness: negative or complex somewhere, not normalised, divergent.

A formula in symbols of unknown range is refused only if it fails at every choice of parameters that was tried: at some
choices a formula may be meaningless (c outside (a, b) in a triangular law) without being wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.errors import LawError
from symaux.formulas.numeric.evaluate import FAILURES
from symaux.formulas.numeric.minima import dips
from symaux.formulas.numeric.points import Point, evaluate, inside, points, sign_on, with_sums_as_symbols
from symaux.formulas.numeric.quadrature import MORE, Height, end, height, once
from symaux.formulas.symbols.indices import references
from symaux.formulas.symbols.log import Sign
from symaux.formulas.symbols.support import Support, bounds

PLACES = 16
MANY = 12
CLOSE = mp.mpf(10) ** -7
TINY = mp.mpf(10) ** -20
MOST_MASSES, QUIET = 300, 40


def refuse_bad_signs(density: sp.Expr, value: Any, support: Support, conditions: tuple[Any, ...] = ()) -> None:
    """Raises LawError for a formula that is negative or complex somewhere, at every choice of parameters tried.

    >>> z = sp.Symbol("z", real=True)
    >>> from symaux.formulas.symbols.support import REALS
    >>> refuse_bad_signs(-sp.exp(-z**2), z, REALS)
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: this is no density of z, because it is negative: -exp(-z**2)
      at z = -160/39 it is -4.90203e-8
      try:  a formula that is never negative on its support (-oo, oo)
    """
    read = with_sums_as_symbols(density, value)
    symbols = {r for f in (read, *bounds(support)) for r in references(f)} - {value}
    witness = None
    tried = itertools.chain(points(symbols, conditions=conditions, seed=23, count=6), _fractions(symbols, conditions))
    for point in tried:
        found = _bad_place(read, value, support, point)
        if found is None:
            return
        witness = witness or found
    if witness is not None:
        what, where, seen = witness
        at = ", ".join(f"{name} = {at}" for name, at in sorted(where.items(), key=str))
        raise LawError(
            f"this is no density of {value}, because it is {what}: {density}\n"
            f"  at {at} it is {mp.nstr(seen, 6)}\n"
            f"  try:  a formula that is never {what} on its support {support}"
        )


def _fractions(symbols: set[Any], conditions: tuple[Any, ...]) -> Iterator[Point]:
    """Parameters between zero and one, each with a value of its own: a weight may be nothing else.

    >>> w, k = sp.Symbol("w", positive=True), sp.Symbol("k", integer=True)
    >>> list(_fractions({w, k}, ()))
    [{k: 1, w: 2/5}, {k: 2, w: 3/5}]
    """
    named = sorted(symbols, key=str)
    for turn in (1, 2):
        point = {}
        for number, symbol in enumerate(named):
            size = sp.Integer(turn) if symbol.is_integer else sp.Rational(number + turn, len(named) + 3)
            point[symbol] = -size if symbol.is_nonpositive else size
        if all(condition.xreplace(point) == sp.true for condition in conditions):
            yield point


def sign_conditions(
    density: sp.Expr, value: Any, support: Support, conditions: tuple[Any, ...] = ()
) -> tuple[Any, ...]:
    """What the parameters must satisfy for a product not to be negative, where its signs were seen to go both ways.

    >>> from symaux.formulas.symbols.support import Interval
    >>> x, r = sp.symbols("x r", real=True)
    >>> sign_conditions((1 - r**2)/(2*sp.pi*(1 + r**2 - 2*r*sp.cos(x))), x, Interval(-sp.pi, sp.pi))
    (1 - r**2 > 0,)
    """
    sign = sign_on(value, support, conditions)
    unknown = {factor for factor in sp.Mul.make_args(density) if sign(factor) is None}
    if any(factor.has(value) for factor in unknown):
        return ()
    roots = {factor for factor in unknown if factor.is_Pow and not factor.exp.is_integer}
    known = sp.Mul(*(sign(factor) for factor in sp.Mul.make_args(density) if factor not in unknown))
    odd = sp.Mul(known, *(factor.base if factor.is_Pow else factor for factor in unknown - roots))
    needed = [_without_numbers(base) > 0 for base in (odd, *(root.base for root in roots))]
    return tuple(condition for condition in needed if condition not in (sp.true, sp.false))


def sign_of_the_rest(density: sp.Expr, value: Any, sign: Sign) -> Sign:
    """Return the same signs, and for the one factor that is seen to go both ways the one that a density needs.

    Its logarithm is then no real number at parameters where the density is negative, which a modulus would hide.

    >>> z, w = sp.symbols("z w", positive=True)
    >>> mixed = w*sp.exp(-z) + (1 - w)*sp.exp(-2*z)
    >>> sign_of_the_rest(-w*mixed, z, lambda factor: 1 if factor.is_positive else -1 if factor == -1 else None)(mixed)
    -1
    """
    factors = {factor: sign(factor) for factor in sp.Mul.make_args(density)}
    unknown = [factor for factor, found in factors.items() if found is None]
    if len(unknown) != 1 or not unknown[0].is_Add or not unknown[0].has(value):
        return sign
    rest = int(sp.prod(found for found in factors.values() if found is not None))
    return lambda formula: rest if formula == unknown[0] else sign(formula)


def negative_place(law: Any) -> str | None:
    """Parameters and a value at which a law has no positive density, in words; None if none are found.

    >>> from symaux.laws.law import law
    >>> z, w = sp.symbols("z w", positive=True)
    >>> [str(negative_place(law(z, w*sp.exp(-z) + 2*(1 - w)*sp.exp(-2*z), conditions=c)))[:17] for c in ((), (w < 1,))]
    ['it is negative at', 'None']
    """
    parameters = [p for p in law.parameters if isinstance(p, sp.Symbol)]
    for point in points(parameters, conditions=law.conditions, seed=31, count=MANY):
        found = _bad_place(law.density, law.value, law.support, point)
        if found is not None:
            at = ", ".join(f"{name} = {at}" for name, at in sorted(found[1].items(), key=str))
            return f"it is {found[0]} at {at}"
    return None


def _without_numbers(formula: sp.Expr) -> sp.Expr:
    """Return a formula of the same sign, without factors that are positive: -n rather than -n/pi."""
    return sp.Mul(*(-1 if f.is_negative else f for f in sp.Mul.make_args(formula) if not f.is_positive))


def _bad_place(density: sp.Expr, value: Any, support: Support, point: Point) -> tuple[str, Point, Any] | None:
    places = [inside(support, point, sp.Rational(place, PLACES)) for place in range(1, PLACES)]
    if None in places:
        return None
    for where in (*places, *dips(density, value, support, point)):
        at: Any = point | {value: where}
        seen = evaluate(density, at)
        if seen is None:
            continue
        if abs(mp.im(seen)) > TINY + abs(seen) * TINY:
            return "complex", at, seen
        if mp.re(seen) < -TINY:
            return "negative", at, seen
    return None


def refuse_bad_mass(law: Any) -> None:
    """Raises LawError for a density that does not integrate to one, at every choice of parameters tried."""
    witness = None
    for point, seen in _masses(law):
        if seen is None or abs(seen - 1) < CLOSE:
            return
        witness = witness or (point, seen)
    if witness is None:
        return
    point, seen = witness
    at = ", ".join(f"{name} = {value}" for name, value in sorted(point.items(), key=str))
    finite = bool(mp.isfinite(seen))
    total, least = ("sum", "at least " if seen > 1 else "") if law.discrete else ("integral", "")
    advice = f"dividing it by its {total}" if finite else "sa.flat, if an improper prior is meant"
    if at:
        advice += "; or, if it is one for some parameters only, saying for which: given 0 < p < 1, or conditions="
    raise LawError(
        f"the density of {law.value} does not {'add up' if law.discrete else 'integrate'} to one:"
        f" exp({law.log_density}) on {law.support}\n"
        f"  its {total} is {least}{mp.nstr(seen, 12) if finite else 'infinity'}{f' at {at}' if at else ''}\n"
        f"  try:  {advice}"
    )


def _masses(law: Any) -> Iterator[tuple[Point, Any]]:
    parameters = [p for p in law.parameters if isinstance(p, sp.Symbol)]
    for point in points(parameters, conditions=law.conditions, seed=29, count=3):
        yield point, sum_of_masses(law, point) if law.discrete else integral(law, point)


def sum_of_masses(law: Any, point: Point) -> Any:
    """Return the sum of the masses of whole numbers at a point, or what is above one of it already; None if it is
    not clear.

    >>> from symaux.laws.families import poisson
    >>> from symaux.laws.law import Law
    >>> from symaux.formulas.symbols.support import Integers
    >>> k, r = sp.Symbol("k", integer=True), sp.Symbol("r", positive=True)
    >>> abs(sum_of_masses(poisson(k, r), {r: sp.Integer(2)}) - 1) < 1e-12
    True
    >>> sum_of_masses(Law(k, sp.log((1 + (-1)**k)/6), Integers(sp.S.Zero, sp.Integer(4))), {})
    mpf('1.0')
    """
    low, high = (end(bound, point) for bound in bounds(law.support))
    if low is None or high is None or mp.isinf(low):
        return None
    mass, total, quiet = sp.exp(law.log_density), mp.mpf(0), 0  # how many masses in a row were next to nothing
    for step in range(MOST_MASSES):
        if low + step > high:
            return total
        seen = evaluate(mass, point | {law.value: sp.Integer(int(low) + step)})
        if seen is None or abs(mp.im(seen)) > TINY:
            return None
        total += mp.re(seen)
        quiet = quiet + 1 if mp.re(seen) < TINY * total else 0
        if total > 1 + CLOSE or (quiet == QUIET and mp.isinf(high)):
            return total
    return None


def integral(law: Any, point: Point, digits: int = 20) -> Any:
    """Return a numerical integral of the density at a point; infinite if it grows without bound, None if it is not
    clear.

    >>> from symaux.laws.families import exponential
    >>> z, r = sp.symbols("z r", positive=True)
    >>> abs(integral(exponential(z, r), {r: sp.Integer(2)}) - 1) < 1e-12
    True
    """
    with mp.workdps(digits):
        ends = [end(bound, point) for bound in bounds(law.support)]
        if None in ends or not ends[0] < ends[1]:
            return None
        here = height(sp.exp(law.log_density), law.value, point)
        found = once(here, ends, (-30, -8, -1, 0, 1, 8, 30))
        if found is None:
            return mp.inf if _diverges(here, ends) else None
        total, error = found
        if error < mp.mpf(10) ** -9:
            return total if abs(total - 1) < CLOSE or _agrees(here, law, point, total) else None
        return mp.inf if _diverges(here, ends) else None


def _agrees(here: Height, law: Any, point: Point, total: Any) -> bool:
    """Return whether another quadrature, with more digits and cuts on every scale, gives the same.

    A narrow peak far out may escape the first, and a peak at an end is only seen as near to it as there are digits.
    """
    with mp.extradps(MORE):
        ends = [end(bound, point) for bound in bounds(law.support)]
        middle = mp.mpf(0) if mp.isinf(ends[0]) else ends[0]
        cuts = {middle + sign * mp.mpf(10) ** k for k in range(-8, 13, 2) for sign in (-1, 1)}
        if not mp.isinf(ends[1]):
            cuts |= {ends[1] - (ends[1] - middle) * mp.mpf(10) ** -k for k in range(1, 9)}
        found = once(here, ends, cuts)
        return found is not None and bool(found[1] < CLOSE and abs(found[0] - total) < CLOSE * (1 + abs(total)))


def _diverges(here: Height, ends: list[Any]) -> bool:
    """Return whether x p(x) does not fall towards an end, x the distance from zero or to a finite end: then no
    integral is finite."""
    for sign, end_point in zip((1, -1), ends, strict=True):
        if mp.isinf(end_point):
            near, far = -sign * mp.mpf(10) ** 6, -sign * mp.mpf(10) ** 12
            places = [(abs(near), near), (abs(far), far)]
        else:
            places = [(d, end_point + sign * d) for d in (mp.mpf(10) ** -6, mp.mpf(10) ** -12)]
        try:
            before, beyond = (width * here(place) for width, place in places)
        except OverflowError:
            if mp.isinf(end_point) and _explodes(here, -sign):
                return True
            continue
        except FAILURES:
            continue
        if beyond > 0 and beyond >= before * mp.mpf("0.999"):
            return True
    return False


def _explodes(here: Height, sign: int) -> bool:
    """Return whether a density rises decade by decade to a million and more, until its numbers are too large to be
    worked out.

    An overflow alone says nothing: that of exp(-z) in exp(-z - exp(-z)) is where the density is zero.
    """
    seen = []
    for decade in range(1, 7):
        try:
            seen.append(here(sign * mp.mpf(10) ** decade))
        except FAILURES:
            break
    return len(seen) > 2 and bool(seen[-3] < seen[-2] < seen[-1] and seen[-1] > 10**6)
