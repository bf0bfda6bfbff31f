"""Mutation testing of the evidence: true claims, changed a little, must not pass; the table says what caught each.

    PYTHONPATH=.:tests python -m fuzz.mutants [COUNT] [--seed 0] [--workers 2] [--file mutants.jsonl]  # resumes

A mutant that preserves the law (mu - s*eps) is told apart by an independent distribution function: P(g(eps) <= z) by
the noise's and the law's own integrals (mpmath quadrature, no change of variables), at several z and parameters. Such
a mutant must not be REFUTED; of the others none may be PROVED or CERTIFIED.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import sympy as sp
from corpus.records import recorded
from support.twins import TWINS, S, Twin

from fuzz import mutant_oracle
from symaux.formulas.symbols.support import Interval
from symaux.laws.law import Law
from symaux.proof.verify import verify
from symaux.rules.rule import Rewrite
from symaux.rules.verdict import Status, Verdict

UNMUTATED = "unmutated"
MAYBE = ("sign in g", "rate for scale in g", "swapped parameters in g")  # kinds of which many preserve the law


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


def _changed(formula: sp.Expr, rng: random.Random, change: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """One part of the formula changed, everywhere it stands."""
    parts = {e for e in sp.preorder_traversal(formula) if isinstance(e, sp.Expr) and not isinstance(e, sp.Piecewise)}
    part = rng.choice(sorted(parts, key=str))
    return formula.xreplace({part: change(part)})


Made = tuple[str, bool, Twin]


def _generating(twin: Twin, rng: random.Random) -> Iterator[Made]:
    law, noise, g = twin
    off, tiny = _size(rng)
    symbols = sorted(g.free_symbols, key=str)
    one, other = rng.choice(symbols), rng.choice(symbols)
    yield "factor in g", tiny, (law, noise, _changed(g, rng, lambda e: e * (1 + off)))
    yield "term in g", tiny, (law, noise, _changed(g, rng, lambda e: e + off))
    yield "sign in g", False, (law, noise, _changed(g, rng, lambda e: -e))
    yield "parameter off in g", tiny, (law, noise, g.xreplace({one: one * (1 + off)}))
    yield "rate for scale in g", False, (law, noise, g.xreplace({S: 1 / S}))
    yield "power in g", tiny, (law, noise, g.xreplace({one: one * (1 + off * one**2)}))
    if {one, other} <= set(law.parameters):
        yield "swapped parameters in g", False, (law, noise, g.xreplace({one: other, other: one}))
    if isinstance(g, sp.Add):
        yield "missing term in g", False, (law, noise, g - rng.choice(g.args))


def _of_the_law(twin: Twin, rng: random.Random) -> Iterator[Made]:
    law, noise, g = twin
    off, tiny = _size(rng)

    def written(log_density: sp.Expr) -> Twin:
        return Law(law.value, log_density, law.support, law.conditions), noise, g

    yield "mass of the law", tiny, written(law.log_density + sp.log(1 + abs(off)))
    yield "factor in the law", tiny, written(_changed(law.log_density, rng, lambda e: e * (1 + off)))
    yield "missing term in the law", False, written(law.log_density - rng.choice(law.log_density.as_ordered_terms()))
    yield "Jacobian left out", tiny, written(law.log_density.xreplace({law.value: law.value * (1 + off)}))
    moved = _moved(law, off, rng)
    if moved is not None:
        yield "support of the law", tiny, (moved, noise, g)


def _of_the_noise(twin: Twin, rng: random.Random) -> Iterator[Made]:
    law, noises, g = twin
    off, tiny = _size(rng)
    number = rng.randrange(len(noises))
    noise = noises[number]

    def among(changed: Law) -> Twin:
        return law, (*noises[:number], changed, *noises[number + 1 :]), g

    yield "tilted noise", tiny, among(replace(noise, log_density=noise.log_density + off * noise.value, spelling=None))
    yield (
        "factor in the noise",
        tiny,
        among(replace(noise, log_density=_changed(noise.log_density, rng, lambda e: e * (1 + off)), spelling=None)),
    )
    moved = _moved(noise, off, rng)
    if moved is not None:
        yield "support of the noise", tiny, among(moved)


def _moved(law: Law, off: sp.Rational, rng: random.Random) -> Law | None:
    """The law with one finite end of its support moved."""
    assert isinstance(law.support, Interval)
    ends = [law.support.lower, law.support.upper]
    finite = [k for k in (0, 1) if ends[k].is_finite]
    if not finite:
        return None
    which = rng.choice(finite)
    ends[which] = ends[which] + off
    return replace(law, support=Interval(*ends), spelling=None)


def mutants(count: int, seed: int = 0) -> Iterator[Mutant]:
    """As many mutants as asked for, in a fixed order; a change that changes nothing is left out."""
    rng, made = random.Random(seed), 0
    while made < count:
        name = rng.choice(sorted(TWINS))
        twin = TWINS[name]
        family = rng.choice((_generating, _generating, _of_the_law, _of_the_noise))
        kind, tiny, claim = rng.choice(list(family(twin, rng)))
        if claim == twin or claim[2].has(sp.nan, sp.zoo, sp.I) or not all(claim[2].has(n.value) for n in claim[1]):
            continue
        made += 1
        yield Mutant(name, kind, tiny, claim)


def judged(claim: Twin) -> Verdict:
    return verify(claim[0], Rewrite(claim[1], claim[2]))


def examined(number: int, mutant: Mutant) -> dict[str, Any]:
    """What became of a mutant, as plain data."""
    began = time.monotonic()
    verdict = judged(mutant.claim)
    asked = mutant.kind != UNMUTATED and (verdict.status is not Status.REFUTED or mutant.kind in MAYBE)
    return {
        "number": number,
        "twin": mutant.twin,
        "kind": mutant.kind,
        "tiny": mutant.tiny,
        "status": verdict.status.name,
        "caught": caught(verdict),
        "keeps": mutant_oracle.preserves(mutant.claim, mutant.tiny) if asked else False,
        "witness": bool(verdict.witness),
        "seconds": round(time.monotonic() - began, 2),
        "claim": ""
        if verdict.status is Status.REFUTED
        else f"{mutant.claim[2]} from {mutant.claim[1]} for {mutant.claim[0]}",
        "evidence": "" if verdict.status is Status.REFUTED else "; ".join(verdict.evidence),
    }


HOW = {
    "log-densities differ": "residual",
    "leaves the support": "support",
    "g is not a real number": "not real",
    "no real density": "not real",
    "turns back": "branches",
    "the mass": "distribution",
    "integrates to": "mass",
    "ball arithmetic": "balls",
    "density of g": "pushforward",
    "improper": "improper",
}


def caught(verdict: Verdict) -> str:
    """Which check refuted a mutant."""
    if verdict.status is not Status.REFUTED:
        return verdict.status.name.lower()
    return next((word for phrase, word in HOW.items() if phrase in verdict.evidence[0]), verdict.evidence[0][:30])


@dataclass
class Tally:
    """What became of the mutants, and of the claims that they were made from."""

    everything: list[dict[str, Any]] = field(default_factory=list)

    @property
    def records(self) -> list[dict[str, Any]]:
        return [r for r in self.everything if r["kind"] != UNMUTATED]

    @property
    def twins(self) -> list[dict[str, Any]]:
        return [r for r in self.everything if r["kind"] == UNMUTATED]

    @property
    def untrue(self) -> list[dict[str, Any]]:
        """Unmutated claims that were not seen to be true."""
        return [r for r in self.twins if r["status"] not in ("PROVED", "CERTIFIED")]

    @property
    def silent(self) -> list[dict[str, Any]]:
        return [r for r in self.records if r["status"] in ("PROVED", "CERTIFIED") and not r["keeps"]]

    @property
    def condemned(self) -> list[dict[str, Any]]:
        return [r for r in self.records if r["status"] == "REFUTED" and r["keeps"]]

    @property
    def tiny(self) -> int:
        return sum(r["tiny"] for r in self.records)

    @property
    def preserved(self) -> int:
        return sum(bool(r["keeps"]) for r in self.records)

    @property
    def refuted(self) -> int:
        return sum(r["status"] == "REFUTED" and r["witness"] and not r["keeps"] for r in self.records)

    def table(self) -> str:
        counts = Counter((r["kind"], "preserved" if r["keeps"] else r["caught"]) for r in self.records)
        kinds, words = (sorted({key[side] for key in counts}) for side in (0, 1))
        head = f"{'mutation':26}" + "".join(f"{word:>14}" for word in words)
        rows = [f"{kind:26}" + "".join(f"{counts[kind, word] or '':>14}" for word in words) for kind in kinds]
        wrong = len(self.records) - self.preserved
        last = (
            f"{len(self.records)} mutants of {len({r['twin'] for r in self.records})} claims, {self.tiny} no larger than 1e-6;"
            f" {self.preserved} keep the law; {self.refuted} of {wrong} others refuted with a witness"
            f" ({100 * self.refuted / max(1, wrong):.1f} %)"
        )
        true = len(self.twins) - len(self.untrue)
        same = f"unmutated claims that are proved or certified in the same run: {true} of {len(self.twins)}"
        return "\n".join([head, *rows, last, f"silent acceptances: {len(self.silent)}", same])


def run(count: int, seed: int = 0, done: Iterable[int] = (), part: int = 0, parts: int = 1) -> Iterator[dict[str, Any]]:
    """Judges the claims and the mutants of one share that are not done yet; claims have negative numbers."""
    known = set(done)
    for number, (name, twin) in enumerate(TWINS.items(), 1):
        if number % parts == part and -number not in known:
            yield examined(-number, Mutant(name, UNMUTATED, False, twin))
    for number, mutant in enumerate(mutants(count, seed)):
        if number % parts == part and number not in known:
            yield examined(number, mutant)


def _share(count: int, seed: int, file: str, part: int, parts: int) -> None:
    done = [r["number"] for r in recorded(Path(file))]
    for record in run(count, seed, done, part, parts):
        with open(file, "a") as out:
            out.write(json.dumps(record) + "\n")


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("count", type=int, nargs="?", default=2_000)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--workers", type=int, default=2)
    reader.add_argument("--file", default="mutants.jsonl")
    given = reader.parse_args()
    spawn = multiprocessing.get_context("spawn")
    shares = [
        spawn.Process(target=_share, args=(given.count, given.seed, given.file, part, given.workers))
        for part in range(given.workers)
    ]
    for share in shares:
        share.start()
    while any(share.is_alive() for share in shares):
        time.sleep(5)
        print(f"\r{len(recorded(Path(given.file)))} of {given.count}", end="", file=sys.stderr, flush=True)
    tally = Tally([r for r in recorded(Path(given.file)) if r["number"] < given.count])
    print("\n" + tally.table())
    for each in (*tally.silent, *tally.condemned, *tally.untrue):
        print(each)
    return int(bool(tally.silent or tally.condemned or tally.untrue or any(share.exitcode for share in shares)))


if __name__ == "__main__":
    sys.exit(main())
