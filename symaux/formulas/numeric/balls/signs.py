"""Decide signs of balls and of series of balls, and enclose monotone functions on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, arb_series


class Undecided(ArithmeticError):
    """A ball is too wide, or not a number, so that it decides nothing."""


def constant_term(value: Any) -> arb:
    """Return a ball itself, or the constant term of a series.

    >>> constant_term(arb_series([2, 1])) == 2
    True
    """
    return value[0] if isinstance(value, arb_series) else value


def is_positive(value: Any) -> bool:
    """Return whether every number in the ball is positive; False for NaN.

    >>> is_positive(arb(1, 0.5)), is_positive(arb.nan())
    (True, False)
    """
    return bool(constant_term(value) > 0)


def is_negative(value: Any) -> bool:
    """Return whether every number in the ball is negative; False for NaN."""
    return bool(constant_term(value) < 0)


def require_finite(value: arb) -> arb:
    """Return the ball; raise Undecided unless it is bounded.

    >>> require_finite(arb.nan())
    Traceback (most recent call last):
        ...
    symaux.formulas.numeric.balls.signs.Undecided: an unbounded ball
    """
    if not value.is_finite():
        raise Undecided("an unbounded ball")
    return value


def abs_bound(value: arb) -> arb:
    """Return an upper bound of the absolute value."""
    return require_finite(value).abs_upper()


def hull(lower: arb, upper: arb) -> arb:
    """Return the ball that contains everything between two numbers."""
    return require_finite(lower).union(require_finite(upper))


def monotone_image(function: Callable[[arb], arb], x: arb) -> arb:
    """Return the image of a ball under a monotone function, by its ends: tighter than the function of a wide ball.

    >>> monotone_image(arb.exp, arb(0, 1)).contains(arb(1))
    True
    """
    if x.is_exact():
        return require_finite(function(x))
    return hull(function(require_finite(x).lower()), function(x.upper()))


def require_sign(value: Any) -> int:
    """Return the sign of a ball, 1 or -1; raise Undecided where the ball contains zero."""
    if is_positive(value):
        return 1
    if is_negative(value):
        return -1
    raise Undecided("a sign that is not decided")
