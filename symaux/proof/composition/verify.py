r"""Verify forms with several noises: $p(z) = \int q_1(h(z, t))\,|\partial_z h|\,q_2(t)\,dt$, integral by integral.

``PROVED`` needs all of: g a chain of monotone layers in one noise for every value of the others; the limits of the others
known exactly; every integral a classical one; the result symbolically equal to the density; each noise normalised.
Numbers can refute, and are otherwise only a sample.

>>> from symaux.laws.families import cauchy, half_normal, normal
>>> z, e, t = sp.Symbol("z", real=True), sp.Symbol("e", real=True), sp.Symbol("t", positive=True)
>>> verify_composition(cauchy(z, 0, 1), (normal(e, 0, 1), half_normal(t, 1)), e/t, False).status.name
'PROVED'
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy as sp

from symaux.formulas.algebra.piecewise import split_at_corners
from symaux.formulas.numeric.points import inside as inside_of
from symaux.formulas.numeric.points import points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval, point_inside
from symaux.laws.law import Law
from symaux.proof.composition.integration_limits import slices
from symaux.proof.composition.joint import Conditional, Joint, conditional_law, find_flaw, joint_claim
from symaux.proof.composition.numeric_density import Comparison, LastIntegral, compare_densities, compare_on_grids
from symaux.proof.composition.sum_of_exponentials import is_sum_of_exponentials
from symaux.proof.composition.sum_of_uniforms import is_sum_of_uniforms
from symaux.proof.equality.special_functions import are_equal
from symaux.proof.mass.definite_integrals import with_squared_moduli
from symaux.proof.mass.mass import mass
from symaux.proof.mass.termwise import log_total
from symaux.proof.scalar.imaginary import find_imaginary_part, imaginary_part
from symaux.proof.scalar.refute import FAR
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import run_bounded, value_or

SECONDS = 30.0
Method = Callable[[Joint], Verdict | None]


def verify_composition(law: Law, noise: tuple[Law, ...], value: Formula, trusted: bool) -> Verdict:
    """Return the verdict on z = g(eps_1, ..., eps_n); noises with parameters may be left to the steps that follow."""
    reason = find_flaw(law, noise, value)
    if reason is not None:
        return Verdict(Status.UNDECIDED, (reason,))
    if not law.proper or not all(n.proper for n in noise):
        return Verdict(Status.UNDECIDED, ("no method for several noises that are improper",))
    made = joint_claim(law, noise, value)
    masses = _verify_masses(made, trusted)
    if masses is not None and masses.status is Status.REFUTED:
        return masses
    found = next(found for method in METHODS if (found := method(made)) is not None)
    if found.status is not Status.PROVED:
        return found
    if masses is not None:  # a verdict that is not PROVED is false in a condition, and must not be passed over
        return masses
    return replace(found, evidence=(*found.evidence, _mass_sentence(trusted)))


def verify_sum_of_uniforms(made: Joint) -> Verdict | None:
    """Return PROVED for a sum of standard uniform noises with the density of Irwin and Hall."""
    if not value_or(run_bounded(is_sum_of_uniforms, made, seconds=SECONDS), False):
        return None
    evidence = (
        "g adds standard uniform noises, whose sum has Irwin and Hall's density",
        "that density equals the law's between any two whole numbers, symbolically",
    )
    return Verdict(Status.PROVED, evidence, made.region)


def verify_sum_of_exponentials(made: Joint) -> Verdict | None:
    """Return PROVED for a sum of standard exponential noises over rates with the density of such a sum."""
    if not value_or(run_bounded(is_sum_of_exponentials, made, seconds=SECONDS), False):
        return None
    evidence = (
        "g adds standard exponential noises over rates: its Laplace transform is a product",
        "the law's density is a sum of exponentials with the same transform, symbolically",
    )
    return Verdict(Status.PROVED, evidence, made.region)


def refute_by_imaginary_part(made: Joint) -> Verdict | None:
    """Return REFUTED where g, or the logarithm of a density, has an imaginary part."""
    unreal = _find_imaginary_part(made)
    return None if unreal is None else Verdict(Status.REFUTED, (unreal[0],), made.region, unreal[1])


def verify_by_integration(made: Joint) -> Verdict:
    """Return the verdict of integrating out all noises but one: in numbers, which may refute, and then symbolically."""
    seen, reason = _compare_numerically(made)
    if seen is not None and seen.witness is not None:
        return Verdict(Status.REFUTED, (seen.witness,), made.region, seen.at)
    if seen is None or (len(made.noise) == 2 and not seen.agreed):
        return _unproved(made, None, reason if seen is None else "the integral could not be worked out at any point")
    evidence = value_or(run_bounded(_prove, made, seconds=SECONDS), "out of time")
    if isinstance(evidence, str):
        return _unproved(made, seen, evidence)
    return Verdict(Status.PROVED, evidence, made.region)


# tried in this order; the last one always answers
METHODS: tuple[Method, ...] = (
    verify_sum_of_uniforms,
    verify_sum_of_exponentials,
    refute_by_imaginary_part,
    verify_by_integration,
)


def _find_imaginary_part(made: Joint) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Return values of the noises at which g is not a real number, or values at which a density is not."""
    for point in points(made.parameters, conditions=made.law.conditions, seed=5, count=1):
        for law in (made.law, *made.noise):
            found = find_imaginary_part(law.log_density, law.value, law.interval, point, (*FAR, sp.S.Half), low=True)
            if found is not None:
                at = tuple((str(s), str(v)) for s, v in sorted({**point, law.value: found[0]}.items(), key=str))
                return f"the logarithm of a density has the imaginary part {found[1]}", at
        for fractions in itertools.product((*FAR, sp.S.Half), repeat=len(made.noise)):
            places = {n.value: inside_of(n.support, point, f) for n, f in zip(made.noise, fractions, strict=True)}
            if None in places.values():
                continue
            part = imaginary_part(made.value, {**point, **places})
            if part is not None:
                at = tuple((str(s), str(v)) for s, v in sorted({**point, **places}.items(), key=str))
                return f"g is not a real number: its imaginary part is {part}", at
    return None


