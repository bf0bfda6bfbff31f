r"""Parameters that are angles: signs of their sines, angles undone, and rational formulas by $t = \tan\tfrac x2$.

>>> w = sp.Symbol("w", positive=True)
>>> x = sp.pi * w / (1 + w)
>>> undone(sp.atan(sp.cos(x) / sp.sin(x))), undone(sp.atan(sp.tan(x / 2)))
(-pi*w/(w + 1) + pi/2, pi*w/(2*(w + 1)))
>>> sp.factor(in_half_tangents(1 - sp.cos(x)**2 - sp.sin(x)**2))
0
"""

from __future__ import annotations

import sympy as sp

from symaux.formulas.algebra.signs import sign_of

WAVES = (sp.sin, sp.cos, sp.tan, sp.cot)


def undone(angle: sp.Expr) -> sp.Expr:
    r"""$\arctan\cot x = \tfrac\pi2 - x$ for $0 < x < \pi$, and $\arctan\tan x = x$ for $|x| < \tfrac\pi2$."""
    ratio = angle.args[0].replace(lambda e: isinstance(e, sp.tan | sp.cot), _as_ratio)
    above, below = sp.fraction(ratio)
    if isinstance(above, sp.cos) and below == sp.sin(above.args[0]) and sign_of(below) == 1:
        return sp.pi / 2 - above.args[0]
    if isinstance(above, sp.sin) and below == sp.cos(above.args[0]) and sign_of(below) == 1:
        return above.args[0]
    return angle


def _as_ratio(function: sp.Expr) -> sp.Expr:
    (x,) = function.args
    return sp.sin(x) / sp.cos(x) if isinstance(function, sp.tan) else sp.cos(x) / sp.sin(x)


def in_half_tangents(formula: sp.Expr) -> sp.Expr:
    r"""Return functions of an angle x by $t = \tan\tfrac x2$: zero for every t is zero for every x.

    $\sin x = \frac{2t}{1 + t^2}$ and $\cos x = \frac{1 - t^2}{1 + t^2}$, with t > 0 where the sine is known to be positive.
    """
    known: dict[sp.Expr, sp.Expr] = {}
    for function in sorted(formula.atoms(*WAVES), key=str):
        (x,) = function.args
        known.setdefault(x, sp.Dummy("t", positive=True) if sign_of(sp.sin(x)) == 1 else sp.Dummy("t", real=True))

    def rational(function: sp.Expr) -> sp.Expr:
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

    return formula.replace(lambda e: isinstance(e, WAVES) and e.args[0] in known, rational)
