r"""Maps that fold: $p(z) = \sum_i q(h_i(z))\,|h_i'(z)|$ over the branches of g, each onto the whole support of the law.

>>> from symaux.laws.families import half_normal, normal
>>> from symaux.proof.scalar.claim import claim
>>> z, e = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
>>> made = claim(half_normal(z, 1), normal(e, 0, 1), sp.Abs(e))
>>> len(folds(made)), adds_up(made, folds(made))
(2, None)
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.log import log_modulus
from symaux.laws.law import Law
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.monotone import Branch, branch, equal
from symaux.proof.scalar.residual import inside
from symaux.sandbox import bounded, value_of


def folds(claim: Claim) -> list[Branch] | str:
    """Return the strictly monotone branches of a continuous g, each of which maps onto the support; or the reason
    why not."""
    parts = pieces((claim.value,), claim.noise.value, claim.noise.support)
    if parts is None:
        return "the corners of g could not be put in order"
    found = [branch(formula, claim.noise.value, where) for where, (formula,) in parts]
    made = [each for each in found if each is not None and each.chain is not None]
    if len(made) < len(found):
        return "g is not known to be strictly monotone between its corners"
    for each in made:
        if not (equal(each.image.lower, claim.law.support.lower) and equal(each.image.upper, claim.law.support.upper)):
            return f"a branch of g maps onto {each.image}, the law lives on {claim.law.support}"
    for left, right in pairwise(made):
        joint = left.image.lower if left.direction == -1 else left.image.upper
        if left.direction == right.direction or not joint.is_finite:
            return "g jumps, or has a pole, where two of its branches should meet"
    return made


def adds_up(claim: Claim, branches: list[Branch]) -> str | None:
    """None if the densities of the branches add up to the law's, symbolically; otherwise what could not be shown."""
    chart = {claim.law.value: inside(claim.law.support)}
    parts = [_pushed(claim, each) for each in branches]
    if None in parts or _without_corners(claim.law.log_density, claim.law) is None:
        return "the corners of the densities could not be put in order"
    shares = [sp.exp(sp.expand((part - claim.law.log_density).xreplace(chart))) for part in parts]
    if value_of(bounded(_is_one, sp.Add(*shares)), False):
        return None
    return "the densities of the branches did not add up to the law's, symbolically"


def _pushed(claim: Claim, each: Branch) -> sp.Expr | None:
    r"""$\log q(h(z)) + \log|h'(z)|$ for the inverse h of a branch."""
    assert each.chain is not None
    z = claim.law.value
    inverse = defined(each.chain.inverse(z))
    pulled = _without_corners(claim.noise.log_density.xreplace({claim.noise.value: inverse}), claim.law)
    return None if pulled is None else pulled + log_modulus(inverse.diff(z))


def _without_corners(formula: sp.Expr, law: Law) -> sp.Expr | None:
    """Return a formula on the support of a law without corners; moduli may stay, which are as good as symbols."""
    found = pieces((formula,), law.value, law.support)
    if found is not None and len(found) == 1:
        return found[0][1][0]
    return None if formula.has(sp.Piecewise, sp.Max, sp.Min, sp.sign, sp.Heaviside) else formula


def _is_one(total: sp.Expr) -> bool:
    plain = total.rewrite(sp.exp) if total.has(sp.cosh, sp.sinh) else total
    return sp.cancel(sp.powsimp(sp.expand(plain))) == 1 or sp.simplify(plain) == 1
