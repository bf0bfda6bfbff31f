"""List laws with bounded or truncated support by their formulas, for the measurement of digits."""

from __future__ import annotations

import mpmath as mp
import sympy as sp

from support.digits.references import (
    UNIT,
    DigitLaw,
    X,
    Z,
    a,
    b,
    c,
    cdf_law,
    cut_frechet,
    density_law,
    exp,
    expm1,
    far_tail,
    hi,
    k,
    lo,
    log_below,
    m,
    mu,
    normal,
    normal_between,
    normal_tail,
    oo,
    power,
    r,
    s,
    softplus,
    truncated_weibull,
    w,
)

e = sp.exp

CUTS = (
    DigitLaw(
        "truncated exponential",
        density_law(r * e(-r * Z) / (1 - e(-r)), (0, 1)),
        {"r": "+"},
        lambda u, v, r: -mp.log1p(u * expm1(-r)) / r if r < 1 or u < 0.5 else -mp.log(v + u * exp(-r)) / r,
        UNIT,
        extra=({"r": 1e-12},),
    ),
    DigitLaw(
        "truncated exponential to w",
        density_law(r * e(-r * Z) / (1 - e(-r * w)), (0, w)),
        {"r": "+", "w": "+"},
        lambda u, v, r, w: (
            -mp.log1p(u * expm1(-r * w)) / r if r * w < 1 or u < 0.5 else -mp.log(v + u * exp(-r * w)) / r
        ),
        lambda p: (0, p["w"]),
    ),
    DigitLaw(
        "growing exponential",
        density_law(r * e(r * Z) / (e(r) - 1), (0, 1)),
        {"r": "+"},
        lambda u, v, r: mp.log1p(u * expm1(r)) / r if r < 1000 else 1 + mp.log(u + v * exp(-r)) / r,
        UNIT,
    ),
    DigitLaw(
        "truncated normal above",
        density_law(e(-(Z**2) / 2) / (sp.sqrt(2 * sp.pi) * sp.erfc(c / sp.sqrt(2)) / 2), (c, oo)),
        {"c": "+"},
        lambda u, v, c: (
            -normal(v * normal_tail(c), 1 - v * normal_tail(c)) if c < 1000 else c + far_tail(c, -log_below(v, u))
        ),
        lambda p: (p["c"], mp.inf),
    ),
    DigitLaw(
        "truncated normal",
        density_law(
            e(-(((X - mu) / s) ** 2) / 2)
            / (
                s
                * sp.sqrt(2 * sp.pi)
                * (sp.erf((hi - mu) / (s * sp.sqrt(2))) - sp.erf((lo - mu) / (s * sp.sqrt(2))))
                / 2
            ),
            (lo, hi),
            X,
        ),
        {"mu": "", "s": "+", "lo": "", "hi": "+"},
        lambda u, v, mu, s, lo, hi: normal_between(u, v, mu, s, lo, hi),
        lambda p: (p["lo"], p["hi"]),
        lambda p: p | {"hi": p["lo"] + p["hi"]},
    ),
    DigitLaw(
        "generalised Pareto, bounded",
        density_law((1 - c * Z / s) ** (1 / c - 1) / s, (0, s / c)),
        {"c": "+", "s": "+"},
        lambda u, v, c, s: -s * expm1(c * log_below(v, u)) / c,
        lambda p: (0, p["s"] / p["c"]),
    ),
    DigitLaw(
        "log-uniform",
        density_law(1 / (Z * sp.log(b / a)), (a, b)),
        {"a": "+", "b": "+"},
        lambda u, v, a, b: exp(v * mp.log(a) + u * mp.log(b)),
        lambda p: (p["a"], p["b"]),
        lambda p: p | {"b": p["a"] * (1 + p["b"])},
        extra=({"a": 1e-300, "b": 1e300}, {"a": 1e-200, "b": 1e250}),
    ),
    DigitLaw(
        "power",
        density_law(a * Z ** (a - 1) / b**a, (0, b)),
        {"a": "+", "b": "+"},
        lambda u, v, a, b: b * exp(log_below(u, v) / a),
        lambda p: (0, p["b"]),
    ),
    DigitLaw(
        "power between",
        density_law((a + 1) * Z**a / (w ** (a + 1) - m ** (a + 1)), (m, w)),
        {"a": "+", "m": "+", "w": "+"},
        lambda u, v, a, m, w: (
            m * exp(mp.log1p(u * expm1((a + 1) * mp.log(w / m))) / (a + 1))
            if (a + 1) * mp.log(w / m) < 1000
            else w * exp(mp.log(u + v * exp(-(a + 1) * mp.log(w / m))) / (a + 1))
        ),
        lambda p: (p["m"], p["w"]),
        lambda p: p | {"w": p["m"] * (1 + p["w"])},
    ),
    DigitLaw(
        "bounded Pareto",
        density_law(a * m**a * Z ** (-a - 1) / (1 - (m / w) ** a), (m, w)),
        {"a": "+", "m": "+", "w": "+"},
        lambda u, v, a, m, w: (
            m * exp(-mp.log1p(u * expm1(a * mp.log(m / w))) / a)
            if a * mp.log(w / m) < 1 or u < 0.5
            else m * exp(-mp.log(v + u * exp(a * mp.log(m / w))) / a)
        ),
        lambda p: (p["m"], p["w"]),
        lambda p: p | {"w": p["m"] * (1 + p["w"])},
    ),
    DigitLaw(
        "truncated Weibull",
        density_law(k * Z ** (k - 1) * e(-(Z**k)) / (1 - e(-(w**k))), (0, w)),
        {"k": "+", "w": "+"},
        lambda u, v, k, w: truncated_weibull(u, v, k, w),
        lambda p: (0, p["w"]),
    ),
    DigitLaw(
        "Topp-Leone",
        density_law(2 * a * (1 - Z) * (2 * Z - Z**2) ** (a - 1), (0, 1)),
        {"a": "+"},
        lambda u, v, a: exp(log_below(u, v) / a) / (1 + mp.sqrt(-expm1(log_below(u, v) / a))),
        UNIT,
    ),
    DigitLaw(
        "linear on (0, 1)",
        density_law((1 + 2 * c * Z) / (1 + c), (0, 1)),
        {"c": "+"},
        lambda u, v, c: 2 * u * (1 + c) / (1 + mp.sqrt(1 + 4 * c * (1 + c) * u)),
        UNIT,
    ),
    DigitLaw(
        "skew Cauchy of a power",
        density_law(2 * a / sp.pi * Z ** (a - 1) / (1 + Z ** (2 * a))),
        {"a": "+"},
        lambda u, v, a: power(mp.tan(mp.pi * u / 2) if u < v else mp.cot(mp.pi * v / 2), 1 / a),
    ),
    DigitLaw(
        "inverse Weibull cut below",
        density_law(a * Z ** (-a - 1) * e(m**-a - Z**-a) / (e(m**-a) - 1), (m, oo)),
        {"a": "+", "m": "+"},
        lambda u, v, a, m: cut_frechet(u, v, a, m),
        lambda p: (p["m"], mp.inf),
    ),
    DigitLaw(
        "logistic cut at 0",
        cdf_law((1 / (1 + e(-(Z - mu))) - 1 / (1 + e(mu))) * (1 + e(-mu))),
        {"mu": ""},
        lambda u, v, mu: softplus(mp.log(u) + softplus(mu) - mp.log(v)),
    ),
    DigitLaw(
        "logit-normal",
        density_law(e(-(((sp.log(Z / (1 - Z)) - mu) / s) ** 2) / 2) / (s * sp.sqrt(2 * sp.pi) * Z * (1 - Z)), (0, 1)),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: 1 / (1 + exp(-mu - s * normal(u, v))),
        UNIT,
    ),
)
