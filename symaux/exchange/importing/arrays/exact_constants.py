"""Convert floating-point numbers to exact ones: 0.1 is one tenth, and 0.9189385332046727 half the logarithm of 2π.

A number with all the digits of its precision is replaced by a simple formula that rounds to it, if there is one: a
density with 2.5066282746310002 in it integrates to one only nearly, and nothing could be proved about it.

>>> as_exact(np.float32(0.1)), as_exact(np.int64(3)), as_exact(0.9189385332046727), as_exact(1/3), as_exact(0.123456789012345)
(1/10, 3, log(2*pi)/2, 1/3, 24691357802469/200000000000000)
"""

from __future__ import annotations

from functools import cache
from math import gcd
from typing import Any

import numpy as np
import sympy as sp

from symaux.exchange.importing.arrays.errors import Untranslatable

LARGEST = 12  # numerator and denominator of the rational factor of a known constant
DIGITS = {np.dtype(np.float32): 7, np.dtype(np.float64): 15}  # a number with fewer was written by a person


def as_exact(given: Any) -> sp.Expr:
    """Return a number as a known constant, or as the shortest decimal that gives it in its own precision."""
    kind = np.asarray(given).dtype
    if kind.kind in "iub":
        return sp.Integer(int(given))
    if np.isnan(given):
        raise Untranslatable("a constant is NaN")
    if np.isinf(given):
        return sp.oo if given > 0 else -sp.oo
    text = str(kind.type(given))
    return _recognised(float(given), kind) if _digits(text) >= DIGITS.get(kind, 99) else sp.Rational(text)


def _digits(text: str) -> int:
    return len(text.lower().split("e")[0].replace(".", "").lstrip("-0"))


def _recognised(given: float, kind: np.dtype) -> sp.Expr:
    values, formulas = _known()
    close = np.abs(values - abs(given)) <= 2 * float(np.finfo(kind).eps) * abs(given)
    found = int(np.argmax(close))
    written = sp.Rational(str(kind.type(given)))
    return (formulas[found] if given > 0 else -formulas[found]) if close[found] else written


@cache
def _known() -> tuple[Any, list[sp.Expr]]:
    """Return the positive constants that are looked for, the simple ones first."""
    pi, two = sp.pi, sp.sqrt(2)
    bases = [sp.S.One, pi, 1 / pi, sp.sqrt(pi), 1 / sp.sqrt(pi), two, sp.sqrt(2 * pi), 1 / sp.sqrt(2 * pi)]
    bases += [sp.sqrt(2 / pi), sp.log(2), sp.log(pi), sp.log(2 * pi), sp.log(pi / 2), sp.log(3), sp.log(10)]
    bases += [sp.sqrt(3), sp.EulerGamma, sp.E, sp.exp(-1)]
    ratios: list[Any] = [
        sp.Rational(p, q) for p in range(1, LARGEST + 1) for q in range(1, LARGEST + 1) if gcd(p, q) == 1
    ]
    ratios.sort(key=lambda r: r.p + r.q)
    formulas = [base * ratio for ratio in ratios for base in bases]
    return np.array([float(f) for f in formulas]), formulas


__all__ = ["as_exact"]
