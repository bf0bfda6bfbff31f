r"""Derive quantile functions from densities: the distribution function by structure, then its inverse layer by layer.

>>> from symaux.laws.families import laplace
>>> z, u = sp.Symbol("z", real=True), sp.Symbol("u", positive=True)
>>> quantile_formula(laplace(z, 0, 1), u)
Piecewise((log(2*u), u < 1/2), (-log(2 - 2*u), True))
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp
from sympy.functions.elementary.hyperbolic import HyperbolicFunction, InverseHyperbolicFunction
from sympy.functions.elementary.trigonometric import InverseTrigonometricFunction, TrigonometricFunction

from symaux.formulas.algebra.canonical import to_canonical_form
from symaux.formulas.algebra.monotone_chain import MonotoneChain
from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.functions.special_function import Special
from symaux.formulas.numeric.points import evaluate, inside, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.laws.densities.antiderivative import Substitution, substitutions
from symaux.laws.densities.tidy import shorten_formula
from symaux.laws.law import Law
from symaux.sandbox import run_bounded, value_or

SECONDS = 10.0
SHORT, LONG = 12, 24  # operations: to simplify a longer formula takes seconds, with angles in it even more
DEAR = (TrigonometricFunction, InverseTrigonometricFunction, HyperbolicFunction, InverseHyperbolicFunction)
DEAR += (sp.erf, sp.erfc, sp.erfinv, sp.erfcinv)
TRIED = 5  # substitutions; more than two only until one gives a formula without special functions


@functools.lru_cache(maxsize=512)
def quantile_formula(law: Law, u: sp.Symbol) -> Formula | None:
    """Return a formula in u that has the law if u is uniform on (0, 1); None if none is found in time."""
    found = value_or(run_bounded(_quantile, law, u, seconds=SECONDS))
    if found is None and not law.log_density.has(sp.Piecewise, sp.Abs) and not law.parameters:
        return value_or(run_bounded(_by_integration, law, u, seconds=SECONDS / 2))
    return found


@dataclass(frozen=True)
class _Part:
    """One piece of the support: its probability, and the value as a function of the mass on one side of it."""

    probability: Formula
    at: tuple[Formula, ...]  # formulas in the mass below the point, or in the mass above it


T, C = sp.symbols("t_ c_", positive=True)
UNIT = Interval(sp.S.Zero, sp.S.One)


def _quantile(law: Law, u: sp.Symbol) -> Formula | None:
    law, constant = _with_a_constant(replace(law, log_density=to_canonical_form(law.log_density)))
    found = _piecewise(law, u)
    return None if found is None else found.xreplace({C: constant})


def _with_a_constant(law: Law) -> tuple[Law, Formula]:
    """Return the density as C f(z), and C, which may be a long formula and is left out of all that follows."""
    rest, depends = law.log_density.as_independent(law.value, as_Add=True)
    if rest.is_Atom or not law.log_density.has(sp.Piecewise, sp.Abs):
        return law, C
    return replace(law, log_density=sp.log(C) + depends), sp.exp(rest)


def _piecewise(law: Law, u: sp.Symbol) -> Formula | None:
    if not isinstance(law.support, Interval):
        return None
    split = split_at_corners((law.log_density,), law.value, law.support)
    if split is None:
        return None
    if len(split) == 1:
        return _single(law, split[0][0], u)
    below, branches = sp.S.Zero, []
    for number, (where, (log_density,)) in enumerate(split):
        last = number == len(split) - 1
        part = _part(Law(law.value, log_density, where), where)
        if part is None:
            return None
        mass = 1 - u if last else u - below
        formula = _shortest(part.at[-1 if last else 0].xreplace({T: mass}))
        below = sp.simplify(below + part.probability)
        branches.append((formula, sp.true if last else u < below))
    return sp.Piecewise(*branches)


def _single(law: Law, where: Interval, u: sp.Symbol) -> Formula | None:
    """Return the quantile function where one substitution covers the support: its total mass is one, so no scale is needed."""
    found: list[Formula] = []
    for formula in itertools.islice(_quantiles(law, where, u), TRIED):
        found.append(formula)
        if len(found) > 1 and not min(found, key=_length).has(Special):
            break
    return min(found, key=_length) if found else None


def _quantiles(law: Law, where: Interval, u: sp.Symbol) -> Iterator[Formula]:
    for found in substitutions(law, where):
        lower, upper = (_simplified(end) for end in (found.onto.image.lower, found.onto.image.upper))
        if lower.is_infinite or upper.is_infinite:
            continue
        levels = [lower + u * (upper - lower), upper - u * (upper - lower)]
        if found.direction == -1:
            levels.reverse()
        formulas = [_written(found, level, u) for level in levels]
        if where.upper == sp.oo and where.lower != -sp.oo:
            formulas.reverse()  # far out, the mass above a point keeps its digits and 1 - u does not
        best = min(formulas, key=sp.count_ops)  # on a tie the first
        if not best.has(sp.nan, sp.zoo, sp.oo):
            yield best


def _written(found: Substitution, level: Formula, u: sp.Symbol) -> Formula:
    """Return the z at a level in its shortest form that is a chain of layers; in a long formula only the innermost layer is
    simplified."""
    whole = found.value_at_level(level)
    if _is_short(whole):
        short = _shortest(whole)
    else:
        short = shorten_formula(
            sp.powdenest(sp.factor_terms(found.chain.inverse(_shortest(found.onto.inverse(level)))))
        )
    chained = whole == short or MonotoneChain.of(short, u, UNIT) is not None
    return short if chained else whole


def _is_short(formula: Formula) -> bool:
    """Return whether a formula is short enough to be simplified in time."""
    return sp.count_ops(formula) <= (SHORT if formula.has(*DEAR) else LONG)


def _simplified(formula: Formula) -> Formula:
    return sp.simplify(formula) if _is_short(formula) else formula


def _shortest(formula: Formula) -> Formula:
    ways = (formula, sp.powdenest(sp.factor_terms(formula)), _simplified(formula))
    return shorten_formula(min(ways, key=_length))


def _length(formula: Formula) -> int:
    """Return the number of operations, with special functions and powers inside logarithms, which may overflow, charged."""
    powers = [e for log in formula.atoms(sp.log) for e in log.atoms(sp.Pow) if e.exp.free_symbols]
    return int(sp.count_ops(formula)) + 10 * len(powers) + 20 * len(formula.atoms(Special))


def _part(law: Law, where: Interval) -> _Part | None:
    """Return a piece's probability, and the value as a function of the mass from its lower end and from its upper end."""
    return next((made for found in substitutions(law, where) if (made := _inverted(found, law)) is not None), None)


