r"""Define the incomplete gamma functions $P(a, x)$ and $Q(a, x) = 1 - P(a, x)$, and their inverses in x."""

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


def gamma_density(a: Any, x: Any) -> Any:
    return x ** (a - 1) * sp.exp(-x) / sp.gamma(a)


class gammainc(ProbabilityValued):
    r"""$P(a, x) = \frac1{\Gamma(a)}\int_0^x t^{a-1}e^{-t}\,dt$, the distribution function of Gamma(a, 1)."""

    nargs = 2
    value = staticmethod(precise.gamma_lower)

    @classmethod
    def eval(cls, a: Any, x: Any) -> Any:
        return sp.S.Zero if x.is_zero else inverse_argument(x, gammaincinv, (a,))

    def slopes(self) -> tuple[Any, ...]:
        return None, gamma_density(*self.args)

    def definition(self) -> Any:
        return sp.lowergamma(*self.args) / sp.gamma(self.args[0])


class gammaincc(ProbabilityValued):
    r"""$Q(a, x) = 1 - P(a, x)$."""

    nargs = 2
    value = staticmethod(precise.gamma_upper)

    @classmethod
    def eval(cls, a: Any, x: Any) -> Any:
        return sp.S.One if x.is_zero else inverse_argument(x, gammainccinv, (a,))

    def slopes(self) -> tuple[Any, ...]:
        return None, -gamma_density(*self.args)

    def definition(self) -> Any:
        return sp.uppergamma(*self.args) / sp.gamma(self.args[0])


class gammaincinv(PositiveValued):
    r"""The x with $P(a, x) = u$, the quantile function of Gamma(a, 1)."""

    nargs = 2
    value = staticmethod(precise.gamma_quantile)

    @classmethod
    def eval(cls, a: Any, u: Any) -> Any:
        rest = one_minus(u)
        return inverse_argument(u, gammainc, (a,)) if rest is None else gammainccinv(a, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, 1 / gamma_density(self.args[0], self)


class gammainccinv(PositiveValued):
    r"""The x with $Q(a, x) = q$."""

    nargs = 2
    value = staticmethod(precise.gamma_upper_quantile)

    @classmethod
    def eval(cls, a: Any, q: Any) -> Any:
        rest = one_minus(q)
        return inverse_argument(q, gammaincc, (a,)) if rest is None else gammaincinv(a, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, -1 / gamma_density(self.args[0], self)


class log_gamma_quantile(Special):
    r"""$\log x$ with $P(a, x) = u$, from $\log u$ and $\log(1 - u)$: x itself underflows for small shapes."""

    nargs = 3
    value = staticmethod(precise.log_gamma_quantile)
    is_real = True  # wherever there is one

    def slopes(self) -> tuple[Any, ...]:
        a, log_u, _ = self.args
        return None, sp.exp(log_u - a * self + sp.exp(self)) * sp.gamma(a), sp.S.Zero


LONGEST = 40


def elementary(formula: Any) -> Any:
    r"""Write incomplete gamma functions of whole and half shapes in elementary functions and erf.

    >>> x = sp.Symbol("x", positive=True)
    >>> elementary(gammainc(2, x)), elementary(gammaincc(sp.Rational(1, 2), x))
    (-x*exp(-x) + 1 - exp(-x), 1 - erf(sqrt(x)))
    """
    made = formula.replace(gammainc, lambda a, x: _by_recurrence(a, x) or gammainc(a, x))
    return made.replace(gammaincc, lambda a, x: 1 - found if (found := _by_recurrence(a, x)) else gammaincc(a, x))


def _by_recurrence(a: Any, x: Any) -> Any:
    r"""$P(a + 1, x) = P(a, x) - x^a e^{-x}/\Gamma(a + 1)$."""
    if not (2 * a).is_Integer or not 0 < 2 * a <= LONGEST:
        return None
    start = sp.S.One if a.is_Integer else sp.S.Half
    total = 1 - sp.exp(-x) if a.is_Integer else sp.erf(sp.sqrt(x))
    steps = (start + n for n in range(int(a - start)))
    return total - sp.Add(*(x**b * sp.exp(-x) / sp.gamma(b + 1) for b in steps))
