r"""Decide whether a density integrates to one, by the methods of ``METHODS`` in their order.

Proved are a classical integral, and an antiderivative whose derivative is shown to be the density, with its limits at both
ends. An integral that sympy gives without one is not believed, whatever numerical quadrature says.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import Point, points
from symaux.formulas.numeric.quadrature import density_function, end_value, integrate_twice
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval, point_inside
from symaux.laws.densities.antiderivative import substitutions
from symaux.laws.law import Law
from symaux.laws.validity import confirmed_integral
from symaux.proof.mass.recognise import integrates_to_one
from symaux.proof.scalar.residual import is_zero
from symaux.rules.verdict import Status
from symaux.sandbox import run_bounded, value_or

LONG, SECONDS = 60, 10.0  # operations of a log-density that may keep sympy busy; for how long
LARGE = 10_000  # numbers that may do so too: the factorial of a million takes seconds
NOTHING, SURE = mp.mpf(10) ** -14, 1000  # what quadrature may be off by; how many times its doubt a difference must be


@dataclass(frozen=True)
class Mass:
    """The integral of a density: proved to be one, or a number by quadrature, which may show that it is not one."""

    proved: bool
    seen: str = ""
    wrong: bool = False

    def unproved(self, what: str) -> tuple[Status, str]:
        """Return the status and the sentence for an integral that is not proved: a number by quadrature, or nothing."""
        if not self.seen:
            return Status.UNDECIDED, f"it is not known what {what} integrates to: quadrature gives no number"
        return Status.SAMPLED, f"{what} integrates to {self.seen}, by quadrature only"


@dataclass(frozen=True)
class Density:
    """The density of a law in plain symbols, with its numerical integrals once a method asks for them."""

    law: Law

    @functools.cached_property
    def integrals(self) -> list[Any]:
        """Return numerical integrals at some parameters, each with its uncertainty."""
        law = self.law
        tried = points(_parameters(law), conditions=law.conditions, count=2, seed=3)
        return [(point, *found) for point in tried if (found := _quadrature(law, point))]


@functools.lru_cache(maxsize=512)
def mass(law: Law) -> Mass:
    """Return what the density of a law in plain symbols integrates to: the answer of the first method that has one."""
    density = Density(law)
    for method in METHODS:
        found = method(density)
        if found is not None:
            return found
    return Mass(False, str(mp.nstr(density.integrals[0][1], 12)) if density.integrals else "")


def recognise_integral(density: Density) -> Mass | None:
    """Return a mass of one if the integral is a classical one; a long formula is examined within limits of time."""
    if is_quick(density.law.log_density):
        shown = integrates_to_one(density.law)
    else:
        shown = value_or(run_bounded(integrates_to_one, density.law, seconds=SECONDS), False)
    return Mass(True, "1") if shown else None


def is_quick(log_density: Formula) -> bool:
    """Return whether sympy is quick with a formula: it is short, and so are its numbers.

    >>> x = sp.Symbol("x", positive=True)
    >>> is_quick(3*sp.log(x) + sp.log(4)), is_quick(10**6*sp.log(x) + sp.log(10**6 + 1))
    (True, False)
    """
    large = any(max(abs(n.p), n.q) > LARGE for n in log_density.atoms(sp.Rational))
    return sp.count_ops(log_density) <= LONG and not large


def refute_by_quadrature(density: Density) -> Mass | None:
    """Return a mass that differs from one at some parameters: by numerical integrals, and then by ball arithmetic."""
    for point, total, doubt in density.integrals:
        if abs(total - 1) > max(NOTHING, SURE * doubt) and confirmed_integral(density.law, point, total) is not None:
            return Mass(False, str(mp.nstr(total, 20)), wrong=True)
    return None


def integrate_exactly(density: Density) -> Mass | None:
    """Return a mass of one if antiderivatives between the corners, each of them checked, add up to it."""
    law = density.law
    parts = split_at_corners((law.log_density,), law.value, law.support) if isinstance(law.support, Interval) else None
    total = None if parts is None else _exact_integral(law.value, parts)
    return Mass(True, "1") if total is not None and sp.simplify(total - 1) == 0 else None


# tried in this order: sympy's antiderivatives take seconds and come last
METHODS: tuple[Callable[[Density], Mass | None], ...] = (recognise_integral, refute_by_quadrature, integrate_exactly)


def _parameters(law: Law) -> list[Any]:
    return sorted({s for formula in law.formulas for s in formula.free_symbols} - {law.value}, key=str)


def _exact_integral(variable: Formula, parts: list[Any]) -> Formula | None:
    total = sp.S.Zero
    for where, (log_density,) in parts:
        part = _integral(log_density, variable, where)
        if part is None:
            return None
        total += part
    return total


def _integral(log_density: Formula, variable: Formula, where: Interval) -> Formula | None:
    if not log_density.has(variable):
        length = where.upper - where.lower
        return sp.exp(log_density) * length if length.is_finite else None
    x = sp.Symbol("x", positive=True) if where.lower.is_nonnegative else sp.Symbol("x", real=True)
    return value_or(run_bounded(definite_integral, log_density.xreplace({variable: x}), x, where))


def definite_integral(log_density: Formula, x: sp.Symbol, where: Interval) -> Formula | None:
    """Return the integral of a density through a checked antiderivative; None if there is none."""
    found = _by_structure(log_density, x, where)
    return _by_antiderivative(log_density, x, where) if found is None else found


def _by_antiderivative(log_density: Formula, x: sp.Symbol, where: Interval) -> Formula | None:
    """Return the integral by sympy's antiderivative, if its derivative is the density and it is a chain of monotone layers.

    The limits are those of the layers: a limit of sympy's may be wrong, and a primitive of sympy's may jump.
    """
    # equal for a > 0, and integrals cancel it
    plain = log_density.replace(sp.loggamma, lambda a: sp.log(sp.gamma(a)))
    density = sp.powsimp(sp.simplify(sp.exp(sp.expand_log(plain))))
    for written in dict.fromkeys((density, density.rewrite(sp.exp))):
        found = sp.integrate(written, x)
        chain = None if found.has(sp.Integral) else MonotoneChain.of(found, x, where)
        if chain is None or not (chain.image.lower.is_finite and chain.image.upper.is_finite):
            continue
        if sp.simplify((found.diff(x) - density).rewrite(sp.exp)) == 0:
            return sp.simplify(chain.image.upper - chain.image.lower)
    return None


def _by_structure(log_density: Formula, x: sp.Symbol, where: Interval) -> Formula | None:
    """Return a(h(x)) between the ends, for a part h of the formula after which the density is elementary."""
    law = Law(x, log_density, where)
    for found in substitutions(law, where):
        image, scale = found.onto.image, found.scale(law)
        if scale is None or image.lower.is_infinite or image.upper.is_infinite:
            continue
        slope = defined(scale * found.composed.diff(x))
        if is_zero((log_modulus(slope) - log_density).xreplace({x: point_inside(where)})):
            return sp.simplify(defined(found.direction * scale * (image.upper - image.lower)))
    return None


def _quadrature(law: Law, point: Point) -> Any:
    """Return a numerical integral to 30 digits and the difference of two subdivisions; None if that is too large."""
    if not isinstance(law.support, Interval):
        return None
    bounds = (law.support.lower, law.support.upper)
    with mp.workdps(30):
        if None in (end_value(bound, point) for bound in bounds):
            return None
        here = density_function(sp.exp(law.log_density), law.value, point)
        found = integrate_twice(
            here, lambda: [end_value(bound, point) for bound in bounds], (-8, -1, 0, 1, 8), (-20, -5, -2, 0, 2, 5, 20)
        )
        return found if found is not None and found[1] < mp.mpf(10) ** -9 else None
