r"""Limits in parameters as short as they can be proved to be: $2/((1 + t)(\sqrt{(1 - t)^2/(1 + t)^2} + 1)) = 1$ for |t| < 1.

Values at a few points only tell what is worth proving.

>>> t, w = sp.Symbol("t", real=True), sp.Symbol("w", positive=True)
>>> bounds = lambda f: f.xreplace({t: (w - 1)/(w + 1)})
>>> at = [{t: sp.Rational(1, 3)}, {t: sp.Rational(-1, 7)}]
>>> settled(2/((1 + t)*(sp.sqrt((t**2 - 2*t + 1)/(1 + t)**2) + 1)), at, bounds)
1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symaux.formulas.algebra.factor import factored
from symaux.formulas.algebra.monotone_map import short
from symaux.formulas.numeric.points import Point, evaluate
from symaux.sandbox import bounded, value_of

Charted = Callable[[Any], Any]
SECONDS, LONG, DIGITS, NOTHING = 2.0, 150, 40, 1e-25
NUMBERS = (0, 1, -1, 2, -2, sp.S.Half, -sp.S.Half, sp.pi / 2, -sp.pi / 2, sp.pi, -sp.pi)


def settled(limit: Any, at: list[Point], charted: Charted) -> Any:
    """Return a number that a limit is for all parameters, or the limit with roots of squares taken."""
    if limit.is_Atom:
        return limit
    rooted = without_squares(limit, charted)
    values = [evaluate(rooted, point, DIGITS) for point in at or [{}]]
    if None in values or max(abs(x - values[0]) for x in values) > NOTHING:
        return rooted
    for number in map(sp.sympify, NUMBERS):
        if abs(values[0] - evaluate(number, {}, DIGITS)) < NOTHING:
            return number if is_nothing(charted(rooted) - number) else rooted
    return rooted


def sign_at(formula: Any, at: list[Point]) -> int | None:
    """Return the sign that a formula has at every point."""
    if formula.is_positive or formula.is_negative:
        return 1 if formula.is_positive else -1
    seen = [evaluate(formula, point, DIGITS) for point in at or [{}]]
    if any(x is None or x.imag for x in seen):
        return None
    signs = {(x.real > NOTHING) - (x.real < -NOTHING) for x in seen}
    return (signs.pop() or None) if len(signs) == 1 else None


def cancels(total: Any, parts: list[Any], at: list[Point]) -> bool:
    """Return whether a sum is less than half of one of its parts, at any point."""
    for point in at or [{}]:
        left, *others = (evaluate(f, point, DIGITS) for f in (total, *parts))
        if None not in (left, *others) and 2 * abs(left) < max(map(abs, others)):
            return True
    return False


def is_nothing(formula: Any) -> bool:
    """Return whether a formula is zero, by proof within bounds."""
    return sp.count_ops(formula) < LONG and bool(value_of(bounded(_zero, formula, seconds=SECONDS), False))


def _zero(formula: Any) -> bool:
    return formula == 0 or short(formula) == 0 or sp.simplify(formula) == 0


def without_squares(formula: Any, charted: Charted) -> Any:
    r"""$\sqrt{f^2} = |f|$, and f or -f where its sign can be seen.

    >>> x = sp.Symbol("x", positive=True)
    >>> without_squares(sp.sqrt(x**2 + 2*x + 1) + x, lambda f: f)
    2*x + 1
    """
    return formula.replace(_is_root, lambda root: _taken(root, charted))


def _is_root(e: Any) -> bool:
    return e.is_Pow and abs(e.exp) == sp.S.Half and (e.base.is_Add or e.base.is_Mul) and e.base.is_rational_function()


def _taken(root: Any, charted: Charted) -> Any:
    number, factors = sp.factor_list(sp.numer(sp.together(root.base)))
    below, others = sp.factor_list(sp.denom(sp.together(root.base)))
    every = [*factors, *((f, -k) for f, k in others)]
    if any(k % 2 for _, k in every) or not (number / below).is_positive:
        return root
    half = sp.sqrt(number / below) * sp.Mul(*(_modulus(f, charted) ** (k // 2) for f, k in every))
    return half if root.exp == sp.S.Half else 1 / half


def _modulus(factor: Any, charted: Charted) -> Any:
    seen = factored(charted(factor))
    return factor if seen.is_positive else -factor if seen.is_negative else sp.Abs(factor)
