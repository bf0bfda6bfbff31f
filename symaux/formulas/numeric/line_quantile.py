r"""Compute the quantile of a law on the real line by quadrature: $\int_{-\infty}^{q} e^{\ell(t)}\,dt = u$, to any precision.

>>> import sympy as sp
>>> t = sp.Symbol("t", real=True)
>>> mp.nstr(line_quantile(sp.Rational(3, 4), t, -t - 2*sp.log(1 + sp.exp(-t)), 100), 25)  # logistic: log 3
'1.098612288668109691395245'
"""

from __future__ import annotations

from typing import Any

import mpmath as mp

from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.evaluate import number
from symaux.formulas.symbols.formula import Formula


def line_quantile(u: Formula, variable: Any, log_density: Formula, prec: int) -> Any:
    """Return the quantile by quadrature and safeguarded Newton steps: slow, and independent of the generated code."""
    with mp.workprec(prec + 20):
        level = mp.mpmathify(u)

        def height(t: Any) -> Any:
            try:
                return exponential(number(log_density, {variable: t}))
            except OverflowError:
                return mp.mpf(0)  # so far out that a part of the formula overflows

        def between(low: Any, high: Any) -> Any:
            return mp.quad(height, [low, (low + high) / 2, high])

        start = mp.mpf(0)
        reached = mp.quad(height, [-mp.inf, -8, -1, start])
        low, high = start, start
        step = mp.mpf(1)
        while reached > level:
            low, high, step = low - step, low, 2 * step
            reached -= between(low, high)
        if high == start and reached <= level:
            while (more := between(low, low + step)) + reached < level:
                low, reached, step = low + step, reached + more, 2 * step
            high = low + step
        return _root(height, between, reached - level, low, high)


def _root(height: Any, between: Any, excess: Any, low: Any, high: Any) -> Any:
    """Return x at which ``excess`` plus the integral of ``height`` from ``low`` to x is zero, by Newton steps and bisection."""
    at, width = low, high - low
    for _ in range(100):
        slope = height(at)
        new = at - excess / slope if slope else low
        if not low < new < high:
            new = (low + high) / 2
        moved, at, excess = abs(new - at), new, excess + between(at, new)
        low, high = (at, high) if excess < 0 else (low, at)
        if not excess or moved < mp.sqrt(mp.eps) * min(
            width, max(1, abs(at))
        ):  # Newton's error is squared in the last step
            return at - (excess / slope if (slope := height(at)) else 0)
    return at
