r"""Define alternating Gaussian sums, $f_m(a) = \sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$.

By Poisson's summation $1 - 2f_0(a) = \sum_k (-1)^k e^{-ak^2} = 2\sqrt{\pi/a}\sum_{i\ge0} e^{-c_i/a}$ with
$c_i = \tfrac14\pi^2(2i+1)^2$: where one series cancels, the other does not. $f_m' = -f_{m+1}$; the mth derivative of
$a^{-1/2}e^{-y}$, $y = c/a$, is $a^{-1/2-m}e^{-y}P_m(y)$ with $P_{m+1} = (y - \tfrac12 - m)P_m - yP_m'$.
$f_1 > 0$, and $f_0$ falls from $\tfrac12$ to 0.

>>> a = sp.Symbol("a", positive=True)
>>> alternating_gaussian(0, a).diff(a)
-alternating_gaussian(1, a)
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.special_function import Special


def value(m: Any, a: Any) -> Any:
    """Return $f_m(a)$ by whichever of the two series falls fast and does not cancel.

    >>> direct = mp.fsum((-1)**(k - 1)*k**2*mp.exp(-k**2/mp.mpf(2)) for k in range(1, 20))
    >>> mp.almosteq(value(1, mp.mpf(1)/2), direct, 1e-12)
    True
    """
    m = int(m)
    if a > 1:
        last = int(mp.sqrt((mp.mp.dps + 5) * mp.log(10) / a)) + 3
        return mp.fsum((-1) ** (k - 1) * k ** (2 * m) * mp.exp(-a * k**2) for k in range(1, last))
    last = int(mp.sqrt((mp.mp.dps + 5) * mp.log(10) * a)) + 3
    rates = [(mp.pi * (2 * i + 1)) ** 2 / 4 for i in range(last)]
    row = [mp.mpf(c.p) / c.q for c in polynomial(m)]
    dual = mp.sqrt(mp.pi / a) / a**m * mp.fsum(mp.polyval(row, c / a) * mp.exp(-c / a) for c in rates)
    return (mp.mpf(1) / 2 if m == 0 else 0) - (-1) ** m * dual


def polynomial(m: int) -> list[Any]:
    """Return the coefficients of P_m, highest first.

    >>> polynomial(1)
    [1, -1/2]
    """
    y = sp.Symbol("y")
    found = sp.S.One
    for k in range(m):
        found = sp.expand((y - sp.S.Half - k) * found - y * found.diff(y))
    return sp.Poly(found, y).all_coeffs()


class alternating_gaussian(Special):
    r"""$f_m(a)$ for a > 0."""

    nargs = 2
    value = staticmethod(value)

    def slopes(self) -> tuple[Any, ...]:
        m, a = self.args
        return None, -alternating_gaussian(m + 1, a)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0] in (0, 1) and self.args[1].is_positive else None
