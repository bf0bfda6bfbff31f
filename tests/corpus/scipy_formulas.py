"""The densities of SciPy's continuous distributions as formulas in a standardised value x, with their shapes and supports.

A row is (shapes, formula, lower end, upper end) with what the shapes must satisfy and where the density is not smooth. Where a
sign of a shape changes the support, the positive one is meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp
from sympy import Abs, Rational, S, cos, cosh, erfc, exp, log, oo, pi, sqrt

x = sp.Symbol("x", real=True)
a, b, c, d, s, k, h, m, K = sp.symbols("a b c d s k h m K", positive=True)
df, dfn, dfd, nc, nu, mu, kappa, skew, chi, rho, beta, w = sp.symbols(
    "df dfn dfd nc nu mu kappa skew chi rho beta w", positive=True
)
p, ra, rb, u = (sp.Symbol(name, real=True) for name in ("p", "a", "b", "u"))
n, shape = sp.Symbol("n", integer=True, positive=True), sp.Symbol("a", integer=True, positive=True)
j = sp.Symbol("j", integer=True, nonnegative=True)

SHAPE, OTHER = [1, "0.3", 30, "2.5", "0.7"], ["1.5", 30, "0.3", "0.4", 6]
MILD, COUNT = [1, "0.3", 5, "2.5", "0.7"], [1, 2, 3, 5, 12]
BELOW, OVER = ["0.5", "0.1", "0.3", "2", "1"], ["0.8", 3, "2.5", "2.1", 12]
SIDE = [0, "-1.3", "0.4", 2, "0.7"]
INNER = ["0.5", "0.1", "0.9", "0.25", "0.7"]


@dataclass(frozen=True)
class Row:
    """A density in x with its shapes' values at five points."""

    formula: sp.Expr
    lower: Any = -oo
    upper: Any = oo
    shapes: dict[sp.Symbol, list[Any]] = field(default_factory=dict)
    conditions: tuple[Any, ...] = ()
    breaks: tuple[Any, ...] = ()
    numeric: Callable[..., Any] | None = None
    scaled: bool = True


def phi(t: Any) -> sp.Expr:
    return exp(-(t**2) / 2) / sqrt(2 * pi)


def Phi(t: Any) -> sp.Expr:
    return erfc(-t / sqrt(2)) / 2


def _mills(t: Any) -> sp.Expr:
    return erfc(t / sqrt(2)) / 2 * sqrt(2 * pi) * exp(t**2 / 2)


def _irwin_hall(t: Any, n: Any) -> Any:
    terms = ((-1) ** i * mp.binomial(n, i) * (t - i) ** (int(n) - 1) for i in range(int(mp.floor(t)) + 1))
    return mp.fsum(terms) / mp.factorial(n - 1)


def _smirnov(t: Any, n: Any) -> Any:
    """Minus the derivative of t sum_j C(n, j) (t + j/n)^(j-1) (1 - t - j/n)^(n-j)."""
    n, total = int(n), mp.mpf(0)
    for i in range(int(mp.floor(n * (1 - t))) + 1):
        up, down = t + mp.mpf(i) / n, 1 - t - mp.mpf(i) / n
        first = up ** (i - 1) * down ** (n - i)
        second = (i - 1) * up ** (i - 2) * down ** (n - i)
        third = (n - i) * up ** (i - 1) * down ** (n - i - 1) if i < n else 0
        total -= mp.binomial(n, i) * (first + t * second - t * third)
    return total


def _kolmogorov(t: Any) -> Any:
    if t > 1:
        return 8 * t * mp.fsum((-1) ** (i - 1) * i**2 * mp.exp(-2 * (i * t) ** 2) for i in range(1, 16))
    rates = [((2 * i - 1) * mp.pi) ** 2 / 8 for i in range(1, 16)]
    return mp.sqrt(2 * mp.pi) * mp.fsum((2 * r / t**4 - 1 / t**2) * mp.exp(-r / t**2) for r in rates)


def _bessel_k1(t: Any) -> Any:
    """The integral of exp(-t cosh s) cosh s over the half-line, by the trapezoidal rule, whose error is exp(-pi^2/h)."""
    digits = mp.mp.dps * mp.log(10)
    h = mp.pi**2 / (digits + 20)
    last = int(mp.acosh(1 + (digits + 20) / t) / h) + 1
    heights = (mp.exp(-t * mp.cosh(i * h)) * mp.cosh(i * h) for i in range(1, last + 1))
    return h * (mp.exp(-t) / 2 + mp.fsum(heights))


