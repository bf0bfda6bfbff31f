"""Define the record of a function: everything that is known of it, in one place.

Every function that formulas may contain has one record, in ``elementary_records.py`` or ``special_records.py``: its value by
mpmath, its domain, where it jumps, whether it is monotone, whether it is a quantile function, and how it is spelled in each
target. Backends hold implementations only (``codegen/library``, ``numeric/balls``). The conformance test goes over all
functions and backends; a backend that lacks a function is named in ``absent`` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula

Bounds = tuple[Any, Any]
REAL: Bounds = (-sp.oo, sp.oo)
POSITIVE: Bounds = (sp.S.Zero, sp.oo)
UNIT: Bounds = (sp.S.Zero, sp.S.One)
WITHIN_ONE: Bounds = (-sp.S.One, sp.S.One)

BACKENDS = ("mpmath", "balls", "jax", "numpyro", "pymc", "stan", "text", "archive", "latex", "mathml")


@dataclass(frozen=True)
class Shape:
    """A strictly monotone function: its domain, the values at the ends, and its inverse."""

    lower: Formula
    upper: Formula
    at_lower: Formula
    at_upper: Formula
    inverse: Callable[[Formula], Formula]

    @property
    def rises(self) -> bool:
        return bool(self.at_upper > self.at_lower)


@dataclass(frozen=True)
class FunctionRecord:
    """What is known of one function.

    ``domain`` has the open interval of each argument in which the function is real. ``breaks`` is a formula of the arguments:
    on the domain the function is continuous wherever that formula is not zero, and everywhere if there is none; continuity
    never follows from the existence of a derivative. ``shape`` makes the shape of the function in the argument number
    ``varies``, out of the other arguments, which must be positive. ``quantile_of`` is the distribution function that a quantile
    function inverts, with its probability in the argument number ``varies``. ``jax`` is a template, ``library`` the name of a
    function that generated modules carry with them; an @ before Stan's name says that the program carries it. ``image`` is an
    open interval that contains every value on the domain, for functions without a shape. ``joint`` says that the arguments
    depend on each other, so that the function need not be real on the whole of ``domain``.
    """

    function: Any
    domain: tuple[Bounds, ...]
    value: Callable[..., Any]
    breaks: Callable[..., Formula] | None = None
    varies: int = 0
    shape: Callable[..., Shape] | None = None
    quantile_of: Any = None
    image: Bounds | None = None
    joint: bool = False
    jax: str = ""
    library: str = ""
    numpyro: str = ""
    pymc: str = ""
    stan: str = ""
    most: int = 0  # arguments that may be given, if more than the domain lists
    points: tuple[tuple[Any, ...], ...] = ()  # arguments for the conformance test where they depend on each other
    absent: Mapping[str, str] = field(default_factory=dict)  # a backend that lacks the function: why

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def arity(self) -> tuple[int, int]:
        """Return the least and the largest number of arguments."""
        return len(self.domain), max(len(self.domain), self.most)

    def examples(self) -> tuple[tuple[Any, ...], ...]:
        """Return arguments inside of the domain: ordinary ones, and some near its ends.

        >>> FunctionRecord(sp.exp, (REAL,), abs).examples()
        ((-13/4,), (-1/3,), (7/4,))
        """
        if self.points:
            return self.points
        columns = [_inside(*bounds, offset) for offset, bounds in enumerate(self.domain)]
        return tuple(tuple(column[row] for column in columns) for row in range(3))


def _inside(lower: Any, upper: Any, offset: int) -> list[Any]:
    """Return three numbers between two bounds; others for the second argument than for the first."""
    lower, upper = sp.S(lower), sp.S(upper)
    if lower.is_infinite and upper.is_infinite:
        return [sp.Rational(-13, 4) + offset, sp.Rational(-1, 3 + offset), sp.Rational(7, 4 + offset)]
    if upper.is_infinite:
        return [lower + sp.Rational(k + offset, 4) for k in (1, 5, 12)]
    if lower.is_infinite:
        return [upper - sp.Rational(k + offset, 4) for k in (12, 5, 1)]
    return [lower + (upper - lower) * sp.Rational(k, 16) for k in (1 + offset, 7 - offset, 14)]
