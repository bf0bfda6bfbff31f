r"""Compare forward draws of both forms jointly: each variable by its distribution, each pair by its rank correlation.

The original is drawn by its densities alone, the auxiliary form by the densities of its noises and the generated
code. Two variables that share one noise have the right laws one by one and the wrong one together; a pair shows it. A
difference leaves the verdict undecided and does not refute: draws are coarse, and underflow. Without one the result says how
large a difference would have been detected.
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
from symaux.validate.ancestral import Source, draw_ancestral
from symaux.validate.random_inputs import common_lengths, count_latent_elements, draw_inputs, shape_of

DRAWS = 250  # of each model: the fewer, the larger a difference must be to be seen
LEVEL = 1e-6  # the probability that equal models are called different
LARGEST = 24  # elements; a larger model would take a minute
MOST_COMPUTED = 100  # elements that formulas define, by mpmath: a hundred of them take ten seconds


@dataclass(frozen=True)
class JointDraws:
    """The numbers of draws and elements that were compared and what differed; or the reason why none was."""

    draws: int
    elements: int = 0
    difference: str = ""
    reason: str = ""

    @property
    def differs(self) -> bool:
        return bool(self.difference)

    def __str__(self) -> str:
        if not self.draws:
            return f"undecided: forward draws were not compared: {self.reason}"
        if self.difference:
            return f"{self.difference}, at {self.draws} draws of each form; this alone does not refute"
        spread, related = detectable_difference(self.draws, self.elements)
        return (
            f"{self.draws} forward draws of each form agree in {self.elements} elements and all their pairs; seen would be a"
            f" distribution function off by {spread:.2f}, or a correlation by {related:.2f}"
        )


def detectable_difference(count: int, size: int) -> tuple[float, float]:
    """Return the Kolmogorov distance and the difference of correlations above which two models are called different."""
    level = LEVEL / max(1, size * (size + 1) // 2)
    return math.sqrt(-math.log(level / 2) / count), math.tanh(_score(level) * math.sqrt(2 / (count - 3)))


def _score(level: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(1 - level / 2)


def compare_forward_draws(before: Model, after: Model, source: Source, seed: int = 0) -> JointDraws:
    """Compare draws of a model and of its auxiliary form, for small plates and plausible inputs."""
    import jax
    import numpy as np

    lengths = common_lengths(before, after)
    size = count_latent_elements(before, lengths) + sum(
        math.prod(shape_of(before, name, lengths)) for name in before.observed
    )
    if size > LARGEST:
        return JointDraws(0, reason=f"{size} elements are too many")
    computed = sum(
        math.prod(shape_of(before, n, lengths)) for n, v in before.nodes.items() if v.kind == "deterministic"
    )
    if computed > MOST_COMPUTED:
        return JointDraws(0, reason=f"{computed} elements are computed for each draw, which are too many")
    with jax.enable_x64(True):
        rng = np.random.default_rng(seed)
        data = draw_inputs(after, lengths, rng)
        try:
            own = draw_ancestral(before, data, lengths, DRAWS, rng, source)
            if not all(np.all(np.isfinite(array)) for array in own.values()):
                return JointDraws(0, reason="a draw by the densities is too large for a double")
            other = _generated(after, draw_ancestral(after, data, lengths, DRAWS, rng, source), data, source)
        except (SymauxError, ArithmeticError, ValueError, TypeError, LookupError, RecursionError) as none:
            return JointDraws(0, reason=str(none).split("\n", 1)[0][:200])
        if not all(np.all(np.isfinite(array)) for array in other.values()):
            return JointDraws(0, reason="the generated code makes a value that is too large for a double")
    return compare_draws(_columns(own), _columns({name: other[name] for name in own}))


def _generated(after: Model, drawn: Mapping[str, Any], data: Mapping[str, Any], source: Source) -> dict[str, Any]:
    import jax
    import numpy as np

    generate = load(source(after)).generate
    observed = {name: drawn[name] for name in after.observed}
    position = {name: drawn[name] for name in after.latents}
    made = jax.vmap(lambda p, x: generate(p, {**data, **x}))(position, observed)
    return {**drawn, **{name: np.asarray(value) for name, value in made.items()}}


def _columns(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Split arrays of draws into one column for each element, by name."""
    from symaux.model.unroll import element_name

    columns = {}
    for name, array in sorted(drawn.items()):
        for index in itertools.product(*map(range, array.shape[1:])):
            columns[element_name(name, index)] = array[(slice(None), *index)]
    return columns


def compare_draws(own: Mapping[str, Any], other: Mapping[str, Any]) -> JointDraws:
    """Compare two sets of draws; report the first element, or pair of them, that differs by more than chance allows."""
    names, count = list(own), len(next(iter(own.values()), ()))
    spread, related = detectable_difference(count, len(names))
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

    Fisher's formula holds for normal pairs: of two variables that are almost equal, a single draw in a heavy tail moves a
    correlation from 0.998 to 0.99, which it would call a difference.
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
    """Return centred ranks; equal draws share theirs, so that a discrete variable gets no spurious order."""
    import numpy as np

    _, where, counts = np.unique(column, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts + 1) / 2
    return middle[where] - middle[where].mean()


def _correlation(one: Any, two: Any) -> float:
    """Return the correlation of two columns of ranks; 0 where one is constant."""
    import numpy as np

    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    return float(np.clip(one @ two / size, -0.9999, 0.9999)) if size else 0.0
