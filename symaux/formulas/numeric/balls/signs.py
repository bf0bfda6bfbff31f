"""Balls and series of balls: what is known of their sign, and the ball in which a monotone function lies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, arb_series


class Undecided(ArithmeticError):
    """A ball is too wide, or holds no number: nothing follows from it."""


def at(value: Any) -> arb:
    """Return the ball of a constant, or the constant term of a series.

    >>> at(arb_series([2, 1])) == 2
    True
    """
    return value[0] if isinstance(value, arb_series) else value


def is_positive(value: Any) -> bool:
    """Return whether every number in the ball is positive; a ball that is no number is not.

    >>> is_positive(arb(1, 0.5)), is_positive(arb.nan())
    (True, False)
    """
    return bool(at(value) > 0)


def is_negative(value: Any) -> bool:
    return bool(at(value) < 0)


def finite(value: arb) -> arb:
    """Return the ball, if it is a bounded one.

    >>> finite(arb.nan())
    Traceback (most recent call last):
        ...
    symaux.formulas.numeric.balls.signs.Undecided: a ball that bounds nothing
    """
    if not value.is_finite():
        raise Undecided("a ball that bounds nothing")
    return value


def largest(value: arb) -> arb:
    """Return an upper bound of the modulus."""
    return finite(value).abs_upper()


def between(lower: arb, upper: arb) -> arb:
    """Return the ball of everything between two numbers."""
    return finite(lower).union(finite(upper))


def monotone(function: Callable[[arb], arb], x: arb) -> arb:
    """Return the values of a monotone function on a ball, by its ends: tighter than the function of a wide ball.

    >>> monotone(arb.exp, arb(0, 1)).contains(arb(1))
    True
    """
    if x.is_exact():
        return finite(function(x))
    return between(function(finite(x).lower()), function(x.upper()))


def decided_sign(value: Any) -> int:
    """1 or -1; raises where the ball holds zero."""
    if is_positive(value):
        return 1
    if is_negative(value):
        return -1
    raise Undecided("a sign that is not decided")
