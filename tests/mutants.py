"""Mutation testing of the evidence: true claims, changed a little, must not pass; the table says what caught each.

    python tests/mutants.py [COUNT]     # the full run; ``tests/test_mutants.py`` makes a small one

A mutant that preserves the law (mu - s*eps) is told apart by an independent distribution function: P(g(eps) <= z) by
the noise's and the law's own integrals (mpmath quadrature, no change of variables), at several z and parameters. Such
a mutant must not be REFUTED; of the others none may be PROVED or CERTIFIED.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mpmath as mp
import sympy as sp

from symaux import families as f
from symaux.functions import ndtri
from symaux.laws import Law
from symaux.numeric import exponential, real
from symaux.points import points
from symaux.proof import verify
from symaux.rewrite import Rewrite
from symaux.support import Interval
from symaux.verdict import Status, Verdict

Z, E, M = sp.symbols("z e m", real=True)
X, U, S, K, W = sp.symbols("x u s k w", positive=True)
UNIFORM, NORMAL, UNIT = f.uniform(U, 0, 1), f.normal(E, 0, 1), f.exponential(W, 1)
HALF = sp.Rational(1, 2)

Twin = tuple[Law, Law, sp.Expr]
TWINS: dict[str, Twin] = {
    "normal": (f.normal(Z, M, S), NORMAL, M + S * E),
    "normal from a uniform": (f.normal(Z, M, S), UNIFORM, M + S * ndtri(U)),
    "log_normal": (f.log_normal(X, M, S), NORMAL, sp.exp(M + S * E)),
    "cauchy": (f.cauchy(Z, M, S), UNIFORM, M + S * sp.tan(sp.pi * (U - HALF))),
    "logistic": (f.logistic(Z, M, S), UNIFORM, M + S * (sp.log(U) - sp.log(1 - U))),
    "gumbel": (f.gumbel(Z, M, S), UNIFORM, M - S * sp.log(-sp.log(U))),
    "exponential": (f.exponential(X, S), UNIT, W / S),
    "weibull": (f.weibull(X, K, S), UNIT, S * W ** (1 / K)),
    "pareto": (f.pareto(X, S, K), UNIFORM, S * U ** (-1 / K)),
    "frechet": (f.frechet(X, K, S), UNIT, S * W ** (-1 / K)),
    "rayleigh": (f.rayleigh(X, S), UNIT, S * sp.sqrt(2 * W)),
    "kumaraswamy": (f.kumaraswamy(X, S, K), UNIFORM, (1 - U ** (1 / K)) ** (1 / S)),
}


@dataclass(frozen=True)
class Mutant:
    """A claim and how it was made from a true one; ``tiny`` if the change is no larger than 1e-6."""

    twin: str
    kind: str
    tiny: bool
    claim: Twin


def _size(rng: random.Random) -> tuple[sp.Rational, bool]:
    """A relative change: one in four is no larger than 1e-6."""
    tiny = rng.random() < 0.25
    exponent = rng.choice((6, 7, 8, 9)) if tiny else rng.choice((1, 2, 3, 4))
    return sp.Rational(rng.randint(1, 9) if not tiny else 1, 10**exponent) * rng.choice((1, -1)), tiny


def _node(formula: sp.Expr, rng: random.Random) -> sp.Expr:
    return rng.choice(sorted({e for e in sp.preorder_traversal(formula) if isinstance(e, sp.Expr)}, key=str))


def _numbers(formula: sp.Expr, rng: random.Random, change: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """One part of the formula changed, everywhere it stands."""
    part = _node(formula, rng)
    return formula.xreplace({part: change(part)})


def _generating(twin: Twin, rng: random.Random) -> Iterator[tuple[str, bool, Twin]]:
    law, noise, g = twin
    off, tiny = _size(rng)
    symbols = sorted(g.free_symbols, key=str)
    symbol = rng.choice(symbols)
    yield "factor in g", tiny, (law, noise, _numbers(g, rng, lambda e: e * (1 + off)))
    yield "term in g", tiny, (law, noise, _numbers(g, rng, lambda e: e + off))
    yield "sign in g", False, (law, noise, _numbers(g, rng, lambda e: -e))
    yield "parameter off in g", tiny, (law, noise, g.xreplace({symbol: symbol * (1 + off)}))
    yield "rate for scale in g", False, (law, noise, g.xreplace({S: 1 / S}))
    if isinstance(g, sp.Add):
        yield "missing term in g", False, (law, noise, g - rng.choice(g.args))


def _densities(twin: Twin, rng: random.Random) -> Iterator[tuple[str, bool, Twin]]:
    law, noise, g = twin
    off, tiny = _size(rng)
    heavier = Law(law.value, law.log_density + sp.log(1 + abs(off)), law.support)
    yield "mass of the law", tiny, (heavier, noise, g)
    bent = Law(law.value, _numbers(law.log_density, rng, lambda e: e * (1 + off)), law.support)
    yield "factor in the law", tiny, (bent, noise, g)
    terms = law.log_density.as_ordered_terms()
    shorter = Law(law.value, law.log_density - rng.choice(terms), law.support)
    yield "missing term in the law", False, (shorter, noise, g)
    tilted = Law(noise.value, noise.log_density + off * noise.value, noise.support)
    yield "tilted noise", tiny, (law, tilted, g)


def mutants(count: int, seed: int = 0) -> Iterator[Mutant]:
    """As many mutants as asked for, in a fixed order; a change that changes nothing is left out."""
    rng, made = random.Random(seed), 0
    while made < count:
        name = rng.choice(sorted(TWINS))
        makers = [*_generating(TWINS[name], rng), *_densities(TWINS[name], rng)]
        kind, tiny, claim = rng.choice(makers)
        if claim == TWINS[name] or not claim[2].has(claim[1].value) or claim[2].has(sp.nan, sp.zoo, sp.I):
            continue
        made += 1
        yield Mutant(name, kind, tiny, claim)


def judged(claim: Twin) -> Verdict:
    return verify(claim[0], Rewrite((claim[1],), claim[2]))


def preserves(claim: Twin) -> bool | None:
    """Whether P(g(eps) <= z) is the law's own distribution function: by quadrature on both sides; None if unclear."""
    law, noise, g = claim
    seen = []
    for point in points((g.free_symbols | law.log_density.free_symbols) - {law.value, noise.value}, seed=7, count=2):
        for e in (sp.Rational(3, 10), sp.Rational(7, 10)):
            level = e if noise.support == UNIFORM.support else sp.Rational(3, 2) * e
            z = real(g, {**point, noise.value: level})
            slope = real(g.diff(noise.value), {**point, noise.value: level})
            if z is None or not slope:
                return None
            below = _mass(noise, point, level, noise.support.lower if slope > 0 else noise.support.upper)
            law_below = _mass(law, point, z, law.support.lower)
            if below is None or law_below is None:
                return None
            seen.append(abs(abs(below) - law_below) < mp.mpf(10) ** -12)
    return all(seen) if seen else None


