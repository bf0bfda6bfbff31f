r"""Whether a density integrates to one.

Proved are a classical integral, and an antiderivative whose derivative is shown to be the density, with its limits at both
ends. An integral that sympy gives without one is not believed, whatever numerical quadrature says.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.points import Point, points
from symaux.formulas.numeric.quadrature import end, height, twice
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.antiderivative import substitutions
from symaux.laws.law import Law
from symaux.proof.mass.recognise import integrates_to_one
from symaux.proof.scalar.residual import inside, is_zero
from symaux.rules.verdict import Status
from symaux.sandbox import bounded, value_of

LONG, SECONDS = 60, 10.0  # operations of a log-density that may keep sympy busy; for how long
NOTHING, SURE = mp.mpf(10) ** -14, 1000  # what quadrature may be off by; how many times its doubt a difference must be


@dataclass(frozen=True)
class Mass:
    """The integral of a density: proved to be one, or a number that was seen."""

    proved: bool
    seen: str = ""
    wrong: bool = False

    def unproved(self, what: str) -> tuple[Status, str]:
        """What is known if nothing is proved: a number that was seen, or nothing."""
        if not self.seen:
            return Status.UNDECIDED, f"it is not known what {what} integrates to: quadrature gives no number"
        return Status.SAMPLED, f"{what} integrates to {self.seen}, by quadrature only"


@functools.lru_cache(maxsize=512)
def mass(law: Law) -> Mass:
    """What the density of a law in plain symbols integrates to."""
    if _is_classical(law):
        return Mass(True, "1")
    numbers = [
        found
        for point in points(_parameters(law), conditions=law.conditions, count=2, seed=3)
        if (found := _quadrature(law, point))
    ]
    far = [total for total, doubt in numbers if abs(total - 1) > max(NOTHING, SURE * doubt)]
    if far:  # before sympy is asked, which takes seconds
        return Mass(False, mp.nstr(far[0], 20), wrong=True)
    parts = pieces((law.log_density,), law.value, law.support) if isinstance(law.support, Interval) else None
    total = None if parts is None else _exactly(law.value, parts)
    if total is not None and sp.simplify(total - 1) == 0:
        return Mass(True, "1")
    return Mass(False, mp.nstr(numbers[0][0], 12) if numbers else "")


def _is_classical(law: Law) -> bool:
    """Return whether a law is known to integrate to one; a long formula is looked at within limits."""
    if sp.count_ops(law.log_density) <= LONG:
        return integrates_to_one(law)
    return bool(value_of(bounded(integrates_to_one, law, seconds=SECONDS), False))


def _parameters(law: Law) -> list[sp.Symbol]:
    return sorted({s for formula in law.formulas for s in formula.free_symbols} - {law.value}, key=str)


def _exactly(variable: sp.Expr, parts: list[Any]) -> sp.Expr | None:
    total = sp.S.Zero
    for where, (log_density,) in parts:
        part = _integral(log_density, variable, where)
        if part is None:
            return None
        total += part
    return total


def _integral(log_density: sp.Expr, variable: sp.Expr, where: Interval) -> sp.Expr | None:
    if not log_density.has(variable):
        length = where.upper - where.lower
        return sp.exp(log_density) * length if length.is_finite else None
    x = sp.Symbol("x", positive=True) if where.lower.is_nonnegative else sp.Symbol("x", real=True)
    return value_of(bounded(definite, log_density.xreplace({variable: x}), x, where))


def definite(log_density: sp.Expr, x: sp.Symbol, where: Interval) -> sp.Expr | None:
    """Return the integral of a density through an antiderivative that was checked; None if there is none."""
    found = _by_structure(log_density, x, where)
    return _by_antiderivative(log_density, x, where) if found is None else found


def _by_antiderivative(log_density: sp.Expr, x: sp.Symbol, where: Interval) -> sp.Expr | None:
    """Sympy's antiderivative, if its derivative is the density and it is a chain of monotone layers between finite ends.

    The limits are those of the layers: a limit of sympy's may be wrong, and a primitive of sympy's may jump.
    """
    # equal for a > 0, and integrals cancel it
    plain = log_density.replace(sp.loggamma, lambda a: sp.log(sp.gamma(a)))
    density = sp.powsimp(sp.simplify(sp.exp(sp.expand_log(plain))))
    for written in dict.fromkeys((density, density.rewrite(sp.exp))):
        found = sp.integrate(written, x)
        chain = None if found.has(sp.Integral) else Chain.of(found, x, where)
        if chain is None or not (chain.image.lower.is_finite and chain.image.upper.is_finite):
            continue
        if sp.simplify((found.diff(x) - density).rewrite(sp.exp)) == 0:
            return sp.simplify(chain.image.upper - chain.image.lower)
    return None


def _by_structure(log_density: sp.Expr, x: sp.Symbol, where: Interval) -> sp.Expr | None:
    """Return a(h(x)) between the ends, for a part h of the formula after which the density is elementary."""
    law = Law(x, log_density, where)
    for found in substitutions(law, where):
        image, scale = found.onto.image, found.scale(law)
        if scale is None or image.lower.is_infinite or image.upper.is_infinite:
            continue
        slope = defined(scale * found.composed.diff(x))
        if is_zero((log_modulus(slope) - log_density).xreplace({x: inside(where)})):
            return sp.simplify(defined(found.direction * scale * (image.upper - image.lower)))
    return None


def _quadrature(law: Law, point: Point) -> Any:
    """Return a numerical integral at 30 digits, and by how much two ways to split it differ; None if that is too
    much."""
    if not isinstance(law.support, Interval):
        return None
    bounds = (law.support.lower, law.support.upper)
    with mp.workdps(30):
        if None in (end(bound, point) for bound in bounds):
            return None
        here = height(sp.exp(law.log_density), law.value, point)
        found = twice(
            here, lambda: [end(bound, point) for bound in bounds], (-8, -1, 0, 1, 8), (-20, -5, -2, 0, 2, 5, 20)
        )
        return found if found is not None and found[1] < mp.mpf(10) ** -9 else None
