r"""Detect generating functions of one noise that fold, as $|c + \varepsilon|$ does: then their quantiles are not the law's.

>>> from symaux.laws.families import normal
>>> e, c = sp.Symbol("e", real=True), sp.Symbol("c", positive=True)
>>> has_fold(sp.Abs(c + e), normal(e, 0, 1), [c]), has_fold(c + e**3, normal(e, 0, 1), [c])
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
import sympy as sp

from symaux.formulas.functions.elementary import directed
from symaux.formulas.numeric.points import evaluate, inside, points
from symaux.formulas.symbols.formula import Formula
from symaux.laws.law import Law

GRID = [sp.Rational(2 * n + 1, 82) for n in range(41)]


def has_fold(value: Formula, noise: Law, parameters: Iterable[Any], conditions: Sequence[Any] = ()) -> bool:
    """Return whether g both rises and falls on a grid of the noise; formulas without a part that can fold are not tried."""
    if not any(_folds(part, noise.value) for part in sp.preorder_traversal(value)):
        return False
    for point in points(parameters, conditions=conditions, seed=5, count=3):
        if len(set(_directions(directed(value), noise, point))) == 2:
            return True
    return False


def _folds(part: Any, eps: Any) -> bool:
    if not isinstance(part, sp.Abs | sp.Pow | sp.cosh | sp.Max | sp.Min | sp.Piecewise) or not part.has(eps):
        return False
    return not isinstance(part, sp.Pow) or bool(part.exp.is_even)


def _directions(value: Formula, noise: Law, point: Any) -> Iterator[bool]:
    places = [inside(noise.support, point, fraction) for fraction in GRID]
    heights = [evaluate(value, point | {noise.value: place}) for place in places if place is not None]
    known = [mp.re(height) for height in heights if height is not None]
    return (after > before for before, after in pairwise(known) if after != before)
