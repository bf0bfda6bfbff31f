r"""Define quotients whose numerator and denominator vanish together, and means on another scale, as functions.

$\frac{e^{cx} - 1}c$, $\frac{\log(1 + cx)}c$ and $\frac1x\log(v + ue^x)$ are smooth where their denominator is zero, but the
quotients lose their digits there, and those of their derivatives sooner. In means, u and v = 1 - u are both arguments, so that
neither loses digits where it is small.

>>> x, c = sp.symbols("x c", real=True)
>>> exprel(x, c).diff(x), logrel(x, c).diff(x), mean_exponent(x, 1 - x, 0)
(exp(c*x), 1/(c*x + 1), x)
"""

from __future__ import annotations

from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.mpmath_functions import exponential
from symaux.formulas.functions.special_function import Special


def _mean_exponent(u: Any, v: Any, x: Any) -> Any:
    if not x:
        return u
    with mp.workprec(2 * mp.mp.prec + 60):
        if x > 0:
            return 1 + mp.log(u + v * exponential(-x)) / x
        return mp.log(v + u * exponential(x)) / x


def _log_mean_exponent(u: Any, v: Any, x: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        return mp.log(_mean_exponent(u, v, x))


def _log_rising(x: Any, n: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        return mp.loggamma(x + n) - mp.loggamma(x)


def _weibull_below(u: Any, v: Any, w: Any, k: Any) -> Any:
    with mp.workprec(2 * mp.mp.prec + 60):
        return exponential(mp.log(-mp.log(v + u * exponential(-exponential(k * mp.log(w))))) / k)


class exprel(Special):
    r"""$\frac{e^{cx} - 1}c$, and x at c = 0."""

    nargs = 2
    value = staticmethod(lambda x, c: mp.expm1(c * x) / c if c else x)

    def slopes(self) -> tuple[Any, ...]:
        x, c = self.args
        return sp.exp(c * x), (x * sp.exp(c * x) - self) / c

    def definition(self) -> Any:
        x, c = self.args
        return (sp.exp(c * x) - 1) / c


class logrel(Special):
    r"""$\frac{\log(1 + cx)}c$, and x at c = 0."""

    nargs = 2
    value = staticmethod(lambda x, c: mp.log1p(c * x) / c if c else x)

    def slopes(self) -> tuple[Any, ...]:
        x, c = self.args
        return 1 / (1 + c * x), (x / (1 + c * x) - self) / c

    def definition(self) -> Any:
        x, c = self.args
        return sp.log(1 + c * x) / c


class log1p_scaled(Special):
    r"""$x\log(1 + \frac mx)$ for x > 0, which tends to m for large x."""

    nargs = 2
    value = staticmethod(lambda m, x: x * mp.log1p(m / x))

    def slopes(self) -> tuple[Any, ...]:
        m, x = self.args
        return x / (x + m), self / x - m / (x + m)

    def definition(self) -> Any:
        m, x = self.args
        return x * sp.log(1 + m / x)


class recip_expm1(Special):
    r"""$\frac1{e^x - 1}$, with derivatives wherever its value is a number."""

    nargs = 1
    value = staticmethod(lambda x: 1 / mp.expm1(x))

    def slopes(self) -> tuple[Any, ...]:
        return (-self * (1 + self),)

    def definition(self) -> Any:
        return 1 / (sp.exp(self.args[0]) - 1)


class log_expm1(Special):
    r"""$\log(e^x - 1)$ for x > 0, without overflow."""

    nargs = 1
    value = staticmethod(lambda x: x + mp.log(-mp.expm1(-x)))

    def slopes(self) -> tuple[Any, ...]:
        return (1 / (1 - sp.exp(-self.args[0])),)

    def definition(self) -> Any:
        return sp.log(sp.exp(self.args[0]) - 1)


class cloglog_exp(Special):
    r"""$\log(-\log(1 - e^x))$ for x < 0, however far down."""

    nargs = 1
    value = staticmethod(lambda x: mp.log(-mp.log1p(-mp.exp(x))))

    def slopes(self) -> tuple[Any, ...]:
        (x,) = self.args
        return (-1 / ((sp.exp(-x) - 1) * sp.log(1 - sp.exp(x))),)

    def definition(self) -> Any:
        return sp.log(-sp.log(1 - sp.exp(self.args[0])))


class weibull_below(Special):
    r"""$(-\log(v + ue^{-w^k}))^{1/k}$: a quantile of the Weibull law of shape k below w, or of the Fréchet law above w."""

    nargs = 4
    value = staticmethod(_weibull_below)

    def slopes(self) -> tuple[Any, ...]:
        u, v, w, k = self.args
        mean, level = v + u * sp.exp(-(w**k)), self**k
        weight = u * sp.exp(-(w**k)) / mean * w**k / level
        in_u = 1 - sp.exp(-(w**k))
        return (
            self / k * in_u / (mean * level),
            sp.S.Zero,
            self / w * weight,
            self / k * (weight * sp.log(w) - sp.log(self)),
        )

    def definition(self) -> Any:
        u, _, w, k = self.args
        return (-sp.log(1 - u + u * sp.exp(-(w**k)))) ** (1 / k)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[2].is_positive and self.args[3].is_real else None


class mean_exponent(Special):
    r"""$\frac1x\log(v + ue^x)$, and u at zero: the exponent, as a share of x, of the mean of 1 and $e^x$."""

    nargs = 3
    value = staticmethod(_mean_exponent)

    @classmethod
    def eval(cls, u: Any, v: Any, x: Any) -> Any:
        return u if x.is_zero else None

    def slopes(self) -> tuple[Any, ...]:
        u, v, x = self.args
        mean = v + u * sp.exp(x)
        return exprel(x) / mean, sp.S.Zero, (u * sp.exp(x) / mean - self) / x

    def definition(self) -> Any:
        u, _, x = self.args
        return sp.log(1 - u + u * sp.exp(x)) / x

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[2].is_real else None


class log_mean_exponent(Special):
    r"""$\log(\frac1x\log(v + ue^x))$, with all its digits where the mean exponent is near one."""

    nargs = 3
    value = staticmethod(_log_mean_exponent)

    def slopes(self) -> tuple[Any, ...]:
        u, v, x = self.args
        return tuple(slope / mean_exponent(u, v, x) for slope in mean_exponent(u, v, x).slopes())

    def definition(self) -> Any:
        return sp.log(mean_exponent(*self.args).definition())


class log_rising(Special):
    r"""$\log\frac{\Gamma(x + n)}{\Gamma(x)}$, the logarithm of a rising factorial, small next to its terms for large x."""

    nargs = 2
    value = staticmethod(_log_rising)

    def slopes(self) -> tuple[Any, ...]:
        x, n = self.args
        return sp.digamma(x + n) - sp.digamma(x), sp.digamma(x + n)

    def definition(self) -> Any:
        x, n = self.args
        return sp.loggamma(x + n) - sp.loggamma(x)


class log_ratio(Special):
    r"""$\log\frac ba$ of positive numbers, where the quotient may be near one or beyond the format."""

    nargs = 2
    value = staticmethod(lambda b, a: mp.log(b / a))

    def slopes(self) -> tuple[Any, ...]:
        b, a = self.args
        return 1 / b, -1 / a

    def definition(self) -> Any:
        return sp.log(self.args[0] / self.args[1])


class geometric_mean(Special):
    r"""$a^s b^t$ of positive numbers, with weights s and t = 1 - s."""

    nargs = 4
    value = staticmethod(lambda a, b, s, t: a * exponential(t * mp.log(b / a)))

    def slopes(self) -> tuple[Any, ...]:
        a, b, s, t = self.args
        return s * self / a, t * self / b, sp.S.Zero, self * sp.log(b / a)

    def definition(self) -> Any:
        a, b, _, t = self.args
        return a * (b / a) ** t

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_positive and self.args[1].is_positive else None
