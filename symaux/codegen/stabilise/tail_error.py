r"""Measure the error of generated code in either tail of its noise, in values and derivatives, against mpmath.

Errors are relative to the value, down to the smallest fraction of the scale of its law, the distance of its quartiles: what
is far below that scale at one point of the parameters is not at another. Those of derivatives in a parameter count a hundredth.

>>> import sympy as sp
>>> from symaux.laws.standard_noise import standard_uniform
>>> u = sp.Symbol("u", positive=True)
>>> plain = -sp.log(1 - u)
>>> lower, upper = tail_errors(plain, u, reference_values(plain, standard_uniform(u), [{}]), lambda f: f)
>>> max(lower) > 1e-6, max(upper) < 1e-12
(True, True)
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

from symaux.codegen.stabilise.simplify import Simplify
from symaux.codegen.stabilise.ulp_error import compile_formula
from symaux.formulas.functions.special_function import Special
from symaux.formulas.numeric.evaluate import real
from symaux.formulas.numeric.points import Point
from symaux.laws.law import Law
from symaux.laws.standard_noise import is_standard_normal

Ends = tuple[list[float], list[float]]
SMALL = (1e-12, 1e-8, 1e-4, 0.03, 0.3)
LEVELS = (*SMALL, *(1 - u for u in SMALL))
DIGITS, STEP = 60, mp.mpf(10) ** -25
LARGEST = mp.mpf(10) ** 300
SMALLEST = mp.mpf(10) ** -24
SLOPE = 100  # errors of derivatives are divided by this


@dataclass(frozen=True)
class ReferenceValue:
    """The exact value and derivatives of a formula at one level and one point, and the unit of its errors."""

    upper: bool
    level: float
    point: dict[Any, float]
    value: Any
    slopes: dict[Any, Any]
    unit: Any

    def error(self, value: float, slopes: dict[Any, float]) -> float:
        """Return the largest error of a computed value and its derivatives."""
        found = [abs(mp.mpf(value) - self.value) / self.unit if np.isfinite(value) else mp.inf]
        for symbol, slope in self.slopes.items():
            unit = max(abs(slope), self.unit / max(1, abs(self.point[symbol])))
            off = abs(mp.mpf(slopes[symbol]) - slope) / unit if np.isfinite(slopes[symbol]) else mp.inf
            found.append(off / SLOPE)
        return float(max(found))


def reference_values(formula: Any, noise: Law, at: list[Point]) -> list[ReferenceValue]:
    """Return the exact values at all levels of a uniform or normal noise and all points, where a double can hold them."""
    level = (lambda u: float(mp.sqrt(2) * mp.erfinv(2 * mp.mpf(u) - 1))) if is_standard_normal(noise) else float
    number = (
        float if formula.has(Special) else mp.mpf
    )  # 1 - u of a double is another one; inverses take minutes of more
    with mp.workdps(DIGITS):
        quarters, levels = ([number(level(u)) for u in all_of] for all_of in ((0.25, 0.75), LEVELS))
        rounded = [{s: number(float(x)) for s, x in point.items()} for point in at]
        return [t for point in rounded for t in _values_at_point(formula, noise.value, point, quarters, levels)]


def _values_at_point(
    formula: Any, e: Any, point: dict[Any, Any], quarters: list[Any], levels: list[Any]
) -> list[ReferenceValue]:
    quartiles = [real(formula, {**point, e: x}) for x in quarters]
    if None in quartiles:
        return []
    scale = abs(quartiles[1] - quartiles[0])
    found = (
        _reference_value(formula, {**point, e: level}, e, scale, k >= len(SMALL)) for k, level in enumerate(levels)
    )
    return [truth for truth in found if truth is not None]


def _reference_value(formula: Any, at: dict[Any, Any], e: Any, scale: Any, upper: bool) -> ReferenceValue | None:
    value = real(formula, at)
    if value is None or abs(value) > LARGEST:
        return None
    point = {s: float(x) for s, x in at.items() if s != e}
    slopes = {s: _slope(formula, at, s) for s in point if not s.is_integer}
    if any(slope is None or abs(slope) > LARGEST for slope in slopes.values()):
        return None
    return ReferenceValue(upper, float(at[e]), point, value, slopes, max(abs(value), SMALLEST * scale))


def _slope(formula: Any, at: dict[Any, Any], symbol: Any) -> Any:
    step = STEP * max(1, abs(at[symbol]))
    ahead, behind = (real(formula, {**at, symbol: mp.mpf(at[symbol]) + h}) for h in (step, -step))
    return None if ahead is None or behind is None else (ahead - behind) / (2 * step)


def tail_errors(formula: Any, e: Any, known: list[ReferenceValue], simplify: Simplify) -> Ends:
    """Return the errors in the lower and in the upper tail, in the order of the reference values."""
    ends: Ends = ([], [])
    with ThreadPoolExecutor(1) as thread:  # a thread of its own is not traced by jax, whatever the caller is doing
        computed = thread.submit(_run, formula, e, known, simplify).result()
    for truth, (value, slopes) in zip(known, computed, strict=True):
        ends[truth.upper].append(truth.error(value, slopes))
    return ends


def _run(formula: Any, e: Any, known: list[ReferenceValue], simplify: Simplify) -> list[tuple[float, dict[Any, float]]]:
    """Return values and derivatives of the generated code, run operation by operation: compiling it would take longer."""
    import jax
    import jax.numpy as jnp

    by_name = {s.name: s for s in known[0].point}
    function, read = compile_formula(formula, simplify), {s.name for s in formula.free_symbols}
    with jax.enable_x64(True):
        levels = {e.name: jnp.array([t.level for t in known])}
        given = levels | {n: jnp.array([t.point[s] for t in known]) for n, s in by_name.items()}
        values, pull = jax.vjp(lambda g: function(**{n: x for n, x in g.items() if n in read}), given)
        (slopes,) = pull(jnp.ones_like(values))
        values, slopes = jax.tree.map(np.asarray, (values, slopes))
    rows = [{s: float(slopes[n][k]) for n, s in by_name.items()} for k in range(len(known))]
    return [(float(value), row) for value, row in zip(values, rows, strict=True)]
