r"""Functions by their Taylor coefficients about a ball: Bessel functions, polygammas, hypergeometric functions.

$$\frac{d^n}{dx^n} I_\nu = 2^{-n}\sum_k \binom nk I_{\nu-n+2k},\qquad
  \frac{d^n}{dx^n}\,{}_pF_q(a; b; x) = \frac{\prod (a)_n}{\prod (b)_n}\,{}_pF_q(a+n; b+n; x).$$
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flint import acb, arb, arb_series

from symaux.formulas.numeric.balls.signs import Undecided, at, finite, is_positive


def still(value: Any) -> arb:
    """Return a parameter, in which there must be no variable."""
    if isinstance(value, arb_series):
        raise Undecided("a parameter that moves")
    return value


def composed(coefficients: Callable[[arb, int], list[arb]], x: Any) -> Any:
    """Return a function of a ball or a series, from its Taylor coefficients about a ball."""
    if not isinstance(x, arb_series):
        return finite(coefficients(x, 1)[0])
    outer = arb_series([finite(c) for c in coefficients(x[0], x.prec)], prec=x.prec)
    return outer(arb_series([arb(0), *(x[n] for n in range(1, x.prec))], prec=x.prec))


def bessel(name: str, sign: int) -> Callable[[Any, Any], Any]:
    """I or K of an order that stands still and a positive argument."""

    def function(order: Any, x: Any) -> Any:
        nu = still(order)
        if not is_positive(x):
            raise Undecided("a Bessel function of a ball that reaches zero")

        def coefficients(m: arb, count: int) -> list[arb]:
            reach = count - 1
            values = {k: getattr(m, name)(nu + k) for k in range(-reach, reach + 1)}
            return [
                sum((math.comb(n, k) * values[2 * k - n] for k in range(n + 1)), arb(0))
                * (arb(sign) / 2) ** n
                / math.factorial(n)
                for n in range(count)
            ]

        return composed(coefficients, x)

    return function


def _digamma_coefficients(m: arb, count: int) -> list[arb]:
    logarithm = arb_series([m, arb(1)], prec=count + 1).lgamma()
    return [(n + 1) * logarithm[n + 1] for n in range(count)]


def digamma(x: Any) -> Any:
    if not is_positive(x):
        raise Undecided("digamma of a ball that reaches zero")
    return composed(_digamma_coefficients, x) if isinstance(x, arb_series) else x.digamma()


def polygamma(order: Any, x: Any) -> Any:
    if at(order) == 0:
        return digamma(x)
    return finite(acb(still(x)).polygamma(still(order)).real)


def hypergeometric(above: Any, below: Any, x: Any) -> Any:
    a, b = [still(p) for p in above], [still(p) for p in below]

    def coefficients(m: arb, count: int) -> list[arb]:
        made, factor = [], arb(1)
        for n in range(count):
            made.append(factor * m.hypgeom([p + n for p in a], [p + n for p in b]))
            for p in a:
                factor *= p + n
            for p in b:
                factor /= p + n
            factor /= n + 1
        return made

    return composed(coefficients, x)
