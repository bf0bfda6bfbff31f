r"""Enclose alternating Gaussian sums $f_m(a) = \sum_{k\ge1} (-1)^{k-1} k^{2m} e^{-ak^2}$ on balls.

From $k^2 \ge m/a$ on the terms decrease and alternate, so the remainder is at most the first omitted term.

>>> with ctx.workprec(120):
...     alternating_gaussian(arb(0), arb(1)/2)
[0.481972621832437547...]
"""

from __future__ import annotations

import math
from typing import Any

from flint import arb, ctx

from symaux.formulas.numeric.balls.signs import Undecided, is_positive
from symaux.formulas.numeric.balls.taylor import compose_taylor, require_constant

TERMS = 2000  # at most; sums that need more are undecided


def alternating_gaussian(order: Any, a: Any) -> Any:
    r"""Enclose $f_m(a)$; its derivatives are $f_m^{(n)} = (-1)^n f_{m+n}$."""
    m = int(float(require_constant(order).mid()))
    if not is_positive(a):
        raise Undecided("an alternating sum of Gaussians of a ball that reaches zero")

    def coefficients(at: arb, count: int) -> list[arb]:
        return [(-1) ** n * _sum(m + n, at) / math.factorial(n) for n in range(count)]

    return compose_taylor(coefficients, a)


def _sum(m: int, a: arb) -> arb:
    least = float(a.lower())
    count = math.ceil(math.sqrt((ctx.prec + 10 * m + 20) / max(least, 1e-300))) + 1
    if count > TERMS or not a * count**2 > m:
        raise Undecided("an alternating sum of Gaussians with too many terms that count")
    total = sum(((-1) ** (k - 1) * _term(m, k, a) for k in range(1, count)), arb(0))
    return total + arb(0, _term(m, count, a).upper())


def _term(m: int, k: int, a: arb) -> arb:
    return arb(k) ** (2 * m) * (-a * k**2).exp()
