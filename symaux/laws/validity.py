r"""Reject formulas that are not densities, with a witness: negative or complex somewhere, not normalised, divergent.

A formula in symbols of unknown range is rejected only if it fails at every choice of parameters that was tried: at some
choices a formula may be meaningless (c outside (a, b) in a triangular law) without being wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.errors import LawError
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.evaluate import FAILURES
from symaux.formulas.numeric.minima import negative_points
from symaux.formulas.numeric.points import Point, evaluate, inside, points, sign_on, with_sums_as_symbols
from symaux.formulas.numeric.quadrature import MORE, Height, density_function, end_value, integrate
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import references
from symaux.formulas.symbols.log import Sign
from symaux.formulas.symbols.support import Support, bounds
from symaux.sandbox import run_bounded, value_or
from symaux.trusted.density import Density
from symaux.trusted.shadow import FAILURES as UNDECIDED
from symaux.trusted.shadow import Contradiction, enclose_mass_on_any_scale

CONFIRMATION_SECONDS = 5.0  # for balls to enclose one integral; without an answer the density is not refused
GRID_CELLS = 16  # the density is evaluated at the places between them, before its minima are searched
PARAMETER_POINTS = 12  # choices of parameters at which a negative density is searched for
MASS_TOLERANCE = mp.mpf(10) ** -7  # of a sum or an integral that should be one: far above the errors of quadrature
EVALUATION_ERROR = (
    mp.mpf(10) ** -20
)  # what rounding may leave of an imaginary part or of a density that is zero, by mpmath
MAX_MASSES = 300  # masses of a discrete law that are added up before its sum is called unclear
NEGLIGIBLE_RUN = 40  # negligible masses in a row after which an infinite sum is called complete


def refuse_bad_signs(density: Formula, value: Any, support: Support, conditions: tuple[Any, ...] = ()) -> None:
    """Raise LawError for a formula that is negative or complex somewhere, at every choice of parameters tried.

    >>> z = sp.Symbol("z", real=True)
    >>> from symaux.formulas.symbols.support import REALS
    >>> refuse_bad_signs(-sp.exp(-z**2), z, REALS)
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: this is not a density of z, because it is negative: -exp(-z**2)
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
            f"this is not a density of {value}, because it is {what}: {density}\n"
            f"  at {at} it is {mp.nstr(seen, 6)}\n"
            f"  try:  a formula that is never {what} on its support {support}"
        )


def _fractions(symbols: set[Any], conditions: tuple[Any, ...]) -> Iterator[Point]:
    """Yield parameters between zero and one, all different: weights of mixtures must be such numbers.

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
    density: Formula, value: Any, support: Support, conditions: tuple[Any, ...] = ()
) -> tuple[Any, ...]:
    """Return what the parameters must satisfy for a product not to be negative, where a factor may have either sign.

    >>> from symaux.formulas.symbols.support import Interval
    >>> x, r = sp.symbols("x r", real=True)
    >>> sign_conditions((1 - r**2)/(2*sp.pi*(1 + r**2 - 2*r*sp.cos(x))), x, Interval(-sp.pi, sp.pi))
    (1 - r**2 > 0,)
    """
    sign = sign_on(value, support, conditions)
    factors = sp.Mul.make_args(density)
    unknown: set[Any] = {factor for factor in factors if sign(factor) is None}
    if any(factor.has(value) for factor in unknown):
        return ()
    roots = {factor for factor in unknown if factor.is_Pow and not factor.exp.is_integer}
    known = sp.Mul(*(each for factor in factors if (each := sign(factor)) is not None))
    odd = sp.Mul(known, *(factor.base if factor.is_Pow else factor for factor in unknown - roots))
    needed = [_without_numbers(base) > 0 for base in (odd, *(root.base for root in roots))]
    return tuple(condition for condition in needed if condition not in (sp.true, sp.false))


def sign_of_the_rest(density: Formula, value: Any, sign: Sign) -> Sign:
    """Return the same signs, and for the one factor that may have either sign the sign that makes the density positive.

    Its logarithm is then not real at parameters where the density is negative, which a modulus would hide.

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


