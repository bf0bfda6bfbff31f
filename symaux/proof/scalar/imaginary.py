"""Imaginary parts: a density or a generating function that is no real number somewhere is no law's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.numeric.evaluate import FAILURES, number
from symaux.formulas.numeric.minima import dips
from symaux.formulas.numeric.points import Point, inside
from symaux.formulas.symbols.support import Interval

UNREAL, DIGITS = mp.mpf(10) ** -10, (50, 150)
WITHIN = (
    sp.Rational(1, 1000),
    sp.Rational(1, 3),
    sp.Rational(5, 8),
    sp.Rational(999, 1000),
)  # of an interval between corners


def imaginary(formula: sp.Expr, values: Any) -> str | None:
    """Return the imaginary part of a formula, relative to its size, if two precisions agree that there is one.

    >>> x = sp.Symbol("x")
    >>> imaginary(sp.sqrt(x), {x: mp.mpf(-4)}), imaginary(sp.sqrt(x), {x: mp.mpf(4)})
    ('1.0', None)
    """
    parts = []
    for digits in DIGITS:
        with mp.workdps(digits):
            parts.append(_imaginary(formula, values))
        if not parts[-1]:
            return None
    sure = abs(parts[0]) > UNREAL and abs(parts[0] - parts[1]) < UNREAL * abs(parts[0])
    return mp.nstr(parts[1], 8) if sure else None


def _imaginary(formula: sp.Expr, values: Any) -> Any:
    """Return the imaginary part of a formula, relative to its size; None where it is no finite number."""
    try:
        found = mp.mpmathify(number(formula, values))
    except FAILURES:
        return None
    return mp.im(found) / max(1, abs(found)) if mp.isfinite(found) else None


def where_unreal(
    formula: sp.Expr, variable: Any, support: Interval, point: Point, fractions: Sequence[Any], low: bool = False
) -> tuple[Any, str] | None:
    """Return a place of the support at which a formula has an imaginary part, and which; ``low`` also looks where it
    dips."""
    for place in _places(formula, variable, support, point, fractions, low):
        part = imaginary(formula, {**point, variable: place})
        if part is not None:
            return place, part
    return None


def _places(
    formula: sp.Expr, variable: Any, support: Interval, point: Point, fractions: Sequence[Any], low: bool
) -> Iterator[Any]:
    """Some of the whole support, some of every interval between corners however short, and where sums are lowest."""
    parts = pieces((formula,), variable, support) or ()
    wheres = [(support, fractions), *((where, WITHIN) for where, _ in parts if len(parts) > 1)]
    for where, chosen in wheres:
        for fraction in chosen:
            place = inside(where, point, fraction)
            if place is not None:
                yield place
    if low:
        for where in [where for where, _ in parts] or [support]:
            yield from dips(formula, variable, where, point)
