r"""Examine a claim by ball arithmetic at points of its region: the shadow that every proof must have.

A symbolic proof says something of all parameters and may rest on an error; balls say something of few parameters and
rest on arithmetic alone. At each point the change of variables is enclosed on cells that hold all but 1e-6 of the noise,
with a residual of at most 1e-10, g' of one sign and no jump, and both masses contain 1 with a radius of at most 1e-6.

>>> x, e = sp.symbols("x e", positive=True)
>>> half_line = Interval(sp.S.Zero, sp.oo)
>>> right, wrong = (Density(e, -e + c, half_line) for c in (0, sp.Rational(1, 10**5)))
>>> bool(examine(Pushforward(Density(x, -x/2 - sp.log(2), half_line), right, 2*e), region_points([])))
True
>>> claim = Pushforward(Density(x, -x/2 - sp.log(2) + sp.Rational(1, 10**5), half_line), wrong, 2*e)
>>> print(str(examine(claim, region_points([])))[:60])
contradicted: the density of the noise integrates to 1.00000
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from flint import arb

from symaux.formulas.numeric.balls.signs import Undecided
from symaux.formulas.numeric.points import Point
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.trusted.cover import IMPROPER, LOOSE, Cover, Different, Hopeless, cover_noise
from symaux.trusted.density import Density, Pushforward
from symaux.trusted.fold import cover_fold
from symaux.trusted.log_scale import to_log_scale
from symaux.trusted.mass_bound import LOOSE as CLOSE
from symaux.trusted.mass_bound import bound_between, bound_tails, density_from_log, enclose_mass
from symaux.trusted.positive import Negative, show_positive
from symaux.trusted.region import Region, region_points
from symaux.trusted.scales import noise_about_peak, on_other_scale, other_scales
from symaux.trusted.unwind_quantile import unwind_quantile

RADIUS = 1e-6  # of a mass
SILENT = 3  # points in a row without an answer end the work, if none had one
FAILURES = (Undecided, ValueError, ZeroDivisionError, OverflowError)


class Contradiction(Exception):
    """Raised where balls show that a claim is false at a point."""


@dataclass(frozen=True)
class Shadow:
    """What was examined: how many points were confirmed, on how many cells, and what was not, with the reason."""

    confirmed: int = 0
    offered: int = 0
    cells: int = 0
    contradiction: tuple[Point, str] | None = None
    open: str | None = None  # why the claim is not confirmed as a whole

    def __bool__(self) -> bool:
        return self.contradiction is None and self.open is None

    def about(self, names: Mapping[Any, Any]) -> Shadow:
        """Return the shadow with the symbols of its point replaced by what they stand for."""
        if self.contradiction is None:
            return self
        point, reason = self.contradiction
        return replace(self, contradiction=({names.get(s, s): value for s, value in point.items()}, reason))

    def __str__(self) -> str:
        if self.contradiction is not None:
            point, reason = self.contradiction
            at = ", ".join(f"{symbol} = {value}" for symbol, value in sorted(point.items(), key=str))
            return f"contradicted{f' at {at}' if at else ''}: {reason}"
        said = f"confirmed at {self.confirmed} of {self.offered} points, on {self.cells} cells"
        return said if self.open is None else f"{said}; {self.open}"


def examine(claim: Pushforward, region: Region, *, proper: bool = True, inverses: tuple[Formula, ...] = ()) -> Shadow:
    """Return the shadow of the claim that g(noise) has the law; a g that folds needs its inverses, in rising order."""

    def look(point: Point) -> int:
        here = claim.substituted(point)
        if inverses:
            branches = tuple(h.xreplace(point) for h in inverses)
            _mass(here.noise, "the density of the noise")
            _mass(here.law, "the density")
            return cover_fold(here, branches)
        return _pushed(here, proper)

    return _examine(region, look)


@dataclass(frozen=True)
class Marginal:
    """The claim that the integral of ``joint``, a density of t for every z, is the density of the law at z in ``where``."""

    law: Density
    joint: Density
    where: Interval

    def at(self, point: Point, share: Formula) -> Density:
        """Return the density of t over that of the law, at parameters and at a z between the ends of ``where``."""
        inside = Density(self.law.value, sp.S.Zero, self.where).substituted(point).support
        assert isinstance(inside, Interval)
        z = {self.law.value: value_inside(inside, share)}
        log_p, joint = self.law.substituted(point).log_density.xreplace(z), self.joint.substituted(point).substituted(z)
        return Density(joint.value, joint.log_density - log_p, joint.support)


SHARES = (sp.Rational(1, 3), sp.Rational(4, 5))  # of an interval, at which the values of z are chosen


def examine_marginals(claims: Sequence[Marginal], region: Region) -> Shadow:
    """Return the shadow of the claim that integrating a second noise out leaves the density of the law."""
    claims = [replace(claim, joint=_in_terms_of_quantile(claim.joint)) for claim in claims]

    def look(point: Point) -> int:
        return sum(
            _mass_is_one(c.at(point, share), "the joint density over that of the law")
            for c in claims
            for share in SHARES
        )

    return _examine(region, look)


def _in_terms_of_quantile(joint: Density) -> Density:
    """Return a density of u on (0, 1) that reads u through a quantile function alone as one of the quantile itself."""
    found = unwind_quantile(Density(joint.value, sp.S.Zero, joint.support), joint.log_density)
    return (
        joint if found is None else Density(found.law.value, found.formula + found.law.log_density, found.law.support)
    )


def value_inside(where: Interval, share: Formula) -> Formula:
    """Return a rational number inside of an interval without symbols, or at a moderate distance from its only end."""
    lower, upper = where.lower, where.upper
    odds = share / (1 - share)
    if lower == -sp.oo and upper == sp.oo:
        return odds - 1
    if upper == sp.oo:
        return lower + odds
    return upper - odds if lower == -sp.oo else lower + (upper - lower) * share


def examine_mass(density: Density, region: Region) -> Shadow:
    """Return the shadow of the claim that a density integrates to one."""
    return _examine(region, lambda point: _mass_is_one(density.substituted(point), "the density"))


def examine_sign(given: Formula, variable: Any, support: Interval, region: Region) -> Shadow:
    """Return the shadow of the claim that a density, as it was given, is not negative."""
    return _examine(region, lambda point: _is_positive(given, variable, support, point))


def _examine(region: Region, look: Callable[[Point], int]) -> Shadow:
    confirmed: list[int] = []
    cells, silent, reason = 0, 0, "no point of the region was found"
    for number, point in enumerate(region.points):
        if _is_enough(region, confirmed):
            break
        try:
            cells += look(point)
        except Contradiction as found:
            return Shadow(len(confirmed), len(region.points), cells, (point, str(found)))
        except FAILURES as failure:
            reason, silent = str(failure) or type(failure).__name__, silent + 1
            if silent >= SILENT and not confirmed:
                break
            continue
        confirmed.append(number)
    missing = None if _is_enough(region, confirmed) else f"at other points: {reason}" if confirmed else reason
    return Shadow(len(confirmed), len(region.points), cells, None, missing)


def _is_enough(region: Region, confirmed: list[int]) -> bool:
    """Return whether as many points as are needed were confirmed, and one on every side of every switch."""
    return len(confirmed) >= region.least and all(set(side) & set(confirmed) for side in region.sides)


def _pushed(claim: Pushforward, proper: bool) -> int:
    here = to_log_scale(claim)
    plain = unwind_quantile(here.noise, here.value)
    covered = noise_about_peak(here if plain is None else Pushforward(here.law, plain.law, plain.formula))
    try:
        cover = cover_noise(covered, tolerance=LOOSE if proper else IMPROPER)
    except Different as found:
        raise Contradiction(
            f"log q(eps) - log|g'(eps)| - log p(g(eps)) >= {found.residual} at {found.noise}"
        ) from found
    except Hopeless as found:
        raise Undecided(str(found)) from found
    if not proper:
        return cover.cells
    noise, law = _mass(here.noise, "the density of the noise"), _mass_of_law(claim.law, here.law, cover)
    if not cover.distance(noise.upper(), law.upper()) < 4 * RADIUS:
        raise Undecided("the cells on which g was examined do not hold all but 1e-6 of the mass")
    return cover.cells


def _mass_is_one(density: Density, what: str) -> int:
    _mass(density, what)
    return 1


def _mass_of_law(given: Density, law: Density, cover: Cover) -> arb:
    """Return the mass of the law: that of the noise that g carries to it and its tails, or an integral on either scale."""
    with suppress(*FAILURES):
        low, high = cover.mass / cover.residual.exp(), cover.mass * cover.residual.exp()
        rest = _bound_tails(law, *cover.image) + sum((bound_between(law, *gap) for gap in cover.gaps), arb(0))
        total = low.union(high + rest)
        if total.contains(1) and total.rad() < RADIUS:
            return total
    return _mass(given, "the density")


def _bound_tails(law: Density, low: arb, high: arb) -> arb:
    """Return an upper bound of the mass outside of an interval, on the scale of the variable or on another."""
    try:
        return bound_tails(law, low, high)
    except FAILURES:
        assert isinstance(law.support, Interval)
        for other in other_scales(law):
            with suppress(*FAILURES):
                return bound_tails(other, *on_other_scale(law.support, low, high))
        raise


def _mass(density: Density, what: str) -> arb:
    """Return the mass, which contains one and is known to 1e-6."""
    found = enclose_mass_on_any_scale(density)
    if not found.contains(1):
        raise Contradiction(f"{what} integrates to {found.mid().str(10, radius=False)}, not to 1")
    if not found.rad() < RADIUS:
        raise Undecided(f"the mass of {what} is not known well enough")
    return found


def enclose_mass_on_any_scale(density: Density) -> arb:
    """Return the mass, on the scale of the variable or on another; raise what went wrong on the first."""
    try:
        return enclose_mass(density, CLOSE)
    except FAILURES:
        for other in other_scales(density):
            with suppress(*FAILURES):
                return enclose_mass(other, CLOSE)
        with suppress(*FAILURES, Negative):
            assert isinstance(density.support, Interval)
            show_positive(density_from_log(density.log_density), density.value, density.support)
            return enclose_mass(density, CLOSE, by_factors=True)
        raise


def _is_positive(given: Formula, variable: Any, support: Interval, point: Point) -> int:
    here = Density(variable, sp.S.Zero, support).substituted(point)
    assert isinstance(here.support, Interval)
    try:
        return show_positive(given.xreplace(point), variable, here.support)
    except Negative as found:
        raise Contradiction(str(found)) from found


__all__ = ["Marginal", "Shadow", "examine", "examine_marginals", "examine_mass", "examine_sign", "region_points"]
