r"""Whether $r = \log q(\varepsilon) - \log|g'(\varepsilon)| - \log p(g(\varepsilon))$ is zero, symbolically.

Each interval gets a chart in which its points are visibly inside (u = s/(1+s) with s > 0 on the unit interval), so that
logarithms split without force; where g is a chain of layers the same identity is also tried in z through the inverse.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symaux.bounded import bounded, value_of
from symaux.functions import defined
from symaux.logarithm import log_modulus
from symaux.pieces import pieces
from symaux.proof.claim import Claim
from symaux.proof.monotone import Branch
from symaux.support import Interval


def vanishes(claim: Claim, branches: list[Branch]) -> str | None:
    """None if the residual is zero on every branch; otherwise what could not be shown."""
    for branch in branches:
        reason = _on_branch(claim, branch)
        if reason is not None:
            return reason
    return None


def _on_branch(claim: Claim, branch: Branch) -> str | None:
    e, z = claim.noise.value, claim.law.value
    density = claim.law.log_density.xreplace({z: branch.formula})
    parts = pieces((claim.noise.log_density, density), e, branch.where)
    if parts is None:
        return "the corners of the densities could not be put in order"
    for where, (noise, pushed) in parts:
        forms = [_in_noise(noise, pushed, branch, e, where)]
        if branch.chain is not None and len(parts) == 1:
            forms += _in_value(claim, branch)
        if any(is_zero(form) for form in forms):
            continue
        if not any(value_of(bounded(simplifies, form), False) for form in forms):
            return f"the residual did not simplify to zero on {where}"
    return None


def _in_noise(noise: sp.Expr, pushed: sp.Expr, branch: Branch, e: sp.Expr, where: Interval) -> sp.Expr:
    slope = defined(branch.formula.diff(e))
    residual = noise - log_modulus(slope) - defined(pushed)
    return residual.xreplace({e: inside(where)})


def _in_value(claim: Claim, branch: Branch) -> list[sp.Expr]:
    """log q(h(z)) + log|h'(z)| - log p(z) for the inverse h of g, where it has no corners."""
    assert branch.chain is not None
    z = claim.law.value
    inverse = branch.chain.inverse(z)
    noise = claim.noise.log_density.xreplace({claim.noise.value: inverse})
    parts = pieces((defined(noise), claim.law.log_density), z, branch.image)
    if parts is None or len(parts) != 1:
        return []
    ((_, (pulled, density)),) = parts
    residual = pulled + log_modulus(defined(inverse.diff(z))) - density
    return [residual.xreplace({z: inside(branch.image)})]


def inside(where: Interval) -> sp.Expr:
    """A point of the interval in a positive (or real) coordinate."""
    s = sp.Symbol("s_", positive=True)
    match where.lower == -sp.oo, where.upper == sp.oo:
        case True, True:
            return sp.Symbol("s_", real=True)
        case False, True:
            return where.lower + s
        case True, False:
            return where.upper - s
    return where.lower + (where.upper - where.lower) * s / (1 + s)


def is_zero(formula: sp.Expr) -> bool:
    """Whether a few quick rewritings end in zero."""
    return any(form == 0 for form in _rewritings(formula))


def _rewritings(formula: sp.Expr) -> Iterator[sp.Expr]:
    yield formula
    split = split_logarithms(formula)
    yield split
    yield sp.expand(split)
    yield sp.expand(sp.powsimp(sp.powdenest(split)))


def split_logarithms(formula: sp.Expr) -> sp.Expr:
    """The formula with every logarithm of a product taken apart; a factor of unknown sign keeps its modulus."""
    formula = formula.replace(lambda e: isinstance(e, sp.Pow) and e.base.is_Add, lambda e: sp.factor(e.base) ** e.exp)
    return formula.replace(lambda e: isinstance(e, sp.log), lambda e: _split(e.args[0]))


def _split(argument: sp.Expr) -> sp.Expr:
    return log_modulus(sp.factor(argument.args[0] if isinstance(argument, sp.Abs) else argument))


def simplifies(formula: sp.Expr) -> bool:
    """The slow attempts: simplify as it stands, split, and as a ratio of densities."""
    if sp.simplify(formula) == 0:
        return True
    split = split_logarithms(formula)
    if sp.simplify(split) == 0 or sp.simplify(sp.expand_log(sp.expand(split))) == 0:
        return True
    return sp.simplify(sp.exp(split)) == 1
