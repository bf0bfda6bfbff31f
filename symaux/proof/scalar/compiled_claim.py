"""Turn a claim into functions of numbers, at whatever precision mpmath is set to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.piecewise import CORNERS, split_at_corners
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.forward import Forward, start_from_quantile

LARGE = 12  # operations
Function = Callable[[Any, Point], Any]


@dataclass(frozen=True)
class Compiled:
    """The generating function, the parts of the residual, and the ends of the law's support."""

    g: Function
    log_noise: Function
    slope: Function
    log_pushed: Function
    log_law: Function
    bounds: tuple[Function, Function]
    value: Formula  # g as a formula
    branches: tuple[tuple[Interval, Forward | None], ...] = ()  # of g, and how to start from a quantile in each

    def terms(self, e: Any, point: Point) -> tuple[Any, Any, Any]:
        """Return log q(eps), log|g'(eps)| and log p(g(eps))."""
        slope = self.slope(e, point)
        return self.log_noise(e, point), mp.log(abs(slope)) if slope else None, self.log_pushed(e, point)

    def ends(self, point: Point) -> tuple[Any, Any]:
        """Return the ends of the law's support as numbers."""
        lower, upper = (bound(sp.S.Zero, point) for bound in self.bounds)
        return -mp.inf if lower is None else lower, mp.inf if upper is None else upper


def compile_claim(claim: Claim) -> Compiled:
    """Return the functions of a claim; each gives None where it has no real, finite value."""
    e, z = claim.noise.value, claim.law.value
    value = defined(claim.value)
    return Compiled(
        _function(e, value),
        _function(e, claim.noise.log_density),
        _function(e, defined(claim.value.diff(e))),
        _pushed(claim, value),
        _function(z, claim.law.log_density),
        (_function(e, claim.law.interval.lower), _function(e, claim.law.interval.upper)),
        value,
        tuple((where, start_from_quantile(formula, e, where)) for where, (formula,) in _branches(value, claim)),
    )


def _pushed(claim: Claim, value: Formula) -> Function:
    """Return log p(g(eps)) as one formula, so that 1 - z near 1 keeps its digits.

    One with corners cannot be put into another, and sympy takes long to put in a long one: these take more digits.
    """
    z, log_density = claim.law.value, claim.law.log_density
    if not log_density.has(sp.Piecewise, *CORNERS) and sp.count_ops(value) <= LARGE:
        return _function(claim.noise.value, log_density.xreplace({z: value}))
    g = _function(claim.noise.value, value)

    def at(e: Any, point: Point) -> Any:
        with mp.workdps(3 * mp.mp.dps):
            here = g(e, point)
            return None if here is None else real(log_density, {**point, z: here})

    return at


def _branches(value: Formula, claim: Claim) -> list[Any]:
    support = claim.noise.interval
    return split_at_corners((value,), claim.noise.value, support) or [(support, (value,))]


def _function(variable: Formula, formula: Formula) -> Function:
    """Return a formula as a function; only visible infinities count, since sympy takes minutes to decide it of a long one."""
    infinite = formula in (sp.oo, -sp.oo, sp.zoo)
    return lambda at, point: None if infinite else real(formula, {**point, variable: at})
