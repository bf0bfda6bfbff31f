"""List laws with unbounded support by their formulas, for the measurement of digits."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from support.digits.references import (
    LINE,
    DigitLaw,
    X,
    Z,
    a,
    b,
    c,
    cdf_law,
    cloglog,
    density_law,
    exp,
    expm1,
    k,
    log1mexp,
    log_below,
    m,
    mu,
    normal,
    oo,
    power,
    r,
    s,
    sinh,
    transmuted,
)

e = sp.exp

TAILS = (
    DigitLaw(
        "generalised Pareto",
        density_law((1 + c * Z / s) ** (-1 / c - 1) / s),
        {"c": "+", "s": "+"},
        lambda u, v, c, s: s * expm1(-c * log_below(v, u)) / c,
        extra=({"c": 1e-300, "s": 2.0}, {"c": 1e-30, "s": 1.0}),
    ),
    DigitLaw(
        "generalised extreme value",
        density_law(
            (1 + c * (X - mu) / s) ** (-1 / c - 1) * e(-((1 + c * (X - mu) / s) ** (-1 / c))) / s, (mu - s / c, oo), X
        ),
        {"c": "+", "mu": "", "s": "+"},
        lambda u, v, c, mu, s: mu + s * expm1(-c * mp.log(-log_below(u, v))) / c,
        lambda p: (p["mu"] - p["s"] / p["c"], mp.inf),
    ),
    DigitLaw(
        "reversed extreme value",
        density_law((1 - c * X) ** (1 / c - 1) * e(-((1 - c * X) ** (1 / c))), (-oo, 1 / c), X),
        {"c": "+"},
        lambda u, v, c: -expm1(c * mp.log(-log_below(u, v))) / c,
        lambda p: (-mp.inf, 1 / p["c"]),
    ),
    DigitLaw(
        "Lomax",
        density_law(c / s * (1 + Z / s) ** (-c - 1)),
        {"c": "+", "s": "+"},
        lambda u, v, c, s: s * expm1(-log_below(v, u) / c),
    ),
    DigitLaw(
        "Burr",
        density_law(c * a * Z ** (c - 1) * (1 + Z**c) ** (-a - 1)),
        {"a": "+", "c": "+"},
        lambda u, v, a, c: (
            power(expm1(-log_below(v, u) / a), 1 / c)
            if -log_below(v, u) / a < 1000
            else exp((-log_below(v, u) / a + log1mexp(log_below(v, u) / a)) / c)
        ),
    ),
    DigitLaw(
        "Burr with a scale",
        density_law(c * a / s * (Z / s) ** (c - 1) * (1 + (Z / s) ** c) ** (-a - 1)),
        {"a": "+", "c": "+", "s": "+"},
        lambda u, v, a, c, s: s * exp((-log_below(v, u) / a + log1mexp(log_below(v, u) / a)) / c),
    ),
    DigitLaw(
        "Dagum",
        density_law(a * c / s * (Z / s) ** (a * c - 1) * (1 + (Z / s) ** a) ** (-c - 1)),
        {"a": "+", "c": "+", "s": "+"},
        lambda u, v, a, c, s: s * exp(-(-log_below(u, v) / c + log1mexp(log_below(u, v) / c)) / a),
    ),
    DigitLaw(
        "log-logistic",
        density_law(k / s * (Z / s) ** (k - 1) / (1 + (Z / s) ** k) ** 2),
        {"k": "+", "s": "+"},
        lambda u, v, k, s: s * exp((log_below(u, v) - log_below(v, u)) / k),
    ),
    DigitLaw(
        "Gompertz",
        density_law(a * b * e(b * Z) * e(-a * (e(b * Z) - 1))),
        {"a": "+", "b": "+"},
        lambda u, v, a, b: mp.log1p(-log_below(v, u) / a) / b,
    ),
    DigitLaw(
        "Gompertz-Makeham hazard",
        density_law(a * e(b * Z) * e(-a / b * (e(b * Z) - 1))),
        {"a": "+", "b": "+"},
        lambda u, v, a, b: mp.log1p(-b / a * log_below(v, u)) / b,
    ),
    DigitLaw(
        "exponentiated exponential",
        cdf_law((1 - e(-r * Z)) ** a),
        {"a": "+", "r": "+"},
        lambda u, v, a, r: -log1mexp(log_below(u, v) / a) / r,
    ),
    DigitLaw(
        "exponentiated Weibull",
        cdf_law((1 - e(-((Z / s) ** k))) ** a),
        {"a": "+", "k": "+", "s": "+"},
        lambda u, v, a, k, s: s * exp(cloglog(log_below(u, v) / a) / k),
    ),
    DigitLaw(
        "Marshall-Olkin exponential",
        cdf_law((1 - e(-r * Z)) / (1 - (1 - m) * e(-r * Z))),
        {"m": "+", "r": "+"},
        lambda u, v, m, r: mp.log1p(m * u / v) / r,
    ),
    DigitLaw(
        "Marshall-Olkin Weibull",
        cdf_law((1 - e(-(Z**k))) / (1 - (1 - m) * e(-(Z**k)))),
        {"m": "+", "k": "+"},
        lambda u, v, m, k: power(mp.log1p(m * u / v), 1 / k),
    ),
    DigitLaw(
        "transmuted exponential",
        cdf_law((1 + c / (1 + c)) * (1 - e(-r * Z)) - c / (1 + c) * (1 - e(-r * Z)) ** 2),
        {"c": "+", "r": "+"},
        lambda u, v, c, r: transmuted(u, v, c / (1 + c)) / r,
    ),
    DigitLaw(
        "beta prime (1, b)",
        density_law(b * (1 + Z) ** (-1 - b)),
        {"b": "+"},
        lambda u, v, b: expm1(-log_below(v, u) / b),
    ),
    DigitLaw(
        "beta prime (a, 1)",
        density_law(a * Z ** (a - 1) * (1 + Z) ** (-a - 1)),
        {"a": "+"},
        lambda u, v, a: exp(log_below(u, v) / a) / -expm1(log_below(u, v) / a),
    ),
    DigitLaw(
        "hyperbolic secant",
        density_law(1 / (s * sp.cosh(sp.pi * X / (2 * s))) / 2, (-oo, oo), X),
        {"s": "+"},
        lambda u, v, s: 2 * s / mp.pi * (mp.log(mp.tan(mp.pi * u / 2)) if u < v else -mp.log(mp.tan(mp.pi * v / 2))),
        LINE,
    ),
    DigitLaw(
        "log-Cauchy",
        density_law(s / (sp.pi * Z * (s**2 + (sp.log(Z) - mu) ** 2))),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: exp(mu + s * (-mp.cot(mp.pi * u) if u < v else mp.cot(mp.pi * v))),
    ),
    DigitLaw(
        "type I generalised logistic",
        density_law(a * e(-X / s) / s * (1 + e(-X / s)) ** (-a - 1), (-oo, oo), X),
        {"a": "+", "s": "+"},
        lambda u, v, a, s: s * (log_below(u, v) / a - log1mexp(log_below(u, v) / a)),
        LINE,
    ),
    DigitLaw(
        "Gumbel minimum",
        density_law(e((X - mu) / s - e((X - mu) / s)) / s, (-oo, oo), X),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: mu + s * mp.log(-log_below(v, u)),
        LINE,
    ),
    DigitLaw(
        "Johnson SU",
        density_law(c / (sp.sqrt(2 * sp.pi) * sp.sqrt(1 + X**2)) * e(-((mu + c * sp.asinh(X)) ** 2) / 2), (-oo, oo), X),
        {"c": "+", "mu": ""},
        lambda u, v, c, mu: sinh((normal(u, v) - mu) / c),
        LINE,
    ),
)
