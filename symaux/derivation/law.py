r"""Derive the auxiliary forms of a law by a search on its kernel, which all laws with that kernel share.

>>> from rewrites import RULES
>>> from symaux.laws.families import normal
>>> from symaux.formulas.symbols.indices import arrays, plate
>>> theta, mu, tau = arrays("theta")[plate("j", 8)], sp.Symbol("mu", real=True), sp.Symbol("tau", positive=True)
>>> print(derive(normal(theta, mu, tau), RULES))
theta[j] = mu + tau*eps_theta[j]
  eps_theta[j] ~ normal(0, 1)
  proved: the two laws are equal for all parameters in the region
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from symaux.derivation.candidate import Candidate, needs_solver
from symaux.derivation.form_of_law import form_of_law
from symaux.derivation.search import KINDS, apply_rule, search_forms, with_noise_on_real_line
from symaux.derivation.vector import vector_forms
from symaux.errors import NoRuleApplies, SymauxError
from symaux.formulas.algebra.plate_sums import sums_containing
from symaux.formulas.functions import registry as special
from symaux.formulas.symbols.support import REALS, Integers, Interval
from symaux.laws.densities.charts import region_conditions
from symaux.laws.densities.folding import has_fold
from symaux.laws.densities.parameter_box import parameter_box
from symaux.laws.kernel import Kernel, kernel
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_uniform
from symaux.laws.validity import describe_negative_density, refuse_bad_mass
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.form import AuxiliaryForm
from symaux.rules.rule import Rule, as_rule
from symaux.rules.verdict import Status

DEPTH = 4
ACCEPTED = {None: (), "sampled": (Status.SAMPLED,), "approximate": (Status.APPROXIMATE,)}
GivenRules = Sequence[Rule | Callable[[Law], Any]]


def forms(law: Law, rules: GivenRules, *, noise: str = "auto", depth: int = DEPTH) -> Iterator[AuxiliaryForm]:
    """Yield every auxiliary form that the rules give, best first; those that are not proved come last."""
    if noise not in KINDS:
        raise SymauxError(f"noise must be one of {', '.join(KINDS)}, not {noise!r}")
    if _unsuitable(law) is not None:
        return
    given = tuple(as_rule(r) for r in rules)
    if law.event:
        yield from vector_forms(law, [r for r in given if r.vector], noise, functools.partial(derive, rules=rules))
        return
    given = tuple(r for r in given if not r.vector)
    generic, proved = kernel(law), False
    refuse_unnormalised(law)
    special = _with_numbers(generic)
    for found in _shared_search(generic.law, given, noise, depth):
        if special is not None and not proved and needs_solver(found.value):
            yield from (form_of_law(law, special, f) for f in _closed_forms(special, given, noise, depth))
        form = form_of_law(law, generic, found)
        proved = proved or bool(form.verdict)
        yield form
    if not proved and special is not None:
        for found in _shared_search(special.law, given, noise, depth):
            yield form_of_law(law, special, found)


def one_noise_forms(law: Law, rules: GivenRules) -> Iterator[tuple[Kernel, Candidate, AuxiliaryForm]]:
    """Yield the proved forms with one noise in every step: the kernel, the candidate about it, and the form of the law."""
    given = tuple(r for r in map(as_rule, rules) if not (r.vector or r.last))
    generic = kernel(law)
    for found in _shared_search(generic.law, given, "auto", DEPTH):
        single = len(found.noise) == 1 and all(len(step.after.noise) == 1 for step in found.steps)
        if single and found.steps and found.verdict.status is Status.PROVED:
            yield generic, found, form_of_law(law, generic, found)


def _closed_forms(special: Kernel, rules: tuple[Rule, ...], noise: str, depth: int) -> Iterator[Candidate]:
    """Return the verified forms for the given numbers that need no solver, where those for all numbers would."""
    found = _shared_search(special.law, tuple(r for r in rules if not r.last), noise, depth)
    return (form for form in found if form.verdict and not needs_solver(form.value))


def approximations(
    law: Law, rules: GivenRules, approximate: GivenRules, *, noise: str = "auto"
) -> Iterator[AuxiliaryForm]:
    """Yield forms by exact steps to one noise without parameters, and then one step with a proved bound of its error.

    The exact steps are monotone, so that the distance to the law is that to the noise.
    """
    if law.event or _unsuitable(law) is not None:
        return
    given = tuple(r for r in map(as_rule, rules) if not (r.vector or r.last))
    if parameter_box(law.parameters, law.conditions):
        yield from _over_a_box(law, given, approximate, noise)
        return
    generic = kernel(law)
    stated = _with_numbers(generic) or generic
    for start in _without_parameters(stated.law, given):
        for rule in map(as_rule, approximate):
            for found in apply_rule(start, start.noise[0], rule, "uniform", 0):
                ended = with_noise_on_real_line(found, stated.law, given, DEPTH) if noise == "normal" else found
                if ended is not None and ended.verdict.status is Status.APPROXIMATE:
                    yield form_of_law(law, stated, ended)


def _over_a_box(law: Law, rules: tuple[Rule, ...], approximate: GivenRules, noise: str) -> Iterator[AuxiliaryForm]:
    """Yield forms for parameters in the box that the law's conditions state, with one error bound for the whole box."""
    itself = Kernel(law, law.value, {p: p for p in law.parameters})
    for rule in map(as_rule, approximate):
        for rewrite in rule(law):
            verdict = verify(law, rewrite)
            step = Step(str(law.value), rule.name, law, rewrite, verdict)
            found = Candidate(rewrite.noise, rewrite.value, (step,), (lambda step=step: step,))
            ended = with_noise_on_real_line(found, law, rules, DEPTH) if noise == "normal" else found
            if ended is not None and ended.verdict.status is Status.APPROXIMATE:
                yield form_of_law(law, itself, ended)


