r"""Define functions of the normal law: $\Phi^{-1}(e^\ell)$ and Owen's T."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.functions import mpmath_values as precise
from symaux.formulas.functions.elementary import log_ndtr, ndtri
from symaux.formulas.functions.special_function import Special


class ndtri_exp(Special):
    r"""$\Phi^{-1}(e^\ell)$: a normal quantile from the logarithm of the probability."""

    nargs = 1
    value = staticmethod(precise.normal_log_quantile)

    @classmethod
    def eval(cls, log_p: Any) -> Any:
        return log_p.args[0] if isinstance(log_p, log_ndtr) else None

    def slopes(self) -> tuple[Any, ...]:
        return (sp.sqrt(2 * sp.pi) * sp.exp(self.args[0] + self**2 / 2),)

    def definition(self) -> Any:
        return ndtri(sp.exp(self.args[0])).definition()


class owens_t(Special):
    r"""Owen's $T(h, a) = \frac1{2\pi}\int_0^a \frac{e^{-h^2(1+t^2)/2}}{1+t^2}\,dt$."""

    nargs = 2
    value = staticmethod(precise.owen)

    def slopes(self) -> tuple[Any, ...]:
        h, a = self.args
        in_a = sp.exp(-(h**2) * (1 + a**2) / 2) / (2 * sp.pi * (1 + a**2))
        return -sp.exp(-(h**2) / 2) * sp.erf(a * h / sp.sqrt(2)) / (2 * sp.sqrt(2 * sp.pi)), in_a
