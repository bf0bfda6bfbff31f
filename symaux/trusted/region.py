r"""Find points of a region of parameters by solving its conditions: ordinary ones, near every boundary, and far out.

A condition such as $a > 1000$ is not met by chance. A point that violates it is moved across its boundary in one symbol
at a time. Where parameters alone choose between the branches of a formula, points on every side of the choice are found.

>>> a, q = sp.symbols("a q", positive=True)
>>> found = region_points([a, q], [a > 1000, q < sp.Rational(1, 100)])
>>> len(found.points) >= 5 and all(p[a] > 1000 and p[q] < 0.01 for p in found.points)
True
>>> region_points([a], [a > 2, a < 1]).points
()
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.algebra.piecewise import CORNERS
from symaux.formulas.numeric.points import Point, evaluate, holds
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.parameter_points import designed_points

LEAST = 5  # points that a claim is examined at, unless its region has fewer
ORDINARY, NEAR, FAR = 4, 3, 2  # how many of each kind are offered
MOVES, SEEDS = 24, 40  # moves of one point across boundaries; points that are tried
OFFSETS = tuple(sp.Rational(*pair) for pair in ((1, 2), (1, 1000), (7, 1), (1, 20), (1000, 1), (1, 2 * 10**7)))
GRID = [sp.Rational(sign * 10**k, 1) if k >= 0 else sp.Rational(sign, 10**-k) for k in range(-6, 7) for sign in (1, -1)]
MOST_SWITCHES = 4
WHOLE = 12  # a region of whole numbers with at most this many points is examined completely
MOST_BITS = (
    2_000  # of a number that sympy computes exactly: it factors the base of a root, with a million digits without end
)


@dataclass(frozen=True)
class Region:
    """Points of a region, in the order in which they are examined, and how many of them must be confirmed.

    ``sides`` are sets of points between which parameters alone choose branches: each needs a confirmed point.
    """

    points: tuple[Point, ...]
    least: int
    sides: tuple[tuple[int, ...], ...] = ()


def region_points(symbols: Iterable[Any], conditions: Sequence[Any] = (), formulas: Sequence[Any] = ()) -> Region:
    """Return points that meet the assumptions of the symbols and all conditions; none if none were found."""
    listed = sorted({*symbols, *(s for c in conditions for s in c.free_symbols)}, key=lambda s: (str(s), s.sort_key()))
    if not listed:
        return Region(({},), 1)
    finder = _Finder(listed, tuple(conditions), tuple(switches(formulas, listed)), tuple(formulas))
    found = finder.all()
    count = finder.number_of_points()
    return Region(tuple(found), LEAST if count is None else min(LEAST, count), finder.sides(found))


def switches(formulas: Sequence[Any], symbols: Sequence[Any]) -> list[Formula]:
    """Return formulas of the parameters alone whose sign chooses between branches.

    >>> a, z = sp.symbols("a z", real=True)
    >>> switches([sp.Piecewise((z, a > 3), (2*z, True)) + sp.Abs(a + 1)*z], [a])
    [a + 1, a - 3]
    """
    parts: set[Any] = set()
    for formula in formulas:
        parts |= {r.lhs - r.rhs for p in formula.atoms(sp.Piecewise) for _, c in p.args for r in _relations(c)}
        parts |= {_decides(e) for e in formula.atoms(*CORNERS)}
    free = [p for p in parts if p.free_symbols and p.free_symbols <= set(symbols) and p.is_zero is None]
    unknown = [p for p in free if not (p.is_positive or p.is_negative)]
    return sorted(unknown, key=lambda p: (sp.count_ops(p), str(p)))[:MOST_SWITCHES]


def _relations(condition: Any) -> set[Any]:
    return condition.atoms(Relational) if isinstance(condition, sp.Basic) else set()


def _decides(corner: Any) -> Formula:
    first, *others = corner.args
    return first - others[0] if isinstance(corner, sp.Max | sp.Min) else first


@dataclass
class _Finder:
    """A search for points, fixed by its seed."""

    symbols: list[Any]
    conditions: tuple[Any, ...]
    switches: tuple[Formula, ...]
    formulas: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        self.rng = random.Random(97)

    def all(self) -> list[Point]:
        """Return ordinary points, points near every boundary, points on every side of every switch, and far ones."""
        found: dict[Any, Point] = {}

        def keep(points: Iterator[Point], count: int) -> None:
            light = (p for p in points if not any(has_long_numbers(f, p) for f in self.formulas))
            for point in itertools.islice(light, count):
                found.setdefault(tuple(point[s] for s in self.symbols), point)

        keep(self._moved(designed_points(self.symbols), self.conditions), ORDINARY)
        if not found:
            return []
        for sign, part in itertools.product((1, -1), self.switches):
            keep(self._moved(designed_points(self.symbols), (*self.conditions, sign * part > 0)), 2)
        for edge in self._edges():
            keep(self._near(edge), 1)
        keep(self._far(), FAR)
        keep(self._moved(designed_points(self.symbols), self.conditions), LEAST + 3)
        return list(found.values())

    def number_of_points(self) -> int | None:
        """Return how many points the region has, where all parameters are whole numbers within bounds; else None."""
        if not all(s.is_integer for s in self.symbols):
            return None
        ranges = [[n for n in range(-WHOLE, WHOLE + 1) if _may_be(s, sp.Integer(n))] for s in self.symbols]
        if len(self.symbols) > 2 or not all(self._is_bounded(s) for s in self.symbols):
            return None
        tried = (dict(zip(self.symbols, map(sp.Integer, p), strict=True)) for p in itertools.product(*ranges))
        return sum(self._meets(point, self.conditions) for point in tried) or None

    def _is_bounded(self, symbol: Any) -> bool:
        """Return whether the conditions state that a whole number lies between two numbers of moderate size."""
        ends = [WHOLE + 1, -WHOLE - 1]
        alone = [c for c in self.conditions if c.free_symbols == {symbol}]
        return all(
            not _may_be(symbol, sp.Integer(end))
            or any(c.xreplace({symbol: sp.Integer(end)}) == sp.false for c in alone)
            for end in ends
        )

    def sides(self, found: list[Point]) -> tuple[tuple[int, ...], ...]:
        """Return the numbers of the points on each side of each switch."""
        groups = []
        for part in self.switches:
            for sign in (1, -1):
                groups.append(tuple(k for k, p in enumerate(found) if holds(sign * part > 0, p)))
        return tuple(group for group in groups if group)

    def _edges(self) -> list[Any]:
        return [r for c in self.conditions for r in sorted(_relations(c), key=str)][:NEAR]

    def _near(self, edge: Any) -> Iterator[Point]:
        """Yield points of the region close to the boundary of one condition."""
        for start in self._moved(designed_points(self.symbols), self.conditions):
            for symbol in sorted(edge.free_symbols, key=str):
                for root in self._roots(edge.lhs - edge.rhs, symbol, start):
                    for off in (sp.Rational(1, 1000), sp.Rational(-1, 1000), sp.Rational(1, 20), sp.Rational(-1, 20)):
                        point = start | {symbol: _whole(symbol, root + off * (1 + abs(root)))}
                        if self._meets(point, self.conditions):
                            yield point

    def _far(self) -> Iterator[Point]:
        for symbol in self.symbols:
            for start in self._moved(designed_points(self.symbols), self.conditions):
                for size in (1000, 100, sp.Rational(1, 100)):
                    point = start | {symbol: _whole(symbol, start[symbol] * size)}
                    if start[symbol] != 0 and self._meets(point, self.conditions):
                        yield point
                        break
                break

    def _meets(self, point: Point, conditions: Sequence[Any]) -> bool:
        return all(_may_be(s, v) for s, v in point.items()) and all(holds(c, point) for c in conditions)

    def _moved(self, starts: Iterable[Point], conditions: Sequence[Any]) -> Iterator[Point]:
        """Yield the points, each moved across the boundaries of the conditions that it violates."""
        for start in itertools.islice(itertools.cycle(list(starts)), SEEDS):
            point = dict(start)
            for _ in range(MOVES):
                violated = [c for c in conditions if not holds(c, point)]
                if not violated:
                    break
                point = self._move(point, self.rng.choice(violated))
            if self._meets(point, conditions):
                yield point

    def _move(self, point: Point, condition: Any) -> Point:
        relations = sorted(_relations(condition), key=str)
        if not relations:
            return point
        relation = self.rng.choice(relations)
        symbol = self.rng.choice(sorted(relation.free_symbols, key=str))
        roots = self._roots(relation.lhs - relation.rhs, symbol, point)
        if not roots:
            return point | {symbol: _fit(symbol, self.rng.choice(GRID))}
        root, off = self.rng.choice(roots), self.rng.choice(OFFSETS) * self.rng.choice((1, -1))
        off = sp.S.Zero if relation.rel_op == "==" else off
        return point | {symbol: _fit(symbol, root + off * (1 if self.rng.random() < 0.5 else 1 + abs(root)))}

    def _roots(self, formula: Any, symbol: Any, point: Point) -> list[Any]:
        """Return rational numbers near which a formula changes its sign in one symbol, the others as at the point."""
        others = {s: v for s, v in point.items() if s != symbol}
        reduced = formula.xreplace(others)
        if reduced.is_polynomial(symbol) and sp.degree(reduced, symbol) == 1:
            slope, rest = reduced.coeff(symbol, 1), reduced.coeff(symbol, 0)
            root = sp.nsimplify(-rest / slope, rational=True)
            return [root] if root.is_Rational else []
        return [*self._bracketed(reduced, symbol)]

    def _bracketed(self, formula: Any, symbol: Any) -> Iterator[Any]:
        """Yield the middles of short intervals at whose ends a formula has opposite signs."""
        grid = sorted({_fit(symbol, g) for g in GRID} | ({sp.S.Zero} if symbol.is_positive is None else set()))
        signs = [(g, _sign(formula, {symbol: g})) for g in grid]
        for (low, a), (high, b) in itertools.pairwise([pair for pair in signs if pair[1]]):
            if a != b:
                for _ in range(30):
                    half = (low + high) / 2
                    low, high = (half, high) if _sign(formula, {symbol: half}) == a else (low, half)
                middle: Any = (low + high) / 2
                yield middle.limit_denominator(10**6)


def has_long_numbers(formula: Any, point: Point) -> bool:
    """Return whether a part of a formula is a rational number of very many digits at a point.

    >>> a, w = sp.symbols("a w", positive=True)
    >>> at = {a: sp.Integer(10**6), w: sp.Integer(3)}
    >>> has_long_numbers((w**a - 1)**(1/a), at), has_long_numbers(sp.exp(-a*w), at)
    (True, False)
    """
    known: dict[Any, float] = {}

    def bits(part: Any) -> float:
        if part not in known:
            known[part] = estimate(part)
        return known[part]

    def estimate(part: Any) -> float:
        inner = [bits(arg) for arg in part.args]
        match part:
            case sp.Rational():
                return int(part.p).bit_length() + int(part.q).bit_length()
            case sp.Symbol():
                return bits(point[part]) if part in point else 0.0
            case sp.Add() | sp.Mul():
                return sum(inner)
            case sp.Pow() if inner[0]:
                exponent: Any = part.exp.xreplace(point) if inner[1] <= MOST_BITS else sp.S.Zero
                # sympy may factor b**p to simplify b**(p/q), and p/q = 100001/100000 is a small number
                return inner[0] * max(1, abs(int(exponent.p))) if exponent.is_Rational else 0.0
        return 0.0

    bits(formula)
    return max(known.values()) > MOST_BITS


def _sign(formula: Any, point: Point) -> int | None:
    seen = evaluate(formula, point)
    if seen is None or abs(complex(seen).imag) > 0:
        return None
    return int(seen.real > 0) - int(seen.real < 0)


def _may_be(symbol: Any, value: Any) -> bool:
    """Return whether a number has the assumptions of a symbol."""
    known = {
        name: fact
        for name, fact in symbol.assumptions0.items()
        if name not in ("commutative", "irrational", "rational")
    }
    return all(getattr(value, f"is_{name}", None) is not (not fact) for name, fact in known.items())


def _whole(symbol: Any, value: Any) -> Any:
    return sp.Integer(sp.floor(value)) if symbol.is_integer else value


def _fit(symbol: Any, value: Any) -> Any:
    """Return a number of about this size with the sign, and the wholeness, of a symbol."""
    value = _whole(symbol, value)
    if symbol.is_nonnegative:
        return max(abs(value), sp.S.One) if symbol.is_integer and symbol.is_positive else abs(value)
    return -abs(value) if symbol.is_nonpositive else value
