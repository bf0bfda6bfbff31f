r"""Alternating Gaussian sums, $f_m(a) = \sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ for m = 0 and 1.

By Poisson's summation $1 - 2f_0(a) = \sum_k (-1)^k e^{-ak^2} = 2\sqrt{\pi/a}\sum_{i\ge0} e^{-c_i/a}$ with $c_i = \tfrac14\pi^2(2i+1)^2$: where one
series cancels, the terms of the other are positive. $f_m' = -f_{m+1}$, so $f_1 > 0$ falls from $f_0(0) = \tfrac12$ to $f_0(\infty) = 0$.

>>> a = sp.Symbol("a", positive=True)
>>> alternating_gaussian(0, a).diff(a)
-alternating_gaussian(1, a)
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.special.kinds import Special


def value(m: Any, a: Any) -> Any:
    """By whichever of the two series has positive terms that fall fast.

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
    if m == 0:
        return mp.mpf(1) / 2 - mp.sqrt(mp.pi / a) * mp.fsum(mp.exp(-c / a) for c in rates)
    return mp.sqrt(mp.pi) * mp.fsum((c / a - mp.mpf(1) / 2) * mp.exp(-c / a) for c in rates) / a ** mp.mpf("1.5")


class alternating_gaussian(Special):
    r"""$f_m(a)$ for a > 0."""

    nargs = 2
    value = staticmethod(value)

    def slopes(self) -> tuple[Any, ...]:
        m, a = self.given
        return None, -alternating_gaussian(1, a) if m == 0 else None

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[1].is_positive else None
