r"""Evaluate elementary formulas by ball arithmetic: the same digits as mpmath, many times as fast.

The radius of a ball says how many of its digits are right. Where these are too few, or where a logarithm or a root would
leave the real line, the answer is None, and the slower evaluation by mpmath decides.

>>> x = sp.Symbol("x", positive=True)
>>> with mp.workdps(30):
...     abs(evaluate_by_balls(sp.exp(-x**2), {x: sp.Rational(1, 2)}) - mp.exp(-mp.mpf(1)/4)) < mp.mpf(10)**-29
True
>>> evaluate_by_balls(sp.log(x), {x: sp.Integer(-1)}) is None, evaluate_by_balls(x + 1, {x: mp.mpf(-3)})
(True, mpf('-2.0'))
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.symbols.formula import Formula

GUARD = 24  # extra bits beyond the working precision
HUGE = 10**7  # largest binary exponent of a result
ELEMENTARY = (
    *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.cot, sp.asin, sp.acos, sp.atan),
    *(sp.sinh, sp.cosh, sp.tanh, sp.sech, sp.asinh, sp.acosh, sp.atanh, sp.erf, sp.erfc, sp.Abs),
)


def evaluate_by_balls(formula: Formula, values: Mapping[Any, Any]) -> Any:
    """Return the value of a formula if it is elementary, real and accurate to the working precision; else None."""
    if not _is_elementary(formula):
        return None
    for bits in (mp.mp.prec + GUARD, 4 * mp.mp.prec):  # where digits cancel, retry with more bits
        value = _at_precision(formula, values, bits)
        if value is not None:
            return value
    return None


def _at_precision(formula: Formula, values: Mapping[Any, Any], bits: int) -> Any:
    from flint import ctx

    from symaux.formulas.numeric.balls.evaluate import BallEvaluator
    from symaux.formulas.numeric.balls.signs import Undecided

    with ctx.workprec(bits):
        try:
            ball = BallEvaluator({symbol: _ball(value) for symbol, value in values.items()}).of(formula)
        except (Undecided, ValueError, ZeroDivisionError, OverflowError, TypeError, NotImplementedError):
            return None
        return as_number(ball, mp.mp.prec + 1)


def as_number(ball: Any, bits: int) -> Any:
    """Return the midpoint of a ball that is accurate to so many bits; None if the ball is wider."""
    if not ball.is_finite() or not (ball.is_exact() or ball.rel_accuracy_bits() >= bits):
        return None
    mantissa, exponent = ball.mid().man_exp()
    if abs(int(exponent)) > HUGE:
        return None
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent))


@functools.lru_cache(maxsize=2048)
def _is_elementary(formula: sp.Basic) -> bool:
    if not formula.args:
        return isinstance(formula, sp.Symbol | sp.Rational | sp.NumberSymbol) and formula is not sp.zoo
    return isinstance(formula, ELEMENTARY) and all(map(_is_elementary, formula.args))


def _ball(value: Any) -> Any:
    from flint import arb

    from symaux.formulas.numeric.balls.evaluate import exact_ball

    if isinstance(value, mp.mpf):
        if not mp.isfinite(value):
            raise ValueError(value)
        sign, mantissa, exponent, _ = value._mpf_  # exact, and with its sign, unlike ``man_exp``
        return arb(-int(mantissa) if sign else int(mantissa)) * arb(2) ** int(exponent)
    if isinstance(value, int):
        return arb(value)
    if isinstance(value, sp.Rational):
        return exact_ball(value)
    if isinstance(value, sp.Basic) and value.is_number:
        from symaux.formulas.numeric.balls.evaluate import BallEvaluator

        return BallEvaluator({}).of(value)
    raise TypeError(value)
