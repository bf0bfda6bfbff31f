r"""Measure the error of a formula's generated code in the tails of its noise, in units of rounding, against mpmath.

The unit of the error of $z = g(u; \theta)$ is the effect of rounding the value and each argument once,

$$\mathrm{ulp}(z) + |\partial_u g|\,\mathrm{ulp}(u) + \sum_\theta |\partial_\theta g|\,\mathrm{ulp}(\theta),$$

so that a few units are as good as it gets, whatever the formula; a value or a gradient that is not finite is broken.

>>> import sympy as sp
>>> from sympy.codegen.cfunctions import expm1, log1p
>>> u = sp.Symbol("u", positive=True)
>>> plain, better = 1 - sp.cbrt(1 - u), -expm1(log1p(-u) / 3)
>>> worst_loss(plain, u, {}, "float32").units > 1e4, worst_loss(better, u, {}, "float32").units < 8
(True, True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np

from symaux.codegen import library_text as helpers
from symaux.codegen.load import load
from symaux.codegen.lower.expression import lower
from symaux.codegen.lower.scope import Scope
from symaux.codegen.stabilise.simplify import Simplify
from symaux.formulas.numeric.evaluate import real

DIGITS = 70
STEP = mp.mpf(10) ** -25  # relative, of an argument
LEVELS = {
    "float32": (*(10.0**-k for k in (30, 20, 12, 7, 4, 2)), 0.1, 0.4, 0.7, 0.9, *(1 - 10.0**-k for k in (2, 4, 6, 7))),
    "float64": (*(10.0**-k for k in (30, 20, 12, 7, 4, 2)), 0.1, 0.4, 0.7, 0.9, *(1 - 10.0**-k for k in (2, 4, 7, 12, 15))),
}  # fmt: skip
NORMAL_LEVELS = {
    "float32": (-12.0, -9.0, -6.0, -3.0, -1.0, -0.25, 0.5, 2.0, 4.0, 7.0, 10.0, 12.0),
    "float64": (-30.0, -20.0, -9.0, -3.0, -1.0, -0.25, 0.5, 2.0, 4.0, 7.0, 10.0, 20.0, 30.0),
}


@dataclass(frozen=True)
class Loss:
    """The error at one level of the noise: exact and computed value, the error in units, and whether gradients are finite."""

    level: float
    exact: Any
    seen: float
    units: float
    finite: bool


def compile_formula(formula: Any, simplify: Simplify = lambda f: f) -> Any:
    """Load the formula as a function of its symbols by name, as generated modules write it."""
    names = {s.name: s.name for s in sorted(formula.free_symbols, key=str)}
    used: set[str] = set()
    body = lower(simplify(formula), Scope(names, size=str, use=used.add)).code
    text = f"def value({', '.join(names)}):\n    return {body}"
    return load("\n\n\n".join([helpers.EVERYTHING, *helpers.source(used), text]) + "\n").value


def ulp_losses(
    formula: Any, noise: Any, at: Mapping[Any, Any], kind: str = "float64", simplify: Simplify = lambda f: f,
    levels: Sequence[float] | None = None,
) -> list[Loss]:  # fmt: skip
    """Return the errors at each level at which the number format can hold the exact value."""
    given = {s: float(np.dtype(kind).type(float(v))) for s, v in at.items()}
    wanted = [float(np.dtype(kind).type(u)) for u in (LEVELS[kind] if levels is None else levels)]
    found = []
    for u, (value, slopes) in zip(wanted, _run(formula, noise, given, kind, simplify, wanted), strict=True):
        exact, unit, steepest = _unit(formula, {**given, noise: u}, kind)
        if exact is not None and np.finfo(kind).tiny < abs(exact) < np.finfo(kind).max / 16:
            finite = bool(np.all(np.isfinite(slopes))) or steepest > np.finfo(kind).max / 16
            found.append(Loss(u, exact, value, float(abs(mp.mpf(value) - exact) / unit), finite))
    return found


def worst_loss(
    formula: Any, noise: Any, at: Mapping[Any, Any], kind: str = "float64", simplify: Simplify = lambda f: f,
    levels: Sequence[float] | None = None,
) -> Loss:  # fmt: skip
    """Return the worst of the losses: values that are not finite first, then gradients, then the largest error."""
    seen = ulp_losses(formula, noise, at, kind, simplify, levels)
    return max(seen, key=lambda loss: (not np.isfinite(loss.seen), not loss.finite, loss.units))


def _run(formula: Any, noise: Any, at: dict[Any, float], kind: str, simplify: Simplify, levels: list[float]) -> Any:
    import jax

    names = sorted((s.name for s in formula.free_symbols), key=str)
    value = compile_formula(formula, simplify)
    real_type = np.dtype(kind).type

    def both(u: Any) -> Any:
        arguments = [u if n == noise.name else real_type(next(v for s, v in at.items() if s.name == n)) for n in names]
        return jax.value_and_grad(value, argnums=tuple(range(len(names))))(*arguments)

    with jax.enable_x64(kind == "float64"):
        values, slopes = jax.jit(jax.vmap(both))(np.array(levels, dtype=kind))
    return [(float(v), [float(s[k]) for s in slopes]) for k, v in enumerate(np.asarray(values))]


def _unit(formula: Any, at: dict[Any, float], kind: str) -> tuple[Any, Any, Any]:
    """Return the exact value, the effect of rounding each argument once, and the largest derivative."""
    with mp.workdps(DIGITS):
        exact = real(formula, at)
        if exact is None:
            return None, None, None
        moved = {s: real(formula, {**at, s: mp.mpf(v) * (1 + STEP)}) for s, v in at.items() if v}
        changes = {s: abs(value - exact) / STEP for s, value in moved.items() if value is not None}
        unit = mp.mpf(float(np.finfo(kind).eps)) * mp.fsum([abs(exact), *changes.values()])
        return exact, unit, max(change / abs(mp.mpf(at[s])) for s, change in changes.items())
