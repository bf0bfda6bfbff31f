"""List the families with closed quantile functions, for the measurement of digits."""

from __future__ import annotations

import mpmath as mp

from support.digits.references import (
    LINE,
    UNIT,
    DigitLaw,
    X,
    Z,
    a,
    b,
    exp,
    family_law,
    hi,
    k,
    lo,
    log1mexp,
    log_below,
    m,
    mu,
    normal,
    power,
    r,
    s,
    t,
)

FAMILIES = (
    DigitLaw(
        "normal", family_law("normal", X, mu, s), {"mu": "", "s": "+"}, lambda u, v, mu, s: mu + s * normal(u, v), LINE
    ),
    DigitLaw(
        "log_normal",
        family_law("log_normal", Z, mu, s),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: exp(mu + s * normal(u, v)),
    ),
    DigitLaw(
        "half_normal",
        family_law("half_normal", Z, s),
        {"s": "+"},
        lambda u, v, s: s * (-normal(v / 2, 1 - v / 2) if v < 0.5 else mp.sqrt(2) * mp.erfinv(u)),
    ),
    DigitLaw(
        "cauchy",
        family_law("cauchy", X, mu, s),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: mu + s * (-mp.cot(mp.pi * u) if u < v else mp.cot(mp.pi * v)),
        LINE,
    ),
    DigitLaw(
        "half_cauchy",
        family_law("half_cauchy", Z, s),
        {"s": "+"},
        lambda u, v, s: s * (mp.tan(mp.pi * u / 2) if u < v else mp.cot(mp.pi * v / 2)),
    ),
    DigitLaw(
        "laplace",
        family_law("laplace", X, mu, s),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: mu + s * (mp.log(2 * u) if u < v else -mp.log(2 * v)),
        LINE,
    ),
    DigitLaw(
        "logistic",
        family_law("logistic", X, mu, s),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: mu + s * (log_below(u, v) - log_below(v, u)),
        LINE,
    ),
    DigitLaw(
        "gumbel",
        family_law("gumbel", X, mu, s),
        {"mu": "", "s": "+"},
        lambda u, v, mu, s: mu - s * mp.log(-log_below(u, v)),
        LINE,
    ),
    DigitLaw("exponential", family_law("exponential", Z, r), {"r": "+"}, lambda u, v, r: -log_below(v, u) / r),
    DigitLaw(
        "weibull",
        family_law("weibull", Z, k, s),
        {"k": "+", "s": "+"},
        lambda u, v, k, s: s * power(-log_below(v, u), 1 / k),
    ),
    DigitLaw(
        "pareto",
        family_law("pareto", Z, m, a),
        {"m": "+", "a": "+"},
        lambda u, v, m, a: m * exp(-log_below(v, u) / a),
        lambda p: (p["m"], mp.inf),
    ),
    DigitLaw(
        "frechet",
        family_law("frechet", Z, a, s),
        {"a": "+", "s": "+"},
        lambda u, v, a, s: s * power(-log_below(u, v), -1 / a),
    ),
    DigitLaw("rayleigh", family_law("rayleigh", Z, s), {"s": "+"}, lambda u, v, s: s * mp.sqrt(-2 * log_below(v, u))),
    DigitLaw(
        "uniform",
        family_law("uniform", X, lo, hi),
        {"lo": "", "hi": "+"},
        lambda u, v, lo, hi: v * lo + u * hi,
        lambda p: (p["lo"], p["hi"]),
        lambda p: p | {"hi": p["lo"] + p["hi"]},
    ),
    DigitLaw(
        "kumaraswamy",
        family_law("kumaraswamy", Z, a, b),
        {"a": "+", "b": "+"},
        lambda u, v, a, b: exp(log1mexp(log_below(v, u) / b) / a),
        UNIT,
    ),
    DigitLaw(
        "triangular",
        family_law("triangular", X, lo, t, hi),
        {"lo": "", "t": "+", "hi": "+"},
        lambda u, v, lo, t, hi: (
            lo + mp.sqrt(u * (hi - lo) * (t - lo)) if u * (hi - lo) < t - lo else hi - mp.sqrt(v * (hi - lo) * (hi - t))
        ),
        lambda p: (p["lo"], p["hi"]),
        lambda p: {"lo": p["lo"], "t": p["lo"] + p["t"], "hi": p["lo"] + p["t"] + p["hi"]},
    ),
)
