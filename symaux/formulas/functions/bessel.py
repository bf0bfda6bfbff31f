r"""Define the Bessel functions $I_\nu$ and $K_\nu$ as logarithms, and the von Mises distribution function."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions import mpmath_values as precise
from symaux.formulas.functions.special_function import ProbabilityValued, Special


class von_mises_cdf(ProbabilityValued):
    r"""$\int_{-\pi}^x e^{\kappa\cos t}\,dt\,/\,(2\pi I_0(\kappa))$."""

    nargs = 2
    value = staticmethod(precise.von_mises_lower)

    @classmethod
    def eval(cls, x: Any, kappa: Any) -> Any:
        return x.args[0] if isinstance(x, von_mises_ppf) and x.args[1] == kappa else None

    def slopes(self) -> tuple[Any, ...]:
        x, kappa = self.args
        return sp.exp(kappa * sp.cos(x)) / (2 * sp.pi * sp.besseli(0, kappa)), None


class von_mises_ppf(Special):
    r"""The x in (-π, π) with ``von_mises_cdf(x, kappa)`` = u."""

    nargs = 2
    value = staticmethod(precise.von_mises_quantile)

    @classmethod
    def eval(cls, u: Any, kappa: Any) -> Any:
        return u.args[0] if isinstance(u, von_mises_cdf) and u.args[1] == kappa else None

    def slopes(self) -> tuple[Any, ...]:
        kappa = self.args[1]
        return 2 * sp.pi * sp.besseli(0, kappa) * sp.exp(-kappa * sp.cos(self)), None


class log_iv(Special):
    r"""$\log I_\nu(x)$."""

    nargs = 2
    value = staticmethod(lambda nu, x: mp.log(mp.besseli(nu, x)))

    def slopes(self) -> tuple[Any, ...]:
        nu, x = self.args
        return None, nu / x + sp.exp(log_iv(nu + 1, x) - self)

    def definition(self) -> Any:
        return sp.log(sp.besseli(*self.args))


class log_iv_over_power(Special):
    r"""$\log I_\nu(x) - \nu\log\tfrac x2$, which is finite at x = 0."""

    nargs = 2
    value = staticmethod(lambda nu, x: mp.log(mp.hyp0f1(nu + 1, x**2 / 4)) - mp.loggamma(nu + 1))

    def slopes(self) -> tuple[Any, ...]:
        nu, x = self.args
        return None, x / 2 * sp.exp(log_iv_over_power(nu + 1, x) - self)

    def definition(self) -> Any:
        nu, x = self.args
        return sp.log(sp.besseli(nu, x)) - nu * sp.log(x / 2)


class log_kv(Special):
    r"""$\log K_\nu(x)$."""

    nargs = 2
    value = staticmethod(lambda nu, x: mp.log(mp.besselk(nu, x)))

    def slopes(self) -> tuple[Any, ...]:
        nu, x = self.args
        return None, nu / x - sp.exp(log_kv(nu + 1, x) - self)

    def definition(self) -> Any:
        return sp.log(sp.besselk(*self.args))
