"""An adversary that does not stop: claims that are false or true by construction, and what symaux says of them.

    PYTHONPATH=.:tests python -m fuzz.claims --false 2000 --true 2000 --seed 0 [--file claims.jsonl]  # resumes

Counts answers by class and lists every false claim that is PROVED or CERTIFIED, every true one that is REFUTED or refused, and
every crash. The seed, the class and the number of a claim make it again: ``claim("fold", 7, seed=0)``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.records import recorded

from fuzz import false_claims, false_files, false_maps, true_claims
from fuzz.claim import ACCEPTED, CONDEMNED, CRASH, Claim

FALSE: dict[str, Callable[[random.Random], Claim]] = {
    **false_claims.CLASSES,
    **false_maps.CLASSES,
    **false_files.CLASSES,
}
TRUE: dict[str, Callable[[random.Random], Claim]] = true_claims.CLASSES
SECONDS = 60.0
ATTEMPTS = 20  # draws of one claim until its oracle confirms it


def claim(kind: str, number: int, seed: int = 0) -> tuple[Claim, int]:
    """Return a claim whose oracle says what its class says, and how many draws were discarded on the way."""
    make = {**FALSE, **TRUE}[kind]
    for attempt in range(ATTEMPTS):
        made = make(random.Random(f"{seed}:{kind}:{number}:{attempt}"))
        if made.confirmed():
            return made, attempt
    raise AssertionError(f"{kind} {number}: {ATTEMPTS} draws, and the oracle confirmed none")


def examined(truth: bool, kind: str, number: int, seed: int = 0, seconds: float = SECONDS) -> dict[str, Any]:
    """Return the record of one claim."""
    made, discarded = claim(kind, number, seed)
    start = time.process_time()
    status, detail = made.judged(seconds)
    return {
        "truth": truth, "kind": kind, "number": number, "seed": seed, "status": status, "small": bool(made.small),
        "why": made.why, "text": made.text, "detail": detail, "discarded": discarded,
        "seconds": round(time.process_time() - start, 2),
    }  # fmt: skip


def planned(false: int, true: int) -> Iterator[tuple[bool, str, int]]:
    """Yield truth, class and number, one class after the other in turn, so that a part of a run has seen them all."""
    for k in range(max(false, true)):
        if k < false:
            yield False, list(FALSE)[k % len(FALSE)], k // len(FALSE)
        if k < true:
            yield True, list(TRUE)[k % len(TRUE)], k // len(TRUE)


def run(
    false: int, true: int, seed: int = 0, seconds: float = SECONDS, done: Iterable[Any] = ()
) -> Iterator[dict[str, Any]]:
    known = set(done)
    for truth, kind, number in planned(false, true):
        if (truth, kind, number) not in known:
            yield examined(truth, kind, number, seed, seconds)


@dataclass
class Tally:
    """What became of the claims."""

    records: list[dict[str, Any]] = field(default_factory=list)

    def of(self, truth: bool) -> list[dict[str, Any]]:
        return [r for r in self.records if r["truth"] is truth]

    @property
    def believed(self) -> list[dict[str, Any]]:
        """False claims that were proved or certified."""
        return [r for r in self.of(False) if r["status"] in ACCEPTED]

    @property
    def condemned(self) -> list[dict[str, Any]]:
        """True claims that were refuted or refused."""
        return [r for r in self.of(True) if r["status"] in CONDEMNED]

    @property
    def crashes(self) -> list[dict[str, Any]]:
        return [r for r in self.records if r["status"] == CRASH]

    @property
    def small(self) -> float:
        """The share of false claims that are off by 1e-6 or less, or on an interval of 1e-3 or less."""
        return sum(r["small"] for r in self.of(False)) / max(1, len(self.of(False)))

    def shares(self) -> dict[str, tuple[int, int]]:
        """Return how many of each true class were proved or certified, and of how many."""
        kinds = Counter(r["kind"] for r in self.of(True))
        good = Counter(r["kind"] for r in self.of(True) if r["status"] in ACCEPTED)
        return {kind: (good[kind], kinds[kind]) for kind in kinds}

    def table(self) -> str:
        lines = []
        for truth, word in ((False, "false"), (True, "true")):
            counts = Counter((r["kind"], r["status"]) for r in self.of(truth))
            kinds, answers = sorted({k for k, _ in counts}), sorted({a for _, a in counts})
            lines.append(f"{word + ' claims':20}" + "".join(f"{a:>13}" for a in answers))
            lines += [f"{kind:20}" + "".join(f"{counts[kind, a] or '':>13}" for a in answers) for kind in kinds]
        lines.append(
            f"{len(self.of(False))} false claims, {100 * self.small:.0f} % small: {len(self.believed)} believed;"
            f" {len(self.of(True))} true claims: {len(self.condemned)} condemned; {len(self.crashes)} crashes;"
            f" {sum(r['discarded'] for r in self.records)} draws discarded by their oracles"
        )
        return "\n".join(lines)


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--false", type=int, default=2_000)
    reader.add_argument("--true", type=int, default=2_000)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--seconds", type=float, default=SECONDS)
    reader.add_argument("--file", default="claims.jsonl")
    given = reader.parse_args()
    path = Path(given.file)
    before = [r for r in recorded(path) if r["seed"] == given.seed]
    with path.open("a") as out:
        for record in run(
            given.false, given.true, given.seed, given.seconds, ((r["truth"], r["kind"], r["number"]) for r in before)
        ):
            out.write(json.dumps(record) + "\n")
            out.flush()
    tally = Tally([r for r in recorded(path) if r["seed"] == given.seed])
    print(tally.table())
    for each in (*tally.believed, *tally.condemned, *tally.crashes):
        print(f"\n{each['kind']} {each['number']}: {each['status']}; {each['why']}\n{each['text']}\n{each['detail']}")
    return int(bool(tally.believed or tally.condemned or tally.crashes))


if __name__ == "__main__":
    sys.exit(main())
