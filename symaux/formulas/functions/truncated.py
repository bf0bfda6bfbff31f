r"""Define quantiles of a law cut off at one end or at both, and how far from its cut one lies.

Both u and v = 1 - u are given, so that neither loses digits where it is small.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions import mpmath_values as precise
from symaux.formulas.functions.elementary import ndtr, ndtri
from symaux.formulas.functions.gamma import gamma_density, gammainc, gammaincinv
from symaux.formulas.functions.special_function import Special


def _quantile(p: Any, q: Any) -> Any:
    return precise.normal_log_quantile(mp.log(p)) if p < q else -precise.normal_log_quantile(mp.log(q))


def _between(u: Any, v: Any, lo: Any, hi: Any, mu: Any, s: Any) -> Any:
    with mp.workprec(3 * mp.mp.prec + 60):
        u, v = (1 - v, v) if v < u else (u, 1 - u)
        a, b = (lo - mu) / s, (hi - mu) / s
        return mu + s * _quantile(v * mp.ncdf(a) + u * mp.ncdf(b), v * mp.ncdf(-a) + u * mp.ncdf(-b))


def _below(u: Any, v: Any, b: Any) -> Any:
    return _quantile(u * mp.ncdf(b), v + u * mp.ncdf(-b))


def _gap(u: Any, v: Any, b: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        return b - _below(1 - v if v < u else u, v, b)


def _gamma_gap(a: Any, u: Any, v: Any, x: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        level = 1 - v if v < u else u
        return x - precise.gamma_quantile(a, level * precise.gamma_lower(a, x))


def _density(z: Any) -> Any:
    return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


class normal_between(Special):
    r"""$\mu + s\,\Phi^{-1}(v\,\Phi(\frac{lo - \mu}s) + u\,\Phi(\frac{hi - \mu}s))$: a quantile on (lo, hi)."""

    nargs = 6
    value = staticmethod(_between)

    def slopes(self) -> tuple[Any, ...]:
        u, v, lo, hi, mu, s = self.args
        a, b, z = (lo - mu) / s, (hi - mu) / s, (self - mu) / s
        low, high = v * _density(a) / _density(z), u * _density(b) / _density(z)
        in_u = s * (ndtr(b) - ndtr(a)) / _density(z)
        return in_u, sp.S.Zero, low, high, 1 - low - high, z - a * low - b * high

    def definition(self) -> Any:
        u, v, lo, hi, mu, s = self.args
        return mu + s * ndtri(v * ndtr((lo - mu) / s) + u * ndtr((hi - mu) / s))


class ndtri_below(Special):
    r"""$\Phi^{-1}(u\,\Phi(b))$: a quantile of the normal law below b."""

    nargs = 3
    value = staticmethod(_below)

    def slopes(self) -> tuple[Any, ...]:
        u, _, b = self.args
        return ndtr(b) / _density(self), sp.S.Zero, u * _density(b) / _density(self)

    def definition(self) -> Any:
        return ndtri(self.args[0] * ndtr(self.args[2]))


class ndtri_gap(Special):
    r"""$b - \Phi^{-1}(u\,\Phi(b))$: how far below its cut a quantile of the normal law below b lies."""

    nargs = 3
    value = staticmethod(_gap)

    def slopes(self) -> tuple[Any, ...]:
        u, _, b = self.args
        z = b - self
        return -ndtr(b) / _density(z), sp.S.Zero, 1 - u * _density(b) / _density(z)

    def definition(self) -> Any:
        return self.args[2] - ndtri(self.args[0] * ndtr(self.args[2]))


class gammaincinv_gap(Special):
    r"""$x - P^{-1}(a, u\,P(a, x))$: how far below its cut a quantile of the Gamma(a, 1) law below x lies."""

    nargs = 4
    value = staticmethod(_gamma_gap)

    def slopes(self) -> tuple[Any, ...]:
        a, u, _, x = self.args
        z = x - self
        below = -gammainc(a, x) / gamma_density(a, z)
        return None, below, sp.S.Zero, 1 - u * gamma_density(a, x) / gamma_density(a, z)

    def definition(self) -> Any:
        a, u, _, x = self.args
        return x - gammaincinv(a, u * gammainc(a, x))
