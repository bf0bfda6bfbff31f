r"""Bound the error $|F(\hat Q(u)) - u|$ of a numerical quantile function at given points, by proof.

Certified are the numbers themselves, whoever computed them: for each pair (u, z) of floating-point numbers the
distribution function at z is enclosed by ball arithmetic, tails included, and compared with u. Nothing is said between.

>>> import sympy as sp
>>> from symaux.laws.families import logistic
>>> largest_level_error(logistic(sp.Symbol("z", real=True), 0, 1), [(0.5, 0.0), (0.25, -1.0986122886681098)]) < 1e-15
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from symaux.laws.law import Law
from symaux.sandbox import run_bounded, value_or

SECONDS = 30.0


def largest_level_error(law: Law, pairs: Iterable[tuple[float, float]], seconds: float = SECONDS) -> float:
    """Return an upper bound of |F(z) - u| over all pairs, for a law without parameters; infinity if none was found."""
    given = [(float(u), float(z)) for u, z in pairs]
    return value_or(run_bounded(_worst, law, given, seconds=seconds), math.inf)


def _worst(law: Law, pairs: list[tuple[float, float]]) -> float:
    from symaux.formulas.numeric.balls.signs import Undecided

    try:
        return max((_off(law, u, z) for u, z in pairs), default=math.inf)
    except (Undecided, ValueError):
        return math.inf


def _off(law: Law, u: float, z: float) -> float:
    from flint import arb

    from symaux.formulas.numeric.balls.signs import abs_bound
    from symaux.trusted.mass_bound import enclose_cdf

    return float(abs_bound(enclose_cdf(law, z) - arb(u))) * (1 + 2.0**-50) + 1e-300
