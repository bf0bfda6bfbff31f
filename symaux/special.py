r"""Special functions that generating functions need, as sympy functions: inverse incomplete gamma and beta, and others.

Each knows its derivatives where they have a closed form, its inverse, and its value at any precision; generated code
calls the function of the same name in ``symaux/codegen/special``.

>>> a, x, u = sp.symbols("a x u", positive=True)
>>> gammaincinv(a, gammainc(a, x)), gammaincinv(a, 1 - u)
(x, gammainccinv(a, u))
>>> gammainc(a, x).diff(x)
x**(a - 1)*exp(-x)/gamma(a)
>>> gammaincinv(1, sp.Rational(1, 2)).evalf(30) == sp.log(2).evalf(30)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import mpmath as mp
import sympy as sp
from sympy.core.function import ArgumentIndexError

from symaux import precise
from symaux.functions import log_ndtr, ndtri


class Special(sp.Function):
    """A function with a value at any precision; ``slopes`` are its derivatives, None where there is no closed form."""

    value: ClassVar[Callable[..., Any]]

    @property
    def given(self) -> Any:
        return self.args

    def slopes(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def fdiff(self, argindex: int = 1) -> Any:
        if not 1 <= argindex <= len(self.args):
            raise ArgumentIndexError(self, argindex)
        slope = self.slopes()[argindex - 1]
        return super().fdiff(argindex) if slope is None else slope

    def _eval_evalf(self, prec: int) -> Any:
        if not all(arg.is_number for arg in self.args):
            return None
        with mp.workprec(prec + 30):
            exact = [sp.N(arg, mp.mp.dps) for arg in self.args]
            if not all(arg.is_Float or arg.is_Integer for arg in exact):
                return None
            value = type(self).value(*(mp.mpmathify(arg) for arg in exact))
        return sp.Float(value, precision=prec)

    def _eval_is_real(self) -> bool | None:
        return True if all(arg.is_real for arg in self.args) else None


class Probability(Special):
    """A value between 0 and 1."""

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.given) else None

    def _eval_is_nonnegative(self) -> bool | None:
        return self.is_real


class Positive(Special):
    """A value above zero, wherever there is one."""

    def _eval_is_positive(self) -> bool | None:
        return True if all(arg.is_positive for arg in self.given) else None


def one_minus(u: Any) -> Any:
    """x, for 1 - x; -x for a normal distribution function's argument."""
    if isinstance(u, sp.Add) and (rest := sp.S.One - u).could_extract_minus_sign() is False and not rest.is_Add:
        return rest
    return None


def undone(u: Any, function: type, shapes: tuple[Any, ...]) -> Any:
    """x, for function(*shapes, x)."""
    return u.args[-1] if isinstance(u, function) and u.args[:-1] == shapes else None


def gamma_density(a: Any, x: Any) -> Any:
    return x ** (a - 1) * sp.exp(-x) / sp.gamma(a)


def beta_density(a: Any, b: Any, x: Any) -> Any:
    return x ** (a - 1) * (1 - x) ** (b - 1) / sp.beta(a, b)


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


class von_mises_cdf(Probability):
    r"""$\int_{-\pi}^x e^{\kappa\cos t}\,dt\,/\,(2\pi I_0(\kappa))$."""

    nargs = 2
    value = staticmethod(precise.von_mises_lower)

    @classmethod
    def eval(cls, x: Any, kappa: Any) -> Any:
        return x.args[0] if isinstance(x, von_mises_ppf) and x.args[1] == kappa else None

    def slopes(self) -> tuple[Any, ...]:
        x, kappa = self.given
        return sp.exp(kappa * sp.cos(x)) / (2 * sp.pi * sp.besseli(0, kappa)), None


class von_mises_ppf(Special):
    r"""The x in (-π, π) with ``von_mises_cdf(x, kappa)`` = u."""

    nargs = 2
    value = staticmethod(precise.von_mises_quantile)

    @classmethod
    def eval(cls, u: Any, kappa: Any) -> Any:
        return u.args[0] if isinstance(u, von_mises_cdf) and u.args[1] == kappa else None

    def slopes(self) -> tuple[Any, ...]:
        kappa = self.given[1]
        return 2 * sp.pi * sp.besseli(0, kappa) * sp.exp(-kappa * sp.cos(self)), None


