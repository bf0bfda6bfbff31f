r"""The verdict on a form with several noises: $p(z) = \int q_1(h(z, t))\,|\partial_z h|\,q_2(t)\,dt$, integral by integral.

``PROVED`` needs all of: g a chain of monotone layers in one noise for every value of the others; the limits of the others
known exactly; every integral a classical one; the result symbolically equal to the density; each noise normalised.
Numbers can refute, and are otherwise only a sample.

>>> from symaux.laws.families import cauchy, half_normal, normal
>>> z, e, t = sp.Symbol("z", real=True), sp.Symbol("e", real=True), sp.Symbol("t", positive=True)
>>> several(cauchy(z, 0, 1), (normal(e, 0, 1), half_normal(t, 1)), e/t, False).status.name
'PROVED'
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy as sp

from symaux.formulas.algebra.piecewise import pieces
from symaux.formulas.numeric.points import inside as inside_of
from symaux.formulas.numeric.points import points
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.proof.composition.integration_limits import slices
from symaux.proof.composition.joint import Conditional, Joint, conditional, flaw, joint
from symaux.proof.composition.numeric_density import Blend, Seen, compared, compared_numerically
from symaux.proof.composition.sum_of_exponentials import adds_exponentials
from symaux.proof.composition.sum_of_uniforms import adds_uniforms
from symaux.proof.equality.special_functions import same
from symaux.proof.mass.definite_integrals import smooth
from symaux.proof.mass.mass import mass
from symaux.proof.mass.termwise import log_total
from symaux.proof.scalar.imaginary import imaginary, where_unreal
from symaux.proof.scalar.refute import FAR
from symaux.proof.scalar.residual import inside
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import bounded, value_of

SECONDS = 30.0
UNIFORMS = (
    "g adds standard uniform noises, whose sum has Irwin and Hall's density",
    "that density equals the law's between any two whole numbers, symbolically",
)

EXPONENTIALS = (
    "g adds standard exponential noises over rates: its Laplace transform is a product",
    "the law's density is a sum of exponentials with the same transform, symbolically",
)


def several(law: Law, noise: tuple[Law, ...], value: sp.Expr, trusted: bool) -> Verdict:
    """Return the verdict on z = g(eps_1, ..., eps_n); noises with parameters may be left to the steps that follow."""
    reason = flaw(law, noise, value)
    if reason is not None:
        return Verdict(Status.UNDECIDED, (reason,))
    if not law.proper or not all(n.proper for n in noise):
        return Verdict(Status.UNDECIDED, ("no method for several noises that are improper",))
    made = joint(law, noise, value)
    wrong = _masses(made, trusted)
    if wrong is not None and wrong.status is Status.REFUTED:
        return wrong
    if value_of(bounded(adds_uniforms, made, seconds=SECONDS), False):
        return wrong or Verdict(Status.PROVED, (*UNIFORMS, _normalised(trusted)), made.region)
    if value_of(bounded(adds_exponentials, made, seconds=SECONDS), False):
        return wrong or Verdict(Status.PROVED, (*EXPONENTIALS, _normalised(trusted)), made.region)
    unreal = _unreal(made)
    if unreal is not None:
        return Verdict(Status.REFUTED, (unreal[0],), made.region, unreal[1])
    seen, reason = _seen(made)
    if seen is not None and seen.witness is not None:
        return Verdict(Status.REFUTED, (seen.witness,), made.region, seen.at)
    if seen is None or (len(noise) == 2 and not seen.agreed):
        return _unproved(made, None, reason if seen is None else "the integral could not be worked out at any point")
    found = value_of(bounded(_proved, made, seconds=SECONDS), "out of time")
    if isinstance(found, str):
        return _unproved(made, seen, found)
    return wrong or Verdict(Status.PROVED, (*found, _normalised(trusted)), made.region)


def _unreal(made: Joint) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Return values of the noises at which g is no real number, or values at which a density is none."""
    for point in points(made.parameters, conditions=made.law.conditions, seed=5, count=1):
        for law in (made.law, *made.noise):
            found = where_unreal(law.log_density, law.value, law.support, point, (*FAR, sp.S.Half), low=True)
            if found is not None:
                at = tuple((str(s), str(v)) for s, v in sorted({**point, law.value: found[0]}.items(), key=str))
                return f"the logarithm of a density has the imaginary part {found[1]}", at
        for fractions in itertools.product((*FAR, sp.S.Half), repeat=len(made.noise)):
            places = {n.value: inside_of(n.support, point, f) for n, f in zip(made.noise, fractions, strict=True)}
            if None in places.values():
                continue
            part = imaginary(made.value, {**point, **places})
            if part is not None:
                at = tuple((str(s), str(v)) for s, v in sorted({**point, **places}.items(), key=str))
                return f"g is no real number: its imaginary part is {part}", at
    return None


def _normalised(trusted: bool) -> str:
    if trusted:
        return (
            "the noises are normalised: by the steps that follow where they have parameters, the others are shown to be"
        )
    return "the noises are normalised: their densities integrate to 1"


