r"""Decide whether a density is positive: a sum of terms of both signs may integrate to one and be negative somewhere.

>>> z = sp.Symbol("z", positive=True)
>>> half_line = Interval(sp.S.Zero, sp.oo)
>>> [is_positive(Law(z, sp.log(3*sp.exp(-z)/2 - c*sp.exp(-2*z)), half_line)) for c in (1, 2)]
[True, False]
>>> parabola = sp.exp(-3*z) - sp.exp(-2*z) + sp.exp(-z)/4
>>> [is_positive(Law(z, sp.log(parabola + c*sp.exp(-z)/10**9), half_line)) for c in (1, -1)]
[True, False]
"""

from __future__ import annotations

import functools
import math
from typing import Any

import sympy as sp

from symaux.formulas.algebra.signs import is_always_positive
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval, point_inside
from symaux.laws.law import Law

DEGREE = 60  # of a polynomial whose roots are counted


def is_positive(law: Law) -> bool:
    """Return whether every logarithm in a log-density is of something positive almost everywhere; False says nothing."""
    assert isinstance(law.support, Interval)
    arguments: list[Any] = [e.args[0] for e in law.log_density.atoms(sp.log) if e.has(law.value)]
    return all(_is_positive(each.xreplace({law.value: point_inside(law.support)})) for each in arguments)


def _is_positive(formula: Any) -> bool:
    waves = {e: _between_ones() for e in formula.atoms(sp.sin, sp.cos) if e.args[0].is_real}
    return is_always_positive(sp.factor_terms(formula.xreplace(waves))) or _never_zero(formula)


def _between_ones() -> Formula:
    """Return a formula for any number between -1 and 1."""
    s = sp.Dummy(positive=True)
    return (s - 1) / (s + 1)


def _never_zero(formula: Any) -> bool:
    """Return whether a rational polynomial in $y = e^{-cs}$, $0 < y < 1$, is positive: its roots are counted."""
    symbols, exponentials = formula.free_symbols, list(formula.atoms(sp.exp))
    if len(symbols) != 1 or not exponentials or not all(s.is_positive for s in symbols):
        return False
    (s,), y = symbols, sp.Dummy("y")
    rates = [-e.args[0] / s for e in exponentials]
    if not all(rate.is_Rational and rate.is_positive for rate in rates):
        return False
    unit = _common(rates)
    powers: dict[Any, Any] = {e: y ** (rate / unit) for e, rate in zip(exponentials, rates, strict=True)}
    written = formula.xreplace(powers)
    if written.has(s) or not written.is_polynomial(y) or max(rates) / unit > DEGREE:
        return False
    found: Any = sp.Poly(written, y)
    if not all(c.is_Rational for c in found.coeffs()):
        return False
    inner = _without_ends(found)
    return inner.count_roots(0, 1) == 0 and bool(inner.eval(sp.S.Half) > 0)


def _common(rates: list[Any]) -> Any:
    """Return the largest number of which all are multiples."""
    below = functools.reduce(math.lcm, (int(r.q) for r in rates))
    return sp.Rational(functools.reduce(math.gcd, (int(r * below) for r in rates)), below)


def _without_ends(polynomial: Any) -> Any:
    """Return the polynomial without its roots at 0 and 1, and with its sign between them."""
    y = polynomial.gen
    for end in (y, 1 - y):
        factor = sp.Poly(end, y)
        while polynomial.rem(factor).is_zero:
            polynomial = polynomial.quo(factor)
    return polynomial
