r"""Prove a claim about one noise: by monotone branches that meet, or by branches that each map onto the whole support.

A method asks whether g has the branches that it needs and then whether its identity holds on them:
$\log q(\varepsilon) - \log|g'(\varepsilon)| - \log p(g(\varepsilon)) = 0$, or $p(z) = \sum_i q(h_i(z))\,|h_i'(z)|$.

>>> import sympy as sp
>>> from symaux.laws.families import half_normal, normal
>>> from symaux.proof.scalar.claim import claim
>>> from symaux.proof.scalar.refute import search
>>> z, e = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
>>> folding = claim(half_normal(z, 1), normal(e, 0, 1), sp.Abs(e))
>>> prove_by_monotone_branches(folding, search(folding))
'g turns back: its branches run in different directions'
>>> prove(folding, search(folding)).evidence[1]
"the sum of q(eps)/|g'(eps)| over the branches is p, symbolically"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.folded import check_sum_of_branches, folded_branches
from symaux.proof.scalar.layerwise import vanishes_layerwise
from symaux.proof.scalar.monotone import monotone_branches
from symaux.proof.scalar.refute import Search
from symaux.proof.scalar.residual import check_residual


@dataclass(frozen=True)
class Attempt:
    """The evidence of a proof, or what could not be shown."""

    evidence: tuple[str, ...] = ()
    missing: str | None = None


Method = Callable[[Claim, Search], Attempt | str | None]


def prove(claim: Claim, seen: Search) -> Attempt:
    """Return the attempt of the first method whose branches g has; otherwise the last reason why it has none."""
    reason = None
    for method in METHODS:
        found = method(claim, seen)
        if isinstance(found, Attempt):
            return found
        reason = found or reason
    return Attempt(missing=reason or "no method applies")


def prove_by_monotone_branches(claim: Claim, seen: Search) -> Attempt | str:
    """Return a proof by a residual of zero, or what it lacks; or why g is not monotone onto the support."""
    parts = monotone_branches(claim)
    if isinstance(parts, str):
        return parts
    reason = None if vanishes_layerwise(claim, parts) else check_residual(claim, parts)
    image = "strictly monotone" if len(parts) == 1 else f"strictly monotone in {len(parts)} branches that meet"
    evidence = (
        f"g is continuous and {image}, from {claim.noise.support} onto {claim.law.support}",
        "log q(eps) - log|g'(eps)| - log p(g(eps)) = 0, symbolically",
    )
    return Attempt(evidence) if reason is None else Attempt(missing=reason)


def prove_by_folded_branches(claim: Claim, seen: Search) -> Attempt | str | None:
    """Return a proof by the sum over branches, or what it lacks; None unless the search for a witness saw g turn back."""
    if not seen.folded:
        return None
    parts = folded_branches(claim)
    if isinstance(parts, str):
        return parts
    reason = check_sum_of_branches(claim, parts)
    evidence = (
        f"g is continuous and has {len(parts)} strictly monotone branches, each of them onto {claim.law.support}",
        "the sum of q(eps)/|g'(eps)| over the branches is p, symbolically",
    )
    return Attempt(evidence) if reason is None else Attempt(missing=reason)


METHODS: tuple[Method, ...] = (prove_by_monotone_branches, prove_by_folded_branches)
