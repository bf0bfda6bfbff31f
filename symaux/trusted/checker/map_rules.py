"""State the rules about maps: continuous, positive and equal formulas, bijections, and what they carry densities to."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker.continuity import check_continuous, derivative
from symaux.trusted.checker.facts import (
    Bijective,
    Continuous,
    Equal,
    Fact,
    Mass,
    Positive,
    Region,
    Transports,
    Unproved,
    check_symbols,
    rule,
)
from symaux.trusted.checker.limits import Limits
from symaux.trusted.checker.monotone import direction
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.premises import check_defined, check_equal, check_order, is_same, signs_on, statement_of
from symaux.trusted.checker.signs import Signs
from symaux.trusted.checker.spellings import resolved


@rule
def continuous(formula: Formula, region: Region) -> Continuous:
    """Conclude that a formula is defined and continuous on a region, from its structure; see ``continuity.py``."""
    signs = signs_on(region, formula)
    check_continuous(signs, resolved(signs, formula))
    return Continuous(formula, region)


@rule
def positive(formula: Formula, region: Region) -> Positive:
    """Conclude that a formula is defined and positive on a region, from signs of its parts; see ``signs.py``."""
    signs = signs_on(region, formula)
    check_continuous(signs, resolved(signs, formula))
    if not signs.is_positive(formula):
        raise Unproved(f"{formula} is not known to be positive")
    return Positive(formula, region)


@rule
def equal(left: Formula, right: Formula, region: Region) -> Equal:
    """Conclude that two formulas are equal on a region if both are continuous and their difference has the normal form zero.

    Stops equalities that hold up to a constant, on one branch only, or for one of two symbols with the same name.
    """
    check_equal(region, left, right)
    return Equal(left, right, region)


@rule
def bijective(formula: Formula, region: Region) -> Bijective:
    """Conclude that a formula maps a region onto the interval between its limits, continuously and strictly monotonically.

    Sound by the intermediate value theorem. Stops folds, hidden steps such as atan(y) + atan(1/y), and maps onto a part.
    """
    signs = signs_on(region, formula)
    ends, towards = _monotone_ends(signs, resolved(signs, formula))
    lower, upper = ends if towards == 1 else ends[::-1]
    return Bijective(formula, region, lower, upper, towards)


def _monotone_ends(signs: Signs, f: Formula) -> tuple[tuple[Formula, Formula], int]:
    """Return the limits of a continuous, strictly monotone formula at the lower and the upper bound, and its direction."""
    check_continuous(signs, f)
    towards = direction(signs, f)
    if towards == 0:
        raise Unproved(f"{f} is constant")
    return (Limits(signs, signs.region.lower).of(f), Limits(signs, signs.region.upper).of(f)), towards


@rule
def transports(q: Formula, noise: Region, value: Formula, p: Formula, law: Region, cuts: tuple[Any, ...]) -> Transports:
    r"""Conclude that z = g(eps) carries the density $e^q$ on the noise's region to $e^p$ on the law's.

    The cuts, pairs of a noise and its value, divide both regions into pieces. On each piece: q, p, g and g' are continuous
    formulas, g is strictly monotone with limits equal to the ends of the law's piece, in the same direction on all pieces, and
    $q = p(g) + \log|g'|$ by normal form. Sound: g is a bijection of the pieces; $|g'| = e^q/p(g)$ holds where g' is not zero,
    hence (both sides are continuous, g is not constant anywhere) on the whole piece; substitution in the integral over any set
    gives the claim. Stops |u - 1/2|, g = eps**2 for a two-sided p, steps, a branch that is read at one point, captured names.
    """
    _check_claim(q, noise, value, p, law)
    check_defined(noise, *(part for cut in cuts for part in cut))
    outer = Signs(noise)
    starts = (noise.lower, *(cut for cut, _ in cuts), noise.upper)
    levels = [level for _, level in cuts]
    turned = False
    for n, (low, high) in enumerate(pairwise(starts)):
        check_order(outer, low, high)
        signs = Signs(noise.between(low, high))
        g = resolved(signs, value)
        ends, towards = _monotone_ends(signs, g)
        if n == 0:
            turned = towards == -1
            levels = [law.upper, *levels, law.lower] if turned else [law.lower, *levels, law.upper]
        if (towards == -1) != turned:
            raise Unproved(f"{value} does not keep its direction: a fold at {low}")
        for end, level in zip(ends, levels[n : n + 2], strict=True):
            if not is_same(end, level, signs):
                raise Unproved(f"{value} tends to {end} instead of {level} at an end of ({low}, {high})")
        piece = law.between(*(levels[n + 1], levels[n])) if turned else law.between(*levels[n : n + 2])
        _check_residual(signs, resolved(signs, q), g, p, Signs(piece))
    return Transports(q, noise, value, p, law)


def _check_residual(signs: Signs, q: Formula, g: Formula, p: Formula, target: Signs) -> None:
    p = resolved(target, p)
    check_continuous(target, p)
    check_continuous(signs, q)
    slope = derivative(signs, g)
    check_continuous(signs, slope)
    if not NormalForm(signs).is_zero(p.xreplace({target.region.variable: g}) - q, slope):
        raise Unproved("the change of variables log p(g) + log|g'| - log q does not have the normal form zero")


def _check_claim(q: Formula, noise: Region, value: Formula, p: Formula, law: Region) -> None:
    """Check that the variables are told apart, and that each formula reads only what it may."""
    check_symbols((noise.variable, law.variable, q, value, p))
    if noise.conditions != law.conditions or noise.variable == law.variable:
        raise Unproved("noise and law must have different variables and the same conditions")
    if any(law.variable in f.free_symbols for f in (q, value, noise.lower, noise.upper, *noise.conditions)):
        raise Unproved(f"the noise or the generating function contains the variable {law.variable} of the law")
    if any(noise.variable in f.free_symbols for f in (p, law.lower, law.upper, *law.conditions)):
        raise Unproved(f"the law contains the noise {noise.variable}")
    check_defined(noise, noise.lower, noise.upper, law.lower, law.upper)


@rule
def composed(first: Fact, second: Fact) -> Transports:
    """Conclude that the composition of two maps carries the first density to the last: a measure is carried twice."""
    one, two = statement_of(first, Transports), statement_of(second, Transports)
    if (one.log_density, one.law) != (two.noise_log_density, two.noise):
        raise Unproved("the law of the first map must be the noise of the second")
    if (two.value.atoms(sp.Symbol) - two.value.free_symbols) & one.value.atoms(sp.Symbol):
        raise Unproved("a symbol of the first map would be captured by a bound variable of the second")
    value = two.value.xreplace({two.noise.variable: one.value})
    _check_claim(one.noise_log_density, one.noise, value, two.log_density, two.law)
    return Transports(one.noise_log_density, one.noise, value, two.log_density, two.law)


@rule
def quantile(mass: Fact, noise: sp.Symbol) -> Transports:
    r"""Conclude that the implicit quantile function of a density of mass one carries the uniform law to that density.

    The definition: $\int_{-\infty}^t e^\ell = u$ has one solution t, as the density is positive and continuous on the line.
    """
    known = statement_of(mass, Mass)
    line = known.region
    if known.total != 1 or (line.lower, line.upper) != (-sp.oo, sp.oo):
        raise Unproved("an implicit quantile function needs a density of mass one on the whole line")
    if noise in known.log_density.atoms(sp.Symbol) or noise == line.variable:
        raise Unproved(f"the density contains the noise {noise}")
    region = Region(noise, sp.S.Zero, sp.S.One, line.conditions)
    value = ImplicitQuantile(noise, line.variable, known.log_density)
    check_symbols((noise, line.variable, known.log_density))
    return Transports(sp.S.Zero, region, value, known.log_density, line)
