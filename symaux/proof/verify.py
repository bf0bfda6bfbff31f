r"""Judge whether a rewrite preserves a law, without knowing the rules.

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
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.formulas.algebra.convert import decimal_as_rational
from symaux.formulas.algebra.plate_sums import pull_out_of_sums
from symaux.formulas.functions.chebyshev import ChebyshevPieces
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import REALS, Interval
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.proof.certificates.approximation import verify_approximation
from symaux.proof.certificates.approximation_box import verify_approximation_on_box
from symaux.proof.certificates.total_variation import certify_claim, certify_mass
from symaux.proof.composition.verify import verify_composition
from symaux.proof.mass.mass import mass
from symaux.proof.scalar.cdf_witness import find_cdf_witness
from symaux.proof.scalar.claim import Claim, claim
from symaux.proof.scalar.methods import prove
from symaux.proof.scalar.refute import Search, search
from symaux.proof.shadowed import confirm
from symaux.proof.vectors import verify as vectors
from symaux.proof.well_formed import find_flaw
from symaux.rules.verdict import Status, Verdict


@dataclass(frozen=True)
class Question:
    """The question whether ``value`` has the law; ``trusted`` noise needs no proof of its mass, ``certify`` allows
    certificates."""

    law: Law
    noise: tuple[Law, ...]
    value: Formula
    trusted: bool
    certify: bool


Method = Callable[[Question], Verdict | None]


def verify(
    law: Law, form: Any, *, noise_is_normalised: bool = False, certify: bool = True, confirmed: bool = True
) -> Verdict:
    """Return the verdict on a rewrite or an auxiliary form of a law.

    ``noise_is_normalised`` is for a step in a chain of rewrites, where the steps after it show that of the noise;
    ``certify=False`` leaves out certificates and distribution functions, which take seconds where there is no proof;
    ``confirmed=False`` leaves it to the caller to have a proof confirmed by balls, on what becomes of it.
    """
    law, noise, value = _pull_out_of_sums(*_with_exact_numbers(law, tuple(form.noise), form.value))
    verdict = _verdict(law, noise, value, noise_is_normalised, certify)
    return confirm(verdict, law, noise, value) if confirmed and not noise_is_normalised else verdict


def _pull_out_of_sums(law: Law, noise: tuple[Law, ...], value: Formula) -> tuple[Law, tuple[Law, ...], Formula]:
    """Pull the variables of the claim out of sums over plates, which are opaque to what follows."""
    if law.event or not any(f.has(sp.Sum) for f in (law.log_density, value, *(n.log_density for n in noise))):
        return law, noise, value

    def pulled(formula: Any) -> Any:
        return functools.reduce(pull_out_of_sums, (law.value, *(n.value for n in noise)), formula)

    made = tuple(replace(n, log_density=pulled(n.log_density)) for n in noise)
    return replace(law, log_density=pulled(law.log_density)), made, pulled(value)


def _with_exact_numbers(law: Law, noise: tuple[Law, ...], value: Formula) -> tuple[Law, tuple[Law, ...], Formula]:
    """Replace decimals by exact numbers, as laws read them: sympy takes a/3 - 0.333333333333333*a for zero."""
    formulas = (value, *law.formulas, *(f for n in noise for f in n.formulas))
    floats = {x: decimal_as_rational(x) for f in formulas for x in f.atoms(sp.Float)}
    if not floats or value.has(ChebyshevPieces):
        return law, noise, value
    exact: Any = value.xreplace(floats)
    return law.substituted(floats), tuple(n.substituted(floats) for n in noise), exact


@functools.lru_cache(maxsize=1024)
def _verdict(law: Law, noise: tuple[Law, ...], value: Formula, trusted: bool, certify: bool) -> Verdict:
    question = Question(law, noise, value, trusted, certify)
    return next(verdict for method in METHODS if (verdict := method(question)) is not None)


def is_law(law: Law) -> bool:
    """Return whether a density is known to integrate to one.

    >>> from symaux.laws.families import half_cauchy
    >>> is_law(half_cauchy(sp.Symbol("tau", positive=True), 5))
    True
    """
    if law.event or not isinstance(law.support, Interval) or not law.proper:
        return False
    plain = claim(law, law, law.value)
    return mass(plain.law).proved or bool(certify_mass(plain.law, plain.names))


def verify_vector_law(question: Question) -> Verdict | None:
    """Return the verdict on a law of vectors or matrices."""
    law = question.law
    return vectors.verify_vector(law, question.noise, question.value, question.trusted) if law.event else None


def reject_flaw(question: Question) -> Verdict | None:
    """Return UNDECIDED for a claim that is not well formed."""
    reason = find_flaw(question.law, question.noise, question.value)
    return None if reason is None else Verdict(Status.UNDECIDED, (reason,))


def reject_other_supports(question: Question) -> Verdict | None:
    """Return UNDECIDED unless there is noise and all supports are intervals."""
    law, noise = question.law, question.noise
    if noise and all(isinstance(each.support, Interval) for each in (law, *noise)):
        return None
    return Verdict(Status.UNDECIDED, (f"no method yet for laws on {law.support}",))


def verify_several_noises(question: Question) -> Verdict | None:
    """Return the verdict on a function of several noises."""
    if len(question.noise) == 1:
        return None
    return verify_composition(question.law, question.noise, question.value, question.trusted)


def refute_improper(question: Question) -> Verdict | None:
    """Return REFUTED where one of the two laws is improper and the other is not."""
    if question.law.proper == question.noise[0].proper:
        return None
    return Verdict(Status.REFUTED, ("one of the two laws is improper and the other is not",))


def verify_implicit_quantile(question: Question) -> Verdict | None:
    """Return the verdict on z = h(t) for the u-quantile t of a density on the line.

    It is right if h(t) has the law when t has that density.
    """
    law, (noise,), value, certify = question.law, question.noise, question.value, question.certify
    if not value.has(ImplicitQuantile):
        return None
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
    shown = certify_mass(plain.law, plain.names) if certify else None
    if shown is not None:
        return replace(shown, evidence=(*evidence, *shown.evidence))
    status, reason = total.unproved("the density")
    return Verdict(status, (*evidence, reason), found.region)


def bound_approximation(question: Question) -> Verdict | None:
    """Return the verdict on a fitted generating function: a bound on its distance to the law."""
    law, (noise,), value = question.law, question.noise, question.value
    if not value.has(ChebyshevPieces):
        return None
    return verify_approximation_on_box(law, noise, value) if law.parameters else verify_approximation(law, noise, value)


def verify_one_noise(question: Question) -> Verdict:
    """Return the verdict on a function of one noise: a witness refutes it, or a method of ``scalar/methods.py`` proves it."""
    made = claim(question.law, question.noise[0], question.value)
    seen = search(made)
    if seen.witness is not None:
        return Verdict(Status.REFUTED, (seen.witness.reason,), made.region, seen.witness.at)
    attempt = prove(made, seen)
    if attempt.missing is not None:
        return _unproved(made, seen, attempt.missing, question.certify)
    return _with_mass(made, seen, attempt.evidence, question.trusted, question.certify)


METHODS: tuple[Method, ...] = (  # tried in this order, until one of them answers; the last one always does
    verify_vector_law,
    reject_flaw,
    reject_other_supports,
    verify_several_noises,
    refute_improper,
    verify_implicit_quantile,
    bound_approximation,
    verify_one_noise,
)


def _with_mass(made: Claim, seen: Search, evidence: tuple[str, ...], trusted: bool, certify: bool) -> Verdict:
    """Return PROVED if the noise is normalised as well; otherwise what is known of its mass."""
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
    shown = certify_mass(made.noise, made.names) if certify else None
    if shown is not None:
        return replace(shown, evidence=(*evidence, *shown.evidence), region=shown.region or made.region)
    status, reason = total.unproved("the noise")
    found = _unproved(made, seen, reason, certify)
    return replace(found, status=status) if found.status is Status.SAMPLED else found


def _unproved(made: Claim, seen: Search, reason: str, certify: bool) -> Verdict:
    """Return the best verdict without a proof: a witness by distribution functions, a certificate, or points that agree."""
    other = find_cdf_witness(made) if certify else None
    if other is not None:
        return Verdict(Status.REFUTED, (other[0],), made.region, other[1])
    shown = None if seen.folded or not certify else certify_claim(made, f"not proved: {reason}")
    if shown is not None:
        return shown
    if seen.agreed and not seen.folded:
        line = f"the two log-densities agree to 25 digits at {seen.agreed} points"
        return Verdict(Status.SAMPLED, (reason, line), made.region)
    return Verdict(Status.UNDECIDED, (reason,), made.region)


__all__ = ["is_law", "verify"]
