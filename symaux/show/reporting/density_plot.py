r"""Compare a density with draws: the law's own formula, and a histogram of its generating function of fresh noise.

The two are independent: mpmath evaluates the density from the formula, generated code makes the draws. Parents get simple
values, since the law holds for all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import cycle
from statistics import NormalDist
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.errors import SymauxError
from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.numeric.points import evaluate, holds, points
from symaux.formulas.symbols.indices import name_of
from symaux.formulas.symbols.support import Integers, Interval, bounds
from symaux.laws.kernel import kernel
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal, is_standard_uniform
from symaux.rules.form import AuxiliaryForm
from symaux.show.reporting.svg_plot import Bars, Points

DRAWS, GRID, BINS = 4_000, 161, 32
HEAVY = 5.0  # a tail is cut if it reaches so many times as far as nine tenths of the draws do
CURVES = (0.1, 0.5, 0.9)  # where the second noise is held while the first one runs
At = dict[sp.Expr, sp.Expr]


@dataclass(frozen=True)
class Comparison:
    """A density on a grid, and the histogram of draws, at some parameters."""

    law: Law
    at: At
    density: Points
    bars: Bars


class NothingToCompare(Exception):
    """The reason why a law has no such plot."""


@dataclass(frozen=True)
class ParametricLaw:
    """A law in parameters alone, those that are numbers, and the formulas that the others replace."""

    law: Law
    numbers: At
    meaning: At


def to_parametric(law: Law) -> ParametricLaw:
    """Return the kernel of a law, whose derivation is known already where the law's own is."""
    if law.event:
        raise NothingToCompare("it is a vector, whose density is not a curve")
    found = kernel(law)
    numbers: At = {s: e for s, e in found.arguments.items() if e.is_number}
    meaning: At = {s: e for s, e in found.arguments.items() if s not in numbers}
    if law.spelling is None:
        return ParametricLaw(found.law, numbers, meaning)
    named = replace(law.spelling, arguments=law.spelling.symbols)
    return ParametricLaw(replace(found.law, spelling=named), numbers, meaning)


def readable_parameters(law: Law, given: At | None = None) -> At:
    """Return values of the parameters that are easy to read, or any that the conditions allow; some may be given."""
    signed, positive = cycle([sp.Rational(1, 2), sp.Integer(-1), sp.Integer(2)]), cycle(map(sp.Rational, (3, 2, "5/2")))
    known = {p: v for p, v in (given or {}).items() if p in law.parameters}
    tried = {p: _value(p, signed, positive) for p in law.parameters} | known
    if all(holds(condition, tried) for condition in law.conditions) and _nonempty(law, tried):
        return tried
    for point in points(law.parameters, conditions=law.conditions, seed=3, count=40):
        if _nonempty(law, point | known) and all(holds(condition, point | known) for condition in law.conditions):
            return point | known
    raise NothingToCompare("no parameters were found that its conditions allow")


def _value(symbol: sp.Expr, signed: Any, positive: Any) -> sp.Expr:
    if symbol.is_integer:
        return sp.Integer(3)
    return next(positive) if symbol.is_nonnegative else -next(positive) if symbol.is_nonpositive else next(signed)


def _ends(law: Law, at: At) -> list[Any]:
    """Return the bounds of the support at some parameters."""
    return [end.xreplace(at) for end in bounds(law.support)]


def _nonempty(law: Law, at: At) -> bool:
    lower, upper = _ends(law, at)
    return bool((upper - lower).is_extended_positive)


def compare(form: AuxiliaryForm, at: At | None = None) -> Comparison:
    """Return the density and the draws of a form at given parameters, or at readable ones."""
    law = form.law
    if law.event:
        raise NothingToCompare("it is a vector, whose density is not a curve")
    if not isinstance(law.support, Interval):
        raise NothingToCompare(
            "it is discrete" if isinstance(law.support, Integers) else "its support is not an interval"
        )
    chosen = readable_parameters(law) if at is None else at
    drawn = _draws(form, chosen)
    low, high = _range(law, chosen, drawn)
    grid = [low + (high - low) * (k + 0.5) / GRID for k in range(GRID)]
    heights = [(x, h) for x in grid if (h := _height(law, chosen, x)) is not None]
    if len(heights) < GRID // 2:
        raise NothingToCompare("its density cannot be evaluated there")
    return Comparison(law, chosen, heights, _histogram(drawn, low, high))


