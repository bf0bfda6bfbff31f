"""Find imaginary parts: a density or a generating function must be real everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.numeric.evaluate import FAILURES, number
from symaux.formulas.numeric.minima import negative_points
from symaux.formulas.numeric.points import Point, inside
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

UNREAL, DIGITS = mp.mpf(10) ** -10, (50, 150)
WITHIN = (
    sp.Rational(1, 1000),
    sp.Rational(1, 3),
    sp.Rational(5, 8),
    sp.Rational(999, 1000),
)  # of an interval between corners


def imaginary_part(formula: Formula, values: Any) -> str | None:
    """Return the imaginary part of a formula, relative to its size, if two precisions agree that there is one.

    >>> x = sp.Symbol("x")
    >>> imaginary_part(sp.sqrt(x), {x: mp.mpf(-4)}), imaginary_part(sp.sqrt(x), {x: mp.mpf(4)})
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


def _imaginary(formula: Formula, values: Any) -> Any:
    """Return the imaginary part of a formula, relative to its size; None where it is not a finite number."""
    try:
        found = mp.mpmathify(number(formula, values))
    except FAILURES:
        return None
    return mp.im(found) / max(1, abs(found)) if mp.isfinite(found) else None


def find_imaginary_part(
    formula: Formula, variable: Any, support: Interval, point: Point, fractions: Sequence[Any], low: bool = False
) -> tuple[Any, str] | None:
    """Return a place in the support where a formula has an imaginary part, and that part; ``low`` also tries its minima."""
    for place in _places(formula, variable, support, point, fractions, low):
        part = imaginary_part(formula, {**point, variable: place})
        if part is not None:
            return place, part
    return None


def _places(
    formula: Formula, variable: Any, support: Interval, point: Point, fractions: Sequence[Any], low: bool
) -> Iterator[Any]:
    """Yield places in the whole support, in every interval between corners however short, and where sums are lowest."""
    parts = split_at_corners((formula,), variable, support) or ()
    wheres = [(support, fractions), *((where, WITHIN) for where, _ in parts if len(parts) > 1)]
    for where, chosen in wheres:
        for fraction in chosen:
            place = inside(where, point, fraction)
            if place is not None:
                yield place
    if low:
        for where in [where for where, _ in parts] or [support]:
            yield from negative_points(formula, variable, where, point)