def describe_negative_density(law: Any) -> str | None:
    """Describe parameters and a value at which a law's density is negative or complex; None if none are found.

    >>> from symaux.laws.law import law
    >>> z, w = sp.symbols("z w", positive=True)
    >>> density = w*sp.exp(-z) + 2*(1 - w)*sp.exp(-2*z)
    >>> [str(describe_negative_density(law(z, density, conditions=c)))[:17] for c in ((), (w < 1,))]
    ['it is negative at', 'None']
    """
    parameters = [p for p in law.parameters if isinstance(p, sp.Symbol)]
    for point in points(parameters, conditions=law.conditions, seed=31, count=PARAMETER_POINTS):
        found = _bad_place(law.density, law.value, law.support, point)
        if found is not None:
            at = ", ".join(f"{name} = {at}" for name, at in sorted(found[1].items(), key=str))
            return f"it is {found[0]} at {at}"
    return None


def _without_numbers(formula: Formula) -> Formula:
    """Return a formula of the same sign, without factors that are positive: -n rather than -n/pi."""
    return sp.Mul(*(-1 if f.is_negative else f for f in sp.Mul.make_args(formula) if not f.is_positive))


def _bad_place(density: Formula, value: Any, support: Support, point: Point) -> tuple[str, Point, Any] | None:
    places = [inside(support, point, sp.Rational(place, GRID_CELLS)) for place in range(1, GRID_CELLS)]
    if None in places:
        return None
    for where in (*places, *negative_points(density, value, support, point)):
        at: Any = point | {value: where}
        seen = evaluate(density, at)
        if seen is None:
            continue
        if abs(mp.im(seen)) > EVALUATION_ERROR + abs(seen) * EVALUATION_ERROR:
            return "complex", at, seen
        if mp.re(seen) < -EVALUATION_ERROR:
            return "negative", at, seen
    return None


def refuse_bad_mass(law: Any) -> None:
    """Raise LawError for a density that does not integrate to one, at every choice of parameters tried."""
    witness = None
    for point, seen in _masses(law):
        if seen is None or abs(seen - 1) < MASS_TOLERANCE:
            return
        if mp.isfinite(seen) and not law.discrete:
            seen = confirmed_integral(law, point, seen)
            if seen is None:
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


def confirmed_integral(law: Any, point: Point, seen: Any) -> Any:
    """Return the integral that a quadrature saw at a point, mended by balls if they show another; None unless they show
    that it is not one.

    A quadrature alone may miss a narrow peak, far out.
    """
    here = Density(law.value, defined(law.log_density), law.support).substituted(point)
    found = value_or(run_bounded(bounds_of_mass, here, seconds=CONFIRMATION_SECONDS), None)
    if found is None or found[0] <= 1 <= found[1]:
        return None
    return seen if found[0] <= seen <= found[1] else (mp.mpf(found[0]) + mp.mpf(found[1])) / 2


def bounds_of_mass(density: Density) -> tuple[float, float] | None:
    """Return a lower and an upper bound of the integral of a density without parameters; None if none were found."""
    try:
        found = enclose_mass_on_any_scale(density)
    except (*UNDECIDED, Contradiction):
        return None
    return float(found.lower()), float(found.upper())


def _masses(law: Any) -> Iterator[tuple[Point, Any]]:
    parameters = [p for p in law.parameters if isinstance(p, sp.Symbol)]
    for point in points(parameters, conditions=law.conditions, seed=29, count=3):
        yield point, sum_of_masses(law, point) if law.discrete else integral(law, point)