def _draws(form: AuxiliaryForm, at: At) -> list[float]:
    import jax
    import numpy as np

    values = {name_of(p): float(v) for p, v in at.items()}
    try:
        made = np.asarray(form.sample(jax.random.key(0), values, shape=(DRAWS,)), dtype=float)
    except SymauxError as failure:
        raise NothingToCompare(f"it cannot be drawn from ({str(failure).splitlines()[0]})") from failure
    kept = np.sort(made[np.isfinite(made)])
    if kept.size < DRAWS // 2 or kept[0] == kept[-1]:
        raise NothingToCompare("its draws are not finite at these parameters")
    return kept.tolist()


def _range(law: Law, at: At, drawn: list[float]) -> tuple[float, float]:
    """Return the range of the draws; heavy tails are cut, and a bound of the support nearby is shown."""
    low, high = -_reach([-x for x in reversed(drawn)]), _reach(drawn)
    ends = [evaluate(end, at) if end.is_finite else None for end in _ends(law, at)]
    width = high - low
    if ends[0] is not None and low - float(ends[0].real) < 0.15 * width:
        low = float(ends[0].real)
    if ends[1] is not None and float(ends[1].real) - high < 0.15 * width:
        high = float(ends[1].real)
    return low, high


def _reach(drawn: list[float]) -> float:
    """Return how far up a plot goes: almost to the last draw, unless that is far beyond the bulk of them."""
    half, most, last = (drawn[int(len(drawn) * q)] for q in (0.5, 0.9, 0.998))
    return last if last - half <= HEAVY * (most - half) else drawn[int(len(drawn) * 0.94)]


def _height(law: Law, at: At, x: float) -> float | None:
    found = evaluate(law.log_density, at | {law.value: sp.Float(x)}, digits=20)
    return None if found is None else float(mp.re(exponential(mp.re(found))))


def _histogram(drawn: list[float], low: float, high: float) -> Bars:
    width = (high - low) / BINS
    counts = [0] * BINS
    for value in drawn:
        if low <= value < high:
            counts[min(int((value - low) / width), BINS - 1)] += 1
    return Bars([low + k * width for k in range(BINS + 1)], [c / (len(drawn) * width) for c in counts])


def generating_curves(form: AuxiliaryForm, at: At) -> tuple[Points, ...]:
    """Return g along its first noise, at three levels of a second one; raise NothingToCompare with more noises."""
    import numpy as np

    if form.law.event or len(form.noise) > 2:
        raise NothingToCompare("it has more than two noises")
    values = {name_of(p): float(v) for p, v in at.items()}
    first, *rest = (np.asarray(_levels(noise)) for noise in form.noise)
    curves = []
    for share in CURVES if rest else CURVES[:1]:
        held = [np.full(DRAWS, levels[int(share * DRAWS)]) for levels in rest]
        eps = {noise.name: value for noise, value in zip(form.noise, [first, *held], strict=True)}
        made = np.broadcast_to(np.asarray(form.generate(eps, values), dtype=float), DRAWS)
        pairs = list(zip(first.tolist(), made.tolist(), strict=True))[DRAWS // 200 :: DRAWS // 100]
        curves.append(tuple((x, y) for x, y in pairs if math.isfinite(y)))
    return tuple(curves)


@lru_cache(maxsize=32)
def _levels(noise: Law) -> tuple[float, ...]:
    """Return quantiles of a noise, as many as there are draws, so that one compiled function serves both."""
    import numpy as np

    import symaux as sa

    u = (np.arange(DRAWS) + 0.5) / DRAWS
    if is_standard_uniform(noise):
        return tuple(u.tolist())
    if is_standard_normal(noise):
        return tuple(map(NormalDist().inv_cdf, u.tolist()))
    try:
        return tuple(np.asarray(sa.derive(noise, noise="uniform").quantile(u), dtype=float).tolist())
    except sa.SymauxError as none:
        raise NothingToCompare(str(none)) from none
