"""Call a claim proved only if ball arithmetic confirms it at points of its region (see ``symaux.trusted.shadow``)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.assumptions import assumptions_of
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval, order_condition
from symaux.laws.densities.charts import required_positives
from symaux.laws.kernel import atoms
from symaux.laws.law import Law
from symaux.proof.composition.joint import conditional_law, joint_claim
from symaux.proof.composition.verify import last_integrals
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.folded import folded_branches
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import Done, run_bounded, value_or
from symaux.trusted.density import Density, Pushforward
from symaux.trusted.region import Region, region_points
from symaux.trusted.shadow import Marginal, Shadow, examine, examine_marginals, examine_mass

SECONDS = 12.0  # of processor time, far beyond what the cells of a claim take; the number of cells is limited before


def confirm(verdict: Verdict, law: Law, noise: tuple[Law, ...], value: Formula) -> Verdict:
    """Return a verdict PROVED if balls confirm it; otherwise the verdict that their answer leaves."""
    if verdict.status is not Status.PROVED or law.event:
        return verdict
    for shadow in _shadows(law, noise, value):
        if shadow.contradiction is not None:
            point, reason = shadow.contradiction
            witness = tuple((str(symbol), str(at)) for symbol, at in sorted(point.items(), key=str))
            return Verdict(Status.REFUTED, (f"{reason}, by ball arithmetic",), verdict.region, witness)
        if not shadow:
            reason = f"a proof was found, but ball arithmetic does not confirm it: {shadow.open}"
            return Verdict(Status.UNDECIDED, (reason, *verdict.evidence), verdict.region)
    return verdict


def _shadows(law: Law, noise: tuple[Law, ...], value: Formula) -> Iterator[Shadow]:
    if len(noise) == 1:
        yield shadow_of_form(law, noise[0], value)
    elif law.proper:
        integrated = shadow_of_composition(law, noise, value) if len(noise) == 2 else None
        yield shadow_of_law(law) if integrated is None else integrated
        yield from map(shadow_of_law, noise)


@functools.lru_cache(maxsize=1024)
def shadow_of_composition(law: Law, noise: tuple[Law, ...], value: Formula) -> Shadow | None:
    """Return the shadow of the claim that a function of two noises has the law; None if no inverse in a noise is known."""
    joint = joint_claim(law, noise, value)
    z = joint.law.value
    for first in range(len(noise)):
        given = conditional_law(joint, first)
        slices = "" if given is None else last_integrals(joint, given)
        if isinstance(slices, str):
            continue
        claims = [
            Marginal(Density.of(joint.law), Density(each.variable, each.log_integrand, each.limits), each.where)
            for each in slices
        ]
        variables = {z, *(n.value for n in joint.noise)}
        formulas = (joint.value, joint.law.log_density, *(n.log_density for n in joint.noise))
        region = _region((joint.law, *joint.noise), formulas, variables)
        return _bounded(examine_marginals, claims, region)
    return None


def shadow_of_form(law: Law, noise: Law, value: Formula) -> Shadow:
    """Return the shadow of the claim that a function of one noise has the law."""
    names = _plain((law, noise), (value,))
    plain, other = (_in_plain(each, names) for each in (law, noise))
    z, e = sp.Symbol("symaux z", **plain.value.assumptions0), sp.Symbol("symaux eps", **other.value.assumptions0)
    at: dict[Any, Any] = {plain.value: z, other.value: e}
    shadow = _shadow_in_plain_names(
        plain.substituted(at), other.substituted(at), defined(value.xreplace(names)).xreplace(at)
    )
    return shadow.about({symbol: atom for atom, symbol in names.items()})


@functools.lru_cache(maxsize=4096)
def _shadow_in_plain_names(law: Law, noise: Law, value: Formula) -> Shadow:
    """Return the shadow of a claim in names that do not depend on the user's: many claims differ in these alone."""
    claim = Pushforward(Density.of(law), Density.of(noise), value)
    region = _region((law, noise), (value, law.log_density, noise.log_density), {law.value, noise.value})
    shadow = _bounded(functools.partial(examine, proper=law.proper), claim, region)
    if shadow or shadow.contradiction is not None:
        return shadow
    inverses = _inverses(law, noise, value)
    return _bounded(functools.partial(examine, inverses=inverses), claim, region) if inverses else shadow


def _inverses(law: Law, noise: Law, value: Formula) -> tuple[Formula, ...]:
    """Return the inverses of a map that folds, in the order of the noise; none if it is not known to fold."""
    branches = folded_branches(Claim(law, noise, value, (), ())) if law.proper else ""
    if isinstance(branches, str) or len(branches) < 2:
        return ()
    return tuple(each.chain.inverse(law.value) for each in branches if each.chain is not None)


@functools.lru_cache(maxsize=1024)
def shadow_of_law(law: Law) -> Shadow:
    """Return the shadow of the claim that a density integrates to one, and is not negative as it was given."""
    given = _in_plain(law, _plain((law,), ()))
    plain = given.substituted({given.value: sp.Symbol("symaux z", **given.value.assumptions0)})
    region = _region((plain,), (plain.log_density,), {plain.value})
    return _bounded(examine_mass, Density.of(plain), region)


def _bounded(look: Any, *arguments: Any) -> Shadow:
    outcome = run_bounded(look, *arguments, seconds=SECONDS)
    if isinstance(outcome, Done):
        return outcome.value
    return Shadow(open="it ran out of time" if outcome.why == "timeout" else f"it failed: {outcome.detail}")


def _plain(laws: tuple[Law, ...], formulas: tuple[Formula, ...]) -> dict[Any, Any]:
    """Return symbols, numbered by the order of their names, for the parameters, elements and sums that the laws read."""
    read = (*formulas, *(f for law in laws for f in (*law.formulas, *law.conditions)))
    found = {a for f in read for a in atoms(f)} - {law.value for law in laws}
    listed = sorted(found, key=lambda a: (str(a), a.sort_key()))
    return {a: sp.Symbol(f"symaux p{k}", **assumptions_of(a)) for k, a in enumerate(listed)}


def _in_plain(law: Law, names: dict[Any, Any]) -> Law:
    plain = law.substituted(names)
    return replace(plain, log_density=defined(plain.log_density))


def _region(laws: tuple[Law, ...], formulas: tuple[Formula, ...], variables: set[Any]) -> Region:
    stated = (c for law in laws for c in (*law.conditions, *order_condition(law.support)))
    implied = (f > 0 for law in laws for f in required_positives(law))
    conditions = tuple(c for c in (*stated, *implied) if c != sp.true)
    bounds = tuple(
        b for law in laws if isinstance(law.support, Interval) for b in (law.support.lower, law.support.upper)
    )
    symbols = {s for f in (*formulas, *bounds) for s in f.free_symbols} - variables - {law.value for law in laws}
    found = run_bounded(region_points, symbols, tuple(dict.fromkeys(conditions)), formulas, seconds=SECONDS)
    return value_or(found, Region((), 1))  # no point was found, which confirms nothing


__all__ = ["confirm", "shadow_of_form", "shadow_of_law"]
