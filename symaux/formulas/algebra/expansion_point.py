"""A value near an end of the noise: its limit there, what is added to it, and the value as it is computed at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp


@dataclass(frozen=True)
class Near:
    """A limit (None if it is not known), what is missing to it if it is finite, and the value.

    The value is the better formula, unless the limit cancels against another one.
    """

    limit: Any
    rest: Any
    value: Any

    @property
    def finite(self) -> bool:
        return self.limit is not None and not self.limit.is_infinite


def small(value: Any) -> Near:
    """What goes to zero."""
    return Near(sp.S.Zero, value, value)


def large(limit: Any, value: Any) -> Near:
    """What goes to infinity, or nobody knows where."""
    return Near(limit, None, value)


def unknown(value: Any) -> Near:
    """Return a value whose limit is not known."""
    return Near(None, None, value)
