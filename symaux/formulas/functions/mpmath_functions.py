"""Evaluate sympy's own functions by mpmath, where mpmath alone would be slow or work out millions of digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp

HUGE = 10**7  # beyond it, an exponential underflows or overflows


def exponential(x: Any) -> Any:
    """Return e to the x, without working out millions of digits for a number that underflows or overflows.

    >>> exponential(mp.mpf("-1e30"))
    mpf('0.0')
    """
    if abs(x) < HUGE:
        return mp.exp(x)
    if mp.re(x) < -HUGE / 2:
        return mp.mpf(0)
    raise OverflowError(f"exp({mp.nstr(x)})")


def with_limit(function: Callable[..., Any], limit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a hyperbolic function that is its limit where its exponential would have millions of digits.

    >>> with_limit(mp.tanh, mp.sign)(mp.mpf(10)**(10**9))
    mpf('1.0')
    """
    return lambda x: function(x) if abs(x) < HUGE else limit(mp.re(x))


def overflow(x: Any) -> Any:
    """Raise OverflowError: a hyperbolic function of x is too large."""
    raise OverflowError(f"a hyperbolic function of {mp.nstr(x)}")


def acot(x: Any) -> Any:
    """Return sympy's acot, atan(1/x), which jumps at zero from -pi/2 to pi/2."""
    return mp.pi / 2 if x == 0 else mp.atan(1 / x)


def besselk(order: Any, x: Any) -> Any:
    r"""Return $K_\nu(x) = \int_0^\infty e^{-x\cosh t}\cosh\nu t\,dt$ by the trapezoidal rule, exact to all digits here.

    mpmath takes a limit for a whole order, which is many times slower.

    >>> with mp.workdps(40):
    ...     abs(besselk(1, mp.mpf(3)/7)/mp.besselk(1, mp.mpf(3)/7) - 1) < mp.mpf(10)**-38
    True
    """
    if mp.im(order) or mp.im(x) or not 0 < mp.re(x) < 50 or abs(order) > 20:
        return mp.besselk(order, x)
    with mp.extradps(10):
        order, x = mp.mpf(mp.re(order)), mp.mpf(mp.re(x))
        step = 7 / (mp.mp.dps * mp.log(10) + 10 + x + 2 * abs(order))
        total, t = mp.exp(-x) / 2, mp.mpf(0)
        while True:
            t += step
            term = mp.exp(-x * mp.cosh(t)) * mp.cosh(order * t)
            total += term
            if term <= mp.eps * total and x * mp.sinh(t) > abs(order):
                return step * total
