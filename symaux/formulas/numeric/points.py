r"""Choose points to try: values for symbols that honour their assumptions, and a value inside a support.

Everything here is exact or of high precision, and fixed by a seed: used to look for witnesses, never to prove.

>>> s = sp.Symbol("sigma", positive=True)
>>> all(point[s] > 0 for point in points([s], seed=1, count=5))
True
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.logic.boolalg import Boolean

from symaux.formulas.numeric.ball_evaluate import evaluate_by_balls
from symaux.formulas.numeric.conditions import holds as compare
from symaux.formulas.numeric.evaluate import FAILURES, number
from symaux.formulas.symbols.assumptions import sign_word
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import references
from symaux.formulas.symbols.log import Sign, known_sign
from symaux.formulas.symbols.support import Integers, Interval, Support, bounds

Point = dict[Formula, Formula]
TRIES = 200


def draw(symbol: Formula, rng: random.Random) -> Formula:
    """Return one plausible value of a symbol: a fraction of moderate size that meets its assumptions."""
    if symbol.is_integer:
        low, high = (1, 6) if symbol.is_positive else (0, 5) if symbol.is_nonnegative else (-5, 5)
        return sp.Integer(rng.randint(low, high))
    size = sp.Rational(rng.randint(120, 2600), 1000)
    if symbol.is_positive or symbol.is_nonnegative:
        return size
    if symbol.is_negative or symbol.is_nonpositive:
        return -size
    return size if rng.random() < 0.5 else -size


def points(
    symbols: Iterable[Formula], *, conditions: Sequence[Boolean] = (), seed: int = 0, count: int = 8
) -> Iterator[Point]:
    """Yield up to ``count`` assignments that meet assumptions and conditions; symbols of unknown sign take both signs."""
    rng, listed = random.Random(seed), sorted(set(symbols), key=str)
    found = 0
    for _ in range(TRIES):
        point = {symbol: draw(symbol, rng) for symbol in listed}
        if all(holds(condition, point) for condition in conditions):
            found += 1
            yield point
        if found == count:
            return


def possible(conditions: Sequence[Any]) -> bool:
    """Return whether some parameters were found that meet all conditions, near one, near the numbers in them, or
    near each other.

    >>> a, b = sp.symbols("a b", real=True)
    >>> possible([a > 0, a < 0]), possible([a > b, b > a]), possible([a > 100, a < 101, b > a])
    (False, False, True)
    >>> possible([a > 0, a < sp.Rational(1, 10**8)]), possible([a > b, a < b + sp.Rational(1, 10**6), b > 10**9])
    (True, True)
    """
    symbols = {r for condition in conditions for r in references(condition)}
    if next(points(symbols, conditions=conditions, count=1), None) is not None:
        return True
    rng, numbers = random.Random(3), sorted({n for c in conditions for n in c.atoms(sp.Rational)} | {sp.S.Zero})
    for _ in range(10 * TRIES):
        point: Point = {}
        for s in sorted(symbols, key=str):
            point[s] = _number_near(rng.choice([*numbers, *point.values()]), s, rng)
        if all(holds(condition, point) for condition in conditions):
            return True
    return False


def _number_near(number: Formula, symbol: Formula, rng: random.Random) -> Formula:
    """Return a number at any distance from another, with the sign that a symbol has."""
    off = sp.Rational(int(10 ** rng.uniform(0, 16)), 10**12) * rng.choice((1, -1))
    found = number + (sp.Integer(sp.ceiling(off)) if symbol.is_integer else off)
    return abs(found) if symbol.is_nonnegative else -abs(found) if symbol.is_nonpositive else found


def holds(condition: Any, point: Point) -> bool:
    """Return whether a condition is true at a point; what cannot be decided is not.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> digits = sp.Rational(10**60 + 7, 10**40 + 9)  # sympy would factor both numbers to simplify a root of the quotient
    >>> holds(a**b > 1, {a: digits, b: sp.Rational(1, 3)})
    True
    """
    if not isinstance(condition, sp.Basic):
        return condition is True
    try:
        if any(not isinstance(power.exp, sp.Integer) for power in condition.atoms(sp.Pow)):
            return compare(condition, lambda left, right: _clear_sign(left - right, point))
        return condition.xreplace(point) == sp.true
    except (TypeError, ArithmeticError):  # a pole, or a number that is not real, is not larger than anything
        return False


def _clear_sign(difference: Formula, point: Point) -> Any:
    """Return a number with the sign of a difference; raise ArithmeticError where rounding may have decided it."""
    value = evaluate(difference, point, digits=40)
    if value is None or abs(mp.im(value)) > 0 or abs(value) < mp.mpf(10) ** -30:
        raise ArithmeticError(f"the sign of {difference} is not clear at {point}")
    return mp.re(value)


def inside(support: Support, point: Point, fraction: Formula) -> Formula | None:
    """Return the value that sits at ``fraction`` of the way through a support at a point; None where it is empty.

    >>> inside(Interval(sp.S(0), sp.oo), {}, sp.Rational(1, 2))
    1
    """
    if not isinstance(support, Interval | Integers):
        return None
    lower, upper = (sp.nsimplify(b.xreplace(point)) if b.is_Float else b.xreplace(point) for b in bounds(support))
    if (lower - upper).is_nonnegative and not isinstance(support, Integers):
        return None
    if isinstance(support, Integers):
        low = int(lower) if lower.is_finite else -8
        high = int(upper) if upper.is_finite else low + 12
        return sp.Integer(low + int(fraction * (high - low + 1)))
    odds = fraction / (1 - fraction)
    match lower.is_finite, upper.is_finite:
        case True, True:
            return lower + (upper - lower) * fraction
        case True, _:
            return lower + odds
        case _, True:
            return upper - 1 / odds
    return odds - 1 / odds


def with_sums_as_symbols(formula: Formula, value: Any) -> Formula:
    """Return the formula with each sum over a plate as one symbol of its name and sign: sympy would extrapolate its
    terms.

    >>> i, w, z = sp.Idx("i", 3), sp.IndexedBase("w", positive=True), sp.Symbol("z", real=True)
    >>> found = with_sums_as_symbols(sp.exp(-z*sp.Sum(w[i], i)), z)
    >>> sorted((str(s), s.is_positive) for s in found.free_symbols - {z})
    [('Sum(w[i], (i, 0, 2))', True)]
    """
    sums = [s for s in formula.atoms(sp.Sum, sp.Product) if not s.has(value)]
    return formula.xreplace({s: sp.Symbol(str(s), **_known_of(s)) for s in sums})


def _known_of(formula: Formula) -> dict[str, bool]:
    return {sign_word(formula) or "real": True} | ({"integer": True} if formula.is_integer else {})


def sign_on(value: Formula, support: Support, conditions: Sequence[Boolean] = ()) -> Sign:
    """Return the sign of a formula for a value in its support: proved if possible, otherwise as seen at many points.

    A sign that is only seen decides how a logarithm is *written*; log(x) of a negative x is not a number, so a wrong
    guess is loud, and the law is verified in any case.
    """

    def sign(formula: Formula) -> int | None:
        proved = known_sign(formula)
        if proved is not None or not formula.has(value):
            return proved if proved is not None else _sampled_sign(formula, value, support, conditions)
        return _sampled_sign(formula, value, support, conditions)

    return sign


def _sampled_sign(formula: Formula, value: Formula, support: Support, conditions: Sequence[Boolean]) -> int | None:
    formula = with_sums_as_symbols(formula, value)
    symbols = {r for f in (formula, *bounds(support), *conditions) for r in references(f)} - {value}
    signs = set()
    for place, point in enumerate(points(symbols, conditions=conditions, seed=17, count=12)):
        where = inside(support, point, sp.Rational(2 * place + 1, 24))
        if where is None:
            continue
        seen = evaluate(formula, point | {value: where})
        if seen is None or abs(mp.im(seen)) > 1e-12 * abs(seen):
            return None
        signs.add(int(mp.sign(mp.re(seen))))
    signs.discard(0)
    return signs.pop() if len(signs) == 1 else None


def evaluate(formula: Formula, point: Point, digits: int = 30) -> Any:
    """Return the number that a formula has at a point, with ``digits`` digits; None where it has none.

    Read node by node in floating point: sympy would first work out (1 + 1/7)**1000000 as a fraction.
    """
    with mp.workdps(digits):
        at_once = evaluate_by_balls(formula, point)
        if at_once is not None:
            return at_once
        try:
            found = mp.mpmathify(number(formula, point))
        except KeyError:  # a function that only sympy knows
            return _by_sympy(formula, point, digits)
        except FAILURES:
            return None
        return found if mp.isfinite(found) else None


def _by_sympy(formula: Formula, point: Point, digits: int) -> Any:
    try:
        result = sp.N(formula.xreplace(point), digits)
        return mp.mpmathify(result) if result.is_number and result.is_finite is not False else None
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None
