r"""What generated code loses at either end of a uniform noise, values and slopes, in double precision against mpmath.

Errors are relative to the larger of the value and the scale of its law, the distance of its quartiles; those of slopes in a
parameter count a hundredth. At the upper end, formulas in the distance to one are given that, which is exact.

>>> import sympy as sp
>>> u, v = sp.symbols("u v", positive=True)
>>> plain = sp.log(1 - sp.sqrt(1 - u))
>>> lower, upper = lost(plain, u, v, truths(plain, u, [{}]), lambda f: f)
>>> max(lower) > 1e-6, max(upper) < 1e-12
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

from symaux.codegen.simplify import Simplify
from symaux.codegen.stability import code
from symaux.numbers.numeric import real
from symaux.numbers.points import Point

Ends = tuple[list[float], list[float]]
SMALL = (1e-12, 1e-8, 1e-4, 0.03, 0.3)
LEVELS = (*SMALL, *(1 - u for u in SMALL))
DIGITS, STEP = 60, mp.mpf(10) ** -25
LARGEST = mp.mpf(10) ** 300
SLOPE = 100  # digits of slopes count this much less


@dataclass(frozen=True)
class Truth:
    """What a formula is at one level and one point: its value and slopes, and by how much an error is divided."""

    level: float
    point: dict[Any, float]
    value: Any
    slopes: dict[Any, Any]
    unit: Any

    def error(self, value: float, slopes: dict[Any, float]) -> float:
        """How far others are off."""
        found = [abs(mp.mpf(value) - self.value) / self.unit if np.isfinite(value) else mp.inf]
        for symbol, slope in self.slopes.items():
            unit = max(abs(slope), self.unit / max(1, abs(self.point[symbol])))
            off = abs(mp.mpf(slopes[symbol]) - slope) / unit if np.isfinite(slopes[symbol]) else mp.inf
            found.append(off / SLOPE)
        return float(max(found))


def truths(formula: Any, u: Any, at: list[Point]) -> list[Truth]:
    """The exact values at all levels and points where the format has them."""
    with mp.workdps(DIGITS):
        rounded = [{s: float(x) for s, x in point.items()} for point in at]
        return [found for point in rounded for found in _truths(formula, u, point)]


def _truths(formula: Any, u: Any, point: dict[Any, float]) -> list[Truth]:
    quartiles = [real(formula, {**point, u: mp.mpf(k) / 4}) for k in (1, 3)]
    if None in quartiles:
        return []
    scale = abs(quartiles[1] - quartiles[0])
    found = (_truth(formula, {**point, u: level}, u, scale) for level in LEVELS)
    return [truth for truth in found if truth is not None]


def _truth(formula: Any, at: dict[Any, float], u: Any, scale: Any) -> Truth | None:
    value = real(formula, at)
    if value is None or abs(value) > LARGEST:
        return None
    point = {s: x for s, x in at.items() if s != u}
    slopes = {s: _slope(formula, at, s) for s in point if not s.is_integer}
    if any(slope is None or abs(slope) > LARGEST for slope in slopes.values()):
        return None
    return Truth(at[u], point, value, slopes, max(abs(value), scale))


def _slope(formula: Any, at: dict[Any, float], symbol: Any) -> Any:
    step = STEP * max(1, abs(at[symbol]))
    ahead, behind = (real(formula, {**at, symbol: mp.mpf(at[symbol]) + h}) for h in (step, -step))
    return None if ahead is None or behind is None else (ahead - behind) / (2 * step)


def lost(formula: Any, u: Any, v: Any, known: list[Truth], simplify: Simplify) -> Ends:
    """The errors at the lower and at the upper end, in the order of what is known."""
    ends: Ends = ([], [])
    for truth, (value, slopes) in zip(known, _run(formula, u, v, known, simplify), strict=True):
        ends[truth.level > 0.5].append(truth.error(value, slopes))
    return ends


def _run(formula: Any, u: Any, v: Any, known: list[Truth], simplify: Simplify) -> list[tuple[float, dict[Any, float]]]:
    """Values and slopes of the generated code."""
    import jax

    symbols = sorted(formula.free_symbols, key=str)
    by_name = {s.name: s for s in symbols}
    function = code(formula, simplify)
    made = jax.jit(jax.vmap(jax.value_and_grad(lambda given: function(**given))))
    with jax.enable_x64(True), jax.ensure_compile_time_eval():  # also while the caller is being traced
        given = {s.name: np.array([_given(s, u, v, truth) for truth in known]) for s in symbols}
        values, slopes = jax.tree.map(np.asarray, made(given))
    rows = [{by_name[n]: float(d[k]) for n, d in slopes.items()} for k in range(len(known))]
    return [(float(value), row) for value, row in zip(values, rows, strict=True)]


def _given(symbol: Any, u: Any, v: Any, truth: Truth) -> float:
    return truth.level if symbol == u else 1 - truth.level if symbol == v else truth.point[symbol]
