r"""Find the limits of the other noise: $\{t : z \in (L(t), U(t))\}$ as an interval with ends in z, for every z of the support.

Given t, z runs through $(L(t), U(t))$; both ends are followed exactly, so for $z = \varepsilon_1 - t$ with both
positive, t runs from 0 for z > 0 and from -z for z < 0.

>>> z, t = sp.Symbol("z", real=True), sp.Symbol("t", positive=True)
>>> for where, limits in slices(Interval(-t, sp.oo), t, Interval(sp.S(0), sp.oo), z, Interval(-sp.oo, sp.oo)):
...     print(where, limits)
(-oo, 0) (-z, oo)
(0, oo) (0, oo)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise

import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain, peel_maps
from symaux.formulas.algebra.regroup import SLOT
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.proof.scalar.monotone import are_equal_ends

Slice = tuple[Interval, Interval]  # values of z, and the t that can lead there


class Unknown(Exception):
    """Raised where the limits of integration cannot be determined."""


@dataclass(frozen=True)
class Edge:
    """An end of the image: between its least and its greatest value it cuts off some t, beyond them none or all."""

    least: Formula
    greatest: Formula
    cut: Callable[[Formula], Interval]


def slices(
    image: Interval, t: sp.Symbol, where: Interval, z: sp.Symbol, support: Interval, corners: Iterable[Formula] = ()
) -> list[Slice] | str:
    """Return the support between its corners, with the limits of t there; or the reason why they are not known."""
    try:
        lower, upper = _edge(image.lower, t, where, 1), _edge(image.upper, t, where, -1)
        if not are_equal_ends(lower.least, support.lower) or not are_equal_ends(upper.greatest, support.upper):
            return f"z runs through ({lower.least}, {upper.greatest}), the law lives on {support}"
        ends = _ordered([lower.greatest, upper.least, *corners], support)
        return [(each, _limits(each, lower, upper, where, z)) for each in (Interval(a, b) for a, b in pairwise(ends))]
    except Unknown as reason:
        return f"the limits of integration are not known: {reason}"


def _edge(bound: Formula, t: sp.Symbol, where: Interval, side: int) -> Edge:
    """Return the lower end of the image (side 1) or the upper one (side -1) as t runs through its support."""
    if not bound.has(t):
        return Edge(bound, bound, lambda z: where)
    chain = MonotoneChain.of(bound, t, where)
    if chain is None:
        return _folded(bound, t, where, side)
    image = chain.image

    def cut(z: Formula) -> Interval:
        crossing = chain.inverse(z)
        return Interval(where.lower, crossing) if chain.direction == side else Interval(crossing, where.upper)

    return Edge(image.lower, image.upper, cut)


def _folded(bound: Formula, t: sp.Symbol, where: Interval, side: int) -> Edge:
    """Return an end that is an increasing function of a modulus or an even power of a line."""
    maps = peel_maps(bound, t) or []
    inner: list[Formula] = []
    while maps and not _even(maps[0]):
        inner.append(maps.pop(0))
    start = MonotoneChain.through(inner, where)
    outer = MonotoneChain.through(maps, Interval(sp.S.Zero, sp.oo)) if maps else None
    if start is None or outer is None or start.image != REALS or outer.direction != side:
        raise Unknown(f"{bound} is not monotone")

    def cut(z: Formula) -> Interval:
        radius = outer.inverse(z)
        ends = [start.inverse(-radius), start.inverse(radius)]
        return Interval(*(ends if start.direction == 1 else reversed(ends)))

    return Edge(outer.image.lower, outer.image.upper, cut)


def _even(outer: Formula) -> bool:
    return outer == sp.Abs(SLOT) or (isinstance(outer, sp.Pow) and outer.base == SLOT and bool(outer.exp.is_even))


def _limits(between: Interval, lower: Edge, upper: Edge, where: Interval, z: sp.Symbol) -> Interval:
    """Return the values of t that both ends of the image admit, for z in an interval without corners."""
    found = where
    if not _at_least(between.lower, lower.greatest):
        found = _common(found, lower.cut(z), between, z)
    if not _at_least(upper.least, between.upper):
        found = _common(found, upper.cut(z), between, z)
    return found


def _at_least(a: Formula, b: Formula) -> bool:
    return are_equal_ends(a, b) or _compare(a, b) == 1


def _common(one: Interval, other: Interval, between: Interval, z: sp.Symbol) -> Interval:
    lower = _larger(one.lower, other.lower, between, z)
    upper = -_larger(-one.upper, -other.upper, between, z)
    return Interval(lower, upper)


def _larger(a: Formula, b: Formula, between: Interval, z: sp.Symbol) -> Formula:
    from symaux.formulas.symbols.support import point_inside

    if a == b or b == -sp.oo or a == sp.oo:
        return a
    if a == -sp.oo or b == sp.oo:
        return b
    sign = sign_of(sp.simplify((a - b).xreplace({z: point_inside(between)})))
    if sign is None:
        raise Unknown(f"{a} and {b} cannot be compared")
    return a if sign == 1 else b


def _ordered(corners: list[Formula], support: Interval) -> list[Formula]:
    """Return the ends of the support and the corners strictly inside it, in order."""
    within: list[Formula] = []
    for corner in corners:
        known = [support.lower, support.upper, *within]
        if corner.is_infinite or any(are_equal_ends(corner, other) for other in known):
            continue
        if _compare(corner, support.lower) == 1 and _compare(corner, support.upper) == -1:
            within.append(corner)
    return [support.lower, *sorted(within, key=cmp_to_key(_compare)), support.upper]


def _compare(a: Formula, b: Formula) -> int:
    if a in (sp.oo, -sp.oo) or b in (sp.oo, -sp.oo):
        return 1 if a == sp.oo or b == -sp.oo else -1
    sign = sign_of(sp.simplify(a - b))
    if sign is None:
        raise Unknown(f"{a} and {b} cannot be put in order")
    return sign