class ndtri_exp(Special):
    r"""$\Phi^{-1}(e^\ell)$: a normal quantile from the logarithm of the probability."""

    nargs = 1
    value = staticmethod(precise.normal_log_quantile)

    @classmethod
    def eval(cls, log_p: Any) -> Any:
        return log_p.args[0] if isinstance(log_p, log_ndtr) else None

    def slopes(self) -> tuple[Any, ...]:
        return (sp.sqrt(2 * sp.pi) * sp.exp(self.given[0] + self**2 / 2),)

    def definition(self) -> Any:
        return ndtri(sp.exp(self.given[0])).definition()


class lambertw0_of_exp(Positive):
    r"""$W_0(e^y)$, the w with w + log w = y, where $e^y$ itself would overflow."""

    nargs = 1
    value = staticmethod(precise.omega)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def _eval_is_positive(self) -> bool | None:
        return self.given[0].is_real

    def definition(self) -> Any:
        return sp.LambertW(sp.exp(self.given[0]))


class lambertwm1_of_exp(Special):
    r"""$W_{-1}(-e^y)$ for y ≤ -1, the w ≤ -1 with w + log(-w) = y."""

    nargs = 1
    value = staticmethod(precise.other_omega)

    def slopes(self) -> tuple[Any, ...]:
        return (self / (1 + self),)

    def definition(self) -> Any:
        return sp.LambertW(-sp.exp(self.given[0]), -1)


class owens_t(Special):
    r"""Owen's $T(h, a) = \frac1{2\pi}\int_0^a \frac{e^{-h^2(1+t^2)/2}}{1+t^2}\,dt$."""

    nargs = 2
    value = staticmethod(precise.owen)

    def slopes(self) -> tuple[Any, ...]:
        h, a = self.given
        in_a = sp.exp(-(h**2) * (1 + a**2) / 2) / (2 * sp.pi * (1 + a**2))
        return -sp.exp(-(h**2) / 2) * sp.erf(a * h / sp.sqrt(2)) / (2 * sp.sqrt(2 * sp.pi)), in_a


class log_iv(Special):
    r"""$\log I_\nu(x)$."""

    nargs = 2
    value = staticmethod(lambda nu, x: mp.log(mp.besseli(nu, x)))

    def slopes(self) -> tuple[Any, ...]:
        nu, x = self.given
        return None, nu / x + sp.exp(log_iv(nu + 1, x) - self)

    def definition(self) -> Any:
        return sp.log(sp.besseli(*self.given))


class log_kv(Special):
    r"""$\log K_\nu(x)$."""

    nargs = 2
    value = staticmethod(lambda nu, x: mp.log(mp.besselk(nu, x)))

    def slopes(self) -> tuple[Any, ...]:
        nu, x = self.given
        return None, nu / x - sp.exp(log_kv(nu + 1, x) - self)

    def definition(self) -> Any:
        return sp.log(sp.besselk(*self.given))


FUNCTIONS: tuple[type[Special], ...] = (
    gammainc,
    gammaincc,
    gammaincinv,
    gammainccinv,
    betainc,
    betaincc,
    betaincinv,
    betainccinv,
    student_t_ppf,
    von_mises_cdf,
    von_mises_ppf,
    ndtri_exp,
    lambertw0_of_exp,
    lambertwm1_of_exp,
    owens_t,
    log_iv,
    log_kv,
)


def regularised(formula: Any) -> Any:
    """Sympy's incomplete gamma and beta functions as multiples of the regularised ones, so that normalisers cancel.

    >>> a, b, x = sp.symbols("a b x", positive=True)
    >>> regularised(sp.lowergamma(a, x) / sp.gamma(a)), regularised(sp.betainc_regularized(a, b, 0, x))
    (gammainc(a, x), betainc(a, b, x))
    """
    made = formula.replace(sp.lowergamma, lambda a, x: sp.gamma(a) * gammainc(a, x))
    made = made.replace(sp.uppergamma, lambda a, x: sp.gamma(a) * gammaincc(a, x))
    made = made.replace(sp.betainc, lambda a, b, low, x: sp.beta(a, b) * (betainc(a, b, x) - betainc(a, b, low)))
    return made.replace(sp.betainc_regularized, lambda a, b, low, x: betainc(a, b, x) - betainc(a, b, low))
