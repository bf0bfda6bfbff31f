r"""Test whether ranks are uniform: for each quantity by chi-square of the bins, and by the mean and the spread.

If $\theta \sim p(\theta)$, $x \sim p(x \mid \theta)$ and L independent draws come from $p(\theta \mid x)$, the rank of $\theta$
among them is uniform on 0, ..., L (Cook, Gelman and Rubin 2006; Talts et al. 2018). Ranks are put on (0, 1) with a random
part, $v = (r + U)/(L + 1)$, which is exactly uniform whatever L is, so that every replicate may be thinned on its own.

A test that passes is worth what it could have detected. The mean of n values v has the standard error $1/\sqrt{12 n}$; a
posterior that is off by $\delta$ of its standard deviations moves the mean by $\Phi(\delta/\sqrt2) - 1/2$, and one that is too
narrow or too wide by a factor moves the mean of $(v - 1/2)^2$, whose standard error is $1/\sqrt{180 n}$.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import mpmath as mp

POWER = 0.8  # the probability with which an error called detectable is detected
TESTS = 3  # p-values of one quantity: bins, mean and spread (Bonferroni)
NORMAL = NormalDist()


@dataclass(frozen=True)
class Uniformity:
    """The three p-values for one quantity, the numbers of replicates and bins, and the errors that would be detected."""

    replicates: int
    bins: int
    chi_square: float
    p_bins: float
    p_mean: float
    p_spread: float
    mean: float
    bias_seen: float  # in posterior standard deviations
    scale_seen: tuple[float, float]  # factors of the posterior standard deviation, narrower and wider

    @property
    def p(self) -> float:
        """Return the p-value of the three tests together (Bonferroni)."""
        return min(1.0, TESTS * min(self.p_bins, self.p_mean, self.p_spread))


def uniformity(values: Any, level: float) -> Uniformity:
    """Test values that should be uniform on (0, 1); ``level`` is that of a single test, for the detectable errors.

    >>> uniformity([(k + 0.5) / 200 for k in range(200)], 0.001).p
    1.0
    >>> uniformity([((k + 0.5) / 200) ** 1.5 for k in range(200)], 0.001).p < 1e-5
    True
    """
    values = [float(v) for v in values]
    n = len(values)
    bins = max(4, min(20, n // 8))
    counts = [0] * bins
    for v in values:
        counts[min(bins - 1, int(v * bins))] += 1
    statistic = sum((c - n / bins) ** 2 for c in counts) / (n / bins)
    mean = math.fsum(values) / n
    spread = math.fsum((v - 0.5) ** 2 for v in values) / n - 1 / 12
    return Uniformity(
        n,
        bins,
        statistic,
        float(mp.gammainc((bins - 1) / 2, statistic / 2, regularized=True)),
        _two_sided((mean - 0.5) * math.sqrt(12 * n)),
        _two_sided(spread * math.sqrt(180 * n)),
        mean,
        _bias(n, level),
        _scales(n, level),
    )


def _two_sided(score: float) -> float:
    return math.erfc(abs(score) / math.sqrt(2))


def _reach(level: float) -> float:
    """Return the number of standard errors that a difference must have to be detected with probability POWER."""
    return NORMAL.inv_cdf(1 - level / 2) + NORMAL.inv_cdf(POWER)


def _bias(n: int, level: float) -> float:
    """Return the smallest detectable bias, in posterior standard deviations."""
    move = _reach(level) / math.sqrt(12 * n)
    return math.sqrt(2) * NORMAL.inv_cdf(0.5 + move) if move < 0.5 else math.inf


def _scales(n: int, level: float) -> tuple[float, float]:
    """Return the detectable factors of a normal posterior's standard deviation, below and above 1."""
    move = _reach(level) / math.sqrt(180 * n)
    return _factor(1 / 12 + move), _factor(1 / 12 - move)


def _factor(spread: float) -> float:
    """Return the k for which ranks of N(0, 1) among draws of N(0, k^2) have that spread; 0 or infinity without one."""
    if not 0 < spread < 0.25:
        return 0.0 if spread >= 0.25 else math.inf
    low, high = 1e-6, 1e6
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if spread_of(middle) > spread else (low, middle)
    return math.sqrt(low * high)


def spread_of(k: float) -> float:
    r"""Return $E(\Phi(X/k) - 1/2)^2 = \arcsin(1/(1 + k^2))/(2\pi)$ for a standard normal X.

    >>> abs(spread_of(1.0) - 1 / 12) < 1e-15
    True
    """
    return math.asin(1 / (1 + k * k)) / (2 * math.pi)


def worst_quantity(found: Mapping[str, Uniformity]) -> tuple[str, float]:
    """Return the quantity with the smallest p-value, and that value for all quantities together (Bonferroni)."""
    name = min(found, key=lambda key: found[key].p)
    return name, min(1.0, len(found) * found[name].p)
