r"""Judge the generated code by mpmath: its log-density, its values and its gradient may differ by what rounding does.

Rounding is measured: every input and every variable is nudged by a few units in the last place of a double, and the result
computed again. An error of the code is one beyond a hundred times the largest change seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath as mp

from symaux.formulas.numeric.evaluate import NO_VALUE
from symaux.model.model import Model
from symaux.model.unroll import element_name
from symaux.validate import reference

TOLERANCE = 1e-9  # error that a value may have beyond its measured rounding, relative to max(1, |value|)
SLOPE_TOLERANCE = 1e-6  # the same of a derivative, which loses more digits
STEP = mp.mpf(10) ** -9  # of the central difference by mpmath, whose error is of the order of its square
NUDGE = mp.mpf(2) ** -50  # four units in the last place of a double
OFTEN, MARGIN = (
    3,
    100,
)  # evaluations with nudged numbers, and by how much a sum of roundings may exceed the largest seen


@dataclass(frozen=True)
class Compiled:
    """The functions of a generated module, compiled once for all points."""

    generate: Any
    log_density: Any
    jacobian: Any


def as_array(value: Any) -> Any:
    """Return a value as a numpy array."""
    import numpy as np

    return np.asarray(value)


def code_error(
    after: Model, compiled: Compiled, lengths: Any, position: Any, data: Any, rng: Any
) -> tuple[float, str] | None:
    """Return the largest relative error of the generated code beyond rounding, and a sentence if it is one; None without
    finite numbers."""

    def evaluated(nudge: Any) -> tuple[Any, Any]:
        moved = _nudged(after, {**data, **position}, nudge)
        values = reference.Deterministics(after, moved, lengths, nudge)
        return values, reference.log_density(after, values, lengths)

    code = float(compiled.log_density(position, data))
    made = compiled.generate(position, data)
    with mp.workdps(30):
        values, exact = evaluated(lambda x: x)
        known = {e: values.element(*e) for e in values.statement if e[0] in made}
        numbers = {e: float(as_array(made[e[0]])[e[1]]) for e in known}
        if not math.isfinite(code) or not all(map(math.isfinite, numbers.values())):
            return None
        nudged = [evaluated(_nudger(rng)) for _ in range(OFTEN)]
        worst = 0.0
        for element, value in known.items():
            spread = MARGIN * max(abs(each.element(*element) - value) for each, _ in nudged)
            error = float((abs(numbers[element] - value) - spread) / max(1, abs(value)))
            if error > TOLERANCE:
                return error, f"the generated code computes {element_name(*element)} with an error of {error:.1e}"
            worst = max(worst, error)
        spread = MARGIN * max(abs(total - exact) for _, total in nudged)
        error = float((abs(code - exact) - spread) / max(1, abs(exact)))
    if error > TOLERANCE:
        return error, f"the generated code computes log p with an error of {error:.1e}"
    return max(worst, error, 0.0), ""


def _nudger(rng: Any) -> Any:
    return lambda x: mp.mpmathify(x) * (1 + NUDGE * mp.mpf(float(rng.uniform(-1, 1))))


def _nudged(model: Model, given: Mapping[str, Any], nudge: Any) -> dict[str, Any]:
    """Return values with a function applied to every number; indices stay whole."""
    import numpy as np

    whole = model.index_arrays
    change = np.vectorize(nudge, otypes=[object])
    return {n: np.asarray(v) if n in whole or np.asarray(v).dtype.kind in "iu" else change(v) for n, v in given.items()}


def gradient_error(
    model: Model, gradient: Any, lengths: Any, position: Any, data: Any, rng: Any
) -> tuple[float | None, str]:
    """Compare the generated gradient along a random direction with a central difference of mpmath's log-density.

    Return the relative difference, None without finite numbers, and a sentence if it is more than rounding does.
    """
    import numpy as np

    along = {name: np.asarray(rng.normal(size=np.shape(value))) for name, value in position.items()}
    slopes = gradient(position, data)
    parts = [np.asarray(slopes[name]) * along[name] for name in position]
    size, total = (sum(float(f(part).sum()) for part in parts) for f in (np.abs, np.asarray))

    def slope(nudge: Any = None) -> Any:
        return (at(STEP, nudge) - at(-STEP, nudge)) / (2 * STEP)

    def at(step: Any, nudge: Any) -> Any:
        moved = {
            n: np.vectorize(lambda x, d: mp.mpf(x) + step * mp.mpf(d), otypes=[object])(v, along[n])
            for n, v in position.items()
        }
        given = {**{name: np.asarray(value) for name, value in data.items()}, **moved}
        if nudge is not None:
            given = _nudged(model, given, nudge)
        return reference.log_density(model, reference.Deterministics(model, given, lengths, nudge), lengths)

    try:
        with mp.workdps(30):
            exact = slope()
            worst = float(abs(total - exact) / max(1, size))
            if math.isnan(worst) or math.isinf(size) or not mp.isfinite(exact):
                return None, ""
            if worst <= SLOPE_TOLERANCE:
                return worst, ""
            if abs(mp.im(exact)) > 0:
                return None, ""
            factors = [_fixed_nudger(rng) for _ in range(OFTEN)]
            spread = MARGIN * max(abs(slope(factor) - exact) for factor in factors)
            worst = float(max(0, abs(total - exact) - spread) / max(1, size))
    except (*NO_VALUE, IndexError):
        return None, ""
    if worst <= SLOPE_TOLERANCE:
        return worst, ""
    return worst, f"the gradient of the generated code differs from mpmath's by {worst:.1e}"


def _fixed_nudger(rng: Any) -> Any:
    """Return a nudge by one factor, the same at both ends of a difference."""
    factor = 1 + NUDGE * mp.mpf(float(rng.uniform(-1, 1)))
    return lambda x: mp.mpmathify(x) * factor
