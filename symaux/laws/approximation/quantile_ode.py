r"""Follow the quantile function of a law without parameters by Taylor series: $F(h(y(x))) = 1/(1 + e^{-x})$.

At a known point the series of both sides give the series of y by reversion; step by step this leads along x. Points at
which the density has no series (kinks and jumps) are stepped over and recorded. Nothing here is a proof.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sinh
from typing import Any

import sympy as sp
from flint import arb, arb_series

from symaux.formulas.functions.chebyshev import map_line_onto
from symaux.formulas.numeric.balls.cells import ORDER
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided, require_finite
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law

LONGEST, SHORTEST = 3.0, 2.0**-40  # a step along x, in units of log-odds; at the shortest there is a kink or a jump
STEPS = 1000  # at most, on one side of the start: a path that needs more is given up
PRECISE = 1e-17  # size of the last term of a series at the end of its step: below the rounding of a double
UNIT = 1e-9  # how far the two masses beside the start may be from adding up to one
NEGLIGIBLE = 1e-20  # density times distance, as a share of the mass so far, at which the rest of a tail is left out


@dataclass(frozen=True)
class Stretch:
    """The series of y about a centre, accurate from ``low`` to ``high``."""

    low: float
    high: float
    centre: arb
    coefficients: list[arb]

    def at(self, x: float) -> tuple[float, float]:
        """Return y and dy/dx."""
        t, value, derivative = arb(x) - self.centre, arb(0), arb(0)
        for c in reversed(self.coefficients):
            value, derivative = value * t + c, derivative * t + value
        return float(value.mid()), float(derivative.mid())


@dataclass
class QuantilePath:
    """The function y(x) for x in [-reach, reach], with the x of the kinks."""

    law: Law
    line: str  # one of the maps of ``chebyshev.LINES``
    reach: float
    kinks: list[float] = field(default_factory=list)
    constants: dict[Any, Any] = field(
        default_factory=dict
    )  # values of formulas without variables, shared by all evaluations

    def __post_init__(self) -> None:
        assert isinstance(self.law.support, Interval)
        self.y = sp.Symbol("y_", real=True)
        self.map = map_line_onto(self.law.support, self.y, self.line)
        self.log_density = as_stable_form(self.law.log_density)
        start = self._start()
        back = self._followed(*start, -1)
        self.stretches = [*reversed(back), *self._followed(*start, 1)]
        self.lows = [s.low for s in self.stretches]

    def at(self, x: float) -> tuple[float, float]:
        """Return y and dy/dx at x."""
        return self.stretches[max(bisect_right(self.lows, x) - 1, 0)].at(x)

    def heights(self, y: Any) -> Any:
        """Return the density of y, as a series or a ball."""
        z = BallEvaluator({self.y: y}, self.constants).of(self.map)
        p = BallEvaluator({self.law.value: z}, self.constants).of(self.log_density).exp()
        return p * z.derivative() if isinstance(z, arb_series) else p

    def _start(self) -> tuple[arb, arb]:
        """Return the log-odds of a point in the bulk, and the point: masses are followed from there to both sides."""
        y = self._bulk()
        left, right = self._mass(y, -1), self._mass(y, 1)
        if not abs(left + right - 1) < UNIT:
            raise Undecided("the density does not integrate to one, or not all of it was found")
        return (left / right).log().mid(), y

    def _bulk(self) -> arb:
        """Return where the density, weighted by 1 + |y|, is highest: on a grid, which is then refined."""
        middle = max((sinh(k / 16) for k in range(-200, 201)), key=self._height)
        width = max(abs(middle), 1.0) / 8
        for _ in range(12):
            middle = max((middle + width * k / 8 for k in range(-8, 9)), key=self._height)
            width /= 4
        return arb(middle)

    def _height(self, y: float) -> float:
        try:
            return float(self.heights(arb_series([arb(y), arb(1)], prec=3))[0].mid()) * (1 + abs(y))
        except (Undecided, ValueError):
            return -1.0

    def _mass(self, start: arb, direction: int) -> arb:
        """Return the mass on one side of a point, up to a negligible rest."""
        y, total = start, arb(0)
        for _ in range(STEPS):
            p = [require_finite(self._heights(y)[n]).mid() for n in range(ORDER - 1)]
            far = abs(y - start).mid()
            if p[0] * (1 + far) < NEGLIGIBLE * total:
                return total
            step, _ = self._step(p, (1 + far).mid(), lambda t, y=y: y + direction * t)
            total = (total + _value([arb(0), *(c / n * direction ** (n + 1) for n, c in enumerate(p, 1))], step)).mid()
            y = (y + direction * step).mid()
        raise Undecided("a tail without end")

    def _heights(self, y: arb) -> arb_series:
        return self.heights(arb_series([y, arb(1)], prec=ORDER))

    def _followed(self, x: arb, y: arb, direction: int) -> list[Stretch]:
        made: list[Stretch] = []
        for _ in range(STEPS):
            if direction * float(x.mid()) >= self.reach:
                return made
            series = self._series(x, y)
            step, smooth = self._step(series, arb(LONGEST), lambda t, series=series: _value(series, direction * t))
            ahead = (x + direction * step).mid()
            low, high = sorted((float(x.mid()), float(ahead)))
            made.append(Stretch(low, high, x, series))
            if not smooth:
                self.kinks.append((low + high) / 2)
            x, y = ahead, _value(series, arb(direction) * step).mid()
        raise Undecided("too many steps")

    def _series(self, x: arb, y: arb) -> list[arb]:
        risen = self._heights(y).integral()
        level = 1 / (1 + (-arb_series([x, arb(1)], prec=ORDER)).exp())
        wanted = arb_series([arb(0), *(level[n] for n in range(1, ORDER))], prec=ORDER)
        path = risen.reversion()(wanted)
        return [y, *(require_finite(path[n]).mid() for n in range(1, ORDER - 1))]

    def _step(self, series: list[arb], longest: arb, ahead: Callable[[arb], arb]) -> tuple[arb, bool]:
        """Return the step over which a series is accurate, and whether the density has a series all along it."""
        size = max(float(abs(c).mid()) ** (1 / n) for n, c in enumerate(series[-4:], len(series) - 4))
        step = arb(PRECISE ** (1 / len(series)) / max(size, 1e-9)).min(longest).mid()
        while step > SHORTEST:
            try:
                hull = ahead(arb(0)).union(ahead(step))
                require_finite(self.heights(arb_series([hull, arb(1)], prec=3))[0])
                return step, True
            except (Undecided, ValueError):
                step = (step / 2).mid()
        return arb(SHORTEST), False


def _value(series: list[arb], t: arb) -> arb:
    value = arb(0)
    for c in reversed(series):
        value = value * t + c
    return value
