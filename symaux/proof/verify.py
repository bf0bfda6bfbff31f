r"""The evidence that a rewrite preserves a law. Nothing here knows the rules.

``PROVED`` needs all of: g continuous and strictly monotone from the noise's support onto the law's; the residual
$\log q(\varepsilon) - \log|g'(\varepsilon)| - \log p(g(\varepsilon))$ symbolically zero; the noise normalised.
``REFUTED`` needs a witness at high precision. Where the proof fails, ``CERTIFIED`` needs the same by ball arithmetic, at
stated parameters: see ``symaux.proof.certificates.total_variation``.

>>> from symaux.laws.families import normal
>>> from symaux.rules.rule import Rewrite
>>> z, e, mu = sp.symbols("z e mu", real=True)
>>> s = sp.Symbol("s", positive=True)
>>> verify(normal(z, mu, s), Rewrite((normal(e, 0, 1),), mu - s*e)).status.name
'PROVED'
>>> verify(normal(z, mu, s), Rewrite((normal(e, 0, 1),), mu + s**2*e)).status.name
'REFUTED'
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Idx

from symaux.formulas.algebra.convert import decimal
from symaux.formulas.algebra.plate_sums import pulled_out, sums_with
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.points import possible
from symaux.formulas.symbols.indices import indices_of
from symaux.formulas.symbols.support import REALS, Interval, in_order
from symaux.laws.kernel import atoms
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.proof.certificates.approximation import approximate
from symaux.proof.certificates.approximation_box import over_a_box
from symaux.proof.certificates.total_variation import certified, certified_mass
from symaux.proof.composition.verify import several
from symaux.proof.mass.mass import mass
from symaux.proof.scalar.cdf_witness import differs
from symaux.proof.scalar.claim import Claim, claim
from symaux.proof.scalar.folded import adds_up, folds
from symaux.proof.scalar.layerwise import vanishes_stepwise
from symaux.proof.scalar.monotone import branches
from symaux.proof.scalar.refute import Search, search
from symaux.proof.scalar.residual import vanishes
from symaux.proof.vectors import verify as vectors
from symaux.rules.verdict import Status, Verdict


def verify(law: Law, form: Any, *, noise_is_normalised: bool = False, certify: bool = True) -> Verdict:
    """Return the verdict on a rewrite or an auxiliary form of a law.

    ``noise_is_normalised`` is for a step in a chain of rewrites, where the steps after it show that of the noise;
    ``certify=False`` leaves out certificates and distribution functions, which take seconds where there is no proof.
    """
    return _verdict(*_outside(*_exact(law, tuple(form.noise), form.value)), noise_is_normalised, certify)


def _outside(law: Law, noise: tuple[Law, ...], value: sp.Expr) -> tuple[Law, tuple[Law, ...], sp.Expr]:
    """Return the claim with its variables outside of sums over plates, which are opaque to what follows."""
    if law.event or not any(f.has(sp.Sum) for f in (law.log_density, value, *(n.log_density for n in noise))):
        return law, noise, value

    def pulled(formula: Any) -> Any:
        return functools.reduce(pulled_out, (law.value, *(n.value for n in noise)), formula)

    made = tuple(replace(n, log_density=pulled(n.log_density)) for n in noise)
    return replace(law, log_density=pulled(law.log_density)), made, pulled(value)


def _exact(law: Law, noise: tuple[Law, ...], value: sp.Expr) -> tuple[Law, tuple[Law, ...], sp.Expr]:
    """Return the claim in exact numbers, as laws read them: sympy takes a/3 - 0.333333333333333*a for zero."""
    formulas = (value, *law.formulas, *(f for n in noise for f in n.formulas))
    floats = {x: decimal(x) for f in formulas for x in f.atoms(sp.Float)}
    if not floats or value.has(ChebyshevPieces):
        return law, noise, value
    exact: Any = value.xreplace(floats)
    return law.substituted(floats), tuple(n.substituted(floats) for n in noise), exact


@functools.lru_cache(maxsize=1024)
def _verdict(law: Law, noise: tuple[Law, ...], value: sp.Expr, trusted: bool, certify: bool) -> Verdict:
    if law.event:
        return vectors.verdict(law, noise, value, trusted)
    reason = _ill_formed(law, noise, value) or _impossible(law)
    if reason is not None:
        return Verdict(Status.UNDECIDED, (reason,))
    if not noise or not isinstance(law.support, Interval) or not all(isinstance(n.support, Interval) for n in noise):
        return Verdict(Status.UNDECIDED, (f"no method yet for laws on {law.support}",))
    if len(noise) > 1:
        return several(law, noise, value, trusted)
    if law.proper != noise[0].proper:
        return Verdict(Status.REFUTED, ("one of the two laws is improper and the other is not",))
    if value.has(ImplicitQuantile):
        return _by_definition(law, noise[0], value, certify)
    if value.has(ChebyshevPieces):
        return over_a_box(law, noise[0], value) if law.parameters else approximate(law, noise[0], value)
    return _judged(claim(law, noise[0], value), trusted, certify)


def is_law(law: Law) -> bool:
    """Return whether a density is known to integrate to one.

    >>> from symaux.laws.families import half_cauchy
    >>> is_law(half_cauchy(sp.Symbol("tau", positive=True), 5))
    True
    """
    if law.event or not isinstance(law.support, Interval) or not law.proper:
        return False
    plain = claim(law, law, law.value)
    return mass(plain.law).proved or bool(certified_mass(plain.law, plain.names))


def _ill_formed(law: Law, noise: tuple[Law, ...], value: sp.Expr) -> str | None:
    """Why a claim is none, whatever its formulas say: noise must be fresh, and every element have its own."""
    fresh = [n for n in noise if n.value != law.value]
    if any(n.value in atoms(f) for n in fresh for f in (*law.formulas, *law.conditions)):
        return "a noise has the name of a parent: it must be fresh"
    read = [f for n in fresh for f in n.formulas] + ([value] if len(fresh) == len(noise) else [])
    if any(law.value in atoms(f) for f in read):
        return "the generating function or a noise reads the value that it generates"
    formulas = (*law.formulas, value, *(f for n in noise for f in n.formulas))
    for name in (law.value, *(n.value for n in noise)):
        if hidden := [part for f in formulas for part in sums_with(f, name)]:
            return f"{name} stands inside of {hidden[0]}, which the algebra does not look into"
    unreal = sorted(str(a) for f in formulas for a in atoms(f) if a.is_real is False or a.is_finite is False)
    if unreal:
        return f"{unreal[0]} is not a real number"
    for each in (law, *noise):
        contradiction = _contradicted(each)
        if contradiction is not None:
            return contradiction
    for n in noise:
        shared = _plates(law.value) - _plates(n.value)
        if shared:
            along = ", ".join(sorted(map(str, shared)))
            return f"the noise {n.value} is shared along {along}: the elements would not be independent"
    return None


def _impossible(law: Law) -> str | None:
    """What holds for no parameters at all is no claim."""
    if not law.conditions or possible((*law.conditions, *in_order(law.support))):
        return None
    return f"no parameters were found that satisfy {', '.join(map(str, law.conditions))} together"


def _contradicted(law: Law) -> str | None:
    """How a symbol is declared to be what its support is not: sympy would take sin(pi*z) for zero."""
    if not isinstance(law.support, Interval):
        return None
    lower, upper, name = law.support.lower, law.support.upper, law.value
    if name.is_integer:
        return f"{name} is declared to be a whole number, and its support {law.support} is an interval"
    below = lower.is_negative or lower == -sp.oo
    above = upper.is_positive or upper == sp.oo
    if (name.is_nonnegative and below) or (name.is_nonpositive and above):
        return f"{name} is declared to have a sign that not all of its support {law.support} has"
    return None


def _plates(element: sp.Expr) -> set[Any]:
    return {index for index in indices_of(element) if isinstance(index, Idx)}


def _by_definition(law: Law, noise: Law, value: sp.Expr, certify: bool) -> Verdict:
    """z = h(t) for the u-quantile t of a density on the line: right if h(t) has the law when t has that density."""
    (quantile, *more) = value.atoms(ImplicitQuantile)
    u, variable, log_density = quantile.args
    t = sp.Dummy("t_line", real=True)  # a parameter may have any name
    if (
        more
        or u != noise.value
        or log_density.has(u)
        or not is_standard_uniform(noise)
        or value.xreplace({quantile: t}).has(u)
    ):
        return Verdict(Status.UNDECIDED, ("no method for an implicit quantile of anything but uniform noise",))
    line = Law(t, log_density.xreplace({variable: t}), REALS)
    found = _verdict(law, (line,), value.xreplace({quantile: t}), True, certify)
    if found.status is not Status.PROVED:
        return found
    evidence = (*found.evidence[:-1], "t is the quantile of the uniform noise, by the definition of a quantile")
    plain = claim(law, line, value.xreplace({quantile: t}))
    total = mass(plain.law)
    if total.proved:
        return replace(found, evidence=(*evidence, "the density integrates to 1"))
    if total.wrong:
        reason = f"the density integrates to {total.seen}, not to 1"
        return Verdict(Status.REFUTED, (reason,), found.region, (("integral", total.seen),))
    shown = certified_mass(plain.law, plain.names) if certify else None
    if shown is not None:
        return replace(shown, evidence=(*evidence, *shown.evidence))
    status, told = total.unproved("the density")
    return Verdict(status, (*evidence, told), found.region)


def _judged(made: Claim, trusted: bool, certify: bool) -> Verdict:
    seen = search(made)
    if seen.witness is not None:
        return Verdict(Status.REFUTED, (seen.witness.reason,), made.region, seen.witness.at)
    parts = branches(made)
    if isinstance(parts, str):
        return _folded(made, seen, parts, trusted, certify)
    reason = None if vanishes_stepwise(made, parts) else vanishes(made, parts)
    if reason is not None:
        return _unproved(made, seen, reason, certify)
    image = "strictly monotone" if len(parts) == 1 else f"strictly monotone in {len(parts)} branches that meet"
    evidence = [
        f"g is continuous and {image}, from {made.noise.support} onto {made.law.support}",
        "log q(eps) - log|g'(eps)| - log p(g(eps)) = 0, symbolically",
    ]
    return _with_mass(made, seen, evidence, trusted, certify)


def _folded(made: Claim, seen: Search, reason: str, trusted: bool, certify: bool) -> Verdict:
    """Return a map that turns back is judged by the sum of its branches."""
    parts = folds(made) if seen.folded else reason
    found = parts if isinstance(parts, str) else adds_up(made, parts)
    if isinstance(found, str):
        return _unproved(made, seen, found, certify)
    evidence = [
        f"g is continuous and has {len(parts)} strictly monotone branches, each of them onto {made.law.support}",
        "the sum of q(eps)/|g'(eps)| over the branches is p, symbolically",
    ]
    return _with_mass(made, seen, evidence, trusted, certify)


def _with_mass(made: Claim, seen: Search, evidence: list[str], trusted: bool, certify: bool) -> Verdict:
    if not made.law.proper:
        return Verdict(Status.PROVED, (*evidence, "both laws are improper: equal up to a constant factor"), made.region)
    if trusted:
        return Verdict(Status.PROVED, (*evidence, "the noise is normalised by the steps that follow"), made.region)
    total = mass(made.noise)
    if total.proved:
        return Verdict(Status.PROVED, (*evidence, "the noise is normalised: its density integrates to 1"), made.region)
    if total.wrong:
        reason = f"the density of the noise integrates to {total.seen}, not to 1"
        return Verdict(Status.REFUTED, (reason,), made.region, (("integral", total.seen),))
    shown = certified_mass(made.noise, made.names) if certify else None
    if shown is not None:
        return replace(shown, evidence=(*evidence, *shown.evidence), region=shown.region or made.region)
    status, told = total.unproved("the noise")
    found = _unproved(made, seen, told, certify)
    return replace(found, status=status) if found.status is Status.SAMPLED else found


def _unproved(made: Claim, seen: Search, reason: str, certify: bool) -> Verdict:
    other = differs(made) if certify else None
    if other is not None:
        return Verdict(Status.REFUTED, (other[0],), made.region, other[1])
    shown = None if seen.folded or not certify else certified(made, f"not proved: {reason}")
    if shown is not None:
        return shown
    if seen.agreed and not seen.folded:
        line = f"the two log-densities agree to 25 digits at {seen.agreed} points"
        return Verdict(Status.SAMPLED, (reason, line), made.region)
    return Verdict(Status.UNDECIDED, (reason,), made.region)


__all__ = ["is_law", "verify"]