def _without_parameters(law: Law, rules: tuple[Rule, ...]) -> Iterator[Candidate]:
    """Yield the law itself as its noise, or the first forms with one noise that has no closed quantile function."""
    if not law.parameters:
        yield Candidate((law,), law.value)
        return
    found = (f for f in _shared_search(law, rules, "auto", DEPTH) if f.verdict and _keeps_order(f, law))
    yield from (f for f in itertools.islice(found, 3) if not is_standard_uniform(f.noise[0]))


def _keeps_order(found: Candidate, law: Law) -> bool:
    """Return whether a form has one noise and is monotone: then it preserves distances between distribution functions."""
    if len(found.noise) != 1:
        return False
    return not has_fold(found.value, found.noise[0], law.parameters, region_conditions(law))


def _is_closed(form: AuxiliaryForm) -> bool:
    """Return whether neither the form nor drawing its noise needs a solver."""
    solved = needs_solver(form.value) or form.value.has(*special.FUNCTIONS)
    return not solved and all(noise.spelling is not None for noise in form.noise)


def derive(
    law: Law, rules: GivenRules, *, noise: str = "auto", accept: str | None = None, approximate: GivenRules = ()
) -> AuxiliaryForm:
    """Return the best verified auxiliary form; ``accept`` also admits a form that is only sampled or approximate.

    A form with a proved bound of its error, where it is accepted, comes before one that iterates.
    """
    if accept not in ACCEPTED:
        raise SymauxError(f"accept must be 'sampled' or 'approximate', not {accept!r}")
    weaker = None
    for form in forms(law, rules, noise=noise):
        if form.verdict or form.verdict.status in ACCEPTED[accept]:
            if approximate and not _is_closed(form):
                return next(approximations(law, rules, approximate, noise=noise), form)
            return form
        weaker = weaker or form
    for form in approximations(law, rules, approximate, noise=noise):
        return form
    tried = [r.name for r in map(as_rule, rules) if r.vector == bool(law.event)]
    raise NoRuleApplies(_explain_failure(law, tried, weaker))


_refuse = functools.lru_cache(maxsize=256)(refuse_bad_mass)


