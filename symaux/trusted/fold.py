r"""Examine a map that folds: on cells of z, $p(z) = \sum_k q(h_k(z))\,|h_k'(z)|$ with $g(h_k(z)) = z$ and $h_1 < h_2 < \dots$

The inverses are proposals. Where they are in order their images are disjoint, so the cells show where the noise of mass
$\int p$ goes; if that is all but 1e-6, no branch of g is missing.

>>> import sympy as sp
>>> from symaux.formulas.symbols.support import REALS
>>> z, e = sp.Symbol("z", positive=True), sp.Symbol("e", real=True)
>>> half = Density(z, -z**2/2 + sp.log(2/sp.pi)/2, Interval(sp.S.Zero, sp.oo))
>>> claim = Pushforward(half, Density(e, -e**2/2 - sp.log(2*sp.pi)/2, REALS), sp.Abs(e))
>>> cover_fold(claim, (-z, z)) > 10
True
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from flint import arb, ctx

from symaux.formulas.functions.elementary import defined
from symaux.formulas.numeric.balls.cells import Cell, end_balls, precision_for, rigorous_precision, split_interval
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided, constant_term, is_positive, require_sign
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval
from symaux.trusted.density import Density, Pushforward

RESIDUAL, MISSING = 1e-10, 1e-6  # relative to p on a cell; mass on which nothing is shown
CLOSE, NEGLIGIBLE = 1e-10, 1e-9  # the radius of the mass of a cell; mass of a cell that is left out
CELLS, DEPTH, SHELLS = 3000, 50, 400
FAILURES = (Undecided, ValueError, ZeroDivisionError)


def cover_fold(claim: Pushforward, inverses: tuple[Formula, ...]) -> int:
    """Return the number of cells that hold all but 1e-6 of the law; raise Undecided where they do not."""
    with rigorous_precision():
        return _Fold(claim, tuple(as_stable_form(defined(h)) for h in inverses)).all()


@dataclass
class _Fold:
    claim: Pushforward
    inverses: tuple[Formula, ...]
    constants: dict[int, dict[Any, Any]] = field(default_factory=dict)
    cells: int = 0

    def __post_init__(self) -> None:
        self.g, self.log_q, self.log_p = (
            as_stable_form(defined(f))
            for f in (self.claim.value, self.claim.noise.log_density, self.claim.law.log_density)
        )

    def all(self) -> int:
        support = self.claim.law.support
        if not isinstance(support, Interval):
            raise Undecided("no interval")
        total = arb(0)
        for part in split_interval(*end_balls(support)):
            for shell in part.shells(SHELLS):
                with precision_for(shell):
                    mass = self._shown(shell, 0)
                total += mass
                if total > 1 - MISSING / 10 or (part.end != "inner" and self._is_negligible(shell, part.end)):
                    break
        if not total > 1 - MISSING:
            raise Undecided(f"the branches hold {total.str(5)} of the mass")
        return self.cells

    def _is_negligible(self, cell: Cell, end: str) -> bool:
        """Return whether the rest towards an end looks negligible: only a reason to stop, since the mass is added up."""
        y = cell.low if end == "near" else cell.high
        try:
            height = constant_term(self._of(self.log_p, self.claim.law.value, cell.at(y))).exp()
        except FAILURES:
            return False
        return bool(height * y < NEGLIGIBLE)

    def _shown(self, cell: Cell, depth: int) -> arb:
        """Return a lower bound of the mass of the parts of a cell on which the branches add up to the law."""
        self.cells += 1
        if self.cells > CELLS:
            raise Undecided("too many cells")
        try:
            return self._on(cell)
        except FAILURES:
            pass
        if depth >= DEPTH or (depth > 8 and self._is_tiny(cell)):
            return arb(0)
        try:
            halves = cell.halves()
        except Undecided:
            return arb(0)
        return sum((self._shown(half, depth + 1) for half in halves), arb(0))

    def _is_tiny(self, cell: Cell) -> bool:
        try:
            height = self._of(self.log_p, self.claim.law.value, cell.hull).exp()
        except FAILURES:
            return False
        return bool(height * (cell.high - cell.low) < NEGLIGIBLE)

    def _on(self, cell: Cell) -> arb:
        thin, wide = (self._ratio(z) for z in (cell.thin(), cell.wide()))
        if not cell.bound(thin[1], wide[1]) < RESIDUAL:
            raise Undecided("the branches do not add up to the law")
        for middle, whole in zip(thin[2], wide[2], strict=True):
            if not cell.bound(middle, whole) < RESIDUAL * (1 + abs(cell.hull).lower()):
                raise Undecided("a branch is not an inverse of g")
        mass = cell.area(thin[0], wide[0])
        if not mass.rad() < CLOSE:
            raise Undecided("a mass that is not known well enough")
        return mass.lower()

    def _ratio(self, z: Any) -> tuple[Any, Any, list[Any]]:
        """Return p, the sum of the branches over p less one, and every g(h(z)) - z, as series; raise Undecided unless the
        branches are in order."""
        variable, noise = self.claim.law.value, self.claim.noise.value
        log_p = self._of(self.log_p, variable, z)
        branches = [self._of(h, variable, z) for h in self.inverses]
        for left, right in pairwise(branches):
            if not is_positive(right - left):
                raise Undecided("two branches are not shown to be apart")
        self._require_inside(branches)
        total, back = -1, []
        for h in branches:
            back.append(self._of(self.g, noise, h) - z)
            slope = h.derivative() / z[1]
            log_share = self._of(self.log_q, noise, h) + (require_sign(slope) * slope).log() - log_p
            total = total + log_share.exp()
        return log_p.exp(), total, back

    def _require_inside(self, branches: list[Any]) -> None:
        support = self.claim.noise.support
        assert isinstance(support, Interval)
        lower, upper = end_balls(support)
        for end, h, sign in ((lower, branches[0], 1), (upper, branches[-1], -1)):
            if end is not None and not is_positive(sign * (h - end)):
                raise Undecided("a branch leaves the support of the noise")

    def _of(self, formula: Formula, variable: Any, value: Any) -> Any:
        return BallEvaluator({variable: value}, self.constants.setdefault(ctx.prec, {})).of(formula)


__all__ = ["Density", "Pushforward", "cover_fold"]
