"""Counts that are large: log-densities and source for others where factorials are too large for a number."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats
from support.oracle import agrees

import symaux as sa


@pytest.mark.parametrize(
    ("text", "mass"),
    [
        ("observe y[n] ~ poisson(r)", lambda ys, r: stats.poisson.logpmf(ys, r)),
        ("observe y[n] ~ binomial(1000, r/(1 + r))", lambda ys, r: stats.binom.logpmf(ys, 1000, r / (1 + r))),
        ("data m\nobserve y[n] ~ binomial(m, r/(1 + r))", lambda ys, r: stats.binom.logpmf(ys, 1000, r / (1 + r))),
        (
            "observe y[n] ~ r^y[n]*exp(-r)/factorial(y[n]) on {0, ..., oo}",
            lambda ys, r: stats.poisson.logpmf(ys, r),
        ),
        ("observe y[n] ~ poisson(r)\nparam a\nfactor -2*log(gamma(a))", lambda ys, r: stats.poisson.logpmf(ys, r)),
    ],
)
def test_counts_above_170_of_variables_that_are_real_by_name(text: str, mass) -> None:
    """log(gamma(y + 1)) overflows at 171: sympy makes it of every log-gamma of an integer."""
    ys = np.array([3.0, 250.0, 700.0])
    model = sa.parse(f"plate n\nr ~ gamma(2, 1)\n{text}")
    data = {"y": ys} | ({"m": 1000.0} if "data m" in text else {}) | ({"a": 300.0} if "param a" in text else {})
    constant = -2 * special.gammaln(300.0) if "param a" in text else 0.0
    agrees(model, {"r": 1.5}, data, lambda p: float(stats.gamma.logpdf(p["r"], 2) + mass(ys, p["r"]).sum() + constant))
    for target in ("numpyro", "stan"):
        assert "gamma(y" not in sa.exported(model, target).partition('"""\n\n')[2].replace("lgamma", "")
