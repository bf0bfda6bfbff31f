"""A claim as functions of numbers, at whatever precision mpmath is set to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.functions import defined
from symaux.points import Point
from symaux.proof.claim import Claim

FAILURES = (ValueError, TypeError, ZeroDivisionError, OverflowError, NameError, mp.libmp.NoConvergence)
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

    def terms(self, e: Any, point: Point) -> tuple[Any, Any, Any]:
        """log q(eps), log|g'(eps)| and log p(g(eps))."""
        slope = self.slope(e, point)
        return self.log_noise(e, point), mp.log(abs(slope)) if slope else None, self.log_pushed(e, point)

    def ends(self, point: Point) -> tuple[Any, Any]:
        lower, upper = (bound(sp.S.Zero, point) for bound in self.bounds)
        return -mp.inf if lower is None else lower, mp.inf if upper is None else upper


def compiled(claim: Claim) -> Compiled:
    """The functions of a claim; each gives None where it has no real, finite value."""
    e, z, parameters = claim.noise.value, claim.law.value, claim.parameters
    value = defined(claim.value)
    # p(g(eps)) as one formula, not at a rounded z: 1 - z near 1 keeps its digits
    pushed = claim.law.log_density.xreplace({z: value})
    lower, upper = claim.law.support.lower, claim.law.support.upper
    return Compiled(
        _function(e, parameters, value),
        _function(e, parameters, claim.noise.log_density),
        _function(e, parameters, defined(claim.value.diff(e))),
        _function(e, parameters, pushed),
        _function(z, parameters, claim.law.log_density),
        (_function(e, parameters, lower), _function(e, parameters, upper)),
    )


def _function(variable: sp.Expr, parameters: Sequence[sp.Symbol], formula: sp.Expr) -> Function:
    if formula.is_infinite:
        return lambda at, point: None
    call = sp.lambdify([variable, *parameters], formula, "mpmath")

    def function(at: Any, point: Point) -> Any:
        try:
            return _real(call(_number(at), *(_number(point[p]) for p in parameters)))
        except FAILURES:
            return None

    return function


def _number(given: Any) -> Any:
    if isinstance(given, sp.Rational):
        return mp.mpf(given.p) / given.q
    return mp.mpmathify(sp.N(given, mp.mp.dps)) if isinstance(given, sp.Basic) else given


def _real(given: Any) -> Any:
    number = mp.mpmathify(given)
    if not mp.isfinite(number) or abs(mp.im(number)) > mp.mpf(10) ** (-mp.mp.dps / 2) * (1 + abs(number)):
        return None
    return mp.re(number)
