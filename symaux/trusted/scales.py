r"""Write a density on another scale, on which its mass is the same: logarithms to an end, odds of an interval, asinh.

A density such as $z^{-n-1}/(e^{b/z} - 1)$ has no majorant at either end that a power of z is; on the scale of $\log z$ both
tails are short.

>>> z = sp.Symbol("z", positive=True)
>>> [found] = other_scales(Density(z, -z, Interval(sp.S.Zero, sp.oo)))
>>> print(found.log_density, found.support)
symaux y - exp(symaux y) (-oo, oo)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp
from flint import arb, ctx

from symaux.formulas.numeric.balls.cells import end_balls
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.trusted.density import Density, HasDensity, Pushforward

Y = sp.Symbol("symaux y", real=True)
FAR, COARSE = 30.0, 30  # the peak is looked for at sinh(-30), sinh(-29), ..., sinh(30)
FINE, ROUNDS = 5, 16  # and then on grids that are five times as fine as the last one, so often at most
WIDEST = 2.0**100
MODERATE = 8.0  # a peak nearer to 0 than this, and not much narrower or wider, is left where it is


def about_peak(density: HasDensity) -> HasDensity:
    """Return a density on the real line as one of y, z = m + w y, with its peak near y = 0 and about as wide as 1.

    The numbers m and w are looked for, which is not rigorous; the mass is the same whatever they are.
    """
    found = _centre_and_width(density)
    return density if found is None else _about(density, *found)


def noise_about_peak(claim: Pushforward) -> Pushforward:
    """Return a claim with its noise written about its peak, as ``about_peak`` writes it."""
    found = _centre_and_width(claim.noise)
    if found is None:
        return claim
    m, w = found
    return Pushforward(claim.law, _about(claim.noise, m, w), claim.value.xreplace({claim.noise.value: m + w * Y}))


def _about(density: HasDensity, m: Formula, w: Formula) -> Density:
    return Density(Y, density.log_density.xreplace({density.value: m + w * Y}) + sp.log(w), REALS)


def _centre_and_width(density: HasDensity) -> tuple[Formula, Formula] | None:
    """Return m and w for a density on the real line without parameters, unless it is well placed as it is."""
    if density.support != REALS or density.log_density.free_symbols - {density.value}:
        return None
    peak, width = _find_peak(density.value, density.log_density)
    if abs(peak) < MODERATE and 1 / MODERATE < width < MODERATE:
        return None
    return sp.Rational(*peak.as_integer_ratio()), sp.Rational(*width.as_integer_ratio())


@functools.lru_cache(maxsize=256)
def _find_peak(variable: Formula, log_density: Formula) -> tuple[float, float]:
    """Return where a density is largest, with few bits, and a power of two near its width there."""
    constants: dict[Any, Any] = {}

    @functools.cache
    def height(x: float) -> float:
        with ctx.workprec(64):
            try:
                found = BallEvaluator({variable: arb(x)}, constants).of(log_density)
                return float(found.mid()) if found.is_finite() else -math.inf
            except (Undecided, ValueError, OverflowError):
                return -math.inf

    grid = [FAR * k / COARSE for k in range(-COARSE, COARSE + 1)]
    for _ in range(ROUNDS):
        best, step = max(grid, key=lambda t: height(math.sinh(t))), grid[1] - grid[0]
        beside = min(height(math.sinh(best - step)), height(math.sinh(best + step)))
        if height(math.sinh(best)) - beside < 1:
            break
        grid = [best + step * k / FINE for k in range(-FINE, FINE + 1)]
    peak = math.sinh(best)
    width = _drop(lambda d: height(peak) - max(height(peak - d), height(peak + d)))
    return round(4 * peak / width) * width / 4, width  # few digits, for the sake of the algebra


def _drop(loss: Callable[[float], float]) -> float:
    """Return the power of two at which a loss that rises with the distance passes one."""
    width = 1.0
    while loss(width) < 1 and width < WIDEST:
        width *= 2
    while loss(width / 2) >= 1 and width > 1 / WIDEST:
        width /= 2
    return width


def other_scales(density: Density) -> Iterator[Density]:
    """Yield densities on the real line with the same mass as a density on an interval."""
    support = density.support
    if not isinstance(support, Interval):
        return
    low, high = support.lower, support.upper
    match low == -sp.oo, high == sp.oo:
        case False, True:
            yield _moved(density, low + sp.exp(Y), Y)
        case True, False:
            yield _moved(density, high - sp.exp(Y), Y)
        case False, False:
            width = high - low
            jacobian = sp.log(width) - Y - 2 * sp.log(1 + sp.exp(-Y))
            yield _moved(density, low + width / (1 + sp.exp(-Y)), jacobian)
        case _:
            yield _moved(density, sp.sinh(Y), sp.log(sp.cosh(Y)))


def on_other_scale(support: Interval, low: arb, high: arb) -> tuple[arb, arb]:
    """Return the ends of an interval on the scale of ``other_scales``, rising."""
    lower, upper = end_balls(support)
    if lower is None and upper is None:
        return low.asinh(), high.asinh()
    if lower is None:
        assert upper is not None
        return (upper - high).log(), (upper - low).log()
    if upper is None:
        return (low - lower).log(), (high - lower).log()
    return ((low - lower) / (upper - low)).log(), ((high - lower) / (upper - high)).log()


def _moved(density: Density, z: Formula, log_jacobian: Formula) -> Density:
    return Density(Y, sp.expand_log(density.log_density.xreplace({density.value: z})) + log_jacobian, REALS)