def sum_of_masses(law: Any, point: Point) -> Any:
    """Return the sum of the masses of integers at a point, or a partial sum above one; None if it is not clear.

    >>> from symaux.laws.families import poisson
    >>> from symaux.laws.law import Law
    >>> from symaux.formulas.symbols.support import Integers
    >>> k, r = sp.Symbol("k", integer=True), sp.Symbol("r", positive=True)
    >>> abs(sum_of_masses(poisson(k, r), {r: sp.Integer(2)}) - 1) < 1e-12
    True
    >>> sum_of_masses(Law(k, sp.log((1 + (-1)**k)/6), Integers(sp.S.Zero, sp.Integer(4))), {})
    mpf('1.0')
    """
    low, high = (end_value(bound, point) for bound in bounds(law.support))
    if low is None or high is None or mp.isinf(low):
        return None
    mass, total, quiet = sp.exp(law.log_density), mp.mpf(0), 0  # quiet: how many masses in a row were negligible
    for step in range(MAX_MASSES):
        if low + step > high:
            return total
        seen = evaluate(mass, point | {law.value: sp.Integer(int(low) + step)})
        if seen is None or abs(mp.im(seen)) > EVALUATION_ERROR:
            return None
        total += mp.re(seen)
        quiet = quiet + 1 if mp.re(seen) < EVALUATION_ERROR * total else 0
        if total > 1 + MASS_TOLERANCE or (quiet == NEGLIGIBLE_RUN and mp.isinf(high)):
            return total
    return None


def integral(law: Any, point: Point, digits: int = 20) -> Any:
    """Return a numerical integral of the density at a point; infinity if it diverges, None if it is not clear.

    >>> from symaux.laws.families import exponential
    >>> z, r = sp.symbols("z r", positive=True)
    >>> abs(integral(exponential(z, r), {r: sp.Integer(2)}) - 1) < 1e-12
    True
    """
    with mp.workdps(digits):
        ends = [end_value(bound, point) for bound in bounds(law.support)]
        if None in ends or not ends[0] < ends[1]:
            return None
        here = density_function(sp.exp(law.log_density), law.value, point)
        found = integrate(here, ends, (-30, -8, -1, 0, 1, 8, 30))
        if found is None:
            return mp.inf if _diverges(here, ends) else None
        total, error = found
        if error < mp.mpf(10) ** -9:
            return total if abs(total - 1) < MASS_TOLERANCE or _agrees(here, law, point, total) else None
        return mp.inf if _diverges(here, ends) else None


def _agrees(here: Height, law: Any, point: Point, total: Any) -> bool:
    """Return whether another quadrature, with more digits and cuts on every scale, gives the same integral.

    The first may miss a narrow peak far out, and a peak at an end is resolved only as closely as there are digits.
    """
    with mp.extradps(MORE):
        ends = [end_value(bound, point) for bound in bounds(law.support)]
        middle = mp.mpf(0) if mp.isinf(ends[0]) else ends[0]
        cuts = {middle + sign * mp.mpf(10) ** k for k in range(-8, 13, 2) for sign in (-1, 1)}
        if not mp.isinf(ends[1]):
            cuts |= {ends[1] - (ends[1] - middle) * mp.mpf(10) ** -k for k in range(1, 9)}
        found = integrate(here, ends, cuts)
        return found is not None and bool(
            found[1] < MASS_TOLERANCE and abs(found[0] - total) < MASS_TOLERANCE * (1 + abs(total))
        )


def _diverges(here: Height, ends: list[Any]) -> bool:
    """Return whether x p(x) does not fall towards an end, where x is the distance from zero or to a finite end: then the
    integral diverges."""
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
    """Return whether a density rises decade by decade to a million and more, until it overflows.

    An overflow alone is not enough: exp(-z) in exp(-z - exp(-z)) overflows where the density is zero.
    """
    seen = []
    for decade in range(1, 7):
        try:
            seen.append(here(sign * mp.mpf(10) ** decade))
        except FAILURES:
            break
    return len(seen) > 2 and bool(seen[-3] < seen[-2] < seen[-1] and seen[-1] > 10**6)
