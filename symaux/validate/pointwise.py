r"""Compare the original, evaluated by mpmath, with the generated auxiliary form at random points.

$\log p(x, z) = \log p(x, \varepsilon) - \log|\det \partial z/\partial\varepsilon|$ at $z = g(\varepsilon)$. This can only
refute: agreement at points proves nothing, and says so. Plates are shrunk to a few elements each, all of different
length so that no axis can be mistaken for another; generated code reads lengths off its arrays, so it is the same code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath as mp

from symaux.codegen.load import load
from symaux.formulas.functions.elementary import ImplicitQuantile
from symaux.formulas.numeric.evaluate import NO_VALUE, as_float
from symaux.model.model import Model
from symaux.validate import reference
from symaux.validate.code_error import TOLERANCE, Compiled, as_array, code_error, gradient_error
from symaux.validate.random_inputs import (
    common_lengths,
    count_latent_elements,
    draw_inputs,
    draw_latents,
    draw_observations,
    shape_of,
)
from symaux.validate.witness import exact_difference, free_elements

POINTS = 3  # random points at which densities are compared: a wrong formula differs almost everywhere
TRIES = 20  # for a point at which the original has a density
MOST_TERMS = 100_000  # that mpmath adds up at one point
NO_POINT = (*NO_VALUE, IndexError)  # an index that is computed from data may leave a plate that was shortened
UNREAL = (
    f"log p is not a real number at any of {TRIES} random points: a scale may be negative there, or the logarithm or root"
    " of a negative number taken, or a condition does not hold, or a difference is too large a computation to confirm"
)
OVERFLOW = "the generated code gives no finite number there, and was not compared"


@dataclass(frozen=True)
class Agreement:
    """The number of points that were compared, and the worst relative difference; or the reason why none was.

    ``difference`` is a sentence about a difference that a witness confirmed, and empty otherwise.
    """

    points: int
    worst: float = 0.0
    where: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    slope: float | None = None  # the worst relative difference of gradients
    unreal: bool = False  # no point was found at which the original has a density
    difference: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def refuted(self) -> bool:
        return bool(self.difference)

    def __str__(self) -> str:
        if not self.points:
            return f"undecided: the whole model was not compared numerically: {self.reason}"
        if self.difference:
            return self.difference
        slopes = "" if self.slope is None else f"; gradients against mpmath's differences, {self.slope:.1e}"
        remarks = "".join(f"; {remark}" for remark in dict.fromkeys(self.remarks))
        alone = self.remarks.count(OVERFLOW)
        by = "by mpmath" if alone == self.points else "by the generated code"
        where = f"{self.points} random points" + (
            f" (at {alone} of them by mpmath alone)" if 0 < alone < self.points else ""
        )
        return (
            f"log p(x, z) by mpmath and log p(x, ε) {by} agree at {where}: worst relative difference {self.worst:.1e}"
            f"{slopes}{remarks}"
        )


@dataclass(frozen=True)
class _Point:
    """What was seen at one point: a relative difference within what rounding does, or a confirmed one in a sentence."""

    worst: float
    position: Any
    data: Any
    difference: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    remark: str = ""

    @property
    def where(self) -> tuple[tuple[str, str], ...]:
        return (*((k, str(v)) for k, v in {**self.position, **self.data}.items()), *self.numbers)


def compare_pointwise(
    before: Model, after: Model, source: str, *, points: int = POINTS, seed: int = 0, run: Any = None
) -> Agreement:
    """Compare two models at random points, through the change of variables; ``run`` is ``jax.jit`` by default."""
    import jax

    run = run or jax.jit
    lengths = common_lengths(before, after)
    if (terms := reference.count_terms(before, lengths)) > MOST_TERMS:
        return Agreement(0, reason=f"its sums have {terms:,} terms, too many for mpmath")
    with jax.enable_x64(True):
        module = load(source)
        compiled = Compiled(run(module.generate), run(module.log_density), run(_jacobian(before, module)))
        if count_latent_elements(before, lengths) != sum(
            math.prod(shape_of(after, name, lengths)) for name in after.latents
        ):
            return Agreement(0, reason="the forms have different numbers of latent elements")
        seen: list[_Point] = []
        for number in range(points):
            found = _compare_at_point(before, after, compiled, lengths, [seed, number])
            if found is None:
                return Agreement(0, reason=UNREAL, unreal=True)
            if found.difference:
                return Agreement(number + 1, found.worst, found.where, difference=found.difference)
            seen.append(found)
        slope, sentence = None, ""
        if seen and seen[0].position and not seen[0].remark and not _iterates(after):
            slope, sentence = _slopes(after, run(jax.grad(module.log_density)), lengths, seen[0], seed)
    remarks = tuple(point.remark for point in seen if point.remark)
    if seen and slope is None and seen[0].position and not _iterates(after):
        remarks += ("gradients were not compared",)
    worst = max((point.worst for point in seen), default=0.0)
    return Agreement(points, worst, seen[0].where if sentence else (), "", slope, False, sentence, remarks)


def _slopes(after: Model, gradient: Any, lengths: Any, point: _Point, seed: int) -> tuple[float | None, str]:
    import numpy as np

    rng = np.random.default_rng([seed, 0, TRIES])
    return gradient_error(after, gradient, lengths, point.position, point.data, rng)


def _compare_at_point(before: Model, after: Model, compiled: Compiled, lengths: Any, seed: list[int]) -> _Point | None:
    """Compare the forms at a random point where the original has a real density; None if none is found.

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
            found = _compare(before, after, compiled, lengths, position, data, rng)
        except NO_POINT:
            continue
        if found is not None:
            return found
    return None


