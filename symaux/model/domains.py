r"""Find the conditions on parameters that a model does not imply: where one fails, the log-density is $-\infty$.

A scale must be positive, bounds must be in order, a probability must lie in [0, 1]. Most models imply it: if tau has a
half-Cauchy law, then tau > 0. What is not implied by the supports of the variables that a condition reads, by the formulas of
deterministic ones or by an indicator is *open*: generated code, exports and the reference evaluate it at every point.

>>> from symaux.laws.families import half_cauchy, normal
>>> from symaux.model.model import Model
>>> s, z, tau = sp.Symbol("s", real=True), sp.Symbol("z", real=True), sp.Symbol("tau", real=True)
>>> [str(c) for c in Model.derived(normal(s, 0, 1), normal(z, 0, s)).domain]
['s > 0']
>>> Model.of(half_cauchy(tau, 1), normal(z, 0, tau)).domain
()
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp

from symaux.errors import DomainWarning, ModelError
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.indices import name_of, references
from symaux.formulas.symbols.support import Integers, Interval, order_condition
from symaux.laws.law import Law
from symaux.model.domain_prover import Prover
from symaux.model.statements import Deterministic, Factor, Statement

if TYPE_CHECKING:
    from symaux.model.model import Model


@dataclass(frozen=True)
class OpenCondition:
    """A condition on the parameters of a statement that the model does not imply."""

    statement: Statement
    condition: Any

    def __str__(self) -> str:
        return str(self.condition)


def indicator(condition: Any) -> Factor:
    r"""Return the term of the log-density that is 0 where a condition holds and $-\infty$ elsewhere.

    >>> print(indicator(sp.Symbol("s", real=True) > 0))
    factor Piecewise((0, s > 0), (-oo, True))
    """
    return Factor(sp.Piecewise((sp.S.Zero, condition), (-sp.oo, True)))


def indicated(factor: Factor) -> Any | None:
    """Return the condition of an indicator; None for any other term."""
    formula = factor.formula
    if not isinstance(formula, sp.Piecewise) or len(formula.args) != 2:
        return None
    (inside, condition), (outside, _) = ((branch.args[0], branch.args[1]) for branch in formula.args)
    return condition if (inside, outside) == (0, -sp.oo) and formula == indicator(condition).formula else None


def indicators(model: Model, rewritten: Collection[str]) -> tuple[Factor, ...]:
    """Return the open conditions of laws that a rewrite replaces by formulas, as terms of the log-density.

    A law holds its conditions, and a formula does not: without these terms, the rewritten model would have a density where the
    original has none.
    """
    return tuple(indicator(o.condition) for o in model.domain if getattr(o.statement, "name", None) in rewritten)


def open_conditions(model: Model) -> tuple[OpenCondition, ...]:
    """Return the conditions that concern latent or computed variables and are not implied, each of them once."""
    known = {part for f in model.factors if (c := indicated(f)) is not None for part in _parts(c)}
    prover, found = Prover(model, known), {}
    for statement in model.statements:
        for condition in conditions_of(statement):
            if condition in known or condition in found or not prover.concerns(condition):
                continue
            if not prover.concerns(prover.without_positive_factors(condition)):
                continue  # it is a condition on the data, which are checked when they are given
            if not prover.is_rewritten(statement, condition) and not prover.holds(condition):
                found[condition] = OpenCondition(statement, condition)
                prover = Prover(model, known | set(found))  # a guard holds wherever there is a density at all
    return tuple(found.values())


def data_conditions(model: Model) -> tuple[OpenCondition, ...]:
    """Return the conditions that come down to one on data: s*w[i] > 0 is w[i] > 0 where the model implies s > 0."""
    prover, found = Prover(model, set()), []
    for statement in model.statements:
        for condition in filter(prover.concerns, conditions_of(statement)):
            rest = prover.without_positive_factors(condition)
            if rest not in (sp.true, sp.false) and not prover.concerns(rest) and not prover.holds(condition):
                found.append(OpenCondition(statement, rest))
    return tuple(found)


def guards(model: Model) -> tuple[tuple[Statement, Any], ...]:
    """Return every condition outside of which the log-density is −∞, with its statement: open conditions, and indicators."""
    terms = [(f, c) for f in model.factors if (c := indicated(f)) is not None]
    return (*((o.statement, o.condition) for o in model.domain), *terms)


def check_domains(model: Model) -> None:
    """Raise ModelError for a condition that fails everywhere."""
    prover = Prover(model, set())
    for statement in model.statements:
        for condition in conditions_of(statement):
            if prover.concerns(condition) and prover.fails(condition):
                raise ModelError(f"{statement}: {_words(condition)} is required, and the model implies the opposite")


def warn_of_open_conditions(model: Model, depth: int = 3) -> None:
    """Raise a warning for every condition that the model does not imply, naming the variables in it."""
    for opened in model.domain:
        names = sorted({name_of(r) for r in references(opened.condition)} & set(model.nodes) - model.observed)
        warnings.warn(
            f"{opened.statement}: {_words(opened.condition)} is not implied by the law of {', '.join(names)}; where it does"
            f" not hold, the log-density is -inf. Give {names[0]} a law whose support implies it",
            DomainWarning,
            stacklevel=depth,
        )


def conditions_of(statement: Statement) -> Iterator[Any]:
    """Yield the comparisons that a statement asks of its parents, as far as assumptions do not decide them."""
    match statement:
        case Law():
            yield from _of_law(statement)
        case Deterministic():
            yield from (c for c in _signs(statement.target, statement.formula, statement.formula) if not _is_decided(c))


def _of_law(law: Law) -> Iterator[Any]:
    for condition in law.conditions:
        yield from _parts(condition)
    support = law.support
    if isinstance(support, Interval):
        order = order_condition(support) if _is_bounded(support) else ()
        signs = (c for c in _signs(law.value, support.lower, support.upper) if not _is_decided(c))
        yield from _undecided([*order, *signs])
    elif isinstance(support, Integers) and _is_bounded(support):
        yield from _undecided([sp.GreaterThan(support.upper, support.lower)])


def _is_bounded(support: Interval | Integers) -> bool:
    return support.lower != -sp.oo and support.upper != sp.oo


def _signs(value: Any, lower: Formula, upper: Formula) -> Iterator[Any]:
    """Yield what a declared sign of a value asks of its bounds; a formula is both bounds of its target."""
    strict = lower is upper  # the ends of a support do not belong to it
    # unevaluated: sympy would move a comparison into the branches of a Piecewise
    if value.is_positive or value.is_nonnegative:
        relation = sp.StrictGreaterThan if value.is_positive and strict else sp.GreaterThan
        yield relation(lower, sp.S.Zero, evaluate=False)
    elif value.is_negative or value.is_nonpositive:
        relation = sp.StrictLessThan if value.is_negative and strict else sp.LessThan
        yield relation(upper, sp.S.Zero, evaluate=False)


def _is_decided(condition: Any) -> bool:
    """Return whether sympy's assumptions about a formula imply the sign that it must have."""
    difference = condition.gts - condition.lts
    strict = isinstance(condition, sp.StrictGreaterThan | sp.StrictLessThan)
    return bool(difference.is_positive if strict else difference.is_extended_nonnegative)


def _undecided(conditions: Any) -> Iterator[Any]:
    return (part for c in conditions if c not in (sp.true, sp.false) for part in _parts(c))


def _parts(condition: Any) -> tuple[Any, ...]:
    """Return the conditions that must hold together, as sympy writes them in a Piecewise: b > a as a < b."""
    if isinstance(condition, sp.And):
        return tuple(part for arg in sorted(condition.args, key=sp.default_sort_key) for part in _parts(arg))
    choice = sp.Piecewise((sp.S.Zero, condition), (-sp.oo, True))
    return (choice.args[0].args[1],) if isinstance(choice, sp.Piecewise) else ()


def _words(condition: Any) -> str:
    return str(condition)


__all__ = [
    "OpenCondition",
    "check_domains",
    "conditions_of",
    "data_conditions",
    "guards",
    "indicated",
    "indicator",
    "indicators",
    "open_conditions",
    "warn_of_open_conditions",
]
