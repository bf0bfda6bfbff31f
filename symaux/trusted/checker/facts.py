"""Define facts: statements about formulas that only inference rules can make, with their hypotheses and their derivation.

A fact holds for all real values of the parameters that satisfy their assumptions and the conditions of its region, and for
all values of the variable between the two bounds. A rule returns a statement, and ``@rule`` alone turns it into a fact that
remembers the rule and its arguments, so that a proof is data which ``proofs.py`` stores and replays.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula

_MAKER = object()  # what the constructor of a fact wants to see: rules only have it


class Unproved(Exception):
    """A rule does not apply: the text says which premise is missing, and for which formula."""


@dataclass(frozen=True)
class Region:
    """All values of ``variable`` strictly between two bounds, for all parameters that satisfy the conditions.

    The variable is known to be real, and nothing else: what its symbol assumes could contradict the bounds. The bounds are in
    order (a hypothesis of every fact), so a claim about a region is never about nothing for some parameters only.
    """

    variable: sp.Symbol
    lower: Formula
    upper: Formula
    conditions: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        if self.variable != sp.Symbol(self.variable.name, real=True) or type(self.variable) is not sp.Symbol:
            raise Unproved(f"the variable {self.variable} must be a symbol that is real and nothing else")
        if any(self.variable in f.free_symbols for f in (self.lower, self.upper, *self.conditions)):
            raise Unproved(f"the bounds or conditions of a region contain its variable {self.variable}")
        if self.lower == sp.oo or self.upper == -sp.oo:
            raise Unproved("the bounds of a region are not in order")
        check_symbols((self.variable, self.lower, self.upper, *self.conditions))

    def between(self, lower: Formula, upper: Formula) -> Region:
        """Return the region with the same variable and conditions between two other bounds."""
        return Region(self.variable, lower, upper, self.conditions)


def check_symbols(formulas: Any) -> None:
    """Check that symbols are real, that no two of them share a name, and that numbers are exact."""
    if any(f.atoms(sp.Float) for f in formulas):
        raise Unproved("a formula contains a floating-point number: write it as a fraction")
    symbols = {s for f in formulas for s in f.atoms(sp.Symbol)}
    for symbol in symbols:
        if not symbol.is_real:
            raise Unproved(f"{symbol} is not known to be real: give its symbol an assumption")
    names = sorted(unicodedata.normalize("NFKC", s.name) for s in symbols)
    for name, other in pairwise(names):
        if name == other:
            raise Unproved(f"two symbols share the name {name}")


@dataclass(frozen=True)
class Continuous:
    """The formula is defined, real and continuous on the region."""

    formula: Formula
    region: Region


@dataclass(frozen=True)
class Positive:
    """The formula is defined and positive on the region."""

    formula: Formula
    region: Region


@dataclass(frozen=True)
class Equal:
    """Two formulas that are continuous on the region are equal on it."""

    left: Formula
    right: Formula
    region: Region


@dataclass(frozen=True)
class Bijective:
    """The formula maps the region onto (lower, upper), continuously, strictly rising (direction 1) or falling (-1)."""

    formula: Formula
    region: Region
    lower: Formula
    upper: Formula
    direction: int


@dataclass(frozen=True)
class Transports:
    r"""The value maps the noise's region onto the law's, one to one, and $q = p(g)\,|g'|$, all off finitely many points.

    So it carries every measure with density q on the first region to the one with density p on the second.
    """

    noise_log_density: Formula
    noise: Region
    value: Formula
    log_density: Formula
    law: Region


@dataclass(frozen=True)
class Mass:
    """The exponential of the log-density is positive and integrable on the region, and its integral is ``total``."""

    log_density: Formula
    region: Region
    total: Formula


@dataclass(frozen=True)
class Normalised:
    """The exponential of the log-density is a density on the region: positive, with the integral one, and not in vain."""

    log_density: Formula
    region: Region


@dataclass(frozen=True)
class Inhabited:
    """Some parameters satisfy all the conditions of the region, and its lower bound is below the upper one there."""

    region: Region


@dataclass(frozen=True)
class Pushforward:
    """If the noise has its density on its region, then ``value`` has the density of the law; both have mass one."""

    noise_log_density: Formula
    noise: Region
    value: Formula
    log_density: Formula
    law: Region


Statement = Continuous | Positive | Equal | Bijective | Transports | Mass | Normalised | Inhabited | Pushforward


@dataclass(frozen=True)
class Fact:
    """A statement together with the rule that made it and the arguments of that rule, other facts among them."""

    statement: Any  # a Statement; which kind it is, the rule says
    rule: str
    arguments: tuple[Any, ...]
    maker: Any = field(repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.maker is not _MAKER:
            raise TypeError("a fact is made by an inference rule of symaux.trusted.checker.rules only")

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """Return what the fact assumes: conditions, bounds in order, and the assumptions of every parameter."""
        regions = [v for v in vars(self.statement).values() if isinstance(v, Region)]
        formulas = [v for v in vars(self.statement).values() if isinstance(v, sp.Basic)]
        stated = {c for r in regions for c in (*r.conditions, sp.StrictLessThan(r.lower, r.upper, evaluate=False))}
        bound = {r.variable for r in regions}
        read = {s for f in (*formulas, *stated) for s in f.free_symbols} - bound
        signs = {
            sp.Q.positive(s) if s.is_positive else sp.Q.negative(s) if s.is_negative else sp.Q.real(s) for s in read
        }
        whole = {sp.Q.integer(s) for s in read if s.is_integer}
        return tuple(sorted(stated | signs | whole, key=str))


def rule(function: Callable[..., Statement]) -> Callable[..., Fact]:
    """Turn a function from arguments to a statement into an inference rule, which makes a fact of the statement."""

    @functools.wraps(function)
    def infer(*arguments: Any) -> Fact:
        return Fact(function(*arguments), function.__name__, arguments, _MAKER)

    return infer
