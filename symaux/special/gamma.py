r"""The incomplete gamma functions $P(a, x)$ and $Q(a, x) = 1 - P(a, x)$, and their inverses in x."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux import precise
from symaux.special.kinds import Positive, Probability, one_minus, undone


def gamma_density(a: Any, x: Any) -> Any:
    return x ** (a - 1) * sp.exp(-x) / sp.gamma(a)


class gammainc(Probability):
    r"""$P(a, x) = \frac1{\Gamma(a)}\int_0^x t^{a-1}e^{-t}\,dt$, the distribution function of Gamma(a, 1)."""

    nargs = 2
    value = staticmethod(precise.gamma_lower)

    @classmethod
    def eval(cls, a: Any, x: Any) -> Any:
        return sp.S.Zero if x.is_zero else undone(x, gammaincinv, (a,))

    def slopes(self) -> tuple[Any, ...]:
        return None, gamma_density(*self.given)

    def definition(self) -> Any:
        return sp.lowergamma(*self.given) / sp.gamma(self.given[0])


class gammaincc(Probability):
    r"""$Q(a, x) = 1 - P(a, x)$."""

    nargs = 2
    value = staticmethod(precise.gamma_upper)

    @classmethod
    def eval(cls, a: Any, x: Any) -> Any:
        return sp.S.One if x.is_zero else undone(x, gammainccinv, (a,))

    def slopes(self) -> tuple[Any, ...]:
        return None, -gamma_density(*self.given)

    def definition(self) -> Any:
        return sp.uppergamma(*self.given) / sp.gamma(self.given[0])


class gammaincinv(Positive):
    r"""The x with $P(a, x) = u$, the quantile function of Gamma(a, 1)."""

    nargs = 2
    value = staticmethod(precise.gamma_quantile)

    @classmethod
    def eval(cls, a: Any, u: Any) -> Any:
        rest = one_minus(u)
        return undone(u, gammainc, (a,)) if rest is None else gammainccinv(a, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, 1 / gamma_density(self.given[0], self)


class gammainccinv(Positive):
    r"""The x with $Q(a, x) = q$."""

    nargs = 2
    value = staticmethod(precise.gamma_upper_quantile)

    @classmethod
    def eval(cls, a: Any, q: Any) -> Any:
        rest = one_minus(q)
        return undone(q, gammaincc, (a,)) if rest is None else gammaincinv(a, rest)

    def slopes(self) -> tuple[Any, ...]:
        return None, -1 / gamma_density(self.given[0], self)
