r"""Enclose functions by their Taylor coefficients about a ball: Bessel functions, polygammas, hypergeometric functions.

$$\frac{d^n}{dx^n} I_\nu = 2^{-n}\sum_k \binom nk I_{\nu-n+2k},\qquad
  \frac{d^n}{dx^n}\,{}_pF_q(a; b; x) = \frac{\prod (a)_n}{\prod (b)_n}\,{}_pF_q(a+n; b+n; x).$$
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flint import acb, arb, arb_series

from symaux.formulas.numeric.balls.signs import Undecided, constant_term, is_positive, require_finite


def require_constant(value: Any) -> arb:
    """Return a parameter; raise Undecided if it depends on the series variable."""
    if isinstance(value, arb_series):
        raise Undecided("a parameter that depends on the variable")
    return value


def compose_taylor(coefficients: Callable[[arb, int], list[arb]], x: Any) -> Any:
    """Return a function of a ball or a series, given its Taylor coefficients about a ball."""
    if not isinstance(x, arb_series):
        return require_finite(coefficients(x, 1)[0])
    outer = arb_series([require_finite(c) for c in coefficients(x[0], x.prec)], prec=x.prec)
    return outer(arb_series([arb(0), *(x[n] for n in range(1, x.prec))], prec=x.prec))


def bessel(name: str, sign: int, alternating: int = 1) -> Callable[[Any, Any], Any]:
    """Return the enclosure of the Bessel function I, J or K of a constant order and a positive argument.

    The nth derivative is the sum over k of ``sign**n * alternating**k * binomial(n, k) / 2**n`` times the function of order
    ν + 2k - n.
    """

    def function(order: Any, x: Any) -> Any:
        nu = require_constant(order)
        if not is_positive(x):
            raise Undecided("a Bessel function of a ball that reaches zero")

        def coefficients(m: arb, count: int) -> list[arb]:
            reach = count - 1
            values = {k: _bessel_on_ball(name, nu + k, m) for k in range(-reach, reach + 1)}
            return [
                sum((alternating**k * math.comb(n, k) * values[2 * k - n] for k in range(n + 1)), arb(0))
                * (arb(sign) / 2) ** n
                / math.factorial(n)
                for n in range(count)
            ]

        return compose_taylor(coefficients, x)

    return function


def _bessel_on_ball(name: str, order: arb, x: arb) -> arb:
    """Return a Bessel function on a ball of positive numbers: between its ends where it is monotone (DLMF 10.37)."""
    if name == "bessel_j" or (name == "bessel_i" and not order >= 0):
        return getattr(x, name)(order)
    return getattr(x.lower(), name)(order).union(getattr(x.upper(), name)(order))


def _digamma_coefficients(m: arb, count: int) -> list[arb]:
    logarithm = arb_series([m, arb(1)], prec=count + 1).lgamma()
    return [(n + 1) * logarithm[n + 1] for n in range(count)]


def digamma(x: Any) -> Any:
    """Enclose the digamma function of a positive argument."""
    if not is_positive(x):
        raise Undecided("digamma of a ball that reaches zero")
    return compose_taylor(_digamma_coefficients, x) if isinstance(x, arb_series) else x.digamma()


def polygamma(order: Any, x: Any) -> Any:
    """Enclose the polygamma function; of a series only for order zero."""
    if constant_term(order) == 0:
        return digamma(x)
    return require_finite(acb(require_constant(x)).polygamma(require_constant(order)).real)


def hypergeometric(above: Any, below: Any, x: Any) -> Any:
    """Enclose the generalised hypergeometric function with constant parameters."""
    a, b = [require_constant(p) for p in above], [require_constant(p) for p in below]

    def coefficients(m: arb, count: int) -> list[arb]:
        terms, factor = [], arb(1)
        for n in range(count):
            terms.append(factor * m.hypgeom([p + n for p in a], [p + n for p in b]))
            for p in a:
                factor *= p + n
            for p in b:
                factor /= p + n
            factor /= n + 1
        return terms

    return compose_taylor(coefficients, x)
