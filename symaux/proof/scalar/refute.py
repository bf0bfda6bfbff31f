r"""Search for a witness against a claim, at 50 digits and at parameters that satisfy every assumption.

The density of $g(\varepsilon)$ at z is $\sum q(\varepsilon_k)/|g'(\varepsilon_k)|$ over all $\varepsilon_k$ with
$g(\varepsilon_k) = z$; where g is monotone there is one. A map that folds is judged by the sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.registry import QUANTILES, probability_argument
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point, inside, points
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.proof.scalar.claim import Claim
from symaux.proof.scalar.compiled_claim import Compiled, compile_claim
from symaux.proof.scalar.forward import Forward, W
from symaux.proof.scalar.imaginary import find_imaginary_part

DIGITS = 50
TOLERANCE = mp.mpf(10) ** -25
FRACTIONS = [sp.Rational(n, 97) for n in (1, 7, 19, 31, 43, 50, 59, 71, 83, 93, 96)]
FAR = [sp.Rational(1, 10**12), 1 - sp.Rational(1, 10**12)]  # near the ends of the noise
SLIGHT = mp.mpf(10) ** -30
GRID = [sp.Rational(2 * n + 1, 66) for n in range(33)]


@dataclass(frozen=True)
class Witness:
    """A point where the two laws differ."""

    reason: str
    at: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Search:
    """The result of a search: a witness, or how many points agreed; ``folded`` if g turned back somewhere."""

    witness: Witness | None
    agreed: int
    folded: bool = False


@dataclass(frozen=True)
class Sample:
    """A value of the noise, g there, the known values at that point, and the quantile that it was computed from."""

    e: Any
    z: Any
    known: Point
    way: Forward | None


class _Pole(Exception):
    """Raised where g has no value between two places that bracket a root."""


def search(claim: Claim, count: int = 4) -> Search:
    """Compare the law with the density of g(noise) at random points."""
    agreed, folded, functions = 0, False, compile_claim(claim)
    with mp.workdps(DIGITS):
        for where in points(claim.parameters, conditions=claim.law.conditions, seed=5, count=count):
            numeric = _Numeric(claim, functions, where)
            unreal = numeric.unreal()
            if unreal is not None:
                return Search(unreal, agreed, folded)
            turns = numeric.turns()
            folded = folded or turns
            for found in numeric.summed() if turns else numeric.residuals():
                if isinstance(found, Witness):
                    return Search(found, agreed, folded)
                agreed += found
    return Search(None, agreed, folded)


def _turns_back(values: list[Any]) -> bool:
    steps = [b - a for a, b in pairwise(values)]
    return any(s > 0 for s in steps) and any(s < 0 for s in steps)


@dataclass(frozen=True)
class _Numeric:
    """A claim at one point of its parameters."""

    claim: Claim
    functions: Compiled
    point: Point

    def sampled(self, fractions: list[Formula]) -> Iterator[Sample]:
        """Yield values of the noise in every branch of g, in order, with the known values there."""
        count, seen = len(self.functions.branches), []
        for nth, (where, way) in enumerate(self.functions.branches):
            for fraction in fractions[nth % len(fractions) :: count]:
                e, known = self._noise(where, way, fraction)
                if e is not None and (z := self.functions.g(e, known)) is not None:
                    seen.append(Sample(mp.mpmathify(sp.N(e, DIGITS)) if count > 1 else e, z, known, way))
        yield from sorted(seen, key=lambda sample: sample.e) if count > 1 else seen

    def _noise(self, where: Interval, way: Forward | None, fraction: Formula) -> tuple[Any, Point]:
        if way is None:
            return inside(where, self.point, fraction), self.point
        w = inside(way.start, self.point, fraction)
        e = None if w is None else real(way.noise, {**self.point, W: w})
        known: Any = {**self.point, way.node: w}
        return e, known

    def unreal(self) -> Witness | None:
        """Return a value of the noise at which g is not a real number, or one of a support where a law has no density."""
        e = self.claim.noise.value
        for law, named in ((self.claim.law, "law"), (self.claim.noise, "noise")):
            found = self._imaginary(law.log_density, law.value, law.support, low=True)
            if found is not None:
                reason = f"the {named} has no real density there: its logarithm has the imaginary part {found[1]}"
                return Witness(reason, found[0])
        beyond = self._beyond() if self.claim.value.has(*QUANTILES) else None
        if beyond is not None:
            return Witness(f"g is not a real number: it asks for the quantile at {beyond[1]}", beyond[0])
        if any(way is not None for _, way in self.functions.branches):
            return None  # starts from a quantile, and is slow the other way round
        found = self._imaginary(self.functions.value, e, self.claim.noise.support)
        return None if found is None else Witness(f"g is not a real number: its imaginary part is {found[1]}", found[0])

    def _imaginary(self, formula: Formula, variable: Formula, support: Any, low: bool = False) -> Any:
        """Return where a formula has an imaginary part at two precisions, and that part."""
        found = find_imaginary_part(formula, variable, support, self.point, (*FRACTIONS[::3], *FAR), low)
        if found is None:
            return None
        at = [(str(s), str(v)) for s, v in sorted(self.point.items(), key=str)]
        return (*at, (str(variable), str(sp.N(found[0], 17)))), found[1]

    def _beyond(self) -> Any:
        """Return where g asks for the quantile at a probability that is not between 0 and 1, and that probability."""
        for fraction in (*FRACTIONS[::3], *FAR):
            e = inside(self.claim.noise.support, self.point, fraction)
            here = {**self.point, self.claim.noise.value: e}
            for level in () if e is None else _levels(_with_holding_branches(self.claim.value, here)):
                p = real(level, here)
                if p is not None and (p < -SLIGHT or p > 1 + SLIGHT):
                    at = [(str(s), str(v)) for s, v in sorted(self.point.items(), key=str)]
                    return (*at, (str(self.claim.noise.value), str(sp.N(e, 17)))), mp.nstr(p, 15)
        return None

    def turns(self) -> bool:
        """Return whether g turns back between two values of the noise."""
        samples = list(self.sampled(GRID))
        return _turns_back([sample.z for sample in samples]) and _turns_back(list(self._settled(samples)))

    def _settled(self, samples: list[Sample]) -> Iterator[Any]:
        """Yield the values of g that three times the digits confirm: lost digits are not a turn."""
        with mp.workdps(3 * DIGITS):
            for sample in samples:
                z = self.functions.g(self._again(sample), sample.known)
                if z is not None and abs(z - sample.z) <= mp.mpf(10) ** -6 * (1 + abs(z)):
                    yield z

    def residuals(self) -> Iterator[Witness | int]:
        """Yield a witness, or 1 for a point that agrees and 0 for one without a value."""
        lower, upper = self.functions.ends(self.point)
        for sample in self.sampled(FRACTIONS):
            if self._outside(sample.z, lower, upper) and self._outside_still(sample):
                yield self._witness(f"g leaves the support {self.claim.law.support}", sample.e, sample.z)
                return
            yield self._judged(sample)

    def _outside(self, z: Any, lower: Any, upper: Any) -> bool:
        slack = TOLERANCE * (1 + abs(z))
        return bool(z < lower - slack or z > upper + slack)

    def _outside_still(self, sample: Sample) -> bool:
        """Return whether g leaves the support at three times the digits as well, at the same place."""
        with mp.workdps(3 * DIGITS):
            z = self.functions.g(self._again(sample), sample.known)
            if z is None or abs(z - sample.z) > mp.mpf(10) ** -6 * (1 + abs(z)):
                return False
            return self._outside(z, *self.functions.ends(self.point))

    def _judged(self, sample: Sample) -> Witness | int:
        small = _difference(self.functions.terms(sample.e, sample.known))
        if small is None or abs(small) <= TOLERANCE:
            return 0 if small is None else 1
        with mp.workdps(3 * DIGITS):
            again = _difference(self.functions.terms(self._again(sample), sample.known))
        if again is None or abs(again - small) > abs(small) / 1000 or not any(True for _ in self._settled([sample])):
            return 0  # lost digits, not a difference
        reason = f"the log-densities differ by {mp.nstr(again, 8)} (relative to their size)"
        return self._witness(reason, sample.e, sample.z)

    def _again(self, sample: Sample) -> Any:
        """Return the noise at the current precision."""
        if sample.way is None:
            return sample.e
        return real(sample.way.noise, {**sample.known, W: sample.known[sample.way.node]})

    def summed(self) -> Iterator[Witness | int]:
        """Yield a witness, or 1 or 0, for the density of g(eps) summed over the branches at values that the grid brackets."""
        samples = list(self.sampled(GRID))
        gone = next((s for s in samples if self._outside(s.z, *self.functions.ends(self.point))), None)
        if gone is not None and self._outside_still(gone):
            yield self._witness(f"g leaves the support {self.claim.law.support}", gone.e, gone.z)
            return
        seen = [(sample.e, sample.z) for sample in samples]
        values = sorted(z for _, z in seen)
        for z in (values[len(values) // 3], values[2 * len(values) // 3]):
            level = z + (values[-1] - values[0]) / 1009
            law = self.functions.log_law(level, self.point)
            try:
                total = sum(self._pushed(e) for e in self._roots(seen, level))
            except _Pole:
                law = None
            if law is None or total == 0:
                yield 0
            elif abs(mp.log(total) - law) > mp.mpf(10) ** -12 * (1 + abs(law)):
                reason = f"g turns back, and its branches add up to the density {mp.nstr(total, 8)}"
                yield self._witness(reason, None, level)
            else:
                yield 1

    def _pushed(self, e: Any) -> Any:
        noise, slope, _ = self.functions.terms(e, self.point)
        return mp.mpf(0) if noise is None or slope is None else mp.exp(noise - slope)

    def _roots(self, seen: list[tuple[Formula, Any]], level: Any) -> Iterator[Any]:
        for (a, za), (b, zb) in pairwise(seen):
            if (za - level) * (zb - level) < 0:
                yield self._bisected(mp.mpmathify(sp.N(a, DIGITS)), mp.mpmathify(sp.N(b, DIGITS)), zb > level, level)

    def _bisected(self, a: Any, b: Any, rising: bool, level: Any) -> Any:
        for _ in range(150):
            middle = (a + b) / 2
            here = self.functions.g(middle, self.point)
            if here is None:
                raise _Pole
            above = here > level
            a, b = (a, middle) if above == rising else (middle, b)
        return (a + b) / 2

    def _witness(self, reason: str, e: Any, z: Any) -> Witness:
        at = [(str(s), str(v)) for s, v in sorted(self.point.items(), key=str)]
        at += [(str(self.claim.noise.value), str(sp.N(e, 17)))] if e is not None else []
        at += [(str(self.claim.law.value), str(mp.nstr(z, 17)))]
        law = self.functions.log_law(z, self.point)
        at += [("log_density", str(mp.nstr(law, 12)))] if law is not None else []
        return Witness(reason, tuple(at))


def _levels(formula: Formula) -> list[Formula]:
    """Return the probabilities at which a formula has quantile functions."""
    return sorted(map(probability_argument, formula.atoms(*QUANTILES)), key=str)


def _with_holding_branches(formula: Formula, values: Any) -> Formula:
    """Replace each piecewise part by the branch that holds; by nan where that is not clear."""

    def branch(each: Formula) -> Formula:
        for value, condition in each.args:
            if condition == sp.true:
                return value
            difference = real(condition.lhs - condition.rhs, values) if condition.is_Relational else None
            if not difference or condition.rel_op not in (">", "<", ">=", "<="):
                return sp.nan
            if (difference > 0) == (condition.rel_op in (">", ">=")):
                return value
        return sp.nan

    return formula.replace(lambda e: isinstance(e, sp.Piecewise), branch)


def _difference(terms: tuple[Any, Any, Any]) -> Any:
    """Return the residual, relative to its terms where they are large; None where it has no value."""
    if any(term is None for term in terms):
        return None
    noise, slope, law = terms
    return (noise - slope - law) / max(1, abs(noise) + abs(slope) + abs(law))
