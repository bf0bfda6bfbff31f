r"""What a numerical quantile function really returns: a proved bound of $|F(\hat Q(u)) - u|$ at the points that were asked.

Certified are the numbers themselves, whoever computed them: for each pair (u, z) of floating-point numbers the
distribution function at z is enclosed by ball arithmetic, tails included, and compared with u. Nothing is said between.

>>> import sympy as sp
>>> from symaux.laws.families import logistic
>>> levels(logistic(sp.Symbol("z", real=True), 0, 1), [(0.5, 0.0), (0.25, -1.0986122886681098)]) < 1e-15
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from symaux.laws.law import Law
from symaux.sandbox import bounded, value_of

SECONDS = 30.0


def levels(law: Law, pairs: Iterable[tuple[float, float]], seconds: float = SECONDS) -> float:
    """Return an upper bound of |F(z) - u| over all pairs, for a law without parameters; infinite where none was
    found."""
    given = [(float(u), float(z)) for u, z in pairs]
    return value_of(bounded(_worst, law, given, seconds=seconds), math.inf)


def _worst(law: Law, pairs: list[tuple[float, float]]) -> float:
    from symaux.formulas.numeric.balls.signs import Undecided

    try:
        return max((_off(law, u, z) for u, z in pairs), default=math.inf)
    except (Undecided, ValueError):
        return math.inf


def _off(law: Law, u: float, z: float) -> float:
    from flint import arb

    from symaux.formulas.numeric.balls.signs import largest
    from symaux.proof.certificates.mass_bound import enclosed_level

    return float(largest(enclosed_level(law, z) - arb(u))) * (1 + 2.0**-50) + 1e-300
