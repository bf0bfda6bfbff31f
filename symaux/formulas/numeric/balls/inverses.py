r"""Enclose inverses of increasing functions: guess by bisection, then prove a bracket on both sides of the level.

>>> found = inverse(lambda t: t.exp(), arb(2))
>>> found.overlaps(arb(2).log()) and bool(found.rad() < 1e-8)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, arb_series, ctx

from symaux.formulas.numeric.balls.signs import Undecided, monotone_image, require_finite

Real = Callable[[arb], arb]
FAR, COARSE = 5_000.0, 80  # the largest step in search of a bracket; bits of precision for the search


def inverse(function: Real, level: arb) -> arb:
    """Return t with function(t) = level for a continuous increasing function of the real line; for a ball, the hull."""
    return monotone_image(lambda exactly: _at_a_point(function, exactly), level)


def _at_a_point(function: Real, level: arb) -> arb:
    low, high = _bracket(function, level)
    with ctx.workprec(COARSE):
        low, high = _narrow(function, level, low, high)
    return _sharpen(function, level, low, high)


def _bracket(function: Real, level: arb) -> tuple[arb, arb]:
    low, high, step = arb(-1), arb(1), 1.0
    with ctx.workprec(COARSE):
        while not function(low) < level:
            low, high, step = low - step, low, 2 * step
            _check(step)
        step = 1.0
        while not function(high) > level:
            low, high, step = (high if function(high) < level else low), high + step, 2 * step
            _check(step)
    return low, high


def _check(step: float) -> None:
    if step > FAR:
        raise Undecided("no bracket for an inverse")


def _narrow(function: Real, level: arb, low: arb, high: arb) -> tuple[arb, arb]:
    """Narrow a bracket in low precision, by regula falsi with the Illinois rule and every third step a bisection.

    Both ends remain proved to lie on their sides of the level.
    """
    below, above = (function(low) - level).mid(), (function(high) - level).mid()
    for number in range(90):
        if high - low < (abs(low) + 1e-9) * arb(2) ** -24:
            break
        false = (low * above - high * below) / (above - below)
        middle = (false if number % 3 else (low + high) / 2).mid()
        value = function(middle) - level
        if value < 0:
            low, below, above = middle, value.mid(), above / 2
        elif value > 0:
            high, above, below = middle, value.mid(), below / 2
        else:
            width = (abs(middle) + 1e-9) * arb(2) ** -30
            left, right = (middle - width).mid(), (middle + width).mid()
            low = left if left > low and function(left) < level else low
            high = right if right < high and function(right) > level else high
            break
    return low, high


def _sharpen(function: Real, level: arb, low: arb, high: arb) -> arb:
    """Sharpen a bracket by secant steps; a new end is accepted only if it is proved to lie on its side of the level."""
    below, above = function(low), function(high)
    for _ in range(8):
        if not below.is_finite() or not above.is_finite() or (above - below).contains(0):
            break
        guess = (low + (level - below) * (high - low) / (above - below)).mid()
        width = (high - low) ** 2 + (abs(guess) + arb(2) ** -60) * arb(2) ** (24 - ctx.prec)
        moved = False
        for side, end in ((-1, (guess - width).mid()), (1, (guess + width).mid())):
            if not low < end < high:
                continue
            value = function(end)
            if side * (value - level) > 0:
                low, below = (end, value) if side < 0 else (low, below)
                high, above = (end, value) if side > 0 else (high, above)
                moved = True
        if not moved:
            break
    return require_finite(low.union(high))


def inverse_series(function: Any, derivative: Any, start: arb, x: arb_series) -> arb_series:
    """Return the series y with function(y) = x and y(0) in ``start``, by Newton's iteration on its coefficients.

    At each point of the ball the coefficients known so far are exact, so the error in them is set to zero.
    """
    y, known = arb_series([start], prec=1), 1
    while known < x.prec:
        done, known = known, min(2 * known, x.prec)
        y = arb_series(y.coeffs(), prec=known)
        error = function(y) - arb_series([x[n] for n in range(known)], prec=known)
        left = arb_series([arb(0)] * done + [error[n] for n in range(done, known)], prec=min(known, error.prec))
        y = y - left / derivative(y)
        if y.prec < known:
            raise Undecided("an inverse lost coefficients")
    return y
