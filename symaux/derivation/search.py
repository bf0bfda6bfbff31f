r"""Search for generating functions: apply rules to a law, then to its noise, until the noise is of the wanted kind.

The search is best-first: open candidates are ordered by the cost of their generating function so far, so the first complete
form is the best one. Every step is verified before another builds on it, by code that does not know the rule.
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.derivation.candidate import Candidate, cost, is_final_noise, needs_solver
from symaux.formulas.functions.elementary import directed
from symaux.formulas.numeric.points import evaluate, points
from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.charts import Chart, chart, region, required_positives
from symaux.laws.densities.tidy import shorten_formula
from symaux.laws.kernel import Kernel, atoms, kernel, value_symbol
from symaux.laws.law import Law
from symaux.progress import notify
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite, Rule
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import cpu_seconds

KINDS = ("auto", "normal", "uniform")
EXPANSIONS, SECONDS = 60, 30.0  # of processor time
SEVERAL = 20  # one noise before several, unless its formula has this many more operations
CERTIFICATES = 2
LONG = 25  # operations of a log-density: more than those of the named families have
LATER = 6  # operations that a candidate is charged for every rule it has passed, so that later rules get their turn


def search_forms(law: Law, rules: Sequence[Rule], kind: str, depth: int) -> Iterator[Candidate]:
    """Yield the complete forms of a kernel, best first; those that are not proved come last.

    The kind "normal" asks for unbounded noise: noise on the whole real line stays as it is, any other is mapped through
    its quantile function and the normal distribution function.
    """
    if kind != "normal":
        yield from _best_first(Candidate((law,), law.value), rules, kind, depth)
        return
    for found in _best_first(Candidate((law,), law.value), rules, "auto", depth):
        unbounded = with_noise_on_real_line(found, law, rules, depth)
        if unbounded is not None:
            yield unbounded


def with_noise_on_real_line(found: Candidate, law: Law, rules: Sequence[Rule], depth: int) -> Candidate | None:
    """Return the form with every bounded noise written as its quantile function of a normal distribution function."""
    for noise in found.noise:
        if noise.support == REALS:
            continue
        others = tuple(n for n in found.noise if n is not noise)
        through = next(_best_first(Candidate((noise,), noise.value), rules, "uniform", depth, len(found.steps)), None)
        if through is None:
            return None
        found = _continue_with(found, noise, through, others)
        for uniform in through.noise:
            others = tuple(n for n in found.noise if n is not uniform)
            ends = _best_first(Candidate((uniform,), uniform.value), rules, "normal", 1, len(found.steps))
            made = [_continue_with(found, uniform, end, others) for end in ends if len(end.noise) == 1]
            if not made:
                return None
            found = next((form for form in made if _increases(form, law)), made[0])
    return found


def _continue_with(found: Candidate, noise: Law, then: Candidate, others: tuple[Law, ...]) -> Candidate:
    value = shorten_formula(found.value.xreplace({noise.value: then.value}))
    return Candidate((*others, *then.noise), value, (*found.steps, *then.steps), (*found.later, *then.later))


def _increases(found: Candidate, law: Law) -> bool:
    """Return whether g increases in its last noise between two numbers, at one point of the parameters."""
    eps, conditions = found.noise[-1].value, [formula > 0 for formula in required_positives(law)]
    for point in points(found.value.free_symbols - {eps}, conditions=conditions, seed=2, count=1):
        low, high = (evaluate(directed(found.value), point | {eps: at}) for at in (sp.S.Zero, sp.S.Half))
        return low is not None and high is not None and mp.re(high) > mp.re(low)
    return False


def _best_first(start: Candidate, rules: Sequence[Rule], kind: str, depth: int, named: int = 0) -> Iterator[Candidate]:
    tickets, deadline = itertools.count(), cpu_seconds() + SECONDS
    heap: list[tuple[Any, int, Candidate, int]] = [(_priority(start, 0), next(tickets), start, 0)]
    doubtful: list[Candidate] = []
    met: list[Candidate] = []
    seen: set[Any] = set()
    rules, last = [r for r in rules if not r.last], [r for r in rules if r.last]
    answered, longest = False, depth
    expansions = EXPANSIONS * (len(rules) + 1)
    while heap:
        _, _, state, turn = heapq.heappop(heap)
        open_noise = next((n for n in state.noise if not is_final_noise(n, kind)), None)
        if open_noise is None:
            paused = cpu_seconds()
            state = state.examined(start.noise[0])
            if state.verdict:
                answered = True
                yield _with_noise_symbol(state, named)
                deadline += cpu_seconds() - paused  # what the caller does meanwhile does not count, nor what balls take
            else:
                doubtful.append(state)
            continue
        expansions -= 1
        if expansions < 0 or cpu_seconds() > deadline:
            continue  # what is complete is still handed out
        if turn == 0:
            met.append(state)
        if len(state.steps) >= depth or len(state.steps) > longest or not rules:
            continue
        if turn + 1 < len(rules):
            heapq.heappush(heap, (_priority(state, turn + 1), next(tickets), state, turn + 1))
        for found in apply_rule(state, open_noise, _in_order(rules, open_noise)[turn], kind, named):
            key = _state_key(found, kind)
            if key not in seen:
                seen.add(key)
                if _is_plain(found, kind):
                    longest = min(longest, len(found.steps))  # a longer way would not lead to a plainer form
                heapq.heappush(heap, (_priority(found, 0), next(tickets), found, 0))
    if not answered:
        doubtful += _last_resorts(met, last, kind, named)
        doubtful = _with_certificates(sorted(doubtful, key=lambda found: found.order), deadline)
    yield from sorted((found.examined(start.noise[0]) for found in doubtful), key=lambda found: found.order)


def _is_plain(found: Candidate, kind: str) -> bool:
    """Return whether a form is complete, proved, in one noise and needs no solver."""
    whole = len(found.noise) == 1 and is_final_noise(found.noise[0], kind)
    return whole and not needs_solver(found.value) and found.verdict.status is Status.PROVED


def _in_order(rules: Sequence[Rule], noise: Law) -> Sequence[Rule]:
    """Return the rules in the order in which they are tried: for a long formula those first that finish it."""
    return sorted(rules, key=lambda rule: not rule.finishing) if _length(noise) else rules


def _length(noise: Law) -> int:
    """Return the operations of a long log-density with parameters, an estimate for its generating function; else 0."""
    operations = int(sp.count_ops(noise.log_density)) if noise.parameters else 0
    return operations if operations > LONG else 0


def _with_certificates(found: list[Candidate], deadline: float) -> list[Candidate]:
    """Certify the best forms, where none is proved, until one succeeds: a certificate takes seconds."""
    for nth, form in enumerate(found[:CERTIFICATES]):
        if form.verdict or any(other.verdict for other in found) or cpu_seconds() > deadline:
            break
        found = [*found[:nth], form.certified(), *found[nth + 1 :]]
    return found


def _last_resorts(met: list[Candidate], rules: Sequence[Rule], kind: str, named: int) -> Iterator[Candidate]:
    """Yield the candidates that the last-resort rules give for the law, or for an open noise, until one is verified."""
    for state in _candidates_for_last_resort(met, kind) if rules else ():
        noise = next(n for n in state.noise if not is_final_noise(n, kind))
        for found in (f for rule in rules for f in apply_rule(state, noise, rule, kind, named)):
            yield found
            if found.verdict:
                return


def _candidates_for_last_resort(met: list[Candidate], kind: str) -> list[Candidate]:
    """Return the best candidates for last resorts: one with a single noise, and a composition with one open noise left.

    A density with a Bessel function K is rarely known to integrate to one, so there the composition comes first.
    """
    single = [state for state in met if len(state.steps) <= 1 and len(state.noise) == 1]
    several = [state for state in met if len(state.noise) > 1 and state.verdict and _count_open(state, kind) == 1]
    best = [min(states, key=_simplicity) for states in (single, several) if states]
    return best[::-1] if best and best[0].noise[0].log_density.has(sp.besselk) else best


def _count_open(state: Candidate, kind: str) -> int:
    return sum(not is_final_noise(n, kind) for n in state.noise)


def _simplicity(found: Candidate) -> tuple[int, int, int]:
    return sum(len(kernel(n).law.parameters) for n in found.noise), len(found.steps), cost(found.value)


def _state_key(found: Candidate, kind: str) -> Any:
    """Return a key that is equal for two ways to the same open kernel: they continue alike, and the cheaper came first."""
    open_laws = [n for n in found.noise if not is_final_noise(n, kind)]
    if not open_laws:
        names = {n.value: noise_symbol(n, 0, k) for k, n in enumerate(found.noise)}
        return found.value.xreplace(names), tuple(n.log_density.xreplace(names) for n in found.noise)
    return tuple((made.log_density, made.support) for made in (kernel(n).law for n in open_laws)), len(found.noise)


def _with_noise_symbol(state: Candidate, named: int) -> Candidate:
    """Return the state; for a law that needed no step, with a noise symbol of its own."""
    if state.steps or named:
        return state
    (law,) = state.noise
    eps = noise_symbol(law, 0, 0)
    return Candidate((law.substituted({law.value: eps}),), eps)


def _priority(found: Candidate, turn: int) -> tuple[int, int]:
    """Return the place in the queue: proved before certified before the rest, then by cost.

    Without steps the rank is 0: computing the verdict would integrate the law, which is needed only if it is its own noise.
    """
    piecewise = 20 if found.value.has(sp.Piecewise) else 0
    rank = {Status.PROVED: 0, Status.CERTIFIED: 1}.get(found.verdict.status, 2) if found.steps else 0
    ahead = max((_length(noise) for noise in found.noise), default=0)
    return (rank, cost(found.value) + piecewise + ahead + LATER * turn + SEVERAL * (len(found.noise) - 1))


def apply_rule(state: Candidate, noise: Law, rule: Rule, kind: str, named: int) -> Iterator[Candidate]:
    """Yield the candidate with one of its noises rewritten by a rule, in every way that is not refuted."""
    notify(rule.name, noise)
    made, charted = _charted_kernel(noise)
    for raw in rule(charted.law):
        trusted = not all(is_final_noise(n, kind) for n in raw.noise)
        judge = functools.partial(verify, charted.law, raw, noise_is_normalised=trusted)
        verdict = judge(certify=False, confirmed=False)  # the whole form is examined when it is complete
        if verdict.status is Status.REFUTED:
            continue
        names = {n.value: noise_symbol(n, named + len(state.steps), k) for k, n in enumerate(raw.noise)}
        rewrite = Rewrite(
            tuple(_restore_noise(n.substituted(names), charted, made, noise.conditions) for n in raw.noise),
            made.restored(charted.restored(raw.value)).xreplace(names),
        )
        if any(n.log_density == noise.log_density.xreplace({noise.value: n.value}) for n in rewrite.noise):
            continue

        def step(verdict: Verdict, rewrite: Rewrite = rewrite) -> Step:
            moved = verdict.about(charted.back, ()).about(made.arguments, region(noise))
            return Step(str(noise.value), rule.name, noise, rewrite, moved)

        others = tuple(n for n in state.noise if n is not noise)
        value = shorten_formula(state.value.xreplace({noise.value: rewrite.value}))
        later = (*state.later, lambda judge=judge, step=step: step(judge()))
        yield Candidate((*others, *rewrite.noise), value, (*state.steps, step(verdict)), later)


@functools.lru_cache(maxsize=256)
def _charted_kernel(noise: Law) -> tuple[Kernel, Chart]:
    """Return the kernel of a noise and its chart, in which the rules read it."""
    made = kernel(noise)
    return made, chart(made.law)


def _restore_noise(law: Law, charted: Chart, made: Kernel, conditions: tuple[Any, ...]) -> Law:
    """Return a noise in the parameters of the rewritten law, with the conditions on those parameters that it keeps."""
    noise = charted.restored_law(law).substituted(made.arguments)
    known = tuple(c for c in conditions if atoms(c) <= set(noise.parameters))
    return replace(noise, conditions=tuple(dict.fromkeys((*noise.conditions, *known))))


def noise_symbol(law: Law, depth: int, number: int) -> sp.Symbol:
    """Return a symbol for an intermediate noise of the search."""
    return sp.Symbol(f"eps_{depth}_{number}", **value_symbol(law).assumptions0)
