r"""Compare the original, evaluated by mpmath, with the generated auxiliary form at random points.

$\log p(x, z) = \log p(x, \varepsilon) - \log|\det \partial z/\partial\varepsilon|$ at $z = g(\varepsilon)$. This can only
refute: agreement at points proves nothing, and says so. Plates are shrunk to a few elements each, all of different
length so that no axis can be mistaken for another; generated code reads lengths off its arrays, so it is the same code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import mpmath as mp

from symaux.codegen.load import load
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.evaluate import NO_VALUE, as_float
from symaux.formulas.symbols.support import Integers, Interval, Vectors, free_indices
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.validate import reference
from symaux.validate.random_inputs import (
    common_lengths,
    count_latent_elements,
    draw_inputs,
    draw_latents,
    draw_observations,
    shape_of,
)

TOLERANCE = 1e-9
SLOPE_TOLERANCE = 1e-6
STEP = mp.mpf(10) ** -9
POINTS = 3
TRIES = 20  # for a point at which the original has a density
MOST_TERMS = 100_000  # that mpmath adds up at one point
UNREAL = (
    f"log p is not a real number at any of {TRIES} random points: a scale may be negative there, or the logarithm or root"
    " of a negative number taken"
)


@dataclass(frozen=True)
class Agreement:
    """The number of points that were compared, the worst relative difference and its point; or the reason why none was."""

    points: int
    worst: float = 0.0
    where: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    slope: float | None = None  # the worst relative difference of gradients
    unreal: bool = False  # no point was found at which the original has a density

    @property
    def refuted(self) -> bool:  # a difference that is not a number refutes too
        return not self.worst <= TOLERANCE or not (self.slope is None or self.slope <= SLOPE_TOLERANCE)

    @property
    def difference(self) -> str:
        """Return a sentence about the difference."""
        if not self.worst <= TOLERANCE:
            return f"the whole model differs by {self.worst:.1e}"
        return f"the gradient of the generated code differs from mpmath's by {self.slope:.1e}"

    def __str__(self) -> str:
        if not self.points:
            return f"the whole model was not compared numerically: {self.reason}"
        return (
            f"log p(x, z) by mpmath and log p(x, ε) by the generated code agree at {self.points} random points:"
            f" worst relative difference {self.worst:.1e}" + self._slopes()
        )

    def _slopes(self) -> str:
        return "" if self.slope is None else f"; gradients against mpmath's differences, {self.slope:.1e}"


def compare_pointwise(
    before: Model, after: Model, source: str, *, points: int = POINTS, seed: int = 0, run: Any = None
) -> Agreement:
    """Compare two models at random points, through the change of variables; ``run`` is ``jax.jit`` by default."""
    import jax
    import numpy as np

    run = run or jax.jit

    lengths = common_lengths(before, after)
    worst, where, slope = 0.0, (), None
    if (terms := reference.count_terms(before, lengths)) > MOST_TERMS:
        return Agreement(0, reason=f"its sums have {terms:,} terms, too many for mpmath")
    with jax.enable_x64(True):
        module = load(source)
        compiled = _Compiled(run(module.generate), run(module.log_density), run(_jacobian(before, module)))
        if count_latent_elements(before, lengths) != sum(
            math.prod(shape_of(after, name, lengths)) for name in after.latents
        ):
            return Agreement(0, reason="the forms have different numbers of latent elements")
        for number in range(points):
            found = _compare_at_point(before, after, compiled, lengths, [seed, number])
            if found is None:
                return Agreement(0, reason=UNREAL, unreal=True)
            difference, position, data = found
            if not difference <= worst:
                worst, where = difference, tuple((k, str(v)) for k, v in {**position, **data}.items())
            if number == 0 and position and not _iterates(after):
                rng = np.random.default_rng([seed, number, TRIES])
                slope = _gradient_difference(after, run(jax.grad(module.log_density)), lengths, position, data, rng)
                if not slope <= SLOPE_TOLERANCE and not where:
                    where = tuple((k, str(v)) for k, v in {**position, **data}.items())
    found = Agreement(points, worst, where, slope=slope)
    return found if found.refuted else replace(found, where=())


def _compare_at_point(before: Model, after: Model, compiled: _Compiled, lengths: Any, seed: list[int]) -> Any:
    """Return the difference at a random point where the original has a real density, and the point; None if none is found.

    A model's conditions on its scales may fail at a random point: there is nothing to compare there.
    """
    import numpy as np

    for attempt in range(TRIES):
        rng = np.random.default_rng([*seed, attempt] if attempt else seed)
        data = draw_inputs(after, lengths, rng)
        if attempt % 2:  # where the sign of data is unknown, log p may be real for positive ones only, as with roots
            data = {name: np.abs(value) for name, value in data.items()}
        position = draw_latents(after, lengths, rng)
        try:
            data |= draw_observations(after, lengths, {**data, **position}, rng)
            differences = (
                _difference(before, compiled, lengths, position, data),
                _generation_error(after, compiled, lengths, position, data),
            )
        except NO_VALUE:
            continue
        return max(differences, key=lambda d: float("inf") if d != d else d), position, data
    return None


def _iterates(model: Model) -> bool:
    """Return whether a model has quantiles that mpmath finds by bisection, too coarsely for differences."""
    return any(formula.has(ImplicitQuantile) for s in model.statements for formula in s.formulas)


def _gradient_difference(model: Model, gradient: Any, lengths: Any, position: Any, data: Any, rng: Any) -> float:
    """Compare the generated gradient along a random direction with a central difference of mpmath's log-density."""
    import numpy as np

    along = {name: np.asarray(rng.normal(size=np.shape(value))) for name, value in position.items()}
    slopes = gradient(position, data)
    parts = [np.asarray(slopes[name]) * along[name] for name in position]
    size = sum(float(np.abs(part).sum()) for part in parts)

    def at(step: Any) -> Any:
        moved = {
            n: np.vectorize(lambda x, d: mp.mpf(x) + step * mp.mpf(d), otypes=[object])(v, along[n])
            for n, v in position.items()
        }
        given = {**{name: np.asarray(value) for name, value in data.items()}, **moved}
        return reference.log_density(model, reference.Deterministics(model, given, lengths), lengths)

    with mp.workdps(30):
        exact = as_float((at(STEP) - at(-STEP)) / (2 * STEP))
    return abs(sum(float(part.sum()) for part in parts) - exact) / max(1.0, size)


