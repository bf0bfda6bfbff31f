r"""The quantile function of a law without parameters, followed by Taylor series: $F(h(y(x))) = 1/(1 + e^{-x})$.

At a known point the series of both sides give the series of y by reversion; one step after the other leads along x.
Points at which the density has no series, kinks and jumps, are stepped over and remembered. Nothing here is a proof.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from flint import arb, arb_series

from symaux.chebyshev import onto
from symaux.laws import Law
from symaux.proof.ball.balls import Undecided, finite
from symaux.proof.ball.cells import ORDER
from symaux.proof.ball.masses import enclosed_level
from symaux.proof.ball.reading import Reading
from symaux.proof.ball.stable import stable
from symaux.support import Interval

LONGEST, SHORTEST, STEPS, PRECISE = 3.0, 2.0**-40, 4000, 1e-17


@dataclass(frozen=True)
class Stretch:
    """The series of y about a centre, good from ``low`` to ``high``."""

    low: float
    high: float
    centre: arb
    coefficients: list[arb]

    def at(self, x: float) -> tuple[float, float]:
        """y and dy/dx."""
        t, value, slope = arb(x) - self.centre, arb(0), arb(0)
        for c in reversed(self.coefficients):
            value, slope = value * t + c, slope * t + value
        return float(value.mid()), float(slope.mid())


@dataclass
class QuantilePath:
    """y(x) for x in [-reach, reach], with the x of the kinks that were met."""

    law: Law
    line: str  # one of the maps of ``chebyshev.LINES``
    reach: float
    kinks: list[float] = field(default_factory=list)
    settled: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert isinstance(self.law.support, Interval)
        self.y = sp.Symbol("y_", real=True)
        self.map = onto(self.law.support, self.y, self.line)
        self.log_density = stable(self.law.log_density)
        start = self._start()
        back = self._followed(*start, -1)
        self.stretches = [*reversed(back), *self._followed(*start, 1)]
        self.lows = [s.low for s in self.stretches]

    def at(self, x: float) -> tuple[float, float]:
        """y and dy/dx at x."""
        return self.stretches[max(bisect_right(self.lows, x) - 1, 0)].at(x)

    def heights(self, y: Any) -> Any:
        """The density of y, as a series or a ball."""
        z = Reading({self.y: y}, self.settled).of(self.map)
        p = Reading({self.law.value: z}, self.settled).of(self.log_density).exp()
        return p * z.derivative() if isinstance(z, arb_series) else p

    def _start(self) -> tuple[arb, arb]:
        """A point in the bulk, and its log-odds, by a rigorous integral."""
        best, where = None, 0.0
        for k in range(-200, 201):
            y = float((arb(k) / 16).sinh().mid())
            try:
                height = finite(self.heights(arb_series([arb(y), arb(1)], prec=3))[0] * arb(1 + y * y).sqrt())
            except (Undecided, ValueError):
                continue
            if best is None or height.mid() > best:
                best, where = height.mid(), y
        if best is None:
            raise Undecided("no point at which the density is known")
        z = float(Reading({self.y: arb(where)}).of(self.map).mid())
        level = arb(enclosed_level(self.law, z).mid())
        if not (level > 1e-6 and level < 1 - 1e-6):
            raise Undecided("no point in the bulk of the law")
        return (level / (1 - level)).log().mid(), self._back(z)

    def _back(self, z: float) -> arb:
        """The y that is mapped to z."""
        support = self.law.support
        assert isinstance(support, Interval)
        at = Reading({}).of
        match support.lower == -sp.oo, support.upper == sp.oo:
            case True, True:
                return arb(z) if self.line == "plain" else (arb(z) + (arb(z) ** 2 + 1).sqrt()).log().mid()
            case False, True:
                return (arb(z) - at(support.lower)).log().mid()
            case True, False:
                return -(at(support.upper) - arb(z)).log().mid()
        return ((arb(z) - at(support.lower)) / (at(support.upper) - arb(z))).log().mid()

    def _followed(self, x: arb, y: arb, direction: int) -> list[Stretch]:
        made: list[Stretch] = []
        for _ in range(STEPS):
            if direction * float(x.mid()) >= self.reach:
                return made
            series = self._series(x, y)
            step, smooth = self._step(series, y, direction)
            ahead = (x + direction * step).mid()
            low, high = sorted((float(x.mid()), float(ahead)))
            made.append(Stretch(low, high, x, series))
            if not smooth:
                self.kinks.append((low + high) / 2)
            x, y = ahead, _value(series, arb(direction) * step).mid()
        raise Undecided("too many steps")

    def _series(self, x: arb, y: arb) -> list[arb]:
        risen = self.heights(arb_series([y, arb(1)], prec=ORDER)).integral()
        level = 1 / (1 + (-arb_series([x, arb(1)], prec=ORDER)).exp())
        wanted = arb_series([arb(0), *(level[n] for n in range(1, ORDER))], prec=ORDER)
        path = risen.reversion()(wanted)
        return [y, *(finite(path[n]).mid() for n in range(1, ORDER - 1))]

    def _step(self, series: list[arb], y: arb, direction: int) -> tuple[arb, bool]:
        """How far the series is good, and whether the density has a series on the whole way there."""
        size = max(float(abs(c).mid()) ** (1 / n) for n, c in enumerate(series[-4:], len(series) - 4))
        step = arb(min(LONGEST, PRECISE ** (1 / len(series)) / max(size, 1e-9)))
        while step > SHORTEST:
            try:
                hull = y.union(_value(series, direction * step))
                finite(self.heights(arb_series([hull, arb(1)], prec=3))[0])
                return step.mid(), True
            except (Undecided, ValueError):
                step = (step / 2).mid()
        return arb(SHORTEST), False


def _value(series: list[arb], t: arb) -> arb:
    value = arb(0)
    for c in reversed(series):
        value = value * t + c
    return value
