r"""Define both real branches of Lambert's W, of an exponential that itself would overflow, and what a factor adds to them."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions import mpmath_values as precise
from symaux.formulas.functions.special_function import PositiveValued, Special, typeset


def _logarithms(formula: Any) -> list[Any]:
    """Return the arguments of the logarithms among the terms of a sum."""
    terms = (*sp.Add.make_args(formula), *sp.Add.make_args(sp.expand_mul(formula)))
    return [term.args[0] for term in terms if isinstance(term, sp.log)]


class lambertw0_of_exp(PositiveValued):
    r"""$W_0(e^y)$, the w with w + log w = y, where $e^y$ itself would overflow."""

    nargs = 1
    value = staticmethod(precise.omega)

    @classmethod
    def eval(cls, y: Any) -> Any:
        return next((t for t in _logarithms(y) if t.is_positive and sp.expand(y - sp.log(t) - t) == 0), None)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def _eval_is_positive(self) -> bool | None:
        return self.args[0].is_real

    def definition(self) -> Any:
        return sp.LambertW(sp.exp(self.args[0]))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return typeset(printer, "W_{0}", (sp.exp(self.args[0], evaluate=False),), exp)


class lambertwm1_of_exp(Special):
    r"""$W_{-1}(-e^y)$ for y ≤ -1, the w ≤ -1 with w + log(-w) = y."""

    nargs = 1
    value = staticmethod(precise.other_omega)

    @classmethod
    def eval(cls, y: Any) -> Any:
        found = (t for t in _logarithms(y) if sp.cancel(t - 1).is_nonnegative and sp.expand(y - sp.log(t) + t) == 0)
        return next((-t for t in found), None)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def definition(self) -> Any:
        return sp.LambertW(-sp.exp(self.args[0]), -1)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return typeset(printer, "W_{-1}", (-sp.exp(self.args[0], evaluate=False),), exp)


def _rise(w: Any, d: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        if w > 0:
            return precise.omega(w + mp.log(w) + d) - w
        return precise.other_omega(w + mp.log(-w) + d) - w if w <= -1 else mp.lambertw(w * mp.exp(w + d)) - w


class lambert_rise(Special):
    r"""$W(xe^d) - W(x)$ for w = W(x) on either branch, known for every digit of a small d: $w\operatorname{expm1} s$ with
    $s + w\operatorname{expm1} s = d$."""

    nargs = 2
    value = staticmethod(_rise)

    @classmethod
    def eval(cls, w: Any, d: Any) -> Any:
        return sp.S.Zero if d == 0 or w == 0 else None

    def slopes(self) -> tuple[Any, ...]:
        w = self.args[0]
        return self / (w * (1 + w + self)), (w + self) / (1 + w + self)

    def definition(self) -> Any:
        w, d = self.args
        if w.is_positive:
            return lambertw0_of_exp(w + sp.log(w) + d) - w
        return (sp.LambertW(w * sp.exp(w + d), -1) if (w + 1).is_nonpositive else sp.LambertW(w * sp.exp(w + d))) - w
