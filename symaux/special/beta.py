r"""The incomplete beta function $I_x(a, b)$, its complement, their inverses in x, and Student's quantile."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux import precise
from symaux.special.kinds import Positive, Probability, Special, one_minus, undone


def beta_density(a: Any, b: Any, x: Any) -> Any:
    return x ** (a - 1) * (1 - x) ** (b - 1) / sp.beta(a, b)


class betainc(Probability):
    r"""$I_x(a, b) = \frac1{B(a, b)}\int_0^x t^{a-1}(1-t)^{b-1}\,dt$, the distribution function of Beta(a, b)."""

    nargs = 3
    value = staticmethod(lambda a, b, x: precise.beta_lower(a, b, x, 1 - x))

    @classmethod
    def eval(cls, a: Any, b: Any, x: Any) -> Any:
        return x if x in (0, 1) else undone(x, betaincinv, (a, b))

    def slopes(self) -> tuple[Any, ...]:
        return None, None, beta_density(*self.given)

    def definition(self) -> Any:
        a, b, x = self.given
        return sp.betainc_regularized(a, b, 0, x)


class betaincc(Probability):
    r"""$1 - I_x(a, b)$."""

    nargs = 3
    value = staticmethod(lambda a, b, x: precise.beta_lower(b, a, 1 - x, x))

    @classmethod
    def eval(cls, a: Any, b: Any, x: Any) -> Any:
        return 1 - x if x in (0, 1) else undone(x, betainccinv, (a, b))

    def slopes(self) -> tuple[Any, ...]:
        return None, None, -beta_density(*self.given)

    def definition(self) -> Any:
        a, b, x = self.given
        return sp.betainc_regularized(a, b, x, 1)


class betaincinv(Positive):
    r"""The x with $I_x(a, b) = u$, the quantile function of Beta(a, b)."""

    nargs = 3
    value = staticmethod(precise.beta_quantile)

    @classmethod
    def eval(cls, a: Any, b: Any, u: Any) -> Any:
        rest = one_minus(u)
        return undone(u, betainc, (a, b)) if rest is None else betainccinv(a, b, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, None, 1 / beta_density(*self.given[:2], self)


class betainccinv(Positive):
    r"""The x with $1 - I_x(a, b) = q$."""

    nargs = 3
    value = staticmethod(precise.beta_upper_quantile)

    @classmethod
    def eval(cls, a: Any, b: Any, q: Any) -> Any:
        rest = one_minus(q)
        return undone(q, betaincc, (a, b)) if rest is None else betaincinv(a, b, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, None, -1 / beta_density(*self.given[:2], self)


class student_t_ppf(Special):
    r"""The u-quantile of Student's t with df degrees of freedom."""

    nargs = 2
    value = staticmethod(precise.student_t_quantile)

    def slopes(self) -> tuple[Any, ...]:
        df = self.given[1]
        return sp.sqrt(df) * sp.beta(sp.S.Half, df / 2) * (1 + self**2 / df) ** ((df + 1) / 2), None
