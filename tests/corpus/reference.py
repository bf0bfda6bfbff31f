r"""Distribution functions, quantiles and their gradients from the density alone, to more than twenty digits.

Each smooth piece of the support is laid out on a line, $z = z(t; \theta)$, and $w(t) = p(z(t))\,z'(t)$ is integrated panel by
panel with Gauss-Legendre rules until halving a panel changes nothing at 1e-26. With $G(t; \theta) = F(z(t; \theta); \theta)$,
the quantile solves $G(t) = u$ and its gradient is $\partial_\theta z - \partial_\theta G/p$ there. Nothing here comes from
the engine.

>>> from corpus.entry import Entry, grid
>>> z, r = sp.symbols("z r", positive=True)
>>> entry = Entry("exponential", z, r * sp.exp(-r * z), (0, sp.oo), grid(r=[2]))
>>> found = Reference(entry, entry.points[0])
>>> with mp.workdps(40):
...     print(abs(found.quantile(0.5) - mp.log(2) / 2) < 1e-20, abs(found.gradient(0.5)["r"] + mp.log(2) / 4) < 1e-18)
True True
"""

from __future__ import annotations

import bisect
import itertools
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
    if isinstance(formula, sp.Tuple):  # the orders of a hypergeometric function
        return sp.Tuple(*(split(a, value, parts) for a in formula))
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


