r"""Inverses of increasing functions, enclosed: a guess by bisection, and a bracket whose ends are shown to lie apart.

>>> found = inverse(lambda t: t.exp(), arb(2))
>>> found.overlaps(arb(2).log()) and found.rad() < arb(2)**-80
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, arb_series, ctx

from symaux.proof.ball.balls import Undecided, finite, monotone

Real = Callable[[arb], arb]
FAR = 5_000.0


def inverse(function: Real, level: arb) -> arb:
    """The t with function(t) = level, for a continuous increasing function of the real line; of a ball, its hull."""
    return monotone(lambda exactly: _at_a_point(function, exactly), level)


def _at_a_point(function: Real, level: arb) -> arb:
    low, high = _bracket(function, level)
    with ctx.workprec(80):
        for _ in range(60):
            middle = (low + high) / 2
            if function(middle) < level:
                low = middle.mid()
            elif function(middle) > level:
                high = middle.mid()
            else:
                break
    return _sharpened(function, level, low.mid(), high.mid())


def _bracket(function: Real, level: arb) -> tuple[arb, arb]:
    low, high, step = arb(-1), arb(1), 1.0
    while not function(low) < level:
        low, step = low - step, 2 * step
        _check(step)
    step = 1.0
    while not function(high) > level:
        high, step = high + step, 2 * step
        _check(step)
    return low, high


def _check(step: float) -> None:
    if step > FAR:
        raise Undecided("no bracket for an inverse")


def _sharpened(function: Real, level: arb, low: arb, high: arb) -> arb:
    """Secant steps from a bracket; each end is kept only where it is shown to lie on its side of the level."""
    below, above = function(low), function(high)
    for _ in range(8):
        if not below.is_finite() or not above.is_finite() or (above - below).contains(0):
            break
        guess = (low + (level - below) * (high - low) / (above - below)).mid()
        width = (high - low) * arb(2) ** -40 + (abs(guess) + arb(2) ** -60) * arb(2) ** (24 - ctx.prec)
        left, right = (guess - width).mid(), (guess + width).mid()
        if left > low and function(left) < level:
            low, below = left, function(left)
        if right < high and function(right) > level:
            high, above = right, function(right)
    return finite(low.union(high))


def inverse_series(function: Any, slope: Any, start: arb, x: arb_series) -> arb_series:
    """The series y with function(y) = x and y(0) in ``start``, by Newton's iteration on its coefficients.

    For each point of the ball the coefficients that are known already leave no error, so there it is set to zero.
    """
    y, known = arb_series([start], prec=1), 1
    while known < x.prec:
        settled, known = known, min(2 * known, x.prec)
        y = arb_series(y.coeffs(), prec=known)
        error = function(y) - arb_series([x[n] for n in range(known)], prec=known)
        left = arb_series([arb(0)] * settled + [error[n] for n in range(settled, known)], prec=min(known, error.prec))
        y = y - left / slope(y)
        if y.prec < known:
            raise Undecided("an inverse lost coefficients")
    return y
