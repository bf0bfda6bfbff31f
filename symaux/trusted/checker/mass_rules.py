"""State the rules about masses: axioms, images under maps, pieces, multiples and mixtures."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.axioms import AXIOMS
from symaux.trusted.checker.continuity import check_continuous
from symaux.trusted.checker.facts import Fact, Mass, Region, Transports, Unproved, rule
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.premises import check_defined, check_equal, check_order, is_same, signs_on, statement_of


@rule
def mass_axiom(name: str, variable: sp.Symbol, values: tuple[Formula, ...], conditions: tuple[Any, ...]) -> Mass:
    """Conclude that a density has mass one from an axiom, whose conditions hold for the values of its parameters."""
    axiom = AXIOMS[name]
    domain = Region(variable, sp.S.Zero, sp.S.One, conditions)
    signs = signs_on(domain, *values)
    check_defined(domain, *values)
    if any(variable in value.free_symbols for value in values) or len(values) != len(axiom.parameters):
        raise Unproved(f"the parameters of the axiom {name} must be formulas of the parameters")
    for condition in axiom.conditions:
        if signs.decides(axiom.at(condition, variable, values)) is not True:
            raise Unproved(f"the axiom {name} needs {axiom.at(condition, variable, values)}")
    lower, upper = (axiom.at(bound, variable, values) for bound in (axiom.lower, axiom.upper))
    region = Region(variable, lower, upper, conditions)
    return Mass(axiom.at(axiom.log_density, variable, values), region, sp.S.One)


@rule
def mass_forward(mapped: Fact, mass: Fact) -> Mass:
    """Conclude that the density of the law has the mass of the noise that is carried to it."""
    known, noise = statement_of(mapped, Transports), statement_of(mass, Mass)
    if (noise.log_density, noise.region) != (known.noise_log_density, known.noise):
        raise Unproved("the mass is not that of the noise")
    return Mass(known.log_density, known.law, noise.total)


@rule
def mass_backward(mapped: Fact, mass: Fact) -> Mass:
    """Conclude that the density of the noise has the mass of the law that it is carried to: the map is one to one."""
    known, law = statement_of(mapped, Transports), statement_of(mass, Mass)
    if (law.log_density, law.region) != (known.log_density, known.law):
        raise Unproved("the mass is not that of the law")
    return Mass(known.noise_log_density, known.noise, law.total)


@rule
def mass_split(log_density: Formula, region: Region, pieces: tuple[Fact, ...]) -> Mass:
    """Conclude that masses on consecutive pieces add up, each of a formula that equals the density on its own piece.

    Additivity of the integral. Stops densities with branches of which the constant is read in one of them.
    """
    parts = [statement_of(piece, Mass) for piece in pieces]
    ends = [region.lower, *(part.region.upper for part in parts)]
    outer = signs_on(region, log_density)
    for part, low, high in zip(parts, ends, ends[1:], strict=False):
        if part.region != region.between(low, high):
            raise Unproved("the pieces do not follow each other")
        check_order(outer, low, high)
        check_equal(part.region, log_density, part.log_density)
    if not parts or ends[-1] != region.upper:
        raise Unproved("the pieces do not cover the region")
    return Mass(log_density, region, sp.Add(*(part.total for part in parts)))


@rule
def mass_scaled(log_density: Formula, mass: Fact, factor: Formula) -> Mass:
    """Conclude the mass of a density that is a positive constant times another on the same region."""
    known = statement_of(mass, Mass)
    signs = signs_on(known.region, log_density, factor)
    if known.region.variable in factor.free_symbols or not signs.is_positive(factor):
        raise Unproved(f"{factor} is not known to be a positive constant")
    check_equal(known.region, log_density, known.log_density + sp.log(factor))
    return Mass(log_density, known.region, known.total * factor)


@rule
def mass_mixture(log_density: Formula, parts: tuple[Fact, ...], weights: tuple[Formula, ...]) -> Mass:
    """Conclude the mass of a density that is a weighted sum of others on one region: the integral is linear."""
    known = [statement_of(part, Mass) for part in parts]
    region = known[0].region
    if any(part.region != region for part in known) or any(region.variable in w.free_symbols for w in weights):
        raise Unproved("the parts of a mixture must have one region, and weights that are constant")
    total = sp.Add(*(w * sp.exp(part.log_density) for part, w in zip(known, weights, strict=True)))
    signs = signs_on(region, log_density, *weights)
    check_continuous(signs, log_density)
    check_continuous(signs, total)
    if not NormalForm(signs).is_zero(sp.exp(log_density) - total):
        raise Unproved("the density is not the weighted sum of its parts")
    return Mass(log_density, region, sp.Add(*(w * part.total for part, w in zip(known, weights, strict=True))))


@rule
def mass_total(mass: Fact, total: Formula) -> Mass:
    """Conclude the same mass with its total in another spelling, equal by normal form."""
    known = statement_of(mass, Mass)
    if not is_same(known.total, total, signs_on(known.region, total)):
        raise Unproved(f"the mass is {known.total}, which is not known to be {total}")
    return Mass(known.log_density, known.region, total)
