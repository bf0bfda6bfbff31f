r"""Distribution functions, quantiles and their gradients from the density alone, to more than twenty digits.

The support is laid out on a line, $z = z(t; \theta)$, and $w(t) = p(z(t))\,z'(t)$ is integrated panel by panel with
Gauss-Legendre rules until halving a panel changes nothing at 1e-26. With $G(t; \theta) = \int_{-\infty}^t w$, the quantile solves
$G(t) = u$ and its gradient is $\partial_\theta z - \partial_\theta G/p$ at that t. Nothing here comes from the engine.

>>> from corpus.entry import Entry, grid
>>> z, r = sp.symbols("z r", positive=True)
>>> entry = Entry("exponential", z, r * sp.exp(-r * z), (0, sp.oo), grid(r=[2]))
>>> found = Reference(entry, entry.points[0])
>>> float(abs(found.quantile(0.5) - mp.log(2) / 2)) < 1e-20, float(abs(found.gradient(0.5)["r"] + mp.log(2) / 4)) < 1e-18
(True, True)
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp

from corpus.entry import Entry, Point

NODES, DIGITS, STEP, PANELS = 24, 55, 18, 600
SMALL = mp.mpf(10) ** -26
FAILURES = (ZeroDivisionError, OverflowError, ValueError, TypeError)


def exponential(x: Any) -> Any:
    """e to the x, without millions of digits for what is nothing or everything."""
    if abs(x) < 10**6:
        return mp.exp(x)
    if x < 0:
        return mp.mpf(0)
    raise OverflowError("an exponential beyond all bounds")


MODULES = [{"exp": exponential}, "mpmath"]


class NoReference(Exception):
    """The density could not be integrated to 1."""


@lru_cache(maxsize=8)
def nodes(digits: int) -> list[tuple[Any, Any]]:
    """Gauss-Legendre nodes and weights on (-1, 1), by Newton's method."""
    with mp.workdps(digits + 10):
        found = []
        for k in range(1, NODES + 1):
            x = mp.cos(mp.pi * (k - mp.mpf(1) / 4) / (NODES + mp.mpf(1) / 2))
            for _ in range(8):
                below, here = mp.mpf(1), x
                for n in range(2, NODES + 1):
                    below, here = here, ((2 * n - 1) * x * here - (n - 1) * below) / n
                slope = NODES * (x * here - below) / (x * x - 1)
                x -= here / slope
            found.append((x, 2 / ((1 - x * x) * slope**2)))
        return found


