"""Imaginary parts: a density or a generating function that is no real number somewhere is no law's."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.numbers.numeric import FAILURES, number

UNREAL, DIGITS = mp.mpf(10) ** -10, (50, 150)


def imaginary(formula: sp.Expr, values: Any) -> str | None:
    """The imaginary part of a formula, relative to its size, if two precisions agree that there is one.

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
    """The imaginary part of a formula, relative to its size; None where it is no finite number."""
    try:
        found = mp.mpmathify(number(formula, values))
    except FAILURES:
        return None
    return mp.im(found) / max(1, abs(found)) if mp.isfinite(found) else None
