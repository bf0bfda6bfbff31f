r"""Bound the total-variation distance between a law and g(noise) at one parameter point, by proof.

On cells K of the noise where $g'$ keeps its sign and $|r| \le \delta$, $r = \log q - \log|g'| - \log p(g)$, the density of
$g(\varepsilon)$ is $p\,e^r$. The cells are in order and so are their images, hence disjoint and inside the support; so

$$\mathrm{TV} \le \max\{(M_q - Q) + (e^\delta - 1)e^\delta Q,\ (M_p - e^{-\delta}Q) + (1 - e^{-\delta})e^\delta Q\}$$

with Q the noise's mass of the cells and $M_p, M_q$ bounds of the two integrals. What cannot be shown on a cell (a corner,
an end) costs the mass of the cell, never a guess.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from flint import arb, arb_series, ctx

from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.balls.cells import Cell, end_balls, precision_for, rigorous_precision, split_interval
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided, constant_term, require_finite, require_sign
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.support import Interval
from symaux.trusted.density import HasPushforward
from symaux.trusted.mass_bound import density_upper

DEPTH = 56  # halvings of a cell
LOOKS = 8  # shells in which a positive residual is looked for
JUMP, ZOOMS = 1e-6, 60  # a gap of g, relative to its size, that does not shrink in so many halvings may be a jump


@dataclass(frozen=True)
class Tolerance:
    """How closely a claim is examined, and how many cells that may take."""

    residual: float  # the largest on a cell
    close: float  # the radius of the mass of a cell
    negligible: float  # the mass of a tail, or of a cell, that is left out
    cells: int
    shells: int = 1000  # the most towards an end


STRICT = Tolerance(1e-13, 1e-17, 1e-15, 10_000)  # for certificates
LOOSE = Tolerance(1e-10, 1e-10, 1e-8, 8000)  # for the shadow of a proof, which covers all but 1e-6 of the mass
IMPROPER = Tolerance(1e-10, math.inf, 0.0, 1500, 30)  # for densities that have no mass: 2^-30 to 2^30 of every part


Shown = tuple[Cell, arb, arb]  # a cell, the bound of its residual, the noise's mass of it


@dataclass(frozen=True)
class Cover:
    """The cells on which everything was proved: how many, the largest residual, and the noise's mass of all of them."""

    cells: int
    residual: arb
    mass: arb
    direction: int
    image: tuple[arb, arb]  # its ends, rising
    gaps: tuple[tuple[arb, arb], ...]  # and what the images of neighbouring cells leave between them

    def distance(self, noise_mass: arb, law_mass: arb) -> arb:
        """Return the bound on the total variation, given upper bounds of the two integrals."""
        up, q = self.residual.exp(), self.mass
        above = noise_mass - q + (up - 1) * up * q
        below = law_mass - q / up + (1 - 1 / up) * up * q
        return require_finite(above.max(below)).upper()


def cover_noise(claim: HasPushforward, deadline: float = math.inf, tolerance: Tolerance = STRICT) -> Cover:
    """Return the cells of a claim without parameters; raise Hopeless or Undecided where g fails or nothing is shown."""
    with rigorous_precision():
        return _Covering(claim, deadline, tolerance).all()