def split(formula: sp.Expr, value: sp.Symbol, parts: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """The formula with what is free of the value replaced by symbols, so that it is worked out once per point."""
    if not formula.has(value):
        return formula if formula.is_Integer else parts.setdefault(formula, sp.Symbol(f"part_{len(parts)}_"))
    if formula.is_Atom or isinstance(formula, sp.Piecewise | sp.Sum):
        return formula
    if isinstance(formula, sp.Add | sp.Mul):
        free, bound = formula.as_independent(value, as_Add=isinstance(formula, sp.Add))
        if formula.func(free, bound, evaluate=False).args and not free.is_Integer and free not in formula.args:
            arguments = formula.func.make_args(bound)
            return formula.func(split(free, value, parts), *(split(a, value, parts) for a in arguments))
    return formula.func(*(split(a, value, parts) for a in formula.args))


@lru_cache(maxsize=64)
def compiled(formula: sp.Expr, value: sp.Symbol, parameters: tuple[sp.Symbol, ...]) -> Callable[..., Any]:
    """parameters -> (z -> density) in mpmath."""
    own = {
        s: sp.Symbol(f"parameter_{k}_") for k, s in enumerate(parameters)
    }  # one may be called beta, as a function is
    parts: dict[sp.Expr, sp.Symbol] = {}
    small = split(formula.xreplace(own), value, parts)
    constants = sp.lambdify(list(own.values()), list(parts), MODULES)
    density = sp.lambdify((value, *parts.values(), *own.values()), small, MODULES)

    def at(*given: Any) -> Callable[[Any], Any]:
        known = constants(*given)
        return lambda z: density(z, *known, *given)

    return at


def laid_out(lower: Any, upper: Any) -> Callable[[Any], tuple[Any, Any]]:
    """t -> (z, dz/dt), from the line onto the support."""
    if mp.isinf(lower) and mp.isinf(upper):
        return lambda t: (mp.sinh(t), mp.cosh(t))
    if mp.isinf(upper):
        return lambda t: (lower + mp.exp(t), mp.exp(t))
    if mp.isinf(lower):
        return lambda t: (upper - mp.exp(-t), mp.exp(-t))

    def between(t: Any) -> tuple[Any, Any]:
        small = mp.exp(-abs(t))
        rest = (upper - lower) * small / (1 + small)
        return (upper - rest if t > 0 else lower + rest), rest / (1 + small)

    return between


def onto_line(z: Any, lower: Any, upper: Any) -> Any:
    """The t of a z inside the support."""
    if mp.isinf(lower) and mp.isinf(upper):
        return mp.asinh(z)
    if mp.isinf(upper):
        return mp.log(z - lower)
    return -mp.log(upper - z) if mp.isinf(lower) else mp.log((z - lower) / (upper - z))


class Reference:
    """One law at one point: quantiles with their gradients in every parameter that is not a whole number."""

    def __init__(self, entry: Entry, point: Point) -> None:
        self.entry, self.point = entry, entry.at(point)
        self.names = [s for s in entry.parameters if not s.is_integer]
        for self.digits in (DIGITS, 4 * DIGITS):
            with mp.workdps(self.digits):
                self._integrate()
                if abs(self.mass - 1) < mp.mpf(10) ** -20:
                    return
        raise NoReference(f"{entry.name} at {dict(point)}: the density integrates to {mp.nstr(self.mass, 12)}")

    def _weights(self, given: dict[sp.Symbol, Any]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """t -> w(t) and t -> z(t) at the given parameters."""
        entry = self.entry
        values = [given[s] for s in entry.parameters]
        lower, upper = (self._number(sp.sympify(end), given) for end in entry.support)
        place = laid_out(lower, upper)
        if entry.numeric is not None:
            named, own = {s.name: v for s, v in given.items()}, entry.numeric

            def density(z: Any) -> Any:
                return own(z, **named)
        else:
            density = compiled(entry.density, entry.value, entry.parameters)(*values)

        def weight(t: Any) -> Any:
            z, slope = place(t)
            if z in (lower, upper):
                return mp.mpf(0)  # closer to the end than the digits tell
            try:
                return mp.re(density(z)) * slope
            except FAILURES:
                return mp.mpf(0)

        return weight, lambda t: place(t)[0]

    @staticmethod
    def _number(formula: sp.Expr, given: dict[sp.Symbol, Any]) -> Any:
        if formula in (sp.oo, -sp.oo):
            return mp.inf if formula == sp.oo else -mp.inf
        return mp.mpmathify(sp.lambdify(list(given), formula, "mpmath")(*given.values()))

    def _integrate(self) -> None:
        exact = {s: mp.mpf(int(v.p)) / int(v.q) for s, v in self.point.items()}
        self.weight, self.place = self._weights(exact)
        self.step = {s: mp.mpf(10) ** -STEP * max(1, abs(exact[s])) for s in self.names}
        self.moved = {
            s: [self._weights(exact | {s: exact[s] + d})[:2] for d in (self.step[s], -self.step[s])] for s in self.names
        }
        lower, upper = (self._number(sp.sympify(end), exact) for end in self.entry.support)
        inner = [b for b in (self._number(f, exact) for f in self.entry.breaks) if lower < b < upper]
        self._lay_panels(sorted(onto_line(b, lower, upper) for b in inner))

    def _lay_panels(self, breaks: list[Any]) -> None:
        top = self._top(breaks)
        right, left = self._march(top, 1, breaks), self._march(top, -1, breaks)
        panels = [(b, a, i) for a, b, i in reversed(left)] + right
        self.edges, self.below = [panels[0][0]], [mp.mpf(0)]
        for _, end, inside in panels:
            self.edges.append(end)
            self.below.append(self.below[-1] + abs(inside))
        self.mass = self.below[-1]
        self.known_slopes: dict[int, list[Any]] = {}

    def _top(self, breaks: list[Any]) -> Any:
        """Where w is large: the best of a grid, then uphill."""
        seen = [mp.mpf(k) / 2 for k in range(-60, 61)] + [b + mp.mpf(d) / 7 for b in breaks for d in (-1, 1)]
        best, step = max(seen, key=self.weight), mp.mpf(1) / 2
        while step > 1e-6:
            better = max((best - step, best, best + step), key=self.weight)
            best, step = (better, step) if better != best else (best, step / 2)
        return best

    def _march(self, start: Any, sign: int, breaks: list[Any]) -> list[tuple[Any, Any, Any]]:
        """Panels from the top outwards, wider where the last was easy, until nothing is left."""
        found, at, width, height = [], start, mp.mpf(1) / 8, self.weight(start)
        while len(found) < PANELS:
            ahead = [b for b in breaks if sign * (b - at) > 0]
            end = at + sign * width
            stop = min(ahead, key=lambda b: abs(b - at)) if ahead else None
            if stop is not None and sign * (stop - end) <= 0:
                end = stop
            whole, middle = self._rule(at, end), (at + end) / 2
            halves = self._rule(at, middle), self._rule(middle, end)
            if abs(whole - sum(halves)) > SMALL and width > mp.mpf(10) ** -12 * max(1, abs(at)):
                width /= 2
                continue
            found.append((at, end, sum(halves)))
            at, width = end, 2 * width
            if not ahead and abs(sum(halves)) < SMALL / 10 and self.weight(at) <= height * SMALL:
                return found
        return found

    def _rule(self, low: Any, high: Any, weight: Callable[[Any], Any] | None = None) -> Any:
        half, middle, weight = (high - low) / 2, (high + low) / 2, weight or self.weight
        return half * mp.fsum(c * weight(middle + half * x) for x, c in nodes(self.digits))

    # ------------------------------------------------------------------------------------------------------- what is asked

    def quantile(self, u: Any) -> Any:
        """The z with F(z) = u, for u exactly as given."""
        with mp.workdps(self.digits):
            return self.place(self._root(mp.mpf(u)))

    def cdf(self, z: Any) -> Any:
        """F(z)."""
        with mp.workdps(self.digits):
            lower, upper = (
                self._number(sp.sympify(end), {s: mp.mpf(int(v.p)) / int(v.q) for s, v in self.point.items()})
                for end in self.entry.support
            )
            return self._below(onto_line(mp.mpf(z), lower, upper))

    def gradient(self, u: Any) -> dict[str, Any]:
        """The derivative of the quantile in every parameter that is not a whole number."""
        with mp.workdps(self.digits):
            t = self._root(mp.mpf(u))
            return {
                s.name: self._moving(s, t) - self._slope(k, s, t) / self._density(t) for k, s in enumerate(self.names)
            }

    @property
    def scale(self) -> Any:
        """The range between the quartiles."""
        return self.quantile(0.75) - self.quantile(0.25)

    def _panel(self, t: Any) -> int:
        return min(max(bisect.bisect_right(self.edges, t) - 1, 0), len(self.edges) - 2)

    def _below(self, t: Any) -> Any:
        number = self._panel(t)
        return self.below[number] + self._rule(self.edges[number], t)

    @lru_cache(maxsize=64)  # noqa: B019  (a reference lives as long as one law is looked at)
    def _root(self, u: Any) -> Any:
        """Newton's method inside the panel that holds u, kept inside by bisection."""
        number = min(max(bisect.bisect_right(self.below, u) - 1, 0), len(self.edges) - 2)
        low, high = self.edges[number], self.edges[number + 1]
        t = (low + high) / 2
        for _ in range(200):
            off = self._below(t) - u
            low, high = (low, t) if off > 0 else (t, high)
            slope = self.weight(t)
            t, before = (t - off / slope if slope else low), t
            if not low < t < high:
                t = (low + high) / 2
            if abs(t - before) <= mp.mpf(10) ** -28 * max(abs(t), mp.mpf(10) ** -6):
                return t
        return t

    def _density(self, t: Any) -> Any:
        h = mp.mpf(10) ** -STEP
        return self.weight(t) / ((self.place(t + h) - self.place(t - h)) / (2 * h))

    def _moving(self, symbol: sp.Symbol, t: Any) -> Any:
        (_, ahead), (_, behind) = self.moved[symbol]
        return (ahead(t) - behind(t)) / (2 * self.step[symbol])

    def _slope(self, k: int, symbol: sp.Symbol, t: Any) -> Any:
        """The derivative of G(t) in a parameter: differences of w, summed from the left."""
        number = self._panel(t)
        if k not in self.known_slopes:
            self.known_slopes[k] = self._cumulated(symbol)
        return self.known_slopes[k][number] + self._difference(symbol, self.edges[number], t)

    def _cumulated(self, symbol: sp.Symbol) -> list[Any]:
        total = [mp.mpf(0)]
        for low, high in zip(self.edges, self.edges[1:], strict=False):
            middle = (low + high) / 2
            total.append(total[-1] + self._difference(symbol, low, middle) + self._difference(symbol, middle, high))
        return total

    def _difference(self, symbol: sp.Symbol, low: Any, high: Any) -> Any:
        (ahead, _), (behind, _) = self.moved[symbol]
        return (self._rule(low, high, ahead) - self._rule(low, high, behind)) / (2 * self.step[symbol])
