r"""The search for generating functions: rules applied to a law, then to its noise, until the noise is as wanted.

Cheapest first: what is open is ordered by how simple its generating function is so far, so the first complete form is
the best one. Every step is verified before it is built upon, by code that knows nothing of the rule.
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

from symaux.derivation.candidate import Found, complete, cost, iterates
from symaux.formulas.functions.elementary import directed
from symaux.formulas.numeric.points import evaluate, points
from symaux.formulas.symbols.support import REALS
from symaux.laws.densities.charts import Chart, chart, region, taken_for_granted
from symaux.laws.densities.tidy import neat
from symaux.laws.kernel import Kernel, atoms, kernel, value_symbol
from symaux.laws.law import Law
from symaux.progress import tell
from symaux.proof.verify import verify
from symaux.rules.derivation import Step
from symaux.rules.rule import Rewrite, Rule
from symaux.rules.verdict import Status, Verdict
from symaux.sandbox import spent

KINDS = ("auto", "normal", "uniform")
EXPANSIONS, SECONDS = 60, 30.0  # of processor time
SEVERAL = 20  # one noise before several, unless its formula is that much longer
CERTIFICATES = 2
LONG = 25  # operations of a log-density: not one of those that have a name
LATER = 6  # a rule that stands later in the order is tried once forms of this many more operations are open


def searched(law: Law, rules: Sequence[Rule], kind: str, depth: int) -> Iterator[Found]:
    """Complete forms of a kernel, best first; those that are not proved come last.

    Normal noise is asked for so that nothing is bounded: noise on the whole real line stays as it is, any other goes
    through its quantile function and the normal distribution function.
    """
    if kind != "normal":
        yield from _best_first(Found((law,), law.value), rules, kind, depth)
        return
    for found in _best_first(Found((law,), law.value), rules, "auto", depth):
        unbounded = on_the_real_line(found, law, rules, depth)
        if unbounded is not None:
            yield unbounded


def on_the_real_line(found: Found, law: Law, rules: Sequence[Rule], depth: int) -> Found | None:
    """Return the form with every noise that is bounded put through its quantile function and the normal one."""
    for noise in found.noise:
        if noise.support == REALS:
            continue
        others = tuple(n for n in found.noise if n is not noise)
        through = next(_best_first(Found((noise,), noise.value), rules, "uniform", depth, len(found.steps)), None)
        if through is None:
            return None
        found = _continued(found, noise, through, others)
        for uniform in through.noise:
            others = tuple(n for n in found.noise if n is not uniform)
            ends = _best_first(Found((uniform,), uniform.value), rules, "normal", 1, len(found.steps))
            made = [_continued(found, uniform, end, others) for end in ends if len(end.noise) == 1]
            if not made:
                return None
            found = next((form for form in made if _increases(form, law)), made[0])
    return found


def _continued(found: Found, noise: Law, then: Found, others: tuple[Law, ...]) -> Found:
    value = neat(found.value.xreplace({noise.value: then.value}))
    return Found((*others, *then.noise), value, (*found.steps, *then.steps), (*found.later, *then.later))


def _increases(found: Found, law: Law) -> bool:
    """Return whether g was seen to increase in its last noise."""
    eps, conditions = found.noise[-1].value, [formula > 0 for formula in taken_for_granted(law)]
    for point in points(found.value.free_symbols - {eps}, conditions=conditions, seed=2, count=1):
        low, high = (evaluate(directed(found.value), point | {eps: at}) for at in (sp.S.Zero, sp.S.Half))
        return low is not None and high is not None and mp.re(high) > mp.re(low)
    return False


def _best_first(start: Found, rules: Sequence[Rule], kind: str, depth: int, named: int = 0) -> Iterator[Found]:
    tickets, deadline = itertools.count(), spent() + SECONDS
    heap: list[tuple[Any, int, Found, int]] = [(_priority(start, 0), next(tickets), start, 0)]
    doubtful: list[Found] = []
    met: list[Found] = []
    seen: set[Any] = set()
    rules, last = [r for r in rules if not r.last], [r for r in rules if r.last]
    answered, longest = False, depth
    expansions = EXPANSIONS * (len(rules) + 1)
    while heap:
        _, _, state, turn = heapq.heappop(heap)
        open_noise = next((n for n in state.noise if not complete(n, kind)), None)
        if open_noise is None:
            if state.verdict:
                answered, paused = True, spent()
                yield _named(state, named)
                deadline += spent() - paused  # what the caller does meanwhile does not count
            else:
                doubtful.append(state)
            continue
        expansions -= 1
        if expansions < 0 or spent() > deadline:
            continue  # what is complete is still handed out
        if turn == 0:
            met.append(state)
        if len(state.steps) >= depth or len(state.steps) > longest or not rules:
            continue
        if turn + 1 < len(rules):
            heapq.heappush(heap, (_priority(state, turn + 1), next(tickets), state, turn + 1))
        for found in applied(state, open_noise, _in_turn(rules, open_noise)[turn], kind, named):
            key = _reached(found, kind)
            if key not in seen:
                seen.add(key)
                if _is_plain(found, kind):
                    longest = min(longest, len(found.steps))  # a longer way would not lead to a plainer form
                heapq.heappush(heap, (_priority(found, 0), next(tickets), found, 0))
    if not answered:
        doubtful += _last_resorts(met, last, kind, named)
        doubtful = _with_certificates(sorted(doubtful, key=lambda found: found.order), deadline)
    yield from sorted(doubtful, key=lambda found: found.order)


def _is_plain(found: Found, kind: str) -> bool:
    """Return whether a form is complete, proved and one formula in elementary functions of one noise."""
    whole = len(found.noise) == 1 and complete(found.noise[0], kind)
    return whole and not iterates(found.value) and found.verdict.status is Status.PROVED


def _in_turn(rules: Sequence[Rule], noise: Law) -> Sequence[Rule]:
    """Return the rules in the order in which a law is given to them: a long formula to those first that finish it."""
    return sorted(rules, key=lambda rule: not rule.finishing) if _length(noise) else rules


def _length(noise: Law) -> int:
    """Return the operations of a long log-density with parameters, which its generating function will hardly exceed."""
    operations = int(sp.count_ops(noise.log_density)) if noise.parameters else 0
    return operations if operations > LONG else 0


def _with_certificates(found: list[Found], deadline: float) -> list[Found]:
    """Certificates take seconds each: for the best forms, where none is proved, until one is certified."""
    for nth, form in enumerate(found[:CERTIFICATES]):
        if form.verdict or any(other.verdict for other in found) or spent() > deadline:
            break
        found = [*found[:nth], form.certified(), *found[nth + 1 :]]
    return found


def _last_resorts(met: list[Found], rules: Sequence[Rule], kind: str, named: int) -> Iterator[Found]:
    """What the last rules make of the law, or of the noise that is still open, until one form is proved."""
    for state in _near(met, kind) if rules else ():
        noise = next(n for n in state.noise if not complete(n, kind))
        for found in (f for rule in rules for f in applied(state, noise, rule, kind, named)):
            yield found
            if found.verdict:
                return


def _near(met: list[Found], kind: str) -> list[Found]:
    """Return the one noise of at most one step with the fewest parameters, and the last open noise of a composition.

    A density with a Bessel function K is rarely known to integrate to one, so there the composition comes first.
    """
    single = [state for state in met if len(state.steps) <= 1 and len(state.noise) == 1]
    several = [state for state in met if len(state.noise) > 1 and state.verdict and _open(state, kind) == 1]
    best = [min(states, key=_simplicity) for states in (single, several) if states]
    return best[::-1] if best and best[0].noise[0].log_density.has(sp.besselk) else best


def _open(state: Found, kind: str) -> int:
    return sum(not complete(n, kind) for n in state.noise)


def _simplicity(found: Found) -> tuple[int, int, int]:
    return sum(len(kernel(n).law.parameters) for n in found.noise), len(found.steps), cost(found.value)


def _reached(found: Found, kind: str) -> Any:
    """Where a state stands: two ways to the same open kernel lead on alike, and the cheaper one came first."""
    open_laws = [n for n in found.noise if not complete(n, kind)]
    if not open_laws:
        names = {n.value: noise_symbol(n, 0, k) for k, n in enumerate(found.noise)}
        return found.value.xreplace(names), tuple(n.log_density.xreplace(names) for n in found.noise)
    return tuple((made.log_density, made.support) for made in (kernel(n).law for n in open_laws)), len(found.noise)


def _named(state: Found, named: int) -> Found:
    """Return a law that needed no step gets a noise symbol of its own."""
    if state.steps or named:
        return state
    (law,) = state.noise
    eps = noise_symbol(law, 0, 0)
    return Found((law.substituted({law.value: eps}),), eps)


def _priority(found: Found, turn: int) -> tuple[int, int]:
    """Proved before certified before the rest, then by cost; whether a law itself is one is asked only if it is noise."""
    piecewise = 20 if found.value.has(sp.Piecewise) else 0
    rank = {Status.PROVED: 0, Status.CERTIFIED: 1}.get(found.verdict.status, 2) if found.steps else 0
    ahead = max((_length(noise) for noise in found.noise), default=0)
    return (rank, cost(found.value) + piecewise + ahead + LATER * turn + SEVERAL * (len(found.noise) - 1))


def applied(state: Found, noise: Law, rule: Rule, kind: str, named: int) -> Iterator[Found]:
    """Yield the state with one of its noises rewritten by a rule, in every way that is not refuted."""
    tell(rule.name, noise)
    made, charted = _prepared(noise)
    for raw in rule(charted.law):
        trusted = not all(complete(n, kind) for n in raw.noise)
        judge = functools.partial(verify, charted.law, raw, noise_is_normalised=trusted)
        verdict = judge(certify=False)
        if verdict.status is Status.REFUTED:
            continue
        names = {n.value: noise_symbol(n, named + len(state.steps), k) for k, n in enumerate(raw.noise)}
        rewrite = Rewrite(
            tuple(_back(n.substituted(names), charted, made, noise.conditions) for n in raw.noise),
            made.restored(charted.restored(raw.value)).xreplace(names),
        )
        if any(n.log_density == noise.log_density.xreplace({noise.value: n.value}) for n in rewrite.noise):
            continue

        def step(verdict: Verdict, rewrite: Rewrite = rewrite) -> Step:
            moved = verdict.about(charted.back, ()).about(made.arguments, region(noise))
            return Step(str(noise.value), rule.name, noise, rewrite, moved)

        others = tuple(n for n in state.noise if n is not noise)
        value = neat(state.value.xreplace({noise.value: rewrite.value}))
        later = (*state.later, lambda judge=judge, step=step: step(judge()))
        yield Found((*others, *rewrite.noise), value, (*state.steps, step(verdict)), later)


@functools.lru_cache(maxsize=256)
def _prepared(noise: Law) -> tuple[Kernel, Chart]:
    """Return the kernel of a noise, which every rule is asked about, in its chart."""
    made = kernel(noise)
    return made, chart(made.law)


def _back(law: Law, charted: Chart, made: Kernel, conditions: tuple[Any, ...]) -> Law:
    """Return a noise in the parameters of the law that was rewritten, with what is known of those that it keeps."""
    noise = charted.restored_law(law).substituted(made.arguments)
    known = tuple(c for c in conditions if atoms(c) <= set(noise.parameters))
    return replace(noise, conditions=tuple(dict.fromkeys((*noise.conditions, *known))))


def noise_symbol(law: Law, depth: int, number: int) -> sp.Symbol:
    """Return a name for a noise that is met during the search."""
    return sp.Symbol(f"eps_{depth}_{number}", **value_symbol(law).assumptions0)
