r"""Whether g is continuous and strictly monotone from the noise's support onto the law's.

A zero residual alone proves nothing: $|u - \tfrac12|$ has one. Here each branch of g is taken apart into strictly
monotone layers whose images are tracked exactly; branches must meet and run in the same direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from symaux.formulas.algebra.canonical import canonical, with_powers_split
from symaux.formulas.algebra.factor import factored, tame
from symaux.formulas.algebra.monotone_chain import Chain
from symaux.formulas.algebra.monotone_map import short
from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.claim import Claim
from symaux.sandbox import bounded, value_of


@dataclass(frozen=True)
class Branch:
    """A piece of g without corners: where it holds, its formula, and its inverse if it is a chain of layers."""

    where: Interval
    formula: sp.Expr
    image: Interval
    direction: int
    chain: Chain | None


def branches(claim: Claim) -> list[Branch] | str:
    """Return the strictly monotone branches of g, which together map onto the support; or the reason why not."""
    parts = pieces((claim.value,), claim.noise.value, claim.noise.support)
    if parts is None:
        return "the corners of g could not be put in order"
    found = []
    for where, (formula,) in parts:
        made = branch(formula, claim.noise.value, where)
        if made is None:
            return f"{formula} is not known to be strictly monotone on {where}"
        found.append(made)
    return _joined(found, claim.law.support)


def branch(formula: sp.Expr, variable: sp.Expr, where: Interval) -> Branch | None:
    """Return a formula without corners as a strictly monotone map of an interval; None if it is not known to be one."""
    chain = Chain.of(formula, variable, where)
    if chain is not None:
        return Branch(where, formula, chain.image, chain.direction, chain)
    direction = value_of(bounded(_slope_sign, formula, variable, where, seconds=5))
    if direction is None:
        return None
    ends = value_of(bounded(_limits, formula, variable, where.lower, where.upper, seconds=5))
    if ends is None:
        return None
    lower, upper = ends if direction == 1 else reversed(ends)
    return Branch(where, formula, Interval(lower, upper), direction, None)


def _slope_sign(formula: sp.Expr, variable: sp.Expr, where: Interval) -> int | None:
    if where.lower.is_nonnegative and not variable.is_positive:
        positive = sp.Symbol("e", positive=True)
        formula, variable = formula.xreplace({variable: positive}), positive
    slope = formula.diff(variable)
    return sign_of(slope) or sign_of(factored(sp.together(slope)))


def _limits(formula: sp.Expr, variable: sp.Expr, lower: sp.Expr, upper: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    at_lower, at_upper = sp.limit(formula, variable, lower, "+"), sp.limit(formula, variable, upper, "-")
    if at_lower.has(sp.Limit) or at_upper.has(sp.Limit) or sp.nan in (at_lower, at_upper):
        raise ValueError("no limit")
    return at_lower, at_upper


def finished(end: sp.Expr) -> sp.Expr:
    """Return a limit from within with every sum in it written as short as can be, so that a logarithm of nothing is
    seen.

    >>> w = sp.Symbol("w", positive=True)
    >>> finished(sp.log(sp.log(w / (w + 1) + 1 / (w + 1))) / 2 + 3)
    -oo
    """
    if end.is_Atom:
        return end
    inner = [finished(arg) for arg in end.args]
    if isinstance(end, sp.log) and inner[0] == 0:
        return -sp.oo
    return short(end.func(*inner))


def _joined(found: list[Branch], support: Interval) -> list[Branch] | str:
    direction = found[0].direction
    for left, right in pairwise(found):
        if right.direction != direction:
            return "g turns back: its branches run in different directions"
        ends = (left.image.upper, right.image.lower) if direction == 1 else (left.image.lower, right.image.upper)
        if not equal(*ends):
            return f"g jumps from {ends[0]} to {ends[1]}"
    first, last = (found[0], found[-1]) if direction == 1 else (found[-1], found[0])
    if not (equal(first.image.lower, support.lower) and equal(last.image.upper, support.upper)):
        return f"g maps onto ({first.image.lower}, {last.image.upper}), the law lives on {support}"
    return found


def equal(a: sp.Expr, b: sp.Expr) -> bool:
    """Return whether two end points are the same, infinite ones included."""
    if a == b or (a := finished(a)) == (b := finished(b)):
        return True
    if a.is_infinite or b.is_infinite:
        return False
    if tame(a) and tame(b):
        return _same(a, b)
    return bool(value_of(bounded(_same, a, b), False))


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    difference = canonical(a - b)
    if difference == 0 or sp.simplify(difference) == 0:
        return True
    return sp.simplify(settled(a) - settled(b)) == 0


def settled(end: sp.Expr) -> sp.Expr:
    """Return an end point written as short as it can be."""
    return canonical(sp.simplify(with_powers_split(end)))