class Segment:
    """One smooth piece of the support on its own line, with its panels and what they hold."""

    def __init__(self, reference: Reference, ends: tuple[sp.Expr, sp.Expr]) -> None:
        self.reference, self.ends, self.digits = reference, ends, reference.digits
        exact = reference.exact
        self.weight, self.place = self._laid(exact)
        self.step = {s: mp.mpf(10) ** -STEP * max(1, abs(exact[s])) for s in reference.names}
        self.moved = {
            s: [self._laid(exact | {s: exact[s] + d}) for d in (h, -h)] for s, h in self.step.items()
        }  # w and z at parameters a little to either side
        top = self._top()
        left, right = self._march(top, -1), self._march(top, 1)
        panels = [(end, start, inside) for start, end, inside in reversed(left)] + right
        self.edges = [panels[0][0], *(end for _, end, _ in panels)]
        self.below = [mp.mpf(0), *itertools.accumulate(abs(inside) for *_, inside in panels)]
        self.slopes: dict[sp.Symbol, list[Any]] = {}

    def _laid(self, given: dict[sp.Symbol, Any]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """t -> w(t) and t -> z(t) at the given parameters."""
        lower, upper = (number(end, given) for end in self.ends)
        place, density = laid_out(lower, upper), self.reference.density(given)

        def weight(t: Any) -> Any:
            z, slope = place(t)
            if z in (lower, upper):
                return mp.mpf(0)  # closer to the end than the digits tell
            try:
                height = mp.re(density(z))
            except FAILURES:
                return mp.mpf(0)
            return height * slope if mp.isfinite(height) else mp.mpf(0)

        return weight, lambda t: place(t)[0]

    def _top(self) -> Any:
        """Where w is large: the best of a grid, then uphill."""
        best, step = max((mp.mpf(k) / 2 for k in range(-60, 61)), key=self.weight), mp.mpf(1) / 2
        while step > 1e-6:
            better = max((best - step, best, best + step), key=self.weight)
            best, step = (better, step) if better != best else (best, step / 2)
        return best

    def _march(self, start: Any, sign: int) -> list[tuple[Any, Any, Any]]:
        """Panels from the top outwards, wider where the last was easy, until nothing is left."""
        found, at, width, height = [], start, mp.mpf(1) / 8, self.weight(start)
        while len(found) < PANELS:
            end = at + sign * width
            middle = (at + end) / 2
            whole, halves = self.rule(at, end), self.rule(at, middle) + self.rule(middle, end)
            if abs(whole - halves) > SMALL and width > mp.mpf(10) ** -12 * max(1, abs(at)):
                width /= 2
                continue
            found.append((at, end, halves))
            at, width = end, 2 * width
            if abs(halves) < SMALL / 10 and self.weight(at) <= height * SMALL:
                return found
        return found

    def rule(self, low: Any, high: Any, weight: Callable[[Any], Any] | None = None) -> Any:
        """The integral of w over one panel."""
        half, middle, weight = (high - low) / 2, (high + low) / 2, weight or self.weight
        return half * mp.fsum(c * weight(middle + half * x) for x, c in nodes(self.digits))

    @property
    def mass(self) -> Any:
        return self.below[-1]

    def reached(self, t: Any) -> Any:
        """The mass of this piece below t."""
        panel = min(max(bisect.bisect_right(self.edges, t) - 1, 0), len(self.edges) - 2)
        return self.below[panel] + self.rule(self.edges[panel], t)

    def root(self, level: Any) -> Any:
        """The t below which this piece holds the mass ``level``: Newton's method, kept inside a panel by bisection."""
        panel = min(max(bisect.bisect_right(self.below, level) - 1, 0), len(self.edges) - 2)
        low, high = self.edges[panel], self.edges[panel + 1]
        t = (low + high) / 2
        for _ in range(200):
            off, slope = self.reached(t) - level, self.weight(t)
            low, high = (low, t) if off > 0 else (t, high)
            t, before = (t - off / slope if slope else low), t
            if not low < t < high:
                t = (low + high) / 2
            if abs(t - before) <= mp.mpf(10) ** -28 * max(abs(t), mp.mpf(10) ** -6):
                return t
        return t

    def slope(self, symbol: sp.Symbol, t: Any = None) -> Any:
        """The derivative in a parameter of the mass below t, or of all the mass: differences of w, summed."""
        if symbol not in self.slopes:
            pairs = itertools.pairwise(self.edges)
            parts = (
                self._difference(symbol, a, (a + b) / 2) + self._difference(symbol, (a + b) / 2, b) for a, b in pairs
            )
            self.slopes[symbol] = [mp.mpf(0), *itertools.accumulate(parts)]
        if t is None:
            return self.slopes[symbol][-1]
        panel = min(max(bisect.bisect_right(self.edges, t) - 1, 0), len(self.edges) - 2)
        return self.slopes[symbol][panel] + self._difference(symbol, self.edges[panel], t)

    def _difference(self, symbol: sp.Symbol, low: Any, high: Any) -> Any:
        (ahead, _), (behind, _) = self.moved[symbol]
        return (self.rule(low, high, ahead) - self.rule(low, high, behind)) / (2 * self.step[symbol])

    def moving(self, symbol: sp.Symbol, t: Any) -> Any:
        """The derivative of z(t) in a parameter."""
        (_, ahead), (_, behind) = self.moved[symbol]
        return (ahead(t) - behind(t)) / (2 * self.step[symbol])

    def density(self, t: Any) -> Any:
        """p at z(t)."""
        return mp.re(self.reference.density(self.reference.exact)(self.place(t)))


def number(formula: sp.Expr, given: dict[sp.Symbol, Any]) -> Any:
    """A bound as a number."""
    if formula in (sp.oo, -sp.oo):
        return mp.inf if formula == sp.oo else -mp.inf
    own = {s: sp.Symbol(f"parameter_{k}_") for k, s in enumerate(given)}
    return mp.mpmathify(sp.lambdify(list(own.values()), formula.xreplace(own), "mpmath")(*given.values()))


class Reference:
    """One law at one point: quantiles with their gradients in every parameter that is not an integer."""

    def __init__(self, entry: Entry, point: Point) -> None:
        self.entry, self.names = entry, [s for s in entry.parameters if not s.is_integer]
        self.roots: dict[Any, tuple[int, Any]] = {}
        for self.digits in (DIGITS, 4 * DIGITS):
            with mp.workdps(self.digits):
                self.exact = {s: mp.mpf(int(v.p)) / int(v.q) for s, v in entry.at(point).items()}
                self.segments = [Segment(self, ends) for ends in self._pieces()]
                self.mass = mp.fsum(s.mass for s in self.segments)
                if abs(self.mass - 1) < mp.mpf(10) ** -20:
                    return
        raise NoReference(f"{entry.name} at {dict(point)}: the density integrates to {mp.nstr(self.mass, 12)}")

    def _pieces(self) -> list[tuple[sp.Expr, sp.Expr]]:
        lower, upper = map(sp.sympify, self.entry.support)
        low, high = number(lower, self.exact), number(upper, self.exact)
        inner = sorted((number(b, self.exact), b) for b in self.entry.breaks)
        return list(itertools.pairwise([lower, *(b for at, b in inner if low < at < high), upper]))

    def density(self, given: dict[sp.Symbol, Any]) -> Callable[[Any], Any]:
        """z -> p(z) at the given parameters."""
        own = self.entry.numeric
        if own is not None:
            named = {s.name: v for s, v in given.items()}
            return lambda z: own(z, **named)
        return compiled(self.entry.density, self.entry.value, self.entry.parameters)(*given.values())

    def _root(self, u: Any) -> tuple[int, Any]:
        """The piece and the place on its line at which the mass below is u."""
        if u not in self.roots:
            left = mp.mpf(u)
            for piece, segment in enumerate(self.segments):
                if left < segment.mass or segment is self.segments[-1]:
                    self.roots[u] = piece, segment.root(left)
                    break
                left -= segment.mass
        return self.roots[u]

    def quantile(self, u: float) -> Any:
        """The z with F(z) = u, for u exactly as given."""
        with mp.workdps(self.digits):
            piece, t = self._root(u)
            return self.segments[piece].place(t)

    def gradient(self, u: float) -> dict[str, Any]:
        """The derivative of the quantile in every parameter that is not an integer."""
        with mp.workdps(self.digits):
            piece, t = self._root(u)
            here, before = self.segments[piece], self.segments[:piece]
            return {
                s.name: here.moving(s, t) - (sum(b.slope(s) for b in before) + here.slope(s, t)) / here.density(t)
                for s in self.names
            }

    @property
    def scale(self) -> Any:
        """The range between the quartiles."""
        return self.quantile(0.75) - self.quantile(0.25)
