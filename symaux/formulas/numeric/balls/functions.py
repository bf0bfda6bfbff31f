r"""Map each function of formulas to its enclosure on balls and on series of balls, in one table.

A function that flint has for series is flint's; one whose derivative is known is $y_0 + \int f'(x)\,x'$; one whose Taylor
coefficients are known is composed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from flint import arb, arb_series

from symaux.formulas.functions import elementary as own
from symaux.formulas.functions import registry as special
from symaux.formulas.numeric.balls.distributions import PROBABILITIES
from symaux.formulas.numeric.balls.gaussian_sums import alternating_gaussian
from symaux.formulas.numeric.balls.inverses import inverse_series
from symaux.formulas.numeric.balls.signs import (
    Undecided,
    constant_term,
    is_positive,
    monotone_image,
    require_finite,
    require_sign,
)
from symaux.formulas.numeric.balls.taylor import bessel, digamma, hypergeometric, polygamma, require_constant
from symaux.formulas.numeric.balls.trig import cosine, sine

Value = Any


def _method(name: str, where: Callable[[Value], bool] = lambda _: True) -> Callable[[Value], Value]:
    def function(x: Value) -> Value:
        if not where(x):
            raise Undecided(f"{name} of a ball where it is not defined throughout")
        return getattr(x, name)()

    return function


def _inside_one(x: Value) -> bool:
    return bool(abs(constant_term(x)) < 1)


def quotient(a: Value, b: Value) -> Value:
    """Return a/b; raise Undecided if b contains zero."""
    if constant_term(b).contains(0):
        raise Undecided("a division by what may be zero")
    return a / b


def _tanh(x: Value) -> Value:
    return 1 - 2 / ((2 * x).exp() + 1) if is_positive(x) else 2 / ((-2 * x).exp() + 1) - 1


def _asinh(x: Value) -> Value:
    return -_asinh(-x) if constant_term(x) < 0 else (x + (x * x + 1).sqrt()).log()


def _acosh(x: Value) -> Value:
    if not constant_term(x) > 1:
        raise Undecided("acosh of a ball that reaches 1")
    return (x + (x * x - 1).sqrt()).log()


def _atanh(x: Value) -> Value:
    if not _inside_one(x):
        raise Undecided("atanh of a ball that reaches 1")
    return ((1 + x) / (1 - x)).log() / 2


def erfinv(x: Value) -> Value:
    """Enclose the inverse error function."""
    if not _inside_one(x):
        raise Undecided("erfinv of a ball that reaches 1")
    start = monotone_image(arb.erfinv, constant_term(x))
    if not isinstance(x, arb_series):
        return start
    return inverse_series(lambda y: y.erf(), lambda y: (-y * y).exp() * 2 / arb.pi().sqrt(), start, x)


def ndtri(u: Value) -> Value:
    """Enclose the normal quantile by the smaller tail, so that no digits are lost in either tail."""
    if constant_term(u) > arb(1) / 2:
        return -ndtri(1 - u)
    return -arb(2).sqrt() * erfcinv(2 * u)


def erfcinv(x: Value) -> Value:
    """Enclose the inverse complementary error function."""
    if not (constant_term(x) > 0 and constant_term(x) < 2):
        raise Undecided("erfcinv of a ball that reaches 0 or 2")
    start = monotone_image(arb.erfcinv, constant_term(x))
    if not isinstance(x, arb_series):
        return start
    return inverse_series(lambda y: y.erfc(), lambda y: (-y * y).exp() * -2 / arb.pi().sqrt(), start, x)


def ndtr(x: Value) -> Value:
    """Enclose the normal distribution function."""
    return (-x / arb(2).sqrt()).erfc() / 2


def _lambertw(x: Value, branch: Value = None) -> Value:
    number = 0 if branch is None else int(float(require_constant(branch).mid()))
    low = -arb(-1).exp()
    if not constant_term(x) > low or (number == -1 and not constant_term(x) < 0):
        raise Undecided("W of a ball that reaches its branch point")
    return x.lambertw(number)


def _extreme(sign: int) -> Callable[..., Value]:
    def function(*args: Value) -> Value:
        best = args[0]
        for other in args[1:]:
            if isinstance(best, arb) and isinstance(other, arb):
                best = best.max(other) if sign > 0 else best.min(other)
            else:
                best = other if require_sign(other - best) == sign else best
        return best

    return function


def _abs(x: Value) -> Value:
    if isinstance(x, arb):
        return abs(x)
    return x if require_sign(x) > 0 else -x


def _step(below: int, above: int) -> Callable[..., Value]:
    """Return a step function at zero; a ball that contains zero gives the hull of both values."""

    def function(x: Value, *_: Value) -> Value:
        if isinstance(x, arb) and require_finite(x).contains(0):
            return arb(below).union(arb(above))
        return arb(above if require_sign(x) > 0 else below)

    return function


def _floor(x: Value) -> Value:
    """Return the floor of a ball; that of a series only if the ball lies between two integers."""
    enclosure = require_finite(constant_term(x)).floor()
    if isinstance(x, arb_series) and not enclosure.is_exact():
        raise Undecided("a floor that a ball does not decide")
    return enclosure


def _atan2(y: Value, x: Value) -> Value:
    if not is_positive(x):
        raise Undecided("atan2 off the right half-plane")
    return quotient(y, x).atan()


def _logit(x: Value) -> Value:
    return FUNCTIONS[sp.log](x) - FUNCTIONS[sp.log](1 - x)


def _log_beta(a: Value, b: Value) -> Value:
    lgamma = FUNCTIONS[sp.loggamma]
    return lgamma(a) + lgamma(b) - lgamma(a + b)


FUNCTIONS: dict[Any, Callable[..., Value]] = {
    sp.exp: _method("exp"),
    sp.log: _method("log", is_positive),
    sp.sin: sine,
    sp.cos: cosine,
    sp.tan: lambda x: quotient(sine(x), cosine(x)),
    sp.cot: lambda x: quotient(cosine(x), sine(x)),
    sp.sec: lambda x: quotient(1, cosine(x)),
    sp.csc: lambda x: quotient(1, sine(x)),
    sp.sinh: lambda x: (x.exp() - (-x).exp()) / 2,
    sp.cosh: lambda x: (x.exp() + (-x).exp()) / 2,
    sp.tanh: _tanh,
    sp.sech: lambda x: 2 / (x.exp() + (-x).exp()),
    sp.csch: lambda x: quotient(2, x.exp() - (-x).exp()),
    sp.coth: lambda x: quotient(1, _tanh(x)),
    sp.asin: _method("asin", _inside_one),
    sp.acos: _method("acos", _inside_one),
    sp.atan: _method("atan"),
    sp.acot: lambda x: quotient(1, x).atan(),
    sp.atan2: _atan2,
    sp.asinh: _asinh,
    sp.acosh: _acosh,
    sp.atanh: _atanh,
    sp.erf: _method("erf"),
    sp.erfc: _method("erfc"),
    sp.erfi: _method("erfi"),
    sp.erfinv: erfinv,
    sp.erfcinv: erfcinv,
    sp.gamma: _method("gamma"),
    sp.loggamma: _method("lgamma", is_positive),
    sp.factorial: lambda n: (n + 1).gamma(),
    sp.beta: lambda a, b=None: _log_beta(a, a if b is None else b).exp(),
    sp.binomial: lambda n, k: (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma(),
    sp.digamma: digamma,
    sp.polygamma: polygamma,
    sp.LambertW: _lambertw,
    sp.besseli: bessel("bessel_i", 1),
    sp.besselj: bessel("bessel_j", 1, -1),
    sp.besselk: bessel("bessel_k", -1),
    sp.hyper: hypergeometric,
    sp.zeta: lambda s: require_finite(require_constant(s).zeta()),
    sp.floor: _floor,
    sp.ceiling: lambda x: -_floor(-x),
    sp.Abs: _abs,
    sp.sign: _step(-1, 1),
    sp.Heaviside: _step(0, 1),
    sp.Max: _extreme(1),
    sp.Min: _extreme(-1),
    own.ndtr: ndtr,
    own.ndtri: ndtri,
    own.log_ndtr: lambda x: ndtr(x).log(),
    own.softplus: lambda x: (1 + x.exp()).log(),
    own.log1mexp: lambda x: FUNCTIONS[sp.log](1 - x.exp()),
    own.logistic: lambda x: 1 / (1 + (-x).exp()),
    own.complement: lambda x: 1 - x,
    own.log1p: lambda x: FUNCTIONS[sp.log](1 + x),
    own.expm1: lambda x: x.exp() - 1,
    special.log_iv_over_power: lambda nu, x: bessel("bessel_i", 1)(nu, x).log() - nu * (x / 2).log(),
    special.alternating_gaussian: alternating_gaussian,
    special.normal_between: lambda u, v, lo, hi, mu, s: (
        mu + s * ndtri(v * ndtr(quotient(lo - mu, s)) + u * ndtr(quotient(hi - mu, s)))
    ),
    special.ndtri_below: lambda u, v, b: ndtri(u * ndtr(b)),
    special.ndtri_gap: lambda u, v, b: b - ndtri(u * ndtr(b)),
    special.exprel: lambda x, c: quotient((c * x).exp() - 1, c),
    special.logrel: lambda x, c: quotient(FUNCTIONS[sp.log](1 + c * x), c),
    special.log1p_scaled: lambda m, x: x * FUNCTIONS[sp.log](1 + quotient(m, x)),
    special.recip_expm1: lambda x: quotient(1, x.exp() - 1),
    special.log_expm1: lambda x: FUNCTIONS[sp.log](x.exp() - 1),
    special.cloglog_exp: lambda x: FUNCTIONS[sp.log](-FUNCTIONS[sp.log](1 - x.exp())),
    special.weibull_below: lambda u, v, w, k: (
        FUNCTIONS[sp.log](-FUNCTIONS[sp.log](v + u * (-(FUNCTIONS[sp.log](w) * k).exp()).exp())) / k
    ).exp(),
    special.mean_exponent: lambda u, v, x: quotient(FUNCTIONS[sp.log](v + u * x.exp()), x),
    special.log_mean_exponent: lambda u, v, x: FUNCTIONS[sp.log](FUNCTIONS[special.mean_exponent](u, v, x)),
    special.log_ratio: lambda b, a: FUNCTIONS[sp.log](b / a),
    special.log_rising: lambda x, n: FUNCTIONS[sp.loggamma](x + n) - FUNCTIONS[sp.loggamma](x),
    special.geometric_mean: lambda a, b, s, t: a * (FUNCTIONS[sp.log](b / a) * t).exp(),
    special.gammaincinv_gap: lambda a, u, v, x: (
        x - PROBABILITIES[special.gammaincinv](a, u * PROBABILITIES[special.gammainc](a, x))
    ),
    special.tanpi: lambda x: FUNCTIONS[sp.tan](x * arb.pi()),
    special.cotpi: lambda x: FUNCTIONS[sp.cot](x * arb.pi()),
    special.log_gamma_quantile: lambda a, log_u, log_q: FUNCTIONS[sp.log](
        PROBABILITIES[special.gammaincinv](a, log_u.exp())
    ),
    special.logit_betaincinv: lambda a, b, log_u, log_q: _logit(PROBABILITIES[special.betaincinv](a, b, log_u.exp())),
} | PROBABILITIES