def refuse_unnormalised(law: Law) -> None:
    """Raise LawError for a density of the user's own that does not integrate, or add up, to one.

    >>> k = sp.Symbol("k", integer=True, positive=True)
    >>> refuse_unnormalised(Law(k, -sp.log(k), Integers(sp.S.One, sp.oo)))
    Traceback (most recent call last):
        ...
    symaux.errors.LawError: the density of k does not add up to one: exp(-log(k)) on {1, ..., oo}
      its sum is at least 1.5
      try:  dividing it by its sum
    """
    picked = any(
        law.value in e.free_symbols for r in law.parameters for e in getattr(r, "indices", ())
    )  # p[k], k its value
    summed = any(
        sums_containing(formula, law.value) for formula in law.formulas
    )  # a mixture over a plate, by its density
    if law.spelling is None and law.proper and isinstance(law.support, Interval | Integers) and not picked | summed:
        _refuse(law if all(isinstance(p, sp.Symbol) for p in law.parameters) else kernel(law).law)


def _unsuitable(law: Law) -> str | None:
    if law.discrete:
        return f"{law.value} is discrete: only continuous variables have an auxiliary form"
    if not law.proper:
        return f"the law of {law.value} is improper: it has no noise"
    if not isinstance(law.support, Interval) and not law.event:
        return f"no rule yet for laws on {law.support}"
    return None


def _explain_failure(law: Law, tried: list[str], weaker: AuxiliaryForm | None) -> str:
    parents = ", ".join(map(str, law.parameters))
    given = f"{law.value} | {parents}" if parents else str(law.value)
    lines = [
        f"no rule in the given set gives a generating function for {law.value}",
        f"  log p({given}) = {law.log_density}      support = {law.support}",
    ]
    reason = _unsuitable(law)
    if reason is not None:
        return "\n".join([*lines, f"  {reason}"])
    lines.append(f"  tried: {', '.join(tried) or 'nothing: no rules were given'}")
    place = None if law.event else describe_negative_density(law)
    if place is not None:
        return "\n".join([*lines, f"  {place}", "  try:   conditions=(...) on its parameters that rule this out"])
    if weaker is not None:
        status = weaker.verdict.status.name.lower()
        lines.append(
            f"  found: {weaker.law.value} = {weaker.value}, but it is only {status}: {weaker.verdict.evidence[0]}"
        )
    if weaker is not None and weaker.verdict.status in (Status.SAMPLED, Status.APPROXIMATE):
        return "\n".join([*lines, f"  try:   sa.derive(law, accept={status!r})"])
    return "\n".join(
        [*lines, "  try:   numbers for its shape parameters, or a rule of your own: rules=(*RULES, my_rule)"]
    )


@dataclass
class _SharedSearch:
    """The forms of one kernel, computed lazily and remembered."""

    source: Iterator[Candidate]
    known: list[Candidate] = field(default_factory=list)

    def __iter__(self) -> Iterator[Candidate]:
        number = 0
        while True:
            if number == len(self.known):
                following = next(self.source, None)
                if following is None:
                    return
                self.known.append(following)
            yield self.known[number]
            number += 1


@functools.lru_cache(maxsize=512)
def _shared_search(law: Law, rules: tuple[Rule, ...], noise: str, depth: int) -> _SharedSearch:
    return _SharedSearch(search_forms(law, rules, noise, depth))


def _with_numbers(generic: Kernel) -> Kernel | None:
    """Return the kernel with numeric arguments substituted, as in a Student t with 4 degrees of freedom; None without any.

    A location stays a symbol, so that rules see it, and laws with other locations share the search.
    """
    numbers = {
        symbol: given
        for symbol, given in generic.arguments.items()
        if given.is_number and (given == 0 or not _is_location(generic.law, symbol))
    }
    if not numbers:
        return None
    left = {symbol: given for symbol, given in generic.arguments.items() if symbol not in numbers}
    return Kernel(generic.law.substituted(numbers), generic.value, left)


def _is_location(law: Law, symbol: sp.Symbol) -> bool:
    """Return whether a law on the real line depends on its value and a parameter only through their difference."""
    moved = law.log_density.xreplace({law.value: law.value + symbol})
    return law.support == REALS and symbol not in moved.free_symbols


__all__ = ["derive", "forms", "one_noise_forms"]
