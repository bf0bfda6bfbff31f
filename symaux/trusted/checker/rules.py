"""List the inference rules, the only functions that make facts, and state the last of them: conclusions with a witness.

A rule gets formulas, regions and facts and looks at nothing else; it raises Unproved where a premise is missing. All facts that
a rule combines have the same conditions. ``RULES`` lists them all; ``proofs.replay`` runs them again from stored proofs.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.trusted.checker.facts import (
    Fact,
    Inhabited,
    Mass,
    Normalised,
    Pushforward,
    Region,
    Transports,
    Unproved,
    rule,
)
from symaux.trusted.checker.map_rules import bijective, composed, continuous, equal, positive, quantile, transports
from symaux.trusted.checker.mass_rules import (
    mass_axiom,
    mass_backward,
    mass_forward,
    mass_mixture,
    mass_scaled,
    mass_split,
    mass_total,
)
from symaux.trusted.checker.numbers import sign_of_number
from symaux.trusted.checker.premises import statement_of
from symaux.trusted.checker.signs import RELATIONS


@rule
def inhabited(region: Region, witness: tuple[Any, ...]) -> Inhabited:
    """Conclude that the conditions of a region do not contradict each other, from numbers that satisfy them all.

    The witness has pairs of a symbol and a rational number, which must agree with the assumptions of the symbol. Stops claims
    about nothing: conditions that exclude each other or the assumptions of a symbol.
    """
    values = dict(witness)
    order = sp.StrictLessThan(region.lower, region.upper, evaluate=False)
    relations = [c for condition in region.conditions for c in sp.And.make_args(condition)]
    read = {s for c in (*relations, order) for s in c.free_symbols}
    for symbol, value in values.items():
        stated = {
            word: known for word, known in symbol.assumptions0.items() if getattr(value, f"is_{word}", known) != known
        }
        if not isinstance(value, sp.Rational) or stated:
            raise Unproved(f"{symbol} = {value} contradicts the assumptions of the symbol")
    if not read <= set(values):
        raise Unproved("the witness does not have a number for every symbol of the conditions")
    for condition in (*relations, *([order] if not order.has(sp.oo, -sp.oo) else [])):
        if not _holds(condition, values):
            raise Unproved(f"the witness does not satisfy {condition}")
    return Inhabited(region)


def _holds(condition: Any, values: dict[Any, Any]) -> bool:
    if type(condition) not in RELATIONS:
        return False
    return sign_of_number((condition.lhs - condition.rhs).xreplace(values)) in RELATIONS[type(condition)]


@rule
def normalised(mass: Fact, witness: Fact) -> Normalised:
    """Conclude that a density of mass one is a density, on a region that is not empty for all parameters."""
    known = statement_of(mass, Mass)
    if known.total != 1 or statement_of(witness, Inhabited).region != known.region:
        raise Unproved("the density is not known to have mass one on a region with a witness")
    return Normalised(known.log_density, known.region)


@rule
def pushforward(mapped: Fact, mass: Fact, witness: Fact) -> Pushforward:
    """Conclude that g(eps) has the law if eps has the noise's density: g carries it there, it has mass one, and not in vain.

    The law's region is not empty where the noise's is not: it is the image of a strictly monotone map.
    """
    known, noise = statement_of(mapped, Transports), statement_of(mass, Mass)
    if (noise.log_density, noise.region, noise.total) != (known.noise_log_density, known.noise, sp.S.One):
        raise Unproved("the noise is not known to have mass one")
    if statement_of(witness, Inhabited).region != known.noise:
        raise Unproved("the conditions are not known to be satisfiable")
    return Pushforward(known.noise_log_density, known.noise, known.value, known.log_density, known.law)


RULES = {
    made.__name__: made
    for made in (
        *(continuous, positive, equal, bijective, transports, composed, quantile),
        *(mass_axiom, mass_forward, mass_backward, mass_split, mass_scaled, mass_mixture, mass_total),
        *(inhabited, normalised, pushforward),
    )
}
