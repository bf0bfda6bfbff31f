"""Compare numbers exactly: rationals by arithmetic, others by balls that do not contain zero."""

from __future__ import annotations

import functools
from fractions import Fraction

import sympy as sp
from flint import ctx

from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.symbols.formula import Formula

FAILURES = (Undecided, ValueError, ZeroDivisionError, OverflowError, TypeError, NotImplementedError, AttributeError)

MOST_BITS = 20_000  # of a number that is written out


@functools.lru_cache(maxsize=4096)
def enclosure(number: Formula) -> tuple[Fraction, Fraction] | None:
    """Return rationals between which a number without symbols lies; None if balls cannot evaluate it.

    >>> low, high = enclosure(sp.pi)
    >>> low < Fraction(355, 113) < high, high - low < Fraction(1, 10**9), enclosure(sp.zoo)
    (False, True, None)
    """
    if isinstance(number, sp.Rational):
        exact = Fraction(int(number.p), int(number.q))
        return exact, exact
    if number.free_symbols or number.has(sp.oo, sp.zoo, sp.nan, sp.I):
        return None
    with ctx.workprec(256):
        try:
            ball = BallEvaluator({}).of(number)
            if not ball.is_finite():
                return None
            ends = [end.man_exp() for end in (ball.lower(), ball.upper())]
        except FAILURES:
            return None
    if any(abs(int(e)) > MOST_BITS for _, e in ends):
        return None
    low, high = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in ends)
    return low, high


def sign_of_number(number: Formula) -> int | None:
    """Return the sign of a number; None where balls do not tell it from zero."""
    if isinstance(number, sp.Rational):
        return int(sp.sign(number))
    ends = enclosure(number)
    if ends is None:
        return None
    return 1 if ends[0] > 0 else -1 if ends[1] < 0 else None
