"""One entry of a corpus: a density as a formula, where it lives, and parameter points at which it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

import symaux as sa

Point = Mapping[str, sp.Rational]


@dataclass(frozen=True)
class Entry:
    """A law by nothing but its formula; ``breaks`` are where the density is not smooth, for quadrature only."""

    name: str
    value: sp.Symbol
    density: sp.Expr
    support: tuple[Any, Any]
    points: tuple[Point, ...]
    conditions: tuple[Any, ...] = ()
    breaks: tuple[sp.Expr, ...] = ()
    numeric: Callable[..., Any] | None = field(
        default=None, compare=False
    )  # (z, **parameters), where mpmath has no words
    quantile: Callable[..., Any] | None = field(default=None, compare=False)  # (u, **parameters), where it is known
    about: str = ""

    def law(self) -> sa.Law:
        """The law as the engine gets to see it."""
        return sa.law(self.value, self.density, support=self.support, conditions=self.conditions)

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """The free symbols of formula and support, sorted by name."""
        read = {s for f in (self.density, *map(sp.sympify, self.support)) for s in f.free_symbols}
        return tuple(sorted(read - {self.value}, key=str))

    def at(self, point: Point) -> dict[sp.Symbol, sp.Rational]:
        """A point by symbols instead of names."""
        return {symbol: sp.nsimplify(point[symbol.name], rational=True) for symbol in self.parameters}


def grid(**values: Sequence[Any]) -> tuple[Point, ...]:
    """Points from one list of values per parameter, read side by side; decimals are exact.

    >>> grid(a=[1, "0.3"], b=[2, 5])
    ({'a': 1, 'b': 2}, {'a': 3/10, 'b': 5})
    """
    names = list(values)
    return tuple(
        {n: sp.Rational(str(v)) for n, v in zip(names, row, strict=True)} for row in zip(*values.values(), strict=True)
    )
