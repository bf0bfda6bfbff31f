r"""Whether a generating function of one noise turns back, as $|c + \varepsilon|$ does: then its quantiles are not the law's.

>>> from symaux.laws.families import normal
>>> e, c = sp.Symbol("e", real=True), sp.Symbol("c", positive=True)
>>> turns_back(sp.Abs(c + e), normal(e, 0, 1), [c]), turns_back(c + e**3, normal(e, 0, 1), [c])
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
from symaux.laws.law import Law

GRID = [sp.Rational(2 * n + 1, 82) for n in range(41)]


def turns_back(value: sp.Expr, noise: Law, parameters: Iterable[Any], conditions: Sequence[Any] = ()) -> bool:
    """Return whether g was seen to run in both directions; only a modulus or an even power can make it do so."""
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


def _directions(value: sp.Expr, noise: Law, point: Any) -> Iterator[bool]:
    places = [inside(noise.support, point, fraction) for fraction in GRID]
    heights = [evaluate(value, point | {noise.value: place}) for place in places if place is not None]
    known = [mp.re(height) for height in heights if height is not None]
    return (after > before for before, after in pairwise(known) if after != before)
