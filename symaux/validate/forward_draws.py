r"""Forward draws of both forms, compared jointly: each variable by its ranks, each pair by its correlation of ranks.

The original is drawn by its densities alone, the auxiliary form by the densities of its noises and the generated
code. Two variables that share one noise have the right laws one by one and the wrong one together; a pair shows it. This
can only refute, and says how large a difference would have been seen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symaux.codegen.load import load
from symaux.errors import SymauxError
from symaux.model.model import Model
from symaux.validate.ancestral import NoDraws, Source, draws
from symaux.validate.test_inputs import common_lengths, elements, inputs, shape_of

DRAWS = 250
LEVEL = 1e-6  # how often equal models would be told apart
LARGEST = 24  # elements; a larger model would take a minute


@dataclass(frozen=True)
class JointDraws:
    """How many draws of how many elements were compared, what differed, and what would have been seen; or why none was."""

    draws: int
    elements: int = 0
    difference: str = ""
    reason: str = ""

    @property
    def refuted(self) -> bool:
        return bool(self.difference)

    def __str__(self) -> str:
        if not self.draws:
            return f"forward draws were not compared: {self.reason}"
        spread, related = seen(self.draws, self.elements)
        return (
            f"{self.draws} forward draws of each form agree in {self.elements} elements and all their pairs; seen would be a"
            f" distribution function off by {spread:.2f}, or a correlation by {related:.2f}"
        )


def seen(count: int, size: int) -> tuple[float, float]:
    """Return the Kolmogorov distance and the difference of correlations that refute."""
    level = LEVEL / max(1, size * (size + 1) // 2)
    return math.sqrt(-math.log(level / 2) / count), math.tanh(_score(level) * math.sqrt(2 / (count - 3)))


def _score(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - level / 2)


def forward_draws(before: Model, after: Model, source: Source, seed: int = 0) -> JointDraws:
    """Compares draws of a model and of its auxiliary form, for small plates and plausible inputs."""
    import jax
    import numpy as np

    lengths = common_lengths(before, after)
    size = elements(before, lengths) + sum(math.prod(shape_of(before, name, lengths)) for name in before.observed)
    if size > LARGEST:
        return JointDraws(0, reason=f"{size} elements are too many")
    with jax.enable_x64(True):
        rng = np.random.default_rng(seed)
        data = inputs(after, lengths, rng)
        try:
            own = draws(before, data, lengths, DRAWS, rng, source)
            if not all(np.all(np.isfinite(array)) for array in own.values()):
                return JointDraws(0, reason="a draw by the densities is beyond all doubles")
            other = _generated(after, draws(after, data, lengths, DRAWS, rng, source), data, source)
        except (NoDraws, ArithmeticError, ValueError, IndexError, SymauxError) as none:
            return JointDraws(0, reason=str(none).split("\n", 1)[0][:200])
    return judged(_columns(own), _columns({name: other[name] for name in own}))


def _generated(after: Model, drawn: Mapping[str, Any], data: Mapping[str, Any], source: Source) -> dict[str, Any]:
    import jax
    import numpy as np

    generate = load(source(after)).generate
    observed = {name: drawn[name] for name in after.observed}
    position = {name: drawn[name] for name in after.latents}
    made = jax.vmap(lambda p, x: generate(p, {**data, **x}))(position, observed)
    return {**drawn, **{name: np.asarray(value) for name, value in made.items()}}


def _columns(drawn: Mapping[str, Any]) -> dict[str, Any]:
    from symaux.model.unroll import element

    columns = {}
    for name, array in sorted(drawn.items()):
        for index in itertools.product(*map(range, array.shape[1:])):
            columns[element(name, index)] = array[(slice(None), *index)]
    return columns


def judged(own: Mapping[str, Any], other: Mapping[str, Any]) -> JointDraws:
    """Return the first element, or pair of them, whose draws differ by more than chance allows."""
    names, count = list(own), len(next(iter(own.values()), ()))
    spread, related = seen(count, len(names))
    for name in names:
        distance = _distance(own[name], other[name])
        if not distance <= spread:
            return JointDraws(
                count, len(names), f"draws of {name} differ: their distribution functions by {distance:.2f}"
            )
    ranks = [{name: _ranks(column[name]) for name in names} for column in (own, other)]
    for one, two in itertools.combinations(names, 2):
        r, s = (_correlation(each[one], each[two]) for each in ranks)
        if abs(math.atanh(r) - math.atanh(s)) <= math.atanh(related):
            continue
        errors = [_error(each[one], each[two], found) for each, found in zip(ranks, (r, s), strict=True)]
        if abs(r - s) > _score(LEVEL) * math.hypot(*errors):
            return JointDraws(
                count, len(names), f"draws of {one} and {two} differ: correlated by {r:.2f} and by {s:.2f}"
            )
    return JointDraws(count, len(names))


def _error(one: Any, two: Any, correlation: float) -> float:
    """Return the standard error of a correlation from the draws' own influences.

    Fisher's holds for normal pairs: of two variables that are almost one, a single draw of a heavy tail takes a
    correlation from 0.998 to 0.99, which he would call a difference.
    """
    import numpy as np

    u, v = (x / max(float(np.std(x)), 1e-300) for x in (one, two))
    return float(np.sqrt(np.mean((u * v - correlation * (u**2 + v**2) / 2) ** 2) / len(u)))


def _distance(one: Any, two: Any) -> float:
    """Return the largest difference of two empirical distribution functions.

    >>> import numpy as np
    >>> _distance(np.arange(4.0), np.arange(4.0) + 2)
    0.5
    """
    import numpy as np

    if not (np.all(np.isfinite(one)) and np.all(np.isfinite(two))):
        return math.inf
    places = np.concatenate([one, two])
    levels = [np.searchsorted(np.sort(x), places, side="right") / len(x) for x in (one, two)]
    return float(np.max(np.abs(levels[0] - levels[1])))


def _ranks(column: Any) -> Any:
    """Centred ranks; equal draws share theirs, so that a discrete variable has no order that is not there."""
    import numpy as np

    _, where, counts = np.unique(column, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts + 1) / 2
    return middle[where] - middle[where].mean()


def _correlation(one: Any, two: Any) -> float:
    """Of ranks; a constant column is correlated with nothing."""
    import numpy as np

    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.clip(one @ two / size, -0.9999, 0.9999)) if size else 0.0
