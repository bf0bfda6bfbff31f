r"""Compute how strongly an element is coupled to its parents in a partial form, and the weight that couples it least.

Let $z = m + s\,\varepsilon$ be normal with prior precision $a = 1/s^2$, let the data add the curvature $h$, and let
$r = h/(a + h)$ be their share. Given its parents, z has the mean $m + r\,(y - m)$ and the variance $s^2(1 - r)$, so
$w = \lambda m + s^{\lambda-1}(z - m)$ has a mean and a variance that move with m and with $\log s$ by

$$\frac{\partial E w}{\partial m} = \lambda - r,\qquad
\frac{\partial E w}{\partial\log s} = (\lambda + 1 - 2r)\,s^{\lambda-1} r\,(y - m),\qquad
\frac{\partial\log\sigma_w}{\partial\log s} = \lambda - r$$

(at fixed m and s otherwise). Moves of w in units of its own standard deviation, squared, times the posterior variance of
the parent that moves it, which n such elements make $1/(n a r)$ for m and $1/(2nr^2)$ for $\log s$, and summed over the n
elements, are

$$c_m = \frac{(\lambda - r)^2}{r(1-r)},\qquad c_s = \frac{(\lambda + 1 - 2r)^2}{2r(1-r)} + \frac{(\lambda - r)^2}{r^2},$$

the odds $\rho^2/(1-\rho^2)$ of the squared correlation between a parent and the elements below it. Original form: $c_m =
(1-r)/r$; auxiliary form: $c_m = r/(1-r)$: the rates of Papaspiliopoulos et al. (2003). The sum $c_m + c_s$ is least at
$\lambda = r(1+2r)/(2+r)$, $c_m$ alone at $r$, $c_s$ alone at $r/(2-r)$.
"""

from __future__ import annotations

from typing import Any

EDGE = 1e-3  # shares are kept off 0 and 1, where a coupling has no value
SLACK = 1.15  # a pure form that is at most so much slower than the best partial one is preferred: it is simpler


def best_weight(share: Any, location: bool, scale: bool) -> Any:
    """Return the weight with the least coupling, for parents in the location, in the scale, or in both.

    >>> best_weight(0.5, True, True), best_weight(0.5, True, False), round(best_weight(0.5, False, True), 3)
    (0.4, 0.5, 0.333)
    """
    if location and scale:
        return share * (1 + 2 * share) / (2 + share)
    return share / (2 - share) if scale else share


def coupling(weight: Any, share: Any, location: bool, scale: bool) -> Any:
    """Return the odds of the squared correlation between parents and elements of this share.

    >>> print(f"{coupling(1.0, 0.2, True, False):.2f} {coupling(0.0, 0.2, True, False):.2f}")
    4.00 0.25
    """
    import numpy as np

    r = np.clip(share, EDGE, 1 - EDGE)
    by_location = (weight - r) ** 2 / (r * (1 - r))
    by_scale = (weight + 1 - 2 * r) ** 2 / (2 * r * (1 - r)) + (weight - r) ** 2 / r**2
    return location * by_location + scale * by_scale


def pooled_coupling(weight: Any, share: Any, location: bool, scale: bool) -> Any:
    r"""Return the coupling of elements of different shares below the same parents.

    $$\frac{\sum_j(\lambda_j - r_j)^2/(1-r_j)}{\sum_j r_j},\qquad
    \frac{\sum_j r_j(\lambda_j + 1 - 2r_j)^2/(1-r_j) + 2(\lambda_j - r_j)^2}{\sum_j 2r_j^2}$$
    """
    import numpy as np

    r = np.clip(share, EDGE, 1 - EDGE)
    by_location = np.sum((weight - r) ** 2 / (1 - r)) / np.sum(r)
    by_scale = np.sum(r * (weight + 1 - 2 * r) ** 2 / (1 - r) + 2 * (weight - r) ** 2) / np.sum(2 * r**2)
    return location * by_location + scale * by_scale


def preferred_weight(share: Any, location: bool, scale: bool) -> Any:
    r"""Return the best weight of each element, or that of a pure form where the best weight gains little.

    The step of a sampler shrinks like $\sqrt{1-\rho^2}$, so forms are compared by $\sqrt{1 + c}$.

    >>> import numpy as np
    >>> preferred_weight(np.array([0.02, 0.5, 0.95]), True, True)
    array([0. , 0.4, 1. ])
    >>> preferred_weight(np.array([0.85, 0.9, 0.95]), True, True)
    array([1., 1., 1.])
    """
    import numpy as np

    share = np.asarray(share, dtype=float)
    best = best_weight(share, location, scale)
    for cost in (pooled_coupling, coupling):
        low, high, least = (np.sqrt(1 + cost(weight, share, location, scale)) for weight in (0.0, 1.0, best))
        near = np.minimum(low, high) <= SLACK * least
        if np.all(near):
            break
    return np.where(near, np.where(low <= high, 0.0, 1.0), best)
