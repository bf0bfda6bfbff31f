r"""Numbers of elementary formulas by ball arithmetic: the same digits as with mpmath, many times as fast.

A ball says how many of its digits are right. Where that is too few, or where a logarithm or a root would leave the real line,
there is no answer here, and the slower reading has to say what the formula is.

>>> x = sp.Symbol("x", positive=True)
>>> with mp.workdps(30):
...     abs(quick(sp.exp(-x**2), {x: sp.Rational(1, 2)}) - mp.exp(-mp.mpf(1)/4)) < mp.mpf(10)**-29
True
>>> quick(sp.log(x), {x: sp.Integer(-1)}) is None, quick(x + 1, {x: mp.mpf(-3)})
(True, mpf('-2.0'))
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import mpmath as mp
import sympy as sp

GUARD = 24  # bits beyond those that are asked for
HUGE = 10**7  # the largest exponent of two of a number that counts as one
PLAIN = (
    *(sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.cot, sp.asin, sp.acos, sp.atan),
    *(sp.sinh, sp.cosh, sp.tanh, sp.sech, sp.asinh, sp.acosh, sp.atanh, sp.erf, sp.erfc, sp.Abs),
)


def quick(formula: sp.Expr, values: Mapping[Any, Any]) -> Any:
    """Return the number that a formula is, if it is elementary, real and known to all its digits; else None."""
    if not _elementary(formula):
        return None
    for bits in (mp.mp.prec + GUARD, 4 * mp.mp.prec):  # where digits cancel, once more with more of them
        found = _read(formula, values, bits)
        if found is not None:
            return found
    return None


def _read(formula: sp.Expr, values: Mapping[Any, Any], bits: int) -> Any:
    from flint import ctx

    from symaux.formulas.numeric.balls.evaluate import Reading
    from symaux.formulas.numeric.balls.signs import Undecided

    with ctx.workprec(bits):
        try:
            found = Reading({symbol: _ball(value) for symbol, value in values.items()}).of(formula)
        except (Undecided, ValueError, ZeroDivisionError, OverflowError, TypeError, NotImplementedError):
            return None
        return as_number(found, mp.mp.prec + 1)


def as_number(ball: Any, bits: int) -> Any:
    """Return the middle of a ball that is right to so many bits; None of a wider one."""
    if not ball.is_finite() or not (ball.is_exact() or ball.rel_accuracy_bits() >= bits):
        return None
    mantissa, exponent = ball.mid().man_exp()
    if abs(int(exponent)) > HUGE:
        return None
    return mp.ldexp(mp.mpf(int(mantissa)), int(exponent))


@functools.lru_cache(maxsize=2048)
def _elementary(formula: sp.Basic) -> bool:
    if not formula.args:
        return isinstance(formula, sp.Symbol | sp.Rational | sp.NumberSymbol) and formula is not sp.zoo
    return isinstance(formula, PLAIN) and all(map(_elementary, formula.args))


def _ball(value: Any) -> Any:
    from flint import arb

    from symaux.formulas.numeric.balls.evaluate import exact

    if isinstance(value, mp.mpf):
        if not mp.isfinite(value):
            raise ValueError(value)
        sign, mantissa, exponent, _ = value._mpf_  # exact, and with its sign, unlike ``man_exp``
        return arb(-int(mantissa) if sign else int(mantissa)) * arb(2) ** int(exponent)
    if isinstance(value, int):
        return arb(value)
    if isinstance(value, sp.Rational):
        return exact(value)
    if isinstance(value, sp.Basic) and value.is_number:
        from symaux.formulas.numeric.balls.evaluate import Reading

        return Reading({}).of(value)
    raise TypeError(value)
