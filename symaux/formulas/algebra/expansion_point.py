"""Represent the value of a formula near an end of the noise as its limit there plus a remainder that vanishes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Expansion:
    """A formula x near a tail: ``limit``, ``rest`` = x - limit without cancellation, and ``value`` = x computed directly.

    ``limit`` is None if it is unknown; ``rest`` is None unless the limit is finite. ``value`` is the formula to compute,
    unless the limit cancels against another one: then limit + rest keeps more digits.
    """

    limit: Any
    rest: Any
    value: Any

    @property
    def finite(self) -> bool:
        """Return whether the limit is known and finite."""
        return self.limit is not None and not self.limit.is_infinite


def vanishing(value: Any) -> Expansion:
    """Return the expansion of a value that tends to zero: the remainder is the value itself."""
    return Expansion(sp.S.Zero, value, value)


def diverging(limit: Any, value: Any) -> Expansion:
    """Return the expansion of a value whose limit is infinite, or unknown if ``limit`` is None."""
    return Expansion(limit, None, value)


def without_limit(value: Any) -> Expansion:
    """Return the expansion of a value whose limit is unknown."""
    return Expansion(None, None, value)
