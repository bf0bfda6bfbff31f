r"""State what is examined, as formulas alone: a density on an interval, and that g carries one density to another.

>>> z, e = sp.symbols("z e", real=True)
>>> normal = Density(e, -e**2/2 - sp.log(2*sp.pi)/2, REALS)
>>> Pushforward(Density(z, normal.log_density.xreplace({e: z}), REALS), normal, -e).substituted({}).value
-e
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import sympy as sp

from symaux.formulas.algebra.convert import substitute
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval, Support, substitute_in_support


class HasDensity(Protocol):
    """Anything that has a variable, the logarithm of a density, and a support: a ``Density``, or a law."""

    @property
    def value(self) -> Any: ...
    @property
    def log_density(self) -> Formula: ...
    @property
    def support(self) -> Support: ...


class HasPushforward(Protocol):
    """Anything that says: g(noise) has the law."""

    @property
    def law(self) -> HasDensity: ...
    @property
    def noise(self) -> HasDensity: ...
    @property
    def value(self) -> Formula: ...


@dataclass(frozen=True)
class Density:
    """A variable, the logarithm of its density, and the interval on which that holds."""

    value: Any
    log_density: Formula
    support: Support

    @staticmethod
    def of(law: HasDensity) -> Density:
        """Return the density of a law, without anything else that is known of it."""
        return Density(law.value, law.log_density, law.support)

    def substituted(self, mapping: Mapping[Any, Any]) -> Density:
        """Return the density with symbols replaced, exactly and all at once."""
        known = dict(mapping)
        log_density = substitute(self.log_density, known)
        return Density(self.value.xreplace(known), log_density, substitute_in_support(self.support, known))


@dataclass(frozen=True)
class Pushforward:
    """The claim that ``value``, a function of the noise, has the law."""

    law: Density
    noise: Density
    value: Formula

    @staticmethod
    def of(claim: HasPushforward) -> Pushforward:
        """Return a claim, without anything else that is known of it."""
        return Pushforward(Density.of(claim.law), Density.of(claim.noise), claim.value)

    def substituted(self, mapping: Mapping[Any, Any]) -> Pushforward:
        """Return the claim with symbols replaced."""
        known = dict(mapping)
        value: Any = self.value.xreplace(known)
        return Pushforward(self.law.substituted(known), self.noise.substituted(known), value)


def is_standard_uniform(law: HasDensity) -> bool:
    """Return whether a density is 1 on (0, 1)."""
    return law.support == Interval(sp.S.Zero, sp.S.One) and sp.expand(law.log_density) == 0


__all__ = ["REALS", "Density", "HasDensity", "HasPushforward", "Pushforward", "is_standard_uniform"]
