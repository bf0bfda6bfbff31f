"""Define ``Verdict``, the evidence that a rewrite preserves a law. It is true only if the two laws are known to be equal.

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
MOST_POINTS = 12  # that are kept when the certificates of several steps are combined


class Status(Enum):
    """The kinds of evidence, strongest first; the value of a member is the sentence that a person reads."""

    PROVED = "proved: the two laws are equal for all parameters in the region"
    CERTIFIED = "certified: rigorous bounds show that the two laws are equal at the stated parameters"
    APPROXIMATE = "approximate: the distance between the two laws is bounded by proof, and is not zero"
    SAMPLED = "sampled: no difference was found at the points that were tried"
    UNDECIDED = "undecided: no method gave an answer"
    REFUTED = "refuted: a witness shows that the two laws differ"

    @property
    def strength(self) -> int:
        """Return a number that is larger for stronger evidence."""
        return -list(Status).index(self)


@dataclass(frozen=True)
class Verdict:
    """A status, its evidence, the region of parameters that it covers and, for REFUTED, the witness.

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
        """Return the verdict as plain data, for JSON."""
        return {
            "status": self.status.name,
            "evidence": list(self.evidence),
            "region": list(self.region),
            "witness": dict(self.witness),
        }

    def about(self, mapping: Mapping[Any, Any], region: tuple[str, ...]) -> Verdict:
        """Return the verdict in other symbols; a certificate keeps only the points that its new parameters can attain.

        >>> import sympy as sp
        >>> a, b = sp.symbols("a b")
        >>> verdict = Verdict(Status.CERTIFIED, ("by balls",), points=(((a, sp.Integer(2)),), ((a, sp.Integer(3)),)))
        >>> verdict.about({a: 2 * b}, ()).region
        ('2*b = 2', '2*b = 3')
        >>> verdict.about({a: sp.Integer(4)}, ()).status.name
        'SAMPLED'
        """
        if not self.points:
            return replace(self, region=region)
        renamed = ([(formula.xreplace(dict(mapping)), value) for formula, value in point] for point in self.points)
        points = map(_without_trivial_equations, renamed)
        return self._at([point for point in points if point is not None], region)

    def _at(self, points: list[Point], region: tuple[str, ...]) -> Verdict:
        if not points:
            return Verdict(Status.SAMPLED, (ELSEWHERE, *self.evidence), region)
        if () in points:
            return replace(self, points=(), region=region)
        return replace(self, points=tuple(points), region=tuple(map(describe_point, points)))


def describe_point(point: Point) -> str:
    """Return a point of the parameters as text: ``a = 2, b = 3``."""
    return ", ".join(f"{formula} = {value}" for formula, value in point)


def _without_trivial_equations(pairs: list[tuple[Any, Any]]) -> Point | None:
    """Return the point without equations that always hold; None if its equations contradict each other, or may."""
    left: dict[Any, Any] = {}
    for formula, value in pairs:
        if (formula.is_number and formula != value) or left.get(formula, value) != value:
            return None
        if not formula.is_number:
            left[formula] = value
    symbols = {symbol for formula in left for symbol in formula.free_symbols}
    return None if len(left) > len(symbols) else tuple(left.items())


def weakest(*verdicts: Verdict) -> Verdict:
    """Return the verdict of a sequence of steps, that of its weakest; certificates combine where their points agree."""
    worst = min(verdicts, key=lambda v: v.status.strength)
    pointed = [v for v in verdicts if v.points]
    if worst.status is not Status.CERTIFIED or not pointed:
        return worst
    common: list[Point] = [()]
    for verdict in dict.fromkeys(pointed):
        pairs = (_without_trivial_equations([*one, *other]) for one in common for other in verdict.points)
        common = [point for point in dict.fromkeys(pairs) if point is not None][:MOST_POINTS]
    return worst._at(common, worst.region)
