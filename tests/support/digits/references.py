"""Define laws with closed quantile functions for the measurement of digits, and the parts of their references by mpmath.

A quantile function is written by hand from the law's distribution function, in u and v = 1 - u and without differences that
cancel, so that it shares nothing with symaux. ``made`` maps free draws to parameters, where some of them are ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp

import symaux as sa

Point = Mapping[str, Any]
Parameters = dict[str, str]
FAR = 10**8  # the argument of an exponential beyond which it is infinite or zero in every format


@dataclass(frozen=True)
class DigitLaw:
    """A law, its parameters with their signs (+ for positive), its quantile function, and the ends of its support."""

    name: str
    law: Callable[[], Any]
    parameters: Parameters
    quantile: Callable[..., Any]
    ends: Callable[[Point], tuple[Any, Any]] = lambda p: (0, mp.inf)
    made: Callable[[dict[str, float]], dict[str, float]] = lambda p: p
    extra: tuple[Point, ...] = field(default=())


def exp(x: Any) -> Any:
    return mp.inf if x > FAR else mp.mpf(0) if x < -FAR else mp.exp(x)


def expm1(x: Any) -> Any:
    return mp.inf if x > FAR else mp.mpf(-1) if x < -FAR else mp.expm1(x)


def power(base: Any, exponent: Any) -> Any:
    return base if base in (0, mp.inf) else exp(exponent * mp.log(base))


def log_below(u: Any, v: Any) -> Any:
    """log u, by v = 1 - u where that is small."""
    return mp.log1p(-v) if v < 0.5 else mp.log(u)


def softplus(x: Any) -> Any:
    return mp.log1p(exp(x)) if x < 0 else x + mp.log1p(exp(-x))


def log1mexp(x: Any) -> Any:
    """log(1 - exp(x)) for negative x."""
    return mp.log(-expm1(x)) if x > -1 else mp.log1p(-exp(x))


def cloglog(x: Any) -> Any:
    """log(-log(1 - exp(x))) for negative x, which is x far down."""
    return x if x < -2000 else mp.log(-log1mexp(x))


def normal(u: Any, v: Any) -> Any:
    """The normal quantile, by the smaller tail: flint's inverse error function."""
    from flint import arb, ctx

    ctx.prec = int(mp.mp.prec) + 20
    low = u < v
    tail = u if low else v
    man, power_of_two = mp.mpf(2 * tail).man_exp
    root = (arb(int(man)) * arb(2) ** int(power_of_two)).erfcinv() * arb(2).sqrt()
    value = mp.mpf(root.mid().str(mp.mp.dps, radius=False))
    return -value if low else value


def normal_tail(x: Any) -> Any:
    """Phi(-x)."""
    return mp.erfc(x / mp.sqrt(2)) / 2


Z = sp.Symbol("z", positive=True)
X = sp.Symbol("x", real=True)
P = {n: sp.Symbol(n, positive=True) for n in ("a", "b", "c", "k", "m", "r", "s", "w")}
R = {n: sp.Symbol(n, real=True) for n in ("mu", "lo", "hi", "t")}
a, b, c, k, m, r, s, w = P.values()
mu, lo, hi, t = R.values()
oo = sp.oo


def density_law(density: Any, support: Any = (0, oo), value: Any = Z) -> Callable[[], Any]:
    return lambda: sa.law(value, density, support=support)


def cdf_law(cdf: Any, support: Any = (0, oo), value: Any = Z) -> Callable[[], Any]:
    return lambda: sa.law(value, sp.diff(cdf, value), support=support)


def family_law(name: str, value: Any, *parameters: Any) -> Callable[[], Any]:
    return lambda: getattr(sa, name)(value, *parameters)


def LINE(p: Point) -> tuple[Any, Any]:
    return -mp.inf, mp.inf


def UNIT(p: Point) -> tuple[Any, Any]:
    return 0, 1


def sinh(x: Any) -> Any:
    return (expm1(x) - expm1(-x)) / 2


def transmuted(u: Any, v: Any, share: Any) -> Any:
    """-log(1 - F) with (1 + share) F - share F**2 = u."""
    q = 1 + share
    below = 2 * u / (q + mp.sqrt(q**2 - 4 * share * u))
    return -mp.log1p(-below)


def far_tail(c: Any, rate: Any) -> Any:
    """The distance from a cut c far out in the normal tail, by Newton's method on log(Phi(-c - d) / Phi(-c)) = -rate."""
    d = rate / c

    def log_mills(x: Any) -> Any:  # log(Phi(-x)) + x**2/2, by the continued fraction, which converges far out
        value = x
        for n in range(120, 0, -1):
            value = x + n / value
        return -mp.log(value)

    for _ in range(60):
        off = log_mills(c + d) - log_mills(c) - c * d - d * d / 2 + rate
        step = off / mp.exp(-log_mills(c + d))
        d += step
        if abs(step) < abs(d) * mp.mpf(10) ** -60:
            break
    return d


def normal_between(u: Any, v: Any, mu: Any, s: Any, lo: Any, hi: Any) -> Any:
    left, right = (lo - mu) / s, (hi - mu) / s
    if left > 30 or right < -30:
        return None
    if left + right > 0:
        return mu - s * normal(
            v * normal_tail(left) + u * normal_tail(right), v * normal_tail(-left) + u * normal_tail(-right)
        )
    return mu + s * normal(
        v * normal_tail(-left) + u * normal_tail(-right), v * normal_tail(left) + u * normal_tail(right)
    )


def truncated_weibull(u: Any, v: Any, k: Any, w: Any) -> Any:
    """(-log(v + u exp(-w**k)))**(1/k), from its ratio to w where the power is small."""
    log_top = k * mp.log(w)
    if log_top < -1000:  # the law is u**(1/k) there, to more digits than any format has
        return w * exp(log_below(u, v) / k)
    top = exp(log_top) if log_top < 100 else mp.inf
    level = -mp.log1p(u * expm1(-top)) if top < 1 or u < 0.5 else -mp.log(v + u * exp(-top))
    return exp(mp.log(level) / k)


def cut_frechet(u: Any, v: Any, a: Any, m: Any) -> Any:
    """F(z) = (exp(m**-a - z**-a) - 1) / (exp(m**-a) - 1): a Weibull law of shape -a, from above."""
    return truncated_weibull(v, u, -a, m)