def _mass_sentence(trusted: bool) -> str:
    if trusted:
        return (
            "the noises are normalised: by the steps that follow where they have parameters, the others are shown to be"
        )
    return "the noises are normalised: their densities integrate to 1"


def _verify_masses(made: Joint, trusted: bool) -> Verdict | None:
    """Return the verdict on the masses of the noises; None if each is proved to be one."""
    for noise in made.noise:
        if trusted and noise.parameters:
            continue
        total = mass(noise)
        if total.wrong:
            reason = f"the density of a noise integrates to {total.seen}, not to 1"
            return Verdict(Status.REFUTED, (reason,), made.region, (("integral", total.seen),))
        if not total.proved:
            status, reason = total.unproved("a noise")
            return Verdict(status, (reason,), made.region)
    return None


def _unproved(made: Joint, seen: Comparison | None, reason: str) -> Verdict:
    if seen is not None and seen.agreed:
        line = f"the density of g agrees with the law to 9 digits at {seen.agreed} points, by quadrature"
        return Verdict(Status.SAMPLED, (reason, line), made.region)
    return Verdict(Status.UNDECIDED, (reason,), made.region)


def _compare_numerically(made: Joint) -> tuple[Comparison | None, str]:
    """Compare the densities as numbers, in the first order of integration whose limits are known."""
    if len(made.noise) > 2:
        return Comparison(None, 0), ""
    reason, unknown = "g is not known to be monotone in any one noise", None
    for first in range(len(made.noise)):
        given = conditional_law(made, first)
        if given is None:
            continue
        blends = last_integrals(made, given)
        if isinstance(blends, str):
            reason, unknown = blends, given
            continue
        return compare_densities(made, blends), reason
    found = None if unknown is None else compare_on_grids(made, unknown)
    return (found if found is not None and found.witness else None), reason


