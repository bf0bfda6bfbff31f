"""Draw plausible numbers for a model: lengths of plates, inputs, latent values and observations, in their supports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.tensor.indexed import Indexed

from symaux.formulas.numeric.evaluate import as_float
from symaux.formulas.symbols.array_functions import ArrayFunction
from symaux.formulas.symbols.indices import as_lag, name_of, references
from symaux.formulas.symbols.support import Integers, Interval, bounds, free_indices
from symaux.laws.law import Law
from symaux.model.model import Model
from symaux.model.statements import reads
from symaux.model.unroll import assignments
from symaux.validate import reference

LONGEST = 50  # elements of a plate whose elements are picked by an index that the model computes


def count_latent_elements(model: Model, lengths: Mapping[str, int]) -> int:
    """Return the number of free latent numbers of a model."""
    total = 0
    for name in model.latents:
        law, shape = model.nodes[name].general, shape_of(model, name, lengths)
        assert isinstance(law, Law)
        front, own = shape[: len(shape) - len(law.event)], shape[len(shape) - len(law.event) :]
        total += math.prod(front) * len(free_indices(law.support, own))
    return total


def small_lengths(model: Model) -> dict[str, int]:
    """Return a small length for every plate, all different where possible, and long enough for fixed indices and
    lags."""
    chosen: dict[str, int] = {}
    readable = {g for n in (*model.inputs, *model.nodes) if _free(model, n) for g in model.axes.of_array(n)}
    for number, group in enumerate(sorted(set(model.axes.group.values()))):
        least = model.axes.least.get(group, 0)
        longest = model.axes.lengths.get(group, 10**9)
        chosen[group] = min(max(2 + number % 4, least + 2 if least else 0), longest) if group in readable else longest
    for function in _array_functions(model):
        if function.linked:  # one length determines another, so all stay as they are
            groups = [model.axes.of_plate(plate) for plate in function.plates]
            chosen |= {g: model.axes.lengths[g] for g in groups if g in model.axes.lengths}
    for name, axes in _picked_from(model).items():
        if name in model.nodes and model.nodes[name].kind == "deterministic":  # its values are not ours to choose
            chosen |= {axis: min(model.axes.lengths.get(axis, LONGEST), LONGEST) for axis in axes}
    for node in model.nodes.values():
        if node.axis is not None and (group := model.axes.of_array(node.name)[node.axis]):
            chosen[group] = min(max(chosen[group], len(node.statements) + 2), model.axes.lengths.get(group, 10**9))
    return chosen


def common_lengths(before: Model, after: Model) -> dict[str, int]:
    """Return small lengths for both models; plates that one of them ties together have the same length in both."""
    chosen = small_lengths(after)
    tied = {group: after.axes.group[key] for key, group in before.axes.group.items() if key in after.axes.group}
    return {group: chosen[other] for group, other in tied.items()} | chosen


def _array_functions(model: Model) -> set[ArrayFunction]:
    return {f for s in model.statements for formula in s.formulas for f in formula.atoms(ArrayFunction)}


def _matrices(model: Model) -> set[str]:
    """Return the inputs that are positive definite matrices or part of one, such as K in K[i, j] + noise."""
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


def shape_of(model: Model, name: str, lengths: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of a variable, for given lengths of plates."""
    return tuple(lengths[group] for group in model.axes.of_array(name))


def draw_inputs(model: Model, lengths: Mapping[str, int], rng: Any) -> dict[str, Any]:
    """Draw plausible inputs: indices in range, scales positive, everything else as its assumptions say."""
    symbols = {name_of(r.element): r.element for s in model.statements for r in reads(s)}
    positive = {
        name_of(c.args[0]) for s in model.statements if isinstance(s, Law) for c in s.conditions if says_positive(c)
    }
    picked, matrices = _picked_from(model), _matrices(model)
    drawn = {}
    for name in model.inputs:
        shape, symbol = shape_of(model, name, lengths), symbols[name]
        if name in picked:
            drawn[name] = rng.integers(0, min(lengths[axis] for axis in picked[name]), size=shape)
        elif name in matrices:
            drawn[name] = _positive_definite(shape, rng)
        elif symbol.is_integer:
            drawn[name] = rng.integers(1, 6, size=shape).astype(float)
        elif symbol.is_positive or symbol.is_nonnegative or name in positive:
            drawn[name] = rng.uniform(0.4, 1.8, size=shape)
        else:
            drawn[name] = rng.normal(size=shape) * 0.7
    return drawn


def says_positive(condition: Any) -> bool:
    """Return whether a side condition is that one variable is positive."""
    return (
        isinstance(condition, sp.StrictGreaterThan)
        and condition.rhs == 0
        and isinstance(condition.lhs, Indexed | sp.Symbol)
    )


def _picked_from(model: Model) -> dict[str, set[str]]:
    """Return the axes that each index array indexes, by name: one array may pick elements of several others."""
    found: dict[str, set[str]] = {}
    for statement in model.statements:
        for read in reads(statement):
            for position, index in enumerate(read.indices):
                if not index.is_Integer and not as_lag(index):
                    found.setdefault(name_of(index), set()).add(model.axes.of_array(read.name)[position])
    return found


def draw_latents(model: Model, lengths: Mapping[str, int], rng: Any) -> dict[str, Any]:
    """Draw a value in its support for every latent variable."""
    drawn = {}
    for name in model.latents:
        law = model.nodes[name].general
        assert isinstance(law, Law)
        shape = shape_of(model, name, lengths)
        drawn[name] = _inside(law.support, shape, rng)
    return drawn


def _inside(support: Any, shape: tuple[int, ...], rng: Any) -> Any:
    """Draw points in a support with constant bounds; moderate ones suffice, since the laws have been verified already."""
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


def draw_observations(model: Model, lengths: Mapping[str, int], values: Mapping[str, Any], rng: Any) -> dict[str, Any]:
    """Draw observations in their supports, given the parents, earlier elements first; any values will do."""
    import numpy as np

    drawn: dict[str, Any] = {}
    picked = _picked_from(model)
    for name in (n for n in model.order if n in model.observed):
        drawn[name] = np.zeros(shape_of(model, name, lengths))
        for statement in model.nodes[name].statements:
            assert isinstance(statement, Law)
            for where in assignments(model, statement, lengths):
                indices = getattr(statement.value, "indices", ())
                at = tuple(where[i] if i in where else int(i) for i in indices)
                known = {**{k: np.asarray(v) for k, v in values.items()}, **drawn}
                one = _one(statement, known, where, model, lengths, rng)
                drawn[name][at] = one
                if name in picked:  # plates are shrunk
                    drawn[name][at] = min(one, *(lengths[axis] - 1 for axis in picked[name]))
    return drawn


def _one(law: Law, values: Any, where: Any, model: Model, lengths: Mapping[str, int], rng: Any) -> float:
    if not isinstance(law.support, Interval | Integers):
        return float(rng.normal())
    ends = [
        as_float(reference.Deterministics(model, values, lengths).evaluate(b, where))
        if any(True for _ in references(b)) or b.has(sp.Symbol)
        else float(b)
        for b in bounds(law.support)
    ]
    if isinstance(law.support, Integers):
        low, high = int(max(ends[0], -9)), int(min(ends[1], max(ends[0], -9) + 6))
        return float(rng.integers(low, high + 1))
    numbers = Interval(*(sp.Float(e) if abs(e) != float("inf") else (sp.oo if e > 0 else -sp.oo) for e in ends))
    return float(_inside(numbers, (), rng))
