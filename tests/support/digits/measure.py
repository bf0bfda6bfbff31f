"""Measure the digits of generated quantile functions and their slopes, over levels and parameters, against mpmath.

The error of a quantile is relative to the distance from the nearer end of the support, or to |q| and the distance of the
quartiles where the support has no end; that of a slope to the slope, or to that distance over the size of the argument. What
the format cannot hold must be infinite or zero.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

import symaux as sa
from support.digits.references import DigitLaw

DIGITS = 420
STEP = mp.mpf(10) ** -60
LEVELS = {
    "float64": (1e-300, 1e-100, 1e-16, 1e-8, 1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1 - 1e-8, 1 - 1e-12, 1 - 2.0**-53),
    "float32": (1e-37, 1e-20, 1e-7, 1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1 - 2.0**-24),
}
DECADES = 15.0  # on either side of one
VALUE = {"float64": 1e-10, "float32": 1e-4}
SLOPE = {"float64": 1e-8, "float32": 1e-3}
ROUNDINGS = 4  # units in the last place of the quantile itself, which lies as near to its end as the format allows


@dataclass(frozen=True)
class Cell:
    """A computed number and the exact one: "value" or the argument of the slope, and the error in units of the tolerance."""

    what: str
    level: float
    point: dict[str, float]
    exact: Any
    computed: float
    error: float
    finite: bool = True  # whether the format can hold the quantile itself

    def __str__(self) -> str:
        exact = mp.nstr(self.exact, 17)
        return f"{self.what} at u={self.level!r}, {self.point}: {self.computed!r}, not {exact}: {self.error:.1e}"


def parameter_points(entry: DigitLaw, kind: str, count: int, far: float, seed: int = 1) -> list[dict[str, float]]:
    """Return parameters over 30 decades: an ordinary point, corners, random ones, and those that the law asks for."""
    rng = np.random.default_rng(seed)
    names, number = list(entry.parameters), np.dtype(kind).type
    exponents = [dict.fromkeys(names, 0.1)]
    corners = list(itertools.product((-far, 0.0, far), repeat=len(names)))
    exponents += [dict(zip(names, corners[i], strict=True)) for i in rng.permutation(len(corners))[:count]]
    exponents += [{n: rng.uniform(-far, far) for n in names} for _ in range(count)]
    drawn = [{n: _signed(entry.parameters[n], x, rng) for n, x in point.items()} for point in exponents]
    made = [entry.made({n: number(x) for n, x in point.items()}) for point in drawn]
    extra = [dict(p) for p in entry.extra if kind == "float64" and far >= DECADES]
    return [{n: float(number(x)) for n, x in point.items()} for point in [*made, *extra] if _is_inside(entry, point)]


def _signed(sign: str, exponent: float, rng: Any) -> float:
    return 10.0**exponent * (1 if sign == "+" or rng.random() < 0.5 else -1)


def _is_inside(entry: DigitLaw, point: Any) -> bool:
    low, high = entry.ends({n: float(x) for n, x in point.items()})
    return bool(low < high) and all(np.isfinite(float(x)) for x in point.values())


def generated(entry: DigitLaw, kind: str) -> Any:
    """Return a function from levels and parameters to quantiles and their slopes, as generated code computes them."""
    import jax

    form = sa.derive(entry.law())
    names = list(entry.parameters)

    def one(u: Any, *given: Any) -> Any:
        return form.quantile(u, dict(zip(names, given, strict=True)))

    run = jax.jit(jax.vmap(jax.value_and_grad(one, argnums=tuple(range(len(names) + 1)))))

    def both(rows: Any) -> tuple[Any, list[Any]]:
        with jax.enable_x64(kind == "float64"):
            values, slopes = run(*(np.asarray(column, dtype=kind) for column in zip(*rows, strict=True)))
        return np.asarray(values), [np.asarray(x) for x in slopes]

    return both


def cells(
    entry: DigitLaw, kind: str = "float64", count: int = 12, decades: float = DECADES, lowest: float = 0.0
) -> list[Cell]:
    """Return all cells of a law: its quantile and every slope, at all levels and parameters."""
    names, number = ["u", *entry.parameters], np.dtype(kind).type
    points = parameter_points(entry, kind, count, decades)
    levels = [float(number(u)) for u in LEVELS[kind] if u >= lowest]
    rows = [(u, *point.values()) for point in points for u in levels]
    values, slopes = generated(entry, kind)(rows)
    found: list[Cell] = []
    with mp.workdps(DIGITS):
        for n, row in enumerate(rows):
            exact = _exact(entry, names, row)
            if exact is None:
                continue
            point = dict(zip(names[1:], row[1:], strict=True))
            found.append(_value_cell(exact, float(values[n]), row[0], point, kind))
            found += [
                _slope_cell(name, exact, float(slopes[i][n]), row[i], row[0], point, kind)
                for i, name in enumerate(names)
            ]
    return found


@dataclass(frozen=True)
class Exact:
    """The exact quantile, its slopes (None where they are not finite), and the distance that errors are relative to."""

    value: Any
    slopes: dict[str, Any]
    distance: Any


def _quantile(entry: DigitLaw, names: list[str], row: Any) -> Any:
    u, *given = row
    return entry.quantile(u, 1 - u, **dict(zip(names[1:], given, strict=True)))


def _exact(entry: DigitLaw, names: list[str], row: tuple[float, ...]) -> Exact | None:
    exactly = [mp.mpf(x) for x in row]
    value = _quantile(entry, names, exactly)
    if value is None:
        return None
    slopes = {}
    for i, name in enumerate(names):
        step = STEP * (min(exactly[0], 1 - exactly[0]) if name == "u" else abs(exactly[i]) or 1)
        up, down = (_quantile(entry, names, [*exactly[:i], exactly[i] + h, *exactly[i + 1 :]]) for h in (step, -step))
        slopes[name] = (
            None if up is None or down is None or mp.isinf(up) or mp.isinf(down) else (up - down) / (2 * step)
        )
    low, high = entry.ends(dict(zip(names[1:], exactly[1:], strict=True)))
    gaps = [abs(value - end) for end in (low, high) if mp.isfinite(end)]
    if not gaps:
        quartiles = [_quantile(entry, names, [mp.mpf(p), *exactly[1:]]) for p in (0.25, 0.75)]
        gaps = [abs(value) + abs(quartiles[1] - quartiles[0])]
    return Exact(value, slopes, min(gaps))


def _value_cell(exact: Exact, computed: float, level: float, point: dict[str, float], kind: str) -> Cell:
    rounding = ROUNDINGS * float(np.finfo(kind).eps) * abs(exact.value) if mp.isfinite(exact.value) else 0
    unit = max(VALUE[kind] * exact.distance, rounding)
    return Cell("value", level, point, exact.value, computed, _error(exact.value, computed, unit, kind))


def _slope_cell(
    name: str, exact: Exact, computed: float, argument: float, level: float, point: dict[str, float], kind: str
) -> Cell:
    slope, held = exact.slopes[name], _is_held(exact.value, kind)
    if slope is None:
        return Cell(name, level, point, mp.nan, computed, float("inf") if np.isnan(computed) else 0.0, held)
    size = min(level, 1 - level) if name == "u" else abs(argument) or mp.inf
    distance = exact.distance if mp.isfinite(exact.distance) else 0
    unit = SLOPE[kind] * max(abs(slope), distance / mp.mpf(size))
    return Cell(name, level, point, slope, computed, _error(slope, computed, unit, kind), held)


def _is_held(value: Any, kind: str) -> bool:
    return bool(value == 0 or float(np.finfo(kind).tiny) <= abs(value) <= float(np.finfo(kind).max))


def _error(exact: Any, computed: float, unit: Any, kind: str) -> float:
    """Return the error in units; what the format cannot hold must be infinite, or at most the smallest number."""
    limits = np.finfo(kind)
    if np.isnan(computed):
        return float("inf")
    if np.isinf(computed):
        return 0.0 if exact * np.sign(computed) > 0.999 * float(limits.max) else float("inf")
    if mp.isinf(exact) or abs(exact) > mp.mpf(float(limits.max)) * 1.001:
        return float("inf")
    return float(abs(mp.mpf(computed) - exact) / max(unit, 2 * mp.mpf(float(limits.tiny))))
