r"""Whether a density integrates to one.

An antiderivative whose derivative is shown to be the density, with its limits at both ends; the integral that sympy gives
must agree with numerical quadrature before it counts.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.bounded import bounded, value_of
from symaux.laws import Law
from symaux.pieces import pieces
from symaux.points import Point, evaluate, points
from symaux.support import Interval


@dataclass(frozen=True)
class Mass:
    """The integral of a density: proved to be one, or a number that was seen."""

    proved: bool
    seen: str = ""
    wrong: bool = False


@functools.lru_cache(maxsize=512)
def mass(law: Law) -> Mass:
    """What the density of a law in plain symbols integrates to."""
    parts = pieces((law.log_density,), law.value, law.support) if isinstance(law.support, Interval) else None
    total = None if parts is None else _exactly(law.value, parts)
    if total is not None and sp.simplify(total - 1) == 0:
        return Mass(True, "1")
    numbers = [number for point in points(_parameters(law), count=2, seed=3) if (number := _quadrature(law, point))]
    far = [number for number in numbers if abs(number - 1) > mp.mpf(10) ** -7]
    if far:
        return Mass(False, mp.nstr(far[0], 12), wrong=True)
    return Mass(False, mp.nstr(numbers[0], 12) if numbers else "no number")


def _parameters(law: Law) -> list[sp.Symbol]:
    return sorted({s for formula in law.formulas for s in formula.free_symbols} - {law.value}, key=str)


def _exactly(variable: sp.Expr, parts: list[Any]) -> sp.Expr | None:
    total = sp.S.Zero
    for where, (log_density,) in parts:
        part = _integral(sp.exp(log_density), variable, where)
        if part is None:
            return None
        total += part
    return total


def _integral(density: sp.Expr, variable: sp.Expr, where: Interval) -> sp.Expr | None:
    if not density.has(variable):
        length = where.upper - where.lower
        return density * length if length.is_finite else None
    x = sp.Symbol("x", positive=True) if where.lower.is_nonnegative else sp.Symbol("x", real=True)
    return value_of(bounded(definite, sp.expand_log(density.xreplace({variable: x})), x, where.lower, where.upper))


def definite(density: sp.Expr, x: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> sp.Expr:
    """The definite integral of a density: through an antiderivative that was checked, else by sympy."""
    density = sp.powsimp(sp.simplify(density))
    found = sp.integrate(density, x)
    if not found.has(sp.Integral) and sp.simplify(found.diff(x) - density) == 0:
        ends = sp.limit(found, x, upper, "-") - sp.limit(found, x, lower, "+")
        if not ends.has(sp.Limit, sp.nan, sp.zoo, sp.oo):
            return sp.simplify(ends)
    total = sp.integrate(density, (x, lower, upper), conds="none")
    if total.has(sp.Integral):
        raise ValueError("no integral")
    return sp.simplify(total)


def _quadrature(law: Law, point: Point) -> Any:
    """A numerical integral at 30 digits, split where the density has corners."""
    if not isinstance(law.support, Interval):
        return None
    ends = [_end(b, point) for b in (law.support.lower, law.support.upper)]
    if None in ends:
        return None
    density = sp.lambdify(law.value, sp.exp(law.log_density).xreplace(point), "mpmath")
    with mp.workdps(30):
        try:
            inner = [mp.mpf(n) for n in (-8, -1, 0, 1, 8) if ends[0] < n < ends[1]]
            return mp.re(mp.quad(density, [ends[0], *inner, ends[1]]))
        except (ValueError, ZeroDivisionError, TypeError, NameError, mp.libmp.NoConvergence):
            return None


def _end(bound: sp.Expr, point: Point) -> Any:
    if bound in (sp.oo, -sp.oo):
        return mp.inf if bound == sp.oo else -mp.inf
    return evaluate(bound, point, 30)