@dataclass
class _Covering:
    """The cells that cover the noise of one claim, with the work and the precision counted."""

    claim: HasPushforward
    deadline: float
    tolerance: Tolerance = STRICT
    constants: dict[int, dict[Any, Any]] = field(default_factory=dict)  # by precision
    direction: int = 0
    worked: int = 0
    deepest: int = 0
    fineness: int = 0  # how often the last shell had to be halved: the next one is much alike

    def __post_init__(self) -> None:
        self.e, self.z = self.claim.noise.value, self.claim.law.value
        self.g, self.log_q, self.log_p = (
            as_stable_form(defined(f))
            for f in (self.claim.value, self.claim.noise.log_density, self.claim.law.log_density)
        )

    def all(self) -> Cover:
        """Return the cover of the whole support of the noise."""
        support, target = self.claim.noise.support, self.claim.law.support
        assert isinstance(support, Interval) and isinstance(target, Interval)
        found: list[Shown] = []
        for part in split_interval(*end_balls(support)):
            shells: list[Shown] = []
            for shell in part.shells(self.tolerance.shells):
                with precision_for(shell):
                    shells += self._in_pieces(shell)
                    if part.end != "inner" and self._beyond(shell, part.end):
                        break
            found += sorted(shells, key=lambda item: item[0].sign * item[0].low)
        if not found:
            raise Undecided("nothing was shown on any cell")
        found = self._inside(found, *end_balls(target))
        self._in_order([cell for cell, _, _ in found])
        worst = arb(0)
        for _, residual, _ in found:
            worst = worst.max(residual)
        cells = [cell for cell, _, _ in found]
        apart = [(left, right) for left, right in pairwise(cells) if not _touch(left, right)]
        gaps = tuple(self._rising(self._end(left, 1), self._end(right, -1)) for left, right in apart)
        image = self._rising(self._end(cells[0], -1), self._end(cells[-1], 1))
        return Cover(len(found), worst, sum((mass for _, _, mass in found), arb(0)), self.direction, image, gaps)

    def _rising(self, first: arb, last: arb) -> tuple[arb, arb]:
        return (first, last) if self.direction > 0 else (last, first)

    @property
    def settled(self) -> dict[Any, Any]:
        """Return the values of the subformulas without a variable, at the current precision."""
        return self.constants.setdefault(ctx.prec, {})

    def _in_pieces(self, shell: Cell) -> list[Shown]:
        """Return a shell in as many pieces as the last one needed."""
        pieces = [shell]
        for _ in range(self.fineness):
            pieces = [half for piece in pieces for half in piece.halves()]
        self.deepest, shown = 0, [item for piece in pieces for item in self._shown(piece, 0)]
        if self.deepest == 0:
            self.fineness = max(0, self.fineness - (len(pieces) > 1 and self.worked % 8 == 0))
        elif self.deepest <= 5:
            self.fineness = min(self.fineness + self.deepest, 5)
        return shown

    def _beyond(self, cell: Cell, end: str) -> bool:
        """Return whether the rest towards the end looks negligible: only a reason to stop, since the mass is added up."""
        y = cell.low if end == "near" else cell.high
        try:
            height = constant_term(BallEvaluator({self.e: cell.at(y)}, self.settled).of(self.log_q)).exp() * y
        except Undecided:
            return True
        return bool(height < self.tolerance.negligible)

    def _shown(self, cell: Cell, depth: int) -> list[Shown]:
        """Return the cell with bounds of its residual and its mass, or those of its halves for which there are any."""
        self.worked += 1
        self.deepest = max(self.deepest, depth)
        if self.worked > self.tolerance.cells or time.process_time() > self.deadline:
            raise Undecided("out of time")
        try:
            return [self._on(cell)]
        except (Undecided, ValueError):
            pass
        if (depth > 8 and self._tiny(cell)) or depth >= DEPTH:
            return []
        try:
            halves = cell.halves()
        except Undecided:
            return []
        return [item for half in halves for item in self._shown(half, depth + 1)]

    def _tiny(self, cell: Cell) -> bool:
        try:
            height = density_upper(self.log_q, BallEvaluator({self.e: cell.hull}, self.settled))
            return bool(height * (cell.high - cell.low) < self.tolerance.negligible)
        except Undecided:
            return False

    def _on(self, cell: Cell) -> Shown:
        """Return the bounds on one cell, with more bits where rounding hides the residual at its middle."""
        for bits in (ctx.prec, 2 * ctx.prec, 4 * ctx.prec):
            with ctx.workprec(bits):
                thin = self._thin(cell)
                if thin is not None:
                    return self._bounded(cell, *thin)
        raise Undecided("the middle of a cell is not settled")

    def _thin(self, cell: Cell) -> tuple[Any, Any] | None:
        """Return log q and the residual about the middle; None where rounding alone hides the residual."""
        try:
            found = self._residual(cell.thin())
        except (Undecided, ValueError):
            return None
        return found if constant_term(found[1]).rad() < self.tolerance.residual / 8 else None

    def _bounded(self, cell: Cell, thin_q: Any, thin: Any) -> Shown:
        if abs(constant_term(thin)) > self.tolerance.residual:
            raise self._difference(cell, constant_term(thin))
        wide_q, wide = self._residual(cell.wide())
        residual = cell.bound(thin, wide)
        if not residual < self.tolerance.residual:
            raise Undecided("a residual that is not small enough")
        mass = cell.area(thin_q.exp(), wide_q.exp())
        if not mass.rad() < self.tolerance.close:
            raise Undecided("a mass that is not known well enough")
        return cell, residual, mass

    def _difference(self, cell: Cell, residual: arb) -> Hopeless:
        """Return the exception for a residual that is not zero: where it is positive, g(eps) has a larger density than
        the law."""
        if residual > 0:
            return Different(cell.at(cell.middle).str(17, radius=False), residual.lower().str(6, radius=False))
        support = self.claim.noise.support
        assert isinstance(support, Interval)
        for part in split_interval(*end_balls(support)):
            for shell in part.shells(LOOKS):
                try:
                    other = constant_term(self._residual(shell.thin())[1])
                except (Undecided, ValueError):
                    continue
                if other > self.tolerance.residual:
                    return Different(shell.at(shell.middle).str(17, radius=False), other.lower().str(6, radius=False))
        return Hopeless("the residual is not zero")

    def _residual(self, e: arb_series) -> tuple[Any, Any]:
        """Return log q and the residual, as series; raise Hopeless unless g' has the sign that it has on all other cells."""
        log_q = BallEvaluator({self.e: e}, self.settled).of(self.log_q)
        along = self._value(e)
        if not isinstance(along, arb_series):
            raise Hopeless("g does not depend on the noise")
        slope = along.derivative() / e[1]
        direction = require_sign(slope)
        if self.direction and direction != self.direction:
            raise Hopeless("g turns back")
        self.direction = direction
        log_p = BallEvaluator({self.z: along}, self.settled).of(self.log_p)
        return log_q, log_q - (direction * slope).log() - log_p

    def _value(self, e: Any) -> Any:
        return BallEvaluator({self.e: e}, self.settled).of(self.g)

    def _in_order(self, cells: list[Cell]) -> None:
        """Raise Undecided unless the images of cells on both sides of a gap are in order."""
        for left, right in pairwise(cells):
            if not _touch(left, right):
                self._rises(self._end(left, 1), self._end(right, -1))
                self._refuse_jump(left, right)

    def _refuse_jump(self, left: Cell, right: Cell) -> None:
        """Raise Undecided where g does not come together across what was not shown: it may jump there."""
        low, high = _right_end(left), _left_end(right)
        bottom, top = self._end(left, 1), self._end(right, -1)
        for _ in range(ZOOMS):
            gap = abs(top - bottom)
            if gap < JUMP * (1 + abs(bottom).min(abs(top))) or not low < high:
                return
            place = low + (high - low) * arb(0.5078125)  # not the middle, where a corner likes to be
            place = place.mid()
            middle = self._value(place)
            if not middle.is_finite():
                break
            low, bottom, high, top = (
                (place, middle, high, top) if abs(top - middle) > abs(middle - bottom) else (low, bottom, place, middle)
            )
        raise Undecided("g may jump between two cells")

    def _inside(self, found: list[Shown], lower: arb | None, upper: arb | None) -> list[Shown]:
        """Return the cells without the outermost ones whose images are not shown to lie inside the support."""
        below, above = (lower, upper) if self.direction > 0 else (upper, lower)
        first, last = 0, len(found)
        self._refuse_outside(found[0][0], below, 1)
        self._refuse_outside(found[-1][0], above, -1)
        while first < last and below is not None and not self._apart(self._end(found[first][0], -1), below, 1):
            first += 1
        while first < last and above is not None and not self._apart(self._end(found[last - 1][0], 1), above, -1):
            last -= 1
        if first == last:
            raise Undecided("g is not shown to stay in the support")
        return found[first:last]

    def _refuse_outside(self, cell: Cell, end: arb | None, inwards: int) -> None:
        """Raise Different where noise of positive probability has an image beyond an end of the support."""
        with precision_for(cell):
            outside = end is not None and self._apart(self._value(cell.at(cell.middle)), end, -inwards)
        if outside:
            raise Different(cell.at(cell.middle).str(17, radius=False), "inf: g leaves the support")

    def _apart(self, value: arb, end: arb, side: int) -> bool:
        return bool(self.direction * side * (value - end) > 0)

    def _end(self, cell: Cell, side: int) -> arb:
        with precision_for(cell):
            return self._value(cell.at(cell.high if side == cell.sign else cell.low))

    def _rises(self, before: arb, after: arb) -> None:
        if not (self.direction * (after - before) > 0):
            raise Undecided("the images of two cells are not shown to be apart")


class Hopeless(Exception):
    """Raised where finer cells would not help: g rises on one cell and falls on another, or the residual is not zero."""


class Different(Hopeless):
    """Raised where the laws differ, with the noise where the residual is positive and a lower bound of it."""

    def __init__(self, noise: str, residual: str) -> None:
        super().__init__(f"the residual is at least {residual} at {noise}")
        self.noise, self.residual = noise, residual


def _right_end(cell: Cell) -> arb:
    return cell.at(cell.high if cell.sign > 0 else cell.low)


def _left_end(cell: Cell) -> arb:
    return cell.at(cell.low if cell.sign > 0 else cell.high)


def _touch(left: Cell, right: Cell) -> bool:
    """Return whether one cell ends where the other begins, in the same floating-point number."""
    if left.origin is not right.origin:
        return False
    return (left.high if left.sign > 0 else -left.low) == (right.low if right.sign > 0 else -right.high)


__all__ = ["IMPROPER", "LOOSE", "STRICT", "Cover", "Different", "Hopeless", "Tolerance", "cover_noise"]
