"""Propose proofs that a density has a mass: a chart that turns it into the integrand of an axiom, pieces, or a mixture.

Nothing here is trusted: the rules check the chart, the parameters and the constant that are proposed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symaux.formulas.symbols.formula import Formula
from symaux.trusted.checker import rules
from symaux.trusted.checker.axioms import AXIOMS
from symaux.trusted.checker.charts import Chart, charts
from symaux.trusted.checker.continuity import derivative
from symaux.trusted.checker.facts import Fact, Region, Unproved
from symaux.trusted.checker.normal_form import NormalForm
from symaux.trusted.checker.signs import Signs
from symaux.trusted.checker.spellings import resolved
from symaux.trusted.checker.unwind import preimage

MOST_TERMS = 6  # of a mixture


def prove_mass(log_density: Formula, region: Region) -> Fact:
    """Return the fact that a density has mass one; raise Unproved with the last reason if no proposal holds."""
    return rules.mass_total(prove_total(log_density, region), sp.S.One)


def prove_total(log_density: Formula, region: Region) -> Fact:
    """Return the mass of a density, whatever it is."""
    cuts = ordered(breakpoints((log_density,), region), region)
    if cuts:
        ends = (region.lower, *cuts, region.upper)
        pieces = [region.between(low, high) for low, high in pairwise(ends)]
        parts = tuple(_prove_piece(resolved(Signs(piece), log_density), piece) for piece in pieces)
        return rules.mass_split(log_density, region, parts)
    return _prove_piece(log_density, region)


def _prove_piece(log_density: Formula, region: Region) -> Fact:
    failure = Unproved(f"no integral is known for the density with logarithm {log_density}")
    signs = Signs(region)
    for chart in charts(log_density, signs):
        try:
            return _by_chart(log_density, region, chart, signs)
        except Unproved as reason:
            failure = reason
    terms = _mixture(log_density, signs)
    if terms:
        parts = [prove_total(log, region) for _, log in terms]
        return rules.mass_mixture(log_density, tuple(parts), tuple(sign for sign, _ in terms))
    raise failure


def _by_chart(log_density: Formula, region: Region, chart: Chart, signs: Signs) -> Fact:
    """Return the mass by a map onto the interval of an axiom, times the constant that is left."""
    axiom = AXIOMS[chart.axiom]
    variable = fresh(region, log_density)
    mass = rules.mass_axiom(chart.axiom, variable, chart.values, region.conditions)
    target: Any = mass.statement
    density = target.log_density.xreplace({variable: chart.formula})
    rest = log_density - density
    slope = derivative(signs, chart.formula)
    constant = NormalForm(signs).constant(rest, slope)
    if constant is None or region.variable in constant.free_symbols:
        raise Unproved(f"the density is not a multiple of the integrand of the axiom {axiom.name} in {chart.formula}")
    scaled = log_density - constant
    carried = rules.transports(scaled, region, chart.formula, target.log_density, target.region, ())
    exact = rules.mass_backward(carried, mass)
    return exact if constant == 0 else rules.mass_scaled(log_density, exact, sp.exp(constant))


def fresh(region: Region, *formulas: Any) -> sp.Symbol:
    """Return a symbol whose name nothing else has."""
    taken = {
        s.name
        for f in (region.variable, region.lower, region.upper, *region.conditions, *formulas)
        for s in f.free_symbols
    }
    return next(s for n in range(len(taken) + 1) if (s := sp.Symbol(f"y_{n}", real=True)).name not in taken)


def _mixture(log_density: Formula, signs: Signs) -> list[tuple[Formula, Formula]]:
    """Return signs and log-densities of the terms of a density that is a sum."""
    logs = [t for t in sp.Add.make_args(log_density) if isinstance(t, sp.log) and t.args[0].is_Add]
    if len(logs) != 1 or len(logs[0].args[0].args) > MOST_TERMS:
        return []
    rest, terms = log_density - logs[0], []
    term: Formula
    for term in logs[0].args[0].args:
        found = signs.of(term)
        if len(found) != 1 or 0 in found:
            return []
        (sign,) = found
        terms.append((sp.Integer(sign), rest + sp.log(sp.Mul(sign, term))))
    return terms


def breakpoints(formulas: tuple[Formula, ...], region: Region) -> list[Formula]:
    """Return where branches and absolute values of formulas change, as far as it can be solved for."""
    x, points = region.variable, []
    part: Formula
    for part in {e for f in formulas for e in sp.preorder_traversal(f)}:
        match part:
            case sp.Abs() | sp.sign() | sp.Heaviside():
                zeros = list(part.args[:1])
            case sp.Piecewise():
                zeros = [_gap(c.args) for c in part.atoms(Relational)]
            case sp.Max() | sp.Min():
                zeros = [_gap(part.args)]
            case _:
                continue
        points += [p for z in zeros if x in z.free_symbols and (p := preimage(z, x, sp.S.Zero)) is not None]
    return list(dict.fromkeys(points))


def _gap(sides: Any) -> Formula:
    return sides[0] - sides[1]


def ordered(points: list[Formula], region: Region) -> list[Formula]:
    """Return the points inside of a region from left to right, as far as their order is known; equal ones once."""
    signs, inside = Signs(region), []
    for point in points:
        if point.has(sp.I, sp.zoo, sp.nan) or not signs.is_between(point, region.lower, region.upper):
            continue
        if not any(NormalForm(signs).is_zero(point - other) for other in inside):
            inside.append(point)
    return sorted(inside, key=lambda p: sum(signs.is_positive(p - other) for other in inside))