@dataclass(frozen=True)
class _Compiled:
    """The functions of a generated module, compiled once for all points."""

    generate: Any
    log_density: Any
    jacobian: Any


def _jacobian(before: Model, module: Any) -> Any:
    """Return the Jacobian of the original's latents with respect to those of the auxiliary form, by the latter's names."""
    import jax
    import jax.numpy as jnp

    def latents(position: Any, data: Any) -> Any:
        made = {**position, **module.generate(position, data)}  # a latent that a rewrite introduced is not a value of g
        parts = [jnp.ravel(_free_elements(before, name, made[name])) for name in before.latents]
        return jnp.concatenate(parts) if parts else jnp.zeros(0)

    return jax.jacfwd(latents)


def _free_elements(model: Model, name: str, value: Any) -> Any:
    """Return the elements that determine the others: a simplex of n numbers has n - 1."""
    law = model.nodes[name].general
    assert isinstance(law, Law)
    if isinstance(law.support, Interval | Integers | Vectors):
        return value
    where = free_indices(law.support, value.shape[value.ndim - len(law.event) :])
    picked = tuple(zip(*where, strict=True))
    return value[(..., *map(list, picked))]


def _difference(before: Model, compiled: _Compiled, lengths: Mapping[str, int], position: Any, data: Any) -> float:
    import numpy as np

    auxiliary = float(compiled.log_density(position, data))
    slope = compiled.jacobian(position, data) if position else {}
    columns = [np.reshape(j, (-1, position[n].size)) for n, j in slope.items()]
    log_volume = float(np.linalg.slogdet(np.concatenate(columns, axis=1))[1]) if position else 0.0
    values = {name: np.asarray(v) for name, v in {**data, **position, **compiled.generate(position, data)}.items()}
    own = {n: v for n, v in values.items() if n not in before.nodes or before.nodes[n].kind == "stochastic"}
    original = as_float(reference.log_density(before, reference.Deterministics(before, own, lengths), lengths))
    return abs(original - (auxiliary - log_volume)) / max(1.0, abs(original))


def _generation_error(after: Model, compiled: _Compiled, lengths: Mapping[str, int], position: Any, data: Any) -> float:
    """Return the largest error of generated values: a map that folds keeps the density but not the law."""
    import numpy as np

    given = {name: np.asarray(value) for name, value in {**data, **position}.items()}
    exact = reference.Deterministics(after, given, lengths)
    made = compiled.generate(position, data)
    worst = 0.0
    for name, index in exact.statement:
        if name not in made:
            continue
        value = float(np.asarray(made[name])[index])
        known = as_float(exact.element(name, index))
        difference = abs(value - known) / max(1.0, abs(known))
        worst = worst if difference <= worst else difference
    return worst
