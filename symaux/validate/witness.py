r"""Confirm a numerical difference by mpmath alone, at two precisions: only such a witness refutes.

A number of the generated code has the rounding of doubles in it, and may overflow; a point may lie outside of a support. So a
difference that the code shows is computed again from the formulas,
$\log p(x, z) - \log p(x, \varepsilon) + \log|\det \partial z/\partial\varepsilon|$ at $z = g(\varepsilon)$, with the Jacobian
by differences, at 40 and at 60 digits. If the formulas agree, the code itself is judged, and may differ by what rounding of
every variable does to the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath as mp

from symaux.formulas.numeric.evaluate import NO_VALUE
from symaux.formulas.symbols.support import Integers, Interval, Vectors, free_indices
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.validate import reference
from symaux.validate.random_inputs import shape_of

DIGITS = (40, 60)  # decimal digits: a difference that rounding makes changes with them
LARGEST = 60  # elements: the Jacobian takes as many evaluations
FAILED = (*NO_VALUE, IndexError, KeyError)

Values = Mapping[str, Any]


def exact_difference(
    before: Model, after: Model, position: Values, data: Values, lengths: Mapping[str, int]
) -> tuple[Any, Any] | None:
    """Return how far log p differs between two models at a point, and log p of the first; None where this has no answer.

    It has none outside of a support or a condition, where a number is not finite, or where two precisions disagree.
    """
    try:
        found = [_difference(before, after, position, data, lengths, digits) for digits in DIGITS]
    except FAILED:
        return None
    if any(pair is None for pair in found):
        return None
    (one, _), (two, original) = found  # type: ignore[misc]
    if not all(map(mp.isfinite, (one, two, original))):
        return None
    agreed = abs(one - two) <= mp.mpf("1e-3") * abs(two) + mp.mpf("1e-12") * max(1, abs(original))
    return (abs(two), original) if agreed else None


def _difference(before: Model, after: Model, position: Any, data: Any, lengths: Any, digits: int) -> Any:
    with mp.workdps(digits):
        own = _own_values(before, after, position, data, lengths)
        given = _exactly({**data, **position})
        if not (reference.is_inside(before, own, lengths) and reference.is_inside(after, given, lengths)):
            return None
        volume = _log_volume(before, after, position, data, lengths, digits)
        if volume is None:
            return None
        original = _log_density(before, own, lengths, digits)
        difference = original - (_log_density(after, given, lengths, digits) - volume)
        real = all(abs(mp.im(x)) <= mp.mpf(10) ** (-digits // 2) * (1 + abs(x)) for x in (original, difference))
        return (mp.re(difference), mp.re(original)) if real else None


def _log_density(model: Model, given: Any, lengths: Any, digits: int) -> Any:
    return reference.log_density(model, reference.Deterministics(model, given, lengths), lengths, digits)


def _exactly(values: Values) -> dict[str, Any]:
    import numpy as np

    return {name: np.asarray(value) for name, value in values.items()}


def _own_values(before: Model, after: Model, position: Any, data: Any, lengths: Any) -> dict[str, Any]:
    """Return the inputs and the stochastic variables of the first model, computed by the second one's formulas."""
    import numpy as np

    given = _exactly({**data, **position})
    exact = reference.Deterministics(after, given, lengths)
    own = {name: value for name, value in given.items() if name not in before.nodes}
    for name, node in before.nodes.items():
        if node.kind == "stochastic" and name in given:
            own[name] = given[name]
        elif node.kind == "stochastic":
            array = np.empty(shape_of(before, name, lengths), dtype=object)
            for index in np.ndindex(array.shape):
                array[index] = exact.element(name, index)
            own[name] = array
    return own


def _log_volume(before: Model, after: Model, position: Any, data: Any, lengths: Any, digits: int) -> Any:
    """Return log|det dz/dε| by central differences; None for a model that is too large, or where it is zero."""
    import numpy as np

    places = [(name, index) for name in position for index in np.ndindex(np.shape(position[name]))]
    if len(places) > LARGEST:
        return None
    if not places:
        return mp.mpf(0)
    step = mp.mpf(10) ** (-(digits // 3))

    def latents(name: str, index: Any, shift: Any) -> list[Any]:
        moved = np.array(position[name], dtype=object)
        moved[index] = mp.mpf(float(moved[index])) + shift
        own = _own_values(before, after, {**position, name: moved}, data, lengths)
        return [x for each in before.latents for x in np.ravel(free_elements(before, each, own[each]))]

    columns = []
    for name, index in places:
        up, down = latents(name, index, step), latents(name, index, -step)
        columns.append([(mp.mpmathify(a) - mp.mpmathify(b)) / (2 * step) for a, b in zip(up, down, strict=True)])
    if len(columns[0]) != len(columns):
        return None
    return _log_determinant(columns)


def _log_determinant(rows: list[list[Any]]) -> Any:
    """Return log|det| by elimination, None for a singular matrix: mpmath's own takes scales of 1 and 1e200 for singular.

    >>> print(_log_determinant([[mp.mpf(1), mp.mpf(5)], [mp.mpf(0), mp.exp(300)]]))
    300.0
    """
    left, total = [list(row) for row in rows], mp.mpf(0)
    for k in range(len(left)):
        sizes = [abs(row[k]) / (max(map(abs, row[k:])) or 1) for row in left[k:]]
        pivot = k + max(range(len(sizes)), key=sizes.__getitem__)
        left[k], left[pivot] = left[pivot], left[k]
        if not left[k][k]:
            return None
        total += mp.log(abs(left[k][k]))
        for row in left[k + 1 :]:
            factor = row[k] / left[k][k]
            for j in range(k, len(row)):
                row[j] -= factor * left[k][j]
    return total


def free_elements(model: Model, name: str, value: Any) -> Any:
    """Return the elements that determine the others: a simplex of n numbers has n - 1."""
    law = model.nodes[name].general
    assert isinstance(law, Law)
    if isinstance(law.support, Interval | Integers | Vectors):
        return value
    where = free_indices(law.support, value.shape[value.ndim - len(law.event) :])
    picked = tuple(zip(*where, strict=True))
    return value[(..., *map(list, picked))]