def _compare(
    before: Model, after: Model, compiled: Compiled, lengths: Any, position: Any, data: Any, rng: Any
) -> _Point | None:
    """Compare the forms at a point: by the generated code first, and if it differs by a witness; None outside of a support."""
    given = {name: as_array(value) for name, value in {**data, **position}.items()}
    if not reference.is_inside(after, given, lengths):
        return None
    screened = _screened(before, after, compiled, lengths, position, data)
    if screened <= TOLERANCE:
        return _Point(screened, position, data)
    exact = exact_difference(before, after, position, data, lengths)
    if exact is None:  # neither confirmed nor explained; the code may still be wrong by itself
        wrong = code_error(after, compiled, lengths, position, data, rng)
        return _Point(wrong[0], position, data, wrong[1]) if wrong is not None and wrong[1] else None
    difference, original = exact
    relative = float(difference / max(1, abs(original)))
    if relative > TOLERANCE:
        numbers = (("log p(x, z)", str(mp.nstr(original, 12))), ("off by", str(mp.nstr(difference, 5))))
        return _Point(relative, position, data, f"the whole model differs by {relative:.1e}", numbers)
    wrong = code_error(after, compiled, lengths, position, data, rng)
    if wrong is None:
        return _Point(relative, position, data, remark=OVERFLOW)
    return _Point(max(relative, wrong[0]), position, data, wrong[1])


def _screened(before: Model, after: Model, compiled: Compiled, lengths: Any, position: Any, data: Any) -> float:
    """Return the difference that the generated code shows, in doubles; not a number, or infinite, where they overflow."""
    try:
        return max(
            _difference(before, compiled, lengths, position, data),
            _generation_error(after, compiled, lengths, position, data),
            key=lambda d: math.inf if math.isnan(d) else d,
        )
    except NO_POINT:
        return math.inf


def _iterates(model: Model) -> bool:
    """Return whether a model has quantiles that mpmath finds by bisection, too coarsely for differences."""
    return any(formula.has(ImplicitQuantile) for s in model.statements for formula in s.formulas)


def _jacobian(before: Model, module: Any) -> Any:
    """Return the Jacobian of the original's latents with respect to those of the auxiliary form, by the latter's names."""
    import jax
    import jax.numpy as jnp

    def latents(position: Any, data: Any) -> Any:
        made = {**position, **module.generate(position, data)}  # a latent that a rewrite introduced is not a value of g
        parts = [jnp.ravel(free_elements(before, name, made[name])) for name in before.latents]
        return jnp.concatenate(parts) if parts else jnp.zeros(0)

    return jax.jacfwd(latents)


def _difference(before: Model, compiled: Compiled, lengths: Mapping[str, int], position: Any, data: Any) -> float:
    import numpy as np

    auxiliary = float(compiled.log_density(position, data))
    slope = compiled.jacobian(position, data) if position else {}
    columns = [np.reshape(j, (-1, position[n].size)) for n, j in slope.items()]
    log_volume = float(np.linalg.slogdet(np.concatenate(columns, axis=1))[1]) if position else 0.0
    values = {name: np.asarray(v) for name, v in {**data, **position, **compiled.generate(position, data)}.items()}
    if not all(np.all(np.isfinite(v)) for v in values.values()):
        return math.nan
    own = {n: v for n, v in values.items() if n not in before.nodes or before.nodes[n].kind == "stochastic"}
    if not reference.is_inside(before, own, lengths):
        return math.nan  # by rounding perhaps: the witness decides
    original = as_float(reference.log_density(before, reference.Deterministics(before, own, lengths), lengths))
    return abs(original - (auxiliary - log_volume)) / max(1.0, abs(original))


def _generation_error(after: Model, compiled: Compiled, lengths: Mapping[str, int], position: Any, data: Any) -> float:
    """Return the largest error of generated values: a map that folds keeps the density but not the law."""
    given = {name: as_array(value) for name, value in {**data, **position}.items()}
    exact = reference.Deterministics(after, given, lengths)
    made = compiled.generate(position, data)
    worst = 0.0
    for name, index in exact.statement:
        if name not in made:
            continue
        value = float(as_array(made[name])[index])
        known = as_float(exact.element(name, index))
        difference = abs(value - known) / max(1.0, abs(known))
        worst = worst if difference <= worst else difference
    return worst
