r"""Prove maps that fold: $p(z) = \sum_i q(h_i(z))\,|h_i'(z)|$ over the branches of g, each onto the whole support of the law.

>>> from symaux.laws.families import half_normal, normal
>>> from symaux.proof.scalar.claim import claim
>>> z, e = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
>>> made = claim(half_normal(z, 1), normal(e, 0, 1), sp.Abs(e))
>>> len(folded_branches(made)), check_sum_of_branches(made, folded_branches(made))
(2, None)
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.log import log_modulus
from symaux.formulas.symbols.support import point_inside
from symaux.laws.law import Law
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.monotone import Branch, are_equal_ends, monotone_branch
from symaux.sandbox import run_bounded, value_or


def folded_branches(claim: Claim) -> list[Branch] | str:
    """Return the strictly monotone branches of a continuous g, each of which maps onto the support; or the reason why not."""
    parts = split_at_corners((claim.value,), claim.noise.value, claim.noise.interval)
    if parts is None:
        return "the corners of g could not be put in order"
    found = [monotone_branch(formula, claim.noise.value, where) for where, (formula,) in parts]
    made = [each for each in found if each is not None and each.chain is not None]
    if len(made) < len(found):
        return "g is not known to be strictly monotone between its corners"
    for each in made:
        if not (
            are_equal_ends(each.image.lower, claim.law.interval.lower)
            and are_equal_ends(each.image.upper, claim.law.interval.upper)
        ):
            return f"a branch of g maps onto {each.image}, the law lives on {claim.law.support}"
    for left, right in pairwise(made):
        joint = left.image.lower if left.direction == -1 else left.image.upper
        if left.direction == right.direction or not joint.is_finite:
            return "g jumps, or has a pole, where two of its branches should meet"
    return made


def check_sum_of_branches(claim: Claim, branches: list[Branch]) -> str | None:
    """Return why the densities of the branches are not known to add up to the law's; None if they do, symbolically."""
    chart = {claim.law.value: point_inside(claim.law.interval)}
    parts = [_pushed(claim, each) for each in branches]
    if None in parts or _without_corners(claim.law.log_density, claim.law) is None:
        return "the corners of the densities could not be put in order"
    shares = [sp.exp(sp.expand((part - claim.law.log_density).xreplace(chart))) for part in parts]
    if value_or(run_bounded(_is_one, sp.Add(*shares)), False):
        return None
    return "the densities of the branches did not add up to the law's, symbolically"


def _pushed(claim: Claim, each: Branch) -> Formula | None:
    r"""Return $\log q(h(z)) + \log|h'(z)|$ for the inverse h of a branch."""
    assert each.chain is not None
    z = claim.law.value
    inverse = defined(each.chain.inverse(z))
    pulled = _without_corners(claim.noise.log_density.xreplace({claim.noise.value: inverse}), claim.law)
    return None if pulled is None else pulled + log_modulus(inverse.diff(z))


def _without_corners(formula: Formula, law: Law) -> Formula | None:
    """Return a formula on the support of a law without corners; moduli may stay, which are treated as symbols."""
    found = split_at_corners((formula,), law.value, law.interval)
    if found is not None and len(found) == 1:
        return found[0][1][0]
    return None if formula.has(sp.Piecewise, sp.Max, sp.Min, sp.sign, sp.Heaviside) else formula


def _is_one(total: Formula) -> bool:
    plain = total.rewrite(sp.exp) if total.has(sp.cosh, sp.sinh) else total
    return sp.cancel(sp.powsimp(sp.expand(plain))) == 1 or sp.simplify(plain) == 1
