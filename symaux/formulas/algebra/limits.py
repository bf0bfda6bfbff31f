r"""Simplify limits in parameters by proof: $2/((1 + t)(\sqrt{(1 - t)^2/(1 + t)^2} + 1)) = 1$ for |t| < 1.

Values at a few points only suggest which identity to prove.

>>> t, w = sp.Symbol("t", real=True), sp.Symbol("w", positive=True)
>>> bounds = lambda f: f.xreplace({t: (w - 1)/(w + 1)})
>>> at = [{t: sp.Rational(1, 3)}, {t: sp.Rational(-1, 7)}]
>>> simplify_limit(2/((1 + t)*(sp.sqrt((t**2 - 2*t + 1)/(1 + t)**2) + 1)), at, bounds)
1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symaux.formulas.algebra.factor import factor_formula
from symaux.formulas.algebra.monotone_map import shortest_form
from symaux.formulas.numeric.points import Point, evaluate
from symaux.sandbox import run_bounded, value_or

Charted = Callable[[Any], Any]
SECONDS, LONG = 2.0, 150  # time, and operations of a formula, for one proof
DIGITS, ZERO_TOLERANCE = 40, 1e-25  # of the values at points
NUMBERS = (0, 1, -1, 2, -2, sp.S.Half, -sp.S.Half, sp.pi / 2, -sp.pi / 2, sp.pi, -sp.pi)


def simplify_limit(limit: Any, at: list[Point], charted: Charted) -> Any:
    """Return the number that a limit equals for all parameters, if proved; else the limit without roots of squares.

    ``charted`` substitutes unconstrained symbols for the parameters, so that sympy sees their signs.
    """
    if limit.is_Atom:
        return limit
    rooted = without_roots_of_squares(limit, charted)
    values = [evaluate(rooted, point, DIGITS) for point in at or [{}]]
    if None in values or max(abs(x - values[0]) for x in values) > ZERO_TOLERANCE:
        return rooted
    for number in map(sp.sympify, NUMBERS):
        if abs(values[0] - evaluate(number, {}, DIGITS)) < ZERO_TOLERANCE:
            return number if is_provably_zero(charted(rooted) - number) else rooted
    return rooted


def sign_at_points(formula: Any, at: list[Point]) -> int | None:
    """Return the sign that a formula has at all the given points; None if they differ or it is zero."""
    if formula.is_positive or formula.is_negative:
        return 1 if formula.is_positive else -1
    seen = [evaluate(formula, point, DIGITS) for point in at or [{}]]
    if any(x is None or x.imag for x in seen):
        return None
    signs = {(x.real > ZERO_TOLERANCE) - (x.real < -ZERO_TOLERANCE) for x in seen}
    return (signs.pop() or None) if len(signs) == 1 else None


def has_cancellation(total: Any, parts: list[Any], at: list[Point]) -> bool:
    """Return whether a sum is less than half of one of its terms at any of the points."""
    for point in at or [{}]:
        left, *others = (evaluate(f, point, DIGITS) for f in (total, *parts))
        if None not in (left, *others) and 2 * abs(left) < max(map(abs, others)):
            return True
    return False


def is_provably_zero(formula: Any) -> bool:
    """Return whether a formula can be proved to be zero within the limits of time and length."""
    return sp.count_ops(formula) < LONG and bool(value_or(run_bounded(_zero, formula, seconds=SECONDS), False))


def _zero(formula: Any) -> bool:
    return formula == 0 or shortest_form(formula) == 0 or sp.simplify(formula) == 0


def without_roots_of_squares(formula: Any, charted: Charted) -> Any:
    r"""Rewrite $\sqrt{f^2} = |f|$, and $|f| = \pm f$ where the sign of f is known.

    >>> x = sp.Symbol("x", positive=True)
    >>> without_roots_of_squares(sp.sqrt(x**2 + 2*x + 1) + x, lambda f: f)
    2*x + 1
    """
    return formula.replace(_is_root, lambda root: _without_root(root, charted))


def _is_root(e: Any) -> bool:
    return e.is_Pow and abs(e.exp) == sp.S.Half and (e.base.is_Add or e.base.is_Mul) and e.base.is_rational_function()


def _without_root(root: Any, charted: Charted) -> Any:
    number, factors = sp.factor_list(sp.numer(sp.together(root.base)))
    below, others = sp.factor_list(sp.denom(sp.together(root.base)))
    every = [*factors, *((f, -k) for f, k in others)]
    if any(k % 2 for _, k in every) or not (number / below).is_positive:
        return root
    half = sp.sqrt(number / below) * sp.Mul(*(_absolute_value(f, charted) ** (k // 2) for f, k in every))
    return half if root.exp == sp.S.Half else 1 / half


def _absolute_value(factor: Any, charted: Charted) -> Any:
    seen = factor_formula(charted(factor))
    return factor if seen.is_positive else -factor if seen.is_negative else sp.Abs(factor)