def _normal_inverse_gaussian(t: Any, a: Any, b: Any) -> Any:
    root = mp.sqrt(1 + t**2)
    if a * root > 10**6:
        return mp.mpf(0)
    return a * _bessel_k1(a * root) / (mp.pi * root) * mp.exp(mp.sqrt(a**2 - b**2) + b * t)


def _smirnov_term() -> sp.Expr:
    return sp.binomial(n, j) * sp.diff(x * (x + j / n) ** (j - 1) * (1 - x - j / n) ** (n - j), x)


CUT = 2 / (1 + d - c)
BREIT = sqrt(rho**2 + 1)
CRYSTAL = 1 / (m / beta / (m - 1) * exp(-(beta**2) / 2) + sqrt(2 * pi) * Phi(beta))
GH = sqrt(a**2 - rb**2)
NCT = nc**2 * x**2 / (2 * (df + x**2))
SKEW_T = x / sqrt(a + b + x**2)
LOGS = (log(x) - u) / s

ROWS: dict[str, Row] = {
    "norm": Row(phi(x)),
    "alpha": Row(phi(a - 1 / x) / (x**2 * Phi(a)), 0, oo, {a: [1, "0.3", 8, "2.5", "3.57"]}),
    "anglit": Row(sp.sin(2 * x + pi / 2), -pi / 4, pi / 4),
    "arcsine": Row(1 / (pi * sqrt(x * (1 - x))), 0, 1),
    "beta": Row(x ** (a - 1) * (1 - x) ** (b - 1) / sp.beta(a, b), 0, 1, {a: SHAPE, b: OTHER}),
    "betaprime": Row(x ** (a - 1) * (1 + x) ** (-a - b) / sp.beta(a, b), 0, oo, {a: SHAPE, b: OTHER}),
    "bradford": Row(c / (log(1 + c) * (1 + c * x)), 0, 1, {c: SHAPE}),
    "burr": Row(c * d * x ** (-c - 1) / (1 + x ** (-c)) ** (d + 1), 0, oo, {c: SHAPE, d: OTHER}),
    "burr12": Row(c * d * x ** (c - 1) / (1 + x**c) ** (d + 1), 0, oo, {c: SHAPE, d: OTHER}),
    "fisk": Row(c * x ** (c - 1) / (1 + x**c) ** 2, 0, oo, {c: SHAPE}),
    "cauchy": Row(1 / (pi * (1 + x**2))),
    "chi": Row(x ** (df - 1) * exp(-(x**2) / 2) / (2 ** (df / 2 - 1) * sp.gamma(df / 2)), 0, oo, {df: [1, "0.6", 30, 3, 8]}),
    "chi2": Row(x ** (df / 2 - 1) * exp(-x / 2) / (2 ** (df / 2) * sp.gamma(df / 2)), 0, oo, {df: [1, "0.6", 30, 3, 8]}),
    "cosine": Row((1 + cos(x)) / (2 * pi), -pi, pi),
    "crystalball": Row(
        CRYSTAL
        * sp.Piecewise(
            (exp(-(x**2) / 2), x > -beta), ((m / beta) ** m * exp(-(beta**2) / 2) * (m / beta - beta - x) ** (-m), True)
        ),
        shapes={beta: [1, "0.3", 3, "2.5", "0.7"], m: [2, "1.3", 12, 3, "4.5"]},
        conditions=(m > 1,),
        breaks=(-beta,),
    ),
    "dgamma": Row(Abs(x) ** (a - 1) * exp(-Abs(x)) / (2 * sp.gamma(a)), shapes={a: SHAPE}, breaks=(S.Zero,)),
    "dpareto_lognorm": Row(
        a * b / ((a + b) * x) * phi(LOGS) * (_mills(a * s - LOGS) + _mills(b * s + LOGS)),
        0,
        oo,
        {u: SIDE, s: MILD, a: ["1.5", "0.6", 4, 2, 3], b: [2, 3, "0.7", "1.2", 1]},
    ),
    "dweibull": Row(c / 2 * Abs(x) ** (c - 1) * exp(-(Abs(x) ** c)), shapes={c: SHAPE}, breaks=(S.Zero,)),
    "expon": Row(exp(-x), 0, oo),
    "exponnorm": Row(
        exp(1 / (2 * K**2) - x / K) * erfc(-(x - 1 / K) / sqrt(2)) / (2 * K), shapes={K: [1, "0.3", 8, "2.5", "0.7"]}
    ),
    "exponweib": Row(a * c * (1 - exp(-(x**c))) ** (a - 1) * exp(-(x**c)) * x ** (c - 1), 0, oo, {a: SHAPE, c: OTHER}),
    "exponpow": Row(b * x ** (b - 1) * exp(1 + x**b - exp(x**b)), 0, oo, {b: SHAPE}),
    "fatiguelife": Row((x + 1) / (2 * c * sqrt(2 * pi * x**3)) * exp(-((x - 1) ** 2) / (2 * x * c**2)), 0, oo, {c: MILD}),
    "foldcauchy": Row(1 / (pi * (1 + (x - c) ** 2)) + 1 / (pi * (1 + (x + c) ** 2)), 0, oo, {c: SHAPE}),
    "f": Row(
        dfn ** (dfn / 2) * dfd ** (dfd / 2) * x ** (dfn / 2 - 1)
        / ((dfd + dfn * x) ** ((dfn + dfd) / 2) * sp.beta(dfn / 2, dfd / 2)),
        0, oo, {dfn: [1, "0.6", 30, 5, 7], dfd: [3, 30, "0.6", 2, 9]},
    ),
    "foldnorm": Row(sqrt(2 / pi) * cosh(c * x) * exp(-(x**2 + c**2) / 2), 0, oo, {c: MILD}),
    "weibull_min": Row(c * x ** (c - 1) * exp(-(x**c)), 0, oo, {c: SHAPE}),
    "truncweibull_min": Row(
        c * x ** (c - 1) * exp(-(x**c)) / (exp(-(a**c)) - exp(-(b**c))), a, b,
        {c: MILD, a: BELOW, b: ["0.8", 3, "1.5", "2.1", 12]}, (a < b,),
    ),
    "weibull_max": Row(c * (-x) ** (c - 1) * exp(-((-x) ** c)), -oo, 0, {c: SHAPE}),
    "genlogistic": Row(c * exp(-x) / (1 + exp(-x)) ** (c + 1), shapes={c: SHAPE}),
    "genpareto": Row((1 + c * x) ** (-1 - 1 / c), 0, oo, {c: MILD}),
    "genexpon": Row(
        (a + b * (1 - exp(-c * x))) * exp((-a - b) * x + b / c * (1 - exp(-c * x))), 0, oo,
        {a: SHAPE, b: OTHER, c: MILD},
    ),
    "genextreme": Row(exp(-((1 - c * x) ** (1 / c))) * (1 - c * x) ** (1 / c - 1), -oo, 1 / c, {c: MILD}),
    "gamma": Row(x ** (a - 1) * exp(-x) / sp.gamma(a), 0, oo, {a: SHAPE}),
    "erlang": Row(x ** (shape - 1) * exp(-x) / sp.gamma(shape), 0, oo, {shape: [1, 3, 30, 2, 8]}),
    "gengamma": Row(c * x ** (c * a - 1) * exp(-(x**c)) / sp.gamma(a), 0, oo, {a: SHAPE, c: OTHER}),
    "genhalflogistic": Row(
        2 * (1 - c * x) ** (1 / c - 1) / (1 + (1 - c * x) ** (1 / c)) ** 2, 0, 1 / c, {c: MILD}
    ),
    "genhyperbolic": Row(
        GH**p / (sqrt(2 * pi) * a ** (p - Rational(1, 2)) * sp.besselk(p, GH)) * exp(rb * x)
        * sp.besselk(p - Rational(1, 2), a * sqrt(1 + x**2)) / sqrt(1 + x**2) ** (Rational(1, 2) - p),
        shapes={p: SIDE, a: ["1.5", "0.9", 6, 2, "3.1"], rb: ["0.5", "-0.4", 2, "-1.5", 0]},
        conditions=(rb < a, -a < rb),
    ),
    "gompertz": Row(c * exp(x) * exp(-c * (exp(x) - 1)), 0, oo, {c: SHAPE}),
    "gumbel_r": Row(exp(-(x + exp(-x)))),
    "gumbel_l": Row(exp(x - exp(x))),
    "halfcauchy": Row(2 / (pi * (1 + x**2)), 0, oo),
    "halflogistic": Row(2 * exp(-x) / (1 + exp(-x)) ** 2, 0, oo),
    "halfnorm": Row(sqrt(2 / pi) * exp(-(x**2) / 2), 0, oo),
    "hypsecant": Row(1 / (pi * cosh(x))),
    "gausshyper": Row(
        x ** (a - 1) * (1 - x) ** (b - 1) * (1 + w * x) ** (-p) / (sp.beta(a, b) * sp.hyper([p, a], [a + b], -w)), 0, 1,
        {a: ["1.5", "0.6", 8, "2.5", 3], b: ["2.5", 4, "0.7", 1, 3], p: SIDE, w: ["0.5", "0.2", "0.9", 3, 1]},
    ),
    "invgamma": Row(x ** (-a - 1) * exp(-1 / x) / sp.gamma(a), 0, oo, {a: SHAPE}),
    "invgauss": Row(1 / sqrt(2 * pi * x**3) * exp(-((x - mu) ** 2) / (2 * x * mu**2)), 0, oo, {mu: MILD}),
    "geninvgauss": Row(x ** (p - 1) * exp(-b * (x + 1 / x) / 2) / (2 * sp.besselk(p, b)), 0, oo, {p: SIDE, b: OTHER}),
    "norminvgauss": Row(
        a * sp.besselk(1, a * sqrt(1 + x**2)) / (pi * sqrt(1 + x**2)) * exp(GH + rb * x),
        shapes={a: ["1.5", "0.9", 6, 2, "3.1"], rb: ["0.5", "-0.4", 2, "-1.5", 0]}, conditions=(rb < a, -a < rb),
        numeric=_normal_inverse_gaussian,
    ),
    "invweibull": Row(c * x ** (-c - 1) * exp(-(x ** (-c))), 0, oo, {c: SHAPE}),
    "jf_skew_t": Row(
        (1 + SKEW_T) ** (a + Rational(1, 2)) * (1 - SKEW_T) ** (b + Rational(1, 2))
        / (2 ** (a + b - 1) * sp.beta(a, b) * sqrt(a + b)),
        shapes={a: ["1.5", "0.6", 8, 4, "0.9"], b: [1, 3, 2, "4.5", "0.7"]},
    ),
    "johnsonsb": Row(b / (x * (1 - x)) * phi(ra + b * log(x / (1 - x))), 0, 1, {ra: SIDE, b: MILD}),
    "johnsonsu": Row(b / sqrt(x**2 + 1) * phi(ra + b * log(x + sqrt(x**2 + 1))), shapes={ra: SIDE, b: MILD}),
    "laplace": Row(exp(-Abs(x)) / 2, breaks=(S.Zero,)),
    "laplace_asymmetric": Row(
        sp.Piecewise((exp(-x * kappa), x >= 0), (exp(x / kappa), True)) / (kappa + 1 / kappa),
        shapes={kappa: MILD}, breaks=(S.Zero,),
    ),
    "levy": Row(1 / sqrt(2 * pi * x**3) * exp(-1 / (2 * x)), 0, oo),
    "levy_l": Row(1 / (Abs(x) * sqrt(2 * pi * Abs(x))) * exp(-1 / (2 * Abs(x))), -oo, 0),
    "logistic": Row(exp(-x) / (1 + exp(-x)) ** 2),
    "loggamma": Row(exp(c * x - exp(x)) / sp.gamma(c), shapes={c: SHAPE}),
    "loglaplace": Row(
        sp.Piecewise((c / 2 * x ** (c - 1), x < 1), (c / 2 * x ** (-c - 1), True)), 0, oo, {c: SHAPE}, breaks=(S.One,)
    ),
    "lognorm": Row(exp(-(log(x) ** 2) / (2 * s**2)) / (s * x * sqrt(2 * pi)), 0, oo, {s: MILD}),
    "gibrat": Row(exp(-(log(x) ** 2) / 2) / (x * sqrt(2 * pi)), 0, oo),
    "maxwell": Row(sqrt(2 / pi) * x**2 * exp(-(x**2) / 2), 0, oo),
    "mielke": Row(k * x ** (k - 1) / (1 + x**s) ** (1 + k / s), 0, oo, {k: SHAPE, s: OTHER}),
    "kappa4": Row(
        (1 - k * x) ** (1 / k - 1) * (1 - h * (1 - k * x) ** (1 / k)) ** (1 / h - 1), (1 - h ** (-k)) / k, 1 / k,
        {h: ["0.5", "0.3", 2, "1.5", "0.9"], k: ["0.7", 2, "0.3", 1, "1.5"]},
    ),
    "kappa3": Row(a * (a + x**a) ** (-(a + 1) / a), 0, oo, {a: MILD}),
    "moyal": Row(exp(-(x + exp(-x)) / 2) / sqrt(2 * pi)),
    "nakagami": Row(2 * nu**nu / sp.gamma(nu) * x ** (2 * nu - 1) * exp(-nu * x**2), 0, oo, {nu: SHAPE}),
    "ncx2": Row(
        exp(-(nc + x) / 2) * (x / nc) ** ((df - 2) / 4) * sp.besseli((df - 2) / 2, sqrt(nc * x)) / 2, 0, oo,
        {df: [1, "0.6", 12, 3, 8], nc: [1, "0.2", 5, 20, 2]},
    ),
    "ncf": Row(
        exp(-nc / 2) * (dfn / dfd) ** (dfn / 2) * x ** (dfn / 2 - 1) * (1 + dfn * x / dfd) ** (-(dfn + dfd) / 2)
        * sp.hyper([(dfn + dfd) / 2], [dfn / 2], nc * dfn * x / (2 * (dfd + dfn * x))) / sp.beta(dfn / 2, dfd / 2),
        0, oo, {dfn: [1, 4, 12, 5, 7], dfd: [3, 12, 2, "2.5", 9], nc: [1, "0.2", 5, 10, 2]},
    ),
    "t": Row(
        sp.gamma((df + 1) / 2) / (sqrt(pi * df) * sp.gamma(df / 2) * (1 + x**2 / df) ** ((df + 1) / 2)),
        shapes={df: [3, "0.6", 30, "2.5", 1]},
    ),
    "nct": Row(
        df ** (df / 2) * sp.gamma(df + 1) / (2**df * exp(nc**2 / 2) * (df + x**2) ** (df / 2) * sp.gamma(df / 2))
        * (
            sqrt(2) * nc * x * sp.hyper([df / 2 + 1], [Rational(3, 2)], NCT) / ((df + x**2) * sp.gamma((df + 1) / 2))
            + sp.hyper([(df + 1) / 2], [Rational(1, 2)], NCT) / (sqrt(df + x**2) * sp.gamma(df / 2 + 1))
        ),
        shapes={df: [3, 12, "2.5", 5, 8], nc: [1, "0.2", 3, 2, "0.5"]},
    ),
    "pareto": Row(b * x ** (-b - 1), 1, oo, {b: SHAPE}),
    "lomax": Row(c * (1 + x) ** (-c - 1), 0, oo, {c: SHAPE}),
    "pearson3": Row(
        2 / skew / sp.gamma(4 / skew**2) * (2 / skew * (x + 2 / skew)) ** (4 / skew**2 - 1)
        * exp(-2 / skew * (x + 2 / skew)), -2 / skew, oo, {skew: [1, "0.4", 2, "2.5", "0.7"]},
    ),
    "powerlaw": Row(a * x ** (a - 1), 0, 1, {a: SHAPE}),
    "powerlognorm": Row(c / (x * s) * phi(log(x) / s) * Phi(-log(x) / s) ** (c - 1), 0, oo, {c: SHAPE, s: MILD}),
    "powernorm": Row(c * phi(x) * Phi(-x) ** (c - 1), shapes={c: SHAPE}),
    "rdist": Row((1 - x**2) ** (c / 2 - 1) / sp.beta(Rational(1, 2), c / 2), -1, 1, {c: ["1.5", "0.6", 30, 3, "2.5"]}),
    "rayleigh": Row(x * exp(-(x**2) / 2), 0, oo),
    "loguniform": Row(1 / (x * log(b / a)), a, b, {a: BELOW, b: OVER}, (a < b,)),
    "reciprocal": Row(1 / (x * (log(b) - log(a))), a, b, {a: BELOW, b: OVER}, (a < b,)),
    "rice": Row(x * exp(-(x**2 + b**2) / 2) * sp.besseli(0, x * b), 0, oo, {b: MILD}),
    "recipinvgauss": Row(1 / sqrt(2 * pi * x) * exp(-((1 - mu * x) ** 2) / (2 * x * mu**2)), 0, oo, {mu: MILD}),
    "semicircular": Row(2 / pi * sqrt(1 - x**2), -1, 1),
    "skewcauchy": Row(
        1 / (pi * (x**2 / (1 + ra * sp.sign(x)) ** 2 + 1)), shapes={ra: [0, "-0.4", "0.9", "0.25", "-0.8"]},
        conditions=(ra < 1, ra > -1), breaks=(S.Zero,),
    ),
    "skewnorm": Row(2 * phi(x) * Phi(ra * x), shapes={ra: SIDE}),
    "trapezoid": Row(
        sp.Piecewise((CUT * x / c, x < c), (CUT, x < d), (CUT * (1 - x) / (1 - d), True)), 0, 1,
        {c: ["0.3", "0.1", "0.5", "0.2", "0.45"], d: ["0.6", "0.9", "0.55", "0.25", "0.8"]}, (c < d, d < 1), (c, d),
    ),
    "triang": Row(
        sp.Piecewise((2 * x / c, x < c), (2 * (1 - x) / (1 - c), True)), 0, 1, {c: INNER}, (c < 1,), (c,)
    ),
    "truncexpon": Row(exp(-x) / (1 - exp(-b)), 0, b, {b: MILD}),
    "truncnorm": Row(
        phi(x) / (Phi(rb) - Phi(ra)), ra, rb, {ra: SIDE, rb: [1, "2.1", "0.7", 9, 3]}, (ra < rb,)
    ),
    "truncpareto": Row(b / (1 - c ** (-b)) / x ** (b + 1), 1, c, {b: MILD, c: ["1.5", 3, 12, "1.1", 40]}, (c > 1,)),
    "uniform": Row(S.One, 0, 1),
    "vonmises": Row(exp(kappa * cos(x)) / (2 * pi * sp.besseli(0, kappa)), -pi, pi, {kappa: SHAPE}, scaled=False),
    "vonmises_line": Row(exp(kappa * cos(x)) / (2 * pi * sp.besseli(0, kappa)), -pi, pi, {kappa: SHAPE}),
    "wald": Row(1 / sqrt(2 * pi * x**3) * exp(-((x - 1) ** 2) / (2 * x)), 0, oo),
    "wrapcauchy": Row((1 - c**2) / (2 * pi * (1 + c**2 - 2 * c * cos(x))), 0, 2 * pi, {c: INNER}, (c < 1,)),
    "gennorm": Row(
        beta / (2 * sp.gamma(1 / beta)) * exp(-(Abs(x) ** beta)), shapes={beta: [2, "0.5", 12, 1, "1.4"]},
        breaks=(S.Zero,),
    ),
    "halfgennorm": Row(beta / sp.gamma(1 / beta) * exp(-(x**beta)), 0, oo, {beta: [2, "0.5", 12, 1, "1.4"]}),
    "argus": Row(
        chi**3 / (sqrt(2 * pi) * (Phi(chi) - chi * phi(chi) - Rational(1, 2))) * x * sqrt(1 - x**2)
        * exp(-(chi**2) * (1 - x**2) / 2), 0, 1, {chi: MILD},
    ),
    "rel_breitwigner": Row(
        2 * sqrt(2) * rho**2 * BREIT / (pi * sqrt(rho**2 + rho * BREIT)) / ((x**2 - rho**2) ** 2 + rho**2), 0, oo,
        {rho: MILD},
    ),
    "irwinhall": Row(
        sp.Sum((-1) ** j * sp.binomial(n, j) * (x - j) ** (n - 1), (j, 0, sp.floor(x))) / sp.factorial(n - 1), 0, n,
        {n: COUNT}, breaks=tuple(sp.Integer(i) for i in range(1, 12)), numeric=_irwin_hall,
    ),
    "ksone": Row(
        -sp.Sum(_smirnov_term(), (j, 0, sp.floor(n * (1 - x)))), 0, 1, {n: COUNT},
        breaks=tuple(i / n for i in range(1, 12)), numeric=_smirnov,
    ),
    "kstwobign": Row(
        8 * x * sp.Sum((-1) ** j * (j + 1) ** 2 * exp(-2 * (j + 1) ** 2 * x**2), (j, 0, oo)), 0, oo,
        numeric=_kolmogorov,
    ),
}  # fmt: skip

UNWRITTEN = {
    "kstwo": "the exact two-sided Kolmogorov-Smirnov law has no formula of fixed length: its CDF is a power of a matrix",
    "landau": "an oscillating integral",
    "levy_stable": "an inverse Fourier transform without closed form",
    "studentized_range": "a double integral",
    "tukeylambda": "only its quantile function is written down; the density needs its inverse",
}
