r"""Simplify trigonometric functions of angles: $\arctan\tan x$, and rational formulas in $t = \tan\tfrac x2$.

>>> w = sp.Symbol("w", positive=True)
>>> x = sp.pi * w / (1 + w)
>>> undo_arctangent(sp.atan(sp.cos(x) / sp.sin(x))), undo_arctangent(sp.atan(sp.tan(x / 2)))
(-pi*w/(w + 1) + pi/2, pi*w/(2*(w + 1)))
>>> sp.factor(to_half_tangents(1 - sp.cos(x)**2 - sp.sin(x)**2))
0
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.formula import Formula

TRIGONOMETRIC = (sp.sin, sp.cos, sp.tan, sp.cot)


def undo_arctangent(angle: Formula) -> Formula:
    r"""Simplify $\arctan\cot x = \tfrac\pi2 - x$ for $0 < x < \pi$, and $\arctan\tan x = x$ for $|x| < \tfrac\pi2$."""
    ratio = angle.args[0].replace(lambda e: isinstance(e, sp.tan | sp.cot), _as_ratio)
    above, below = sp.fraction(ratio)
    if isinstance(above, sp.cos) and below == sp.sin(above.args[0]) and sign_of(below) == 1:
        return sp.pi / 2 - above.args[0]
    if isinstance(above, sp.sin) and below == sp.cos(above.args[0]) and sign_of(below) == 1:
        return above.args[0]
    return angle


def _as_ratio(function: Formula) -> Formula:
    (x,) = function.args
    return sp.sin(x) / sp.cos(x) if isinstance(function, sp.tan) else sp.cos(x) / sp.sin(x)


def to_half_tangents(formula: Formula) -> Formula:
    r"""Rewrite the trigonometric functions of each angle x in $t = \tan\tfrac x2$: if zero for every t, then for every x.

    $\sin x = \frac{2t}{1 + t^2}$ and $\cos x = \frac{1 - t^2}{1 + t^2}$, with t > 0 where the sine is known to be positive.
    """
    known: dict[Formula, Formula] = {}
    for function in sorted(formula.atoms(*TRIGONOMETRIC), key=str):
        (x,) = function.args
        known.setdefault(x, sp.Dummy("t", positive=True) if sign_of(sp.sin(x)) == 1 else sp.Dummy("t", real=True))

    def rational(function: Formula) -> Formula:
        t = known[function.args[0]]
        sine, cosine = 2 * t, 1 - t**2
        match function:
            case sp.sin():
                return sine / (1 + t**2)
            case sp.cos():
                return cosine / (1 + t**2)
            case sp.tan():
                return sine / cosine
        return cosine / sine

    return formula.replace(lambda e: isinstance(e, TRIGONOMETRIC) and e.args[0] in known, rational)
