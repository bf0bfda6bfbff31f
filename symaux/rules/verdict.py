"""A verdict: the evidence that a rewrite preserves a law. It is true only if the law is known to be the same.

>>> bool(Verdict(Status.PROVED)), bool(Verdict(Status.SAMPLED))
(True, False)
>>> weakest(Verdict(Status.PROVED), Verdict(Status.UNDECIDED, ("out of time",))).status.name
'UNDECIDED'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

Point = tuple[tuple[Any, Any], ...]  # formulas in the parameters, each with its value
ELSEWHERE = "certified at other parameters only, not at these"
JOINED = 12  # points that are kept when certificates of several steps are put together


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
    """A status, what it rests on, the parameters that it covers, and for REFUTED the witness.

    A certificate holds at its ``points``; without any it holds in the whole region.
    """

    status: Status
    evidence: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    witness: tuple[tuple[str, str], ...] = ()
    points: tuple[Point, ...] = ()

    def __bool__(self) -> bool:
        return self.status in (Status.PROVED, Status.CERTIFIED)

    def __str__(self) -> str:
        lines = [self.status.value]
        if self.region:
            lines.append("  for " + ("; or ".join(self.region) if self.points else ", ".join(self.region)))
        lines += [f"  - {line}" for line in self.evidence]
        lines += [f"  witness: {name} = {value}" for name, value in self.witness]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from symaux.show.display.explain import verdict_html

        return verdict_html(self)

    def _repr_latex_(self) -> str:
        from symaux.show.display.notebook import verdict_text

        return verdict_text(self)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "status": self.status.name,
            "evidence": list(self.evidence),
            "region": list(self.region),
            "witness": dict(self.witness),
        }

    def about(self, mapping: Mapping[Any, Any], region: tuple[str, ...]) -> Verdict:
        """Return the verdict in other symbols. A certificate is one only for those of its points that still say
        something.

        >>> import sympy as sp
        >>> a, b = sp.symbols("a b")
        >>> found = Verdict(Status.CERTIFIED, ("by balls",), points=(((a, sp.Integer(2)),), ((a, sp.Integer(3)),)))
        >>> found.about({a: 2 * b}, ()).region
        ('2*b = 2', '2*b = 3')
        >>> found.about({a: sp.Integer(4)}, ()).status.name
        'SAMPLED'
        """
        if not self.points:
            return replace(self, region=region)
        moved = [_settled([(formula.xreplace(dict(mapping)), value) for formula, value in p]) for p in self.points]
        return self._at([point for point in moved if point is not None], region)

    def _at(self, points: list[Point], region: tuple[str, ...]) -> Verdict:
        if not points:
            return Verdict(Status.SAMPLED, (ELSEWHERE, *self.evidence), region)
        if () in points:
            return replace(self, points=(), region=region)
        return replace(self, points=tuple(points), region=tuple(map(in_words, points)))


def in_words(point: Point) -> str:
    """Return a parameter point as a person reads it."""
    return ", ".join(f"{formula} = {value}" for formula, value in point)


def _settled(pairs: list[tuple[Any, Any]]) -> Point | None:
    """Return the point without what is true anyway; None if its equations exclude each other, or may."""
    left: dict[Any, Any] = {}
    for formula, value in pairs:
        if (formula.is_number and formula != value) or left.get(formula, value) != value:
            return None
        if not formula.is_number:
            left[formula] = value
    symbols = {symbol for formula in left for symbol in formula.free_symbols}
    return None if len(left) > len(symbols) else tuple(left.items())


def weakest(*verdicts: Verdict) -> Verdict:
    """Return the verdict of a chain of steps: that of its weakest; certificates hold together where their points
    agree."""
    found = min(verdicts, key=lambda v: v.status.strength)
    pointed = [v for v in verdicts if v.points]
    if found.status is not Status.CERTIFIED or not pointed:
        return found
    joined: list[Point] = [()]
    for verdict in dict.fromkeys(pointed):
        pairs = (_settled([*one, *other]) for one in joined for other in verdict.points)
        joined = [point for point in dict.fromkeys(pairs) if point is not None][:JOINED]
    return found._at(joined, found.region)
