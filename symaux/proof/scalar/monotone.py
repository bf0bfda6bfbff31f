r"""Decide whether g is continuous and strictly monotone from the noise's support onto the law's.

A zero residual alone proves nothing: $|u - \tfrac12|$ has one. Here each branch of g is taken apart into strictly
monotone layers whose images are tracked exactly; branches must meet and run in the same direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from symaux.formulas.algebra.canonical import to_canonical_form, with_powers_split
from symaux.formulas.algebra.factor import factor_formula, has_small_exponents
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.monotone_map import shortest_form
from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.algebra.signs import sign_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.claim import Claim
from symaux.sandbox import run_bounded, value_or


@dataclass(frozen=True)
class Branch:
    """A piece of g without corners: where it holds, its formula, and its inverse if it is a chain of layers."""

    where: Interval
    formula: Formula
    image: Interval
    direction: int
    chain: MonotoneChain | None


def monotone_branches(claim: Claim) -> list[Branch] | str:
    """Return the strictly monotone branches of g, which together map onto the support; or the reason why not."""
    parts = split_at_corners((claim.value,), claim.noise.value, claim.noise.interval)
    if parts is None:
        return "the corners of g could not be put in order"
    found = []
    for where, (formula,) in parts:
        made = monotone_branch(formula, claim.noise.value, where)
        if made is None:
            return f"{formula} is not known to be strictly monotone on {where}"
        found.append(made)
    return _join(found, claim.law.interval)


def monotone_branch(formula: Formula, variable: Formula, where: Interval) -> Branch | None:
    """Return a formula without corners as a strictly monotone map of an interval; None if it is not known to be one."""
    chain = MonotoneChain.of(formula, variable, where)
    if chain is not None:
        return Branch(where, formula, chain.image, chain.direction, chain)
    direction = value_or(run_bounded(_slope_sign, formula, variable, where, seconds=5))
    if direction is None:
        return None
    ends = value_or(run_bounded(_limits, formula, variable, where.lower, where.upper, seconds=5))
    if ends is None:
        return None
    lower, upper = ends if direction == 1 else reversed(ends)
    return Branch(where, formula, Interval(lower, upper), direction, None)


def _slope_sign(formula: Formula, variable: Formula, where: Interval) -> int | None:
    if where.lower.is_nonnegative and not variable.is_positive:
        positive = sp.Symbol("e", positive=True)
        formula, variable = formula.xreplace({variable: positive}), positive
    slope = formula.diff(variable)
    return sign_of(slope) or sign_of(factor_formula(sp.together(slope)))


def _limits(formula: Formula, variable: Formula, lower: Formula, upper: Formula) -> tuple[Formula, Formula]:
    at_lower, at_upper = sp.limit(formula, variable, lower, "+"), sp.limit(formula, variable, upper, "-")
    if at_lower.has(sp.Limit) or at_upper.has(sp.Limit) or sp.nan in (at_lower, at_upper):
        raise ValueError("no limit")
    return at_lower, at_upper


def finish_limit(end: Formula) -> Formula:
    """Return a limit with every sum in it as short as can be, so that a logarithm of zero becomes visible.

    >>> w = sp.Symbol("w", positive=True)
    >>> finish_limit(sp.log(sp.log(w / (w + 1) + 1 / (w + 1))) / 2 + 3)
    -oo
    """
    if end.is_Atom:
        return end
    inner = [finish_limit(arg) for arg in end.args]
    if isinstance(end, sp.log) and inner[0] == 0:
        return -sp.oo
    return shortest_form(end.func(*inner))


def _join(found: list[Branch], support: Interval) -> list[Branch] | str:
    direction = found[0].direction
    for left, right in pairwise(found):
        if right.direction != direction:
            return "g turns back: its branches run in different directions"
        ends = (left.image.upper, right.image.lower) if direction == 1 else (left.image.lower, right.image.upper)
        if not are_equal_ends(*ends):
            return f"g jumps from {ends[0]} to {ends[1]}"
    first, last = (found[0], found[-1]) if direction == 1 else (found[-1], found[0])
    if not (are_equal_ends(first.image.lower, support.lower) and are_equal_ends(last.image.upper, support.upper)):
        return f"g maps onto ({first.image.lower}, {last.image.upper}), the law lives on {support}"
    return found


def are_equal_ends(a: Formula, b: Formula) -> bool:
    """Return whether two end points are equal, infinite ones included."""
    if a == b or (a := finish_limit(a)) == (b := finish_limit(b)):
        return True
    if a.is_infinite or b.is_infinite:
        return False
    if has_small_exponents(a) and has_small_exponents(b):
        return _same(a, b)
    return bool(value_or(run_bounded(_same, a, b), False))


def _same(a: Formula, b: Formula) -> bool:
    difference = to_canonical_form(a - b)
    if difference == 0 or sp.simplify(difference) == 0:
        return True
    return sp.simplify(shorten_end(a) - shorten_end(b)) == 0


def shorten_end(end: Formula) -> Formula:
    """Return an end point written as short as it can be."""
    return to_canonical_form(sp.simplify(with_powers_split(end)))
