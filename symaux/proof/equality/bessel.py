r"""Write Bessel functions of half an odd order without Bessel functions, and those of an order of either sign as one.

$K_{1/2}(x) = \sqrt{\pi/2x}\,e^{-x}$, $I_{\pm1/2}(x) = \sqrt{2/\pi x}\,(e^x \mp e^{-x})/2$, and the recurrences
$K_{\nu+1} = K_{\nu-1} + \tfrac{2\nu}{x}K_\nu$, $I_{\nu+1} = I_{\nu-1} - \tfrac{2\nu}{x}I_\nu$.

>>> x = sp.Symbol("x", positive=True)
>>> to_elementary(sp.besselk(-sp.Rational(1, 2), x))
sqrt(2)*sqrt(pi)*exp(-x)/(2*sqrt(x))
>>> sp.N(to_elementary(sp.besseli(sp.Rational(5, 2), x)).subs(x, 2) - sp.besseli(sp.Rational(5, 2), 2), 20, chop=True)
0
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.symbols.formula import Formula

HALF = sp.S.Half
FAR = 20  # the recurrence is not followed to larger orders


def to_elementary(bessel: Formula) -> Formula:
    """Return K or I without a Bessel function if the order is half of an odd number; K with an order of one sign."""
    order, x = bessel.args
    if isinstance(bessel, sp.besselk) and order.could_extract_minus_sign():
        order = -order
    if not (order.is_Rational and order.q == 2 and abs(order) < FAR):
        return bessel.func(order, x)
    if isinstance(bessel, sp.besselk):
        first = sp.sqrt(sp.pi / (2 * x)) * sp.exp(-x)
        return _followed(order, x, first, first, 1)
    return _followed(order, x, _wave(x, 1), _wave(x, -1), -1)


def _wave(x: Formula, sign: int) -> Formula:
    return sp.sqrt(2 / (sp.pi * x)) * (sp.exp(x) + sign * sp.exp(-x)) / 2


def _followed(order: Formula, x: Formula, below: Formula, above: Formula, sign: int) -> Formula:
    """Follow the recurrence from the functions of the orders -1/2 and 1/2, upwards or downwards."""
    nu = HALF
    while nu < order:
        below, above, nu = above, below + sign * 2 * nu / x * above, nu + 1
    while nu > order:
        below, above, nu = above - sign * 2 * (nu - 1) / x * below, below, nu - 1
    return above
