"""A verdict: the evidence that a rewrite preserves a law. It is true only if the law is known to be the same.

>>> bool(Verdict(Status.PROVED)), bool(Verdict(Status.SAMPLED))
(True, False)
>>> weakest(Verdict(Status.PROVED), Verdict(Status.UNDECIDED, ("out of time",))).status.name
'UNDECIDED'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Status(Enum):
    """How far the evidence goes, strongest first; the value is the sentence a person reads."""

    PROVED = "proved: the two laws are equal for all parameters in the region"
    CERTIFIED = "certified: rigorous bounds show that the two laws are equal at the stated parameters"
    APPROXIMATE = "approximate: the distance between the two laws is bounded by proof, and is not zero"
    SAMPLED = "sampled: no difference was found at the points that were tried"
    UNDECIDED = "undecided: no method gave an answer"
    REFUTED = "refuted: a witness shows that the two laws differ"

    @property
    def strength(self) -> int:
        """Larger is stronger."""
        return -list(Status).index(self)


@dataclass(frozen=True)
class Verdict:
    """A status, what it rests on, the parameters that it covers, and for REFUTED the witness."""

    status: Status
    evidence: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    witness: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self.status in (Status.PROVED, Status.CERTIFIED)

    def __str__(self) -> str:
        lines = [self.status.value]
        if self.region:
            lines.append("  for " + ", ".join(self.region))
        lines += [f"  - {line}" for line in self.evidence]
        lines += [f"  witness: {name} = {value}" for name, value in self.witness]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "status": self.status.name,
            "evidence": list(self.evidence),
            "region": list(self.region),
            "witness": dict(self.witness),
        }


def weakest(*verdicts: Verdict) -> Verdict:
    """The verdict of a chain of steps: that of its weakest."""
    return min(verdicts, key=lambda v: v.status.strength)
