r"""Compose steps: $z = g_1(e)$ and $e = g_2(\varepsilon)$ give $z = g_1(g_2(\varepsilon))$, if no name is captured.

Substitution is sound only if every noise is new to all formulas that stand before it: with $z = \mu + e$ and a noise that is
called $\mu$ as well, the composition would be $2\mu$. This is checked on the whole, not step by step.

>>> from symaux.laws.families import normal
>>> from symaux.rules.rule import Rewrite
>>> from symaux.rules.verdict import Status, Verdict
>>> z, mu, e = sp.symbols("z mu e", real=True)
>>> step = Step("z", "shift", normal(z, mu, 1), Rewrite((normal(e, 0, 1),), mu + e), Verdict(Status.PROVED))
>>> print(compose_steps(normal(z, mu, 1), [step]).value)
e + mu
>>> captured = Step("z", "shift", normal(z, mu, 1), Rewrite((normal(mu, 0, 1),), 2*mu), Verdict(Status.PROVED))
>>> compose_steps(normal(z, mu, 1), [captured])
'the noise mu is not fresh: mu has a meaning before it'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from symaux.formulas.functions.elementary import defined
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.names import taken_name
from symaux.laws.law import Law
from symaux.model.statements import named_formulas
from symaux.rules.derivation import Step


@dataclass(frozen=True)
class Composition:
    """The generating function that steps compose to, the noises that are left, and the steps in the order of their use."""

    value: Formula
    noise: tuple[Law, ...]
    steps: tuple[Step, ...]


def compose_steps(law: Law, steps: Iterable[Step]) -> Composition | str | None:
    """Return what the steps make of a law; a sentence if a noise is not fresh, and None if no step is about the law."""
    formula: Any = law.value
    noises, left, used = [law], list(steps), []
    scope = list(named_formulas(law))
    while step := next((s for s in left if s.before in noises), None):
        left.remove(step)
        flaw = _stale(step, scope)
        if flaw is not None:
            return flaw
        scope += [f for n in step.after.noise for f in named_formulas(n)] + [step.after.value]
        formula = formula.xreplace({step.before.value: step.after.value})
        at = noises.index(step.before)
        noises[at : at + 1] = step.after.noise
        used.append(step)
    return Composition(formula, tuple(noises), tuple(used)) if used else None


def _stale(step: Step, scope: list[Any]) -> str | None:
    """Return which noise of a step has a name that is in sight already, or that another noise of it has."""
    for number, noise in enumerate(step.after.noise):
        if noise.value == step.before.value:
            return f"the noise {noise.value} is the variable that it generates"
        others = [n.value for k, n in enumerate(step.after.noise) if k != number]
        taken = taken_name(noise.name, [*scope, *others])
        if taken is not None:
            return f"the noise {noise.value} is not fresh: {taken} has a meaning before it"
    return None


def same_formula(one: Any, other: Any) -> bool:
    """Return whether formulas are equal: as written, or with every function by its definition, expanded.

    >>> x, y = sp.symbols("x y", positive=True)
    >>> same_formula(x*(y + 1), x*y + x), same_formula(x, y)
    (True, False)
    """
    if one == other:
        return True
    spelled = [sp.powsimp(sp.powdenest(defined(formula))) for formula in (one, other)]
    return spelled[0] == spelled[1] or sp.expand(spelled[0] - spelled[1]) == 0


__all__ = ["Composition", "compose_steps", "same_formula"]