def _masses(made: Joint, trusted: bool) -> Verdict | None:
    """What is wrong with the noises, or not known of them."""
    for noise in made.noise:
        if trusted and noise.parameters:
            continue
        total = mass(noise)
        if total.wrong:
            reason = f"the density of a noise integrates to {total.seen}, not to 1"
            return Verdict(Status.REFUTED, (reason,), made.region, (("integral", total.seen),))
        if not total.proved:
            status, told = total.unproved("a noise")
            return Verdict(status, (told,), made.region)
    return None


def _unproved(made: Joint, seen: Seen | None, reason: str) -> Verdict:
    if seen is not None and seen.agreed:
        line = f"the density of g agrees with the law to 9 digits at {seen.agreed} points, by quadrature"
        return Verdict(Status.SAMPLED, (reason, line), made.region)
    return Verdict(Status.UNDECIDED, (reason,), made.region)


def _seen(made: Joint) -> tuple[Seen | None, str]:
    """Return the integral as numbers, in the first order of integration whose limits are known."""
    if len(made.noise) > 2:
        return Seen(None, 0), ""
    reason, unknown = "g is not known to be monotone in any one noise", None
    for first in range(len(made.noise)):
        given = conditional(made, first)
        if given is None:
            continue
        blends = _blends(made, given)
        if isinstance(blends, str):
            reason, unknown = blends, given
            continue
        return compared(made, blends), reason
    found = None if unknown is None else compared_numerically(made, unknown)
    return (found if found is not None and found.witness else None), reason


def _blends(made: Joint, given: Conditional) -> list[Blend] | str:
    """Return the last integral: for every interval of z the limits of t and the integrand."""
    z, (last,) = made.law.value, given.given
    parts = pieces((made.law.log_density,), z, made.law.support)
    if parts is None:
        return "the corners of the density could not be put in order"
    corners = [where.lower for where, _ in parts[1:]]
    found = slices(given.image, last.value, last.support, z, made.law.support, corners)
    if isinstance(found, str):
        return found
    integrand = given.log_density + last.log_density
    return [Blend(where, limits, integrand, last.value) for where, limits in found]


def _proved(made: Joint) -> tuple[str, ...] | str:
    """Return the evidence, or what could not be shown."""
    reason = "g is not known to be monotone in any one noise"
    for first in range(len(made.noise)):
        given = conditional(made, first)
        if given is None:
            continue
        for rest in _reduced(made, given):
            blends = _blends(made, rest)
            found = blends if isinstance(blends, str) else _shown(made, blends, made.noise[first])
            if not isinstance(found, str):
                return found
            reason = found
    return reason


def _reduced(made: Joint, given: Conditional) -> Iterator[Conditional]:
    """Noises integrated out until one is left, where no corner is met on the way."""
    if len(given.given) == 1:
        yield given
        return
    for number, noise in enumerate(given.given):
        found = _integrated(made, given, noise)
        if found is not None:
            left = given.given[:number] + given.given[number + 1 :]
            yield from _reduced(made, Conditional(found.image, found.log_density, left))


def _integrated(made: Joint, given: Conditional, noise: Law) -> Conditional | None:
    image = given.image
    if image.lower.has(noise.value) or image.upper.has(noise.value):
        return None
    found = log_total(given.log_density + noise.log_density, noise.value, noise.support)
    return None if found is None else Conditional(image, found, ())


def _shown(made: Joint, blends: list[Blend], first: Law) -> tuple[str, ...] | str:
    for blend in blends:
        reason = _on_slice(made, blend)
        if reason is not None:
            return reason
    return (
        f"for all values of the other noises g is strictly monotone in the noise on {first.support}",
        f"the other noises, integrated out between exact limits, leave a density on {made.law.support}",
        "that density equals the law's, symbolically",
    )


def _on_slice(made: Joint, blend: Blend) -> str | None:
    """Return whether the integral equals the density for z in one interval."""
    z, chart = made.law.value, {made.law.value: inside(blend.where)}
    parts = pieces((made.law.log_density,), z, blend.where)
    if parts is None or len(parts) != 1:
        return "the corners of the density could not be put in order"
    density = parts[0][1][0].xreplace(chart)
    total = _total(blend.log_integrand.xreplace(chart), blend.variable, _charted(blend.limits, chart))
    if total is None:
        return f"the integral is not a classical one for z in {blend.where}"
    return None if same(total, density) else f"the integral did not simplify to the density for z in {blend.where}"


def _charted(limits: Interval, chart: dict[sp.Expr, sp.Expr]) -> Interval:
    ends = (
        sp.expand(end.xreplace(chart)) if end.is_finite is not False else end for end in (limits.lower, limits.upper)
    )
    return Interval(*ends)


def _total(log_integrand: sp.Expr, t: sp.Symbol, limits: Interval) -> sp.Expr | None:
    """Return the logarithm of the integral, piece by piece where the integrand has corners."""
    parts = pieces((smooth(log_integrand),), t, limits)
    if parts is None:
        return None
    found = [log_total(formula, t, where) for where, (formula,) in parts]
    if any(each is None for each in found):
        return None
    return found[0] if len(found) == 1 else sp.log(sp.Add(*(sp.exp(each) for each in found)))
