r"""$\tan\pi(u - \tfrac12) = -\cot\pi u$ and $\tan\pi x$ without rounding the angle.

Applies to a tangent or cotangent of an angle that is a multiple of $\pi$.

>>> u = sp.Symbol("u", positive=True)
>>> quarter_turn(sp.tan(sp.pi*(u - sp.Rational(1, 2)), evaluate=False)), quarter_turn(sp.tan(sp.pi*u/2))
(-cotpi(u), tanpi(u/2))
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.rules.toolkit import cotpi, tanpi


def quarter_turn(formula: Any) -> Any | None:
    """A tangent of so many turns."""
    if not isinstance(formula, sp.tan | sp.cot):
        return None
    turns = sp.expand(formula.args[0] / sp.pi)
    if turns.has(sp.pi) or turns.is_number:
        return None
    number, rest = turns.as_coeff_Add()
    half = (2 * number).is_Integer and (2 * number).is_odd
    if not half and (number == 0 or not number.is_Integer):  # the angle as it is written: a difference keeps its digits
        written = formula.args[0] / sp.pi
        rest = turns if written.has(sp.pi) else written
    if isinstance(formula, sp.tan):
        return -cotpi(rest) if half else tanpi(rest)
    return -tanpi(rest) if half else cotpi(rest)
