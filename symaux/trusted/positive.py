r"""Show that a density is not negative: cover its support with cells on which a ball of the formula is positive.

The formula is examined as it was given. A logarithm says nothing of a sign: $\log|p|$ is the same for $p$ and $-p$.

>>> import sympy as sp
>>> z = sp.Symbol("z", real=True)
>>> wrong = sp.Piecewise((1, (z < sp.Rational(27, 100)) | (z > sp.Rational(3, 10))), (-1, True))
>>> show_positive(wrong, z, Interval(sp.S.Zero, sp.S.One))
Traceback (most recent call last):
    ...
symaux.trusted.positive.Negative: the density is at most -1.00000 at 0.27000000
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flint import arb, ctx

from symaux.formulas.numeric.balls.cells import Cell, end_balls, precision_for, rigorous_precision, split_interval
from symaux.formulas.numeric.balls.evaluate import BallEvaluator
from symaux.formulas.numeric.balls.signs import Undecided, is_negative, is_positive, require_finite
from symaux.formulas.numeric.balls.stable_form import as_stable_form
from symaux.formulas.symbols.formula import Formula
from symaux.formulas.symbols.support import Interval

SHELLS, CELLS, DEPTH = 400, 4000, 50  # shells towards an end, cells in all, halvings of a cell
MISSING = 1e-6  # mass on which the sign may stay unknown
LITTLE, QUIET = 1e-9, 3  # a shell of so little mass, and how many of them in a row end the work


class Negative(Exception):
    """Raised where a density is negative, with the place and an upper bound of it."""

    def __init__(self, place: str, density: str) -> None:
        super().__init__(f"the density is at most {density} at {place}")
        self.place, self.density = place, density


def show_positive(density: Formula, variable: Any, support: Interval) -> int:
    """Return the number of cells, all positive, that hold all but 1e-6 of a density without parameters.

    Raise Negative where it is negative, Undecided where its sign is not known on more than that.
    """
    with rigorous_precision():
        return _Signs(as_stable_form(density), variable).over(support)


@dataclass
class _Signs:
    density: Formula
    variable: Any
    constants: dict[int, dict[Any, Any]] = field(default_factory=dict)
    cells: int = 0

    def over(self, support: Interval) -> int:
        total = arb(0)
        for part in split_interval(*end_balls(support)):
            quiet = 0
            for shell in part.shells(SHELLS):
                with precision_for(shell):
                    mass = self._mass(shell, 0)
                total += mass
                quiet = quiet + 1 if mass < LITTLE else 0
                if quiet == QUIET or total > 1 - MISSING / 100:
                    break
        if not total > 1 - MISSING:
            raise Undecided(
                f"the density is positive on cells that hold {total.lower().str(8, radius=False)} of its mass"
            )
        return self.cells

    def _mass(self, cell: Cell, depth: int) -> arb:
        """Return a lower bound of the integral over the parts of a cell on which the density is positive."""
        self.cells += 1
        if self.cells > CELLS:
            raise Undecided("too many cells")
        height = self._height(cell)
        if height is not None and is_negative(height):
            raise Negative(cell.at(cell.middle).str(8, radius=False), height.upper().str(6, radius=False))
        if height is not None and is_positive(height):
            low = self._area(cell)
            if low is not None:
                return low
        if depth >= DEPTH or (depth > 4 and height is not None and height * (cell.high - cell.low) < LITTLE / 100):
            return arb(0)
        try:
            halves = cell.halves()
        except Undecided:
            return arb(0)
        return sum((self._mass(half, depth + 1) for half in halves), arb(0))

    def _height(self, cell: Cell) -> arb | None:
        """Return a ball of the density on a cell: by its formula, or by a Taylor expansion where that does not decide."""
        try:
            found = require_finite(self._at(cell.hull))
        except (Undecided, ValueError):
            return None
        if is_positive(found) or is_negative(found):
            return found
        try:
            return cell.range(self._at(cell.thin()), self._at(cell.wide()))
        except (Undecided, ValueError):
            return found

    def _area(self, cell: Cell) -> arb | None:
        try:
            found = cell.integral(self._at)
        except (Undecided, ValueError):
            return None
        return found.lower() if found.rad() < LITTLE / 100 else None

    def _at(self, x: Any) -> Any:
        return BallEvaluator({self.variable: x}, self.constants.setdefault(ctx.prec, {})).of(self.density)