def last_integrals(made: Joint, given: Conditional) -> list[LastIntegral] | str:
    """Return the last integral: for every interval of z the limits of t and the integrand."""
    z, (last,) = made.law.value, given.given
    parts = split_at_corners((made.law.log_density,), z, made.law.interval)
    if parts is None:
        return "the corners of the density could not be put in order"
    corners = [where.lower for where, _ in parts[1:]]
    found = slices(given.image, last.value, last.interval, z, made.law.interval, corners)
    if isinstance(found, str):
        return found
    integrand = given.log_density + last.log_density
    return [LastIntegral(where, limits, integrand, last.value) for where, limits in found]


def _prove(made: Joint) -> tuple[str, ...] | str:
    """Return the evidence, or what could not be shown."""
    reason = "g is not known to be monotone in any one noise"
    for first in range(len(made.noise)):
        given = conditional_law(made, first)
        if given is None:
            continue
        for rest in _integrate_out(made, given):
            blends = last_integrals(made, rest)
            found = blends if isinstance(blends, str) else _evidence(made, blends, made.noise[first])
            if not isinstance(found, str):
                return found
            reason = found
    return reason


def _integrate_out(made: Joint, given: Conditional) -> Iterator[Conditional]:
    """Yield the laws of z given one noise, with the others integrated out where no corner is met on the way."""
    if len(given.given) == 1:
        yield given
        return
    for number, noise in enumerate(given.given):
        found = _integrate_out_one(made, given, noise)
        if found is not None:
            left = given.given[:number] + given.given[number + 1 :]
            yield from _integrate_out(made, Conditional(found.image, found.log_density, left))


def _integrate_out_one(made: Joint, given: Conditional, noise: Law) -> Conditional | None:
    image = given.image
    if image.lower.has(noise.value) or image.upper.has(noise.value):
        return None
    found = log_total(given.log_density + noise.log_density, noise.value, noise.interval)
    return None if found is None else Conditional(image, found, ())


def _evidence(made: Joint, blends: list[LastIntegral], first: Law) -> tuple[str, ...] | str:
    for blend in blends:
        reason = _on_slice(made, blend)
        if reason is not None:
            return reason
    return (
        f"for all values of the other noises g is strictly monotone in the noise on {first.support}",
        f"the other noises, integrated out between exact limits, leave a density on {made.law.support}",
        "that density equals the law's, symbolically",
    )


def _on_slice(made: Joint, blend: LastIntegral) -> str | None:
    """Return why the integral is not known to equal the density for z in one interval; None if it does."""
    z, chart = made.law.value, {made.law.value: point_inside(blend.where)}
    parts = split_at_corners((made.law.log_density,), z, blend.where)
    if parts is None or len(parts) != 1:
        return "the corners of the density could not be put in order"
    density = parts[0][1][0].xreplace(chart)
    total = _log_total(blend.log_integrand.xreplace(chart), blend.variable, _substitute_chart(blend.limits, chart))
    if total is None:
        return f"the integral is not a classical one for z in {blend.where}"
    return None if are_equal(total, density) else f"the integral did not simplify to the density for z in {blend.where}"


def _substitute_chart(limits: Interval, chart: dict[Formula, Formula]) -> Interval:
    ends = (
        sp.expand(end.xreplace(chart)) if end.is_finite is not False else end for end in (limits.lower, limits.upper)
    )
    return Interval(*ends)


def _log_total(log_integrand: Formula, t: sp.Symbol, limits: Interval) -> Formula | None:
    """Return the logarithm of the integral, piece by piece where the integrand has corners."""
    parts = split_at_corners((with_squared_moduli(log_integrand),), t, limits)
    if parts is None:
        return None
    found = [log_total(formula, t, where) for where, (formula,) in parts]
    if any(each is None for each in found):
        return None
    return found[0] if len(found) == 1 else sp.log(sp.Add(*(sp.exp(each) for each in found)))