def _inverted(found: Substitution, law: Law) -> _Part | None:
    image, scale = found.onto.image, found.scale(law)
    if scale is None or image.lower.is_infinite or image.upper.is_infinite:
        return None
    levels = [image.lower + T / sp.Abs(scale), image.upper - T / sp.Abs(scale)]
    if found.direction == -1:
        levels.reverse()
    probability = sp.simplify(sp.Abs(scale) * (image.upper - image.lower))
    return _Part(probability, tuple(found.value_at_level(level) for level in levels))


def _by_integration(law: Law, u: sp.Symbol) -> Formula | None:
    """Return the quantile function by sympy's ``integrate`` and ``solve``, with the branch that is right at several points.

    This is slow.
    """
    z = law.value
    found = sp.integrate(sp.powsimp(sp.simplify(law.density)), z)
    if found.has(sp.Integral):
        return None
    below = sp.simplify(found - sp.limit(found, z, law.interval.lower, "+"))
    chain = MonotoneChain.of(below, z, law.interval)
    candidates = [chain.inverse(u)] if chain is not None else sp.solve(below - u, z)
    return next((c for c in candidates if _inverts(c, below, law, u)), None)


def _inverts(candidate: Formula, below: Formula, law: Law, u: sp.Symbol) -> bool:
    return all(abs(difference) < 1e-20 for difference in _differences(candidate, below, law, u))


def _differences(candidate: Formula, below: Formula, law: Law, u: sp.Symbol) -> Iterator[float]:
    for point in points(law.parameters, conditions=law.conditions, count=3):
        for fraction in (1, 3, 6, 8):
            z = inside(law.support, point, sp.Rational(fraction, 9))
            level = None if z is None else evaluate(below, point | {law.value: z})
            again = None if level is None else evaluate(candidate, point | {u: sp.Float(level, 30)})
            yield 1.0 if again is None else float(abs(again - sp.N(z, 30)))