def _mass(law: Law, point: dict, upper: object, lower: sp.Expr) -> object:
    assert isinstance(law.support, Interval)
    low = {sp.oo: mp.inf, -sp.oo: -mp.inf}.get(lower)
    low = real(lower, point) if low is None else low
    with mp.workdps(20):
        high = mp.mpmathify(sp.N(upper, 25)) if isinstance(upper, sp.Basic) else upper
        middle = [m for m in map(mp.mpf, (-90, -30, -8, -3, -1, 0, 1, 3, 8, 30)) if min(low, high) < m < max(low, high)]
        ends = [low, *sorted(middle, reverse=bool(low > high)), high]
        total, error = mp.quad(lambda x: _height(law, point, x), ends, error=True, maxdegree=7)
        return total if error < mp.mpf(10) ** -12 else None


def _height(law: Law, point: dict, x: object) -> object:
    """The density; zero so far out that a part of the formula is beyond all bounds."""
    found = real(law.log_density, {**point, law.value: x})
    return mp.mpf(0) if found is None else exponential(found)


@dataclass
class Tally:
    """What became of the mutants."""

    caught: Counter
    silent: list[Mutant]
    condemned: list[Mutant]
    preserved: int = 0
    tiny: int = 0
    total: int = 0

    def table(self) -> str:
        kinds = sorted({kind for kind, _ in self.caught})
        words = [status.name for status in Status] + ["preserved"]
        head = f"{'mutation':26}" + "".join(f"{word:>12}" for word in words)
        rows = [f"{kind:26}" + "".join(f"{self.caught[kind, word]:12}" for word in words) for kind in kinds]
        killed = sum(n for (_, word), n in self.caught.items() if word == "REFUTED")
        wrong = self.total - self.preserved
        last = f"{self.total} mutants, {self.tiny} of them tiny, {self.preserved} keep the law; {killed} of {wrong} refuted"
        return "\n".join([head, *rows, last, f"silent acceptances: {len(self.silent)}"])


def run(count: int, seed: int = 0) -> Tally:
    """Judges the mutants, and tells those that keep the law apart."""
    tally = Tally(Counter(), [], [])
    for mutant in mutants(count, seed):
        verdict = judged(mutant.claim)
        tally.total, tally.tiny = tally.total + 1, tally.tiny + mutant.tiny
        keeps = verdict.status is not Status.REFUTED and preserves(mutant.claim)
        if verdict.status is Status.REFUTED and mutant.kind in ("sign in g", "rate for scale in g"):
            keeps = bool(preserves(mutant.claim))
            if keeps:
                tally.condemned.append(mutant)
        if verdict and not keeps:
            tally.silent.append(mutant)
        tally.preserved += bool(keeps)
        tally.caught[mutant.kind, "preserved" if keeps else verdict.status.name] += 1
    return tally


if __name__ == "__main__":
    done = run(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
    print(done.table())
    for each in (*done.silent, *done.condemned):
        print(each)
    sys.exit(bool(done.silent or done.condemned))
