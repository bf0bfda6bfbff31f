r"""Two models, one law: at random points the original, read by mpmath, and the generated auxiliary form agree.

$\log p(x, z) = \log p(x, \varepsilon) - \log|\det \partial z/\partial\varepsilon|$ at $z = g(\varepsilon)$. This can only
refute: agreement at points proves nothing, and says so. Plates are shrunk to a few elements each, all of different
length so that no axis can pass for another; generated code reads lengths off its arrays, so it is the same code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux import interpret
from symaux.array_functions import ArrayFunction
from symaux.codegen.execute import load
from symaux.indices import lag, name_of, references
from symaux.laws import Law
from symaux.model import Model
from symaux.statements import reads
from symaux.support import Integers, Interval, Vectors, bounds, free_indices
from symaux.unroll import assignments

TOLERANCE = 1e-9
POINTS = 3


@dataclass(frozen=True)
class Agreement:
    """How many points were compared, the worst relative difference, and where it was; or why none was."""

    points: int
    worst: float = 0.0
    where: tuple[tuple[str, str], ...] = ()
    reason: str = ""

    @property
    def refuted(self) -> bool:
        return not self.worst <= TOLERANCE  # a difference that is not a number refutes too

    def __str__(self) -> str:
        if not self.points:
            return f"the whole model was not compared numerically: {self.reason}"
        return (
            f"log p(x, z) by mpmath and log p(x, ε) by the generated code agree at {self.points} random points:"
            f" worst relative difference {self.worst:.1e}"
        )


def agreement(before: Model, after: Model, source: str, *, points: int = POINTS, seed: int = 0) -> Agreement:
    """Compares two models at random points, through the change of variables."""
    import jax
    import numpy as np

    lengths = small_lengths(after)
    worst, where = 0.0, ()
    with jax.enable_x64(True):
        module = load(source)
        compiled = _Compiled(jax.jit(module.generate), jax.jit(module.log_density), jax.jit(_slope(before, module)))
        for number in range(points):
            rng = np.random.default_rng([seed, number])
            data = _inputs(after, lengths, rng)
            position = _latents(after, lengths, rng)
            if elements(before, lengths) != sum(v.size for v in position.values()):
                return Agreement(0, reason="the forms have different numbers of latent elements")
            data |= _observed(after, lengths, {**data, **position}, rng)
            difference = max(
                _difference(before, compiled, lengths, position, data),
                _misgenerated(after, compiled, lengths, position, data),
                key=lambda d: float("inf") if d != d else d,
            )
            if not difference <= worst:
                worst, where = difference, tuple((k, str(v)) for k, v in {**position, **data}.items())
    return Agreement(points, worst, where if not worst <= TOLERANCE else ())


@dataclass(frozen=True)
class _Compiled:
    """The functions of a generated module, compiled once for all points."""

    generate: Any
    log_density: Any
    slope: Any


def _slope(before: Model, module: Any) -> Any:
    """The Jacobian of the original's latents in those of the auxiliary form, by the latter's names."""
    import jax
    import jax.numpy as jnp

    def latents(position: Any, data: Any) -> Any:
        made = module.generate(position, data)
        parts = [jnp.ravel(_free_elements(before, name, made[name])) for name in before.latents]
        return jnp.concatenate(parts) if parts else jnp.zeros(0)

    return jax.jacfwd(latents)


def _free_elements(model: Model, name: str, value: Any) -> Any:
    """The elements that determine the others: a simplex has one less than it shows."""
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
    slope = compiled.slope(position, data) if position else {}
    columns = [np.reshape(j, (-1, position[n].size)) for n, j in slope.items()]
    log_volume = float(np.linalg.slogdet(np.concatenate(columns, axis=1))[1]) if position else 0.0
    values = {name: np.asarray(v) for name, v in {**data, **position, **compiled.generate(position, data)}.items()}
    own = {n: v for n, v in values.items() if n not in before.nodes or before.nodes[n].kind == "stochastic"}
    original = float(interpret.log_density(before, interpret.Deterministics(before, own, lengths), lengths))
    return abs(original - (auxiliary - log_volume)) / max(1.0, abs(original))


def _misgenerated(after: Model, compiled: _Compiled, lengths: Mapping[str, int], position: Any, data: Any) -> float:
    """How far generated values are from their formulas: a map that folds keeps the density and changes the law."""
    import numpy as np

    given = {name: np.asarray(value) for name, value in {**data, **position}.items()}
    exact = interpret.Deterministics(after, given, lengths)
    made = compiled.generate(position, data)
    worst = 0.0
    for name, index in exact.statement:
        if name not in made:
            continue
        value = float(np.asarray(made[name])[index])
        known = float(exact.element(name, index))
        difference = abs(value - known) / max(1.0, abs(known))
        worst = worst if difference <= worst else difference
    return worst


def elements(model: Model, lengths: Mapping[str, int]) -> int:
    """How many latent numbers a model has."""
    total = 0
    for name in model.latents:
        law, shape = model.nodes[name].general, _shape(model, name, lengths)
        assert isinstance(law, Law)
        front, own = shape[: len(shape) - len(law.event)], shape[len(shape) - len(law.event) :]
        total += math.prod(front) * len(free_indices(law.support, own))
    return total


def small_lengths(model: Model) -> dict[str, int]:
    """A small length for every plate, all different where possible, and long enough for fixed indices and lags."""
    chosen: dict[str, int] = {}
    readable = {g for n in (*model.inputs, *model.nodes) if _free(model, n) for g in model.axes.of_array(n)}
    for number, group in enumerate(sorted(set(model.axes.group.values()))):
        least = model.axes.least.get(group, 0)
        longest = model.axes.lengths.get(group, 10**9)
        chosen[group] = min(max(2 + number % 4, least + 2 if least else 0), longest) if group in readable else longest
    for function in _array_functions(model):
        if function.linked:  # one length follows from another: all stay as they are
            groups = [model.axes.of_plate(plate) for plate in function.plates]
            chosen |= {g: model.axes.lengths[g] for g in groups if g in model.axes.lengths}
    for node in model.nodes.values():
        if node.axis is not None and (group := model.axes.of_array(node.name)[node.axis]):
            chosen[group] = min(max(chosen[group], len(node.statements) + 2), model.axes.lengths.get(group, 10**9))
    return chosen


def _array_functions(model: Model) -> set[ArrayFunction]:
    return {f for s in model.statements for formula in s.formulas for f in formula.atoms(ArrayFunction)}


def _matrices(model: Model) -> set[str]:
    """Inputs that stand for a matrix that must be positive definite, or are a part of one: K in K[i, j] + noise."""
    found = set()
    for function in _array_functions(model):
        for operand, along in zip(function.operands, function.along, strict=True):
            plates = tuple(function.plates[p] for p in along)
            if len(plates) == 2:
                found |= {name_of(e) for e in operand.atoms(Indexed) if set(e.indices[-2:]) == set(plates)}
    return found & set(model.inputs)


def _positive_definite(shape: tuple[int, ...], rng: Any) -> Any:
    import numpy as np

    root = rng.normal(size=shape) * 0.5
    return root @ np.swapaxes(root, -1, -2) + np.eye(shape[-1])


def _free(model: Model, name: str) -> bool:
    return name not in model.nodes or model.nodes[name].kind == "stochastic"


def _shape(model: Model, name: str, lengths: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(lengths[group] for group in model.axes.of_array(name))


def _inputs(model: Model, lengths: Mapping[str, int], rng: Any) -> dict[str, Any]:
    """Plausible inputs: indices in range, scales positive, everything else as its assumptions say."""
    symbols = {name_of(r.element): r.element for s in model.statements for r in reads(s)}
    positive = {
        name_of(c.lhs) for s in model.statements if isinstance(s, Law) for c in s.conditions if _says_positive(c)
    }
    picked, matrices = _picked_from(model), _matrices(model)
    drawn = {}
    for name in model.inputs:
        shape, symbol = _shape(model, name, lengths), symbols[name]
        if name in picked:
            drawn[name] = rng.integers(0, lengths[picked[name]], size=shape)
        elif name in matrices:
            drawn[name] = _positive_definite(shape, rng)
        elif symbol.is_integer:
            drawn[name] = rng.integers(1, 6, size=shape).astype(float)
        elif symbol.is_positive or symbol.is_nonnegative or name in positive:
            drawn[name] = rng.uniform(0.4, 1.8, size=shape)
        else:
            drawn[name] = rng.normal(size=shape) * 0.7
    return drawn


def _says_positive(condition: Any) -> bool:
    return (
        isinstance(condition, sp.StrictGreaterThan)
        and condition.rhs == 0
        and isinstance(condition.lhs, Indexed | sp.Symbol)
    )


def _picked_from(model: Model) -> dict[str, str]:
    """Index arrays, and the group of elements that each picks from."""
    return {
        name_of(index): model.axes.of_array(read.name)[position]
        for statement in model.statements
        for read in reads(statement)
        for position, index in enumerate(read.indices)
        if not index.is_Integer and not lag(index)
    }


def _latents(model: Model, lengths: Mapping[str, int], rng: Any) -> dict[str, Any]:
    drawn = {}
    for name in model.latents:
        law = model.nodes[name].general
        assert isinstance(law, Law)
        shape = _shape(model, name, lengths)
        drawn[name] = _inside(law.support, shape, rng)
    return drawn


def _inside(support: Any, shape: tuple[int, ...], rng: Any) -> Any:
    """Points in a support with constant bounds; wild ones are of no use here, the laws have been verified already."""
    lower, upper = bounds(support) if isinstance(support, Interval) else (-sp.oo, sp.oo)
    if not (lower.is_number and upper.is_number):
        return rng.uniform(0.2, 0.8, size=shape)
    match lower.is_finite, upper.is_finite:
        case True, True:
            return float(lower) + float(upper - lower) * rng.uniform(0.15, 0.85, size=shape)
        case True, _:
            return float(lower) + rng.gamma(2.0, size=shape)
        case _, True:
            return float(upper) - rng.gamma(2.0, size=shape)
    return rng.normal(size=shape)


def _observed(model: Model, lengths: Mapping[str, int], values: Mapping[str, Any], rng: Any) -> dict[str, Any]:
    """Any values in the supports will do, given the parents; earlier elements first."""
    import numpy as np

    drawn: dict[str, Any] = {}
    for name in (n for n in model.order if n in model.observed):
        drawn[name] = np.zeros(_shape(model, name, lengths))
        for statement in model.nodes[name].statements:
            assert isinstance(statement, Law)
            for where in assignments(model, statement, lengths):
                index = tuple(where.get(i, i) for i in getattr(statement.value, "indices", ()))
                at = tuple(int(i) for i in index)
                known = {**{k: np.asarray(v) for k, v in values.items()}, **drawn}
                drawn[name][at] = _one(statement, known, where, model, lengths, rng)
    return drawn


def _one(law: Law, values: Any, where: Any, model: Model, lengths: Mapping[str, int], rng: Any) -> float:
    if not isinstance(law.support, Interval | Integers):
        return float(rng.normal())
    ends = [
        float(interpret.evaluate(b, interpret.Deterministics(model, values, lengths), where, model, lengths))
        if any(True for _ in references(b)) or b.has(sp.Symbol)
        else float(b)
        for b in bounds(law.support)
    ]
    if isinstance(law.support, Integers):
        low, high = int(max(ends[0], -9)), int(min(ends[1], max(ends[0], -9) + 6))
        return float(rng.integers(low, high + 1))
    numbers = Interval(*(sp.Float(e) if abs(e) != float("inf") else (sp.oo if e > 0 else -sp.oo) for e in ends))
    return float(_inside(numbers, (), rng))
