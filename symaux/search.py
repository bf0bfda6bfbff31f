r"""The search for generating functions: rules applied to a law, and to its noise, until the noise is of the wanted kind.

Cheapest first: what is open is ordered by how simple its generating function is so far, so the first complete form is
the best one. Every step is verified before it is built upon, by code that knows nothing of the rule.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from symaux.charts import chart
from symaux.derivation import Step
from symaux.functions import Defined
from symaux.kernel import kernel, value_symbol
from symaux.law import Law
from symaux.proof import verify
from symaux.rule import Rewrite, Rule
from symaux.support import Interval
from symaux.verdict import Status, Verdict, weakest

KINDS = ("auto", "normal", "uniform")
EXPANSIONS, SECONDS = 60, 60.0
LATER = 6  # a rule that stands later in the order is tried once forms of this many more operations are open


@dataclass(frozen=True)
class Found:
    """Noise laws, generating function and steps, about a kernel's own symbols."""

    noise: tuple[Law, ...]
    value: sp.Expr
    steps: tuple[Step, ...] = ()

    @property
    def verdict(self) -> Verdict:
        if not self.steps:
            return Verdict(Status.PROVED, ("the law has no parameters: it is its own noise",))
        if len(self.steps) == 1:
            return self.steps[0].verdict
        lines = [f"{s.rule}: {line}" for s in self.steps for line in s.verdict.evidence]
        return replace(weakest(*(s.verdict for s in self.steps)), evidence=tuple(dict.fromkeys(lines)))

    @property
    def order(self) -> tuple[int, int, bool, int]:
        """Proved before certified, one noise before several, smooth before piecewise, cheap before dear."""
        return (-self.verdict.status.strength, len(self.noise), self.value.has(sp.Piecewise), cost(self.value))


def cost(formula: sp.Expr) -> int:
    """How dear a formula is to evaluate: its operations, with functions that sympy lacks counted as several."""
    return int(sp.count_ops(formula)) + 3 * len(formula.atoms(Defined, sp.erfinv, sp.erf, sp.LambertW))


def complete(law: Law, kind: str) -> bool:
    """Whether a noise needs no further rewriting."""
    if law.parameters or not isinstance(law.support, Interval):
        return False
    if kind == "normal":
        return law.support.unbounded
    return kind == "auto" or (law.support == Interval(sp.S.Zero, sp.S.One) and law.log_density == 0)


def searched(law: Law, rules: Sequence[Rule], kind: str, depth: int) -> Iterator[Found]:
    """Complete forms of a kernel, best first; those that are not proved come last."""
    tickets, deadline = itertools.count(), time.monotonic() + SECONDS
    start = Found((law,), law.value)
    if complete(law, kind):
        eps = noise_symbol(law, 0, 0)
        yield Found((law.substituted({law.value: eps}),), eps)
        return
    heap: list[tuple[Any, int, Found, int]] = [(_priority(start, 0), next(tickets), start, 0)]
    doubtful: list[Found] = []
    seen: set[Any] = set()
    for _ in range(EXPANSIONS * (len(rules) + 1)):
        if not heap or time.monotonic() > deadline:
            break
        _, _, state, turn = heapq.heappop(heap)
        open_noise = next((n for n in state.noise if not complete(n, kind)), None)
        if open_noise is None:
            if state.verdict:
                yield state
            else:
                doubtful.append(state)
            continue
        if turn + 1 < len(rules):
            heapq.heappush(heap, (_priority(state, turn + 1), next(tickets), state, turn + 1))
        if len(state.steps) >= depth:
            continue
        for found in _applied(state, open_noise, rules[turn], kind):
            key = (found.value, tuple(n.log_density for n in found.noise))
            if key not in seen:
                seen.add(key)
                heapq.heappush(heap, (_priority(found, 0), next(tickets), found, 0))
    yield from sorted(doubtful, key=lambda found: found.order)


def _priority(found: Found, turn: int) -> tuple[bool, int, int]:
    piecewise = 20 if found.value.has(sp.Piecewise) else 0
    return (not found.verdict, len(found.noise), cost(found.value) + piecewise + LATER * turn)


def _applied(state: Found, noise: Law, rule: Rule, kind: str) -> Iterator[Found]:
    """The state with one of its noises rewritten by a rule, in every way that is not refuted."""
    made = kernel(noise)
    charted = chart(made.law)
    for number, raw in enumerate(rule(charted.law)):
        verdict = verify(charted.law, raw, noise_is_normalised=not all(complete(n, kind) for n in raw.noise))
        if verdict.status is Status.REFUTED:
            continue
        names = {n.value: noise_symbol(n, len(state.steps), k) for k, n in enumerate(raw.noise)}
        rewrite = Rewrite(
            tuple(_back(n.substituted(names), charted, made) for n in raw.noise),
            made.restored(charted.restored(raw.value)).xreplace(names),
        )
        if any(n.log_density == noise.log_density.xreplace({noise.value: n.value}) for n in rewrite.noise):
            continue
        step = Step(str(noise.value), rule.name, noise, rewrite, verdict)
        others = tuple(n for n in state.noise if n is not noise)
        value = state.value.xreplace({noise.value: rewrite.value})
        yield Found((*others, *rewrite.noise), _shorter(value), (*state.steps, step))


def _shorter(value: sp.Expr) -> sp.Expr:
    """The generating function with powers gathered, where that is shorter."""
    gathered = sp.powsimp(sp.powdenest(value))
    return gathered if cost(gathered) < cost(value) else value


def _back(law: Law, charted: Any, made: Any) -> Law:
    return law.substituted(charted.back).substituted(made.arguments)


def noise_symbol(law: Law, depth: int, number: int) -> sp.Symbol:
    """A name for a noise that is met during the search."""
    return sp.Symbol(f"eps_{depth}_{number}", **value_symbol(law).assumptions0)
