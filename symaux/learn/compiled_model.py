"""Hold a model's generated functions with data as an argument: data in a closure would be compiled in as constants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symaux.errors import DataError
from symaux.learn.coordinates import coordinates, to_real_line
from symaux.model.domains import guards
from symaux.model.model import Model
from symaux.model.statements import reads
from symaux.validate.random_inputs import draw_latents, shape_of

Arrays = dict[str, Any]
STARTS = 1000  # points that are tried where a model's parameters have domains that their laws do not imply
LEAST_SPREAD = 0.1  # of them: points that are all zero would all be on a boundary


@dataclass(frozen=True)
class Functions:
    """Functions of (position, data) of a model on the real line. Equal ones are compiled once, whatever their data.

    Inputs that are learnt (``free``) are part of the position, those of them that are positive as logarithms.
    """

    after: Model
    free: tuple[str, ...] = ()

    @cached_property
    def positive(self) -> frozenset[str]:
        return positive_inputs(self.after) & set(self.free)

    @cached_property
    def module(self) -> Any:
        from symaux.api import source_without_sampler
        from symaux.codegen.load import load

        return load(source_without_sampler(self.after))

    def log_density(self, position: Arrays, data: Arrays) -> Any:
        return self.module.log_density(self._natural(position), data)

    def generate(self, position: Arrays, data: Arrays) -> Arrays:
        """Return the values of the user's own variables, learnt inputs among them."""
        natural = self._natural(position)
        return {**{name: natural[name] for name in self.free}, **self.module.generate(natural, data)}

    def _natural(self, position: Arrays) -> Arrays:
        import jax.numpy as jnp

        logarithms = {f"log_{name}": name for name in self.positive}
        return {logarithms.get(k, k): jnp.exp(v) if k in logarithms else v for k, v in position.items()}

    def keys(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the coordinates of some of the user's variables."""
        return tuple(key for name in names for key in self._keys(name))

    def _keys(self, name: str) -> tuple[str, ...]:
        if name in self.free:
            return (f"log_{name}" if name in self.positive else name,)
        if name not in self.after.nodes or name in self.after.observed:
            raise DataError(f"{name} is neither a latent variable of the model nor an input without data")
        return coordinates(self.after, name)


@dataclass(frozen=True)
class Target:
    """A density to sample or to maximise: the functions of a model, its data, and the lengths of its plates."""

    before: Model
    functions: Functions
    data: Arrays
    lengths: dict[str, int]

    @property
    def after(self) -> Model:
        return self.functions.after

    @property
    def keys(self) -> tuple[str, ...]:
        """Return all coordinates of a position."""
        return (*self.after.latents, *self.functions.keys(self.functions.free))

    def start(self, rng: Any, spread: float = 1.0) -> Arrays:
        """Return a point on the real line: normal numbers with a given standard deviation for all latents and learnt inputs.

        Where conditions on parameters are not implied by the model, the point is looked for where they hold.
        """
        if not self.is_guarded:
            return self._draw(rng, spread)
        import numpy as np

        for _ in range(STARTS):
            point = self._draw(rng, max(spread, LEAST_SPREAD))
            if np.isfinite(self.functions.log_density(point, self.data)):
                return point
        listed = ", ".join(str(condition) for _, condition in guards(self.after))
        raise DataError(f"no start was found in {STARTS} draws where {listed}; give the variables laws that imply it")

    @property
    def is_guarded(self) -> bool:
        return bool(guards(self.after))

    def _draw(self, rng: Any, spread: float) -> Arrays:
        import jax.numpy as jnp

        drawn = draw_latents(self.after, self.lengths, rng)
        for name in self.functions.free:
            (key,) = self.functions.keys([name])
            drawn[key] = rng.normal(size=shape_of(self.after, name, self.lengths))
        return {name: jnp.asarray(spread * value, dtype=float) for name, value in drawn.items()}


def bind_data(before: Model, after: Model, data: Mapping[str, Any] | None, learning: bool = False) -> Target:
    """Return a target of a model on the real line, its data checked; ``learning`` adds inputs without data to the position."""
    import numpy as np

    from symaux.api import source_without_sampler
    from symaux.codegen.runtime.model import prepare_data

    data = dict(data or {})
    free = tuple(sorted(set(after.inputs) - set(data)))
    if free and not learning:
        raise DataError(f"{', '.join(free)}: an input without data and without a prior; give it one of them")
    ready = prepare_data(after, source_without_sampler(after), data)
    lengths = after.axes.resolved({name: np.shape(value) for name, value in data.items()})
    _check_lengths(after, lengths)
    return Target(before, Functions(after, free), ready, lengths)


def as_target(model: Any, data: Mapping[str, Any] | None, form: str, learning: bool = False) -> Target:
    """Return the target of ``sample`` and other functions, from a model or a derivation."""
    made = to_real_line(model, form)
    if made.choice:  # weights that were chosen are known
        data = {**made.choice.inputs, **(data or {})}
    return bind_data(made.before, made.after, data, learning)


def _check_lengths(model: Model, lengths: Mapping[str, int]) -> None:
    for name in (*model.latents, *model.inputs):
        if missing := [group for group in model.axes.of_array(name) if group not in lengths]:
            raise DataError(f"how long is {', '.join(missing)}, an axis of {name}? Neither model nor data say so")


def positive_inputs(model: Model) -> frozenset[str]:
    """Return the inputs that assumptions or side conditions of laws make positive: their logarithms are moved."""
    from symaux.formulas.symbols.indices import name_of
    from symaux.laws.law import Law
    from symaux.validate.random_inputs import says_positive

    assumed = {r.name for s in model.statements for r in reads(s) if r.element.is_positive}
    asked = {
        name_of(c.args[0]) for s in model.statements if isinstance(s, Law) for c in s.conditions if says_positive(c)
    }
    return frozenset((assumed | asked) & set(model.inputs))
