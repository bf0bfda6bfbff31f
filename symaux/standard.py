r"""The standard noises: $\mathcal N(0, 1)$ and the uniform on (0, 1), made and recognised by formula."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.families import normal, uniform
from symaux.laws import Law
from symaux.support import REALS, Interval


def standard_normal(value: Any) -> Law:
    """The law N(0, 1) of a noise.

    >>> is_standard_normal(standard_normal(sp.Symbol("e", real=True)))
    True
    """
    return normal(value, 0, 1)


def standard_uniform(value: Any) -> Law:
    """The uniform law of a noise on (0, 1)."""
    return uniform(value, 0, 1)


def is_standard_normal(law: Law) -> bool:
    """Whether a law is N(0, 1), whatever its name."""
    return law.support == REALS and sp.expand(law.log_density + law.value**2 / 2 + sp.log(2 * sp.pi) / 2) == 0


def is_standard_uniform(law: Law) -> bool:
    """Whether a law is uniform on (0, 1)."""
    return law.support == Interval(sp.S.Zero, sp.S.One) and law.proper and sp.expand(law.log_density) == 0
