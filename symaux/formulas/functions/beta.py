r"""Define the incomplete beta function $I_x(a, b)$, its complement, their inverses in x, and Student's quantile."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.functions import mpmath_values as precise
from symaux.formulas.functions.special_function import (
    PositiveValued,
    ProbabilityValued,
    Special,
    inverse_argument,
    one_minus,
)


def beta_density(a: Any, b: Any, x: Any) -> Any:
    return x ** (a - 1) * (1 - x) ** (b - 1) * sp.gamma(a + b) / (sp.gamma(a) * sp.gamma(b))


def student_t_density(t: Any, df: Any) -> Any:
    constant = sp.gamma((df + 1) / 2) / (sp.sqrt(sp.pi * df) * sp.gamma(df / 2))
    return constant * (1 + t**2 / df) ** (-(df + 1) / 2)


class betainc(ProbabilityValued):
    r"""$I_x(a, b) = \frac1{B(a, b)}\int_0^x t^{a-1}(1-t)^{b-1}\,dt$, the distribution function of Beta(a, b)."""

    nargs = 3
    value = staticmethod(lambda a, b, x: precise.beta_lower(a, b, x, 1 - x))

    @classmethod
    def eval(cls, a: Any, b: Any, x: Any) -> Any:
        return x if x in (0, 1) else inverse_argument(x, betaincinv, (a, b))

    def slopes(self) -> tuple[Any, ...]:
        return None, None, beta_density(*self.args)

    def definition(self) -> Any:
        a, b, x = self.args
        return sp.betainc_regularized(a, b, 0, x)


class betaincc(ProbabilityValued):
    r"""$1 - I_x(a, b)$."""

    nargs = 3
    value = staticmethod(lambda a, b, x: precise.beta_lower(b, a, 1 - x, x))

    @classmethod
    def eval(cls, a: Any, b: Any, x: Any) -> Any:
        return 1 - x if x in (0, 1) else inverse_argument(x, betainccinv, (a, b))

    def slopes(self) -> tuple[Any, ...]:
        return None, None, -beta_density(*self.args)

    def definition(self) -> Any:
        a, b, x = self.args
        return sp.betainc_regularized(a, b, x, 1)


class betaincinv(PositiveValued):
    r"""The x with $I_x(a, b) = u$, the quantile function of Beta(a, b)."""

    nargs = 3
    value = staticmethod(precise.beta_quantile)

    @classmethod
    def eval(cls, a: Any, b: Any, u: Any) -> Any:
        rest = one_minus(u)
        return inverse_argument(u, betainc, (a, b)) if rest is None else betainccinv(a, b, rest)

    def slopes(self) -> tuple[Any, ...]:
        a, b, _ = self.args
        return None, None, 1 / beta_density(a, b, self)


class betainccinv(PositiveValued):
    r"""The x with $1 - I_x(a, b) = q$."""

    nargs = 3
    value = staticmethod(precise.beta_upper_quantile)

    @classmethod
    def eval(cls, a: Any, b: Any, q: Any) -> Any:
        rest = one_minus(q)
        return inverse_argument(q, betaincc, (a, b)) if rest is None else betaincinv(a, b, rest)

    def slopes(self) -> tuple[Any, ...]:
        a, b, _ = self.args
        return None, None, -1 / beta_density(a, b, self)


class logit_betaincinv(Special):
    r"""$\log\frac x{1-x}$ with $I_x(a, b) = u$, from $\log u$ and $\log(1 - u)$: exact at both ends."""

    nargs = 4
    value = staticmethod(precise.logit_beta_quantile)
    is_real = True  # wherever there is one

    def slopes(self) -> tuple[Any, ...]:
        a, b, log_u, _ = self.args
        x = 1 / (1 + sp.exp(-self))
        return None, None, sp.exp(log_u) / (beta_density(a, b, x) * x * (1 - x)), sp.S.Zero


class student_t_cdf(ProbabilityValued):
    r"""The distribution function of Student's t: $I_x(\tfrac\nu2, \tfrac\nu2)$ at $x = \tfrac12(1 + t/\sqrt{\nu + t^2})$."""

    nargs = 2
    value = staticmethod(precise.student_t_lower)

    @classmethod
    def eval(cls, t: Any, df: Any) -> Any:
        if t.is_zero:
            return sp.S.Half
        return t.args[0] if isinstance(t, student_t_ppf) and t.args[1] == df else None

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real and self.args[1].is_positive else None

    def slopes(self) -> tuple[Any, ...]:
        return student_t_density(*self.args), None


class student_t_ppf(Special):
    r"""The u-quantile of Student's t with df degrees of freedom."""

    nargs = 2
    value = staticmethod(precise.student_t_quantile)

    @classmethod
    def eval(cls, u: Any, df: Any) -> Any:
        return u.args[0] if isinstance(u, student_t_cdf) and u.args[1] == df else None

    def slopes(self) -> tuple[Any, ...]:
        return 1 / student_t_density(self, self.args[1]), None
